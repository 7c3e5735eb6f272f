"""A last day with three holds: counted by the calendar's tables, against a loop over the days. Both must give the same days."""

from __future__ import annotations

import random
from datetime import date, timedelta
from statistics import median

from benchmarks.measure import Line, in_turns, least, seconds
from caseflow.bootstrap import App
from caseflow.domain.calendar import FIRST, Calendar
from caseflow.domain.clock import HoldDays, Terms, count
from caseflow.domain.rulebook import calendar_of, settings_of

HOLDS = 3
TERMS = Terms(30, "days", "department")
Asked = tuple[int, list[HoldDays]]


def run(rounds: int, number: int = 2_000) -> list[Line]:
    """Dates a second, and how many times as fast as the loop."""
    pack = App().library.all()[0]
    calendar, settings = calendar_of(pack), settings_of(pack, {})
    table = calendar.rolls(TERMS.actor, settings)
    off = {date.fromordinal(FIRST + place) for place, closed in enumerate(table) if closed}
    asked = _asked(number)
    if [_ours(calendar, settings, one) for one in asked] != [_by_days(off, one).toordinal() for one in asked]:
        raise AssertionError("the loop counts other days than the calendar")
    sides = [lambda: seconds(lambda: [_ours(calendar, settings, one) for one in asked]), lambda: seconds(lambda: [_by_days(off, one) for one in asked])]
    found = in_turns(sides, rounds + 1)[1:]
    ratios = tuple(theirs / ours for ours, theirs in found)
    own, base = (number / median(side) for side in zip(*found, strict=True))
    return [least(f"last day of {TERMS.number} days with {HOLDS} holds", 5, "x a day loop", f"{own:,.0f}/s ({base:,.0f}/s by the loop)", ratios, "D1")]


def _asked(number: int) -> list[Asked]:
    luck = random.Random(20261201)
    found = []
    for _ in range(number):
        start = date(2026, 1, 1).toordinal() + luck.randrange(1_000)
        day, holds = start, []
        for _ in range(HOLDS):
            begins = day + luck.randint(1, 8)
            day = begins + luck.randint(1, 60)
            holds.append(HoldDays(begins, day))
        found.append((start, holds))
    return found


def _ours(calendar: Calendar, settings: dict[str, object], asked: Asked) -> int | None:
    return count(calendar, TERMS, asked[0], asked[1], settings=settings).due


def _by_days(off: set[date], asked: Asked) -> date:
    """The same period day by day: a held day does not count, and the last day lies on no day that is off."""
    start, holds = asked
    spans = [(date.fromordinal(one.from_), date.fromordinal(one.to or one.from_)) for one in holds]
    day, left, one = date.fromordinal(start), TERMS.number, timedelta(days=1)
    while left:
        day += one
        if not any(first < day <= last for first, last in spans):
            left -= 1
    while day in off:
        day += one
    return day
