"""How long the record of a case is kept, and who may end it: the `retention` part of pack.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from caseflow.domain.pack.days import Length
from caseflow.domain.pack.words import Cited, Names, Word

EVENTS = ("ended", "last-entry")
"""What a period of retention may count from, besides clocks."""


class CountsFrom(Word):
    """From which day the period counts: the day on which the case ended, that of its last entry, or that on which the last of these clocks was over."""

    event: Literal["ended", "last-entry"] = "ended"
    clocks: Names = ()

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        if isinstance(value, str):
            if value not in EVENTS:
                raise ValueError(f"no event '{value}'; write one of {', '.join(EVENTS)}, or {{clocks: [CLOCK]}}")
            return {"event": value}
        return value


class Schedule(Cited):
    """A period of retention: of which cases, from which day, how long, and what becomes of them. All cases where none are named."""

    title: str
    workflows: Names = ()
    dispositions: Names = ()
    counts_from: CountsFrom = Field(default_factory=CountsFrom)
    keep: Length
    then: Literal["destroy", "archive"] = "destroy"


class Retention(Word):
    """The schedules in the order in which they are tried; which roles place and lift legal holds, and which dispose."""

    holds: Names = ("supervisor",)
    disposes: Names = ("supervisor",)
    schedules: Mapping[str, Schedule] = Field(default_factory=dict)
