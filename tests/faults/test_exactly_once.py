"""Three schedulers on one file, killed at any moment: what is fired is journaled and has its letter, each once.

With CASEFLOW_FULL=1: 10,000 timers, and at least 50 kills that hit a process at work.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from threading import Lock

from sqlalchemy import event

from caseflow.bootstrap import App
from caseflow.domain.case import Act, Actor
from caseflow.services import acting, filing
from tests.conftest import PACK, ROOT
from tests.faults.sweeper import BUSY, FREE, IDLE, PLACES

FULL = os.environ.get("CASEFLOW_FULL") == "1"
TIMERS, BATCH, HITS = (10_000, 50, 50) if FULL else (600, 20, 4)
SLOTS = 3
"""Schedulers at a time."""
OUTSIDE = "outside"
"""A kill from outside, at a random moment."""
# Information is asked for the next day, and the answer is meant to come within 30 days of that, by January 1.
FILED, OVERDUE = "2026-12-01T09:00", "2027-01-05T10:00"


@dataclass
class Kills:
    """Where processes died, and how many of them held due timers at that moment."""

    wanted: int
    luck: random.Random
    order: tuple[str, ...] = (*PLACES, OUTSIDE)
    places: Counter[str] = field(default_factory=Counter)
    busy: int = 0
    planned: int = 0
    lock: Lock = field(default_factory=Lock)

    def next_place(self) -> str:
        """Each place in turn until enough kills have hit; then nobody is killed any more."""
        with self.lock:
            self.planned += 1
            return self.order[self.planned % len(self.order)] if self.busy < self.wanted else FREE

    def note(self, place: str, was_busy: bool) -> None:
        """Counts a kill."""
        with self.lock:
            self.places[place] += 1
            self.busy += was_busy


@dataclass(frozen=True)
class Tally:
    """What the file holds afterwards: cases by how often each was fired, journaled and written to."""

    fired: Counter[str]
    journaled: Counter[str]
    lettered: Counter[str]

    def faults(self, cases: list[str]) -> list[str]:
        """Every case that is not fired, journaled and lettered just once."""
        found = []
        for case in cases:
            times = (self.fired[case], self.journaled[case], self.lettered[case])
            if times != (1, 1, 1):
                found.append(f"{case}: fired {times[0]}, journaled {times[1]}, letters {times[2]}")
        extra = (self.fired.keys() | self.journaled.keys() | self.lettered.keys()) - set(cases)
        return found + [f"{case}: nothing was due" for case in sorted(extra)]


def fire_and_count(database: Path, say: Callable[[str], None]) -> list[str]:
    """Schedulers are killed at every place until enough kills have hit; the answer is each case that was not fired just once."""
    cases = overdue_cases(database, TIMERS)
    kills = sweep_under_fire(database, Kills(HITS, random.Random(4)))
    tally = read(database)
    say(f"{SLOTS} schedulers, {sum(kills.places.values())} kills {dict(kills.places)}, {kills.busy} of them hit a busy process")
    say(f"fired {tally.fired.total()} = journaled {tally.journaled.total()} = letters {tally.lettered.total()} of {len(cases)} due")
    assert kills.busy >= HITS
    assert set(kills.places) == {*PLACES, OUTSIDE}
    return tally.faults(cases)


def test_letters_written_in_a_second_transaction_are_caught_by_the_same_check(tmp_path: Path) -> None:
    database = tmp_path / "case.db"
    cases = overdue_cases(database, 100)
    # Each process dies right after a commit, so that the fault shows in every run and not by luck.
    kills = sweep_under_fire(database, Kills(1, random.Random(5), ("committed",)), defect=True)
    faults = read(database).faults(cases)
    assert kills.places["committed"] >= 2
    assert len(faults) >= 2
    assert all(fault.endswith("fired 1, journaled 1, letters 0") for fault in faults)


# --- the docket, the fire, the count ------------------------------------------------------------------------------


def overdue_cases(database: Path, number: int, together: int = 50) -> list[str]:
    """Real cases, each with one timer due that owes a letter; many are filed in one request."""
    app = App(f"sqlite:///{database}", at=FILED)
    event.listen(app.store.engine, "connect", _hurried)
    app.open()
    sample = app.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml"))
    waters = [{"name": f"Mill Creek {place}", "county": "Dane"} for place in range(together)]
    request = {**sample, "waterbodies": waters, "filed": FILED}
    request["payment"] = {"method": "check", "amount": app.quote(request)["total"]}
    cases: list[str] = []
    for _ in range(number // together):
        cases += [case.number for case in filing.file(app.office, request, Actor("person", "ann", "requester"))]
    asked = Act("request-information", Actor("person", "bo", "staff"), {"items": ["NAV-e"]})
    for case in cases:
        acting.act(app.office, case, asked, app.now() + timedelta(days=1))
    app.store.engine.dispose()
    return cases


def _hurried(connection: sqlite3.Connection, _record: object) -> None:
    """Preparing need not survive a power cut."""
    connection.execute("PRAGMA synchronous=OFF")


def sweep_under_fire(database: Path, kills: Kills, defect: bool = False) -> Kills:
    """Three processes at a time until all find nothing due; whichever dies is followed by another."""
    with ThreadPoolExecutor(SLOTS) as pool:
        for slot in [pool.submit(_slot, database, database.with_suffix(f".flag{place}"), kills, defect) for place in range(SLOTS)]:
            slot.result()
    return kills


def _slot(database: Path, flag: Path, kills: Kills, defect: bool) -> None:
    ended = None
    while ended != 0:
        flag.write_bytes(IDLE)
        place = kills.next_place()
        given = [f"sqlite:///{database}", OVERDUE, str(flag), place, str(kills.luck.randrange(2)), str(BATCH), *(["defect"] if defect else [])]
        command = [sys.executable, "-m", "tests.faults.sweeper", *given]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            ended = _end(process, kills.luck.uniform(0, 0.3) if place == OUTSIDE else None)
        assert ended in (0, -signal.SIGKILL)
        if ended != 0:
            kills.note(place, flag.read_bytes() == BUSY)


def _end(process: subprocess.Popen[bytes], seconds: float | None) -> int:
    """Waits for the end of a process, or kills it after so long."""
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def read(database: Path) -> Tally:
    """The three counts, by the bare driver."""
    connection = sqlite3.connect(database)

    def count(sql: str) -> Counter[str]:
        return Counter(dict(connection.execute(sql).fetchall()))

    tally = Tally(
        fired=count("""SELECT "case", count(*) FROM timer WHERE status = 'fired' GROUP BY "case" """),
        journaled=count("""SELECT "case", count(*) FROM entry WHERE action = 'lapse-response-target' GROUP BY "case" """),
        lettered=count("""SELECT "case", count(*) FROM letter WHERE letter = 'information-reminder' AND status = 'owed' GROUP BY "case" """),
    )
    connection.close()
    return tally
