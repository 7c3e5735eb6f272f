"""Disposal on an SQL database: the rows of one case go in one transaction, behind a stub that stands for them; then what lay in freed pages.

The database itself keeps the rows of every case that has no stub, and refuses a stub for a case that is open, changed or under legal hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, insert, select, text, tuple_

from caseflow.adapters.store import mapping
from caseflow.adapters.store import statements as s
from caseflow.adapters.store.apart import SqlApart, Transaction
from caseflow.adapters.store.buffer import stale
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.tables import keeping, programs
from caseflow.domain.case import NO_HASH, Case
from caseflow.domain.imported import LINE
from caseflow.domain.retention import Stub

DISPOSAL: Any = keeping.DisposalRow.__table__  # type: ignore[attr-defined]
CONTENT: Any = keeping.DisposedContent.__table__  # type: ignore[attr-defined]
VISIT: Any = programs.VisitRow.__table__  # type: ignore[attr-defined]
TOLD: Any = programs.FeedEventRow.__table__  # type: ignore[attr-defined]
ANSWER: Any = programs.ApiAnswer.__table__  # type: ignore[attr-defined]
RESIDUE = "disposal-residue"
"""Under which key the database says that freed pages may still hold what was removed."""
ANSWERS_KEPT = timedelta(hours=24)
OF_CASE = (s.COPY, s.LETTER, s.DOCUMENT, s.TIMER, s.LIMIT, s.COMMAND, VISIT, s.ALIAS, TOLD, s.ENTRY)
"""Tables with a column `case`, those first that others belong to last. Who looked at a case stays: it names people of the agency alone."""
WORDS = ("search_due", "search_row")
_OWNED = text("SELECT tableowner = current_user FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'entry'")


def stub_from(row: Any) -> Stub:
    """A stub from its columns."""
    return Stub(row.place, mapping.entry_from(row))


def read_stub(connection: Connection, number: str) -> Stub | None:
    """The stub of a case."""
    row = connection.execute(select(DISPOSAL).where(DISPOSAL.c.case == number)).first()
    return stub_from(row) if row is not None else None


def last_disposal(connection: Connection) -> tuple[int, str]:
    """The place and hash of the last disposal."""
    row = connection.execute(select(DISPOSAL.c.place, DISPOSAL.c.hash).order_by(DISPOSAL.c.place.desc()).limit(1)).first()
    return (row.place, row.hash) if row is not None else (0, NO_HASH)


def dispose(connection: Connection, case: Case, stub: Stub) -> None:
    """Puts a stub in the place of a case. Raises StaleCase where it has changed since it was read."""
    lite = connection.dialect.name == "sqlite"
    if lite:
        connection.exec_driver_sql("PRAGMA secure_delete = ON")
    locked = connection.execute(select(s.CASE.c.version).where(s.CASE.c.number == case.number).with_for_update()).scalar()
    if locked != case.version:
        raise stale(case.number)
    connection.execute(insert(DISPOSAL).values({"place": stub.place, "request": case.request, **mapping.entry_values(stub.entry)}))
    _note_contents(connection, case.number)
    _drop_words(connection, case.number, lite)
    copies = select(s.COPY.c.id).where(s.COPY.c.case == case.number)
    connection.execute(delete(s.ATTEMPT).where(s.ATTEMPT.c["copy"].in_(copies)))
    for table in OF_CASE:
        connection.execute(delete(table).where(table.c.case == case.number, *_but(table)))
    connection.execute(delete(s.CASE).where(s.CASE.c.number == case.number))
    # An answer to a program may repeat the case; it is kept for a day, and goes with it when that is over.
    connection.execute(delete(ANSWER).where(ANSWER.c.at < stub.entry.recorded_at - ANSWERS_KEPT))
    connection.execute(delete(s.META).where(s.META.c.key == RESIDUE))
    connection.execute(insert(s.META).values(key=RESIDUE, value=stub.entry.recorded_at.isoformat()))


def _but(table: Any) -> tuple[Any, ...]:
    """What stays: from which line of an import a case came, by the hash of that line, so that the line never makes it again."""
    return (~table.c.id.startswith(LINE),) if table is s.COMMAND else ()


def _note_contents(connection: Connection, number: str) -> None:
    """Contents that no other case holds are noted, so that their files go even if the program dies before it removes them."""
    other = s.DOCUMENT.alias()
    shared = select(other.c.id).where(other.c.sha256 == s.DOCUMENT.c.sha256, other.c.case != number).exists()
    noted = select(CONTENT.c.sha256).where(CONTENT.c.sha256 == s.DOCUMENT.c.sha256).exists()
    only = select(s.DOCUMENT.c.sha256).where(s.DOCUMENT.c.case == number, ~shared, ~noted).distinct()
    connection.execute(insert(CONTENT).from_select(["sha256"], only))


def _drop_words(connection: Connection, number: str, lite: bool) -> None:
    given = {"case": number}
    if lite:
        row = connection.execute(text('SELECT id FROM search_row WHERE "case" = :case'), given).scalar()
        if row is not None:
            connection.execute(text("DELETE FROM search_text WHERE rowid = :row"), {"row": row})
    else:
        connection.execute(text('DELETE FROM search_text WHERE "case" = :case'), given)
    for table in WORDS:
        connection.execute(text(f'DELETE FROM {table} WHERE "case" = :case'), given)  # noqa: S608 - names of this file


class SqlDisposals(SqlApart):
    """Implements ports of services/disposal.py on the store's engine."""

    def __init__(self, transaction: Transaction, where: str, engine: Engine) -> None:
        super().__init__(transaction, where)
        self._engine = engine

    def stub(self, number: str) -> Stub | None:
        """The stub of a case."""
        with explained(self._where), self._transaction("BEGIN") as connection:
            return read_stub(connection, number)

    def stubs(self, after: int = 0, limit: int = 500) -> Sequence[Stub]:
        """Stubs in the order of disposal, after a place."""
        return [stub_from(row) for row in self._read(select(DISPOSAL).where(DISPOSAL.c.place > after).order_by(DISPOSAL.c.place).limit(limit))]

    def latest(self, limit: int) -> Sequence[Stub]:
        """The newest stubs, the last first."""
        return [stub_from(row) for row in self._read(select(DISPOSAL).order_by(DISPOSAL.c.place.desc()).limit(limit))]

    def count(self) -> int:
        """How many records were disposed of."""
        return int(self._read(select(func.count()).select_from(DISPOSAL))[0][0])

    def ended(self, until: date, after: tuple[date, str] | None, limit: int) -> Sequence[tuple[date, str]]:
        """Cases that ended by a day, the earliest first: (day, number), after a key."""
        query = select(s.CASE.c.decided_on, s.CASE.c.number).where(s.CASE.c.decided_on.is_not(None), s.CASE.c.decided_on <= until, s.CASE.c.ends)
        if after is not None:
            query = query.where(tuple_(s.CASE.c.decided_on, s.CASE.c.number) > tuple_(*after))
        return [(row.decided_on, row.number) for row in self._read(query.order_by(s.CASE.c.decided_on, s.CASE.c.number).limit(limit))]

    def left(self) -> Mapping[str, Sequence[str]]:
        """Tables that still hold something of a case that was disposed of, by case: there are none."""
        found: dict[str, list[str]] = {}
        gone = select(DISPOSAL.c.case)
        for table in (*OF_CASE, s.CASE):
            column = table.c.number if table is s.CASE else table.c.case
            for row in self._read(select(column.label("of_case")).where(column.in_(gone), *_but(table)).distinct()):
                found.setdefault(row.of_case, []).append(table.name)
        return found

    def contents(self) -> Iterator[str]:
        """Contents whose files are still to go."""
        yield from [row.sha256 for row in self._read(select(CONTENT.c.sha256).order_by(CONTENT.c.sha256))]

    def drop_content(self, sha256: str, unlink: Callable[[str], None]) -> bool:
        """Lets the file of a content go, unless a document that came meanwhile has the same one; whether it went."""
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            if connection.dialect.name != "sqlite":
                connection.exec_driver_sql("LOCK TABLE document IN SHARE ROW EXCLUSIVE MODE")  # who adds one has its row before its file is kept
            wanted = connection.execute(select(s.DOCUMENT.c.id).where(s.DOCUMENT.c.sha256 == sha256).limit(1)).first()
            if wanted is None:
                unlink(sha256)
            connection.execute(delete(CONTENT).where(CONTENT.c.sha256 == sha256))
        return wanted is None

    def residue(self) -> bool:
        """Whether freed pages may still hold what was removed."""
        return bool(self._read(select(s.META.c.value).where(s.META.c.key == RESIDUE)))

    def rewrite(self, moment: datetime) -> bool:
        """Writes the database anew without its freed pages; whether nothing is left of them. Somebody who reads meanwhile may keep the
        journal of changes from being cut off, and on a server only the owner of the tables can do it: then the answer is False."""
        with explained(self._where), self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            if connection.dialect.name != "sqlite":
                # A server passes over tables of which the user is not the owner, with no more than a warning.
                clean = bool(connection.execute(_OWNED).scalar())
                if clean:
                    names = ", ".join(f'"{table.name}"' for table in (*OF_CASE, s.CASE, s.ATTEMPT, ANSWER))
                    connection.exec_driver_sql(f"VACUUM (FULL) {names}, search_text")
            else:
                connection.exec_driver_sql("INSERT INTO search_text(search_text) VALUES ('optimize')")
                connection.exec_driver_sql("VACUUM")
                clean = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0] == 0
        if clean:
            self._write(delete(s.META).where(s.META.c.key == RESIDUE))
        return clean
