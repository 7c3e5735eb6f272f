"""Visits to status pages, on the SQL database. Each call is one transaction."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert, select, update

from caseflow.adapters.store.apart import SqlApart
from caseflow.adapters.store.tables import programs as t
from caseflow.services.ports.visits import Visit

VISIT: Any = t.VisitRow.__table__  # type: ignore[attr-defined]
KEPT = timedelta(days=1)


class SqlVisits(SqlApart):
    """Implements ports.Visits."""

    def open(self, visit: Visit) -> None:
        """A new visit."""
        values = {name: getattr(visit, name) for name in Visit.__slots__}
        self._write(delete(VISIT).where(VISIT.c.expires_at < visit.created_at - KEPT), insert(VISIT).values(values))

    def visit(self, digest: str) -> Visit | None:
        """The visit of a token's digest."""
        rows = self._read(select(VISIT).where(VISIT.c.digest == digest))
        return next((Visit(*(getattr(row, name) for name in Visit.__slots__)) for row in rows), None)

    def end(self, digest: str, at: datetime) -> None:
        """The visit is over."""
        self._write(update(VISIT).where(VISIT.c.digest == digest, VISIT.c.ended_at.is_(None)).values(ended_at=at))
