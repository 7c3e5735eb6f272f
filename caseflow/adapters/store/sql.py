"""The store on an SQL database. What differs between databases is kept in embedded.py (SQLite), server.py (PostgreSQL) and statements.py."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import date, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Select, select, tuple_
from sqlalchemy.exc import DBAPIError

from caseflow.adapters.store import mapping
from caseflow.adapters.store import statements as s
from caseflow.adapters.store.adoptions import adoptions
from caseflow.adapters.store.agenda import SqlAgenda
from caseflow.adapters.store.dating import dated, soonest_first
from caseflow.adapters.store.embedded import Embedded
from caseflow.adapters.store.faults import explained, is_unset
from caseflow.adapters.store.grouping import dated_only
from caseflow.adapters.store.overview import narrowed
from caseflow.adapters.store.server import Server
from caseflow.adapters.store.work import SqlWork
from caseflow.domain.moving import Adoption
from caseflow.domain.packmoves import PackMove
from caseflow.errors import BadInput, StoreFault, TryAgain
from caseflow.services.ports.lines import CaseLine, Standing
from caseflow.services.sight import Sight

# What a single act does not ask for is loaded with the first question.
if TYPE_CHECKING:
    from caseflow.adapters.store.accounts import SqlAccounts
    from caseflow.adapters.store.disposing import SqlDisposals
    from caseflow.adapters.store.feeds import SqlFeeds
    from caseflow.adapters.store.gauges import SqlGauges
    from caseflow.adapters.store.health import SqlHealth
    from caseflow.adapters.store.ledger import SqlLedger
    from caseflow.adapters.store.programs import SqlPrograms
    from caseflow.adapters.store.runs import SqlRuns
    from caseflow.adapters.store.scanning import SqlRecord
    from caseflow.adapters.store.searching import SqlSearch
    from caseflow.adapters.store.visits import SqlVisits
    from caseflow.services.ports.docket import DocketFilter

HEAD = "0016"
PAGE = 500
SERVER = "postgresql+psycopg://"


class SqlStore(SqlAgenda):
    """Implements ports.Store. `url` is an SQLAlchemy address; `busy` the seconds to wait for a lock."""

    def __init__(self, url: str, busy: float = 5.0) -> None:
        if not url.startswith(("sqlite:///", SERVER)):
            raise BadInput(f"The database '{url.partition('://')[0]}' is not known; write sqlite:///FILE or {SERVER}...")
        if url.removeprefix("sqlite:///") in ("", ":memory:"):
            raise BadInput("The database has no file, so that nothing would be kept; name one with --database, or CASEFLOW_DATABASE.")
        self.url = url
        self._kind = Server(url, busy) if url.startswith(SERVER) else Embedded(url, busy)
        self.where, self.engine = self._kind.where, self._kind.engine
        self.one_writer = isinstance(self._kind, Embedded)
        self._seen = False
        self._own = threading.local()

    @contextmanager
    def begin(self) -> Iterator[SqlWork]:
        """A writing transaction: of SQLite locked from its first moment, on a server each case as it is read."""
        with explained(self.where), self._transaction("BEGIN IMMEDIATE") as connection:
            work = SqlWork(connection, writes=True)
            yield work
            work.flush()

    @contextmanager
    def read(self) -> Iterator[SqlWork]:
        """A reading transaction: all of it as of one moment."""
        with explained(self.where), self._transaction("BEGIN") as connection:
            yield SqlWork(connection)

    @contextmanager
    def _transaction(self, how: str) -> Iterator[Connection]:
        view: Connection | None = getattr(self._own, "view", None)
        if view is not None and how == "BEGIN":
            yield view
            return
        self._must_exist()
        with self._kind.transaction(how) as connection:
            yield connection

    @contextmanager
    def together(self) -> Iterator[None]:
        """What this thread reads within is read by one connection, as of one moment. What is written meanwhile goes its own way, and
        is not seen within."""
        if getattr(self._own, "view", None) is not None:
            yield
            return
        with explained(self.where), self._transaction("BEGIN") as connection:
            self._own.view = connection
            try:
                yield
            except TryAgain as fault:
                fault.spent = False  # on this connection, but not as a whole
                raise
            finally:
                self._own.view = None

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Within `together`: what is read here is read as it is now, by connections of its own."""
        view, self._own.view = getattr(self._own, "view", None), None
        try:
            yield
        finally:
            self._own.view = view

    def _connect(self) -> AbstractContextManager[Connection]:
        view: Connection | None = getattr(self._own, "view", None)
        if view is not None:
            return nullcontext(view)
        self._must_exist()
        return self._kind.connected()

    def _must_exist(self) -> None:
        if not self._seen and self._kind.absent():
            raise StoreFault(f"There is no database {self.where}. Run 'caseflow init' first, or name another with --database.")
        self._seen = True

    def upgrade(self, live: bool | None = None) -> None:
        """Creates or migrates the database; safe to repeat. Once live, always live."""
        with explained(self.where):
            if self._version() != HEAD:
                self._migrate()
                with self._transaction("BEGIN IMMEDIATE") as connection:
                    SqlWork(connection).secret("access-code")  # from the beginning, so that every backup has the same
            with self._transaction("BEGIN IMMEDIATE") as connection:
                self._kind.settle(connection)
            if live and not self.is_live():
                with self._transaction("BEGIN IMMEDIATE") as connection:
                    connection.execute(s.kept_once(connection, s.META), {"key": "live", "value": "yes"})

    def _migrate(self) -> None:
        from alembic import command
        from alembic.config import Config
        from alembic.util import CommandError

        self._kind.make()
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
        self._seen = True
        with self._transaction("BEGIN IMMEDIATE") as connection:
            self._kind.alone(connection)
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError as error:
                text = f"The database {self.where} was made by another version of caseflow; nothing was changed."
                raise StoreFault(f"{text} Use that version, or name another file with --database.") from error

    def _version(self) -> str | None:
        return None if self._kind.absent() else self._scalar(s.read_schema)

    def _scalar(self, query: Any) -> Any:
        """One value, or None where there is no such table."""
        with self._kind.connected() as connection:
            try:
                return connection.execute(query).scalar()
            except DBAPIError as error:
                if is_unset(error):
                    return None
                raise

    def close(self) -> None:
        """Gives everything back."""
        with explained(self.where):
            self._kind.close()

    def exists(self) -> bool:
        """Whether there is a database set up for this version."""
        with explained(self.where):
            return self._version() == HEAD

    def is_older(self) -> bool:
        """Whether there is a database that another version of the program set up."""
        with explained(self.where):
            return self._version() not in (None, HEAD)

    def is_live(self) -> bool:
        """Whether the database holds a real record."""
        with explained(self.where):
            return not self._kind.absent() and self._scalar(s.read_live) == "yes"

    def next_due(self) -> datetime | None:
        """The moment of the earliest open timer."""
        with explained(self.where), self._connect() as connection:
            return next((row.at for row in s.next_due.read(connection, most=1, skip=0)), None)

    @cached_property
    def disposals(self) -> SqlDisposals:
        """Records that were disposed of."""
        from caseflow.adapters.store.disposing import SqlDisposals

        return SqlDisposals(self._transaction, self.where, self.engine)

    @cached_property
    def programs(self) -> SqlPrograms:
        """What programs sign in with, and what they were answered."""
        from caseflow.adapters.store.programs import SqlPrograms

        return SqlPrograms(self._transaction, self.where)

    @cached_property
    def accounts(self) -> SqlAccounts:
        """Who may sign in."""
        from caseflow.adapters.store.accounts import SqlAccounts

        return SqlAccounts(self._transaction, self.where)

    @cached_property
    def health(self) -> SqlHealth:
        """What the doctor asks."""
        from caseflow.adapters.store.health import SqlHealth

        return SqlHealth(self._transaction, self.where)

    def versions(self) -> tuple[str | None, str]:
        """The version that the database was set up for, None where there is none, and the one of this program."""
        with explained(self.where):
            return self._version(), HEAD

    @cached_property
    def checkpoints(self) -> SqlLedger:
        """Signed checkpoints."""
        from caseflow.adapters.store.ledger import SqlLedger

        return SqlLedger(self._transaction, self.where)

    @cached_property
    def gauges(self) -> SqlGauges:
        """What is counted for those who watch."""
        from caseflow.adapters.store.gauges import SqlGauges

        return SqlGauges(self._transaction, self.where, self._kind.pool)

    @cached_property
    def runs(self) -> SqlRuns:
        """Runs of processes."""
        from caseflow.adapters.store.runs import SqlRuns

        return SqlRuns(self._transaction, self.where)

    @cached_property
    def record(self) -> SqlRecord:
        """The whole record, read in order."""
        from caseflow.adapters.store.scanning import SqlRecord

        return SqlRecord(self._transaction, self.where)

    @cached_property
    def feeds(self) -> SqlFeeds:
        """Links to calendars."""
        from caseflow.adapters.store.feeds import SqlFeeds

        return SqlFeeds(self._transaction, self.where)

    @cached_property
    def visits(self) -> SqlVisits:
        """Who reads the status page of a case."""
        from caseflow.adapters.store.visits import SqlVisits

        return SqlVisits(self._transaction, self.where)

    @cached_property
    def search(self) -> SqlSearch:
        """The index of words."""
        from caseflow.adapters.store.searching import SqlSearch

        return SqlSearch(self._transaction, self.where, isinstance(self._kind, Embedded))

    def docket(self, wanted: DocketFilter, after: str | None = None, limit: int | None = None) -> Iterator[CaseLine]:
        """Cases by number, read by key a page at a time."""
        given, last = 0, after
        while limit is None or given < limit:
            page = PAGE if limit is None else min(PAGE, limit - given)
            rows = self._page(wanted, last, page)
            yield from (mapping.line_from(row) for row in rows)
            given += len(rows)
            if len(rows) < page:
                return
            last = rows[-1].number

    def _page(self, wanted: DocketFilter, after: str | None, size: int) -> Sequence[Any]:
        query = narrowed(wanted).order_by(s.CASE.c.number).limit(size)
        if after is not None:
            query = query.where(s.CASE.c.number > after)
        with explained(self.where), self._connect() as connection:
            return connection.execute(query).all()

    def soonest(self, wanted: DocketFilter, after: tuple[date | None, str] | None, limit: int) -> Sequence[CaseLine]:
        """Cases by target, the soonest first, then those without a date by number; `after` is the last one seen."""
        return [mapping.line_from(row) for row in self._soonest(wanted, after, limit, LINE)]

    def standings(self, wanted: DocketFilter, after: tuple[date | None, str] | None, limit: int) -> Sequence[Standing]:
        """The same, named and not read."""
        return [Standing(*row) for row in self._soonest(wanted, after, limit, STANDING)]

    def _soonest(self, wanted: DocketFilter, after: tuple[date | None, str] | None, limit: int, columns: tuple[Any, ...]) -> list[Any]:
        rows: list[Any] = []
        has_date = dated_only(wanted)
        with explained(self.where), self._connect() as connection:
            if has_date is not False and (after is None or after[0] is not None):
                rows += connection.execute(_by_target(wanted, after, limit, columns)).all()
            if len(rows) < limit and has_date is not True:
                rows += connection.execute(_undated(wanted, after[1] if after is not None and after[0] is None else None, limit - len(rows), columns)).all()
        return rows

    def dated(self, wanted: DocketFilter, first: date, last: date, timers: tuple[datetime, datetime], limit: int) -> tuple[Sequence[str], date | None]:
        """Cases that may have a date between two days, the soonest first."""
        with explained(self.where), self._connect() as connection:
            return soonest_first(dated(connection, narrowed(wanted), first, last, timers, limit), limit)

    def numbers(self, after: str | None = None) -> Iterator[str]:
        """The number of every case, in order."""
        last = after or ""
        while True:
            query = select(s.CASE.c.number).where(s.CASE.c.number > last).order_by(s.CASE.c.number).limit(PAGE)
            with explained(self.where), self._connect() as connection:
                found = list(connection.execute(query).scalars())
            yield from found
            if len(found) < PAGE:
                return
            last = found[-1]

    def seen(self, number: str, sight: Sight) -> str | None:
        """The number of the case (or of the case of that alias), where it is seen."""
        with explained(self.where), self._connect() as connection:
            row = connection.execute(s.read_seen, {"wanted": number}).first()
            if row is None:
                other = connection.execute(s.read_alias, {"wanted": number}).scalar()
                row = connection.execute(s.read_seen, {"wanted": other}).first() if other is not None else None
        return row.number if row is not None and sight.covers(row.workflow, row.assigned_to, row.flags.split()) else None

    def case_of(self, letter: str) -> str | None:
        """The case of a letter."""
        with explained(self.where), self._connect() as connection:
            found: str | None = connection.execute(select(s.LETTER.c.case).where(s.LETTER.c.number == letter)).scalar()
            return found

    def pack_files(self, version: str) -> Mapping[str, str] | None:
        """The files of a pack that the database keeps."""
        with explained(self.where), self._connect() as connection:
            files = connection.execute(select(s.PACK.c.files).where(s.PACK.c.hash == version)).scalar()
            return json.loads(files) if files is not None else None

    def calendar_text(self, digest: str) -> str | None:
        """The text of a calendar that the database keeps."""
        with explained(self.where), self._connect() as connection:
            found: str | None = connection.execute(select(s.CALENDAR.c.text).where(s.CALENDAR.c.digest == digest)).scalar()
            return found

    def adoptions(self) -> Sequence[Adoption]:
        """Every adoption of a changed calendar."""
        with explained(self.where), self._connect() as connection:
            return adoptions(connection)

    def calendars(self) -> Sequence[str]:
        """The SHA-256 of every changed calendar that the database keeps, in order."""
        with explained(self.where), self._connect() as connection:
            return list(connection.execute(select(s.CALENDAR.c.digest).order_by(s.CALENDAR.c.digest)).scalars())

    def pack_moves(self) -> Sequence[PackMove]:
        """Every move of cases between versions of a pack."""
        from caseflow.adapters.store.packmoves import pack_moves

        with explained(self.where), self._connect() as connection:
            return pack_moves(connection)

    def heartbeats(self) -> Sequence[tuple[str, datetime, str]]:
        """Who beat when."""
        from caseflow.adapters.store.runs import read_beats

        with explained(self.where), self._connect() as connection:
            return [(row.name, row.at, row.note) for row in read_beats.read(connection)]


LINE = tuple(column for column in s.CASE.c if column.name != "body")
STANDING = (s.CASE.c.number, s.CASE.c.head, s.CASE.c.next_target)


@lru_cache(512)
def _by_target(wanted: DocketFilter, after: tuple[date | None, str] | None, limit: int, columns: tuple[Any, ...]) -> Select[Any]:
    """Built once for each list: building a statement takes longer than reading a page of it."""
    number, target = s.CASE.c.number, s.CASE.c.next_target
    query = narrowed(wanted, True).with_only_columns(*columns).order_by(target, number).limit(limit)
    return query.where(tuple_(target, number) > tuple_(*after)) if after is not None else query


@lru_cache(512)
def _undated(wanted: DocketFilter, after: str | None, limit: int, columns: tuple[Any, ...]) -> Select[Any]:
    number = s.CASE.c.number
    query = narrowed(wanted, False).with_only_columns(*columns).order_by(number).limit(limit)
    return query.where(number > after) if after is not None else query
