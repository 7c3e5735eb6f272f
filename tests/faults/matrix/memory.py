"""F20: a web process that may have no more memory. Who sends a form is told that it was done, or that there is no room for it; it goes on.

The limit is one of the system, under which the living server uses up what it has, as a hundred long requests would; a little is left to it, so
that any allocation may be the one that fails.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import uvicorn

from caseflow.web import guard
from tests.faults.matrix.apart import apart
from tests.faults.matrix.picture import picture
from tests.faults.matrix.points import Points, armed, forked
from tests.faults.matrix.row import Result
from tests.faults.matrix.several import started
from tests.faults.sink import free_port
from tests.web.conftest import PASSWORD, PEOPLE, House, sign_in, token

SPARE = 40
"""Fewer pieces of each size than that are left to the process."""
PIECES = (1 << 17, 1 << 12, 480, 48)
"""Bytes of what it uses up, until not even that can be had."""
LONG = 3 << 20
"""Bytes of a document, of which much is held in memory while it is read."""
ANSWERS = 60.0
"""Seconds after which an answer counts as lost."""


def hungry(folder: Path, trials: int, seed: int) -> Result:
    """A document is sent to a server without memory; then again, as people do, when there is some."""
    result, luck, told = Result(), random.Random(seed), Counter[str]()
    house = House(folder)
    app = house.app()
    app.store.upgrade()
    for name, role in PEOPLE.items():
        app.people.add(name, f"{name.capitalize()} Halloway", role, PASSWORD)
    number = house.file()
    app.store.close()
    for trial in range(trials):
        plan, before = bytes(f"girth {trial} ", "ascii") * (LONG // 9), _kept(folder, number)
        if trial % 2:
            said, again = _starved(house, number, plan, luck.randrange(SPARE), lambda before=before: _kept(folder, number) > before)
        else:
            said, again = _refused(house, number, plan, 1 + trial // 2), ""
        there = _kept(folder, number) - before
        told[said] += 1
        found = [] if said == "303" and there == 1 or said in ("503", "no answer") and there in (0, 1) else [f"told {said}, {there} documents stand"]
        found += [] if not again or (again, there) == ("303", 1) else [f"with memory again: {again}, {there} documents stand"]
        result.add(said != "303", [f"trial {trial}: {text}" for text in found])
    result.note(f"told {dict(told)}")
    return result


def _starved(house: House, number: str, plan: bytes, spare: int, there: Callable[[], bool]) -> tuple[str, str]:
    """What is told by a server without memory, and then, when it has some again, where the document is not there."""
    with served(house, spare) as site:
        proof = token(site.client.get(f"/cases/{number}/documents").text)
        with site.starved():
            said = _sent(site.client, number, proof, plan)
        return said, "303" if there() else _sent(site.client, number, proof, plan)


def _refused(house: House, number: str, plan: bytes, nth: int) -> str:
    """What is told where there is no memory at the n-th place."""

    def post() -> str:
        client = house.client("wren")
        client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
        proof = token(client.get(f"/cases/{number}/documents").text)
        armed(Points(nth, no_memory))
        return _sent(client, number, proof, plan)

    made = forked(post)
    return str(made.answer or made.broke or "it hangs")


def no_memory(_kind: str, _points: Points) -> None:
    """There is none at this place."""
    raise MemoryError


def _kept(folder: Path, number: str) -> int:
    """Documents on the record whose content is whole; -1 where one is not."""
    lines = picture(folder)[number].get("document", [])
    return len(lines) if all(line[-1] == "whole" for line in lines) else -1


def _sent(client: Any, number: str, proof: str, plan: bytes) -> str:
    try:
        return str(client.post(f"/cases/{number}/documents", data={"form_token": proof}, files={"file": ("plan.txt", plan)}).status_code)
    except httpx.HTTPError:
        return "no answer"


@dataclass(frozen=True)
class Living:
    """A server: its process, its browser, and where it says that it has done as it was told."""

    process: int
    client: httpx.Client
    said: int

    @contextmanager
    def starved(self) -> Iterator[None]:
        """Without memory, for a while."""
        for signal_ in (signal.SIGUSR1, signal.SIGUSR2):
            os.kill(self.process, signal_)
            os.read(self.said, 1)
            if signal_ == signal.SIGUSR1:
                yield


@contextmanager
def served(house: House, spare: int) -> Iterator[Living]:
    """The site in a copy of this process, and the browser of a member of the staff."""
    port, (near, far) = free_port(), os.pipe()
    process = started(lambda: _serves(house, port, spare, far))
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=ANSWERS) as client:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                with suppress(httpx.TransportError):
                    client.get("/sign-in")
                    break
                time.sleep(0.02)
            sign_in(client, "wren")  # type: ignore[arg-type]
            yield Living(process, client, near)
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(near)
        os.close(far)


def _serves(house: House, port: int, spare: int, said: int) -> None:
    used: list[list[bytearray]] = []
    before = resource.getrlimit(resource.RLIMIT_AS)

    def starve(*_: Any) -> None:
        has = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (has, before[1]))
        for size in PIECES:
            used.append([])
            with suppress(MemoryError):
                while True:
                    used[-1].append(bytearray(size))
        for pieces in used:
            del pieces[max(0, len(pieces) - spare) :]
        os.write(said, b".")

    def fed(*_: Any) -> None:
        resource.setrlimit(resource.RLIMIT_AS, before)
        used.clear()
        os.write(said, b".")

    signal.signal(signal.SIGUSR1, starve)
    signal.signal(signal.SIGUSR2, fed)
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - what the frame says of a line that it lost
    uvicorn.run(house.site(), host="127.0.0.1", port=port, log_config=None)


def broken_as_ever() -> None:
    """The planted fault: it is told as a fault of the program."""
    guard.SCARCE = ()  # type: ignore[assignment]


ROWS = (apart("F20-memory", "a web process without memory", "P1 P17", hungry, broken_as_ever, "told as a fault of the program", 2, 24),)
