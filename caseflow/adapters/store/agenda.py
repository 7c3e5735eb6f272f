"""What lists of work ask of the database beside the docket: counts of groups, parked timers. The filters that people save are in views.py."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Select, func, select

from caseflow.adapters.store import grouping
from caseflow.adapters.store import statements as s
from caseflow.adapters.store.overview import SqlOverview, narrowed

if TYPE_CHECKING:
    from caseflow.adapters.store.views import SqlViews
    from caseflow.services.ports.docket import DocketFilter, Urgency


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
        from caseflow.adapters.store.views import SqlViews

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
