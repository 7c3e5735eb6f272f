"""Statements compiled once: what acting and sweeping repeat is sent to the driver as text and values.

Answers come back as the driver gives them, so only statements whose columns need no conversion are read this way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, CursorResult, Dialect


@dataclass(frozen=True, slots=True)
class _Text:
    """A statement as one dialect writes it. `binds`: each name in order, with what makes its value fit the driver."""

    sql: str
    positional: bool
    binds: tuple[tuple[str, Callable[[Any], Any] | None], ...]

    def fit(self, values: Mapping[str, Any]) -> tuple[Any, ...] | dict[str, Any]:
        if self.positional:
            return tuple([values[name] if made is None else made(values[name]) for name, made in self.binds])
        return {name: values[name] if made is None else made(values[name]) for name, made in self.binds}


class Prepared:
    """A statement whose every value is a parameter."""

    def __init__(self, statement: Any, by_dialect: Mapping[str, Any] | None = None) -> None:
        self._statement = statement
        self._by_dialect = by_dialect or {}
        self._texts: dict[str, _Text] = {}

    def run(self, connection: Connection, values: Sequence[Mapping[str, Any]]) -> CursorResult[Any]:
        """Runs it for each of `values`, of which there is at least one."""
        dialect = connection.dialect
        text = self._texts.get(dialect.name) or self._compile(dialect)
        if len(values) == 1:
            return connection.exec_driver_sql(text.sql, text.fit(values[0]))
        return connection.exec_driver_sql(text.sql, [text.fit(one) for one in values])

    def _compile(self, dialect: Dialect) -> _Text:
        compiled = self._by_dialect.get(dialect.name, self._statement).compile(dialect=dialect)
        names = tuple(compiled.positiontup if compiled.positional else compiled.binds)
        assert all(compiled.binds[name].required for name in names), "a value inside the statement would be lost"
        binds = tuple((name, compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect)) for name in names)
        text = self._texts[dialect.name] = _Text(str(compiled), bool(compiled.positional), binds)
        return text
