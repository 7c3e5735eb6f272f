"""Conditions: yes-or-no questions as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from caseflow.domain.pack.days import Day, Distance
from caseflow.domain.pack.words import DAY_OPS, FACT_OPS, Cited, Names, Word, _as_list


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
