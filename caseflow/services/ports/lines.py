"""A case as lists show it: what they sort by, what it asks for. What lists are narrowed to is in docket.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caseflow.domain.case import Case, Task

STUCK, JAMMED = ("letter-blocked", "letter-failed", "refused"), "!"
"""Tasks (the part of their ids before the colon) that say that something can't go on by itself; and the word that stands
first among what a case with one of them asks for."""


def asks_of(tasks: Sequence[Task]) -> tuple[str, ...]:
    """What the open tasks of a case ask for, as words to look for: their roles, and the kinds of those about letters and timers."""
    if not tasks:
        return ()
    kinds = {kind for task in tasks for kind, colon, _ in (task.id.partition(":"),) if colon}
    jammed = {JAMMED} if kinds.intersection(STUCK) else set()
    return tuple(sorted({task.role for task in tasks} | kinds | jammed))


@dataclass(frozen=True, slots=True)
class CaseRow:
    """What lists sort and filter by, computed by the service when a case is saved.

    `stands_since`: the day since which no period of the agency runs because one is held or displaced. `silent_on`: the
    last day of the nearest period that ends in an outcome by silence.
    """

    phase: str
    turn: str
    ends: bool
    next_clock: str | None = None
    next_due: date | None = None
    next_target: date | None = None
    decided_on: date | None = None
    on_time: bool | None = None
    held: bool = False
    stands_since: date | None = None
    silent_on: date | None = None


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A case as lists show it. `next_at` is its earliest timer."""

    number: str
    request: str
    title: str
    workflow: str
    state: str
    assigned_to: str | None
    flags: tuple[str, ...]
    tasks: int
    version: int
    received_on: date
    last_on: date
    next_at: datetime | None
    row: CaseRow
    asks: tuple[str, ...] = ()
    county: str | None = None
    head: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A case named as it stands, not read. `head` is the hash of its last entry: the same number and head are the same case."""

    number: str
    head: str
    target: date | None


def line_of(case: Case, row: CaseRow) -> CaseLine:
    """A case as lists show it."""
    return CaseLine(
        number=case.number,
        request=case.request,
        title=case.title,
        workflow=case.workflow,
        state=case.state,
        assigned_to=case.assigned_to,
        flags=case.flags,
        tasks=len(case.tasks),
        version=case.version,
        received_on=case.received_on,
        last_on=case.last_on,
        next_at=case.timers[0].at if case.timers else None,
        row=row,
        asks=asks_of(case.tasks),
        county=case.place.county,
        head=case.head,
    )
