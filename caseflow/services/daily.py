"""What is done once a day: by one process at a time, once for each date of the office, and by another where that process dies.

Which date is asked of the office's calendar at every turn of a scheduler. No waking is counted, so that no change of the clocks, no
restart and no morning without power leaves a date out or does one twice.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from caseflow.services.office import Office, Progress, quiet
from caseflow.services.runs import Days, Run, turn

NAME = "daily"
BEGINS = (6, 5)
"""Hour and minute of the office's day from which its daily work is due."""
LEASE = 120.0
"""Seconds for which daily work holds unless it is renewed: so long after the death of its process another takes it over."""
BEHIND = timedelta(hours=1)
FORGOTTEN = timedelta(days=1)
"""After which the last sign of life of a scheduler that died is removed."""

Step = Callable[[Progress], str]
"""A part of the daily work; the answer is a word on what became of it, or nothing."""


def due_for(office: Office) -> date:
    """The date whose daily work is due by now: today's from five past six on."""
    calendar, now = office.calendar, office.now()
    today = calendar.local_day(now)
    local = now.astimezone(calendar.zone)
    return today if (local.hour, local.minute) >= BEGINS else today - timedelta(days=1)


def is_done(office: Office) -> bool:
    """Whether it is done for the date that is due."""
    day, latest = _days(office)
    return day <= office.store.runs.done(NAME) <= latest


def _days(office: Office) -> Days:
    """The date that is due and the next one: of two machines one may be some seconds ahead."""
    day = due_for(office)
    return day.isoformat(), (day + timedelta(days=1)).isoformat()


def do_daily(office: Office, holder: str, steps: tuple[Step, ...], lease: float = LEASE, progress: Progress = quiet) -> str | None:
    """Does it if it is due and nobody is at it; the answer is what became of it, None where it is not ours. Raises Lapsed where it took
    longer than its time; a step that raises leaves it to be done again, and so does a `progress` that raises."""
    with turn(office.store.runs, NAME, holder, _days(office), lease) as run:
        if run is None:
            return None
        said = [_behind(office), *(word for step in steps if (word := _done(run, step, progress)))]
        office.store.runs.forget(office.now() - FORGOTTEN)
        run.renew()
        note = "; ".join(said)
        with office.store.begin() as work:
            work.beat(NAME, office.now(), note)
    return note


def _done(run: Run, step: Step, progress: Progress) -> str:
    def told(done: int, of: int | None, what: str) -> None:
        progress(done, of, what)
        run.renew()

    run.renew()
    return step(told)


def _behind(office: Office) -> str:
    earliest = office.store.next_due()
    return "a due timer waits for more than an hour" if earliest is not None and office.now() - earliest > BEHIND else "in time"
