"""States, actions, limits, clocks and the workflow that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from caseflow.domain.pack.claims import Claim
from caseflow.domain.pack.days import Day, Length
from caseflow.domain.pack.parts import Exclusion, Fact, Fees, Item, LetterRef, Letters, Tasks
from caseflow.domain.pack.questions import Condition, Test
from caseflow.domain.pack.words import Cited, Names, SettingRef, Word, _as_list


class Say(Word):
    """One sentence for staff and one for the public."""

    staff: str
    public: str


class State(Cited):
    """A state. `phase` is the state that reports count it under; `turn` whose move it is."""

    title: str
    phase: str | None = None
    turn: str = "department"
    say: Say | None = None
    ends: bool = False
    place: tuple[int, int] | None = None


class Branch(Word):
    """One outcome of an action: the first whose `when` holds is taken; what it names replaces or adds."""

    when: Test | None = None
    otherwise: bool = False
    to: str | None = None
    disposition: str | None = None
    letters: Letters = ()
    fees: Fees = ()
    raises: Names = ()
    lowers: Names = ()
    task: Tasks = ()


ONLY = Branch.model_construct(otherwise=True)
"""The outcome of an action that names none. It is known to fit: made unchecked, it costs a command no validators."""


class Action(Cited):
    """What someone does: who, from where to where, what it takes, what must hold, what follows.

    `establishes: rules` lets it take every fact that the workflow's rule sets ask, and `judgments` of their rules.
    `items` says what naming items does; `money` what a payment recorded by it is; `assigns` the fact that names
    the new assignee, `nobody` for none; `aliases` the fact that holds another docket number; `starts_work` is only for pages. A fact under
    `takes` or `may_take` is read from this act alone; one under `may_restate` from the case where the act is silent.
    """

    title: str
    hint: str | None = None
    order: int | None = None
    key: str | None = None
    by: Names = ("staff",)
    from_: Names = Field(default=(), alias="from")
    to: str | None = None
    takes: Names = ()
    may_take: Names = ()
    may_restate: Names = ()
    needs: Annotated[tuple[Test, ...], BeforeValidator(_as_list)] = ()
    outcomes: tuple[Branch, ...] = ()
    disposition: str | None = None
    letters: Letters = ()
    fees: Fees = ()
    raises: Names = ()
    lowers: Names = ()
    task: Tasks = ()
    items: Literal["asks", "receives", "satisfies", "finds-missing", "lists"] | None = None
    establishes: Literal["rules"] | None = None
    money: Literal["received", "returned", "refunded"] | None = None
    assigns: str | None = None
    aliases: str | None = None
    parties: str | None = None


def letters_named(action: Action) -> tuple[LetterRef, ...]:
    """The letters that an action or one of its outcomes may owe."""
    return (*action.letters, *(ref for branch in action.outcomes for ref in branch.letters))


class Limit(Cited):
    """How often an action may happen. An act under `unless` uses nothing up."""

    title: str
    action: Names
    times: int
    text: str
    unless: Test | None = None
    instead: str | None = None


# --- clocks -------------------------------------------------------------------------------------------------------


class Moment(Cited):
    """When something of a clock happens: after an action (or counted backwards, before it), if `when` held then."""

    after: Names = ()
    before: Names = ()
    when: Test | None = None
    counted_from: Day | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"after": value} if isinstance(value, (str, list, tuple)) else value


class Start(Moment):
    """A moment that starts a clock; it may state its own length, and which acts promise it (`expected_after`)."""

    length: Length | None = None
    expected_after: Annotated[tuple[Moment, ...], BeforeValidator(_as_list)] = ()


class Extension(Moment):
    """A moment that lengthens a clock: `adds` a period, or `to` a day."""

    adds: Length | None = None
    to: Day | None = None

    @model_validator(mode="before")
    @classmethod
    def _by(cls, value: Any) -> Any:
        if isinstance(value, Mapping) and "by" in value:
            return {"after": value["by"], **{key: item for key, item in value.items() if key != "by"}}
        return value


def _moments(value: Any) -> Any:
    if value is None or isinstance(value, (list, tuple)):
        return value
    return [value]


Moments = Annotated[tuple[Moment, ...], BeforeValidator(_moments)]
Starts = Annotated[tuple[Start, ...], BeforeValidator(_moments)]


class Hold(Cited):
    """A hold: the moments that begin it and those that end it."""

    from_: Moments = Field(alias="from")
    until: Moments
    cause: str | None = None


class Clock(Cited):
    """A period: what starts, holds, extends, displaces, meets and stops it, and what happens when it runs out.

    A clock without `actor` is the agency's own. `target` is `last-open-day` or `before-roll`.
    """

    title: str
    actor: str | None = None
    length: Length | None = None
    starts: Starts = ()
    take: Literal["first", "latest", "longest"] = "first"
    canceled: Moments = ()
    holds: tuple[Hold, ...] = ()
    extended: Annotated[tuple[Extension, ...], BeforeValidator(_moments)] = ()
    displaced: Moments = ()
    fits_again: Moments = ()
    met: Moments = ()
    stopped: Moments = ()
    overdue: str | None = None
    silence: str | None = None
    remind: str | None = None
    warn_before: tuple[int, ...] | SettingRef = ()
    alert: bool = False
    waits_in: Names = ()
    target: Literal["last-open-day", "before-roll"] | None = None
    rolls: bool | None = None
    statute: str | None = None


class PathStep(Word):
    """A clock of a path; `after` picks the start (its act) where the clock has several, `when` the condition of one.

    Without `when` the start that asks no condition counts, or the first.
    """

    clock: str
    after: str | None = None
    when: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"clock": value} if isinstance(value, str) else value


class ClockPath(Word):
    """Clocks that run one after the other, from the legal day of filing to the decision."""

    title: str = "the longest way"
    clocks: tuple[PathStep, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"clocks": value} if isinstance(value, (list, tuple)) else value


class Lead(Cited):
    """How long before the start of work a request is to be filed."""

    length: Length


class Intake(Word):
    """What a filing is told at once. `work_begins` is the fact (a day) that says when the work is to begin."""

    work_begins: str | None = None
    longest_path: Annotated[tuple[ClockPath, ...], BeforeValidator(_as_list)] = ()
    lead: Lead | None = None


class Workflow(Word):
    """A workflow after its bases are merged in.

    `rules` are the rule sets whose rules its conditions may name; `screens` those that screening asks (the same where
    none are named), `screen_order` which of several that fit is named first; `standards` the rules that a decision must find.
    `unread` is the flag that is up while something lies there which came from outside and nobody has read.
    """

    workflow: str
    title: str
    law: str
    extends: str | None = None
    abstract: bool = False
    version: str | None = None
    in_force: InForce
    calendar: str
    filed_on: str | None = None
    target: Literal["last-open-day", "before-roll"] = "last-open-day"
    service: str | None = None
    intake: Intake | None = None
    states: Mapping[str, State]
    groups: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    dispositions: Mapping[str, str] = Field(default_factory=dict)
    flags: Mapping[str, str] = Field(default_factory=dict)
    unread: str | None = None
    facts: Mapping[str, Fact] = Field(default_factory=dict)
    items: Mapping[str, Item] = Field(default_factory=dict)
    petition_items: Mapping[str, Item] = Field(default_factory=dict)
    exclusions: Mapping[str, Exclusion] = Field(default_factory=dict)
    conditions: Mapping[str, Condition] = Field(default_factory=dict)
    limits: Mapping[str, Limit] = Field(default_factory=dict)
    claims: Mapping[str, Claim] = Field(default_factory=dict)
    clocks: Mapping[str, Clock] = Field(default_factory=dict)
    actions: Mapping[str, Action]
    fees: Fees = ()
    rules: Names = ()
    screens: Names = ()
    screen_order: int = 100
    standards: Names = ()

    def states_of(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The states that a list of states and groups stands for, in order, each once."""
        found: dict[str, None] = {}
        for name in names:
            if name in self.groups:
                found.update(dict.fromkeys(self.states_of(self.groups[name])))
            else:
                found[name] = None
        return tuple(found)


class InForce(Word):
    """The days from which and until which (both included) a text applies."""

    from_: date | None = Field(default=None, alias="from")
    until: date | None = None

    def covers(self, day: date) -> bool:
        """Whether the text applied on that day."""
        return (self.from_ is None or self.from_ <= day) and (self.until is None or day <= self.until)
