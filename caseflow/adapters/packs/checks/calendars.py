"""The calendar: day rules that can be read, lists and weekdays that exist, one agency, citations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from caseflow.adapters.packs.checks.names import reading_faults
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.calendar import MONTHS, WEEKDAYS
from caseflow.domain.facts import nearest
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

_HOUR = re.compile(r"([01]\d|2[0-3]):[0-5]\d\Z")


def check(loaded: Loaded) -> list[Fault]:
    """Faults of calendar.yaml."""
    return list(_faults(loaded))


def _faults(loaded: Loaded) -> Iterator[Fault]:
    text, node = loaded.pack.calendar, loaded.source.calendar
    assert node is not None
    try:
        ZoneInfo(text.zone)
    except (ZoneInfoNotFoundError, ValueError):
        yield Fault(*node.find(("zone",)), f"no time zone '{text.zone}'; write one such as America/Chicago")
    wrong = [word for word in ("opens", "closes") if not _HOUR.match(getattr(text.office, word))]
    for word in wrong:
        yield Fault(*node.find(("office", word)), _no_hour(getattr(text.office, word)))
    if not wrong and text.office.closes <= text.office.opens:
        yield Fault(*node.find(("office", "closes")), "the office closes before it opens; exchange the times")
    agencies = [name for name, actor in text.actors.items() if actor.agency]
    if len(agencies) != 1:
        yield Fault(*node.find(("actors",), True), f"exactly one actor is the agency, not {len(agencies)}; write 'agency: true' once")
    known = {*WEEKDAYS, *text.day_lists}
    for word, names in (("closed-on", text.closed_on), ("business-days-skip", text.business_days_skip)):
        for place, name in enumerate(names):
            if name not in known:
                yield Fault(*node.find((word, place)), f"no weekday or day list '{name}'{nearest(name, known)}")
    for place, name in enumerate(text.silence.waits_when_due_on):
        if name not in WEEKDAYS:
            yield Fault(*node.find(("silence", "waits-when-due-on", place)), f"no weekday '{name}'{nearest(name, WEEKDAYS)}")
    for name, actor in text.actors.items():
        if not (actor.cite or actor.note or actor.policy):
            yield Fault(*node.find(("actors", name), True), f"actor '{name}' has no cite; name the law that moves its last days, or write 'note'")
        for place, rule in enumerate(actor.rolls_off):
            if rule.day not in known:
                yield Fault(*node.find(("actors", name, "rolls-off", place)), f"no weekday or day list '{rule.day}'{nearest(rule.day, known)}")
            for word, said in reading_faults(rule.when, loaded.pack) if rule.when is not None else ():
                yield Fault(*node.find(("actors", name, "rolls-off", place, "when", word)), said)
    yield from _channels(loaded.pack, node)
    for name, days in text.day_lists.items():
        yield from _list(name, days, node)


def _channels(pack: p.Pack, node: Node) -> Iterator[Fault]:
    for name, channel in pack.calendar.channels.items():
        cutoff, path = channel.cutoff, ("channels", name, "cutoff")
        if isinstance(cutoff, p.SettingRef):
            setting = pack.text.settings.get(cutoff.setting)
            if setting is None:
                yield Fault(*node.find((*path, "setting")), f"no setting '{cutoff.setting}'{nearest(cutoff.setting, pack.text.settings)}")
            for reading in setting.readings or (None,) if setting is not None else ():
                if reading != "none" and not (reading and _HOUR.match(reading)):
                    text = f"the readings of setting '{cutoff.setting}' must be times of day, or none; '{reading}' is neither"
                    yield Fault(*node.find((*path, "setting")), text)
        elif cutoff is not None and cutoff != "none" and not _HOUR.match(cutoff):
            yield Fault(*node.find(path), _no_hour(cutoff))


def _no_hour(text: str) -> str:
    return f"'{text}' is no time of day; write it as \"16:30\""


def _list(name: str, days: p.DayList, node: Node) -> Iterator[Fault]:
    find = node.find
    names = [day.name for day in days.days]
    for place, one in enumerate(days.on_sunday_only):
        if one not in names:
            yield Fault(*find(("day-lists", name, "on-sunday-only", place)), f"no day '{one}' in this list{nearest(one, names)}")
    for place, day in enumerate(days.days):
        path = ("day-lists", name, "days", place)
        if sum(part is not None for part in (day.month_day, day.nth, day.once)) != 1:
            yield Fault(*find(path), f"'{day.name}' has exactly one of month-day, nth and once")
        elif day.month_day is not None and not _month_day(day.month_day):
            yield Fault(*find((*path, "month-day")), f"'{day.month_day}' is no day of a year; write it as 12-25")
        elif day.nth is not None:
            number, weekday, month = day.nth
            if number != "last" and not (isinstance(number, int) and 1 <= number <= 5):
                yield Fault(*find((*path, "nth", 0)), f"'{number}' is no place in a month; write 1 to 5, or last")
            if weekday not in WEEKDAYS:
                yield Fault(*find((*path, "nth", 1)), f"no weekday '{weekday}'{nearest(weekday, WEEKDAYS)}")
            if month not in MONTHS:
                yield Fault(*find((*path, "nth", 2)), f"no month '{month}'{nearest(month, MONTHS)}")
        if not (day.cite or day.source or days.cite or days.note):
            yield Fault(*find(path), f"'{day.name}' has no source; write 'cite' at the list or 'source' at the day")


def _month_day(text: str) -> bool:
    match = re.match(r"(\d\d)-(\d\d)\Z", text)
    return (
        match is not None
        and 1 <= int(match[1]) <= 12
        and 1 <= int(match[2]) <= (29 if match[1] == "02" else 30 if match[1] in ("04", "06", "09", "11") else 31)
    )
