"""All rows of one database into another, empty one, of whichever kind: counted and compared table by table, and taken up again after a kill.

The index of words is not carried: it is made anew from the cases. Files beside a database are carried by whoever calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select, text, tuple_

from caseflow.adapters.store import statements as s
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.sql import SqlStore
from caseflow.adapters.store.tables.whole import METADATA
from caseflow.errors import BadInput, StoreFault
from caseflow.services.office import Progress, quiet

BATCH = 2_000
INDEX = ("search_due", "search_row")
ARRIVING = "arriving-from"
"""Under which key a database that is being filled says from where, so that only the same one is taken up again."""
MADE_BY_SETUP = "secret:access-code"


def relocate(source: SqlStore, target: SqlStore, progress: Progress = quiet) -> list[dict[str, Any]]:
    """Carries everything: [{table, rows, sha256}]. Raises BadInput where the target holds something else; the target is set up already."""
    with explained(target.where), source._transaction("BEGIN") as reading:
        origin = sha256(str(_meta(reading, MADE_BY_SETUP)).encode()).hexdigest()
        with target._transaction("BEGIN IMMEDIATE") as writing:
            _begin(writing, target.where, origin)
        total = sum(_count(reading, table) for table in tables())
        done = 0
        for table in tables():
            for carried in _carry(reading, target, table):
                done += carried
                progress(done, total, "rows")
        return _end(reading, target, progress, total)


def tables() -> Sequence[Table]:
    """Every table that is carried, those first that others belong to."""
    return [table for table in METADATA.sorted_tables if table.name not in INDEX]


def _begin(writing: Connection, where: str, origin: str) -> None:
    known = _meta(writing, ARRIVING)
    if known == origin:
        return
    others = [table.name for table in tables() if table is not s.META and _count(writing, table)]
    others += writing.execute(select(s.META.c.key).where(s.META.c.key != MADE_BY_SETUP)).scalars()
    if known is not None or others:
        raise BadInput(f"The database {where} holds something already ({', '.join(others[:3]) or 'of another origin'}); name one that is new and empty.")
    writing.execute(delete(s.META))
    writing.execute(insert(s.META).values(key=ARRIVING, value=origin))


def _carry(reading: Connection, target: SqlStore, table: Table) -> Iterator[int]:
    """Goes on behind the last row that has arrived; a batch is one transaction."""
    with target._transaction("BEGIN") as looking:
        last: Any = looking.execute(_rows(table, None).with_only_columns(*_key(table)).order_by(None).order_by(*_backwards(table)).limit(1)).first()
        yield _count(looking, table)
    while found := reading.execute(_rows(table, last).limit(BATCH)).all():
        with target._transaction("BEGIN IMMEDIATE") as writing, _unasked(writing, table):
            writing.execute(insert(table), [dict(row._mapping) for row in found])
        last = [getattr(found[-1], column.name) for column in _key(table)]
        yield len(found)


def _end(reading: Connection, target: SqlStore, progress: Progress, total: int) -> list[dict[str, Any]]:
    """Compares each table, and lets the target be a database like any other."""
    made, done = [], 0
    with target._transaction("BEGIN IMMEDIATE") as writing:
        for table in tables():
            rows, digest = _digest(reading, table)
            if _digest(writing, table) != (rows, digest):
                raise StoreFault(f"The table {table.name} did not arrive as it was in {target.where}; begin again with a new and empty database.")
            made.append({"table": table.name, "rows": rows, "sha256": digest})
            done += rows
            progress(done, total, "rows compared")
            _number_on(writing, table)
        writing.execute(delete(s.META).where(s.META.c.key == ARRIVING))
        writing.execute(text("DELETE FROM search_due"))
        writing.execute(text('INSERT INTO search_due ("case") SELECT number FROM case_file'))
    return made


def _rows(table: Table, last: Any) -> Any:
    query = select(table).order_by(*_key(table))
    if table is s.META:
        query = query.where(s.META.c.key != ARRIVING)
    return query if last is None else query.where(tuple_(*_key(table)) > tuple_(*last))


def _key(table: Table) -> list[Any]:
    return list(table.primary_key.columns)


def _backwards(table: Table) -> list[Any]:
    return [column.desc() for column in _key(table)]


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _digest(connection: Connection, table: Table) -> tuple[int, str]:
    """How many rows, and the SHA-256 of all of them in order, as values of Python: the same on both kinds of database."""
    found, rows, last = sha256(), 0, None
    while page := connection.execute(_rows(table, last).limit(BATCH)).all():
        for row in page:
            found.update(repr(tuple(row)).encode("utf-8", "surrogatepass"))
        rows += len(page)
        last = [getattr(page[-1], column.name) for column in _key(table)]
    return rows, found.hexdigest()


def _meta(connection: Connection, key: str) -> str | None:
    found: str | None = connection.execute(select(s.META.c.value).where(s.META.c.key == key)).scalar()
    return found


@contextmanager
def _unasked(writing: Connection, table: Table) -> Iterator[None]:
    """Triggers ask what an act may do; rows that were accepted once are not asked again. Only who owns the tables may do this."""
    if writing.dialect.name == "postgresql":
        name = writing.dialect.identifier_preparer.format_table(table)
        writing.exec_driver_sql(f"ALTER TABLE {name} DISABLE TRIGGER USER")
        yield
        writing.exec_driver_sql(f"ALTER TABLE {name} ENABLE TRIGGER USER")
        return
    found = writing.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = :table"), {"table": table.name}).all()
    for row in found:
        writing.exec_driver_sql(f'DROP TRIGGER "{row.name}"')
    yield
    for row in found:
        writing.exec_driver_sql(row.sql)


def _number_on(writing: Connection, table: Table) -> None:
    """Rows that get their number from the database go on behind those that have arrived."""
    column = table.autoincrement_column
    if writing.dialect.name == "postgresql" and column is not None:
        name = writing.dialect.identifier_preparer.format_table(table)
        sequence = writing.execute(text("SELECT pg_get_serial_sequence(:table, :column)"), {"table": name, "column": column.name}).scalar()
        if sequence is not None:
            most = writing.execute(select(func.coalesce(func.max(column), 0))).scalar_one()
            writing.execute(text("SELECT setval(CAST(:sequence AS regclass), :next, false)"), {"sequence": sequence, "next": most + 1})


REST = "moved_"


def put_to_rest(store: SqlStore, to: str) -> None:
    """Nothing is written into an embedded database any more, by anybody: it was moved."""
    said = f"This database was moved to {to}".replace("'", "''")
    with explained(store.where), store._transaction("BEGIN IMMEDIATE") as connection:
        for table in METADATA.sorted_tables:
            for change in ("INSERT", "UPDATE", "DELETE"):
                name = f"{REST}{table.name}_{change.lower()}"
                connection.exec_driver_sql(f'DROP TRIGGER IF EXISTS "{name}"')
                connection.exec_driver_sql(f'CREATE TRIGGER "{name}" BEFORE {change} ON "{table.name}" BEGIN SELECT RAISE(ABORT, \'{said}\'); END')


def wake(store: SqlStore) -> bool:
    """Lets an embedded database be written again; whether it rested."""
    with explained(store.where), store._transaction("BEGIN IMMEDIATE") as connection:
        query = text("SELECT name FROM sqlite_master WHERE type = 'trigger' AND substr(name, 1, :long) = :begin")
        names = list(connection.execute(query, {"long": len(REST), "begin": REST}).scalars())
        for name in names:
            connection.exec_driver_sql(f'DROP TRIGGER "{name}"')
    return bool(names)
