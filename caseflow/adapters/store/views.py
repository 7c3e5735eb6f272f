"""The filters that people save, in the SQL database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, delete, select

from caseflow.adapters.store import statements as s
from caseflow.adapters.store.apart import SqlApart
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.tables import running as t
from caseflow.services.ports.views import SavedView

VIEW: Any = t.SavedViewRow.__table__  # type: ignore[attr-defined]
VIEWS = select(VIEW).where(VIEW.c.account == bindparam("of_account")).order_by(VIEW.c.name)


class SqlViews(SqlApart):
    """Implements ports.Views."""

    def of(self, account: str) -> Sequence[SavedView]:
        """Those of a person, by name."""
        rows = self._read(VIEWS, {"of_account": account})
        return [SavedView(row.account, row.name, row.address, row.made_at) for row in rows]

    def keep(self, view: SavedView) -> None:
        """Keeps a filter; the same name again replaces it."""
        values = {"account": view.account, "name": view.name, "address": view.address, "made_at": view.made_at}
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            connection.execute(s.put(connection, VIEW, values))

    def drop(self, account: str, name: str) -> bool:
        """Forgets a filter of a person."""
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            return connection.execute(delete(VIEW).where(VIEW.c.account == account, VIEW.c.name == name)).rowcount == 1
