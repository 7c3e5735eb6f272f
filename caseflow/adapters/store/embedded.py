"""What is particular to SQLite: one file, one writer at a time, WAL. The single writer is the lock."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import quote
from weakref import WeakMethod

from sqlalchemy import Connection, Engine, create_engine, event

POLL, LATER, LONG = 0.001, 0.005, 0.1
"""Seconds between two tries to become the writer: at first, and once the wait is long."""
KEPT = 10
"""Connections that stay open: one for each thread that makes pages, and some beside. Opening one takes longer than a page, since SQLite reads the schema."""


class Embedded:
    """A database in a file. `busy`: the seconds to wait for the other writer."""

    def __init__(self, url: str, busy: float) -> None:
        self.file = self.where = url.removeprefix("sqlite:///")
        self.engine, self._busy = _engine(url, busy), busy
        self._resting: list[Connection] = []
        self._inherited: list[Connection] = []
        self._process = os.getpid()
        own = WeakMethod(self._let_go)  # whoever forgets to close leaves no connection behind: nothing here holds on to itself

        @event.listens_for(self.engine, "engine_disposed")
        def _disposed(_engine: Engine) -> None:
            let_go = own()
            if let_go is not None:
                let_go()

    def absent(self) -> bool:
        """Whether there is no file yet: SQLite would leave an empty one where somebody misspelt the name."""
        return not os.path.exists(self.file)

    def make(self) -> None:
        """The empty file, for its owner alone: it will hold people's addresses, and the secrets of codes."""
        if self.absent():
            with suppress(OSError):  # SQLite says better what hinders it
                os.close(os.open(self.file, os.O_CREAT, 0o600))

    @contextmanager
    def transaction(self, how: str) -> Iterator[Connection]:
        """A deferred transaction that reads first and writes later loses against another writer: SQLite is told how."""
        with self.connected() as connection, connection.begin():
            driver = _driver(connection)
            if how == "BEGIN":
                driver.execute(how)
            else:
                self._become_writer(driver, how)
            yield connection

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """A connection for a while. Taking one from SQLAlchemy and giving it back takes as long as half of the statements of an act: some stay taken."""
        connection = self._taken()
        try:
            yield connection
        finally:
            self._given_back(connection)

    def _taken(self) -> Connection:
        if self._process != os.getpid():  # what a parent has open is not its child's, neither to use nor to close
            self._inherited, self._resting, self._process = self._resting, [], os.getpid()
        try:
            return self._resting.pop()
        except IndexError:
            return self.engine.connect()

    def _given_back(self, connection: Connection) -> None:
        """Only one that is known to be at rest stays: where the end of a transaction failed, SQLAlchemy takes the connection back and sees to it."""
        rests = False
        try:
            if connection.in_transaction():
                connection.rollback()
            rests = len(self._resting) < KEPT and not connection.invalidated and not _driver(connection).in_transaction
        finally:
            if rests:
                self._resting.append(connection)
            else:
                connection.close()

    def _let_go(self) -> None:
        while self._resting and self._process == os.getpid():
            connection = self._resting.pop()
            connection.detach()  # from a pool that is gone, which would keep it open
            connection.close()

    def _become_writer(self, driver: sqlite3.Connection, how: str) -> None:
        """SQLite asks for the lock ever more rarely the longer it waits, up to ten times a second, so that beside a sweep, which keeps taking
        it, a person would be served by chance. Asking all the time, they get it as soon as the sweep rests."""
        began = time.monotonic()
        driver.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    driver.execute(how)
                    return
                except sqlite3.OperationalError as error:
                    waited = time.monotonic() - began
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or waited >= self._busy:
                        raise
                time.sleep(POLL if waited < LONG else LATER)
        finally:
            driver.execute(f"PRAGMA busy_timeout = {round(self._busy * 1000)}")

    def pool(self) -> tuple[int, int]:
        """Connections of this process: in use, and at rest."""
        pool: Any = self.engine.pool
        return max(0, pool.checkedout() - len(self._resting)), pool.checkedin() + len(self._resting)

    def alone(self, connection: Connection) -> None:
        """Before a migration: BEGIN IMMEDIATE keeps every other writer out already."""

    def settle(self, connection: Connection) -> None:
        """Whoever may open the file may do everything."""

    def close(self) -> None:
        """Gives the file back, with nothing left beside it."""
        with self.engine.connect() as connection:
            _driver(connection).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.engine.dispose()


def _engine(url: str, busy: float) -> Engine:
    arguments = {"timeout": busy, "isolation_level": None, "check_same_thread": False}
    engine = create_engine(_address(url), pool_size=KEPT, max_overflow=2 * KEPT, connect_args=arguments)

    @event.listens_for(engine, "connect")
    def _settle(connection: Any, _record: Any) -> None:
        for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _address(url: str) -> str:
    """The address of a file; of one that may only be read, the address by which SQLite needs to write nothing beside it.

    What a process that died has left in the journal beside it would not be read that way: then the file is opened as usual, and SQLite says what hinders it.
    """
    file = os.path.abspath(url.removeprefix("sqlite:///"))
    journal = f"{file}-wal"
    left = os.path.exists(journal) and os.path.getsize(journal) > 0
    if not os.path.exists(file) or left or (_writable(file) and _writable(os.path.dirname(file))):
        return url
    return f"sqlite:///file:{quote(file)}?immutable=1&uri=true"


def _writable(path: str) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _driver(connection: Connection) -> Any:
    # An engine that listens to its own events pays for it with every statement.
    return connection.connection.driver_connection
