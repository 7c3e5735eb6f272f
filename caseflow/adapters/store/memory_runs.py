"""Runs of processes, of the store in memory."""

from __future__ import annotations

import time

from caseflow.services.runs import lapsed

Kept = dict[str, tuple[str, str, float, str]]
"""By name: token, holder, until when (a reading of the steady clock), and for which day it was done."""


class MemoryRuns:
    """Implements services.runs.Runs."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def begin(self, name: str, token: str, holder: str, seconds: float, day: str = "") -> bool:
        """Takes a run that is free, has lapsed, or is new."""
        known, _, until, done = self._kept.get(name, ("", "", 0.0, ""))
        if (known and until > time.monotonic()) or (day and name in self._kept and done >= day):
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

    def forget(self) -> int:
        """Removes what dead processes have left."""
        gone = [name for name, (_, _, until, _) in self._kept.items() if name.startswith("sweep ") and until <= time.monotonic()]
        for name in gone:
            del self._kept[name]
        return len(gone)

    def finished(self, name: str, token: str, seconds: float) -> None:
        """Raises Lapsed where the time of a run is over."""
        if not self.renew(name, token, seconds):
            raise lapsed(name)
