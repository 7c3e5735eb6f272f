"""F1: three schedulers killed from outside at moments that nobody chose, thousands of times; whoever dies is followed by another at once.

The n-th places of deaths.py are those that are known; a moment may also lie within a statement, a COMMIT or the start of a process.
"""

from __future__ import annotations

import os
import random
import select
import signal
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.faults.matrix.apart import apart
from tests.faults.matrix.dockets import Told, dockets
from tests.faults.matrix.row import Result
from tests.faults.matrix.several import FIRED, done_once, lettered_apart, once, started, sweeps
from tests.faults.sweeper import BUSY, FREE

SCHEDULERS, CASES = 3, 150
HIT = "hit"
"""A file with a mark for each kill that found due timers held."""
KILLS = 20
"""Of a trial; after them the others go on to the end."""
LIFE = 0.12
"""Seconds within which one is killed. The last ones end by themselves, however long that takes."""


def killed(on_server: bool, folder: Path, trials: int, seed: int) -> Result:
    """Dockets of overdue cases, each swept while its schedulers are killed."""
    result = dockets(folder, on_server, trials, CASES, 2, partial(_killed, seed), done_once)
    result.note(f"{folder.joinpath(HIT).stat().st_size} of {result.injected} killed processes held due timers")
    return result


@dataclass
class Crew:
    """Schedulers at work, by what becomes readable when one ends: its process, and when it is to be killed."""

    own: Path
    luck: random.Random
    kills: int = 0
    busy: int = 0
    over: bool = False
    living: dict[int, tuple[int, float]] = field(default_factory=dict)

    def begin(self) -> None:
        """One more."""
        child = started(partial(sweeps, self.own, FREE, 0))
        ends = time.monotonic() + self.luck.uniform(0.0, LIFE) if self.kills + len(self.living) < KILLS else float("inf")
        self.living[os.pidfd_open(child)] = child, ends

    def wait(self) -> None:
        """Until one has ended, or is killed since its time is over."""
        soonest = min(ends for _, ends in self.living.values())
        ended = select.select(list(self.living), (), (), min(max(0.0, soonest - time.monotonic()), 60.0))[0]
        if not ended:
            for child, ends in self.living.values():
                if time.monotonic() >= ends:
                    os.kill(child, signal.SIGKILL)
        for line in ended:
            self._note(self.living.pop(line)[0], line)

    def _note(self, child: int, line: int) -> None:
        os.close(line)
        _, status = os.waitpid(child, 0)
        flag = self.own / f"flag{child}"
        self.over = self.over or not os.WIFSIGNALED(status)  # nothing was due any more
        self.kills += os.WIFSIGNALED(status)
        self.busy += os.WIFSIGNALED(status) and flag.exists() and flag.read_bytes() == BUSY


def _killed(seed: int, trial: int, own: Path) -> Told:
    crew = Crew(own, random.Random(f"{seed} {trial}"))
    while crew.living or not crew.over:
        while len(crew.living) < SCHEDULERS and not crew.over:
            crew.begin()
        crew.wait()
    with own.parent.joinpath(HIT).open("a") as file:
        file.write("x" * crew.busy)
    return crew.kills, once(own, f"trial {trial}")


ROWS = (
    apart("F1-random", "three schedulers killed at any moment, SQLite", "P1 P2 P3", partial(killed, False), lettered_apart, FIRED, 0, 102, shows=8),
    apart("F1-random-pg", "three schedulers killed at any moment, PostgreSQL", "P1 P2 P3", partial(killed, True), lettered_apart, FIRED, 0, 102, shows=8),
)
