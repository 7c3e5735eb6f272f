"""People at the site: each keeps one connection, thinks, opens a page, and now and then records a note, by plain HTTP on this machine.

What each page took is kept by its name; any answer but a page, a redirect or a told conflict is an error.
"""

from __future__ import annotations

import asyncio
import html
import random
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
STAFF = (("my work", 20), ("docket", 15), ("search", 10), ("case", 30), ("note", 25))
SUPERVISORS = (("board", 30), ("audit of a case", 30), ("calendar", 15), ("overdue cases", 15), ("docket as a file", 10))
READERS = (("case", 60), ("docket", 30), ("status page", 10))
THINK = (5.0, 15.0)
"""Seconds that a person looks at a page, before it is scaled."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: str


@dataclass
class Seen:
    """What all visitors found: seconds by page, and what went wrong."""

    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    conflicts: int = 0
    open_now: int = 0
    most_open: int = 0


class Connection:
    """A connection that is kept alive and opened anew where the other side closed it."""

    def __init__(self, port: int, cookie: str, seen: Seen) -> None:
        self._port, self._cookie, self._seen = port, cookie, seen
        self._pipes: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, form: Sequence[tuple[str, str]] | None = None) -> Answer:
        """A page, or what a form was answered with. Raises OSError."""
        body = urlencode(form).encode() if form is not None else b""
        head = f"{'GET' if form is None else 'POST'} {path} HTTP/1.1\r\nHost: localhost\r\nCookie: caseflow={self._cookie}\r\n"
        if form is not None:
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        for again in (True, False):
            reader, writer = await self._opened()
            try:
                writer.write(f"{head}\r\n".encode() + body)
                return await _answer(reader)
            except (asyncio.IncompleteReadError, ConnectionError):
                self.close()
                if not again or form is not None:
                    raise ConnectionError(f"{path} was not answered") from None
        raise AssertionError

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._pipes is None:
            self._pipes = await asyncio.open_connection("127.0.0.1", self._port)
            self._seen.open_now += 1
            self._seen.most_open = max(self._seen.most_open, self._seen.open_now)
        return self._pipes

    def close(self) -> None:
        """Lets it go."""
        if self._pipes is not None:
            self._pipes[1].close()
            self._pipes = None
            self._seen.open_now -= 1


async def _answer(reader: asyncio.StreamReader) -> Answer:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    status = int(head.split(" ", 2)[1])
    names = {name.strip().casefold(): value.strip() for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:])}
    if "content-length" in names:
        return Answer(status, (await reader.readexactly(int(names["content-length"]))).decode(errors="replace"))
    parts = []
    while names.get("transfer-encoding") == "chunked":
        size = int((await reader.readline()).split(b";")[0], 16)
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
        if not size:
            break
    return Answer(status, b"".join(parts).decode(errors="replace"))


class Visitor:
    """One person. `kinds`: what the person does, with weights."""

    def __init__(self, port: int, cookie: str, kinds: Sequence[tuple[str, int]], cases: Sequence[str], seen: Seen, luck: random.Random) -> None:
        self._line = Connection(port, cookie, seen)
        self._kinds, self._cases, self._seen, self._luck = kinds, cases, seen, luck

    async def work(self, until: float, scale: float) -> None:
        """Goes on until that moment (of `time.monotonic`), thinking 5 to 15 seconds by `scale` between two pages."""
        await asyncio.sleep(self._luck.uniform(0, THINK[1]) / scale)
        names, weights = [name for name, _ in self._kinds], [weight for _, weight in self._kinds]
        while time.monotonic() < until:
            name = self._luck.choices(names, weights)[0]
            try:
                await self._do(name)
            except (OSError, ValueError, KeyError, AssertionError) as fault:
                self._seen.errors.append(f"{name}: {type(fault).__name__} {fault}"[:200])
                self._line.close()
            await asyncio.sleep(self._luck.uniform(*THINK) / scale)
        self._line.close()

    async def _do(self, name: str) -> None:
        case = self._luck.choice(self._cases)
        paths = {
            "my work": "/my-work",
            "docket": "/docket",
            "search": f"/docket?q={case}",
            "case": f"/cases/{case}",
            "board": "/board",
            "audit of a case": f"/cases/{case}/audit",
            "calendar": "/calendar",
            "overdue cases": "/board/cases?show=overdue",
            "docket as a file": "/docket.csv?q=nothing-like-it",
            "status page": "/status",
        }
        if name == "note":
            await self._note(f"/cases/{case}/do/add-note")
        else:
            await self._open(name, paths[name])

    async def _open(self, name: str, path: str) -> str:
        begin = time.perf_counter()
        answer = await self._line.ask(path)
        self._seen.took[name].append(time.perf_counter() - begin)
        if answer.status != 200:
            raise ValueError(f"{path} was answered with {answer.status}")
        return answer.body

    async def _note(self, path: str) -> None:
        """Opens the form, writes, sends it. That somebody else was quicker is told to the person, and is no error."""
        page = await self._open("form of an act", path)
        fields = [(name, html.unescape(value)) for name, value in HIDDEN.findall(page)]
        begin = time.perf_counter()
        answer = await self._line.ask(path, [*fields, ("f.note", "Seen from the bridge.")])
        self._seen.took["act"].append(time.perf_counter() - begin)
        self._seen.conflicts += answer.status == 409
        if answer.status not in (303, 409):
            raise ValueError(f"{path} was answered with {answer.status}")


async def visit(visitors: Sequence[Visitor], seconds: float, scale: float) -> None:
    """Everybody for so many seconds."""
    until = time.monotonic() + seconds
    await asyncio.gather(*(one.work(until, scale) for one in visitors))
