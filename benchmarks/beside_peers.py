"""An action of a case beside other libraries doing the same durable step, all on SQLite, in turns.

The peers need packages of their own (benchmarks/peers/requirements.txt), in a virtual environment whose interpreter is named with
`--peers`. One whose package is not there has a row that says "not run".
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.acts import ACTED, FILED
from benchmarks.dockets import NOTE, Docket, new_docket
from benchmarks.measure import Line, in_turns, seconds

ROOT = Path(__file__).parents[1]
CASES = 400
PATIENCE = 60


@dataclass(frozen=True, slots=True)
class Kind:
    """A peer: its module, its name for people, the floor where one is promised, and the share of the steps that it is given."""

    module: str
    title: str
    floor: float | None = None
    share: float = 1.0


KINDS = (
    Kind("django_fsm_2", "Django + django-fsm-2", 1.5),
    Kind("spiff", "SpiffWorkflow", 2.0),
    Kind("dbos_sqlite", "DBOS on SQLite", 8.0, 0.25),
    Kind("viewflow_fsm", "Django + viewflow.fsm"),
    Kind("event_sourcing", "eventsourcing"),
    Kind("procrastinate_jobs", "procrastinate on PostgreSQL", None, 0.1),
    Kind("bare", "bare sqlite3, the peers' base"),
)


class Peer:
    """A peer at work in its own process."""

    def __init__(self, kind: Kind, python: str, size: int, scratch: Path, postgres: str) -> None:
        self.kind = kind
        command = (python, "-m", "benchmarks.peers.common", kind.module, str(CASES), str(size))
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PEER_SCRATCH": str(scratch), "PEER_POSTGRES": postgres}
        self._child = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = (self._child.stdout.readline() if self._child.stdout is not None else "").strip()
        self.absent = "" if said == "ready" else said.removeprefix("absent ") or "it ended at its start"

    def steps(self, number: int) -> float:
        """Seconds that a step takes."""
        wanted = max(1, int(number * self.kind.share))
        assert self._child.stdin is not None and self._child.stdout is not None
        print(wanted, file=self._child.stdin, flush=True)
        return float(self._child.stdout.readline()) / wanted

    def end(self) -> None:
        """Ends it."""
        if self._child.stdin is not None:
            self._child.stdin.close()
        try:
            self._child.wait(5)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait(PATIENCE)


def run(folder: Path, rounds: int, python: str | None, steps: int = 200) -> list[Line]:
    """A row for each peer: how many times as fast as it an action of a case is."""
    docket = new_docket(folder, "peers")
    docket.app.for_long_work()
    slices = iter([[docket.file(FILED) for _ in range(steps)] for _ in range(rounds + 1)])
    size = _size(docket)
    with _postgres() as address:
        peers = [Peer(kind, python or sys.executable, size, folder, address) for kind in KINDS]
        try:
            here = [peer for peer in peers if not peer.absent]
            ours = partial(_ours, docket, slices)
            found = in_turns([ours, *(partial(peer.steps, steps) for peer in here)], rounds + 1)[1:]
        finally:
            for peer in peers:
                peer.end()
    own = [one[0] for one in found]
    lines = [_line(peer.kind, [one[place + 1] for one in found], own) for place, peer in enumerate(here)]
    missing = [_absent(peer) for peer in peers if peer.absent]
    order = [kind.title for kind in KINDS]
    all_ = sorted([*lines, *missing], key=lambda line: order.index(line.goal.removeprefix("  ")))
    all_[0] = Line(all_[0].goal.strip(), all_[0].wanted, all_[0].figure, all_[0].met, all_[0].ratios, "A2")
    return all_


def _ours(docket: Docket, slices: Iterator[list[str]]) -> float:
    cases = next(slices)
    return seconds(lambda: [docket.act(number, NOTE, ACTED) for number in cases]) / len(cases)


def _size(docket: Docket) -> int:
    """Bytes of the stored content of a case: what a peer's case is as large as."""
    with docket.app.store.engine.connect() as connection:
        found: int = connection.exec_driver_sql("SELECT length(body) FROM case_file LIMIT 1").scalar()
    return found


def _line(kind: Kind, theirs: list[float], ours: list[float]) -> Line:
    ratios = tuple(peer / own for own, peer in zip(ours, theirs, strict=True))
    figure = f"{1 / median(ours):,.0f}/s ({1 / median(theirs):,.0f}/s there)"
    wanted = f">= {kind.floor:g} x" if kind.floor is not None else "for comparison"
    return Line(f"  {kind.title}", wanted, figure, median(ratios) >= kind.floor if kind.floor is not None else None, ratios)


def _absent(peer: Peer) -> Line:
    return Line(f"  {peer.kind.title}", f">= {peer.kind.floor:g} x" if peer.kind.floor else "for comparison", f"not run ({peer.absent})", None)


@contextmanager
def _postgres() -> Iterator[str]:
    """The address of a server for the peers that need one; empty where there is none."""
    try:
        from benchmarks.postgres import server
    except ImportError:
        yield ""
        return
    with server() as made:
        yield made.new().replace("+psycopg", "")
