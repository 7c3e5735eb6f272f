"""The calendar of deadlines: which dates lie before whom, by day, with the days on which the office is closed and why.

Every date comes from the clocks of a case as the domain derives them; here they are only gathered and named. Shown are
the agency's own clocks and those that the program waits for; what only others may still do is on the page of the case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from caseflow.domain.calendar import Calendar
from caseflow.domain.case import Case
from caseflow.domain.clock import Run
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.timers import silence_acts_on
from caseflow.domain.view import run
from caseflow.errors import BadInput
from caseflow.services.office import Office
from caseflow.services.people import Person
from caseflow.services.ports.docket import DocketFilter

MOST = 400
"""Cases whose clocks are derived for one page; more are to be narrowed."""
FIRST_YEAR, LAST_YEAR = 2000, 2100
TIMER_AFTER = timedelta(days=8)
"""A timer that acts when a last day is over lies at most so long after it."""
KINDS = {
    "law": "Last day in law",
    "target": "Target",
    "silence": "Decides by silence",
    "hold": "Hold may end",
    "warning": "Warning",
    "other": "Last day of others",
    "policy": "Own reminder",
}
"""Every kind of date, in the order in which a day lists them."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A date of a case: what it is, and which clock it follows from. `kind` is one of KINDS."""

    day: date
    kind: str
    case: str
    title: str
    what: str
    clock: str
    clock_title: str
    cite: str | None
    workflow: str
    workflow_title: str
    assigned_to: str | None
    late: bool
    actor: str

    def json(self) -> dict[str, Any]:
        """As plain values."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "day": self.day.isoformat(), "kind_title": KINDS[self.kind]}


class Deadlines:
    """Answers about dates of many cases."""

    def __init__(self, office: Office) -> None:
        self._office = office

    def month(self, person: Person, asked: Mapping[str, str]) -> dict[str, Any]:
        """A month with its dates.

        `asked`: month (2027-01; this one where none is named), `who` (mine or team), workflow, kind. The answer: `month`,
        `first`, `before` and `after` (months, null at the ends), `weeks` of seven days each, {day, inside, today, closed,
        names: [{name, lists: [{title, cite}]}], dates}, Monday first; `dates` in order; `through`: the day through which none is
        missing where there are too many. Raises BadInput.
        """
        calendar, today = self._calendar(), self.today()
        first = _month(asked.get("month") or f"{today:%Y-%m}")
        last = _next(first) - timedelta(days=1)
        begin, end = first - timedelta(days=first.weekday()), last + timedelta(days=6 - last.weekday())
        found, through = self.between(person, first, last, mine=asked.get("who") == "mine", workflow=asked.get("workflow") or None)
        kind = asked.get("kind")
        shown = [one.json() for one in found if not kind or one.kind == kind]
        days = [_day(calendar, day, first, today, shown) for day in _days(begin, end)]
        return {
            "month": f"{first:%Y-%m}",
            "first": first.isoformat(),
            "before": _named(first - timedelta(days=1)),
            "after": _named(last + timedelta(days=1)),
            "weeks": [days[at : at + 7] for at in range(0, len(days), 7)],
            "dates": shown,
            "through": through.isoformat() if through is not None else None,
            "kinds": KINDS,
            "workflows": {flow.workflow: flow.title for pack in self._office.packs.all() for flow in pack.workflows},
            "source": {"calendar": calendar.version, "office": calendar.text.office.cite},
        }

    def between(
        self, person: Person, first: date, last: date, mine: bool = False, workflow: str | None = None, most: int | None = None
    ) -> tuple[list[Deadline], date | None]:
        """Every date that the person may see from one day to another, and the day through which none is missing (None: all are there)."""
        calendar, today = self._calendar(), self.today()
        wanted = DocketFilter(open_only=True, workflow=workflow, assigned=person.id if mine else None, seen=person.sees)
        span = calendar.start_of(first), calendar.start_of(last + TIMER_AFTER)
        numbers, through = self._office.store.dated(wanted, first, last, span, most or MOST)
        cases = self._cases(numbers)
        found = [one for case in cases for one in dates_of(self._office.packs.of(case), case, today) if first <= one.day <= (through or last)]
        return sorted(found, key=_order), through

    def _cases(self, numbers: Sequence[str]) -> list[Case]:
        with self._office.store.read() as work:
            found = work.cases(numbers)
            # One that can't be read is asked for by itself, which says so: no date is left out in silence.
            return [found.get(number) or work.case(number) for number in numbers]

    def _calendar(self) -> Calendar:
        return self._office.calendar

    def today(self) -> date:
        """The day at the office."""
        return self.day_of(self._office.now())

    def day_of(self, moment: datetime) -> date:
        """The day at the office at a moment."""
        return self._calendar().local_day(moment)


def dates_of(book: Rulebook, case: Case, today: date) -> Iterator[Deadline]:
    """The dates of an open case: of the agency's clocks, and of those for whose end the program waits."""
    runs = {name: run(book, case, name, today) for name in dict.fromkeys(mark.clock for mark in case.marks)}
    held = any(now.status == "tolled" and _own(book, name) for name, now in runs.items())
    for name, now in runs.items():
        if now.due is not None and now.ended_on is None and (_own(book, name) or name in book.timed):
            yield from _of_clock(book, case, name, now, held, today)
    for timer in case.timers:
        if timer.kind.startswith("warn-"):
            days = int(timer.kind.removeprefix("warn-"))
            text = f"{days} office {'day' if days == 1 else 'days'} before the target"
            yield _made(book, case, timer.clock, book.calendar.local_day(timer.at), "warning", text, today)


def _of_clock(book: Rulebook, case: Case, name: str, now: Run, held: bool, today: date) -> Iterator[Deadline]:
    clock = book.workflow.clocks[name]

    def titled(action: str | None) -> str:
        return book.workflow.actions[action].title if action in book.workflow.actions and action is not None else ""

    assert now.due is not None
    due = date.fromordinal(now.due)
    if not _own(book, name):
        kind = "policy" if clock.policy and not held else "hold" if held else "other"
        then = titled(clock.overdue)
        yield _made(book, case, name, due, kind, f"then: {then}" if then else "", today)
        return
    if clock.policy or clock.alert:
        yield _made(book, case, name, due, "policy", titled(clock.remind or clock.overdue), today)
        return
    target = date.fromordinal(now.target) if now.target is not None else due
    yield _made(book, case, name, due, "law", "also the target" if target == due else "", today)
    if target != due:
        yield _made(book, case, name, target, "target", "", today)
    if clock.silence is not None and now.status == "running" and case.state not in book.waiting[name]:
        yield _made(book, case, name, date.fromordinal(silence_acts_on(book, now.due)), "silence", f"If nobody acts before: {titled(clock.silence)}", today)


def _made(book: Rulebook, case: Case, name: str, day: date, kind: str, what: str, today: date) -> Deadline:
    clock = book.workflow.clocks[name]
    return Deadline(
        day=day,
        kind=kind,
        case=case.number,
        title=case.title,
        what=what,
        clock=name,
        clock_title=clock.title,
        cite=clock.cite,
        workflow=case.workflow,
        workflow_title=book.workflow.title,
        assigned_to=case.assigned_to,
        late=kind in ("law", "target") and day < today,
        actor=clock.actor or book.calendar.agency,
    )


def _own(book: Rulebook, name: str) -> bool:
    return (book.workflow.clocks[name].actor or book.calendar.agency) == book.calendar.agency


def _order(one: Deadline) -> tuple[date, int, str, str]:
    return one.day, list(KINDS).index(one.kind), one.case, one.clock


def _day(calendar: Calendar, day: date, first: date, today: date, dates: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    named = calendar.names(day.toordinal())
    return {
        "day": day.isoformat(),
        "number": day.day,
        "inside": (day.year, day.month) == (first.year, first.month),
        "today": day == today,
        "closed": not calendar.is_open(day),
        "names": [
            {"name": name, "lists": [{"title": one.title, "cite": one.cite} for one in named if one.name == name]}
            for name in dict.fromkeys(one.name for one in named)
        ],
        "dates": [one for one in dates if one["day"] == day.isoformat()],
    }


def _days(first: date, last: date) -> Iterator[date]:
    for ordinal in range(first.toordinal(), last.toordinal() + 1):
        yield date.fromordinal(ordinal)


def _month(text: str) -> date:
    year, _, month = text.partition("-")
    if len(text) == 7 and year.isdecimal() and month.isdecimal() and FIRST_YEAR <= int(year) <= LAST_YEAR and 1 <= int(month) <= 12:
        return date(int(year), int(month), 1)
    raise BadInput(f"The month '{text[:20]}' can't be read; write it as 2027-01, from {FIRST_YEAR} to {LAST_YEAR}.")


def _next(first: date) -> date:
    return date(first.year + first.month // 12, first.month % 12 + 1, 1)


def _named(day: date) -> str | None:
    return f"{day:%Y-%m}" if FIRST_YEAR <= day.year <= LAST_YEAR else None
