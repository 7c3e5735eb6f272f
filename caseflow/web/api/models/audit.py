"""Audits: of a case, and of the office over a period."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from caseflow.web.api.models.cases import Entry
from caseflow.web.api.models.common import Day, Moment, Shown


class ShownThen(Shown):
    """What the site showed of a case's last day."""

    kind: Literal["running", "held", "displaced", "ended", "none"] = Field(description="How it stood.")
    due: Day | None = Field(description="The last day, while it runs.")
    kept: int | None = Field(description="The days left, while it is held.")


class AuditEntry(Entry):
    """An entry, with what the site showed after it."""

    moved: list[str] = Field(description="The titles of the states before and after; empty where the state stayed.")
    local: Moment = Field(description="When it was recorded, by the agency's clock.")
    late: int = Field(description="Days from the day on which it counts to the day on which it was recorded.")
    by: str = Field(description="The name of who did it.")
    shown: ShownThen | None = Field(description="What the site showed then; null where finding out would take too long.")
    same: bool = Field(description="Whether that had not changed.")


class Span(Shown):
    """What the site showed from one day to another."""

    from_: Day = Field(alias="from")
    to: Day
    shown: ShownThen | None = Field(description="What it showed.")
    seq: int = Field(description="The entry after which it did.")
    voided: bool = Field(description="Whether that entry was voided later.")


class Looker(Shown):
    """Somebody who looked at the case."""

    id: str = Field(description="The account.")
    name: str = Field(description="The person.")
    times: int = Field(description="How often.")
    last: Moment = Field(description="When last.")


class RecordFault(Shown):
    """A place of the record that does not add up."""

    seq: int | None = Field(description="The entry.")
    text: str = Field(description="What is wrong.")


class CaseAudit(Shown):
    """The audit of a case: chain and replay computed anew."""

    case: str = Field(description="The case.")
    title: str = Field(description="Its title.")
    workflow_title: str = Field(description="What its workflow is called.")
    by: Literal["effective", "recorded"] = Field(description="How it is sorted.")
    known_on: Day = Field(description="The day by which everything here was recorded.")
    today: Day
    past: bool = Field(description="Whether that day has passed.")
    later: int = Field(description="How many entries came later.")
    head: str = Field(description="The hash of the last entry.")
    count: int = Field(description="How many entries there are.")
    faults: list[RecordFault] = Field(description="Where the record does not add up; empty when all is well.")
    entries: list[AuditEntry] = Field(description="The entries.")
    strip: list[Span] = Field(description="What the site showed, day by day.")
    closed: list[Day] = Field(description="Days on which the office was closed.")
    readers: list[Looker] = Field(description="Who looked at the case in the last 30 days.")


class Summed(Shown):
    """Entries and looks of a person, or on a case."""

    id: str = Field(description="The account or case.")
    name: str = Field(description="What it is called.")
    acts: int = Field(description="Entries.")
    reads: int = Field(description="Looks.")
    last: Moment = Field(description="The last of them.")


class Line(Shown):
    """An entry, or a look at a case."""

    at: Moment
    case: str = Field(description="The case.")
    case_title: str = Field(description="Its title.")
    by: str = Field(description="The name of who it was.")
    what: str = Field(description="What was done or looked at.")
    effective_on: Day | None = Field(default=None, description="Of an entry: the day on which it counts.")
    late: int | None = Field(default=None, description="Of an entry: days until it was recorded.")
    seq: int | None = Field(default=None, description="Of an entry: its number.")
    role: str | None = Field(default=None, description="Of an entry by a person: the role.")
    because: str | None = Field(default=None, description="Of an entry: the reason that was given.")


class OfficeAudit(Shown):
    """Who did what in a period, and who looked at what."""

    from_: Day = Field(alias="from")
    to: Day
    what: Literal["acts", "reads"] = Field(description="What the rows are.")
    by: Literal["person", "case"] = Field(description="By what they are summed.")
    people: list[Summed] = Field(description="The sums; the most entries first.")
    rows: list[Line] = Field(description="The latest first.")
    next: str | None = Field(description="Key of the page after it, for `after`; null on the last.")
