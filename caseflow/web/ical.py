"""A calendar of deadlines as iCalendar (RFC 5545): days without hours, nothing that blocks somebody's time.

The package escapes and folds what is written. The same events give the same bytes, so that a reader that has them is told so.
"""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

from icalendar import Calendar, Event

from caseflow.services.feeds import FeedText
from caseflow.services.ports.feeds import FeedEvent

EVERY = timedelta(hours=1)
"""How often a reader is asked to look again."""


def ical(feed: FeedText, home: str) -> bytes:
    """The calendar. `home` is the address of the site: an event leads to how its date was counted."""
    made = Calendar()
    for name, value in (("prodid", "-//caseflow//deadlines//EN"), ("version", "2.0"), ("calscale", "GREGORIAN"), ("method", "PUBLISH")):
        made.add(name, value)
    made.add("name", feed.title)
    made.add("x-wr-calname", feed.title)
    made.add("refresh-interval", EVERY, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", "PT1H")
    for one in feed.events:
        made.add_component(_event(one, f"{home}/cases/{quote(one.case, safe='')}/why/{quote(one.clock, safe='')}"))
    text: bytes = made.to_ical(sorted=False)
    return text


def _event(one: FeedEvent, address: str) -> Event:
    made = Event()
    made.add("uid", plain(one.uid))
    made.add("dtstamp", one.changed_at)
    made.add("last-modified", one.changed_at)
    made.add("sequence", one.sequence)
    made.add("dtstart", one.day)
    made.add("summary", plain(f"No longer: {one.summary}" if one.gone else one.summary))
    made.add("description", plain(f"This date has fallen away.\n{address}" if one.gone else f"{one.text}\n{address}"))
    made.add("url", address)
    made.add("status", "CANCELLED" if one.gone else "CONFIRMED")
    made.add("transp", "TRANSPARENT")
    made.add("class", "PRIVATE")
    return made


def plain(text: str) -> str:
    """Text without signs that no line of a calendar may hold."""
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)
