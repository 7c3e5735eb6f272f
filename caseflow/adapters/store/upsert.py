"""Rows that two may write at the same moment: one statement each, so that on a server neither sees the table between the other's two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from sqlalchemy import Connection, and_

from caseflow.adapters.store.buffer import twice


def insert(connection: Connection, table: Any) -> Any:
    """An insert of the dialect at hand, which can say what to do where the key is there."""
    return of(connection.dialect.name).insert(table)


def of(name: str) -> Any:
    """What SQLAlchemy has for a dialect alone, loaded with the first question: that of a server is large, and most commands need none."""
    return import_module(f"sqlalchemy.dialects.{name}")


def put_same(connection: Connection, table: Any, values: Mapping[str, Any], same: Sequence[str], what: str) -> None:
    """Inserts a row, or puts it in place of the one of its key where that is the same thing: where it has the same values of `same`.

    Raises KeyRefused where the key is another's."""
    made = insert(connection, table).values(values)
    keys = [column.name for column in table.primary_key]
    its_own = [table.c[name] == made.excluded[name] for name in same]
    changes = {name: made.excluded[name] for name in values if name not in keys}
    done = made.on_conflict_do_update(index_elements=keys, set_=changes, where=and_(*its_own))
    if connection.execute(done.returning(table.c[keys[0]])).first() is None:
        raise twice(what)


def at_least(connection: Connection, table: Any, values: Mapping[str, Any], name: str) -> None:
    """Inserts a row, or raises one number of the row of its key to what is given."""
    made = insert(connection, table).values(values)
    keys = [column.name for column in table.primary_key]
    below = table.c[name] < made.excluded[name]
    connection.execute(made.on_conflict_do_update(index_elements=keys, set_={name: made.excluded[name]}, where=below))
