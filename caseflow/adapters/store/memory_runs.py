"""Runs of processes, of the store in memory."""

from __future__ import annotations

import time
from datetime import datetime

from caseflow.services.clockjump import SIGN
from caseflow.services.runs import Days, lapsed

Kept = dict[str, tuple[str, str, float, str]]
"""By name: token, holder, until when (a reading of the steady clock), and for which day it was done."""


class MemoryRuns:
    """Implements services.runs.Runs."""

    def __init__(self, kept: Kept, beats: dict[str, tuple[datetime, str]]) -> None:
        self._kept, self._beats = kept, beats

    def begin(self, name: str, token: str, holder: str, seconds: float, days: Days | None = None) -> bool:
        """Takes a run that is free, has lapsed, or is new."""
        known, _, until, done = self._kept.get(name, ("", "", 0.0, ""))
        if (known and until > time.monotonic()) or (days is not None and days[0] <= done <= days[1]):
            return False
        self._kept[name] = (token, holder, time.monotonic() + seconds, done)
        return True

    def renew(self, name: str, token: str, seconds: float) -> bool:
        """Holds it for so long from now."""
        known, holder, until, done = self._kept.get(name, ("", "", 0.0, ""))
        if known != token or until <= time.monotonic():
            return False
        self._kept[name] = (token, holder, time.monotonic() + seconds, done)
        return True

    def end(self, name: str, token: str, day: str = "") -> bool:
        """Gives it back."""
        known, _, until, done = self._kept.get(name, ("", "", 0.0, ""))
        if known != token or until <= time.monotonic():
            return False
        if name.startswith("sweep "):
            del self._kept[name]
        else:
            self._kept[name] = ("", "", until, day or done)
        return True

    def done(self, name: str) -> str:
        """For which day it was done last."""
        return self._kept.get(name, ("", "", 0.0, ""))[3]

    def crowd(self) -> int:
        """Nobody else is there."""
        return 1

    def forget(self, before: datetime) -> int:
        """Removes what dead processes have left."""
        for beat in [name for name, (at, _) in self._beats.items() if name.startswith(SIGN) and at < before]:
            del self._beats[beat]
        gone = [name for name, (_, _, until, _) in self._kept.items() if name.startswith("sweep ") and until <= time.monotonic()]
        for name in gone:
            del self._kept[name]
        return len(gone)

    def finished(self, name: str, token: str, seconds: float) -> None:
        """Raises Lapsed where the time of a run is over."""
        if not self.renew(name, token, seconds):
            raise lapsed(name)
