"""F4: a PostgreSQL that dies at once, with no word to anybody, and starts again under ten clients and two schedulers.

The server is of the row's own, with settings by which an answer means that it is on the disk. What clients are told is judged as in servers.py.
"""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from caseflow.errors import StoreFault
from caseflow.services.sweeping import sweep
from tests.faults.matrix.apart import apart
from tests.faults.matrix.picture import picture
from tests.faults.matrix.points import forked
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import office, packed_up, prepared
from tests.faults.matrix.servers import LONG, SAFE, agreed, decided, ours
from tests.faults.matrix.several import silenced
from tests.server import Server
from tests.unit.pack_texts import sound

SETTINGS = [SAFE]
CLIENTS, SWEEPERS = 10, 2
EACH = 2
"""Cases that each client decides between two deaths, batches that each scheduler takes, and timers of a batch."""
DUE = SWEEPERS * EACH * EACH
FILED, LATER, TODAY = "2026-03-02", "2026-03-16", "2026-03-20"
"""When cases were filed whose time is over today, and those that are decided today."""


def restarts(folder: Path, trials: int, seed: int) -> Result:
    """As many deaths as trials; then what was told is what is there, each timer had its effect once, and the record is sound."""
    result, luck = Result(), random.Random(seed)
    server = Server(SETTINGS[-1])
    try:
        url = server.with_roles()
        _ = forked(lambda: _filed(folder, url, trials))
        server.run("CHECKPOINT")  # what was prepared is there, whatever the server's settings
        store = office(folder, TODAY, url).store
        numbers = list(store.numbers())
        store.close()
        due, asked = numbers[: DUE * trials], numbers[DUE * trials :]
        told = _told(server, partial(office, folder, TODAY, url), asked, trials, luck, result)
        now, app = picture(folder, url), office(folder, TODAY, url)
        result.violations += [*agreed(now, told), *(text for number in due for text in silenced(number, now[number]))]
        result.violations += [f"verify: {one['case']} {one['text']}" for one in app.verify(None)["faults"]]
    finally:
        server.end()
    result.note(f"{sum(text == 'done' for text in told.values())} of {len(asked)} acts told as done, {len(due)} timers due")
    return result


def _filed(folder: Path, url: str, trials: int) -> None:
    prepared(folder, sound(), DUE * trials, FILED, url, 2 * EACH).store.close()
    packed_up(prepared(folder, sound(), CLIENTS * EACH * trials, LATER, url, 2 * EACH))


def _told(server: Server, opened: Callable[[], Any], numbers: list[str], trials: int, luck: random.Random, result: Result) -> dict[str, str]:
    """What was told of each case, after so many deaths."""
    waiting, told = SimpleQueue[str](), dict[str, str]()
    ended, rest = threading.Event(), threading.Semaphore(0)

    def client() -> None:
        app = opened()
        while number := waiting.get():
            told[number] = decided(app, number)
        app.store.close()

    threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
    threads += [threading.Thread(target=_fires, args=(opened, rest, ended)) for _ in range(SWEEPERS)]
    for thread in threads:
        thread.start()
    for turn in range(trials):
        own = numbers[turn * CLIENTS * EACH : (turn + 1) * CLIENTS * EACH]
        for number in own:
            waiting.put(number)
        rest.release(SWEEPERS * EACH)
        wanted, until = turn * len(own) + luck.randrange(1, len(own)), time.monotonic() + LONG
        while len(told) < wanted and time.monotonic() < until:
            ended.wait(0.001)  # they are at work
        server.stop(signal.SIGQUIT)
        ended.wait(luck.uniform(0.0, 0.1))
        server.start()
        result.add(1, [])
    for _ in range(CLIENTS):
        waiting.put("")
    ended.set()
    rest.release(len(numbers))
    for thread in threads:
        thread.join()
    return told


def _fires(opened: Callable[[], Any], rest: threading.Semaphore, ended: threading.Event) -> None:
    """A scheduler that rests after each batch until there is more to do, and at the end fires what is left."""
    app, tries = opened(), 0
    while tries < LONG:
        last = ended.is_set()
        try:
            sweep(app.office, batch=EACH, pause=lambda _: rest.acquire() and None)
            if last:
                break
        except StoreFault:
            tries += last
        threading.Event().wait(0.05)
    app.store.close()


def forgetful() -> None:
    """The planted fault: the server answers before what was done is on the disk."""
    SETTINGS.append((*SAFE, "synchronous_commit=off", "wal_writer_delay=10s", "wal_writer_flush_after=1GB"))


TITLE = f"PostgreSQL dies under {CLIENTS} clients and {SWEEPERS} schedulers"
ROWS = (apart("F4-restart", TITLE, "P1 P2 P3", restarts, forgetful, "answers before it is on the disk", 0, 200, ours),)
