"""What must not grow with the docket: an action, the board, a timeline, page 1,000 of a list, the start of the service, its memory.

Two dockets of whole cases (six entries, letters, timers) are asked in turns, a small and a large one.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy import event

from benchmarks.dockets import NOTE, Docket, new_docket
from benchmarks.loading import Docketful, Progress, fill, untold
from benchmarks.measure import Line, in_turns, most, seconds
from caseflow.services import acting, docket, reading
from caseflow.services.overseeing import Overseeing

PAGE = 50
DEEP = 1_000
"""The page that is compared with the first, or the last one where there are not so many."""
MEMORY = 120


@dataclass
class Sized:
    """A docket of so many whole cases, made when first asked for. Its search index is taken for caught up."""

    folder: Path
    cases: int
    tell: Progress = untold
    luck: random.Random = field(default_factory=lambda: random.Random(20261201))

    @cached_property
    def _made(self) -> tuple[Docket, Docketful]:
        made = new_docket(self.folder, f"whole-{self.cases}")
        full = fill(made, self.cases, datetime.now(UTC), tell=self.tell)
        with closing(sqlite3.connect(made.path)) as connection, connection:
            connection.execute("DELETE FROM search_due")
        made.app.for_long_work()
        return made, full

    @property
    def docket(self) -> Docket:
        """The database and its services."""
        return self._made[0]

    def some(self, number: int) -> list[str]:
        """So many of its cases, from all over it."""
        return self.luck.sample(list(self._made[1].waiting), number)


@dataclass
class Pair:
    """The small docket and the large one."""

    small: Sized
    large: Sized

    @property
    def sizes(self) -> str:
        """Which they are, in words."""
        return f"{self.large.cases:,} cases / {self.small.cases:,}"

    def growth(self, work: Callable[[Sized], float], rounds: int) -> tuple[list[tuple[float, ...]], tuple[float, ...]]:
        """Seconds of both by round, after one for warming up, and how many times those of the large are those of the small."""
        sides = [partial(work, self.small), partial(work, self.large)]
        found = in_turns(sides, rounds + 1)[1:]
        return found, tuple(large / small for small, large in found)


def acts(pair: Pair, rounds: int, number: int = 200) -> list[Line]:
    """An action in the large docket and in the small one, each on cases that nobody has touched."""

    def work(sized: Sized) -> float:
        cases = sized.some(number)
        moment = datetime.now(UTC)
        return seconds(lambda: [acting.act(sized.docket.office(moment), case, NOTE) for case in cases])

    found, grown = pair.growth(work, rounds)
    ratios = tuple(1 / one for one in grown)
    figure = f"{number / median(large for _, large in found):,.0f}/s against {number / median(small for small, _ in found):,.0f}/s"
    return [Line(f"an action: {pair.sizes}", ">= 0.6", figure, median(ratios) >= 0.6, ratios, "A5")]


def timelines(pair: Pair, rounds: int, number: int = 300) -> list[Line]:
    """The timeline of a case."""

    def work(sized: Sized) -> float:
        cases = sized.some(number)
        office = sized.docket.app.office
        return seconds(lambda: [reading.timeline(office, case) for case in cases])

    found, grown = pair.growth(work, rounds)
    return [most(f"timeline of a case: {pair.sizes}", 1.5, "times", f"{median(large for _, large in found) / number * 1e6:,.0f} us", grown, "Q2")]


def pages(pair: Pair, rounds: int, number: int = 20) -> list[Line]:
    """A page far down each list, against the first one."""
    office = pair.large.docket.app.office
    lines = []
    for title, asked in (("docket by target", {}), ("docket by number", {"sort": "number"})):
        deep = min(DEEP, pair.large.cases // PAGE // 2)
        after = _key(pair.large.docket.path, asked, deep)

        def work(key: str | None, asked: dict[str, Any] = asked) -> float:
            office.rows.clear()
            return seconds(lambda: [docket.page(office, asked, key, PAGE) for _ in range(number)])

        found = in_turns([partial(work, None), partial(work, after)], rounds + 1)[1:]
        ratios = tuple(far / first for first, far in found)
        figure = f"{median(far for _, far in found) / number * 1e3:.2f} ms"
        lines.append(most(f"{title}: page {deep:,} / page 1 of {pair.large.cases:,}", 1.5, "times", figure, ratios, "Q3" if not lines else ""))
    return lines


def _key(path: Path, asked: dict[str, Any], page: int) -> str:
    """The key of the last row before a page."""
    order = "number" if asked else "next_target IS NULL, next_target, number"
    query = f"SELECT next_target, number FROM case_file WHERE ends = 0 ORDER BY {order} LIMIT 1 OFFSET ?"
    with closing(sqlite3.connect(path)) as connection:
        target, number = connection.execute(query, ((page - 1) * PAGE - 1,)).fetchone()
    return f"{target or '-'}:{number}"


def board(pair: Pair, rounds: int) -> list[Line]:
    """The board as its page asks for it, against the driver asking the same questions and doing nothing with the answers."""
    overseeing = Overseeing(pair.large.docket.app.office)
    asked = _questions(pair.large.docket, overseeing.sheet)
    with closing(sqlite3.connect(pair.large.docket.path)) as raw:

        def base() -> float:
            return seconds(lambda: [raw.execute(statement, given).fetchall() for statement, given in asked])

        found = in_turns([lambda: seconds(overseeing.sheet), base], rounds + 1)[1:]
    ratios = tuple(ours / theirs for ours, theirs in found)
    own, theirs = (median(side) * 1e3 for side in zip(*found, strict=True))
    figure = f"{own:,.1f} ms ({theirs:,.1f} ms raw, {len(asked)} questions)"
    return [most(f"board of {pair.large.cases:,} cases, of the raw queries", 1.3, "times", figure, ratios, "Q1")]


def _questions(of: Docket, ask: Callable[[], object]) -> list[tuple[str, Any]]:
    """The reading statements that something sends, with what they are given."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, given: Any, _context: Any, _many: bool) -> None:
        if statement.lstrip().upper().startswith(("SELECT", "WITH")):
            asked.append((statement, given))

    ask()
    event.listen(of.app.store.engine, "before_cursor_execute", note)
    ask()
    event.remove(of.app.store.engine, "before_cursor_execute", note)
    return asked


# --- the service from outside ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Started:
    """How a start of the service went: seconds until it said where it is, and the memory it then rests at, in MiB."""

    seconds: float
    memory: float


def starts(pair: Pair, rounds: int) -> list[Line]:
    """The service started on both dockets, over and over, and the memory in which it rests."""
    paths = []
    for sized in (pair.small, pair.large):
        sized.docket.app.store.upgrade(live=True)
        sized.docket.close()
        paths.append(sized.docket.path)
        started(paths[-1])  # makes the first account
    found: list[tuple[Started, ...]] = []
    for number in range(rounds):
        pairs = [started(path) for path in (paths if number % 2 == 0 else paths[::-1])]
        found.append(tuple(pairs if number % 2 == 0 else pairs[::-1]))
    slower = tuple(large.seconds / small.seconds for small, large in found)
    larger = tuple(large.memory / small.memory for small, large in found)
    memory = median(large.memory for _, large in found)
    return [
        most(f"start of the service: {pair.sizes}", 1.2, "times", f"{median(large.seconds for _, large in found):.2f} s", slower, "B3"),
        most(f"memory of the idle service: {pair.sizes}", 1.1, "times", f"{memory:.0f} MiB", larger, "M1"),
        Line(f"  at {pair.large.cases:,} cases", f"<= {MEMORY} MiB", f"{memory:.0f} MiB", memory <= MEMORY),
    ]


def started(path: Path, rest: float = 1.5) -> Started:
    """Starts the site and its scheduler on a free port, waits until it has come to rest, and ends it."""
    command = [sys.executable, "-m", "caseflow", "--database", str(path), "--maildrop", str(path.with_suffix(".mail")), "serve", "--port", "0"]
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ})
    assert child.stdout is not None
    try:
        said = ""
        while "caseflow is at" not in said:
            said = child.stdout.readline()
            if not said:
                raise AssertionError(f"the service ended with {child.wait(20)}")
        took = time.perf_counter() - begin
        time.sleep(rest)
        return Started(took, memory_of(child.pid))
    finally:
        child.send_signal(signal.SIGTERM)
        child.wait(30)


def memory_of(process: int) -> float:
    """MiB that a process and those that it started hold."""
    total = 0.0
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            total += int(line.split()[1]) / 1024
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return total + sum(memory_of(int(child)) for child in children)
