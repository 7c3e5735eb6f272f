"""Runs of processes, each under a token that expires: whoever was frozen past its end is refused when it finishes.

A sweep is a run of its own, beside others. Work that one process at a time may do (a turn) is one run of that name: free, held until a
moment, or held by somebody who died, whose time runs out. The moment is that of the database, which all processes share.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from caseflow.errors import Lapsed

LEASE = 60.0
"""Seconds for which a run holds unless it is renewed."""


Days = tuple[str, str]
"""For which day (2027-01-15) work is to be done, and the latest for which it may be done already: a later one was told by a clock that was wrong."""


class Runs(Protocol):
    """What the store keeps of runs. Each call is one transaction."""

    def begin(self, name: str, token: str, holder: str, seconds: float, days: Days | None = None) -> bool:
        """Take a run that is free, has lapsed, or is new. False where somebody holds it, or where it is done for one of those days."""

    def renew(self, name: str, token: str, seconds: float) -> bool:
        """Hold it for so long from now. False where it has lapsed or is another's."""

    def end(self, name: str, token: str, day: str = "") -> bool:
        """Give it back; with a day it is done for it. False where it has lapsed or is another's."""

    def done(self, name: str) -> str:
        """For which day it was done last; nothing where it never was."""

    def crowd(self) -> int:
        """How many sweeps at work share one lock for all who write; 1 where each case has its own."""

    def forget(self, before: datetime) -> int:
        """Remove what dead processes have left: runs that are nobody's turn, and signs of life of schedulers that are older than a moment.
        The answer is how many runs there were."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run as its holder knows it."""

    runs: Runs
    name: str
    token: str
    seconds: float = LEASE

    def renew(self, *_: object) -> None:
        """Goes on. Raises Lapsed where it may not."""
        if not self.runs.renew(self.name, self.token, self.seconds):
            raise lapsed(self.name)


def lapsed(name: str) -> Lapsed:
    """What somebody is told who comes back too late."""
    return Lapsed(f"The {name.partition(' ')[0]} took longer than its time, so that what it did last was not recorded; it is done again.")


def sweeping(runs: Runs, holder: str, seconds: float) -> Run:
    """A run beside others."""
    token = secrets.token_hex(8)
    run = Run(runs, f"sweep {token}", token, seconds)
    runs.begin(run.name, token, holder, seconds)
    return run


@contextmanager
def turn(runs: Runs, name: str, holder: str, days: Days | None = None, seconds: float = LEASE) -> Iterator[Run | None]:
    """The turn at work that one process at a time does, and for the first of the days once; None where it is not ours. Where the work fails it is given
    back undone. Raises Lapsed where it was lost before its end."""
    run = Run(runs, name, secrets.token_hex(8), seconds)
    if not runs.begin(name, run.token, holder, seconds, days):
        yield None
        return
    try:
        yield run
    except BaseException:
        runs.end(name, run.token)
        raise
    if not runs.end(name, run.token, days[0] if days is not None else ""):
        raise lapsed(name)
