"""How the program stands in figures: for those who watch it, never about anybody. What a figure means is said where it is written out.

Everything is counted on an index, all of it as of one moment, and remembered for some seconds, so that being watched costs nothing.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Protocol

from caseflow.services.clockjump import BY_HAND, SIGN
from caseflow.services.office import Office

REMEMBERED = 5.0
"""Seconds for which figures are given again instead of being counted anew."""
STOPPED = "stopped"
"""The last word of a process that was told to stop."""
RESULTS = ("fired", "refused", "parked", "sent")
_SINCE = re.compile(r"since its start (\d+), (\d+), (\d+), (\d+)")


LATE_AFTER = 60
"""Seconds without a sign of life after which a scheduler is taken for dead."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many wait, and since when the one that has waited longest; None where none has a moment yet."""

    count: int
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Counts:
    """What the database counts. `outbox` copies that are to leave by their status (`claimed`: a run is sending
    them), since the first attempt or the moment at which they might
    have left; `letters` those that wait for a person by status; `sweeps` runs that are at it."""

    outbox: Mapping[str, Waiting]
    letters: Mapping[str, int]
    parked_timers: int
    parked_cases: int
    open_cases: int
    sweeps: int


class Gauges(Protocol):
    """What is counted. `Store.gauges` is one."""

    def counts(self) -> Counts:
        """All of it, as of one moment."""

    def pool(self) -> tuple[int, int]:
        """Connections of this process to the database: in use, and at rest."""


@dataclass(frozen=True, slots=True)
class Beat:
    """The last sign of life of a scheduler: `age` in seconds; what it did since its start, by result."""

    process: str
    age: float
    note: str
    done: Mapping[str, int]

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop, so that its silence is right."""
        return self.note.startswith(STOPPED)


@dataclass(frozen=True, slots=True)
class Measured:
    """All figures. Ages are seconds; `oldest_due` is 0 where nothing is due; `daily_for` the last date whose daily work is done."""

    at: datetime
    counts: Counts
    beats: tuple[Beat, ...]
    oldest_due: float
    resting: bool
    daily_for: str
    pool: tuple[int, int]

    def age(self, waiting: Waiting) -> float:
        """How long the oldest has waited."""
        return max(0.0, (self.at - waiting.since).total_seconds()) if waiting.since is not None else 0.0


def noted(last: Mapping[str, int], since: Mapping[str, int]) -> str:
    """The note of a heartbeat: what the last turn did, and what was done since the process began."""
    return f"{', '.join(f'{name} {last[name]}' for name in RESULTS)}; {since_start(since)}"


def since_start(since: Mapping[str, int]) -> str:
    """What was done since the process began, as `beat_of` reads it."""
    return f"since its start {', '.join(str(since[name]) for name in RESULTS)}"


def beat_of(process: str, at: datetime, note: str, now: datetime) -> Beat:
    """A heartbeat, read."""
    found = _SINCE.search(note)
    done = dict(zip(RESULTS, map(int, found.groups()), strict=True)) if found is not None else {}
    return Beat(process, max(0.0, (now - at).total_seconds()), note, done)


@dataclass
class Measuring:
    """The service. `clock` is the moment that heartbeats are judged by."""

    office: Office
    gauges: Gauges
    clock: Callable[[], datetime]
    steady: Callable[[], float] = time.monotonic
    _lock: Lock = field(default_factory=Lock)
    _last: tuple[float, Measured] | None = None

    def now(self) -> Measured:
        """The figures, at most some seconds old. Raises StoreFault."""
        with self._lock:
            if self._last is None or self.steady() - self._last[0] > REMEMBERED:
                self._last = (self.steady(), self._measured())
            return self._last[1]

    def beats(self) -> tuple[Beat, ...]:
        """The schedulers, by name, as they are at this moment. Raises StoreFault."""
        now = self.clock()
        return tuple(beat_of(*one, now) for one in sorted(self.office.store.heartbeats()) if one[0].startswith(SIGN) and one[0] != BY_HAND)

    def _measured(self) -> Measured:
        now, store = self.clock(), self.office.store
        due = store.next_due()
        with store.read() as work:
            resting = work.resting() is not None
        return Measured(
            at=now,
            counts=self.gauges.counts(),
            beats=self.beats(),
            oldest_due=max(0.0, (now - due).total_seconds()) if due is not None else 0.0,
            resting=resting,
            daily_for=store.runs.done("daily"),
            pool=self.gauges.pool(),
        )
