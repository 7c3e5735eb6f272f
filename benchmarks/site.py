"""The staff site under 16 connections, one worker process: the docket and a case page against a bare ASGI program's page of the same bytes.

The base asks the driver for the same cases and prints them by a plain template (barepage.py).

Both servers run beside each other for the whole measurement, each in a process of its own, and are asked in turns, round by round, so
that what else the machine does takes from both. The asking side is a process of its own, too (this one): plain sockets, kept alive.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from benchmarks.barepage import BarePage
from benchmarks.dockets import Docket, copy_cases, new_docket
from benchmarks.measure import Line, over

CONNECTIONS, KINDS = 16, 8
PASSWORD = "a password of the measurement"  # noqa: S105 - of a database that is thrown away
SHARE, DOCKET_P99, CASE_P99, GROWTH = 0.30, 0.060, 0.080, 1.5


@dataclass(frozen=True, slots=True)
class Asked:
    """What a round of asking gave: pages, seconds, and how long each page took."""

    pages: int
    seconds: float
    each: Sequence[float]

    @property
    def p99(self) -> float:
        """Seconds within which 99 of 100 pages came."""
        return sorted(self.each)[min(len(self.each) - 1, len(self.each) * 99 // 100)]


def run(folder: Path, rounds: int, cases: int, large: bool) -> list[Line]:
    """The docket and case page at `cases`, and how they grow from a tenth of that to it; with `large` to ten times."""
    sizes = (cases // 10, cases, *((cases * 10,) if large else ()))
    figures = {size: _measured(folder, size, rounds) for size in sizes}
    docket, case, bare = figures[cases]
    per_page = [one.seconds / one.pages for one in docket]
    base = [one.seconds / one.pages for one in bare]
    share = over(per_page, base)
    lines = [
        Line(f"docket page of {cases:,}, of a bare page", f">= {SHARE:.2f}", f"{_rate(docket):,.0f}/s", median(share) >= SHARE, share, "W1"),
        _p99(f"docket page of {cases:,}, p99", docket, DOCKET_P99),
        _p99(f"case page of {cases:,}, p99", case, CASE_P99),
    ]
    for place, name in ((0, "docket"), (1, "case")):
        growth = _processor(figures[sizes[-1]][place]) / _processor(figures[sizes[0]][place])
        lines.append(Line(f"{name} page, {sizes[0]:,} to {sizes[-1]:,} cases", f"<= {GROWTH}", f"{growth:.2f} times", growth <= GROWTH))
    return lines


def _rate(rounds: Sequence[Asked]) -> float:
    return median(one.pages / one.seconds for one in rounds)


def _processor(rounds: Sequence[Asked]) -> float:
    return min(one.seconds / one.pages for one in rounds)


def _p99(goal: str, rounds: Sequence[Asked], most: float) -> Line:
    figure = median(one.p99 for one in rounds)
    return Line(goal, f"<= {most * 1000:.0f} ms", f"{figure * 1000:.0f} ms", figure <= most)


def _measured(folder: Path, size: int, rounds: int) -> tuple[list[Asked], list[Asked], list[Asked]]:
    docket = _docket(folder, size)
    cookie = _signed_in(docket)
    number = next(docket.app.store.numbers())
    docket.close()
    with _serving("site", str(docket.path)) as port:
        paths = ("/docket", f"/cases/{number}")
        body = folder / "page.html"
        answer = asyncio.run(_once(port, paths[0], cookie))
        body.write_bytes(answer)
        asyncio.run(_once(port, paths[1], cookie))
        with _serving("bare", str(docket.path), str(body)) as bare_port:
            if asyncio.run(_once(bare_port, "/", cookie)) != answer:
                raise AssertionError("the bare page is not the site's page, so that it is no base for it")
            found: tuple[list[Asked], list[Asked], list[Asked]] = ([], [], [])
            for _ in range(rounds):
                found[0].append(asyncio.run(_ask(port, paths[0], cookie, 3)))
                found[2].append(asyncio.run(_ask(bare_port, "/", cookie, 1.5)))
                found[1].append(asyncio.run(_ask(port, paths[1], cookie, 3)))
    docket.path.unlink()
    return found


def _docket(folder: Path, size: int) -> Docket:
    """A docket of so many open cases, filed over some weeks."""
    docket, first = new_docket(folder, f"site-{size}"), datetime.now(UTC) - timedelta(days=20)
    models = [docket.file(first + timedelta(days=day)) for day in range(KINDS)]
    copy_cases(docket, {model: range(place, size, KINDS) for place, model in enumerate(models)})
    return docket


def _signed_in(docket: Docket) -> str:
    people = docket.app.people
    people.add("bench", "Bench", "supervisor", PASSWORD)
    return f"caseflow={people.sign_in('bench', PASSWORD, '127.0.0.1', 'bench')}"


@contextmanager
def _serving(kind: str, *what: str) -> Iterator[int]:
    child = subprocess.Popen((sys.executable, "-m", "benchmarks.site", kind, *what), stdout=subprocess.PIPE, text=True, env={**os.environ})
    assert child.stdout is not None
    try:
        yield int(child.stdout.readline())
    finally:
        child.terminate()
        child.wait(20)


async def _once(port: int, path: str, cookie: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = await _page(reader, writer, path, cookie)
    writer.close()
    return body


async def _page(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, cookie: str) -> bytes:
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise AssertionError(f"{path} was answered with {head[:40]!r}")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    return await reader.readexactly(length)


async def _ask(port: int, path: str, cookie: str, seconds: float) -> Asked:
    """Asks by every connection for so long."""
    each: list[float] = []
    begin = time.perf_counter()

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() - begin < seconds:
            at = time.perf_counter()
            await _page(reader, writer, path, cookie)
            each.append(time.perf_counter() - at)
        writer.close()

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    return Asked(len(each), time.perf_counter() - begin, each)


def _child(kind: str, database: str, page: str = "") -> None:
    """The served side: the whole site over a database, or the bare program over it, whose page is to be like one in a file."""
    from caseflow.web.server import listening
    from caseflow.web.server import run as serve

    taken = listening("127.0.0.1", 0)
    app = _site(database) if kind == "site" else BarePage(database, Path(page).read_bytes().decode())
    serve(app, taken, lambda: print(taken.getsockname()[1], flush=True))


def _site(database: str) -> object:
    from caseflow.bootstrap import App
    from caseflow.web.app import create_app
    from caseflow.web.site import Site

    site = App(database)
    app = create_app(Site(site, scheduler=False))
    site.for_long_work()
    return app


if __name__ == "__main__":
    _child(*sys.argv[1:])
