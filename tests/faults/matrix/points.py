"""Every place at which a process can die or be told of an error: each statement, COMMIT, file written, letter rendered, message handed over.

`forked` does a piece of work in a process of its own that is ready at once, since it is a copy of this one; `armed` ends it, or raises there,
at the n-th place. Leaves to others what is worked and what must hold afterwards.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import psycopg

from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.mail.drop import MailDrop
from caseflow.errors import CaseflowError, LetterFault, NotNow

LONGEST = 300
"""Seconds after which work that does not end counts as hanging."""
Fault = Callable[[str, "Points"], None]


@dataclass
class Points:
    """Counts the places that are reached, and does its fault at the n-th; at none where `nth` is 0.

    `passes` is a planted fault: the error of a statement that writes is passed over, and what it would have written is not there.
    `wire`: the connection to a server that was used last. `seen`: each place in order, by its kind (`writes`: a statement that does).
    """

    nth: int
    fault: Fault
    kinds: tuple[str, ...] = ()
    passes: bool = False
    count: int = 0
    reached: Counter[str] = field(default_factory=Counter)
    wire: Any = None
    seen: list[str] = field(default_factory=list)

    def reach(self, kind: str) -> None:
        """A place, before what is done there is done (`committed`, `left`: after it)."""
        if self.kinds and kind not in self.kinds:
            return
        self.count += 1
        self.reached[kind] += 1
        self.seen.append(kind)
        if self.count == self.nth:
            self.fault(kind, self)


def death(_kind: str, _points: Points) -> None:
    """The process is gone, and knows nothing of it."""
    os.kill(os.getpid(), signal.SIGKILL)


def error(kind: str, points: Points) -> None:
    """What is reached fails as it does in life."""
    if kind in ("execute", "commit"):
        raise sqlite3.OperationalError("disk I/O error") if points.wire is None else _of_a_server(kind, points)
    if kind == "file":
        raise OSError(errno.EIO, os.strerror(errno.EIO))
    if kind == "render":
        raise LetterFault("The letter can't be written: the renderer failed.")
    if kind == "mail":
        raise NotNow("The mail server did not answer.")


SAID = (psycopg.errors.SerializationFailure, psycopg.errors.QueryCanceled, psycopg.errors.DiskFull)


def _of_a_server(kind: str, points: Points) -> psycopg.Error:
    """One of four, by the place: it got in somebody's way, took too long, has no room, or is gone."""
    place = points.nth % (len(SAID) + 1)
    if place < len(SAID):
        if kind == "commit":  # a server that refuses to commit has ended the transaction
            points.wire.rollback()
        return SAID[place]("of the tests")
    points.wire.close()
    return psycopg.OperationalError("the connection is closed")


DEADLY = ("execute", "commit", "committed", "file", "filed", "render", "mail", "left")
TELLING = ("execute", "commit", "file", "render", "mail")


def armed(points: Points) -> None:
    """Puts the points around what the product does. Only in a process that ends soon: nothing is taken off again."""
    _database(points)
    _files(points)
    for thing, name, before, after in (
        (LetterWriter, "write", "render", ""),
        (LetterWriter, "pdf", "render", ""),
        (MailDrop, "hand_over", "mail", "left"),
    ):
        _around(points, thing, name, before, after)


def _around(points: Points, thing: Any, name: str, before: str, after: str) -> None:
    real = getattr(thing, name)

    def done(*given: Any, **named: Any) -> Any:
        points.reach(before)
        made = real(*given, **named)
        if after:
            points.reach(after)
        return made

    setattr(thing, name, done)


def _database(points: Points) -> None:
    class Cursor(sqlite3.Cursor):
        def execute(self, *given: Any) -> Any:
            return self if _passed(points, given[0]) else super().execute(*given)

        def executemany(self, *given: Any) -> Any:
            return self if _passed(points, given[0]) else super().executemany(*given)

    class Connection(sqlite3.Connection):
        def cursor(self, *_: Any) -> Any:
            return super().cursor(Cursor)

        def commit(self) -> None:
            points.reach("commit")
            super().commit()
            points.reach("committed")

    real = sqlite3.dbapi2.connect
    sqlite3.dbapi2.connect = lambda *given, **named: real(*given, **named, factory=Connection)  # type: ignore[misc]
    for name in ("execute", "executemany"):
        _server_too(points, name)
    _server_commits(points)


def _passed(points: Points, statement: str) -> bool:
    writes = statement.startswith(("INSERT", "UPDATE", "DELETE"))
    try:
        points.reach("execute")
    except (sqlite3.Error, psycopg.Error):
        if points.passes and writes:
            return True
        raise
    if writes and points.seen:
        points.seen[-1] = "writes"
    return False


def _server_too(points: Points, name: str) -> None:
    """At the driver, since the program sends some statements past everything else."""
    real = getattr(psycopg.Cursor, name)

    def done(self: Any, query: Any, *given: Any, **named: Any) -> Any:
        points.wire = self.connection
        return self if _passed(points, str(query)) else real(self, query, *given, **named)

    setattr(psycopg.Cursor, name, done)


def _server_commits(points: Points) -> None:
    real = psycopg.Connection.commit

    def done(self: Any) -> None:
        points.wire = self
        points.reach("commit")
        real(self)
        points.reach("committed")

    psycopg.Connection.commit = done  # type: ignore[method-assign]


def _files(points: Points) -> None:
    for name in ("fsync", "replace", "rename", "unlink", "link", "mkdir"):
        _around(points, os, name, "file", "filed")
    real = os.open

    def opened(path: Any, flags: int, *given: Any, **named: Any) -> int:
        if flags & os.O_CREAT:
            points.reach("file")
        return real(path, flags, *given, **named)

    os.open = opened


# --- a process of its own -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ended:
    """How a piece of work ended: `killed`; or with an answer; or refused in words (`said`); or with an error that is none of ours (`broke`)."""

    killed: bool = False
    hung: bool = False
    answer: Any = None
    said: str = ""
    broke: str = ""
    reached: int = 0
    seen: tuple[str, ...] = ()
    fired: bool = False
    seconds: float = 0.0

    @property
    def untouched(self) -> bool:
        """Whether the fault never happened, since there were fewer places."""
        return not self.killed and not self.fired


def forked(work: Callable[[], Any], points: Points | None = None, first: Callable[[], None] | None = None, seconds: int = LONGEST) -> Ended:
    """Does work in a copy of this process. `first`: what is broken on purpose in it; `seconds`: how long it may take."""
    begun = time.perf_counter()
    near, far = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(near)
        signal.alarm(seconds)
        _tell(far, _done(work, points, first))
    os.close(far)
    with os.fdopen(near, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    took = time.perf_counter() - begun
    if os.WIFSIGNALED(status):
        return Ended(killed=os.WTERMSIG(status) == signal.SIGKILL, hung=os.WTERMSIG(status) == signal.SIGALRM, seconds=took)
    return Ended(**json.loads(told), seconds=took)


def _done(work: Callable[[], Any], points: Points | None, first: Callable[[], None] | None) -> dict[str, Any]:
    made: dict[str, Any] = {}
    try:
        if first is not None:
            first()
        if points is not None:
            armed(points)
        made["answer"] = work()
    except CaseflowError as fault:
        made["said"] = f"{type(fault).__name__}: {fault}"
    except BaseException as fault:  # noqa: BLE001 - it is told, and judged
        made["broke"] = f"{type(fault).__name__}: {fault}"
    if points is not None:
        made |= {"reached": points.count, "seen": points.seen if not points.nth else (), "fired": 0 < points.nth <= points.count}
    return made


def _tell(pipe: int, made: dict[str, Any]) -> None:
    data = json.dumps(made, default=str).encode()
    while data:
        data = data[os.write(pipe, data) :]
    os._exit(0)
