"""`python -m benchmarks.load`: a docket filled, verified and worked on by fifty people while a sweep and the dispatcher run; then a year.

Everything stays on this machine and ends by itself: the docket lies in a scratch folder, the site listens at 127.0.0.1, and people and
days are counted. Exit 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

from sqlalchemy import text

from benchmarks import results, year
from benchmarks.dockets import Docket, new_docket
from benchmarks.loading import fill
from benchmarks.measure import Line, others_at_work, table, tally, within
from benchmarks.scale import memory_of
from benchmarks.visitors import READERS, STAFF, SUPERVISORS, Seen, Visitor, visit
from caseflow.services.searching import refresh

LOADER = 2_000
"""Cases a second that the loader must write."""
STAFF_P95, ACT_P95 = 0.300, 0.500
INDEXED = 500
LETTERS = 20
"""Letters a second, with their PDF files, that must leave on two processors while people work."""
EVERY = 0.5
"""Seconds between two looks at the service."""
DUE = text("SELECT count(*) FROM timer WHERE status = 'open' AND at <= :now")
WAITING = text("SELECT count(*) FROM letter WHERE status IN ('owed', 'approved', 'queued') AND leaves_at <= :now")
PASSWORD = "a password of the measurement"  # noqa: S105 - of a database that is thrown away


@dataclass
class Sampled:
    """What was seen of the service from outside, a few times: memory in MiB, timers due, copies of letters that wait."""

    memory: list[float] = field(default_factory=list)
    due: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    """Letters that may leave and have not; those that a sweep owes are held back a while, so that a mistake can be undone."""
    swept_after: float | None = None


def main() -> int:
    """Fills, verifies, lets people work, goes through a year; prints and keeps the table."""
    given = _arguments()
    notes, lines = [others_at_work()], []
    with tempfile.TemporaryDirectory(prefix="caseflow-load-", dir=given.scratch) as name:
        folder = Path(name)
        if not given.only_year:
            with _database(folder, given.postgres) as docket:
                lines += _docket(docket, given)
        if not given.no_year:
            lines += year.run(folder, given.weeks, given.a_day, _tell)
    print(table(lines))
    notes.append(
        f"{given.cases:,} cases, {given.due:,} answers overdue and {given.owed:,} letters to send at the start; {given.staff} staff, {given.supervisors} supervisors and {given.readers} readers"
        f" for {given.seconds} s, thinking 5 to 15 s divided by {given.scale:g}; a year of {given.weeks} weeks with {given.a_day} cases a day."
    )
    print("", *filter(None, notes), tally(lines), sep="\n")
    facts, day = results.machine(), date.today()
    if not given.no_file:
        print(
            results.keep(
                results.page(f"Load of {day.isoformat()}", lines, facts, notes),
                day,
                facts,
                given.results,
                f"load-{given.cases}-{'postgresql-' if given.postgres else ''}",
            )
        )
    return 1 if any(line.met is False for line in lines) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000, metavar="N", help="cases of the docket: %(default)s; 100000 takes 4 GB, 1000000 40 GB")
    parser.add_argument("--due", type=int, default=1_000, metavar="N", help="cases whose answer is overdue when the service starts: %(default)s")
    parser.add_argument("--owed", type=int, default=1_000, metavar="N", help="letters that may leave when the service starts: %(default)s")
    parser.add_argument("--staff", type=int, default=50, metavar="N")
    parser.add_argument("--supervisors", type=int, default=5, metavar="N")
    parser.add_argument("--readers", type=int, default=200, metavar="N", help="people who only read: %(default)s")
    parser.add_argument("--seconds", type=int, default=90, metavar="N", help="how long they work: %(default)s")
    parser.add_argument("--scale", type=float, default=1.0, metavar="X", help="by how much faster than people they think: %(default)s")
    parser.add_argument("--weeks", type=int, default=52, metavar="N", help="weeks of the year: %(default)s")
    parser.add_argument("--a-day", type=int, default=2, metavar="N", help="cases filed on each of its working days: %(default)s")
    parser.add_argument("--postgres", action="store_true", help="the docket on a PostgreSQL of its own, or on the one of CASEFLOW_TEST_POSTGRES")
    parser.add_argument("--no-year", action="store_true", help="leave the year out")
    parser.add_argument("--only-year", action="store_true", help="only the year")
    parser.add_argument("--scratch", metavar="DIR", help="where the docket lies")
    parser.add_argument("--results", type=Path, default=results.RESULTS, metavar="DIR", help="where the table is kept: %(default)s")
    parser.add_argument("--no-file", action="store_true", help="print the table alone")
    return parser.parse_args()


def _tell(done: int, of: int, what: str = "cases written") -> None:
    print(f"\r{done:,} of {of:,} {what}", end="\n" if done >= of else "", file=sys.stderr, flush=True)


# --- the docket ------------------------------------------------------------------------------------------------------


@contextmanager
def _database(folder: Path, postgres: bool) -> Iterator[Docket]:
    """An empty docket: a file, or a database on a server of its own that keeps every promise of durability."""
    if not postgres:
        yield new_docket(folder, "load")
        return
    from benchmarks.postgres import server

    with server() as made:
        docket = Docket(folder / "load", made.new())
        docket.app.store.upgrade()
        yield docket
        docket.close()


def _docket(docket: Docket, given: argparse.Namespace) -> list[Line]:
    filled, names = _filled(docket, given)
    lines = [*filled, _indexed(docket, given.cases), *_verified(docket, "before")]
    people = _people(docket, given)
    docket.app.store.upgrade(live=True)
    docket.close()
    size = _bytes(docket)
    seen, sampled = Seen(), Sampled()
    with _serving(docket) as (process, port), _watching(docket, process, sampled):
        luck = random.Random(20261201)
        visitors = [Visitor(port, cookie, kinds, names, seen, random.Random(luck.random())) for cookie, kinds in people]
        asyncio.run(visit(visitors, given.seconds, given.scale))
    lines += _pages(seen, given.seconds)
    lines += _service(sampled, seen, given, size, _bytes(docket))
    return [*lines, *_verified(docket, "afterwards")]


def _filled(docket: Docket, given: argparse.Namespace) -> tuple[list[Line], list[str]]:
    begun: list[float] = []

    def tell(done: int, of: int) -> None:
        begun.append(time.perf_counter())
        _tell(done, of)

    full = fill(docket, given.cases, datetime.now(UTC), due=min(given.due, given.cases // 4), owed=min(given.owed, given.cases // 4), tell=tell)
    took = max(1e-9, time.perf_counter() - begun[0])  # the models are made before the first copy
    rate = given.cases / took
    size = _bytes(docket) / given.cases
    line = Line("loader, cases of six entries", f">= {LOADER:,}/s", f"{rate:,.0f}/s, {size / 1024:.1f} KiB a case", rate >= LOADER, id="load")
    return [line], list(full.waiting)


def _indexed(docket: Docket, cases: int) -> Line:
    """The words of every case are taken into the search index, as the scheduler does it after an import."""
    begin, done = time.perf_counter(), 0
    while taken := refresh(docket.app.office, INDEXED):
        done += taken
        _tell(done, max(done, cases), "cases taken into the search index")
    return Line("  search index", "for comparison", f"{done / (time.perf_counter() - begin):,.0f} cases/s", None)


def _verified(docket: Docket, when: str) -> list[Line]:
    begin = time.perf_counter()
    found = docket.app.verify(None)
    took, faults = time.perf_counter() - begin, len(found["faults"])
    figure = f"{faults} faults, {found['entries']:,} entries of {found['cases']:,} cases in {took:.0f} s"
    return [Line(f"verify {when}", "0 faults", figure, faults == 0, id="verify" if when == "before" else "")]


def _people(docket: Docket, given: argparse.Namespace) -> list[tuple[str, Sequence[tuple[str, int]]]]:
    """Everybody with an open session and what they do."""
    people, found = docket.app.people, []
    wanted = (("staff", given.staff, "staff", STAFF), ("chief", given.supervisors, "supervisor", SUPERVISORS), ("reader", given.readers, "staff", READERS))
    for prefix, number, role, kinds in wanted:
        for place in range(number):
            name = f"{prefix}{place}"
            people.add(name, name.title(), role, PASSWORD)
            found.append((people.sign_in(name, PASSWORD, f"10.0.{len(found) // 200}.{len(found) % 200 + 1}", "load"), kinds))
    return found


@contextmanager
def _serving(docket: Docket) -> Iterator[tuple[int, int]]:
    """The service with its scheduler, in a process of its own: its number and its port."""
    command = [sys.executable, "-m", "caseflow", "--database", docket.url, "--maildrop", str(docket.path.with_suffix(".mail"))]
    child = subprocess.Popen([*command, "serve", "--port", "0", "--json"], stdout=subprocess.PIPE, text=True, env={**os.environ})
    assert child.stdout is not None
    try:
        address = json.loads(child.stdout.readline())["address"]
        yield child.pid, int(address.rpartition(":")[2])
    finally:
        child.send_signal(signal.SIGTERM)
        child.wait(60)


@contextmanager
def _watching(docket: Docket, process: int, into: Sampled) -> Iterator[None]:
    """Looks at the process and the database twice a second."""
    ended, begin = threading.Event(), time.perf_counter()

    def look() -> None:
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
        while not ended.wait(EVERY):
            with docket.app.store.engine.connect() as connection:
                due, waiting = (connection.execute(query, {"now": now}).scalar() for query in (DUE, WAITING))
            into.memory.append(memory_of(process))
            into.due.append(due)
            into.waiting.append(waiting)
            if into.swept_after is None and due == 0:
                into.swept_after = time.perf_counter() - begin

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join(10)


# --- what came of it -------------------------------------------------------------------------------------------------


def _pages(seen: Seen, seconds: float) -> list[Line]:
    """A line a page: p50, p95 and p99. The bars are those of a person's page and of an act."""
    staff = {name for name, _ in STAFF} | {"form of an act"}
    lines = []
    for name, took in sorted(seen.took.items()):
        p50, p95, p99 = (within(took, share) * 1e3 for share in (0.50, 0.95, 0.99))
        bar = ACT_P95 if name == "act" else STAFF_P95 if name in staff else None
        met = p95 / 1e3 <= bar if bar is not None else None
        wanted = f"p95 <= {bar * 1e3:.0f} ms" if bar is not None else "for comparison"
        lines.append(Line(f"  {name}", wanted, f"p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f} ms ({len(took):,})", met))
    asked = sum(map(len, seen.took.values()))
    first = Line("pages", "0 errors", f"{asked:,} answers, {asked / seconds:.0f}/s, {len(seen.errors)} errors", not seen.errors, id="pages")
    for fault in seen.errors[:5]:
        print(fault, file=sys.stderr)
    connections = Line("  connections at a time; told that somebody was quicker", "for comparison", f"{seen.most_open}; {seen.conflicts}", None)
    return [first, *lines, connections]


def _service(sampled: Sampled, seen: Seen, given: argparse.Namespace, before: int, after: int) -> list[Line]:
    """The sweep and the dispatcher beside the people, memory, and the size of the database."""
    swept = f"{sampled.swept_after:.0f} s" if sampled.swept_after is not None else f"{sampled.due[-1]:,} left after {given.seconds} s"
    acts = len(seen.took.get("act", ()))
    third = max(1, len(sampled.memory) // 3)
    first, last = max(sampled.memory[:third]), max(sampled.memory[-third:])
    return [
        Line(
            f"sweep of {given.due:,} beside them",
            "all fired",
            f"{swept}",
            sampled.swept_after is not None,
            id="sweep",
        ),
        _dispatched(sampled),
        Line(
            "memory, first and last third of the time", "for comparison", f"{first:.0f} and {last:.0f} MiB (start {sampled.memory[0]:.0f})", None, id="memory"
        ),
        Line("  the database", "for comparison", f"{before / 1e6:,.0f} to {after / 1e6:,.0f} MB by {acts:,} acts and {given.due:,} letters", None),
    ]


def _dispatched(sampled: Sampled) -> Line:
    """Letters that left while people worked, from the first that did to the last."""
    waiting = sampled.waiting
    begun = next((place for place, number in enumerate(waiting) if number < waiting[0]), len(waiting) - 1)
    ended = next((place for place, number in enumerate(waiting) if number == 0), len(waiting) - 1)
    rate = (waiting[0] - waiting[ended]) / max(1, ended - begun + 1) / EVERY
    met = rate >= LETTERS if waiting[0] else None
    return Line("letters sent beside them", f">= {LETTERS}/s", f"{rate:,.0f}/s, {waiting[ended]:,} of {waiting[0]:,} left", met, id="dispatch")


def _bytes(docket: Docket) -> int:
    """Bytes of a database with what lies beside it."""
    if docket.url.startswith("sqlite"):
        return sum(part.stat().st_size for part in docket.path.parent.glob(f"{docket.path.name}*") if part.is_file())
    with docket.app.store.engine.connect() as connection:
        found: int = connection.execute(text("SELECT pg_database_size(current_database())")).scalar()
        return found


if __name__ == "__main__":
    sys.exit(main())
