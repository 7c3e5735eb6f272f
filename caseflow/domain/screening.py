"""Which workflow fits a request: the rule sets that each screens, asked of the facts, and what is nearest to fitting, in words.

A track `fits` where every set passes, and `fits-if` where nothing is open but what only a person can judge. Everything
else does not fit: a standard that fails, a fact that is not stated (`missing` says which) or a set that may not be used.
It is advice: nobody is turned away by it, and nothing is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.calendar import say
from caseflow.domain.conditions import Leaf
from caseflow.domain.rules import COMPUTED, FAIL, JUDGMENT, PASS, UNKNOWN, Evaluation, Finding, evaluate, rule_book
from caseflow.errors import Refused

FITS, FITS_IF, NOT = "fits", "fits-if", "does-not-fit"
_RANK = (FITS, FITS_IF, NOT)


@dataclass(frozen=True, slots=True)
class Miss:
    """A comparison that fails, in words with its citation. `gap` is how far it is from fitting, as a share of the limit."""

    rule: str
    words: str
    gap: Decimal


@dataclass(frozen=True, slots=True)
class Missing:
    """A fact to state, and the rules that wait for it."""

    fact: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Track:
    """A workflow and how it fits. `refused` is why one of its rule sets may not be used on that day."""

    workflow: p.Workflow
    result: str
    evaluations: tuple[Evaluation, ...]
    fails: tuple[Finding, ...] = ()
    judgments: tuple[Finding, ...] = ()
    missing: tuple[Missing, ...] = ()
    misses: tuple[Miss, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def fails_for_sure(self) -> bool:
        """Whether it would not fit whatever else were stated."""
        return bool(self.fails or self.refused)

    @property
    def nearest_miss(self) -> str | None:
        """The failing comparison that is nearest to fitting; what else stands against the track where none fails."""
        if self.misses:
            return min(self.misses, key=lambda miss: miss.gap).words
        return next(iter(self.refused), None)


def screen(pack: p.Pack, facts: Mapping[str, Any], judgments: Mapping[str, Any], settings: Mapping[str, Any], on: date) -> tuple[Track, ...]:
    """Every workflow of a pack that screens rule sets, the best-fitting first, for facts (fitted) received on a day."""
    asked: dict[str, Evaluation | str] = {}

    def ask(name: str) -> Evaluation | str:
        if name not in asked:
            asked[name] = _asked(pack, name, facts, judgments, settings, on)
        return asked[name]

    tracks = [_track(flow, [ask(name) for name in sets], pack) for flow in _flows(pack, on) if (sets := flow.screens or flow.rules)]
    return tuple(sorted(tracks, key=lambda track: (_RANK.index(track.result), track.fails_for_sure, track.workflow.screen_order)))


def best(tracks: Sequence[Track]) -> Track | None:
    """The first track that fits, or may; None where none does."""
    return next((track for track in tracks if track.result != NOT), None)


def closest(tracks: Sequence[Track]) -> Track | None:
    """Where none fits: the first track that nothing speaks against but what is not stated yet; None where there is none."""
    return next((track for track in tracks if not track.fails_for_sure), None) if best(tracks) is None else None


def _flows(pack: p.Pack, on: date) -> Iterator[p.Workflow]:
    for name in dict.fromkeys(flow.workflow for flow in pack.workflows):
        flow = pack.workflow(name, on)
        if flow is not None:
            yield flow


def _asked(pack: p.Pack, name: str, facts: Mapping[str, Any], judgments: Mapping[str, Any], settings: Mapping[str, Any], on: date) -> Evaluation | str:
    book = rule_book(pack, name, on)
    assert book is not None
    try:
        return evaluate(book, facts, judgments, settings, on)
    except Refused as refused:
        return f"{refused.reasons[0].text}"


def _track(flow: p.Workflow, asked: Sequence[Evaluation | str], pack: p.Pack) -> Track:
    made = _covering([one for one in asked if isinstance(one, Evaluation)])
    refused = tuple(one for one in asked if isinstance(one, str))
    if made and all(any(note.id == "nothing-applies" for note in one.notes) for one in made):
        refused = (*refused, "No rule of this track applies to these facts.")
    deciding = [(one, found) for one in made for found in one.deciding()]
    fails = tuple(found for _, found in deciding if found.failed)
    open_ = [found for _, found in deciding if not found.failed]
    judged = tuple(found for found in open_ if of_judgment(found))
    result = FITS
    if refused or fails or len(judged) < len(open_):
        result = NOT
    elif judged or any(one.result != PASS for one in made):
        result = FITS_IF if judged else NOT
    return Track(
        flow,
        result,
        made,
        fails,
        judged,
        _missing([found for found in open_ if not of_judgment(found)]),
        tuple(miss for one, found in deciding if found.failed for miss in _misses(one, found, pack)),
        refused,
    )


def _covering(made: Sequence[Evaluation]) -> tuple[Evaluation, ...]:
    """The sets that count: of those that say what they cover, one must cover the facts, and the others then stand aside."""
    aside = [one for one in made if (cover := one.finding(one.ruleset)) is not None and cover.failed]
    others = [one for one in made if one.finding(one.ruleset) is not None and one not in aside]
    return tuple(one for one in made if one not in aside) if others else tuple(made)


def of_judgment(found: Finding) -> bool:
    """Whether all that is open in a finding is for a person to judge."""
    if found.outcome == JUDGMENT:
        return True
    still = [leaf for leaf in found.leaves if leaf.decides and leaf.outcome in (UNKNOWN, JUDGMENT)]
    return found.outcome == COMPUTED and bool(still) and all(leaf.outcome == JUDGMENT for leaf in still)


def _missing(open_: Sequence[Finding]) -> tuple[Missing, ...]:
    rules: dict[str, dict[str, None]] = {}
    for found in open_:
        for fact in facts_missing(found):
            rules.setdefault(fact, {})[found.rule] = None
    return tuple(Missing(fact, tuple(names)) for fact, names in rules.items())


def facts_missing(found: Finding) -> Iterator[str]:
    """The facts that an open finding waits for."""
    for leaf in found.leaves:
        if not leaf.decides or leaf.outcome != UNKNOWN:
            continue
        if leaf.op == "gives" and leaf.got is not None:
            yield from (name for name, asked in zip(leaf.allowed["asks"], leaf.allowed["asked"], strict=True) if asked is None)
        elif leaf.op == "outside":
            yield from leaf.field.split(" to ")
        elif leaf.field != "whole":
            yield leaf.field


# --- words --------------------------------------------------------------------------------------------------------


def _misses(made: Evaluation, found: Finding, pack: p.Pack) -> Iterator[Miss]:
    told = False
    for leaf in found.leaves:
        if leaf.decides and leaf.outcome in (FAIL, PASS) and not _met(found, leaf):
            words = phrase(leaf, pack.facts.get(leaf.field))
            if words is not None:
                inner = made.finding(leaf.rule) if leaf.rule is not None else None
                yield Miss(found.rule, ended(words, (inner or found).cite), gap(leaf))
                told = True
    if not told:
        yield Miss(found.rule, ended(f"Not so: {found.text.rstrip('.')}", found.cite), Decimal("Infinity"))


def _met(found: Finding, leaf: Leaf) -> bool:
    """A blocking trigger is missed by what raises it, every other rule by what fails."""
    return leaf.outcome == (FAIL if found.kind == "requirement-trigger" else PASS)


def ended(words: str, cite: str | None) -> str:
    """A sentence with its citation at the end."""
    text = f"{words}, {cite}" if cite else words
    return text if text.endswith(".") else f"{text}."


def phrase(leaf: Leaf, fact: p.Fact | None) -> str | None:
    """What was found beside what is allowed, in the words of the fact: `6 piles; 5 allowed`. None where nothing can be said."""
    if leaf.got is None or leaf.op in ("done", "are") or (leaf.op == "is" and leaf.value == "judged"):
        return None
    if leaf.op == "gives":
        return _allotted(leaf, fact)
    if leaf.op == "outside":
        return _season(leaf)
    title = fact.title if fact is not None and fact.title else leaf.field.replace("_", " ").capitalize()
    if isinstance(leaf.got, bool) or isinstance(leaf.value, bool):
        return f"{title}: {_word(leaf.got)}; must be {_word(leaf.value)}"
    if leaf.op in _MEASURES and not isinstance(leaf.value, (list, tuple)):
        return _measured(leaf, title)
    words = {"is": "", "is-not": "not ", "in": "one of ", "not-in": "none of ", "includes": "", "includes-any": "one of ", "within": "only "}
    return f"{title}: {_word(leaf.got)}; {words.get(leaf.op, leaf.op + ' ')}{_word(leaf.value)} allowed"


_MEASURES: Mapping[str, Callable[[str], str]] = {
    "at-most": lambda limit: f"at most {limit} allowed",
    "less-than": lambda limit: f"less than {limit} allowed",
    "at-least": lambda limit: f"at least {limit} needed",
    "more-than": lambda limit: f"more than {limit} needed",
}


def _measured(leaf: Leaf, title: str) -> str:
    if leaf.unit == "count":
        noun = leaf.field.replace("_", " ") if " " not in title else title[:1].lower() + title[1:]
        said = f"{leaf.value} allowed" if leaf.op == "at-most" else _MEASURES[leaf.op](str(leaf.value))
        return f"{leaf.got} {noun}; {said}"
    unit = f" {leaf.unit.replace('_', ' ')}" if leaf.unit and leaf.unit != "ratio" else ""
    return f"{title} {leaf.got}{unit}; {_MEASURES[leaf.op](f'{leaf.value}{unit}')}"


def _season(leaf: Leaf) -> str:
    days = [say(date.fromisoformat(day).toordinal()) for day in leaf.got if day is not None]
    text = f"Work {'from ' if len(days) > 1 else 'on '}{' to '.join(days)}; not allowed from {' to '.join(_month_day(day) for day in leaf.value.split(' to '))}"
    if leaf.allowed is None:
        return text
    before, after = (say(date.fromisoformat(leaf.allowed[side]).toordinal()) for side in ("before", "after"))
    return f"{text} (free until {before} and from {after} on)"


def _month_day(text: str) -> str:
    month, day = (int(part) for part in text.split("-"))
    return f"{date(2000, month, 1):%B} {day}"


def _allotted(leaf: Leaf, fact: p.Fact | None) -> str:
    counts, asked = leaf.allowed["counts"], leaf.allowed["asked"]
    rows = [" and ".join(f"{number} {count}" for number, count in zip(row, counts, strict=False)) for row in leaf.value]
    wanted = " and ".join(f"{number} {count}" for number, count in zip(asked, counts, strict=False) if number is not None)
    title = fact.title if fact is not None and fact.title else leaf.field.replace("_", " ").capitalize()
    return f"{wanted} asked; {' or '.join(rows) or 'none'} allowed ({title} {leaf.got}{f' {leaf.unit}' if leaf.unit else ''})"


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        shown = ", ".join(_word(item) for item in value[:6])
        return shown + (f" and {len(value) - 6} more" if len(value) > 6 else "")
    return str(value).replace("_", " ")


def gap(leaf: Leaf) -> Decimal:
    """How far a measure is from its limit, as a share of the limit; infinite where nothing was measured."""
    if leaf.op not in _MEASURES:
        return Decimal("Infinity")
    try:
        got, limit = Decimal(str(leaf.got)), Decimal(str(leaf.value))
    except InvalidOperation:
        return Decimal("Infinity")
    return abs(got - limit) / abs(limit) if limit else abs(got)
