"""Lengths of time, and days as a pack names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Discriminator, Tag, model_validator

from caseflow.domain.pack.words import UNITS, SettingRef, Word


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
