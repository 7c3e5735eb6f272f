"""APScheduler wakes the scheduler; it never holds a deadline. What is due is asked of the database each time.

In each process: a date job at the earliest timer, a heartbeat sweep, a waking for the daily work, all in memory, in UTC and
without a grace time, since a job that comes late must still run. Health is a row, not a thread that says so. Any number of
processes may do this at once: what is due is claimed by rows, and what one at a time may do is done under a token (services/runs.py).
"""

from __future__ import annotations

import logging
import os
import platform
import secrets
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_MAX_INSTANCES, EVENT_JOB_MISSED
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.schedulers.blocking import BlockingScheduler
from apscheduler.triggers.calendarinterval import CalendarIntervalTrigger
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger

from caseflow.domain.rulebook import calendar_of
from caseflow.errors import CaseflowError
from caseflow.services.clockjump import LIMIT_DAYS, ahead, asks
from caseflow.services.daily import Step, do_daily, due_for, is_done
from caseflow.services.dispatching import dispatch
from caseflow.services.measuring import RESULTS, STOPPED, noted, since_start
from caseflow.services.office import Office, Progress
from caseflow.services.runs import Run, turn
from caseflow.services.searching import AT_ONCE, SHORT, refresh
from caseflow.services.sweeping import sweep

HEARTBEAT = 20
"""Seconds between two sweeps. Health is red once none was noted for a minute, so that a dead scheduler shows within it."""
INDEXED = 5_000
"""Cases whose words are taken into the search index in one turn."""
FRESH = 5
"""Seconds between two looks for changed cases, so that whoever searches finds their words taken in already: as many at a time as a search would
take in itself, in transactions so short that nobody waits for them."""
log = logging.getLogger("caseflow.scheduler")


class _Told(Exception):  # noqa: N818 - no fault: no work may take it for one and go on
    """Told to stop in the middle of long work; what is left of it is due still."""


class Clerk:
    """The scheduler of a process: sweeps at start, at the earliest timer, and every twenty seconds in any case. `also` are steps of the
    daily work; `limit` the days after the last sweep beyond which it asks before it fires anything."""

    def __init__(self, office: Office, background: bool = False, heartbeat: int = HEARTBEAT, also: tuple[Step, ...] = (), limit: int = LIMIT_DAYS) -> None:
        self._office, self._also, self._limit = office, also, limit
        self.name = f"scheduler-{platform.node()}-{os.getpid()}-{secrets.token_hex(2)}"
        self._done_for: date | None = None
        self._ends, self._hands = False, ThreadPoolExecutor()
        self._since = dict.fromkeys(RESULTS, 0)
        self._heartbeat, self._beaten = heartbeat, 0.0
        kind = BackgroundScheduler if background else BlockingScheduler
        self.scheduler = kind(timezone=UTC, executors={"default": self._hands}, job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None})
        self.scheduler.add_listener(self._noted, EVENT_JOB_ERROR | EVENT_JOB_MISSED | EVENT_JOB_MAX_INSTANCES)
        self.scheduler.add_job(self.tick, IntervalTrigger(seconds=heartbeat, timezone=UTC), id="heartbeat", next_run_time=datetime.now(UTC))
        self.scheduler.add_job(self.words, IntervalTrigger(seconds=FRESH, timezone=UTC), id="words")
        self.scheduler.add_job(self.daily, CalendarIntervalTrigger(days=1, hour=6, minute=5, timezone=calendar_of(office.packs.all()[0]).zone), id="daily")

    def tick(self) -> None:
        """Fires what is due, hands over what may leave, and sets the next waking. Told to stop, it ends between two transactions."""
        with suppress(_Told):
            self._tick()

    def _tick(self) -> None:
        self._go_on()
        now = self._office.now()
        doubt = ahead(self._office, now, self._limit)
        if doubt is not None:
            log.error("%s", doubt)
            asks(self._office, now, doubt)
            return
        try:
            swept = sweep(self._office, progress=self._alive, holder=self.name)
            last = {"fired": swept.fired, "refused": swept.refused, "parked": swept.parked, "sent": 0}
            self._count(last)
            sent = dispatch(self._office, progress=self._alive).sent
            self._count({"sent": sent})
            self._index(INDEXED, self._alive)
            note = noted({**last, "sent": sent}, self._since) + (f"; {swept.lapsed} batches came too late and were done again" if swept.lapsed else "")
        except CaseflowError as fault:
            note = f"failed: {fault}; {since_start(self._since)}"
            log.error("failed: %s", fault)
        self._beat(now, note)
        self.daily()
        self._wake()

    def _count(self, done: Mapping[str, int]) -> None:
        for name, number in done.items():
            self._since[name] += number

    def words(self) -> None:
        """Between two sweeps: takes in the words of what has changed since. It says nothing of the sweep, and so leaves no sign of life."""
        try:
            with suppress(_Told):
                self._go_on()
                if ahead(self._office, self._office.now(), self._limit) is None:
                    self._index(AT_ONCE, self._go_on, SHORT)
        except CaseflowError as fault:
            log.warning("the index of words waits: %s", fault)  # a sweep that fails says so as an error, and less often

    def _index(self, most: int, told: Progress, batch: int | None = None) -> None:
        """Takes the words of changed cases into the index of words; one process at a time, or two would do the same."""
        if self._office.store.search.due(1):
            with turn(self._office.store.runs, "index", self.name) as run:
                if run is not None:
                    refresh(self._office, most, _renewing(run, told), batch)

    def _go_on(self, *_: object) -> None:
        """Asked during long work, where it can be left and taken up again. Raises _Told where it is to stop."""
        if self._ends:
            raise _Told

    def _alive(self, *_: object) -> None:
        """Notes during long work, between two transactions, that the scheduler is at it. Raises _Told where it is to stop."""
        self._go_on()
        if time.monotonic() - self._beaten >= self._heartbeat:
            self._beat(self._office.now(), f"at work; {since_start(self._since)}")

    def _beat(self, now: datetime, note: str) -> None:
        with self._office.store.begin() as work:
            work.beat(self.name, now, note)
        self._beaten = time.monotonic()

    def daily(self) -> None:
        """Once for each date of the office: what is to be done once a day, such as a checkpoint, unless another process did it or is at it."""
        with suppress(_Told):
            self._daily()

    def _daily(self) -> None:
        self._go_on()
        day = due_for(self._office)
        if self._done_for == day or ahead(self._office, self._office.now(), self._limit) is not None:
            return
        try:
            if not is_done(self._office):
                do_daily(self._office, self.name, self._also, progress=self._go_on)
            self._done_for = day if is_done(self._office) else None
        except CaseflowError as fault:
            log.error("daily work failed: %s", fault)

    def _wake(self) -> None:
        """A date job at the earliest timer; the heartbeat is the net under it."""
        earliest = self._office.store.next_due()
        if earliest is not None and earliest > self._office.now():
            self.scheduler.add_job(self.tick, DateTrigger(earliest, timezone=UTC), id="earliest", replace_existing=True)

    def _noted(self, event: Any) -> None:
        log.error("job %s: %s", event.job_id, getattr(event, "exception", None) or "missed or still running")

    def run(self) -> None:
        """Runs until it is told to stop."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stopping)
        self.scheduler.start()
        self._ended()

    def _stopping(self, *_: object) -> None:
        if not self._ends:  # somebody may press Ctrl-C twice
            self._ends = True
            self.scheduler.shutdown(wait=False)

    def stop(self) -> None:
        """Stops a scheduler in the background; waits for the transaction that it is in, not for all that is due."""
        self._stopping()
        self._ended()

    def _ended(self) -> None:
        """Waits for the work in hand, then says that it stopped because it was told to, so that nobody waits for its next sign of life.

        `shutdown(wait=True)` of the scheduler would wait under its own locks, which work that comes to its end needs to set the next
        waking: both would wait for ever.
        """
        self._hands.shutdown(wait=True)
        with suppress(CaseflowError):
            self._beat(self._office.now(), f"{STOPPED}; {since_start(self._since)}")


def _renewing(run: Run, told: Progress) -> Progress:
    """The same during work under a token, which is renewed."""

    def renewed(done: int, of: int | None, what: str) -> None:
        told(done, of, what)
        run.renew()

    return renewed
