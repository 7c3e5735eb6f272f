"""Which days count, which are open, which are holidays (each with its source), and how a last day rolls.

Knows days only. What a period is, and which hold leaves days out, is decided in clock.py. Days are handled as
ordinals (`date.toordinal`) inside; tables are built once per calendar version and list.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from caseflow.domain.pack import CalendarText, DayList, DayRule, SettingRef
from caseflow.errors import BadInput

FIRST_YEAR, LAST_YEAR = 1950, 2150
FIRST = date(FIRST_YEAR, 1, 1).toordinal()
LAST = date(LAST_YEAR, 12, 31).toordinal()

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY_NAMES = tuple(name.capitalize() for name in WEEKDAYS)
MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_MONTH_NAMES = tuple(name.capitalize() for name in MONTHS)


class NamedDay(NamedTuple):
    """Why a day is special: its name, the list it is in and the source."""

    name: str
    list: str
    title: str
    cite: str | None


class Calendar:
    """A calendar version at work. Dates beyond 1950 to 2150 raise BadInput."""

    def __init__(self, text: CalendarText, version: str | None = None) -> None:
        self.text = text
        self.version = version or text.version
        self.zone = ZoneInfo(text.zone)
        self.opens = time.fromisoformat(text.office.opens)
        self.closes = time.fromisoformat(text.office.closes)
        self.agency = next(name for name, actor in text.actors.items() if actor.agency)
        self._days = {name: _expand(name, days) for name, days in text.day_lists.items()}
        self._moments: dict[int, datetime] = {}
        self._rolls: dict[tuple[str, tuple[bool, ...]], bytearray] = {}

    # --- single days ---

    def names(self, ordinal: int) -> list[NamedDay]:
        """Every list that has this day."""
        return [days[ordinal] for days in self._days.values() if ordinal in days]

    def list_days(self, year: int) -> list[tuple[date, NamedDay]]:
        """All listed days of a year, in order."""
        first, last = date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal()
        found = [(ordinal, name) for days in self._days.values() for ordinal, name in days.items() if first <= ordinal <= last]
        return [(date.fromordinal(ordinal), name) for ordinal, name in sorted(found)]

    def is_open(self, day: date) -> bool:
        """Whether the office is open on that day."""
        return not self._closed[_index(day.toordinal())]

    def target(self, ordinal: int) -> int:
        """The last day on or before it on which the office is open."""
        closed = self._closed
        while closed[_index(ordinal)]:
            ordinal -= 1
        return ordinal

    def next_open(self, ordinal: int) -> int:
        """The first open day after it."""
        ordinal += 1
        while self._closed[_index(ordinal)]:
            ordinal += 1
        return ordinal

    @cached_property
    def _open(self) -> array[int]:
        """Every day on which the office is open, in order."""
        return array("i", (FIRST + place for place, is_closed in enumerate(self._closed) if not is_closed))

    def open_days_before(self, ordinal: int, days: int) -> int:
        """The day that many open days before it."""
        if days == 0:
            return ordinal
        _index(ordinal - 1)  # a day beyond the calendar is refused
        place = bisect_left(self._open, ordinal) - days
        return self._open[place] if place >= 0 else self.target(FIRST - 1)

    def open_days_between(self, first: date, last: date) -> int:
        """How many open days lie after `first` up to and including `last` (negative if `last` is earlier)."""
        if last < first:
            return -self.open_days_between(last, first)
        closed = self._closed
        return sum(not closed[_index(day)] for day in range(first.toordinal() + 1, last.toordinal() + 1))

    # --- rolling ---

    def rolls(self, actor: str, settings: Mapping[str, Any]) -> bytearray:
        """A table by day: 1 where a last day of this actor may not lie. Readings are asked of the settings."""
        rules = self.text.actors[actor].rolls_off
        taken = tuple(rule.when is None or settings.get(rule.when.setting) == rule.when.is_ for rule in rules)
        key = (actor, taken)
        if key not in self._rolls:
            self._rolls[key] = self._table(tuple(rule.day for rule, use in zip(rules, taken, strict=True) if use))
        return self._rolls[key]

    def why_off(self, ordinal: int, actor: str, settings: Mapping[str, Any]) -> tuple[str, str | None, str | None]:
        """Why a last day of this actor can't lie there: words, citation, and the setting without whose reading it could."""
        rules = [rule for rule in self.text.actors[actor].rolls_off if rule.when is None or settings.get(rule.when.setting) == rule.when.is_]
        off = sorted((rule for rule in rules if self._is_off(ordinal, rule.day)), key=lambda rule: rule.when is not None)
        reading = off[0].when.setting if off and off[0].when is not None else None
        named = [name for name in self.names(ordinal) if name.list in {rule.day for rule in off}]
        if named:
            return f"{named[0].name} ({named[0].title.lower()})", named[0].cite, reading
        return _WEEKDAY_NAMES[(ordinal - 1) % 7], self.text.actors[actor].cite, reading

    def _is_off(self, ordinal: int, day: str) -> bool:
        return ordinal in self._days[day] if day in self._days else WEEKDAYS.index(day) == (ordinal - 1) % 7

    # --- business days ---

    @cached_property
    def _skip(self) -> bytearray:
        return self._table(self.text.business_days_skip)

    @cached_property
    def _counted(self) -> array[int]:
        """How many business days there are up to and including each day."""
        total, sums = 0, array("i")
        for skip in self._skip:
            total += not skip
            sums.append(total)
        return sums

    @cached_property
    def _business(self) -> array[int]:
        """The business days, in order."""
        return array("i", (FIRST + index for index, skip in enumerate(self._skip) if not skip))

    def business_days(self, after: int, until: int) -> int:
        """Business days after one day up to and including another."""
        return self._counted[_index(until)] - self._counted[_index(after)]

    def business_day(self, start: int, number: int) -> int:
        """The nth business day after a day, or before it where the number is negative."""
        if number == 0:
            return start
        place = self._counted[_index(start)] + number - 1 if number > 0 else self._counted[_index(start - 1)] + number
        if not 0 <= place < len(self._business):
            raise BadInput(_beyond(start))
        return self._business[place]

    # --- moments ---

    def local_day(self, moment: datetime) -> date:
        """The agency's date at a moment."""
        return moment.astimezone(self.zone).date()

    def start_of(self, day: date, hour: int = 0) -> datetime:
        """The moment at which a local day reaches that hour, in UTC."""
        return datetime.combine(day, time(hour), self.zone).astimezone(UTC)

    def moment(self, ordinal: int, hour: int = 0) -> datetime:
        """The moment at which a local day reaches that hour, in UTC; kept, since many cases share it."""
        key = ordinal * 24 + hour
        if key not in self._moments:
            self._moments[key] = self.start_of(date.fromordinal(ordinal), hour)
        return self._moments[key]

    def received_on(self, moment: datetime, channel: str, settings: Mapping[str, Any] | None = None) -> date:
        """The day on which a filing counts as received. A cutoff of `none` lets any hour count. Raises BadInput."""
        rule = self.text.channels.get(channel)
        if rule is None:
            raise BadInput(f"no channel '{channel}'; write one of {', '.join(self.text.channels)}")
        local = moment.astimezone(self.zone)
        day = local.date()
        cutoff = rule.cutoff if not isinstance(rule.cutoff, SettingRef) else (settings or {}).get(rule.cutoff.setting)
        any_hour = cutoff == "none" or (cutoff is None and rule.counts == "day-of-arrival")
        latest = time.max if any_hour else time.fromisoformat(str(cutoff)) if cutoff else self.closes
        if any_hour and rule.counts == "day-of-arrival" or (self.is_open(day) and local.time() <= latest):
            return day
        return date.fromordinal(self.next_open(day.toordinal()))

    # --- tables ---

    @cached_property
    def _closed(self) -> bytearray:
        return self._table(self.text.closed_on)

    def _table(self, names: tuple[str, ...]) -> bytearray:
        table = bytearray(LAST - FIRST + 1)
        for name in names:
            if name in WEEKDAYS:
                first = (WEEKDAYS.index(name) - date.fromordinal(FIRST).weekday()) % 7
                table[first::7] = b"\x01" * len(range(first, len(table), 7))
            else:
                for ordinal in self._days[name]:
                    table[ordinal - FIRST] = 1
        return table


def say(ordinal: int) -> str:
    """A day as people read it: Monday, January 4, 2027."""
    day = date.fromordinal(ordinal)
    return f"{_WEEKDAY_NAMES[day.weekday()]}, {_MONTH_NAMES[day.month - 1]} {day.day}, {day.year}"


def add_months(ordinal: int, months: int) -> int:
    """The same day of a later month; a missing day becomes the month's last."""
    day = date.fromordinal(ordinal)
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = (date(year + (month == 11), (month + 1) % 12 + 1, 1) - timedelta(days=1)).day
    return date(year, month + 1, min(day.day, last)).toordinal()


def _index(ordinal: int) -> int:
    if not FIRST <= ordinal <= LAST:
        raise BadInput(_beyond(ordinal))
    return ordinal - FIRST


def _beyond(ordinal: int) -> str:
    return f"{date.fromordinal(max(ordinal, 1))} is beyond the calendar, which covers {FIRST_YEAR} to {LAST_YEAR}"


def _expand(name: str, days: DayList) -> dict[int, NamedDay]:
    found: dict[int, NamedDay] = {}
    for rule in days.days:
        source = rule.source or rule.cite or days.cite
        for ordinal in _days_of(rule):
            found.setdefault(ordinal, NamedDay(rule.name, name, days.title, source))
    for ordinal, day in list(found.items()):
        weekday = (ordinal - 1) % 7
        extra = 0
        if weekday == 6 and days.on_sunday == "monday-too" and (not days.on_sunday_only or day.name in days.on_sunday_only):
            extra = ordinal + 1
        elif weekday == 5 and days.on_saturday == "friday-too":
            extra = ordinal - 1
        if extra and FIRST <= extra <= LAST:
            found.setdefault(extra, NamedDay(f"{day.name}, observed", name, days.title, day.cite))
    return found


def _days_of(rule: DayRule) -> list[int]:
    if rule.once is not None:
        return [rule.once.toordinal()]
    years = range(max(rule.from_ or FIRST_YEAR, FIRST_YEAR), min(rule.until or LAST_YEAR, LAST_YEAR) + 1)
    found = []
    for year in years:
        if rule.years and (year % 2 == 0) != (rule.years == "even"):
            continue
        day = _month_day(rule.month_day, year) if rule.month_day else _nth(rule.nth, year)
        if day is not None and FIRST <= day + rule.plus <= LAST:
            found.append(day + rule.plus)
    return found


def _month_day(text: str, year: int) -> int | None:
    month, _, day = text.partition("-")
    try:
        return date(year, int(month), int(day)).toordinal()
    except ValueError:
        return None


def _nth(nth: tuple[Any, str, str] | None, year: int) -> int | None:
    if nth is None:
        return None
    number, weekday, month = nth
    wanted, place = WEEKDAYS.index(weekday), MONTHS.index(month) + 1
    if number == "last":
        end = (date(year + (place == 12), place % 12 + 1, 1) - timedelta(days=1)).toordinal()
        return end - ((end - 1) % 7 - wanted) % 7
    first = date(year, place, 1).toordinal()
    day = first + (wanted - (first - 1) % 7) % 7 + 7 * (int(number) - 1)
    return day if date.fromordinal(day).month == place else None
