"""Which columns of a case an update has to name: those whose value is another than the one that this transaction has read.

SQLite writes every index anew that has a column which an update names, whether or not its value changes, and with it the pages of all of
them. PostgreSQL compares the values itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Dialect, bindparam, update

from caseflow.adapters.store.prepared import Fit, Prepared, fit_of
from caseflow.adapters.store.tables import record

CASE: Any = record.CaseFile.__table__  # type: ignore[attr-defined]
FIXED = ("number", "request", "workflow")
"""What never changes of a case."""
COMPARED = tuple(column.name for column in CASE.c if column.name not in (*FIXED, "body"))
"""What is read along with a case that is to be changed, in this order. Its body changes with every entry."""


class Kept:
    """The columns of cases as the driver gave them."""

    def __init__(self) -> None:
        self._rows: dict[str, Sequence[Any]] = {}

    def note(self, number: str, row: Sequence[Any]) -> None:
        """Keeps the compared columns of a case."""
        self._rows[number] = row

    def changed(self, dialect: Dialect, values: Mapping[str, Any]) -> tuple[str, ...]:
        """The columns to name in the update of a case: all of one that was not read."""
        row = self._rows.get(values["of_case"])
        if row is None:
            return (*COMPARED, "body")
        fits = zip(_fits(dialect), row, strict=True)
        return (*[name for (name, made), was in fits if (values[name] if made is None else made(values[name])) != was], "body")


_made: dict[str, list[tuple[str, Fit]]] = {}


def _fits(dialect: Dialect) -> list[tuple[str, Fit]]:
    """Each compared column with what makes its value what the driver keeps."""
    if dialect.name not in _made:
        _made[dialect.name] = [(name, fit_of(CASE.c[name].type, dialect)) for name in COMPARED]
    return _made[dialect.name]


@lru_cache(256)
def update_of(names: tuple[str, ...]) -> Prepared:
    """The update of a case, from the version that was read, that names these columns."""
    of = (CASE.c.number == bindparam("of_case"), CASE.c.version == bindparam("from_version"))
    return Prepared(update(CASE).where(*of).values({name: bindparam(name) for name in names}))
