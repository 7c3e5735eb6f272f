"""Which cases may have a date between two days: by their nearest last day, which the case keeps, and by their open timers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, func, literal_column, tuple_

from caseflow.adapters.store import statements as s

ROLL = timedelta(days=14)
"""A last day never lies further behind its target than this, so that the index of targets finds it."""


Found = Iterator[tuple[str, Any]]


def dated(connection: Connection, narrowed: Select[Any], first: date, last: date, timers: tuple[datetime, datetime], limit: int) -> Found:
    """Cases with a day of theirs, more than `limit` of them where there are more: the soonest by their last days, then those by their timers."""
    c = s.CASE.c
    near = func.coalesce(c.next_target, c.next_due)
    by_target = narrowed.with_only_columns(c.number, near.label("day")).where(c.next_target >= first - ROLL, c.next_target <= last, c.next_due >= first)
    yield from ((row.number, row.day) for row in connection.execute(by_target.order_by(c.next_target, c.number).limit(limit + 1)))
    yield from _first_timers(connection, narrowed, timers, limit)


def _first_timers(connection: Connection, narrowed: Select[Any], within: tuple[datetime, datetime], limit: int) -> Found:
    """The first timer of each case, in the order of the index of open timers; no further than it takes to know the soonest cases."""
    t, known = s.TIMER.c, set[str]()
    query = narrowed.with_only_columns(s.CASE.c.number, t.at, t.id).join(s.TIMER, t.case == s.CASE.c.number)
    query = query.where(t.status == literal_column("'open'"), t.at >= within[0], t.at < within[1]).order_by(t.at, t.id).limit(size := 2 * limit + 2)
    rows = connection.execute(query).all()
    while rows:
        for row in rows:
            if row.number not in known:
                known.add(row.number)
                yield row.number, row.at
        more = len(rows) == size and len(known) <= limit
        rows = connection.execute(query.where(tuple_(t.at, t.id) > tuple_(rows[-1].at, rows[-1].id))).all() if more else []


def soonest_first(found: Iterable[tuple[str, date]], limit: int) -> tuple[Sequence[str], date | None]:
    """The cases by their first day, and the day before the first one that was left out."""
    days: dict[str, date] = {}
    for number, at in found:
        day = at.date() if isinstance(at, datetime) else at
        days[number] = min(days.get(number, day), day)
    ordered = sorted(days, key=lambda number: (days[number], number))
    cut = days[ordered[limit]] - timedelta(days=1) if len(ordered) > limit else None
    return ordered[:limit], cut
