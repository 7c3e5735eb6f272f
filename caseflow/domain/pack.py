"""What a pack says, as frozen models in the words of the pack files.

The models keep what the author wrote and check shapes only. Names, units and reachability are checked by the
loader, which knows files and lines; what a word means is decided by conditions, clock, fees and casework.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator

FACT_OPS = (
    "is",
    "is-not",
    "in",
    "not-in",
    "at-least",
    "at-most",
    "more-than",
    "less-than",
    "given",
    "includes",
    "includes-any",
    "within",
    "mentions",
)
DAY_OPS = ("on-or-before", "before", "on-or-after", "after", "on")
UNITS = ("days", "business-days", "weeks", "months", "years")
STATUSES = ("not-started", "running", "tolled", "displaced", "met", "stopped", "missed", "over")
RESERVED_ACTIONS = (
    "void",
    "amend",
    "withdrawn-by-correction",
    "silence-waits",
    "calendar-adopted",
    "warn-deadline",
    "letter-sent",
    "letter-copied",
    "letter-unanswered",
    "letter-bounced",
    "letter-returned",
    "letter-delivered",
    "letter-resent",
    "letter-approved",
    "letter-edited",
    "letter-blocked",
    "letter-written",
    "letter-waits",
    "letter-corrected",
    "timer-refused",
    "documents-received",
    "documents-read",
)

Confidence = Literal["verified", "inferred", "recalled", "not-found"]


def _hyphens(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


class Word(BaseModel):
    """Base of all models: frozen, nothing unknown allowed, keys with hyphens."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=_hyphens, populate_by_name=True, arbitrary_types_allowed=True)


class Cited(Word):
    """Something that stands on law (`cite`), practice (`note`) or policy, with the reading chosen and how sure it is."""

    cite: str | None = None
    note: str | None = None
    policy: bool = False
    reading: str | None = None
    confidence: Confidence | None = None


def _as_list(value: Any) -> Any:
    return value if isinstance(value, (list, tuple)) or value is None else [value]


Names = Annotated[tuple[str, ...], BeforeValidator(_as_list)]


class SettingRef(Word):
    """Stands for the value of a setting."""

    setting: str


# --- days and lengths -------------------------------------------------------------------------------------------


class Length(Word):
    """A period: one unit and a number, or the setting that holds the number."""

    unit: Literal["days", "business-days", "weeks", "months", "years"]
    number: int | SettingRef

    @model_validator(mode="before")
    @classmethod
    def _one_unit(cls, value: Any) -> Any:
        if isinstance(value, Mapping) and "unit" not in value:
            if len(value) != 1:
                raise ValueError("a length has exactly one unit, such as {days: 30}")
            unit, number = next(iter(value.items()))
            if unit not in UNITS:
                raise ValueError(f"no unit '{unit}'; write one of {', '.join(UNITS)}")
            return {"unit": unit, "number": number}
        return value


class Distance(Length):
    """How far two days lie apart, counted in days or weeks: months and business days have no one length."""

    unit: Literal["days", "weeks"]

    @model_validator(mode="before")
    @classmethod
    def _of_one_length(cls, value: Any) -> Any:
        unit = next(iter(value), None) if isinstance(value, Mapping) and "unit" not in value else None
        if unit in UNITS and unit not in ("days", "weeks"):
            raise ValueError(f"the distance of two days is counted in days or weeks, not in {unit}")
        return value


class ThisAct(Word):
    """The effective day of the act that is judged."""


class Filing(Word):
    """The day of filing."""


class FactDay(Word):
    """A day that a fact states; `or_else` says what counts where the fact is missing."""

    fact: str
    or_else: Literal["this-act", "nothing"] | None = None


class LastDay(Word):
    """The day of the last entry of an action."""

    last: str


class ClockDay(Word):
    """A day of a clock."""

    clock: str
    day: Literal["start", "unrolled", "due"]


class SentDay(Word):
    """The day that a letter was sent: a letter id, or `this-act` for the letters of the act itself."""

    sent: str
    or_else: Literal["this-act", "nothing"] = "nothing"


def _day_kind(value: Any) -> str | None:
    if isinstance(value, BaseModel):
        return {ThisAct: "this-act", Filing: "filing", FactDay: "fact", LastDay: "last", ClockDay: "clock", SentDay: "sent"}.get(type(value))
    if isinstance(value, str):
        return value if value in ("this-act", "filing") else None
    if isinstance(value, Mapping):
        for key in ("fact", "last", "clock", "sent"):
            if key in value:
                return key
    return None


def _no_fields(value: Any) -> Any:
    return {} if isinstance(value, str) else value


Day = Annotated[
    Annotated[ThisAct, BeforeValidator(_no_fields), Tag("this-act")]
    | Annotated[Filing, BeforeValidator(_no_fields), Tag("filing")]
    | Annotated[FactDay, Tag("fact")]
    | Annotated[LastDay, Tag("last")]
    | Annotated[ClockDay, Tag("clock")]
    | Annotated[SentDay, Tag("sent")],
    Discriminator(
        _day_kind,
        custom_error_type="day",
        custom_error_message="a day is this-act, filing, {fact: F}, {last: ACTION}, {clock: C, day: start|unrolled|due} or {sent: LETTER}",
    ),
]


# --- conditions -------------------------------------------------------------------------------------------------


class Named(Word):
    """A condition of the workflow, or a rule of its rule sets, by name."""

    name: str


class FactTest(Word):
    """Compares a fact with a value, another fact ({fact: G}) or a list of the rule set ({list: L}). `op` is one of FACT_OPS.

    `where` joins a list: the fact of that name, where it is known, must be among the entry's column, where the entry has any.
    """

    fact: str
    op: str
    value: Any
    unit: str | None = None
    where: Mapping[str, str] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _one_op(cls, value: Any) -> Any:
        return _operator(value, "fact", FACT_OPS)


class DayTest(Word):
    """Compares two days. `op` is one of DAY_OPS; `at_least` is the distance, which two days that are the same do not have."""

    day: Day
    op: str
    value: Day
    at_least: Distance | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_op(cls, value: Any) -> Any:
        return _operator(value, "day", DAY_OPS)

    @model_validator(mode="after")
    def _apart(self) -> DayTest:
        if self.at_least is not None and self.op == "on":
            raise ValueError("a day that is on another has no distance from it; write before or after with 'at-least'")
        return self


class DoneTest(Word):
    """An entry of `done` stands, after the last entry of `since` if that is given."""

    done: str
    since: str | None = None


class ClockTest(Word):
    """The status of a clock on the day asked."""

    clock: str
    is_: Names = Field(alias="is")


class FlagTest(Word):
    """A flag is up."""

    flag: str


class SettingTest(Word):
    """The reading that the agency has chosen."""

    setting: str
    is_: Any = Field(alias="is")


class ItemsTest(Word):
    """What a filing must contain: `all` of it, or one item, is present."""

    items: str
    are: Literal["present"]


class FeesTest(Word):
    """What this act owes is covered by what is paid with it or was paid before and is not used up."""

    fees: Literal["covered"]


class StandardsTest(Word):
    """Every standard of the workflow that applies is found met, with a because, in this act's fact `findings`."""

    standards: Literal["found"]


class Season(Word):
    """A time of every year, both ends included; it may run over the new year. Days are month-day, such as 09-15."""

    from_: str = Field(alias="from")
    to: str


class SeasonTest(Word):
    """The period between two days (or one day) has no day in a season."""

    days: Names
    outside: Season


class AllotmentTest(Word):
    """What is asked for lies within one combination of an allotment; without `asks` the combinations are only computed."""

    allotment: str
    asks: Names = ()


class WholeTest(Word):
    """The counted rules of this set fail."""

    whole: Literal["failed"]


class RuleRef(Word):
    """A rule of another rule set, in the version that the day received picks."""

    ruleset: str
    rule: str


class AllOf(Word):
    all: Tests


class AnyOf(Word):
    any: Tests


class NoneOf(Word):
    none: Tests


def _operator(value: Any, subject: str, operators: tuple[str, ...]) -> Any:
    if not isinstance(value, Mapping) or "op" in value:
        return value
    found = [key for key in value if key in operators]
    if len(found) != 1:
        raise ValueError(f"a test of a {subject} has exactly one of {', '.join(operators)}")
    rest = {key: item for key, item in value.items() if key != found[0]}
    return {**rest, "op": found[0], "value": value[found[0]]}


_TEST_KEYS = {
    "fact": "fact",
    "day": "day",
    "days": "season",
    "done": "done",
    "flag": "flag",
    "setting": "setting",
    "items": "items",
    "fees": "fees",
    "standards": "standards",
    "allotment": "allotment",
    "whole": "whole",
    "ruleset": "rule",
    "all": "all",
    "any": "any",
    "none": "none",
    "clock": "clock",
}


def _test_kind(value: Any) -> str | None:
    if isinstance(value, str):
        return "name"
    if isinstance(value, (list, tuple)):
        return "all"
    if isinstance(value, Mapping):
        for key, kind in _TEST_KEYS.items():
            if key in value:
                return kind
        return None
    return _TEST_OF_MODEL.get(type(value))


def _named(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


def _listed(value: Any) -> Any:
    return {"all": value} if isinstance(value, (list, tuple)) else value


Test = Annotated[
    Annotated[Named, BeforeValidator(_named), Tag("name")]
    | Annotated[FactTest, Tag("fact")]
    | Annotated[DayTest, Tag("day")]
    | Annotated[DoneTest, Tag("done")]
    | Annotated[ClockTest, Tag("clock")]
    | Annotated[FlagTest, Tag("flag")]
    | Annotated[SettingTest, Tag("setting")]
    | Annotated[ItemsTest, Tag("items")]
    | Annotated[FeesTest, Tag("fees")]
    | Annotated[StandardsTest, Tag("standards")]
    | Annotated[SeasonTest, Tag("season")]
    | Annotated[AllotmentTest, Tag("allotment")]
    | Annotated[WholeTest, Tag("whole")]
    | Annotated[RuleRef, Tag("rule")]
    | Annotated[AllOf, BeforeValidator(_listed), Tag("all")]
    | Annotated[AnyOf, Tag("any")]
    | Annotated[NoneOf, Tag("none")],
    Discriminator(
        _test_kind,
        custom_error_type="test",
        custom_error_message="a test is a condition's id or has one of fact, day, days, done, clock, flag, setting, items, fees, standards, "
        "allotment, whole, ruleset, all, any, none",
    ),
]


def _no_list_in_list(value: Any) -> Any:
    items = _as_list(value)
    if isinstance(items, (list, tuple)) and any(isinstance(item, (list, tuple)) for item in items):
        raise ValueError("a list inside a list; write all: or any: in front of the inner one")
    return items


Tests = Annotated[tuple[Test, ...], BeforeValidator(_no_list_in_list), Field(min_length=1)]
_TEST_OF_MODEL: dict[type, str] = {
    Named: "name",
    FactTest: "fact",
    DayTest: "day",
    DoneTest: "done",
    ClockTest: "clock",
    FlagTest: "flag",
    SettingTest: "setting",
    ItemsTest: "items",
    FeesTest: "fees",
    StandardsTest: "standards",
    SeasonTest: "season",
    AllotmentTest: "allotment",
    WholeTest: "whole",
    RuleRef: "rule",
    AllOf: "all",
    AnyOf: "any",
    NoneOf: "none",
}


class Condition(Cited):
    """A yes-or-no question with the words that a refusal prints. Not asked where `applies` is a no."""

    text: str
    applies: Test | None = None
    test: Test
    instead: str | None = None


# --- facts, items, letters, fees ----------------------------------------------------------------------------------


class Fact(Cited):
    """A fact: its type, unit and values. `fixed` and `default` are used by workflows.

    `columns` are the parts of a record, each with its type or the values it may have; on a list, of each of its records.
    """

    type: Literal["text", "yes-no", "number", "money", "day", "moment", "choice", "list", "record"] = "text"
    title: str | None = None
    hint: str | None = None
    unit: str | None = None
    values: tuple[str, ...] | None = None
    columns: Mapping[str, str | tuple[str, ...]] | None = None
    established: Literal["statement", "measurement", "judgment"] = "statement"
    default: Any = None
    fixed: Any = None


class Item(Cited):
    """Something a filing must contain. `given_by` names the member of the request that shows it is there."""

    title: str
    parts: tuple[str, ...] = ()
    hint: str | None = None
    given_by: str | None = None
    required: Test | bool = True
    group: str | None = None


class Exclusion(Cited):
    """A question asked at filing; a yes means that the service is not available."""

    title: str
    hint: str | None = None
    instead: str | None = None


class Letter(Cited):
    """A letter: to whom, with copies to whom, what it must state, and who approves it (nobody by default)."""

    title: str
    to: Names = ("requester",)
    copies: Names = ()
    states: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    approval: str | None = None
    subject: str | None = None


class OtherAmount(Cited):
    """What a fee comes to under another reading of a setting."""

    when: SettingTest
    amount: Decimal


class Fee(Cited):
    """A fee per thing counted. `in_place_of` makes it a combined fee; `times`/`of` a multiple of others.

    `amount` may be the number that a setting holds; the first of `amounts` whose reading is chosen goes before it.
    Per request: owed once in the request, whichever of its cases owe it. Per petition or notice: by each act.
    """

    title: str
    amount: Decimal | SettingRef | None = None
    amounts: tuple[OtherAmount, ...] = ()
    per: Literal["request", "waterbody", "waterway", "project-boundary", "electronic-payment", "notice", "petition"] = "request"
    in_place_of: Names = ()
    only_if_cheaper: Test | None = None
    times: int | None = None
    of: Names = ()


class Refund(Cited):
    """What is given back: the share (`all`) of fees, by which acts, when; after `never_on` nothing is, and `else_` says why."""

    of: Names
    share: Literal["all"] = "all"
    on: Names = ()
    never_on: Names = ()
    when: Test | None = None
    title: str | None = None
    else_: str | None = Field(default=None, alias="else")


class FeeRef(Word):
    """A fee owed; `when` is a condition."""

    fee: str
    when: Test | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"fee": value} if isinstance(value, str) else value


class LetterRef(Word):
    """A letter owed; `when` is a condition."""

    letter: str
    when: Test | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"letter": value} if isinstance(value, str) else value


class TaskRef(Word):
    """Work for a person. `action` names the acts that settle it; entering an ending state settles it too."""

    id: str | None = None
    text: str
    action: Names = ()
    for_: str | None = Field(default=None, alias="for")
    when: Test | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"text": value} if isinstance(value, str) else value


Fees = Annotated[tuple[FeeRef, ...], BeforeValidator(_as_list)]
Letters = Annotated[tuple[LetterRef, ...], BeforeValidator(_as_list)]
Tasks = Annotated[tuple[TaskRef, ...], BeforeValidator(_as_list)]


# --- states and actions -------------------------------------------------------------------------------------------


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


# --- rule sets, calendar, pack ------------------------------------------------------------------------------------


Kind = Literal["standard", "eligibility", "condition", "requirement-trigger", "evaluation-factor", "procedure"]
Mode = Literal["compute", "confirm", "judgment"]
COUNTED = ("standard", "eligibility", "condition")
"""The kinds of rules that decide whether the whole passes."""


class Rule(Cited):
    """A rule of a set: a condition with what kind it is and how it is established.

    `mode` is compute (from what is stated or measured), confirm (a person looks) or judgment (only a person can say).
    A requirement-trigger raises `then` where its test holds; with `blocks` a raised one fails the whole. An
    evaluation-factor names what it `considers`. A rule `within` another is shown under it and not counted. `same_as`
    borrows the test of another set's rule, and its words where none are written. `found: false` marks a text that was
    not found: `reading` says how it is read.
    """

    text: str = ""
    kind: Kind = "standard"
    mode: Mode = "compute"
    applies: Test | None = None
    test: Test | None = None
    instead: str | None = None
    then: str | None = None
    blocks: bool = False
    considers: Names = ()
    within: str | None = None
    same_as: RuleRef | None = None
    found: bool = True


class Part(Cited):
    """Rules that apply together; `activity` marks one of the activities that the set covers."""

    title: str
    activity: bool = False
    applies: Test | None = None
    rules: Mapping[str, Rule]


class ListEntry(Cited):
    """A name of a list. Any other word is a column: one text or several, which a `where` may ask."""

    name: str
    columns: Mapping[str, Names] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _columns(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"name": value}
        if not isinstance(value, Mapping) or "columns" in value:
            return value
        own = {_hyphens(name) for name in cls.model_fields}
        rest = {key: item for key, item in value.items() if key not in own}
        return {**{key: item for key, item in value.items() if key in own}, **({"columns": rest} if rest else {})}


class NameList(Cited):
    """A list of names that rules ask."""

    title: str | None = None
    entries: tuple[ListEntry, ...] = Field(min_length=1)


class Steps(Word):
    """One step for each full `each` of the measure beyond `beyond`: what it `gives`, in place of what it `takes`."""

    each: int = Field(gt=0)
    beyond: int = Field(ge=0)
    gives: tuple[int, ...]
    takes: tuple[int, ...] = ()


class Allotment(Cited):
    """How many of several things are allowed, growing with a measure; none where the measure is 0 or less.

    `base` lists the combinations to begin with, one number for each of `counts`. Every step of `adds` adds to all of
    them; up to the number of its steps, `swaps` may put what it gives in place of what it takes, of what was added. Where
    the reading named by `unmixed` is chosen, what was added is kept whole or swapped whole.
    """

    title: str
    of: str
    unit: str | None = None
    counts: tuple[str, ...] = Field(min_length=1)
    base: tuple[tuple[int, ...], ...] = Field(min_length=1)
    adds: Steps | None = None
    swaps: Steps | None = None
    unmixed: SettingTest | None = None


class AfterEnd(Word):
    """What is said when a set is asked for after its last day. A setting with the readings advise and refuse may refuse it.

    `replaced_by` names the version that is the law from then on, where its own text is not in the pack.
    """

    note: str
    text: str
    replaced_by: str | None = None
    cite: str | None = None
    setting: str | None = None


class RuleSet(Cited):
    """A rule set in one version. `covers` is the fact that must make one of the `activity` parts apply."""

    ruleset: str
    version: str
    title: str | None = None
    in_force: InForce
    after_end: AfterEnd | None = None
    covers: str | None = None
    lists: Mapping[str, NameList] = Field(default_factory=dict)
    allotments: Mapping[str, Allotment] = Field(default_factory=dict)
    parts: Mapping[str, Part]

    def rules(self) -> dict[str, Rule]:
        """Every rule by its id, in the order written."""
        return {name: rule for part in self.parts.values() for name, rule in part.rules.items()}


class DayRule(Cited):
    """A day of a list: a fixed month-day, the nth weekday of a month (plus days), or one single day."""

    name: str
    month_day: str | None = None
    nth: tuple[int | Literal["last"], str, str] | None = None
    plus: int = 0
    once: date | None = None
    years: Literal["even", "odd"] | None = None
    from_: int | None = Field(default=None, alias="from")
    until: int | None = None
    source: str | None = None


class DayList(Cited):
    """A list of days with its source. `on_sunday: monday-too` adds the Monday after (for all, or for those named)."""

    title: str
    on_sunday: Literal["monday-too", "stays"] = "stays"
    on_sunday_only: tuple[str, ...] = ()
    on_saturday: Literal["friday-too", "stays"] = "stays"
    days: tuple[DayRule, ...] = ()


class RollDay(Word):
    """A weekday or day list that a last day rolls off; `when` may ask a setting."""

    day: str
    when: SettingTest | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"day": value} if isinstance(value, str) else value


class Actor(Cited):
    """Whose last day it is; `agency` marks the one whose clocks name no actor."""

    title: str
    agency: bool = False
    rolls_off: tuple[RollDay, ...] = ()


class Channel(Cited):
    """How a filing arrives: it counts on the day of arrival, or only within the office's hours; `cutoff` is the last hour, HH:MM."""

    counts: Literal["day-of-arrival", "open-hours"]
    cutoff: str | SettingRef | None = None
    title: str | None = None


class Silence(Cited):
    """On which last days an outcome by silence waits for the next open day, and the flag that shows it."""

    waits_when_due_on: Names = ()
    flag: str | None = None


class Office(Cited):
    """Local opening and closing time, HH:MM."""

    opens: str
    closes: str


class CalendarText(Word):
    """calendar.yaml."""

    calendar: str
    version: str
    zone: str
    office: Office
    day_lists: Mapping[str, DayList]
    closed_on: tuple[str, ...]
    business_days_skip: tuple[str, ...]
    backward: Literal["earlier-open-day", "stays"] = "earlier-open-day"
    actors: Mapping[str, Actor]
    channels: Mapping[str, Channel]
    silence: Silence = Silence()
    cite: str | None = None


class Sees(Word):
    """Which cases a role sees; all that is given must hold. `not-flagged`: none that carries one of these flags, such as a sealed one."""

    workflows: Names = ()
    only: Literal["assigned"] | None = None
    not_flagged: Names = ()


class Role(Word):
    """A role of the agency; `also` lists the roles whose acts it may do too, `site` what it may do in the program besides.

    `read` sees cases and lists, `oversee` also the board and who saw and did what, `manage` accounts and calendars.
    `sees` narrows the cases; without it every case of the pack is seen.
    """

    also: Names = ()
    title: str | None = None
    site: tuple[Literal["read", "oversee", "manage"], ...] = ()
    sees: Sees | None = None


class Setting(Cited):
    """A choice between readings, or a value, with its default and reason."""

    question: str
    when_true: str | None = None
    when_false: str | None = None
    readings: Mapping[str, str] | None = None
    number: int | None = None
    numbers: tuple[int, ...] | None = None
    default: Any
    why: str


class MailWaits(Word):
    """How long outgoing mail waits before it leaves, in minutes."""

    minutes: int = 15


class ServedAfter(Cited):
    """How long after it left a letter counts as served, by channel: days or business days. No time where none is named."""

    email: Length | None = None
    post: Length | None = None
    portal: Length | None = None

    @model_validator(mode="after")
    def _in_days(self) -> ServedAfter:
        for channel in ("email", "post", "portal"):
            length = self.of(channel)
            if length is not None and length.unit not in ("days", "business-days"):
                raise ValueError(f"served-after: {channel} is counted in days or business-days, not in {length.unit}")
        return self

    def of(self, channel: str) -> Length | None:
        """The time of a channel."""
        length: Length | None = getattr(self, channel, None)
        return length


class Agency(Word):
    """Who writes the letters."""

    name: str
    unit: str | None = None
    head: tuple[str, ...] = ()
    address: tuple[str, ...] = ()
    contact: str | None = None
    telephone: str | None = None
    toll_free: str | None = None
    tty: str | None = None
    email: str | None = None
    web: str | None = None


class Places(Cited):
    """How far the land reaches: counties with their codes, degrees, and the highest township and range by direction."""

    counties: Mapping[str, str] = Field(default_factory=dict)
    latitude: tuple[Decimal, Decimal] | None = None
    longitude: tuple[Decimal, Decimal] | None = None
    townships: Mapping[str, int] = Field(default_factory=dict)
    ranges: Mapping[str, int] = Field(default_factory=dict)


class PackText(Word):
    """pack.yaml."""

    pack: str
    version: str
    title: str
    language: str = "en-US"
    prefix: str = "C"
    phases: tuple[str, ...]
    roles: Mapping[str, Role]
    settings: Mapping[str, Setting] = Field(default_factory=dict)
    agency: Agency | None = None
    places: Places | None = None
    mail_waits: MailWaits = MailWaits()
    escalates_after: Length = Length(unit="business-days", number=5)
    served_after: ServedAfter = ServedAfter()


class Pack(Word):
    """A whole pack, checked. `hash` is the SHA-256 over its files: the version that a case keeps."""

    text: PackText
    hash: str
    calendar: CalendarText
    facts: Mapping[str, Fact]
    letters: Mapping[str, Letter]
    fees: Mapping[str, Fee]
    refunds: Mapping[str, Refund]
    workflows: tuple[Workflow, ...]
    rulesets: tuple[RuleSet, ...] = ()

    def workflow(self, name: str, received: date | None = None) -> Workflow | None:
        """The workflow of that id that is in force on the day received (the newest where no day is given)."""
        found = [flow for flow in self.workflows if flow.workflow == name]
        if received is not None:
            found = [flow for flow in found if flow.in_force.covers(received)]
        return max(found, key=lambda flow: flow.in_force.from_ or date.min, default=None)

    def ruleset(self, name: str, received: date | None = None) -> RuleSet | None:
        """The rule set of that id for the day received: the version in force, else the last that ended, else the first to come.

        Without a day, the newest. Whether it is in force on the day, `in_force.covers` says.
        """
        found = sorted((one for one in self.rulesets if one.ruleset == name), key=lambda one: one.in_force.from_ or date.min)
        if received is None or not found:
            return found[-1] if found else None
        begun = [one for one in found if (one.in_force.from_ or date.min) <= received]
        return begun[-1] if begun else found[0]


for _model in (AllOf, AnyOf, NoneOf, Condition, Workflow, RuleSet):
    _model.model_rebuild()
