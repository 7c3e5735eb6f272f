"""F7, F8: several schedulers at once, killed at any place or frozen past the end of their run and continued; work longer than its claim.

Each trial is a copy of this process on a copy of one docket, and so is each scheduler in it; on PostgreSQL the server is of the row's own.
"""

from __future__ import annotations

import gc
import os
import random
import signal
import time
from collections.abc import Callable
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
from tests.faults.matrix.dockets import Told, dockets
from tests.faults.matrix.picture import picture
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import office
from tests.faults.sweeper import FREE, IDLE, PLACES, Watch, letters_apart, watched

OVERDUE = "2026-03-20"
CASES, LEASE = 12, 0.3
LONG = [120.0]
"""Seconds after which schedulers count as hanging."""
DEFECT: list[str] = []
ORDER = (*reversed(PLACES),)
"""The place right after COMMIT first: there the planted defect shows at once."""
AT_WORK, TOGETHER = (3, 1, 2, 4), (2, 1, 4)
"""How many schedulers there are, by the trial: where they are killed, and where one of them is frozen."""


def done_once(folder: Path) -> None:
    """All of it by this process itself, so that its copies have everything at hand."""
    _all(folder, 60.0, 50)
    app = office(folder, "2026-03-23")
    dispatch(app.office)
    app.store.close()
    once(folder, "")
    gc.collect()  # and no copy of it finds an open connection
    gc.freeze()


def started(work: Callable[[], Any]) -> int:
    """A copy of this process that does something; the answer is its number."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child


def sweeps(folder: Path, place: str, after: int, lease: float = 60.0) -> None:
    """A scheduler that sweeps until nothing is due, and dies at a place."""
    flag = folder / f"flag{os.getpid()}"
    flag.write_bytes(IDLE)
    watched(Watch(str(flag), place, after))
    if DEFECT:
        letters_apart()
    _all(folder, lease, 3)


def _all(folder: Path, lease: float, batch: int) -> tuple[int, int]:
    app, fired, lapsed = office(folder, OVERDUE), 0, 0
    until = time.monotonic() + LONG[-1]
    while app.store.next_due() is not None and app.store.next_due() <= app.now() and time.monotonic() < until:
        done = sweep(app.office, batch=batch, lease=lease, pause=lambda _: None)
        fired, lapsed = fired + done.fired, lapsed + done.lapsed
        if not done.fired:
            time.sleep(0.02)  # another has it
    app.store.close()
    return fired, lapsed


def once(folder: Path, at: str) -> list[str]:
    """What is wrong after all of it: each case ended by silence, with one letter about it, and the record is sound."""
    found = [f"{at}: {text}" for number, parts in picture(folder).items() for text in silenced(number, parts)]
    app = office(folder, "2026-03-21")
    found += [f"{at}: verify: {one['case']} {one['text']}" for one in app.verify(None)["faults"]]
    app.store.close()
    return found


def silenced(number: str, parts: dict[str, Any]) -> list[str]:
    """Where a case did not end by silence once, with one letter about it."""
    silent = sum(line[1] == "fall-silent" for line in parts["entry"])
    letters = sum(line[1] == "granted-by-silence" for line in parts.get("letter", ()))
    fired = sum(line[1:3] == ["silence", "fall-silent"] or line[-1] == "fired" for line in parts["timer"])
    return [] if (silent, letters) == (1, 1) and fired else [f"{number}: journaled {silent}, letters {letters}, timers fired {fired}"]


def under_kills(on_server: bool, folder: Path, trials: int, seed: int) -> Result:
    """Three, one, two or four schedulers at a time; one that dies is followed by another."""
    return dockets(folder, on_server, trials, CASES, 4, partial(_under_kills, seed), done_once)


def _under_kills(seed: int, trial: int, own: Path) -> Told:
    luck, kills = random.Random(f"{seed} {trial}"), 0
    living = [_next(own, luck, trial + slot) for slot in range(AT_WORK[trial % len(AT_WORK)])]
    while living:
        child, status = os.wait()
        living.remove(child)
        if os.WIFSIGNALED(status):
            kills += 1
            living.append(_next(own, luck, trial + kills if kills < 6 else -1))
    return kills, once(own, f"trial {trial}")


def _next(folder: Path, luck: random.Random, turn: int) -> int:
    place = ORDER[turn % len(ORDER)] if turn >= 0 else FREE
    return started(partial(sweeps, folder, place, luck.randrange(2) if turn else 0))


def frozen(on_server: bool, folder: Path, trials: int, seed: int) -> Result:
    """Of two, one or four one is stopped in the middle of a batch and continued when its run is over; on a server the others do the work meanwhile."""
    return dockets(folder, on_server, trials, 4, 8, partial(_frozen, on_server, seed), done_once)


def _frozen(on_server: bool, seed: int, trial: int, own: Path) -> Told:
    lease, said, found = 1.0 if on_server else LEASE, own / "said", list[str]()
    place = ("half-written", "decided")[(trial // len(TOGETHER) + seed) % 2]
    child = started(partial(_freezes, own, place, lease, said))
    _, status = os.waitpid(child, os.WUNTRACED)
    others = [started(partial(_all, own, 60.0, 50)) for _ in range(TOGETHER[trial % len(TOGETHER)] - 1)]
    if on_server and others:
        for other in others:
            os.waitpid(other, 0)
        found += once(own, f"trial {trial}, frozen")
    else:
        time.sleep(lease * 1.1)
    os.kill(child, signal.SIGCONT)
    for one in (child, *(others if not on_server else ())):
        os.waitpid(one, 0)
    fired, lapsed = map(int, said.read_text().split()) if said.exists() else (0, 0)
    if not lapsed and (fired or not on_server):
        found.append(f"trial {trial}: it came back too late, fired {fired}, and was not refused")
    return int(os.WIFSTOPPED(status)), found + once(own, f"trial {trial}")


def _freezes(folder: Path, place: str, lease: float, said: Path) -> None:
    flag = folder / "flag"
    flag.write_bytes(IDLE)
    watched(Freezer(str(flag), place, 0))
    fired, lapsed = _all(folder, lease, 50)
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
    return dockets(folder, on_server, trials, 2, 8, _slow, done_once)


def _slow(trial: int, own: Path) -> Told:
    real = LetterWriter.write

    def late(self: LetterWriter, *given: Any) -> Any:
        time.sleep(1.5 * LEASE)
        return real(self, *given)

    LetterWriter.write = late  # type: ignore[method-assign]
    _, lapsed = _all(own, LEASE, 2)
    LetterWriter.write = real  # type: ignore[method-assign]
    found = [] if lapsed else [f"trial {trial}: a batch that ended after its time was not refused"]
    found += [*_overtaken(own), *once(own, f"trial {trial}"), *_sent_once(own, trial)]
    return bool(lapsed) + 1, found


def _overtaken(folder: Path) -> list[str]:
    """While the first copy is being handed over, two hours pass and another run takes everything; then the first comes back."""
    app, later, real, overtaken = office(folder, "2026-03-23T10:00"), office(folder, "2026-03-23T12:00"), MailDrop.hand_over, [0]

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


def _sent_once(folder: Path, trial: int) -> list[str]:
    found = []
    for number, parts in picture(folder).items():
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
    apart("F7-killed", "one to four schedulers killed at each place, SQLite", "P2 P3", partial(under_kills, False), lettered_apart, FIRED, 1, 80),
    apart("F7-killed-pg", "one to four schedulers killed at each place, PostgreSQL", "P2 P3", partial(under_kills, True), lettered_apart, FIRED, 0, 80),
    apart("F7-frozen", "one of 1, 2, 4 frozen past its run, continued, SQLite", "P2", partial(frozen, False), unasked, "the token is not asked for", 1, 200),
    apart("F7-frozen-pg", "one of 1, 2, 4 frozen past its run, continued, server", "P2", partial(frozen, True), unasked, "the token is not asked for", 0, 200),
    apart("F8-lease", "work longer than its claim, SQLite", "P2 P5", partial(slow, False), by_name, "no token at the end", 1, 200),
    apart("F8-lease-pg", "work longer than its claim, PostgreSQL", "P2 P5", partial(slow, True), by_name, "no token at the end", 0, 200),
)
