"""Two calendars compared: which days come and go, in the words of the list that they stand in."""

from __future__ import annotations

from collections.abc import Iterator

from caseflow.domain import pack as p
from caseflow.domain.difference.change import Change
from caseflow.domain.difference.fields import LAW, field_of
from caseflow.domain.difference.saying import day_of_rule
from caseflow.domain.difference.walk import Walk, thing_of


def calendar_changes(walk: Walk, before: p.CalendarText, after: p.CalendarText) -> Iterator[Change]:
    """Every difference of two calendars."""
    for name, one in after.day_lists.items():
        if name in before.day_lists:
            yield from _days(walk, name, before.day_lists[name], one)
    yield from walk.things(before.day_lists, after.day_lists, skip=("days",))
    yield from walk.things(before.actors, after.actors)
    yield from walk.things(before.channels, after.channels)
    thing = thing_of(after.calendar, after)
    yield from walk.members(thing, before, after, skip=("day_lists", "actors", "channels"))


def _days(walk: Walk, name: str, before: p.DayList, after: p.DayList) -> Iterator[Change]:
    gone = [day for day in before.days if day not in after.days]
    come = [day for day in after.days if day not in before.days]
    for day in list(gone):
        match = next((other for other in come if other.name == day.name and other.once is None and day.once is None), None)
        if match is not None:
            gone.remove(day)
            come.remove(match)
            yield from _moved(walk, name, after, day, match)
    for day in come:
        yield _day(walk, name, after, day, "is now")
    for day in gone:
        yield _day(walk, name, before, day, "is no longer")
    if not gone and not come and [day for day in before.days if day in after.days] != [day for day in after.days if day in before.days]:
        text = f"The days of “{after.title}” are written in another order or number."
        yield Change("words", "day list", name, "changed", text, walk.workflows, "days", walk.was.say(before.days), walk.now.say(after.days), after.cite)


def _day(walk: Walk, name: str, days: p.DayList, day: p.DayRule, verb: str) -> Change:
    said = day_of_rule(day)
    source = day.source or day.cite or day.note or days.cite
    text = f"{said[:1].upper()}{said[1:]} ({day.name}) {verb} {_a(days.title)}."
    was, now = (None, said) if verb == "is now" else (said, None)
    return Change("dates", "day list", name, "changed", text, walk.workflows, "days", was, now, source)


def _moved(walk: Walk, name: str, days: p.DayList, before: p.DayRule, after: p.DayRule) -> Iterator[Change]:
    was, now = day_of_rule(before), day_of_rule(after)
    if was != now:
        text = f"{after.name} ({days.title}) is {now} instead of {was}."
        yield Change("dates", "day list", name, "changed", text, walk.workflows, "days", was, now, after.source or after.cite or days.cite)
    for member in LAW:
        one, other = getattr(before, member, None), getattr(after, member, None)
        if one != other:
            label, said = field_of(p.DayRule, member).label, (walk.was.say(one), walk.now.say(other))
            text = f"The {label} of {after.name} ({days.title}) is {said[1]} instead of {said[0]}."
            yield Change("law", "day list", name, "changed", text, walk.workflows, f"days.{member}", said[0], said[1], after.cite or days.cite)


def _a(title: str) -> str:
    """A title as one of its kind: a legal holiday, an office closing."""
    said = title[:1].lower() + title[1:]
    return f"{'an' if said[:1] in 'aeiou' else 'a'} {said}"
