"""Tables that stand apart from the cases: whoever keeps them reads and writes in transactions of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Connection

from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.prepared import Prepared
from caseflow.services.again import again

Transaction = Callable[[str], AbstractContextManager[Connection]]


class SqlApart:
    """Each call is one transaction. `transaction` begins one of a kind on the store's connection; `where` names the database in a fault."""

    def __init__(self, transaction: Transaction, where: str) -> None:
        self._transaction, self._where = transaction, where

    @again
    def _read(self, query: Any, values: Mapping[str, Any] | None = None) -> Sequence[Any]:
        with explained(self._where), self._transaction("BEGIN") as connection:
            return connection.execute(query, values).all()

    @again
    def _known(self, statement: Prepared, **values: Any) -> Sequence[Any]:
        with explained(self._where), self._transaction("BEGIN") as connection:
            return statement.read(connection, **values)

    @again
    def _write(self, *statements: Any) -> None:
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            for statement in statements:
                connection.execute(statement)
