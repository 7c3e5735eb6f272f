"""Cases under changed rules: which adoption of a calendar is in force, and which days of a case another rulebook moves.

Moving a case is a correction like any other and is done in replay.py; what is shown before it is compared here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from caseflow.domain.case import Case, Entry
from caseflow.domain.letterview import clock_view
from caseflow.domain.pack import CalendarText, Workflow
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import run

PRINTED = ("start", "unrolled", "due", "target", "displaced_due")
"""The days of a clock that a letter may state."""


@dataclass(frozen=True, slots=True)
class Adoption:
    """A changed calendar that somebody put into force for the open cases of a pack, or the undoing of one (`undoes`).

    `version` is what entries keep as their calendar version: `LABEL@SHA-256`; none for an undoing. `replaces`: the
    SHA-256 of the calendar files of the pack versions for which it stands. `cursor` is the last case looked at,
    `moved` and `blocked` count what was done; `ended_at` is empty while it is under way.
    """

    id: int
    pack: str
    version: str | None
    replaces: tuple[str, ...]
    at: datetime
    by: str
    role: str
    because: str
    undoes: int | None = None
    cursor: str = ""
    seen: int = 0
    moved: int = 0
    blocked: tuple[tuple[str, str], ...] = ()
    ended_at: datetime | None = None


def in_force(adoptions: Sequence[Adoption], pack: str, own: str, without: int | None = None) -> Adoption | None:
    """The adoption that gives a pack version its calendar; none where its own file counts. `own` is that file's SHA-256.

    A version whose calendar file differs from those that were replaced has its own again. `without`: as if that one
    were undone."""
    undone: Collection[int | None] = {one.undoes for one in adoptions} | {without}
    standing = (one for one in reversed(adoptions) if one.pack == pack and one.version is not None and one.id not in undone)
    return next((one for one in standing if own in one.replaces), None)


def ruled_by(case: Case, last: Entry) -> Case:
    """The case with the versions of rules that an entry of its journal carries: `Packs.of` then answers with that entry's rules."""
    return case.revised(pack_version=last.pack_version, calendar_version=last.calendar_version)


def unfit(workflow: Workflow, calendar: CalendarText) -> str | None:
    """Why a workflow can't be counted by a calendar, where it can't."""
    if workflow.calendar != calendar.calendar:
        return f"its rules count by the calendar '{workflow.calendar}', not by '{calendar.calendar}'"
    for clock in workflow.clocks.values():
        if clock.actor is not None and clock.actor not in calendar.actors:
            return f"its clock '{clock.title}' is the {clock.actor}'s, whom the calendar does not have"
    return None


def moved_dates(old: Rulebook, before: Case, new: Rulebook, after: Case) -> list[dict[str, Any]]:
    """The clocks whose last day or target differ, each with both: {clock, title, due_was, due, target_was, target}, ISO days."""
    begun = dict.fromkeys(mark.clock for case in (before, after) for mark in case.marks)
    found = []
    for name in begun:
        was, now = _days(old, before, name), _days(new, after, name)
        if was != now:
            book = new if name in new.workflow.clocks else old
            title = book.workflow.clocks[name].title
            found.append({"clock": name, "title": title, "due_was": was[0], "due": now[0], "target_was": was[1], "target": now[1]})
    return found


def misprinted(view: Mapping[str, Any], book: Rulebook, after: Case) -> tuple[str, ...]:
    """The clocks of which a letter may state days that the case no longer has. `view` is what it has read, `after` the case after its entry."""
    told, now = view.get("clocks") or {}, clocks_read(view, book, after)
    return tuple(name for name, had in told.items() if name not in now or any(had.get(part) != now[name][part] for part in PRINTED))


def clocks_read(view: Mapping[str, Any], book: Rulebook, after: Case) -> dict[str, dict[str, Any]]:
    """The clocks that a letter has read, as the case has them now; without those that the rules no longer know."""
    told = view.get("clocks") or {}
    on = date.fromisoformat(view["letter"]["date"]) if told else after.last_on
    return {name: clock_view(book, after, name, on) for name in told if name in book.workflow.clocks}


def goes_on(book: Rulebook, case: Case, clock: str) -> bool:
    """Whether a period is not over: nobody is written about the last day of one that is."""
    return clock not in book.workflow.clocks or run(book, case, clock, case.last_on).ended_on is None


def _days(book: Rulebook, case: Case, clock: str) -> tuple[str | None, str | None]:
    if clock not in book.workflow.clocks or not any(mark.clock == clock for mark in case.marks):
        return None, None
    now = run(book, case, clock, case.last_on)
    return _iso(now.due), _iso(now.target)


def _iso(day: int | None) -> str | None:
    return date.fromordinal(day).isoformat() if day is not None else None
