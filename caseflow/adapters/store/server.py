"""What is particular to PostgreSQL: connections that are renewed and bounded, snapshots for readers, and a COMMIT whose answer was lost.

Which rows are locked is said where they are read (statements.py); what an error means in faults.py.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy import Connection, RootTransaction, create_engine, event, make_url, text
from sqlalchemy.exc import DBAPIError, DisconnectionError

from caseflow.adapters.store.faults import code_of, is_lost
from caseflow.adapters.store.grants import give
from caseflow.errors import BadInput, NotKnown

LONGEST = 60
"""Seconds that one statement may take; a migration or a backup may take longer."""
IDLE = 300
"""Seconds after which the server ends a transaction whose process sleeps, so that a frozen process holds nobody up."""
ASKED = 15.0
"""Seconds for which the server is asked whether a COMMIT was done whose answer was lost."""
RESTED = 1.0
"""Seconds of rest after which a connection is asked whether it still is one."""
MIGRATING = 0x63617365
"""The key of the lock that one migration holds at a time."""

LIFE = "SELECT stats_reset::text FROM pg_stat_bgwriter"
"""When the server began to count anew, which it does after a crash and not after a restart."""
AHEAD = "22023"
"""The code of a transaction whose number was not given yet: it was lost with a crash."""

IN_ORDER = "SELECT 'Z' < 'a' AND '!b' < '-a'"
"""Whether text is ordered by the codes of its letters, as SQLite orders it and as keys of lists rely on."""


class Server:
    """A database on a server. `busy`: the seconds to wait for a row that somebody else has locked."""

    def __init__(self, url: str, busy: float) -> None:
        address = make_url(url)
        host = address.host or str(address.query.get("host", "this machine"))
        self.where = f"'{address.database}' on {host}"
        limits = {"lock_timeout": round(busy * 1000), "statement_timeout": LONGEST * 1000, "idle_in_transaction_session_timeout": IDLE * 1000}
        alive = {"tcp_keepalives_idle": 30, "tcp_keepalives_interval": 10, "tcp_keepalives_count": 3}  # of a machine that is gone no lock stays
        settings = " ".join(f"-c {name}={value}" for name, value in {**limits, **alive, "TimeZone": "UTC"}.items())
        given = str(address.query.get("options", ""))
        address = address.difference_update_query(["options"])
        try:
            self.engine = create_engine(
                address,
                pool_size=10,
                max_overflow=20,
                connect_args={"options": f"{settings} {given}".strip(), "connect_timeout": 5, "application_name": "caseflow"},
            )
        except ModuleNotFoundError:
            raise BadInput("The driver of PostgreSQL is not installed; pip install 'caseflow-agency[postgresql]' adds it.") from None
        weakref.finalize(self, self.engine.dispose)  # whoever forgets to close leaves no connection behind
        event.listen(self.engine, "checkin", _rested)
        event.listen(self.engine, "checkout", _renewed)

    def absent(self) -> bool:
        """A server says by itself what is missing."""
        return False

    def make(self) -> None:
        """A database on a server is made by its administrator."""

    @contextmanager
    def transaction(self, how: str) -> Iterator[Connection]:
        """To read is to see one moment, whatever is written meanwhile; to write is to see what is, under locks on what is changed."""
        with self.engine.connect() as connection:
            if how == "BEGIN":
                connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
                transaction = connection.begin()
                try:
                    yield connection
                finally:
                    _end_reading(transaction)
                return
            transaction = connection.begin()
            try:
                yield connection
                self._commit(connection, transaction)
            finally:
                if transaction.is_active:
                    transaction.rollback()

    def _commit(self, connection: Connection, transaction: RootTransaction) -> None:
        """Where the answer is lost, the server is asked whether it was done: nothing is done twice, and nothing done is told as failed."""
        number, life = _numbered(connection)
        try:
            transaction.commit()
        except DBAPIError as error:
            if number is None or not is_lost(error) or not self._was_done(number, life):
                raise

    def _was_done(self, number: str, life: str) -> bool:
        """Of a transaction by its number. A server that crashed gives numbers again that it lost, so that what bears it may be another's:
        whether that of ours was done, nobody can say then."""
        until, pause = time.monotonic() + ASKED, 0.02
        while time.monotonic() < until:
            try:
                with self.engine.connect() as connection:
                    asked = text(f"SELECT pg_xact_status(CAST(:number AS xid8)), ({LIFE})")
                    said, now = connection.execute(asked, {"number": number}).one()
            except DBAPIError as error:
                if code_of(error) == AHEAD:
                    return False
                if not is_lost(error):
                    raise
                said, now = "out of reach", life
            crashed = now != life
            if said == "aborted" or crashed and said == "in progress":
                return False
            if said == "committed":
                if crashed:
                    break
                return True
            time.sleep(pause)  # it is being done at this moment, or the server is starting
            pause = min(pause * 2, 0.5)
        text_ = f"The database {self.where} was lost before it said whether this was done; it may have been. Look before you do it again."
        raise NotKnown(text_)

    def connected(self) -> AbstractContextManager[Connection]:
        """A connection for a while."""
        return self.engine.connect()

    def pool(self) -> tuple[int, int]:
        """Connections of this process: in use, and at rest."""
        pool: Any = self.engine.pool
        return pool.checkedout(), pool.checkedin()

    def alone(self, connection: Connection) -> None:
        """Before a migration: one at a time, for as long as it takes; and only where letters are ordered by their code."""
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
        if not connection.exec_driver_sql(IN_ORDER).scalar():
            raise BadInput(
                f"The database {self.where} orders text by a language, and lists would come in another order than everywhere else; "
                "make it with: CREATE DATABASE caseflow ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8' TEMPLATE template0"
            )

    def settle(self, connection: Connection) -> None:
        """After a migration, and whenever the owner asks: every role may do what it may."""
        give(connection)

    def close(self) -> None:
        """Gives the connections back."""
        self.engine.dispose()


def _numbered(connection: Connection) -> tuple[str | None, str]:
    """The number of this transaction, where it wrote something, and the life of the server: a connection belongs to one, and asks once."""
    known = connection.info.get("life")
    if known is not None:
        return connection.exec_driver_sql("SELECT pg_current_xact_id_if_assigned()::text").scalar(), known
    number, life = connection.exec_driver_sql(f"SELECT pg_current_xact_id_if_assigned()::text, ({LIFE})").one()
    connection.info["life"] = life
    return number, life


def _end_reading(transaction: RootTransaction) -> None:
    """What was read is read, whether or not the server still hears that no more is wanted."""
    try:
        transaction.rollback()
    except DBAPIError as error:
        if not is_lost(error):
            raise


def _rested(_driver: Any, record: Any) -> None:
    record.info["rests_since"] = time.monotonic()


def _renewed(driver: Any, record: Any, _fairy: Any) -> None:
    """A connection that has rested for a while may have been ended by a restart of the server: it is asked first, and made anew."""
    if time.monotonic() - record.info.get("rests_since", time.monotonic()) < RESTED:
        return
    try:
        driver.autocommit = True
        driver.execute("")
        driver.autocommit = False
    except Exception:
        raise DisconnectionError from None
