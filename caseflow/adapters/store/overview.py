"""Questions over many cases: lists narrowed, figures counted by the database itself, and who did what in a period.

Counting reads indexes alone (ix_case_board, ix_case_decided, ix_letter_undone, ix_entry_recorded): no case is loaded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Select, and_, case, func, literal, literal_column, select, tuple_

from caseflow.adapters.store import mapping
from caseflow.adapters.store import statements as s
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.grouping import conditions, parked
from caseflow.domain.case import Actor
from caseflow.services.narrowing import COLUMNS, UNDONE
from caseflow.services.ports.doings import Doer, Doing, Period
from caseflow.services.ports.store import KeptPack
from caseflow.services.sight import EVERYTHING, Sight

if TYPE_CHECKING:
    from caseflow.services.ports.docket import DocketFilter
    from caseflow.services.ports.lines import CaseLine

    Term = ColumnElement[bool]


def narrowed(wanted: DocketFilter, dated: bool | None = None) -> Select[Any]:
    """The rows of the wanted cases, without their bodies. `dated`: only those with a target, or only those without."""
    return select(*(column for column in s.CASE.c if column.name != "body")).where(*_terms(wanted, dated))


def _terms(wanted: DocketFilter, dated: bool | None = None, target: ColumnElement[Any] = s.CASE.c.next_target) -> Iterator[Term]:
    c = s.CASE.c
    exact = ((c.state, wanted.state), (c.workflow, wanted.workflow), (c.assigned_to, wanted.assigned), (c.phase, wanted.phase), (c.turn, wanted.turn))
    for column, value in exact:
        if value is not None:
            yield column == value
    if wanted.flag is not None:
        yield (" " + c.flags + " ").contains(f" {wanted.flag} ", autoescape=True)
    if wanted.overdue_on is not None:
        yield and_(c.next_due < wanted.overdue_on, c.next_target < wanted.overdue_on)
    if wanted.unassigned:
        yield c.assigned_to.is_(None)
    if wanted.open_only:
        yield c.ends.is_(False)
    if wanted.numbers is not None:
        yield c.number.in_(wanted.numbers)
    if wanted.text is not None:
        aliased = select(s.ALIAS.c.case).where(s.ALIAS.c.alias.icontains(wanted.text, autoescape=True))
        named = c.title.icontains(wanted.text, autoescape=True) | c.number.icontains(wanted.text, autoescape=True)
        yield named | c.number.in_(aliased)
    if wanted.seen.parts is not None:
        yield s.seen(wanted.seen)
    yield from _board_terms(wanted, target)
    yield from conditions(wanted, wanted.dated if dated is None else dated)


def _board_terms(wanted: DocketFilter, target: ColumnElement[Any]) -> Iterator[Term]:
    c = s.CASE.c
    spans = (
        (target, None, wanted.due_by),
        (target, wanted.target_from, wanted.target_to),
        (c.next_due, wanted.not_overdue_on, None),
        (c.silent_on, None, wanted.silent_by),
        (c.stands_since, wanted.stands_from, wanted.stands_to),
        (c.decided_on, wanted.decided_from, wanted.decided_to),
    )
    for column, first, last in spans:
        if first is not None:
            yield column >= first
        if last is not None:
            yield column <= last
    if wanted.phases_not:
        yield c.phase.not_in(wanted.phases_not)
    if wanted.silent:
        yield c.silent_on == c.next_due
    if wanted.stands:
        yield c.stands_since.is_not(None)
    if wanted.letters_waiting:
        undone: list[Any] = [literal_column(f"'{status}'") for status in UNDONE]
        yield c.number.in_(select(s.LETTER.c.case).where(s.LETTER.c.status.in_(undone)))
    if wanted.quiet_before is not None:
        yield c.next_at.is_(None) | (c.last_on < wanted.quiet_before) | parked
    for column, answer in ((c.on_time, wanted.on_time), (c.held, wanted.held)):
        if answer is not None:
            yield column.is_(answer)
    if wanted.recorded_before is not None:
        yield c.number.not_in(select(s.ENTRY.c.case).where(s.ENTRY.c.recorded_at >= wanted.recorded_before))


class SqlOverview(ABC):
    """The part of the store that looks over many cases."""

    where: str

    @abstractmethod
    def _connect(self) -> AbstractContextManager[Connection]:
        """A connection; the store says how."""

    def _rows(self, query: Select[Any]) -> Sequence[Any]:
        with explained(self.where), self._connect() as connection:
            return connection.execute(query).all()

    def count(self, wanted: DocketFilter, each: Sequence[DocketFilter], by: str | None = None) -> Mapping[Any, tuple[int, ...]]:
        """How many of the wanted cases fit each further filter, by the values of a column."""
        if by is not None and by not in COLUMNS:
            raise ValueError(f"cases are not counted by {by}")
        rows = self._rows(_counting(wanted, tuple(each), by))
        return {None: tuple(rows[0])} if by is None else {row[0]: tuple(row[1:]) for row in rows}

    def pack_versions(self) -> Sequence[KeptPack]:
        """The pack versions that the database keeps, with how many cases run by each."""
        is_open = func.sum(case((s.CASE.c.ends.is_(False), 1), else_=0))
        under = s.PACK.outerjoin(s.CASE, s.CASE.c.pack_version == s.PACK.c.hash)
        columns = (s.PACK.c.hash, s.PACK.c.pack, s.PACK.c.label)
        query = (
            select(*columns, func.count(s.CASE.c.number), is_open).select_from(under).group_by(*columns).order_by(s.PACK.c.pack, s.PACK.c.label, s.PACK.c.hash)
        )
        return [KeptPack(row[0], row[1], row[2], row[3], row[4] or 0) for row in self._rows(query)]

    def cases_under(self, version: str, after: str = "", limit: int = 500, is_open: bool = True) -> Sequence[str]:
        """The cases that run by a pack version, by number; with `is_open` only those that have not ended."""
        c = s.CASE.c
        query = select(c.number).where(c.pack_version == version, c.number > after).order_by(c.number).limit(limit)
        query = query.where(c.ends.is_(False)) if is_open else query
        return [row[0] for row in self._rows(query)]

    def by_day(self, wanted: DocketFilter, day: str, after: tuple[date | None, str] | None, limit: int) -> Sequence[CaseLine]:
        """Cases by another day of theirs, the earliest first, then those without it. Their order is found in an index."""
        number, key = s.CASE.c.number, func.coalesce(s.CASE.c[day], literal(date.max, s.CASE.c[day].type))
        query = select(number).where(*_terms(wanted)).order_by(key, number).limit(limit)
        if after is not None:
            query = query.where(tuple_(key, number) > tuple_(literal(after[0] or date.max, s.CASE.c[day].type), after[1]))
        order = {row[0]: place for place, row in enumerate(self._rows(query))}
        rows = self._rows(select(*(column for column in s.CASE.c if column.name != "body")).where(number.in_(list(order))))
        return [mapping.line_from(row) for row in sorted(rows, key=lambda row: order[row.number])]

    def changed_since(self, moment: datetime, limit: int | None = None, seen: Sight = EVERYTHING) -> Sequence[str]:
        """Cases on record before a moment of which something was recorded at or after it, by number."""
        first = s.ENTRY.alias()
        before = select(first.c.case).where(first.c.case == s.ENTRY.c.case, first.c.seq == 1, first.c.recorded_at < moment).exists()
        known = s.CASE.alias()
        terms = [s.ENTRY.c.case.in_(select(known.c.number).where(s.seen(seen, known)))] if seen.parts is not None else []
        query = select(s.ENTRY.c.case).distinct().where(s.ENTRY.c.recorded_at >= moment, before, *terms).order_by(s.ENTRY.c.case).limit(limit)
        return [row[0] for row in self._rows(query)]

    def doings(self, period: Period, before: tuple[datetime, str, int] | None = None, limit: int = 100) -> Sequence[Doing]:
        """Entries recorded in a period, the newest first."""
        e, c = s.ENTRY.c, s.CASE.c
        query = select(e.recorded_at, e.effective_on, e.case, e.seq, e.actor_kind, e.actor_id, e.actor_role, e.action, e.because, c.workflow, c.title)
        query = query.join(s.CASE, c.number == e.case).where(*_in(period))
        if before is not None:
            query = query.where(tuple_(e.recorded_at, e.case, e.seq) < tuple_(*before))
        return [
            Doing(
                recorded_at=row.recorded_at,
                effective_on=row.effective_on,
                case=row.case,
                seq=row.seq,
                actor=Actor(row.actor_kind, row.actor_id, row.actor_role),
                action=row.action,
                because=row.because,
                workflow=row.workflow,
                title=row.title,
            )
            for row in self._rows(query.order_by(e.recorded_at.desc(), e.case.desc(), e.seq.desc()).limit(limit))
        ]

    def doers(self, period: Period, by: str = "person") -> Sequence[Doer]:
        """Who recorded entries in a period, those of the most entries first; by `case`, of which cases they were."""
        e, times = s.ENTRY.c, func.count()
        kind, name, other = (e.actor_kind, e.actor_id, e.case) if by == "person" else (literal_column("'case'"), e.case, e.actor_id)
        query = select(kind, name, times, func.count(other.distinct()), func.max(e.recorded_at, type_=e.recorded_at.type))
        query = query.where(*_in(period)).group_by(*((kind, name) if by == "person" else (name,))).order_by(times.desc(), name)
        return [Doer(*row) for row in self._rows(query)]


@lru_cache(512)
def _counting(wanted: DocketFilter, each: tuple[DocketFilter, ...], by: str | None) -> Select[Any]:
    """Built once for each board: what is counted is the same for a day."""
    figures: list[Any] = [_how_many(replace(one, open_only=one.open_only and not wanted.open_only)) for one in each]
    if by is None:
        return select(*figures).select_from(s.CASE).where(*_terms(wanted))
    column = s.CASE.c[by]
    # Some weeks of targets are a large part of a docket: looked up by target, each case would be read for what that index lacks.
    terms = _terms(wanted, target=func.nullif(column, None)) if by == "next_target" else _terms(wanted)
    return select(column, *figures).where(*terms).group_by(column)


def _how_many(wanted: DocketFilter) -> ColumnElement[int]:
    terms = tuple(_terms(wanted))
    return func.count().filter(*terms) if terms else func.count()


def _in(period: Period) -> Iterator[Term]:
    e = s.ENTRY.c
    yield e.recorded_at >= period.since
    yield e.recorded_at < period.until
    if period.actor is not None:
        yield e.actor_id == period.actor
    if period.case is not None:
        yield e.case == period.case
    if period.seen.parts is not None:
        known = s.CASE.alias()
        yield e.case.in_(select(known.c.number).where(s.seen(period.seen, known)))
