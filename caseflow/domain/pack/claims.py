"""Claims: what an agency says must hold on every path of a workflow, written as data and decided by `pack prove`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any

from pydantic import model_validator

from caseflow.domain.pack.questions import Test
from caseflow.domain.pack.words import Cited, Names

ALL = "all"
"""In a claim: every action, limit, clock or ending state that it can be asked of."""

KINDS = (
    "at-most-once",
    "can-reach",
    "no-open-clock-in",
    "letter-on-entering",
    "no-silence-early",
    "hold-never-shortens",
    "timer-has-exit",
    "refusal-cites",
    "one-outcome",
    "always",
    "whenever",
)


class Claim(Cited):
    """Something that must hold on every path. Exactly one of KINDS says what.

    `at_most_once`: actions (counted together), or limits (acts under their exception are not counted; their number
    stands in for once). `can_reach`: states from which a case must never be cut off. `no_open_clock_in`: states in which
    no clock of the agency (or none of `clocks`) goes on. `letter_on_entering`: states into which every act (but those
    under `excepted`) issues a letter, one of those that state one of `stating`. `no_silence_early`, `hold_never_shortens`, `timer_has_exit`:
    clocks. `refusal_cites`, `one_outcome`: actions. `always`: a question that holds wherever the case stands (in
    `in_`), `whenever`: actions that are only done where the question `holds`.
    """

    text: str
    at_most_once: Names = ()
    can_reach: Names = ()
    no_open_clock_in: Names = ()
    clocks: Names = ()
    letter_on_entering: Names = ()
    stating: Names = ()
    excepted: Names = ()
    no_silence_early: Names = ()
    hold_never_shortens: Names = ()
    timer_has_exit: Names = ()
    refusal_cites: Names = ()
    one_outcome: Names = ()
    always: Test | None = None
    in_: Names = ()
    whenever: Names = ()
    holds: Test | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Claim:
        kinds = [kind for kind in KINDS if self.said(kind)]
        if len(kinds) != 1:
            raise ValueError(f"a claim says exactly one thing; write one of {', '.join(KINDS)}")
        for word, kind in (("clocks", "no-open-clock-in"), ("stating", "letter-on-entering"), ("in", "always"), ("holds", "whenever")):
            if self.said(word) and kinds != [kind]:
                raise ValueError(f"'{word}' belongs to a claim that says '{kind}'")
        if kinds == ["whenever"] and self.holds is None:
            raise ValueError("'whenever' needs 'holds', the question that must hold where the action is done")
        return self

    def said(self, word: str) -> Any:
        """What stands under a word of the file."""
        return getattr(self, word.replace("-", "_") + ("_" if word == "in" else ""))

    @cached_property
    def kind(self) -> str:
        """Which of KINDS it is."""
        return next(kind for kind in KINDS if self.said(kind))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What its word names: actions, states or clocks; nothing for `always`."""
        return () if self.kind == "always" else tuple(self.said(self.kind))


DEFAULT: Mapping[str, Mapping[str, Any]] = {
    "limits-hold": {"text": "No limit is ever passed.", "note": "Every limit of the workflow.", "at_most_once": ALL},
    "end-in-reach": {"text": "From everywhere a way leads to an end of the case.", "note": "A case that can't end is lost.", "can_reach": ALL},
    "no-clock-outlives": {
        "text": "Where a case has ended no clock of the agency goes on.",
        "note": "Whoever has decided owes nothing any more.",
        "no_open_clock_in": ALL,
    },
    "closing-letter": {"text": "Whatever ends a case is told by a letter.", "note": "Nobody learns of an end by chance.", "letter_on_entering": ALL},
    "silence-not-early": {"text": "No outcome by silence comes before its day.", "note": "The last day belongs to who may act.", "no_silence_early": ALL},
    "hold-never-shortens": {"text": "A hold never brings a last day nearer.", "note": "A hold only ever gives time.", "hold_never_shortens": ALL},
    "timer-has-exit": {"text": "What a clock asks for at its end is possible then.", "note": "A timer that can't act is lost.", "timer_has_exit": ALL},
    "refusal-cites": {"text": "Every refusal names the law or the practice it rests on.", "note": "Who is refused may ask why.", "refusal_cites": ALL},
    "one-outcome": {"text": "No two outcomes of an act apply at once.", "note": "The order of writing decides no case.", "one_outcome": ALL},
}
"""What is asked of every workflow of every agency, in the words of a claim. A workflow that writes one of the same id puts its own in the place."""


@cache
def asked_everywhere() -> Mapping[str, Claim]:
    """The claims of DEFAULT. They are made when somebody proves or shows a workflow: other commands need none."""
    return {name: Claim.model_validate(words) for name, words in DEFAULT.items()}
