"""What differs between two calendars, in days and in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from caseflow.domain.calendar import Calendar, NamedDay
from caseflow.domain.pack import CalendarText

YEARS_BACK, YEARS_AHEAD = 1, 4
"""Days are compared one by one within these years of today; a rule that lists a day in every year lists it beyond too."""
WORDS = {
    "zone": "the time zone",
    "office": "the office's hours",
    "closed_on": "on which days the office is closed",
    "business_days_skip": "which days business days skip",
    "backward": "how a period counted backwards moves",
    "actors": "what last days roll off",
    "channels": "when filings count as received",
    "silence": "when an outcome by silence waits",
}


def changed_days(old: CalendarText, new: CalendarText, today: date) -> dict[str, Any]:
    """{days: {added, removed}, years, also}: the listed days that only one of them has, each with its source, and what else differs."""
    first, last = today.year - YEARS_BACK, today.year + YEARS_AHEAD
    had, has = _days(Calendar(old), first, last), _days(Calendar(new), first, last)
    also = [text for name, text in WORDS.items() if getattr(old, name) != getattr(new, name)]
    days = {"added": _shown(sorted(has.keys() - had.keys()), has), "removed": _shown(sorted(had.keys() - has.keys()), had)}
    return {"days": days, "years": [first, last], "also": also}


def _days(calendar: Calendar, first: int, last: int) -> dict[tuple[date, str], NamedDay]:
    return {(day, name.list): name for year in range(first, last + 1) for day, name in calendar.list_days(year)}


def _shown(keys: Iterable[tuple[date, str]], days: dict[tuple[date, str], NamedDay]) -> list[dict[str, Any]]:
    return [
        {"date": day.isoformat(), "name": days[day, listed].name, "list": listed, "list_title": days[day, listed].title, "source": days[day, listed].cite}
        for day, listed in keys
    ]
