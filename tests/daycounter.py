"""Counts a period day by day, as a clerk would with a wall calendar, from CONTRACT section 3 alone.

Shares nothing with the program: holidays are computed here, every day is looked at by itself, and held days are
struck out one by one. Slow on purpose; the tests compare it with the clock of the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

DAY = timedelta(days=1)
SATURDAY, SUNDAY = 5, 6


class Held(NamedTuple):
    """A hold: the day it begins (still used) and the day it ends, None while it is open."""

    begins: date
    ends: date | None


class Longer(NamedTuple):
    """An extension, made on a day: so many units more, or at least to a day."""

    on: date
    adds: int = 0
    to: date | None = None


class Ended(NamedTuple):
    """The act that ends a period: the one asked for (`met`) or another."""

    on: date
    met: bool


@dataclass(frozen=True)
class Ledger:
    """The dated facts of one period."""

    start: date
    number: int
    unit: str
    actor: str
    holds: tuple[Held, ...] = ()
    longer: tuple[Longer, ...] = ()
    notice: date | None = None
    ended: Ended | None = None
    before_roll: bool = False


@dataclass(frozen=True)
class Answer:
    """What a period shows on a day. `used` and `left` are in the unit, None for months and years."""

    status: str
    unrolled: date | None
    due: date | None
    target: date | None
    used: int | None
    left: int | None
    missed_by: int | None


def last_days(ledger: Ledger) -> tuple[date, date, date] | None:
    """The last counted day, the last day after rolling, and the target, once all is known; None while a hold is open."""
    tally = _tally(ledger, date.max)
    if tally.due is None:
        return None
    return tally.unrolled, tally.due, _target(tally.unrolled if ledger.before_roll else tally.due)


def ask(ledger: Ledger, today: date) -> Answer:
    """What the period shows on that day; what happened later is not known yet."""
    ended = ledger.ended if ledger.ended is not None and ledger.ended.on <= today else None
    horizon = ended.on if ended is not None else today
    notice = ledger.notice if ledger.notice is not None and ledger.notice <= horizon else None
    tally = _tally(ledger, horizon)
    if notice is not None and (tally.due is None or notice <= tally.due):
        status = "displaced" if ended is None else _word(ended)
        return Answer(status, None, None, None, _used(ledger, tally, min(notice, tally.open_since or notice)), None, None)
    used = _used(ledger, tally, min(horizon, tally.open_since or horizon))
    left = None if used is None else max(0, tally.number * (7 if ledger.unit == "weeks" else 1) - used)
    if tally.due is None:
        return Answer("tolled" if ended is None else _word(ended), None, None, None, used, left, None)
    shown = (tally.unrolled, tally.due, _target(tally.unrolled if ledger.before_roll else tally.due))
    if horizon <= tally.due:
        return Answer("running" if ended is None else _word(ended), *shown, used, left, None)
    missed_by = (min(notice, horizon) if notice is not None else horizon) - tally.due
    return Answer("missed" if ledger.actor == "department" else "over", *shown, used, left, missed_by.days)


def _word(ended: Ended) -> str:
    return "met" if ended.met else "stopped"


# --- striking out days --------------------------------------------------------------------------------------------


class _Tally(NamedTuple):
    unrolled: date
    due: date | None
    open_since: date | None
    struck: frozenset[date]
    number: int


def _tally(ledger: Ledger, horizon: date) -> _Tally:
    """Goes through holds and extensions in order of their days, striking out what is held."""
    struck: set[date] = set()
    number, floor_units, floor = ledger.number, 0, date.min
    open_since: date | None = None
    last = _last(ledger, number, struck)
    events: list[Held | Longer] = sorted(
        [*(_as_known(hold, horizon) for hold in ledger.holds if hold.begins <= horizon), *(more for more in ledger.longer if more.on <= horizon)],
        key=lambda event: event[0],
    )
    for event in events:
        if open_since is None and event[0] > roll(last, ledger.actor):
            continue
        if isinstance(event, Longer):
            number += event.adds
            if event.to is not None and event.to > last:
                floor, floor_units = event.to, _units(ledger, struck, event.to)
        elif event.ends is None:
            open_since = open_since or event.begins
        else:
            struck |= {event.begins + DAY * n for n in range(1, (event.ends - event.begins).days + 1)}
            floor = max(floor, event.ends)
        last = max(_last(ledger, number, struck), _walk(ledger, floor_units, struck), floor)
    return _Tally(last, None if open_since else roll(last, ledger.actor), open_since, frozenset(struck), number)


def _as_known(hold: Held, horizon: date) -> Held:
    return hold if hold.ends is not None and hold.ends <= horizon else Held(hold.begins, None)


def _last(ledger: Ledger, number: int, struck: set[date]) -> date:
    if ledger.unit in ("days", "business-days"):
        return _walk(ledger, number, struck)
    return _walk(ledger, (_ahead(ledger.start, number, ledger.unit) - ledger.start).days, struck)


def _walk(ledger: Ledger, units: int, struck: set[date]) -> date:
    """The day on which so many counted days are used up; the start itself is none of them."""
    day = ledger.start
    while units:
        day += DAY
        units -= _counts(ledger, day, struck)
    return day


def _units(ledger: Ledger, struck: set[date], until: date) -> int:
    days = (ledger.start + DAY * n for n in range(1, (until - ledger.start).days + 1))
    return sum(_counts(ledger, day, struck) for day in days)


def _used(ledger: Ledger, tally: _Tally, until: date) -> int | None:
    return None if ledger.unit in ("months", "years") else _units(ledger, set(tally.struck), until)


def _counts(ledger: Ledger, day: date, struck: set[date]) -> bool:
    return day not in struck and not (ledger.unit == "business-days" and _no_business(day))


def _ahead(day: date, number: int, unit: str) -> date:
    if unit == "weeks":
        return day + timedelta(weeks=number)
    month = day.replace(day=1)
    for _ in range(number if unit == "months" else 12 * number):
        month = (month + timedelta(days=31)).replace(day=1)
    last = month
    while last.day < day.day and (last + DAY).month == month.month:
        last += DAY
    return last


# --- the wall calendar --------------------------------------------------------------------------------------------


def roll(day: date, actor: str) -> date:
    """The last day, moved on while it may not lie there (rule 2)."""
    while day.weekday() == SUNDAY or day in legal_holidays(day.year) or (actor != "department" and day.weekday() == SATURDAY):
        day += DAY
    return day


def _target(day: date) -> date:
    while day.weekday() >= SATURDAY or day in office_closings(day.year):
        day -= DAY
    return day


def _no_business(day: date) -> bool:
    return day.weekday() >= SATURDAY or day in legal_holidays(day.year)


@cache
def legal_holidays(year: int) -> frozenset[date]:
    """The legal holidays of a year; one on a Sunday makes the Monday a holiday too."""
    days = {date(year, 1, 1), date(year, 7, 4), date(year, 11, 11), date(year, 12, 25)}
    days |= {_weekday(year, 1, 0, 3), _weekday(year, 2, 0, 3), _last_monday(year, 5), _weekday(year, 9, 0, 1), _weekday(year, 10, 0, 2)}
    days |= {_weekday(year, 11, 3, 4)}
    if year >= 2010:
        days.add(date(year, 6, 19))
    if year % 2 == 0:
        days |= {_weekday(year, 8, 1, 2), _weekday(year, 11, 0, 1) + DAY}
    return frozenset(days | {day + DAY for day in days if day.weekday() == SUNDAY})


@cache
def office_closings(year: int) -> frozenset[date]:
    """The days on which offices are closed; three of them take the Monday after a Sunday."""
    moving = {date(year, 1, 1), date(year, 7, 4), date(year, 12, 25)}
    days = {_weekday(year, 1, 0, 3), _last_monday(year, 5), _weekday(year, 9, 0, 1), _weekday(year, 11, 3, 4), date(year, 12, 24), date(year, 12, 31)}
    return frozenset(days | moving | {day + DAY for day in moving if day.weekday() == SUNDAY})


def _weekday(year: int, month: int, weekday: int, nth: int) -> date:
    days: Sequence[date] = [date(year, month, n) for n in range(1, 29) if date(year, month, n).weekday() == weekday]
    return days[nth - 1]


def _last_monday(year: int, month: int) -> date:
    day = date(year, month, 31)
    while day.weekday() != 0:
        day -= DAY
    return day
