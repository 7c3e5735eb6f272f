"""A scheduler process to be killed: sweeps in a loop until nothing is due, and may kill itself at a chosen place.

`python -m tests.faults.sweeper DATABASE MOMENT FLAG PLACE AFTER BATCH [defect]`. FLAG is a file of one byte, B while a
transaction holds due timers, so that whoever finds the process dead knows whether it was at work. PLACE is where it
dies, once AFTER batches are done. `defect` writes letters in a transaction of their own.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from caseflow.adapters.store import mapping
from caseflow.adapters.store import statements as s
from caseflow.adapters.store.sql import SqlStore
from caseflow.adapters.store.work import SqlWork
from caseflow.bootstrap import App
from caseflow.errors import StoreFault
from caseflow.services.sweeping import sweep

PLACES = ("decided", "half-written", "written", "committed")
"""Before the first write, after some of them, after the last but before COMMIT, and right after COMMIT."""
FREE = "nowhere"
BUSY, IDLE = b"B", b"I"


class Watch:
    """Says where the process is, and ends it at its place."""

    def __init__(self, flag: str, place: str, after: int) -> None:
        with open(flag, "r+b") as file:
            self._flag = mmap.mmap(file.fileno(), 1)
        self._place = place
        self._left = after
        self.statements = 0

    def busy(self, is_busy: bool) -> None:
        """Notes whether due timers are held."""
        self._flag[0:1] = BUSY if is_busy else IDLE

    def reach(self, place: str) -> None:
        """Dies here, if this is the place and its time has come."""
        if self._left <= 0 and place == self._place:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= place == PLACES[-1]


def watched(watch: Watch) -> None:
    """Puts the watch around what a transaction does."""
    due, flush, many, begin = SqlWork.due, SqlWork.flush, SqlWork._many, SqlStore.begin

    def watched_due(self: SqlWork, *given: Any) -> Any:
        found = due(self, *given)
        watch.busy(bool(found))
        return found

    def watched_flush(self: SqlWork) -> None:
        if self._buffer.saved:
            watch.reach("decided")
        watch.statements = 0
        flush(self)
        if self._buffer.saved:
            watch.reach("written")

    def watched_many(self: SqlWork, statement: Any, values: Any) -> int:
        made = many(self, statement, values)
        watch.statements += bool(values)
        if watch.statements >= 2:
            watch.reach("half-written")
        return made

    @contextmanager
    def watched_begin(self: SqlStore) -> Iterator[SqlWork]:
        with begin(self) as work:
            yield work
        watch.busy(False)
        if work._buffer.saved:
            watch.reach("committed")

    SqlWork.due, SqlWork.flush, SqlWork._many, SqlStore.begin = watched_due, watched_flush, watched_many, watched_begin


def letters_apart() -> None:
    """The planted fault: what is fired is committed first, and its letters after that."""
    flush, begin = SqlWork.flush, SqlStore.begin

    def flush_without(self: SqlWork) -> None:
        self._apart = list(self._buffer.saved)
        self._buffer.saved = [replace(one, letters=()) for one in self._apart]
        flush(self)

    @contextmanager
    def begin_twice(self: SqlStore) -> Iterator[SqlWork]:
        with begin(self) as work:
            yield work
        letters = [mapping.registered(written, one.outcome.case.pack_version) for one in work._apart for written in one.letters]
        if letters:
            with begin(self) as second:
                s.insert_letter.change(second._connection, [mapping.letter_values(letter) for letter in letters])

    SqlWork.flush, SqlStore.begin = flush_without, begin_twice


def main(database: str, moment: str, flag: str, place: str, after: str, batch: str, defect: str = "") -> None:
    """Sweeps until nothing is due."""
    watched(Watch(flag, place, int(after)))
    if defect:
        letters_apart()
    app = App(database, at=moment)
    office, until = app.office, app.now()
    print("ready", flush=True)
    while (earliest := office.store.next_due()) is not None and earliest <= until:
        try:
            sweep(office, batch=int(batch))
        except StoreFault as fault:
            print(fault, file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
