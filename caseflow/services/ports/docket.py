"""What a list of cases is narrowed to, and the groups of live cases by urgency."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from caseflow.services.ports.lines import JAMMED, CaseLine
from caseflow.services.sight import EVERYTHING, Sight


@dataclass(frozen=True, slots=True)
class DocketFilter:
    """What a list of cases is narrowed to. All given members must hold; `services.narrowing.fits` says what each means."""

    state: str | None = None
    workflow: str | None = None
    assigned: str | None = None
    flag: str | None = None
    due_by: date | None = None
    text: str | None = None
    open_only: bool = False
    phase: str | None = None
    turn: str | None = None
    unassigned: bool = False
    overdue_on: date | None = None
    numbers: tuple[str, ...] | None = None
    not_overdue_on: date | None = None
    target_from: date | None = None
    target_to: date | None = None
    silent_by: date | None = None
    silent: bool = False
    stands: bool = False
    stands_from: date | None = None
    stands_to: date | None = None
    phases_not: tuple[str, ...] = ()
    letters_waiting: bool = False
    quiet_before: date | None = None
    decided_from: date | None = None
    decided_to: date | None = None
    on_time: bool | None = None
    held: bool | None = None
    recorded_before: datetime | None = None
    seen: Sight = EVERYTHING
    county: str | None = None
    live: bool = False
    dated: bool | None = None
    not_turns: tuple[str, ...] = ()
    asking: tuple[str, ...] = ()
    not_assigned: str | None = None
    group: tuple[str, Urgency] | None = None


GROUPS = ("late", "soon", "stuck", "near", "arrived", "later", "waiting")
"""The groups of live cases by urgency: those that are open, and those that have ended but left a task. Each is in exactly one."""


@dataclass(frozen=True, slots=True)
class Urgency:
    """By what live cases are told apart. `soon` and `near`: the last days of the groups so named; `asks`: the roles whose
    tasks the asking person may do; `turns`: the turns in which the agency must act."""

    today: date
    soon: date
    near: date
    asks: tuple[str, ...]
    turns: tuple[str, ...]


def group_of(line: CaseLine, parked: bool, by: Urgency) -> str:
    """The group of a live case: `late` past the law's date; `soon`; `stuck` where a timer is parked or a letter can't go;
    `near`; `arrived` where a task or a turn without a date waits for the person; `later`; or `waiting` for somebody else."""
    target, due = line.row.next_target, line.row.next_due
    if target is not None and due is not None and target < by.today and due < by.today:
        return "late"
    if target is not None and target <= by.soon:
        return "soon"
    if parked or JAMMED in line.asks:
        return "stuck"
    if target is not None and target <= by.near:
        return "near"
    if any(role in line.asks for role in by.asks) or (target is None and not line.row.ends and line.row.turn in by.turns):
        return "arrived"
    return "later" if target is not None else "waiting"
