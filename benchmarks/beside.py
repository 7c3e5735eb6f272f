"""How long a person waits while a sweep runs in another process, with the pauses that it takes for that, against a docket at rest."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.dockets import NOTE, Docket, new_docket
from benchmarks.loading import fill
from benchmarks.measure import Line, within
from caseflow.services import acting

THINK = 0.02
"""Seconds between two actions: far less than fifty people take together."""
P99, P99_TIMES, P95, P95_TIMES = 0.050, 5.0, 0.050, 2.0
ENOUGH = 10
"""Actions without which nothing is said of the hundredth of them."""


def run(folder: Path, due: int, rest: float = 4.0) -> list[Line]:
    """The p99 (the reference) and the p95 (the issue) of an action during the sweep, in milliseconds and in times of those at rest."""
    docket = new_docket(folder, "beside")
    waiting = list(fill(docket, due * 2, datetime.now(UTC), due=due).waiting)
    docket.app.for_long_work()
    idle = _acted(docket, waiting[: int(rest / THINK)], lambda: True, rest)
    sweep = subprocess.Popen((sys.executable, "-m", "caseflow", "--database", str(docket.path), "sweep", "--json"), stdout=subprocess.PIPE, env={**os.environ})
    while not _begun(docket.path, due) and sweep.poll() is None:
        time.sleep(0.005)
    busy = _acted(docket, waiting[int(rest / THINK) :], lambda: sweep.poll() is None, 600)
    fired = sweep.communicate(timeout=600)[0].decode().strip()
    if sweep.returncode != 0 or len(busy) < ENOUGH:
        raise AssertionError(f"only {len(busy)} actions during the sweep, which ended with {sweep.returncode}: {fired[:200]}")
    docket.close()
    return [
        _line(f"an action during a sweep of {due:,}, p99", idle, busy, 0.99, "<= 5 x idle and <= 50 ms", "S5"),
        _line("  p95 (the issue: 2 x idle, or 50 ms)", idle, busy, 0.95, "<= 2 x idle or <= 50 ms", ""),
    ]


def _begun(path: Path, due: int) -> bool:
    """Whether the sweep has done its first batch. Only the index of open timers is read."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
    with closing(sqlite3.connect(path)) as connection:
        found: int = connection.execute("SELECT count(*) FROM timer WHERE status = 'open' AND at <= ?", (now,)).fetchone()[0]
    return found < due


def _line(goal: str, idle: Sequence[float], busy: Sequence[float], share: float, wanted: str, name: str) -> Line:
    before, during = within(idle, share), within(busy, share)
    times = during / before
    met = (times <= P99_TIMES and during <= P99) if share == 0.99 else (times <= P95_TIMES or during <= P95)
    figure = f"{during * 1e3:.1f} ms ({before * 1e3:.1f} ms idle, {len(busy)} actions)"
    return Line(goal, wanted, figure, met, (times,), name)


def _acted(docket: Docket, cases: Sequence[str], going: Callable[[], bool], longest: float) -> list[float]:
    """Seconds that each action took, one after another with a pause."""
    took: list[float] = []
    until = time.perf_counter() + longest
    for case in cases:
        if not going() or time.perf_counter() > until:
            break
        moment = datetime.now(UTC)
        begin = time.perf_counter()
        acting.act(docket.office(moment), case, NOTE)
        took.append(time.perf_counter() - begin)
        time.sleep(THINK)
    return took
