"""Fire what is due, once, in order, whatever happens: timers are rows, claimed and settled with their effect.

A batch is one transaction with a savepoint for each case, so that one bad case is parked with the others committed, also
where only the database finds it bad. Where one lock is everybody's, a batch is short, ends early where it takes long, and is followed by
a rest that grows with it: so nobody waits for more than a batch. A sweep is a run under
a token: a process that was frozen past its time writes nothing of the batch it was in, and begins anew with what is still due.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from caseflow.domain import replay
from caseflow.errors import CaseflowError, KeyRefused, Lapsed, RecordBroken, StoreFault
from caseflow.services.acting import fired_in_place
from caseflow.services.again import again
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.ruled import ruled
from caseflow.services.runs import LEASE, Run, sweeping

if TYPE_CHECKING:
    from caseflow.services.ports.work import DueTimer, Work

BATCH = 50  # more saves no time, keeps the database longer, and outgrows the processor's cache
SHORT, HOLD = 20, 0.010
"""Timers of a batch where one lock is everybody's; and the seconds after which it takes no further one."""
PAUSE, SHARE = 0.005, 0.25
"""Seconds of rest between two batches, at least; and the part of a batch's own time that the rest is where one lock is everybody's."""
LONGEST_PAUSE = 0.5
CROWD = 3
"""Of more sweeps than these some have died, and their time is not over yet."""
LAPSES = 5
"""How often in a row a sweep may come too late before it says so: each time it takes half as much, and twice the time."""

FLAWS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What a flaw of the program raises; what the database raises is none of these."""


@dataclass(slots=True)
class Swept:
    """How a sweep ended: timers fired, timers whose action was no longer legal, timers parked after a fault; `lapsed`: batches that ended
    too late and were done again."""

    fired: int = 0
    refused: int = 0
    parked: int = 0
    canceled: int = 0
    lapsed: int = 0
    paused: float = 0.0

    def add(self, other: Swept) -> None:
        """Counts what a batch did."""
        self.fired += other.fired
        self.refused += other.refused
        self.parked += other.parked
        self.canceled += other.canceled


def sweep(
    office: Office,
    until: datetime | None = None,
    progress: Progress = quiet,
    pause: Callable[[float], None] = time.sleep,
    batch: int | None = None,
    holder: str = "",
    lease: float = LEASE,
) -> Swept:
    """Fires every timer due by `until`, in order. Recorded now, or at its own moment where that lies ahead of now. `holder` is the process
    that does it. Raises Lapsed where a batch ended too late again and again."""
    now, total, lapses = office.now(), Swept(), 0
    until = until or now
    earliest = office.store.next_due()
    if earliest is None or earliest > until:
        return total
    run, crowd = sweeping(office.store.runs, holder, lease), 1
    batch = batch or (SHORT if office.store.one_writer else BATCH)
    while True:
        size = max(1, batch // crowd)
        began = time.perf_counter()
        try:
            found, known = _batch(office, run, until, now, size, total)
            lapses = 0
        except Lapsed:
            lapses += 1
            total.lapsed += 1
            if lapses == LAPSES:
                raise
            batch = max(1, batch // 2)
            run = sweeping(office.store.runs, holder, lease * 2**lapses)
            continue
        if not found:
            office.store.runs.end(run.name, run.token)
            return total
        progress(total.fired, None, "timers")
        if known == size or found < known:
            crowd = min(office.store.runs.crowd(), CROWD) if office.store.one_writer else 1
            rest = _rest(crowd, time.perf_counter() - began, office.store.one_writer)
            total.paused += rest
            pause(rest)


def _rest(crowd: int, took: float, one_writer: bool = False) -> float:
    """How long to leave the database to others after a batch that took so long. Where one lock is everybody's, that is a part of the
    batch's time; several sweeps of one file take less at a time and leave it free for longer, or staff would not get in between them."""
    among = PAUSE + min(2 * took * (min(crowd, CROWD) - 1), LONGEST_PAUSE)
    return max(among, min(SHARE * took, LONGEST_PAUSE)) if one_writer else among


@again
def _batch(office: Office, run: Run, until: datetime, now: datetime, most: int, total: Swept) -> tuple[int, int]:
    """Fires a batch in one transaction; the answer is how many timers it took, and of how many that it knew to be due.

    A key that the database refuses shows only when the batch is written: then each timer gets a transaction of its own,
    and the one at fault is parked.
    """
    due: Sequence[DueTimer] = ()
    done, taken = Swept(), 0
    try:
        with office.store.begin() as work:
            work.under(run.name, run.token, run.seconds)
            due = work.due(until, most)
            began = time.perf_counter()
            for timer in due:
                _one(office, work, timer, max(now, timer.timer.at), done)
                taken += 1
                if office.store.one_writer and time.perf_counter() - began > HOLD:
                    break
    except KeyRefused as fault:
        if not due:
            raise
        if len(due) > 1:
            for _ in due:
                _batch(office, run, until, now, 1, total)
            return len(due), len(due)
        done = Swept(parked=1)
        with office.store.begin() as work:
            work.under(run.name, run.token, run.seconds)
            work.settle(due[0].row, "parked", str(fault)[:500])
    total.add(done)
    return taken, len(due)


def _one(office: Office, work: Work, due: DueTimer, moment: datetime, total: Swept) -> None:
    try:
        with work.savepoint():
            fired = _fire(office, work, due, moment)
    except (CaseflowError, *FLAWS) as fault:
        if isinstance(fault, StoreFault) and not isinstance(fault, RecordBroken):
            raise
        # A flaw of the program that one case brings to light must not hold up the others; the case is shown as stuck.
        text = str(fault) if isinstance(fault, CaseflowError) else f"The program failed on this case ({type(fault).__name__}); report it."
        work.settle(due.row, "parked", text[:500])
        total.parked += 1
        return
    if fired is None:
        work.settle(due.row, "canceled")
        total.canceled += 1
    elif fired == "timer-refused":
        total.refused += 1
    else:
        total.fired += 1


def _fire(office: Office, work: Work, due: DueTimer, moment: datetime) -> str | None:
    """The action that a timer took, or None where its reason has gone. Guards are asked under the lock."""
    case, book = ruled(office, work, work.case(due.case))
    outcome = replay.fire(book, case, due.timer, moment, office.key(), lambda: work.entries(due.case))
    if outcome is None:
        return None
    fired_in_place(office, work, book, case, outcome, moment)
    return outcome.entries[0].action
