"""A year of operation on an injected clock: cases are filed and worked on every working day, a scheduler process sweeps and dispatches
every day, and once a week it is killed while it is at it. Afterwards the record must be whole, and nothing may grow but the record.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.dockets import NOTE, REQUEST, STAFF, Docket, new_docket
from benchmarks.measure import Line
from benchmarks.scale import memory_of
from caseflow.domain.case import Act
from caseflow.errors import Refused

BEGIN = datetime(2027, 1, 4, 15, tzinfo=UTC)
SLOPE = 1.0
"""MiB that a process may take on in a simulated month."""
ANSWERED = Act("accept-information", STAFF, {})
DECIDED = Act("concur", STAFF, {"exact_location": "From the road bridge 300 m downstream", "information_summary": "Survey of 2026"})
PLAN = {2: NOTE, 5: REQUEST, 12: ANSWERED, 16: NOTE, 22: DECIDED}
"""What is done so many days after a case was filed. One in seven is left alone after the request, and runs into its last days."""
INVARIANTS = {
    "timers that are due and open": "SELECT count(*) FROM timer WHERE status = 'open' AND at <= :now",
    "timers that were given up": "SELECT count(*) FROM timer WHERE status = 'parked'",
    "copies that may leave and have not": "SELECT count(*) FROM letter_copy WHERE status IN ('owed', 'queued', 'answer-unknown') AND batch IS NULL AND next_at <= :now",
    "claims that nobody holds": "SELECT count(*) FROM letter_copy WHERE claim IS NOT NULL",
    "fired timers without one entry each": "SELECT abs((SELECT count(*) FROM timer WHERE status IN ('fired', 'refused'))"
    " - (SELECT count(*) FROM entry WHERE actor_kind = 'scheduler' AND action IN (SELECT action FROM timer UNION SELECT 'timer-refused')))",
    "entries of a case and number twice": 'SELECT count(*) - count(DISTINCT "case" || seq) FROM entry',
    "letters of an entry twice": 'SELECT count(*) - count(DISTINCT "case" || seq || letter) FROM letter',
}
"""What must be none at the end, by a question that the driver can be asked."""


@dataclass
class Year:
    """What was noted on the way: memory by week of the process that lives and of those that are killed, kills, size and entries."""

    memory: list[float] = field(default_factory=list)
    swept: list[float] = field(default_factory=list)
    kills: int = 0
    sizes: list[tuple[int, int]] = field(default_factory=list)
    fired: int = 0
    sent: int = 0


class Scheduler:
    """The scheduler process: it is told a moment and does what is due by then. Killed, it is started again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._child = self._started()

    def _started(self) -> subprocess.Popen[str]:
        command = (sys.executable, "-m", "benchmarks.year", str(self._path))
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ})

    def begin(self, moment: datetime) -> None:
        """Tells it to begin."""
        assert self._child.stdin is not None
        print(moment.isoformat(), file=self._child.stdin, flush=True)

    def done(self) -> dict[str, Any]:
        """What it did. Raises AssertionError where it died by itself."""
        assert self._child.stdout is not None
        said = self._child.stdout.readline()
        if not said:
            raise AssertionError(f"the scheduler ended with {self._child.wait(20)}")
        found: dict[str, Any] = json.loads(said)
        return found

    def kill(self) -> None:
        """Ends it at once, and starts another."""
        self.end()
        self._child = self._started()

    def end(self) -> None:
        """Ends it at once."""
        self._child.kill()
        self._child.wait(20)
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


def run(folder: Path, weeks: int, a_day: int, tell: Callable[[int, int, str], None]) -> list[Line]:
    """The year, and what must hold after it."""
    docket, luck, noted = new_docket(folder, "year"), random.Random(20270104), Year()
    docket.app.for_long_work()
    scheduler, open_, refused = Scheduler(docket.path), {}, 0
    last = BEGIN
    try:
        for day in range(weeks * 7):
            last = BEGIN + timedelta(days=day)
            refused += _staff(docket, last, day, a_day, open_)
            scheduler.begin(last + timedelta(hours=3))
            if day % 7 == 3:
                time.sleep(luck.uniform(0.0, 0.25))
                scheduler.kill()
                noted.kills += 1
                scheduler.begin(last + timedelta(hours=4))
            _note(noted, docket, scheduler.done(), day)
            tell(day + 1, weeks * 7, "days")
        last += timedelta(days=1)
        for hours in (20, 20, 0):  # what was being sent when a process was killed is tried again once its claim has run out
            last += timedelta(hours=hours)
            scheduler.begin(last)
            _note(noted, docket, scheduler.done(), 1)
    finally:
        scheduler.end()
    return _lines(docket, noted, weeks, refused, last)


def _staff(docket: Docket, moment: datetime, day: int, a_day: int, open_: dict[str, int]) -> int:
    """A day's filings and actions; the answer is how many were refused."""
    refused = 0
    if moment.weekday() < 5:
        for place in range(a_day):
            open_[docket.file(moment + timedelta(minutes=place))] = day
    for number, filed in list(open_.items()):
        asked = PLAN.get(day - filed)
        if asked is None:
            continue
        if int(number.split("-")[2]) % 7 == 0 and asked is not NOTE and asked is not REQUEST:
            continue
        try:
            docket.act(number, asked, moment + timedelta(hours=1))
        except Refused:
            refused += 1
        if asked is DECIDED:
            del open_[number]
    return refused


def _note(noted: Year, docket: Docket, done: dict[str, Any], day: int) -> None:
    noted.fired += done["fired"]
    noted.sent += done["copies"]
    if day % 7 == 6:
        noted.memory.append(memory_of(os.getpid()) - done["memory"])  # of this process alone: the scheduler is its child
        noted.swept.append(done["memory"])
        with closing(sqlite3.connect(docket.path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            entries = connection.execute("SELECT count(*) FROM entry").fetchone()[0]
        noted.sizes.append((entries, docket.path.stat().st_size))


def _lines(docket: Docket, noted: Year, weeks: int, refused: int, last: datetime) -> list[Line]:
    now = last.strftime("%Y-%m-%d %H:%M:%S.%f")
    with closing(sqlite3.connect(docket.path)) as connection:
        wrong = {what: connection.execute(query, {"now": now} if ":now" in query else {}).fetchone()[0] for what, query in INVARIANTS.items()}
        whole = connection.execute("PRAGMA integrity_check").fetchone()[0]
        cases, entries = (connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("case_file", "entry"))
        copies = connection.execute("SELECT count(*) FROM letter_copy WHERE status = 'handed-over'").fetchone()[0]
    sheets = len(list(docket.path.with_suffix(".mail").glob("*.txt")))
    found = Docket(docket.path).app.verify(None)
    broken = [f"{number} {what}" for what, number in wrong.items() if number]
    broken += [] if whole == "ok" else ["the file is damaged"]
    broken += [] if sheets == copies else [f"{copies} copies were handed over and {sheets} lie in the drop"]
    text = f"{cases:,} cases, {entries:,} entries, {noted.fired:,} timers fired, {copies:,} copies sent; {len(found['faults'])} faults"
    return [
        Line(
            f"a year of {weeks} weeks, {noted.kills} kills",
            "0 faults, nothing left",
            f"{text}; {'; '.join(broken) or 'every invariant holds'}",
            not broken and not found["faults"],
            id="year",
        ),
        Line("  actions that were no longer possible", "for comparison", f"{refused}", None),
        _slope("  memory of the process that lives", noted.memory, weeks),
        Line("  memory of the scheduler, first and last week", "for comparison", f"{noted.swept[0]:.0f} and {noted.swept[-1]:.0f} MiB", None),
        _growth(noted.sizes),
    ]


def _slope(goal: str, memory: list[float], weeks: int) -> Line:
    """MiB a month, from the end of the first quarter (what is kept for speed is full by then) to the end."""
    start = len(memory) // 4
    months = (len(memory) - 1 - start) * 7 / 30.4
    slope = (memory[-1] - memory[start]) / months if months > 0 else 0.0
    met = slope < SLOPE if weeks >= 26 else None
    return Line(goal, f"< {SLOPE:g} MiB a month", f"{slope:.2f} MiB a month ({memory[0]:.0f}, {memory[start]:.0f}, {memory[-1]:.0f} MiB)", met)


def _growth(sizes: list[tuple[int, int]]) -> Line:
    """Bytes of the database an entry: of the first half of the year and of the second."""
    half = len(sizes) // 2
    parts = [(sizes[half][1] - sizes[0][1], sizes[half][0] - sizes[0][0]), (sizes[-1][1] - sizes[half][1], sizes[-1][0] - sizes[half][0])]
    each = [size / max(1, entries) / 1024 for size, entries in parts]
    return Line("  the database an entry, first and second half", "for comparison", f"{each[0]:.1f} and {each[1]:.1f} KiB ({sizes[-1][1] / 1e6:.1f} MB)", None)


def _child(path: str) -> None:
    """The scheduler: for each moment on standard input, sweeps and dispatches by then and says what it did."""
    from caseflow.services.dispatching import dispatch
    from caseflow.services.sweeping import sweep

    docket = Docket(Path(path))
    docket.app.for_long_work()
    for line in sys.stdin:
        moment = datetime.fromisoformat(line.strip())
        office = docket.office(moment)
        swept, sent = sweep(office), dispatch(office, moment)
        print(json.dumps({"fired": swept.fired, "copies": sent.copies, "memory": memory_of(os.getpid())}), flush=True)


if __name__ == "__main__":
    _child(sys.argv[1])
