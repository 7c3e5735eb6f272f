"""F5: a line to PostgreSQL that is cut at the n-th message, or after COMMIT was sent, or that stands still.

The server is of the row's own; the relay of tests/relay.py stands where its socket would be.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from caseflow.adapters.store import server as kind
from caseflow.adapters.store.sql import SqlStore
from caseflow.errors import CaseflowError, NotKnown, TryAgain
from tests.faults.matrix.apart import apart
from tests.faults.matrix.picture import picture
from tests.faults.matrix.points import forked
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import office, packed_up, prepared
from tests.relay import Relay, before_commit
from tests.server import GIVEN, Server
from tests.unit.pack_texts import sound

SAFE = ("max_connections=60", "shared_buffers=32MB", "listen_addresses=", "autovacuum=off")
"""As an operator's server: an answer means that it is on the disk."""


@contextmanager
def served(folder: Path, cases: int) -> Iterator[tuple[Server, str]]:
    """A server with so many open cases."""
    server = Server(SAFE)
    try:
        url = server.with_roles()
        _ = forked(lambda: packed_up(prepared(folder, sound(), cases, url=url)))
        yield server, url
    finally:
        server.end()


LONG = 120
"""Seconds after which a client gives up."""


def decided(app: Any, number: str) -> str:
    """What a client is told: done, or why not. It tries again where it is told that nothing was done, under the same name."""
    until = time.monotonic() + LONG
    while time.monotonic() < until:
        try:
            app.act(number, "decide", {"answer": "It may fall."}, None, "ann:staff", None, f"decide {number}", False)
            return "done"
        except (TryAgain, NotKnown):
            threading.Event().wait(0.05)
        except CaseflowError as fault:
            return f"{type(fault).__name__}: {fault}"
        except Exception as broke:  # noqa: BLE001 - it is judged
            return f"not in words: {type(broke).__name__}: {broke}"
    return "never"


def agreed(now: dict[str, Any], told: dict[str, str]) -> list[str]:
    """Where what somebody was told, that it is done or that nothing was, is not what is there."""
    found = []
    for number, text in told.items():
        times = sum(line[1] == "decide" for line in now[number]["entry"])
        letters = sum(line[1] == "answer" for line in now[number].get("letter", ()))
        as_told = {"done": (1, 1), "TryAgain": (0, 0)}.get(text.partition(":")[0])
        if (times, letters) != as_told:
            found.append(f"{number}: told '{text[:120]}', decided {times} times, {letters} letters")
    return found


def cut(folder: Path, trials: int, seed: int) -> Result:
    """An act for each place: the line is cut at its n-th message, then between COMMIT and its answer. Nobody gave the act a name."""
    result, luck = Result(), random.Random(seed)
    with served(folder, trials) as (server, url):
        relay = Relay(server.folder)
        far = office(folder, "2026-03-05", relay.address(url))
        told: dict[str, str] = {}
        places = 1
        for trial, number in enumerate(list(office(folder, "2026-03-05", url).store.numbers())):
            seen, relay.cuts = [0], 0
            nth = 0 if trial % 3 == 0 else 1 + (trial if trial < 30 else luck.randrange(places + 1))

            def when(sent: bytes, seen: list[int] = seen, nth: int = nth) -> bool:
                seen[0] += 1
                return relay.cuts == 0 and (before_commit(sent) and b"SELECT 1" not in sent if nth == 0 else seen[0] == nth)

            relay.cut = when
            try:
                far.act(number, "decide", {"answer": "It may fall."}, None, "ann:staff", None, None, False)
                told[number] = "done"
            except CaseflowError as fault:
                told[number] = f"{type(fault).__name__}: {fault}"
            relay.cut = lambda sent: False
            places = max(places, seen[0])
            result.add(relay.cuts, [])
        result.violations += agreed(picture(folder, url), told)
        result.note(f"an act sends up to {places} messages")
        relay.close()
    return result


def stalled(folder: Path, trials: int, seed: int) -> Result:
    """So many acts at once, the line of each standing still at its n-th message for half a minute; others act meanwhile, and wait for none."""
    del seed
    result, told, meanwhile = Result(), dict[str, str](), dict[str, str]()
    with served(folder, 2 * trials) as (server, url):
        release, still = threading.Event(), [0] * trials
        numbers = list(office(folder, "2026-03-05", url).store.numbers())
        relays = [Relay(server.folder) for _ in range(trials)]
        for place, relay in enumerate(relays):
            relay.stall = partial(_stands_still, [0], 1 + place if trials > 1 else 0, still, place, release)
        slow = [threading.Thread(target=_acts, args=(folder, relay.address(url), [number], told)) for relay, number in zip(relays, numbers, strict=False)]
        quick = threading.Thread(target=_acts, args=(folder, url, numbers[trials:], meanwhile))
        for thread in slow:
            thread.start()
        while any(thread.is_alive() and not still[place] for place, thread in enumerate(slow)):
            release.wait(0.01)
        quick.start()
        release.wait(STALL[-1])
        quick.join(4 * STALL[-1])
        waited = [] if not quick.is_alive() else [f"{trials - len(meanwhile)} others waited for those whose line stood still"]
        release.set()
        for thread in (*slow, quick):
            thread.join()
        for place, number in enumerate(numbers[:trials]):
            result.add(still[place], [f"{number}: told {told.get(number)}"] if told.get(number) != "done" else [])
        result.violations += [*waited, *agreed(picture(folder, url), {**told, **meanwhile})]
        for relay in relays:
            relay.close()
    return result


WRITES = b"INSERT INTO entry"
"""What a message has by which an act writes: where there is one trial alone, its line stands still there."""
STALL = [30.0]
"""Seconds for which a line stands still, and then for which those are waited for who should have been done long ago."""


def _stands_still(seen: list[int], nth: int, still: list[int], place: int, release: threading.Event, sent: bytes) -> None:
    seen[0] += 1
    if seen[0] == nth or (nth == 0 and not still[place] and WRITES in sent):
        still[place] = 1
        release.wait()


def _acts(folder: Path, url: str, numbers: list[str], told: dict[str, str]) -> None:
    app = office(folder, "2026-03-05", url)
    for number in numbers:
        told[number] = decided(app, number)
    app.store.close()


def one_by_one() -> None:
    """The planted fault: whoever writes keeps all others out."""
    begin, lock = SqlStore.begin, threading.Lock()
    STALL.append(2.0)

    @contextmanager
    def alone(self: SqlStore) -> Iterator[Any]:
        with lock, begin(self) as work:
            yield work

    SqlStore.begin = alone  # type: ignore[method-assign]


def blind() -> None:
    """The planted fault: after a lost answer it is done again without asking whether it was done."""
    kind.Server._was_done = lambda *_: False  # type: ignore[method-assign]


def ours() -> str:
    """Why a server can't be stopped here."""
    return "the server that is given is not ours to stop" if GIVEN is not None else ""


ROWS = (
    apart("F5-cut", "line cut at the n-th message, answer lost after COMMIT", "P1 P17", cut, blind, "blind retry after a lost answer", 3, 1500, ours),
    apart("F5-stall", "line stands still for 30 s at the n-th message", "P1 P21", stalled, one_by_one, "whoever writes keeps others out", 0, 36, ours),
)
