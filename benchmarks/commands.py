"""The real program from outside: a file of periods through `clock compute`, and the processor time of `--help`."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import Line, seconds

PROGRAM = (sys.executable, "-m", "caseflow")
UNITS = {"days": 120, "business-days": 60, "weeks": 12, "months": 6, "years": 2}


def compute(folder: Path, rounds: int, lines: int = 200_000) -> list[Line]:
    """Lines a second, start of the program included."""
    given, answers = folder / "periods.jsonl", folder / "answers.jsonl"
    luck = random.Random(20261201)
    given.write_text("".join(json.dumps(_period(luck)) + "\n" for _ in range(lines)))
    took = [seconds(lambda: _compute(given, answers)) for _ in range(rounds)]
    made = answers.read_text().splitlines()
    if len(made) != lines or any('"error"' in line for line in made):
        raise AssertionError("a line was not answered")
    rate = lines / median(took)
    return [Line("clock compute, random lines", ">= 40,000/s", f"{rate:,.0f}/s", rate >= 40_000)]


def _period(luck: random.Random) -> dict[str, Any]:
    """A period of any length and actor; one of three has holds, one of fifteen an open one."""
    start = date(2020, 1, 1) + timedelta(days=luck.randrange(4000))
    unit = luck.choice(list(UNITS))
    asked: dict[str, Any] = {"calendar": "wisconsin-dnr", "start": start.isoformat(), "length": {unit: luck.randint(1, UNITS[unit])}}
    asked["actor"] = luck.choice(("department", "requester", "public"))
    if luck.random() < 1 / 3:
        asked["holds"] = []
        day = start
        for _ in range(luck.randint(1, 3)):
            day += timedelta(days=luck.randint(1, 9))
            until = day + timedelta(days=luck.randint(0, 40))
            asked["holds"].append([day.isoformat(), until.isoformat()])
            day = until
        if luck.random() < 1 / 5:
            asked["holds"][-1][1] = None
    return asked


def _compute(given: Path, answers: Path) -> None:
    with given.open("rb") as lines, answers.open("wb") as out:
        subprocess.run([*PROGRAM, "clock", "compute"], stdin=lines, stdout=out, check=True)


def help_page(rounds: int) -> list[Line]:
    """Processor milliseconds of `caseflow --help`, as the system counts them for the process."""
    took = [_cpu() * 1000 for _ in range(max(9, rounds))]
    return [Line("caseflow --help, processor time", "<= 150 ms", f"{median(took):.0f} ms (min {min(took):.0f})", median(took) <= 150)]


def _cpu() -> float:
    child = subprocess.Popen([*PROGRAM, "--help"], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise AssertionError(f"--help ended with {child.returncode}")
    return used.ru_utime + used.ru_stime
