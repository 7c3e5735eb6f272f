"""A sweep killed again and again at random moments: every timer fires once, is journaled once and owes its letter once.

All of it happens a month after the timers were due: an event that comes late must still fire.
"""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.dockets import new_docket
from benchmarks.loading import fill
from benchmarks.measure import Line
from tests.faults.sweeper import BUSY, FREE, IDLE

LATE = timedelta(days=30)
PATIENCE = 120
"""Seconds after which a process that is not killed is taken for stuck."""
FIRED = """SELECT count(*), count(DISTINCT "case") FROM timer WHERE status = 'fired' AND action = 'lapse-response-target'"""
WRITTEN = """SELECT count(*), count(DISTINCT "case") FROM entry WHERE action = 'lapse-response-target'"""
OWED = """SELECT count(*), count(DISTINCT "case") FROM letter WHERE letter = 'information-reminder'"""


def run(folder: Path, due: int, kills: int) -> list[Line]:
    """Kills so many processes that hold due timers, lets one finish, and counts."""
    docket = new_docket(folder, "kills")
    now = datetime.now(UTC)
    fill(docket, due + 8, now, due=due)
    docket.close()
    moment = (now + LATE - timedelta(days=14)).strftime("%Y-%m-%dT%H:%M")  # the answer was due two weeks ago
    hit, tried = _kill(docket.path, moment, kills)
    with closing(sqlite3.connect(docket.path)) as connection:
        fired, written, owed = (connection.execute(query).fetchone() for query in (FIRED, WRITTEN, OWED))
        left = connection.execute("SELECT count(*) FROM timer WHERE status = 'open' AND at <= ?", (f"{now:%Y-%m-%d %H:%M:%S}",)).fetchone()[0]
    exact = fired == written == owed and fired[0] == fired[1] >= due and left == 0 and hit >= kills
    figure = f"{fired[0]:,} fired, {written[0]:,} journaled, {owed[0]:,} letters; {left} left; {hit} busy processes killed of {tried}"
    return [Line(f"{due:,} timers, {kills} kills, a month late", "exact", figure, exact, id="S4")]


def _kill(database: Path, moment: str, wanted: int) -> tuple[int, int]:
    """Kills busy sweeps until so many were hit, then lets one end; how many were hit, of how many."""
    luck, hit, tried = random.Random(20261201), 0, 0
    flag = database.with_suffix(".flag")
    while hit < wanted and tried < wanted * 4 and _due(database):
        flag.write_bytes(IDLE)
        child = _sweeper(database, moment, flag)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(luck.uniform(0.002, 0.15))
        child.kill()
        child.wait(PATIENCE)
        hit, tried = hit + (flag.read_bytes() == BUSY), tried + 1
    flag.write_bytes(IDLE)
    if _sweeper(database, moment, flag).wait(PATIENCE) != 0:
        raise AssertionError("the sweep that was left alone failed")
    return hit, tried


def _sweeper(database: Path, moment: str, flag: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen((sys.executable, "-m", "tests.faults.sweeper", str(database), moment, str(flag), FREE, "0", "20"), stdout=subprocess.PIPE)


def _due(database: Path) -> bool:
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT count(*) FROM timer WHERE status = 'open' AND action = 'lapse-response-target'").fetchone()[0]
    return bool(found > 100)
