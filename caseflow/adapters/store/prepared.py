"""Statements compiled once: what acting and sweeping repeat is handed to the driver itself, as text and values.

Answers come back as the driver gives them, or by `read` as their columns have them. Errors come back as
SQLAlchemy's, and whoever listens to the engine hears of these statements as of all others.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Dialect
from sqlalchemy.exc import DBAPIError

from caseflow.adapters.store import upsert

Fit = Callable[[Any], Any] | None
"""What makes a value fit the driver; None where it fits as it is."""


def fit_of(kind: Any, dialect: Dialect) -> Fit:
    """What makes the values of a type fit the driver."""
    made: Fit = kind.dialect_impl(dialect).bind_processor(dialect)
    return made


@dataclass(frozen=True, slots=True)
class _Text:
    """A statement as one dialect writes it. `binds`: each name in order, with what makes its value fit the driver."""

    sql: str
    positional: bool
    binds: tuple[tuple[str, Fit], ...]

    def fit(self, values: Mapping[str, Any]) -> tuple[Any, ...] | dict[str, Any]:
        if self.positional:
            return tuple([values[name] if made is None else made(values[name]) for name, made in self.binds])
        return {name: values[name] if made is None else made(values[name]) for name, made in self.binds}


class Prepared:
    """A statement whose every value is a parameter. `by_dialect`: what makes it of another dialect, given what SQLAlchemy has for that alone."""

    def __init__(self, statement: Any, by_dialect: Mapping[str, Callable[[Any], Any]] | None = None) -> None:
        self._statement = statement
        self._by_dialect = by_dialect or {}
        self._texts: dict[str, _Text] = {}
        self._readers: dict[str, Callable[[tuple[Any, ...]], Any]] = {}

    def read(self, connection: Connection, **values: Any) -> list[Any]:
        """What a SELECT answers, row by row: each value as its column has it, under the name of the column."""
        dialect = connection.dialect
        made = self._readers.get(dialect.name) or self._reader(dialect)
        return [made(row) for row in self._sent(connection, (values,)).fetchall()]

    def _reader(self, dialect: Dialect) -> Callable[[tuple[Any, ...]], Any]:
        columns = list(self._statement.selected_columns)
        named: Any = _named([column.name for column in columns])
        fits = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns]

        def made(row: tuple[Any, ...]) -> Any:
            return named._make([value if fit is None else fit(value) for fit, value in zip(fits, row, strict=True)])

        self._readers[dialect.name] = made
        return made

    def rows(self, connection: Connection, **values: Any) -> list[tuple[Any, ...]]:
        """What it answers, row by row."""
        found: list[tuple[Any, ...]] = self._sent(connection, (values,)).fetchall()
        return found

    def row(self, connection: Connection, **values: Any) -> tuple[Any, ...] | None:
        """The first row of its answer, or None."""
        found: tuple[Any, ...] | None = self._sent(connection, (values,)).fetchone()
        return found

    def change(self, connection: Connection, values: Sequence[Mapping[str, Any]]) -> int:
        """Runs it for each of `values`, of which there is at least one; the answer is how many rows it changed."""
        changed: int = self._sent(connection, values).rowcount
        return changed

    def _sent(self, connection: Connection, values: Sequence[Mapping[str, Any]]) -> Any:
        """The driver's cursor, or what SQLAlchemy makes of it where somebody listens. Between the two lies more time than SQLite needs."""
        dialect = connection.dialect
        text = self._texts.get(dialect.name) or self._compile(dialect)
        fitted = [text.fit(one) for one in values]
        given = fitted[0] if len(fitted) == 1 else fitted
        if connection.engine.dispatch.before_cursor_execute:
            return connection.exec_driver_sql(text.sql, given)
        cursor: Any = connection.connection.cursor()
        try:
            if given is fitted:
                cursor.executemany(text.sql, given)
            else:
                cursor.execute(text.sql, given)
        except dialect.loaded_dbapi.Error as error:
            raise _told(connection, text.sql, given, error) from error
        return cursor

    def _compile(self, dialect: Dialect) -> _Text:
        own = self._by_dialect.get(dialect.name)
        compiled = (own(upsert.of(dialect.name)) if own is not None else self._statement).compile(dialect=dialect)
        names = tuple(compiled.positiontup if compiled.positional else compiled.binds)
        assert all(compiled.binds[name].required for name in names), "a value inside the statement would be lost"
        binds = tuple((name, fit_of(compiled.binds[name].type, dialect)) for name in names)
        text = self._texts[dialect.name] = _Text(str(compiled), bool(compiled.positional), binds)
        return text


def _told(connection: Connection, sql: str, given: Any, error: Any) -> Exception:
    """The driver's error as SQLAlchemy tells it. Where it was the connection that failed, no other of its age is used again."""
    dialect = connection.dialect
    is_lost = dialect.is_disconnect(error, connection.connection, None)
    if is_lost:
        connection.invalidate(error)
        connection.engine.dispose()
    told: Exception = DBAPIError.instance(sql, given, error, dialect.loaded_dbapi.Error, hide_parameters=True, connection_invalidated=is_lost, dialect=dialect)
    return told


def _named(names: list[str]) -> Any:
    """A tuple whose places have the names of columns."""
    return namedtuple("named", names)  # noqa: PYI024 - the names are those of a statement
