"""Visits to status pages, on the SQL database. Each call is one transaction."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from caseflow.adapters.store import tables as t
from caseflow.adapters.store.faults import explained
from caseflow.services.ports import Visit

VISIT: Any = t.VisitRow.__table__  # type: ignore[attr-defined]
KEPT = timedelta(days=1)

Transaction = Callable[[str], AbstractContextManager[Connection]]


class SqlVisits:
    """Implements ports.Visits. `transaction` begins one of a kind on the store's connection."""

    def __init__(self, transaction: Transaction, where: str) -> None:
        self._transaction, self._where = transaction, where

    def _write(self, *statements: Any) -> None:
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            for statement in statements:
                connection.execute(statement)

    def open(self, visit: Visit) -> None:
        """A new visit."""
        values = {name: getattr(visit, name) for name in Visit.__slots__}
        self._write(delete(VISIT).where(VISIT.c.expires_at < visit.created_at - KEPT), insert(VISIT).values(values))

    def visit(self, digest: str) -> Visit | None:
        """The visit of a token's digest."""
        with explained(self._where), self._transaction("BEGIN") as connection:
            for row in connection.execute(select(VISIT).where(VISIT.c.digest == digest)):
                return Visit(*(getattr(row, name) for name in Visit.__slots__))
        return None

    def end(self, digest: str, at: datetime) -> None:
        """The visit is over."""
        self._write(update(VISIT).where(VISIT.c.digest == digest, VISIT.c.ended_at.is_(None)).values(ended_at=at))
