"""F7, F8: several schedulers at once, killed at any place or frozen past the end of their run and continued; work longer than its claim.

Each scheduler is a copy of this process; on PostgreSQL the server is of the row's own.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.mail.drop import MailDrop
from caseflow.adapters.store.work import SqlWork
from caseflow.errors import CaseflowError
from caseflow.services.dispatching import dispatch
from caseflow.services.sweeping import sweep
from tests.faults.freezing import Freezer
from tests.faults.matrix.apart import apart
from tests.faults.matrix.picture import picture
from tests.faults.matrix.points import forked
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import office, packed_up, prepared
from tests.faults.sweeper import FREE, IDLE, PLACES, Watch, letters_apart, watched
from tests.server import Server
from tests.unit.pack_texts import sound

OVERDUE = "2026-03-20"
CASES, LEASE = 12, 0.3
LONG = [120.0]
"""Seconds after which schedulers count as hanging."""
DEFECT: list[str] = []
ORDER = (*reversed(PLACES),)
"""The place right after COMMIT first: there the planted defect shows at once."""


@contextmanager
def databases(folder: Path, on_server: bool, trials: int, cases: int = CASES) -> Iterator[Iterator[tuple[Path, str]]]:
    """As many databases with overdue cases, each in a folder of its own, and on a server where that is wanted."""
    server = Server() if on_server else None

    def each() -> Iterator[tuple[Path, str]]:
        for trial in range(trials):
            own = folder / f"trial{trial}"
            own.mkdir()
            url = server.with_roles() if server is not None else ""
            _ = forked(lambda own=own, url=url: packed_up(prepared(own, sound(), cases, url=url)))  # type: ignore[misc]
            yield own, url
            if server is not None:
                server.drop(url)

    try:
        yield each()
    finally:
        if server is not None:
            server.end()


def started(work: Callable[[], Any]) -> int:
    """A copy of this process that does something; the answer is its number."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child


def sweeps(folder: Path, url: str, place: str, after: int, lease: float = 60.0) -> None:
    """A scheduler that sweeps until nothing is due, and dies at a place."""
    flag = folder / f"flag{os.getpid()}"
    flag.write_bytes(IDLE)
    watched(Watch(str(flag), place, after))
    if DEFECT:
        letters_apart()
    _all(folder, url, lease, 3)


def _all(folder: Path, url: str, lease: float, batch: int) -> tuple[int, int]:
    app, fired, lapsed = office(folder, OVERDUE, url), 0, 0
    until = time.monotonic() + LONG[-1]
    while app.store.next_due() is not None and app.store.next_due() <= app.now() and time.monotonic() < until:
        done = sweep(app.office, batch=batch, lease=lease, pause=lambda _: None)
        fired, lapsed = fired + done.fired, lapsed + done.lapsed
    return fired, lapsed


def once(folder: Path, url: str, at: str) -> list[str]:
    """What is wrong after all of it: each case ended by silence, with one letter about it, and the record is sound."""
    found = []
    for number, parts in picture(folder, url).items():
        silent = sum(line[1] == "fall-silent" for line in parts["entry"])
        letters = sum(line[1] == "granted-by-silence" for line in parts["letter"])
        fired = sum(line[1:3] == ["silence", "fall-silent"] or line[-1] == "fired" for line in parts["timer"])
        if (silent, letters) != (1, 1) or not fired:
            found.append(f"{at}: {number}: journaled {silent}, letters {letters}, timers fired {fired}")
    found += [f"{at}: verify: {one['case']} {one['text']}" for one in office(folder, "2026-03-21", url).verify(None)["faults"]]
    return found


def under_kills(on_server: bool, folder: Path, trials: int, seed: int) -> Result:
    """Three schedulers at a time; one that dies is followed by another."""
    result, luck = Result(), random.Random(seed)
    with databases(folder, on_server, trials) as each:
        for place, (own, url) in enumerate(each):
            living, kills = [_next(own, url, luck, place + slot) for slot in range(3)], 0
            while living:
                child, status = os.wait()
                living.remove(child)
                if os.WIFSIGNALED(status):
                    kills += 1
                    living.append(_next(own, url, luck, place + kills if kills < 6 else -1))
            result.add(kills, once(own, url, f"trial {place}"))
    return result


def _next(folder: Path, url: str, luck: random.Random, turn: int) -> int:
    place = ORDER[turn % len(ORDER)] if turn >= 0 else FREE
    return started(partial(sweeps, folder, url, place, luck.randrange(2) if turn else 0))


def frozen(on_server: bool, folder: Path, trials: int, seed: int) -> Result:
    """One is stopped in the middle of a batch and continued when its run is over; on a server others work meanwhile."""
    result, places = Result(), ("half-written", "decided")
    with databases(folder, on_server, trials, 4) as each:
        for trial, (own, url) in enumerate(each):
            lease = 1.0 if on_server else LEASE
            said = own / "said"
            child = started(partial(_freezes, own, url, places[(trial + seed) % 2], lease, said))
            _, status = os.waitpid(child, os.WUNTRACED)
            result.injected += os.WIFSTOPPED(status)
            if on_server:
                _all(own, url, 60.0, 50)
                result.violations += once(own, url, f"trial {trial}, frozen")
            else:
                time.sleep(lease)
            os.kill(child, signal.SIGCONT)
            os.waitpid(child, 0)
            fired, lapsed = map(int, said.read_text().split()) if said.exists() else (0, 0)
            if not lapsed and (fired or not on_server):
                result.violations.append(f"trial {trial}: it came back too late, fired {fired}, and was not refused")
            result.add(0, once(own, url, f"trial {trial}"))
    return result


def _freezes(folder: Path, url: str, place: str, lease: float, said: Path) -> None:
    flag = folder / "flag"
    flag.write_bytes(IDLE)
    watched(Freezer(str(flag), place, 0))
    fired, lapsed = _all(folder, url, lease, 50)
    said.write_text(f"{fired} {lapsed}")


def unasked() -> None:
    """The planted fault: whoever comes back is not asked for the token of the run."""
    LONG.append(8.0)  # nobody ends its transaction for it
    SqlWork.under = lambda self, *_: None  # type: ignore[assignment,method-assign]


def lettered_apart() -> None:
    """The planted fault: every scheduler writes letters in a transaction of their own, outside of its watch."""
    DEFECT.append("letters")


# --- work longer than its claim -------------------------------------------------------------------------------------


def slow(on_server: bool, folder: Path, trials: int, seed: int) -> Result:
    """A sweep whose batch takes three times its run, then a hand-over that takes longer than its claim while another run does the same."""
    del seed
    result = Result()
    real = LetterWriter.write

    def late(self: LetterWriter, *given: Any) -> Any:
        time.sleep(LEASE)
        return real(self, *given)

    with databases(folder, on_server, trials, 2) as each:
        for trial, (own, url) in enumerate(each):
            LetterWriter.write = late  # type: ignore[method-assign]
            _, lapsed = _all(own, url, LEASE, 2)
            LetterWriter.write = real  # type: ignore[method-assign]
            result.violations += [] if lapsed else [f"trial {trial}: a batch that ended after its time was not refused"]
            result.violations += _overtaken(own, url)
            result.add(bool(lapsed) + 1, once(own, url, f"trial {trial}"))
            result.violations += _sent_once(own, url, trial)
    return result


def _overtaken(folder: Path, url: str) -> list[str]:
    """While the first copy is being handed over, two hours pass and another run takes everything; then the first comes back."""
    app, later, real, overtaken = office(folder, "2026-03-23T10:00", url), office(folder, "2026-03-23T12:00", url), MailDrop.hand_over, [0]

    def handed_over(self: MailDrop, parcel: Any) -> Any:
        made = real(self, parcel)
        if not overtaken[0]:
            overtaken[0] = 1
            dispatch(later.office)
        return made

    MailDrop.hand_over = handed_over  # type: ignore[method-assign]
    try:
        dispatch(app.office)
    except CaseflowError as fault:
        return [f"who came back too late was told: {fault}"]
    finally:
        MailDrop.hand_over = real  # type: ignore[method-assign]
    return [] if overtaken[0] else ["nothing was handed over"]


def _sent_once(folder: Path, url: str, trial: int) -> list[str]:
    found = []
    for number, parts in picture(folder, url).items():
        sent = sum(line[1] == "letter-sent" for line in parts["entry"])
        if sent != len(parts["letter"]) or any(line[2] != "handed-over" for line in parts["letter"]):
            found.append(f"trial {trial}: {number}: {len(parts['letter'])} letters, {sent} sendings journaled")
    return found


def by_name() -> None:
    """The planted fault: neither a run nor a claim is asked for its token."""
    unasked()
    SqlWork.copy_changed = partial_unclaimed(SqlWork.copy_changed)  # type: ignore[method-assign]


def partial_unclaimed(real: Callable[..., bool]) -> Callable[..., bool]:
    """Changes a copy whoever holds it."""

    def changed(self: SqlWork, copy: Any, held: str | None = None) -> bool:
        mine = real(self, copy, held)
        now = next((one.claim for one in self.copies(copy.letter) if one.id == copy.id), None)
        return mine or real(self, copy, now)

    return changed


FIRED = "letters in a transaction of their own"
ROWS = (
    apart("F7-killed", "three schedulers killed at each place, SQLite", "P2 P3", partial(under_kills, False), lettered_apart, FIRED, 1, 12),
    apart("F7-killed-pg", "three schedulers killed at each place, PostgreSQL", "P2 P3", partial(under_kills, True), lettered_apart, FIRED, 0, 12),
    apart("F7-frozen", "frozen past its run and continued, SQLite", "P2", partial(frozen, False), unasked, "the token is not asked for", 1, 30),
    apart("F7-frozen-pg", "frozen past its run and continued, PostgreSQL", "P2", partial(frozen, True), unasked, "the token is not asked for", 0, 12),
    apart("F8-lease", "work longer than its claim, SQLite", "P2 P5", partial(slow, False), by_name, "no token at the end", 1, 20),
    apart("F8-lease-pg", "work longer than its claim, PostgreSQL", "P2 P5", partial(slow, True), by_name, "no token at the end", 0, 12),
)
