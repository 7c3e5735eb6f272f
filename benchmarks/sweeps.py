"""A sweep of what is due among many open cases, each timer owing a letter; and what a tick costs that finds nothing."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks import raw
from benchmarks.dockets import REQUEST, Docket, copy_cases, new_docket
from benchmarks.measure import Line, most, over, seconds
from caseflow.adapters.store.sql import SqlStore
from caseflow.services import sweeping

FIRST = datetime(2026, 12, 1, 15, tzinfo=UTC)
WARM_UP = 200
LETTER = "information-reminder"


@dataclass(frozen=True, slots=True)
class Wave:
    """Cases whose answer is overdue at the same moment."""

    at: datetime
    cases: list[str]


def run(folder: Path, rounds: int, due: int, open_cases: int) -> list[Line]:
    """The rate of a sweep without its pauses, and its ratio to the driver writing the same rows in the same batches."""
    docket, waves = prepared(folder, "sweep", [WARM_UP] + [due] * rounds, open_cases)
    base = raw.connect(docket.twin())
    docket.app.for_long_work()
    ours, plain, rendering, processor = [], [], [], []
    for place, wave in enumerate(waves):
        with closing(raw.connect(docket.path)) as own:
            raw.emptied(own)
        before = time.process_time()
        ours.append(seconds(partial(fire, docket, wave)))
        processor.append((time.process_time() - before) / len(wave.cases))
        result = raw.connect(docket.path)
        work = {one.case: one for one in raw.changes(result, base, wave.cases)}
        render = _rendering(docket, result, wave.cases)
        raw.emptied(base)
        base_seconds = seconds(partial(raw.sweep, base, _stored(wave.at), work, sweeping.SHORT))
        plain.append(base_seconds)
        rendering.append(base_seconds + seconds(partial(deque, map(render, wave.cases), 0)))
        if any(one.statements for one in raw.changes(result, base, wave.cases)):
            raise AssertionError(f"the base did not write what wave {place} wrote")
        result.close()
    base.close()
    rate = due / median(ours[1:])
    title = f"sweep of {due:,} due among {open_cases:,} open"
    against, with_letters = over(ours[1:], plain[1:]), over(ours[1:], rendering[1:])
    return [
        Line(title, ">= 2,500/s", f"{rate:,.0f}/s ({median(processor[1:]) * 1e6:.0f} us of processor each)", rate >= 2500, id="S1"),
        Line("  of raw executemany", ">= 0.35 of raw", f"{due / median(plain[1:]):,.0f}/s raw", median(against) >= 0.35, against),
        Line("  of raw that renders the letters", "for comparison", f"{due / median(rendering[1:]):,.0f}/s raw", None, with_letters),
    ]


def growth(folder: Path, rounds: int, due: int, open_cases: int) -> list[Line]:
    """The time that a timer takes in a sweep of many against one of a tenth of them, among the same open cases."""
    few = due // 10
    docket, waves = prepared(folder, "sweep-growth", [WARM_UP] + [few, due] * rounds, open_cases)
    docket.app.for_long_work()
    took = [seconds(partial(fire, docket, wave)) / len(wave.cases) for wave in waves][1:]
    docket.close()
    ratios = tuple(many / some for some, many in zip(took[::2], took[1::2], strict=True))
    figure = f"{median(took[1::2]) * 1e6:,.0f} us against {median(took[::2]) * 1e6:,.0f} us"
    return [most(f"a timer in a sweep of {due:,} / of {few:,}", 1.2, "times", figure, ratios, "S2")]


def prepared(folder: Path, name: str, sizes: list[int], open_cases: int) -> tuple[Docket, list[Wave]]:
    """A database with a wave of each size, due one after another, and open cases that nothing is due in, among them."""
    docket = new_docket(folder, name)
    models, moments = [], []
    for week in range(len(sizes)):
        acted = FIRST + timedelta(weeks=week)
        models.append(docket.file(acted))
        docket.act(models[-1], REQUEST, acted + timedelta(hours=1))
        moments.append(acted)
    waiting = docket.file(moments[-1] + timedelta(weeks=6))
    places = _spread(models, sizes, waiting, open_cases)
    at = {model: _first_timer(docket, model) for model in models}
    made = copy_cases(docket, places)
    return docket, [Wave(at[model], [model, *made[model]]) for model in models]


def _spread(models: list[str], sizes: list[int], waiting: str, open_cases: int) -> dict[str, list[int]]:
    """Numbers for copies of each model, spread over the whole docket as due cases are."""
    places: dict[str, list[int]] = {model: [] for model in models}
    owed = [(model, size - 1) for model, size in zip(models, sizes, strict=True)]
    total = sum(size for _, size in owed)
    everything = max(open_cases, total)
    step = everything / total
    taken = [int(place * step) for place in range(total)]
    for model, size in sorted(owed, key=lambda one: one[1]):
        stride = len(taken) / size
        mine = [taken[int(place * stride)] for place in range(size)]
        places[model] = mine
        gone = set(mine)
        taken = [place for place in taken if place not in gone]
    due = {place for mine in places.values() for place in mine}
    return {**places, waiting: [place for place in range(everything) if place not in due]}


def _first_timer(docket: Docket, number: str) -> datetime:
    with docket.app.store.read() as work:
        at: datetime = work.case(number).timers[0].at
        return at


def fire(docket: Docket, wave: Wave) -> None:
    """Sweeps one wave, without the pauses that leave room for others."""
    swept = sweeping.sweep(docket.office(wave.at), pause=lambda _: None)
    if (swept.fired, swept.refused, swept.parked, swept.canceled) != (len(wave.cases), 0, 0, 0):
        raise AssertionError(f"{swept} of {len(wave.cases)}")


def _stored(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def _rendering(docket: Docket, result: sqlite3.Connection, cases: list[str]) -> Callable[[str], str]:
    (version,) = result.execute("SELECT pack_version FROM case_file WHERE number = ?", (cases[0],)).fetchone()
    render = raw.template(docket.app.library.files(version), LETTER)
    query = 'SELECT view FROM letter WHERE "case" = ? AND letter = ?'
    views = {case: json.loads(result.execute(query, (case, LETTER)).fetchone()[0]) for case in cases}
    return lambda case: render(views[case])


# --- a tick that finds nothing ------------------------------------------------------------------------------------


def idle(folder: Path, rounds: int, few: int = 10_000, many: int = 1_000_000, ticks: int = 500) -> list[Line]:
    """Microseconds to learn when the next timer is due, and how they grow with the docket."""
    stores = [_open_docket(folder, count) for count in (few, many)]
    for store in stores:
        _tick(store, ticks)
    took: list[tuple[float, float]] = []
    for place in range(max(rounds, 5)):
        order = stores if place % 2 == 0 else stores[::-1]
        found = [_tick(store, ticks) for store in order]
        took.append((found[0], found[1]) if place % 2 == 0 else (found[1], found[0]))
    for store in stores:
        store.engine.dispose()
    microseconds = median(large for _, large in took) * 1e6
    growth = tuple(large / small for small, large in took)
    return [
        Line(f"idle tick at {many:,} open", "<= 100 us", f"{microseconds:.0f} us", microseconds <= 100, id="S3"),
        Line(f"  against {few:,} open", "<= 1.5 x", f"{median(growth):.2f} x", median(growth) <= 1.5, growth),
    ]


def _tick(store: SqlStore, ticks: int) -> float:
    begin = time.perf_counter()
    for _ in range(ticks):
        store.next_due()
    return (time.perf_counter() - begin) / ticks


def _open_docket(folder: Path, count: int) -> SqlStore:
    """So many open cases with a timer each. Their bodies are empty: a tick reads none."""
    docket = new_docket(folder, f"idle-{count}")
    model = docket.file(FIRST)
    docket.act(model, REQUEST, FIRST + timedelta(hours=1))
    docket.close()
    connection = sqlite3.connect(docket.path, isolation_level=None)
    for pragma in ("journal_mode=OFF", "synchronous=OFF"):
        connection.execute(f"PRAGMA {pragma}")
    columns = {table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] for table in ("case_file", "timer")}
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
    name = "printf('WD-2026-%07d-1', i)"
    own = {"number": name, "request": "printf('WD-2026-%07d', i)", "body": "x''", "case": name, "id": "NULL"}
    own["at"] = "datetime(m.at, '+' || (i % 9000) || ' minutes') || '.000000'"
    connection.execute("BEGIN")
    for table, key, some in (("case_file", "number", ""), ("timer", "case", " AND m.status = 'open'")):
        chosen = ", ".join(own.get(column, f'm."{column}"') for column in columns[table])
        connection.execute(f'{numbers} INSERT INTO {table} SELECT {chosen} FROM n, {table} m WHERE m."{key}" = ?{some}', (count - 1, model))
    connection.execute("COMMIT")
    connection.execute("ANALYZE")
    connection.close()
    return SqlStore(f"sqlite:///{docket.path}")
