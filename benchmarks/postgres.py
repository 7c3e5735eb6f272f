"""One action on PostgreSQL, against psycopg writing the same rows on one prepared connection; and by eight threads against one.

The server keeps every promise of durability: it is the tests' own server with fsync on, or the one that CASEFLOW_TEST_POSTGRES names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import raw
from benchmarks.acts import ACTED, FILED
from benchmarks.dockets import NOTE, Docket
from benchmarks.measure import Line, in_turns, least, over, seconds
from tests.server import Server

THREADS = 8
SAFE = ("max_connections=60", "shared_buffers=128MB", "listen_addresses=")


@contextmanager
def server() -> Iterator[Server]:
    """A server that writes what it says that it has written."""
    made = Server(SAFE)
    try:
        yield made
    finally:
        made.end()


def run(folder: Path, rounds: int, acts: int = 150) -> list[Line]:
    """A3 and A4."""
    with server() as made:
        docket = Docket(folder / "server", made.new())
        docket.app.store.upgrade()
        docket.app.for_long_work()
        return [_against_the_driver(made, docket, rounds, acts), _together(docket, rounds, acts)]


def _filed(docket: Docket, slices: int, acts: int) -> list[list[str]]:
    return [[docket.file(FILED) for _ in range(acts)] for _ in range(slices)]


def _act(docket: Docket, numbers: Sequence[str]) -> None:
    for number in numbers:
        docket.act(number, NOTE, ACTED)


def _against_the_driver(made: Server, docket: Docket, rounds: int, acts: int) -> Line:
    slices = _filed(docket, rounds + 1, acts)
    base, result = _twin(made, docket)
    ours, theirs = [], []
    for numbers in slices:
        ours.append(seconds(partial(_act, docket, numbers)))
        work = raw.changes(result, base, numbers, "%s")
        theirs.append(seconds(partial(_write_each, base, work)))
        if any(one.statements for one in raw.changes(result, base, numbers, "%s")):
            raise AssertionError("the base did not write what the engine wrote")
    base.close()
    result.close()
    figure = f"{acts / median(ours[1:]):,.0f}/s ({acts / median(theirs[1:]):,.0f}/s psycopg)"
    return least("an action on PostgreSQL, one connection", 0.50, "of psycopg", figure, over(ours[1:], theirs[1:]), "A3")


def _twin(made: Server, docket: Docket) -> tuple[Any, Any]:
    """A connection to a copy of the database, for the base, and one to the database itself, to see what the engine wrote."""
    import psycopg

    docket.app.store.engine.dispose()
    name = made.name_of(docket.url)
    made.run(f"CREATE DATABASE {name}_base TEMPLATE {name}")
    plain = [made.address(one).replace("+psycopg", "") for one in (f"{name}_base", name)]
    base, result = (psycopg.connect(address, autocommit=True) for address in plain)
    base.prepare_threshold = 1
    return base, result


def _write_each(base: Any, work: Sequence[raw.Written]) -> None:
    """One transaction a case: lock and read it, write it."""
    run = base.execute
    for one in work:
        with base.transaction():
            run("SELECT body FROM case_file WHERE number = %s FOR UPDATE", (one.case,)).fetchone()
            for sql, values in one.statements.items():
                for row in values:
                    run(sql, row)


def _together(docket: Docket, rounds: int, acts: int) -> Line:
    slices = iter(_filed(docket, 2 * (rounds + 1), acts))

    def alone() -> float:
        return seconds(partial(_act, docket, next(slices)))

    def by_threads() -> float:
        numbers = next(slices)
        with ThreadPoolExecutor(THREADS) as pool:
            return seconds(lambda: list(pool.map(lambda place: _act(docket, numbers[place::THREADS]), range(THREADS))))

    found = in_turns([alone, by_threads], rounds + 1)[1:]
    ratios = tuple(one / many for one, many in found)
    one, many = (acts / median(side) for side in zip(*found, strict=True))
    figure = f"{many:,.0f}/s ({one:,.0f}/s one thread, {os.cpu_count()} processors)"
    return least(f"{THREADS} threads on different cases, PostgreSQL", 1.3, "of one thread", figure, ratios, "A4")
