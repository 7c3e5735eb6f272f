"""What lists of work ask of the database beside the docket: counts of groups, parked timers, and the filters that people save."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Select, bindparam, delete, func, select

from caseflow.adapters.store import grouping
from caseflow.adapters.store import statements as s
from caseflow.adapters.store.apart import SqlApart
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.overview import SqlOverview, narrowed
from caseflow.adapters.store.tables import running as t
from caseflow.services.ports.views import SavedView

if TYPE_CHECKING:
    from caseflow.services.ports.docket import DocketFilter, Urgency

VIEW: Any = t.SavedViewRow.__table__  # type: ignore[attr-defined]
VIEWS = select(VIEW).where(VIEW.c.account == bindparam("of_account")).order_by(VIEW.c.name)


class SqlAgenda(SqlOverview):
    """The part of the store that lists of work ask."""

    @abstractmethod
    def _transaction(self, how: str) -> AbstractContextManager[Connection]:
        """A transaction of a kind; the store says how."""

    def how_many(self, wanted: DocketFilter, most: int) -> int:
        """How many cases there are, or `most` where there are more."""
        return int(self._rows(_how_many(wanted, most))[0][0])

    def group_counts(self, wanted: DocketFilter, by: Urgency, most: int) -> Mapping[str, int]:
        """How many of these live cases are in each group."""
        return {row[0]: row[1] for row in self._rows(_group_counts(wanted, by, most))}

    def parked(self, numbers: Sequence[str]) -> Mapping[str, str]:
        """Of these cases those with a timer that could not fire, with what stood against it."""
        query = select(s.TIMER.c.case, s.TIMER.c.note).where(grouping.PARKED, s.TIMER.c.case.in_(list(numbers))).order_by(s.TIMER.c.id)
        return {row[0]: row[1] for row in self._rows(query)} if numbers else {}

    @cached_property
    def views(self) -> SqlViews:
        """The filters that people have saved."""
        return SqlViews(self._transaction, self.where)


# Built once for each list, as in sql.py.


@lru_cache(512)
def _how_many(wanted: DocketFilter, most: int) -> Select[Any]:
    found = narrowed(wanted).with_only_columns(s.CASE.c.number).limit(most).subquery()
    return select(func.count()).select_from(found)


@lru_cache(512)
def _group_counts(wanted: DocketFilter, by: Urgency, most: int) -> Select[Any]:
    mine = narrowed(wanted).with_only_columns(grouping.group_case(by).label("grp")).limit(most).subquery()
    return select(mine.c.grp, func.count()).group_by(mine.c.grp)


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
