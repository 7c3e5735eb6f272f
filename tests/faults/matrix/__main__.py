"""Runs rows of the fault matrix and prints what came of them.

`python -m tests.faults.matrix [ROW...] [--trials N] [--seed S] [--slice]`: a row by its name (F1-act) or a part of it (F1). Exit 1 where a
promise was broken, or a planted defect was not caught.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from typing import Any

from tests.faults.matrix.beside import beside
from tests.faults.matrix.rooms import SHARED
from tests.faults.matrix.row import Result, Row

MODULES = ("deaths", "anytime", "mail", "journal", "several", "renderer", "office", "restarts", "servers", "clocks", "staff", "packs", "scarce", "memory")
WIDTH = 56
ROOM = 300 << 20
"""Bytes of memory without which the disk is written to."""
HEAD = f"{'row':12} {'fault':{WIDTH}} {'trials':>7} {'injected':>9} {'violations':>11} {'planted defect caught':>22} {'seconds':>8}"


@dataclass(frozen=True)
class Line:
    """What a row came to. `why`: why it was not run."""

    row: Row
    made: Result
    caught: Result
    seconds: float
    why: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing was broken though something was injected, and the planted defect was seen."""
        return not self.why and not self.made.violations and self.made.injected > 0 and bool(self.caught.violations)

    def __str__(self) -> str:
        head = f"{self.row.name:12} {self.row.title[:WIDTH]:{WIDTH}}"
        if self.why:
            return f"{head} not run: {self.why}"
        made = self.made
        return f"{head} {made.trials:7} {made.injected:9} {len(made.violations):11} {'yes' if self.caught.violations else 'NO':>22} {self.seconds:8.1f}"


def rows() -> list[Row]:
    """Every row, in the order of its numbers."""
    found = [row for name in MODULES for row in import_module(f"tests.faults.matrix.{name}").ROWS]
    return sorted(found, key=lambda row: int(row.name.partition("-")[0][1:]))


def chosen(every: list[Row], names: list[str]) -> list[Row]:
    """Those of these names, or of names that begin so."""
    return [row for row in every if not names or any(row.name == name or row.name.startswith(f"{name}-") for name in names)]


def run(row: Row, trials: int, seed: int) -> Line:
    """A row's trials, and its planted defect."""
    why, begun = row.why(), time.perf_counter()
    if why:
        return Line(row, Result(), Result(), 0.0, why)
    made = row.trials(trials, seed)
    caught = row.planted(seed)
    return Line(row, made, caught, time.perf_counter() - begun)


def detail(line: Line, say: bool) -> list[str]:
    """Why a row does not hold; with `say` also its figures, and what the planted defect did."""
    seen = line.caught.violations
    found = [f"    BROKEN {text}" for text in line.made.violations[:8]]
    if not line.why and not line.caught.violations:
        found.append(f"    NOT CAUGHT: {line.row.defect}; {line.caught.trials} trials, {line.caught.injected} faults. {' '.join(line.caught.notes)}")
    if not line.why and not line.made.injected:
        found.append("    NOTHING INJECTED")
    if say and not line.why:
        found += [f"    {note}" for note in line.made.notes]
        found += [f"    planted: {line.row.defect}; seen {len(seen)} times, first: {seen[0][:300]}"] if seen else []
    return found


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.matrix", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW")
    parser.add_argument(
        "--trials", type=int, metavar="N", help="trials of each row; by default as many as the row wants, and every place of those that go through all"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--slice", action="store_true", help="few trials of each row, as every change runs them")
    parser.add_argument("--part", metavar="K/N", help="of the rows, those of the K-th of N parts")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, metavar="N", help="rows side by side; by default one for each processor")
    parser.add_argument("--say", action="store_true", help="also what each row counted, and how its planted defect was seen")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    wanted = [row for row in chosen(rows(), asked.rows) if row.few or not asked.slice]
    if asked.part:
        place, parts = map(int, asked.part.split("/"))
        wanted = wanted[place - 1 :: parts]
    if not wanted:
        parser.error(f"there is no such row; the rows: {', '.join(row.name for row in rows())}")
    return _table(wanted, asked)


def _table(wanted: list[Row], asked: argparse.Namespace) -> int:
    gc.freeze()  # what is copied by every trial is not walked by each of them
    lines: list[Line] = []
    begun = time.perf_counter()
    if not asked.json:
        print(HEAD, flush=True)
    for place, (row, made) in enumerate(zip(wanted, beside([partial(_row, row, asked) for row in wanted], asked.at_once), strict=True), 1):
        line = _line(row, made)
        lines.append(line)
        print(f"{place} of {len(wanted)}: {row.name}, seed {asked.seed}", end="\r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
        if not asked.json:
            print("\n".join([str(line), *detail(line, asked.say)]), flush=True)
    failed, idle = sum(not line.holds and not line.why for line in lines), sum(bool(line.why) for line in lines)
    if asked.json:
        print(json.dumps([_plain(line) for line in lines], indent=1))
    else:
        total = sum(line.made.injected for line in lines)
        print(f"seed {asked.seed}; {total} faults injected in {time.perf_counter() - begun:.0f} s; not run: {idle}")
        print(f"{len(lines) - failed - idle} passed, {failed} failed")
    return 1 if failed else 0


def _row(row: Row, asked: argparse.Namespace) -> dict[str, Any]:
    trials = asked.trials if asked.trials is not None else row.few if asked.slice else row.many
    try:
        line = run(row, trials, asked.seed)
        return {"made": asdict(line.made), "caught": asdict(line.caught), "seconds": line.seconds, "why": line.why}
    except Exception as broke:  # noqa: BLE001 - it is told, and fails
        return {"made": asdict(Result(violations=[f"{type(broke).__name__}: {broke}"])), "caught": asdict(Result()), "seconds": 0.0, "why": ""}
    finally:
        SHARED.end()


def _line(row: Row, made: dict[str, Any] | None) -> Line:
    if made is None:
        return Line(row, Result(violations=["it ended without a word"]), Result(), 0.0)
    return Line(row, Result(**made["made"]), Result(**made["caught"]), made["seconds"], made["why"])


def _plain(line: Line) -> dict[str, object]:
    made = line.made
    figures = {"trials": made.trials, "injected": made.injected, "violations": made.violations, "notes": made.notes}
    return {
        "row": line.row.name,
        "fault": line.row.title,
        **figures,
        "caught": bool(line.caught.violations),
        "seconds": round(line.seconds, 1),
        "not_run": line.why,
    }


def begin() -> int:
    """All that is written lies in a folder of this run, in memory where there is some: a process that is killed loses nothing by that, and a
    power cut is not among the faults."""
    memory = "/dev/shm"
    there = memory if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM else None
    home = tempfile.mkdtemp(prefix="caseflow-matrix-", dir=there)
    os.chmod(home, 0o755)  # noqa: S103 - a server of the tests runs as another user
    os.environ["XDG_CACHE_HOME"] = tempfile.tempdir = home
    try:
        return main()
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(begin())
