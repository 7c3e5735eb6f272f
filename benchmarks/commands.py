"""The real program from outside: a file of periods through `clock compute`, and the processor time of `--help` and of one act.

Commands run as they do where the program is installed: with its bytecode, which a checkout may be told not to keep, made in a first round.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.dockets import Docket
from benchmarks.measure import Line, in_turns, most, seconds

PROGRAM = (sys.executable, "-m", "caseflow")
FILED = datetime(2026, 12, 1, 15, tzinfo=UTC)
STANDS_ON = ("transitions", "sqlmodel", "jinja2", "yaml", "apscheduler.schedulers.background")
"""What the program is built on; importing it is what a command of one action can hardly do without."""
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
    return [Line("clock compute, random lines", ">= 40,000/s", f"{rate:,.0f}/s", rate >= 40_000, id="I2")]


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


def help_page(folder: Path, rounds: int) -> list[Line]:
    """Processor milliseconds of `caseflow --help`, as the system counts them for the process."""
    commands = ((*PROGRAM, "--help"), (*PROGRAM, "clock", "compute"))
    took, computed = zip(*[[_cpu(folder, *command) * 1000 for command in commands] for _ in range(max(9, rounds) + 1)][1:], strict=True)
    return [
        Line("caseflow --help, processor time", "<= 150 ms", f"{median(took):.0f} ms (min {min(took):.0f})", median(took) <= 150, id="B1"),
        Line("  clock compute of nothing, which reads the calendars", "for comparison", f"{median(computed):.0f} ms", None),
    ]


def act_once(docket: Docket, rounds: int) -> list[Line]:
    """One action by a command of its own, against a program that imports the packages that it stands on and ends; in processor time."""
    docket.close()
    facts = docket.path.with_suffix(".yaml")
    facts.write_text("note: The requester called.\n")
    cases = iter([docket.file(FILED) for _ in range(rounds + 1)])
    docket.close()

    folder = docket.path.parent

    def ours() -> float:
        return _cpu(folder, *PROGRAM, "--database", str(docket.path), "--at", "2026-12-02T10:00", "act", next(cases), "add-note", "--facts", str(facts))

    def base() -> float:
        return _cpu(folder, sys.executable, "-c", f"import {', '.join(STANDS_ON)}")

    found = in_turns([ours, base], rounds + 1)[1:]
    ratios = tuple(own / theirs for own, theirs in found)
    own, theirs = (median(side) * 1e3 for side in zip(*found, strict=True))
    return [most("one action from the shell", 1.4, "of importing its packages", f"{own:,.0f} ms ({theirs:,.0f} ms imports alone)", ratios, "B2")]


def _cpu(folder: Path, *command: str) -> float:
    """Processor seconds of a command, as the system counts them for its process."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=env)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise AssertionError(f"{' '.join(command)} ended with {child.returncode}")
    return used.ru_utime + used.ru_stime
