"""Which cases may have a date between two days: by their nearest last day, which the case keeps, and by their open timers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Select, func, literal_column

from caseflow.adapters.store import statements as s

ROLL = timedelta(days=14)
"""A last day never lies further behind its target than this, so that the index of targets finds it."""


def dated(narrowed: Select[Any], first: date, last: date, timers: tuple[datetime, datetime], limit: int) -> Iterator[Select[Any]]:
    """The queries, each giving number and day, the soonest first."""
    c, t = s.CASE.c, s.TIMER.c
    near = func.coalesce(c.next_target, c.next_due)
    by_target = narrowed.with_only_columns(c.number, near.label("day")).where(c.next_target >= first - ROLL, c.next_target <= last, c.next_due >= first)
    yield by_target.order_by(c.next_target, c.number).limit(limit + 1)
    begun = func.min(t.at)
    by_timer = narrowed.with_only_columns(c.number, begun.label("day")).join(s.TIMER, t.case == c.number)
    by_timer = by_timer.where(t.status == literal_column("'open'"), t.at >= timers[0], t.at < timers[1]).group_by(c.number)
    yield by_timer.order_by(begun, c.number).limit(limit + 1)


def soonest_first(found: Iterable[tuple[str, date]], limit: int) -> tuple[Sequence[str], date | None]:
    """The cases by their first day, and the day before the first one that was left out."""
    days: dict[str, date] = {}
    for number, at in found:
        day = at.date() if isinstance(at, datetime) else at
        days[number] = min(days.get(number, day), day)
    ordered = sorted(days, key=lambda number: (days[number], number))
    cut = days[ordered[limit]] - timedelta(days=1) if len(ordered) > limit else None
    return ordered[:limit], cut
