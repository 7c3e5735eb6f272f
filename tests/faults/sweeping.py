"""Several schedulers on one database, killed at any moment, and staff who work meanwhile: what is fired, journaled and written to, each once.

`python -m tests.faults.sweeping N KILLS [--postgres]` prepares N due timers (a multiple of 50), kills busy processes until KILLS were hit,
counts, verifies, and then measures how long acts of staff take while nothing is swept and while three schedulers sweep N more (at most 5,000). On
PostgreSQL it starts a server of its own, with its settings for safety. Ends with 1 where something is lost, doubled, or staff wait too long.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from threading import Lock
from typing import Any

import psycopg
from sqlalchemy import event

from caseflow.bootstrap import App
from caseflow.cli.pictures import progress
from caseflow.domain.case import Act, Actor
from caseflow.services import acting, filing
from caseflow.services.office import Progress, quiet
from tests.conftest import PACK
from tests.faults.nursery import Nursery, nursery
from tests.faults.sweeper import BUSY, FREE, IDLE, PLACES
from tests.server import Server

SLOTS = 3
"""Schedulers at a time."""
OUTSIDE = "outside"
"""A kill from outside, at a random moment."""
BATCH = 50
# Information is asked for the next day, and the answer is meant to come within 30 days of that, by January 1.
FILED, OVERDUE = "2026-12-01T09:00", "2027-01-05T10:00"
STAFF = Actor("person", "bo", "staff")
MEANWHILE = 5_000
WAITS = 0.05
"""Seconds that staff may wait during a sweep where twice the idle figure is less."""


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
    """What the database holds afterwards: cases by how often each was fired, journaled and written to."""

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


# --- the docket ----------------------------------------------------------------------------------------------------


def filed_cases(url: str, number: int, together: int = 50, tell: Progress = quiet) -> list[str]:
    """Real cases, many filed in one request."""
    app = _hurried(url)
    sample = app.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml"))
    waters = [{"name": f"Mill Creek {place}", "county": "Dane"} for place in range(together)]
    request = {**sample, "waterbodies": waters, "filed": FILED}
    request["payment"] = {"method": "check", "amount": app.quote(request)["total"]}
    cases: list[str] = []
    for _ in range(number // together):
        cases += [case.number for case in filing.file(app.office, request, Actor("person", "ann", "requester"))]
        tell(len(cases), number, "cases filed")
    app.store.engine.dispose()
    return cases


def overdue_cases(url: str, number: int, together: int = 50, tell: Progress = quiet) -> list[str]:
    """Real cases, each with one timer due that owes a letter."""
    cases = filed_cases(url, number, together, tell)
    app = _hurried(url)
    asked = Act("request-information", STAFF, {"items": ["NAV-e"]})
    for place, case in enumerate(cases, 1):
        acting.act(app.office, case, asked, app.now() + timedelta(days=1))
        tell(place, number, "timers made due")
    app.store.engine.dispose()
    return cases


def _hurried(url: str) -> App:
    """Preparing need not survive a power cut."""
    app = App(url, at=FILED)
    if url.startswith("sqlite"):
        event.listen(app.store.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
    else:
        event.listen(app.store.engine, "connect", _unsafe)
    app.open()
    return app


def _unsafe(connection: Any, _record: object) -> None:
    connection.execute("SET synchronous_commit = off")
    connection.commit()


# --- the fire ------------------------------------------------------------------------------------------------------


def sweep_under_fire(url: str, folder: Path, kills: Kills, batch: int = BATCH, defect: bool = False, tell: Progress = quiet) -> Kills:
    """Three processes at a time until all find nothing due; whichever dies is followed by another."""
    with ThreadPoolExecutor(SLOTS) as pool, nursery("tests.faults.sweeper") as sweepers:
        for slot in [pool.submit(_slot, sweepers, url, folder / f"flag{place}", kills, batch, defect, tell) for place in range(SLOTS)]:
            slot.result()
    return kills


def _slot(sweepers: Nursery, url: str, flag: Path, kills: Kills, batch: int, defect: bool, tell: Progress) -> None:
    ended = None
    while ended != 0:
        flag.write_bytes(IDLE)
        place = kills.next_place()
        given = [url, OVERDUE, str(flag), place, str(kills.luck.randrange(2)), str(batch), *(["defect"] if defect else [])]
        child = sweepers.begin(given)
        assert child.ready() == "ready\n"
        ended = child.end(kills.luck.uniform(0, 0.3) if place == OUTSIDE else None)
        assert ended in (0, -signal.SIGKILL)
        if ended != 0:
            kills.note(place, flag.read_bytes() == BUSY)
            tell(min(kills.busy, kills.wanted), kills.wanted, "kills of busy processes")


# --- the count -----------------------------------------------------------------------------------------------------


def read(url: str) -> Tally:
    """The three counts, by the bare driver."""
    connection: Any = sqlite3.connect(url.removeprefix("sqlite:///")) if url.startswith("sqlite") else psycopg.connect(url.replace("+psycopg", ""))

    def count(sql: str) -> Counter[str]:
        return Counter(dict(connection.execute(sql).fetchall()))

    tally = Tally(
        fired=count("""SELECT "case", count(*) FROM timer WHERE status = 'fired' GROUP BY "case" """),
        journaled=count("""SELECT "case", count(*) FROM entry WHERE action = 'lapse-response-target' GROUP BY "case" """),
        lettered=count("""SELECT "case", count(*) FROM letter WHERE letter = 'information-reminder' AND status = 'owed' GROUP BY "case" """),
    )
    connection.close()
    return tally


# --- staff meanwhile -----------------------------------------------------------------------------------------------


def waits(url: str, cases: list[str], until: Callable[[int], bool], pace: float = 0.05) -> list[float]:
    """How long each act of one person took, in order, in seconds; one begins every `pace` seconds where the one before is over."""
    app = App(url, at=OVERDUE)
    took: list[float] = []
    while until(len(took)):
        began = time.perf_counter()
        acting.act(app.office, cases[len(took) % len(cases)], Act("add-note", STAFF, {"note": "Called; will answer."}), app.now())
        took.append(time.perf_counter() - began)
        time.sleep(max(0.0, pace - took[-1]))
    app.store.engine.dispose()
    return took


def p95(took: list[float]) -> float:
    """What nineteen of twenty stay within."""
    return sorted(took)[int(len(took) * 0.95)]


def staff_meanwhile(url: str, folder: Path, cases: list[str]) -> tuple[list[float], list[float]]:
    """The waits of a person while nothing is swept, and while three schedulers sweep what is due, all started by then."""
    waits(url, cases, lambda done: done < 20)
    idle = waits(url, cases, lambda done: done < 200)
    ended = threading.Event()

    def sweeps() -> None:
        sweep_under_fire(url, folder, Kills(0, random.Random(0)), 50)
        ended.set()

    thread = threading.Thread(target=sweeps)
    flags = [folder / f"flag{place}" for place in range(SLOTS)]
    for flag in flags:
        flag.write_bytes(IDLE)
    thread.start()
    while not ended.is_set() and not any(flag.read_bytes() == BUSY for flag in flags):
        time.sleep(0.01)
    busy = waits(url, cases, lambda _: not ended.is_set())
    thread.join()
    return idle, busy


# --- all of it -----------------------------------------------------------------------------------------------------


@contextmanager
def database(on_server: bool) -> Iterator[tuple[str, Path]]:
    """A new database, on a server of its own with safe settings where that is wanted, and a folder."""
    with tempfile.TemporaryDirectory(prefix="caseflow-sweeping-") as folder:
        if not on_server:
            yield f"sqlite:///{folder}/case.db", Path(folder)
            return
        server = Server(("max_connections=60", "shared_buffers=128MB", "listen_addresses="))
        try:
            yield server.with_roles(), Path(folder)
        finally:
            server.end()


def main(number: int, wanted: int, on_server: bool) -> int:
    """Runs it; the answer is how many checks failed."""
    failed = 0
    with database(on_server) as (url, folder), progress() as tell:
        print(f"{'PostgreSQL' if on_server else 'SQLite'}; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}", flush=True)
        cases = overdue_cases(url, number, tell=tell)
        began = time.perf_counter()
        kills = sweep_under_fire(url, folder, Kills(wanted, random.Random(7)), tell=tell)
        seconds = time.perf_counter() - began
        tally = read(url)
        faults = tally.faults(cases)
        lost = sum(tally.fired[case] == 0 or tally.journaled[case] == 0 or tally.lettered[case] == 0 for case in cases)
        print(
            f"{SLOTS} schedulers, {number} due timers, {sum(kills.places.values())} kills {dict(kills.places)} in {seconds:.0f} s; {kills.busy} hit a busy process"
        )
        print(f"fired {tally.fired.total()}, journaled {tally.journaled.total()}, letters {tally.lettered.total()}: {lost} lost, {len(faults) - lost} doubled")
        failed += bool(faults) + (kills.busy < wanted)
        app = App(url, at=OVERDUE)
        verified = app.verify(None, tell, chain=True)
        print(f"verify: {verified['entries']} entries, {len(verified['faults'])} faults")
        failed += bool(verified["faults"])
        app.store.engine.dispose()
        others = filed_cases(url, 200, tell=tell)
        more = min(number, MEANWHILE)
        overdue_cases(url, more, tell=tell)
        idle, busy = staff_meanwhile(url, folder, others)
        fine = p95(busy) <= max(2 * p95(idle), WAITS)
        print(
            f"staff: p95 {1000 * p95(idle):.1f} ms idle ({len(idle)} acts), {1000 * p95(busy):.1f} ms during a sweep of {more} by {SLOTS} schedulers "
            f"({len(busy)} acts, longest {1000 * max(busy):.0f} ms): {'within' if fine else 'NOT within'} twice idle or {1000 * WAITS:.0f} ms; "
            f"load {os.getloadavg()[0]:.1f}"
        )
        failed += not fine
    print(f"{4 - failed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]), "--postgres" in sys.argv[3:])))
