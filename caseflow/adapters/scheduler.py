"""APScheduler wakes the scheduler; it never holds a deadline. What is due is asked of the database each time.

One process: a date job at the earliest timer, a heartbeat sweep, daily work by calendar interval, all in memory, in
UTC and without a grace time, since a job that comes late must still run. Health is a row, not a thread that says so.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_MAX_INSTANCES, EVENT_JOB_MISSED
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.schedulers.blocking import BlockingScheduler
from apscheduler.triggers.calendarinterval import CalendarIntervalTrigger
from apscheduler.triggers.date import DateTrigger
from apscheduler.triggers.interval import IntervalTrigger

from caseflow.domain.rulebook import calendar_of
from caseflow.errors import CaseflowError
from caseflow.services.dispatching import dispatch
from caseflow.services.office import Office
from caseflow.services.searching import refresh
from caseflow.services.sweeping import sweep

HEARTBEAT = 20
"""Seconds between two sweeps. Health is red once none was noted for a minute, so that a dead scheduler shows within it."""
INDEXED = 5_000
"""Cases whose words are taken into the search index in one turn."""
log = logging.getLogger("caseflow.scheduler")


class Clerk:
    """The scheduler process: sweeps at start, at the earliest timer, and every twenty seconds in any case."""

    def __init__(self, office: Office, background: bool = False, heartbeat: int = HEARTBEAT, also: Callable[[], str] | None = None) -> None:
        self._office, self._also = office, also
        self._name = f"scheduler-{os.getpid()}"
        self._heartbeat, self._beaten = heartbeat, 0.0
        kind = BackgroundScheduler if background else BlockingScheduler
        self.scheduler = kind(timezone=UTC, job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None})
        self.scheduler.add_listener(self._noted, EVENT_JOB_ERROR | EVENT_JOB_MISSED | EVENT_JOB_MAX_INSTANCES)
        self.scheduler.add_job(self.tick, IntervalTrigger(seconds=heartbeat, timezone=UTC), id="heartbeat", next_run_time=datetime.now(UTC))
        self.scheduler.add_job(self.daily, CalendarIntervalTrigger(days=1, hour=6, minute=5, timezone=calendar_of(office.packs.all()[0]).zone), id="daily")

    def tick(self) -> None:
        """Fires what is due, hands over what may leave, and sets the next waking."""
        now = self._office.now()
        try:
            swept = sweep(self._office, progress=self._alive)
            sent = dispatch(self._office, progress=self._alive)
            refresh(self._office, INDEXED)
            note = f"fired {swept.fired}, refused {swept.refused}, parked {swept.parked}, sent {sent.sent}"
        except CaseflowError as fault:
            note = f"failed: {fault}"
            log.error("%s", note)
        self._beat(now, note)
        self._wake()

    def _alive(self, *_: object) -> None:
        """Notes during long work, between two transactions, that the scheduler is at it."""
        if time.monotonic() - self._beaten >= self._heartbeat:
            self._beat(self._office.now(), "at work")

    def _beat(self, now: datetime, note: str) -> None:
        with self._office.store.begin() as work:
            work.beat(self._name, now, note)
        self._beaten = time.monotonic()

    def daily(self) -> None:
        """Once a day: says whether a due timer waits too long, and does what else is to be done once a day, such as a checkpoint."""
        earliest = self._office.store.next_due()
        behind = earliest is not None and self._office.now() - earliest > timedelta(hours=1)
        said, more = "a due timer waits for more than an hour" if behind else "in time", self._also() if self._also is not None else ""
        with self._office.store.begin() as work:
            work.beat("daily", self._office.now(), f"{said}; {more}" if more else said)

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
            signal.signal(number, lambda *_: self.scheduler.shutdown(wait=False))
        self.scheduler.start()
