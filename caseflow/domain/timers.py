"""Timers are the ends of clocks: what the scheduler owes a case follows from its clocks and is never written by hand."""

from __future__ import annotations

from datetime import date, datetime

from caseflow.domain.calendar import WEEKDAYS
from caseflow.domain.case import Case, Timer
from caseflow.domain.clock import Run, value_of
from caseflow.domain.pack import Clock, SettingRef
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import run

WARN_HOUR = 6


def owed(book: Rulebook, case: Case) -> tuple[Timer, ...]:
    """Every timer that the case owes now, earliest first: not yet recorded, and not waiting in this state."""
    moved = {mark.clock for mark in case.marks}
    found: list[Timer] = []
    for name, clock in book.timed.items():
        if name not in moved:
            continue
        now = run(book, case, name, case.last_on)
        if now.due is None or now.ended_on is not None or now.displaced_on is not None:
            continue
        found += _of_clock(book, case, name, clock, now)
    fired = set(case.fired)
    found = [timer for timer in found if timer.id not in fired]
    if case.quiet_until is not None:
        found = [later for timer in found if (later := _after(book, case, timer, case.quiet_until)) is not None]
    return tuple(sorted(found, key=lambda timer: (timer.at, timer.clock, timer.kind)))


def _after(book: Rulebook, case: Case, timer: Timer, until: datetime) -> Timer | None:
    """The timer, if it comes after a moment: one that recurs comes at its next turn."""
    if timer.at > until:
        return timer
    step = _recurs_every(book, case, timer)
    if step is None:
        return None
    ahead = (book.calendar.local_day(until) - timer.due).days // step + 1
    return timer._replace(at=book.calendar.moment(timer.due.toordinal() + step * ahead, 0))


def _of_clock(book: Rulebook, case: Case, name: str, clock: Clock, now: Run) -> list[Timer]:
    assert now.due is not None
    assert now.target is not None
    due = date.fromordinal(now.due)
    made: list[Timer] = []

    begun = max(_waited_until(book, case, name), _started_on(case, name, now))

    def add(kind: str, action: str, day: int, hour: int = 0) -> None:
        again = case.refired.get(f"{name}:{kind}:{due.isoformat()}", 0)
        made.append(Timer(name, kind, action, due, book.calendar.moment(day, hour), again))

    waits = case.state in book.waiting[name]
    if clock.overdue and not waits:
        add("overdue", clock.overdue, max(now.due + 1, begun))
    if clock.silence and not waits:
        acts_on = silence_acts_on(book, now.due)
        if acts_on != now.due + 1:
            add("silence-waits", "silence-waits", max(now.due + 1, begun))
        add("silence", clock.silence, max(acts_on, begun))
    if clock.remind:
        add("remind", clock.remind, now.due)
    if clock.alert and not clock.overdue:
        add("alert", "warn-deadline", max(now.due + 1, begun))
    for days in _warnings(clock, case):
        day = book.calendar.open_days_before(now.target, days)
        if day >= case.last_on.toordinal() and (now.start is None or day > now.start):
            add(f"warn-{days}", "warn-deadline", day, WARN_HOUR)
    return made


def _waited_until(book: Rulebook, case: Case, name: str) -> int:
    """The day on which the case left the states in which a clock's act waits: what waited happens then, not before."""
    if case.came_from not in book.waiting[name]:
        return 0
    return max((case.done[act].on.toordinal() for act in book.leaving[name] if act in case.done), default=0)


def _started_on(case: Case, name: str, now: Run) -> int:
    """The day of the act that started the clock: one counted from an earlier day can be over before anything may follow."""
    return max((mark.on.toordinal() for mark in case.marks if mark.clock == name and mark.kind == "start" and mark.seq == now.start_seq), default=0)


def silence_acts_on(book: Rulebook, due: int) -> int:
    """The day at whose beginning an outcome by silence takes effect."""
    if WEEKDAYS[(due - 1) % 7] in book.pack.calendar.silence.waits_when_due_on:
        return book.calendar.next_open(due) + 1
    return due + 1


def _warnings(clock: Clock, case: Case) -> list[int]:
    if isinstance(clock.warn_before, SettingRef):
        days = case.settings[clock.warn_before.setting]
        return [int(day) for day in days]
    return list(clock.warn_before)


def occurrences(book: Rulebook, case: Case, timer: Timer, today: date) -> tuple[date, ...]:
    """The days on which a reminder fell due until today. After an outage the last is caught up, the others skipped."""
    step = _recurs_every(book, case, timer)
    if step is None:
        return (timer.due,)
    missed = max(0, today.toordinal() - timer.due.toordinal()) // step
    return tuple(date.fromordinal(timer.due.toordinal() + step * i) for i in range(missed + 1))


def _recurs_every(book: Rulebook, case: Case, timer: Timer) -> int | None:
    """After how many days a reminder comes again; None where it comes once."""
    clock = book.workflow.clocks[timer.clock]
    recurs = any(timer.action in start.after for start in clock.starts)
    if timer.kind != "remind" or not recurs or clock.length is None or clock.length.unit not in ("days", "weeks"):
        return None
    return value_of(clock.length.number, case.settings) * (7 if clock.length.unit == "weeks" else 1)
