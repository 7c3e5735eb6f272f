"""Calendars of deadlines that a person's own calendar reads by a secret link.

A link is a random token of which only a digest is kept; whoever has it reads what its owner may see at that moment. An
event keeps its uid for as long as its case has the clock: a moved date is the same event with a higher sequence, and one
that falls away is called off for a while, so that it leaves the calendars that showed it. What a link has told is kept
beside it, since only that says what a reader has seen. An event names the case by its number and no person or place.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from caseflow.errors import BadInput, NotFound
from caseflow.services.deadlines import KINDS, Deadline, Deadlines
from caseflow.services.people import People, Person
from caseflow.services.ports import Now
from caseflow.services.ports.feeds import Feed, FeedEvent, Feeds

if TYPE_CHECKING:
    from caseflow.services.ports.people import Accounts

SCOPES = {"mine": "My cases", "team": "The whole team’s cases"}
MOST_LINKS, MOST_CASES = 10, 1_000
BACK, AHEAD = timedelta(days=60), timedelta(days=730)
"""How far a link reaches from today."""
CALLED_OFF = timedelta(days=30)
"""How long an event that fell away is told as called off."""
GUESSES, REST, READ_EVERY, TRIES = 30, timedelta(minutes=15), timedelta(hours=1), 5
TOKEN = 43
"""Signs of a token: 256 bits."""
_SHOWN = tuple(kind for kind in KINDS if kind != "warning")
_ROLES = {"target": "target", "silence": "silence"}


class TooManyGuesses(BadInput):
    """So many links were wrong from this address that it rests."""


@dataclass(frozen=True, slots=True)
class FeedText:
    """What a link tells now: the title and the events, by day."""

    title: str
    events: tuple[FeedEvent, ...]


class DeadlineFeeds:
    """Links: making, ending and reading them. `wall` is the real time, by which guesses rest."""

    def __init__(
        self, deadlines: Deadlines, feeds: Feeds, accounts: Accounts, people: People, now: Now, wall: Now, looked: Callable[[str, str, str], None]
    ) -> None:
        self._deadlines, self._feeds, self._accounts, self._people = deadlines, feeds, accounts, people
        self._now, self._wall, self._looked = now, wall, looked

    def make(self, person: Person, scope: str) -> str:
        """A new link's token, which is told this once. Raises BadInput."""
        if scope not in SCOPES:
            raise BadInput("A calendar link is for your own cases or for the whole team’s; choose one of the two.")
        if len(self.of(person)) >= MOST_LINKS:
            raise BadInput(f"You have {MOST_LINKS} calendar links already; end one that you no longer use.")
        token = secrets.token_urlsafe(32)
        self._feeds.add(Feed(secrets.token_hex(8), _digest(token), person.id, scope, self._now()))
        return token

    def of(self, person: Person) -> list[dict[str, Any]]:
        """The open links of a person, the newest first."""
        day = self._deadlines.day_of
        return [
            {"id": one.id, "scope": one.scope, "title": SCOPES[one.scope], "made_on": day(one.created_at), "read_on": day(one.read_at) if one.read_at else None}
            for one in self._feeds.of(person.id)
            if one.ended_at is None
        ]

    def end(self, person: Person, feed: str) -> None:
        """Ends one of a person's own links at once. Raises NotFound, also for somebody else's."""
        if feed not in {one["id"] for one in self.of(person)}:
            raise NotFound("There is no such calendar link; it may have ended already.")
        self._feeds.end(feed, self._now())

    def read(self, token: str, address: str) -> FeedText:
        """What a link tells now. Raises NotFound where it is none, was ended, or its owner may see no cases; TooManyGuesses."""
        feed = self._known(token, address)
        person = self._people.person(feed.account) if feed.ended_at is None else None
        if person is None or not person.may("read"):
            raise _no_feed()
        now, made = self._now(), self._told(feed, person)
        if feed.read_at is None or now - feed.read_at > READ_EVERY:
            self._feeds.read(feed.id, now)
        return made

    def _known(self, token: str, address: str) -> Feed:
        key, wall = f"feed:{_digest(address)}", self._wall()
        if self._accounts.resting_until((key,), wall) is not None:
            raise TooManyGuesses("Too many calendar links from here were wrong. Wait 15 minutes, then try again.")
        found = self._feeds.by_digest(_digest(token)) if len(token) == TOKEN else None
        if found is None:
            # A link that was ended is no guess: calendars go on asking for it for years.
            self._accounts.guessed_wrong({key: GUESSES}, wall, REST)
            raise _no_feed()
        return found

    def _told(self, feed: Feed, person: Person) -> FeedText:
        """The events as they now stand, kept as told. Two readings at once tell the same."""
        for _ in range(TRIES):
            today, moment = self._deadlines.today(), self._now()
            found, through = self._deadlines.between(person, today - BACK, today + AHEAD, mine=feed.scope == "mine", most=MOST_CASES)
            events, changed, dropped = merged(self._feeds.events(feed.id), events_of(found), feed.revision, moment, (today - BACK, through or today + AHEAD))
            if not (changed or dropped) or self._feeds.keep(feed.id, feed.revision, changed, dropped):
                for case in dict.fromkeys(one.case for one in changed if not one.gone):
                    self._looked(person.id, case, "calendar link")
                return FeedText(f"caseflow: {SCOPES[feed.scope].lower()}", tuple(sorted(events, key=lambda one: (one.day, one.uid))))
            again = self._feeds.by_digest(feed.digest)
            if again is None or again.ended_at is not None:
                raise _no_feed()
            feed = again
        raise BadInput("This calendar is being read by too many at once; try again in a moment.")


def events_of(dates: Iterable[Deadline]) -> dict[str, tuple[Deadline, str, str]]:
    """Dates as events by uid: each with its summary and text. A warning is none: a calendar warns by itself."""
    found: dict[str, tuple[Deadline, str, str]] = {}
    for one in dates:
        if one.kind in _SHOWN:
            parts = [f"{one.clock_title}{'; ' + one.what if one.what else ''}.", one.cite or "", one.workflow_title]
            found[uid(one.case, one.clock, one.kind)] = (one, f"{one.case}: {_lower(KINDS[one.kind])}", "\n".join(part for part in parts if part))
    return found


def uid(case: str, clock: str, kind: str) -> str:
    """The name of an event, the same for as long as there is the case: what kind of day its end is may change."""
    return f"{case}.{clock}.{_ROLES.get(kind, 'end')}@caseflow"


def merged(
    told: Sequence[FeedEvent], wanted: Mapping[str, tuple[Deadline, str, str]], sequence: int, moment: datetime, reach: tuple[date, date]
) -> tuple[list[FeedEvent], list[FeedEvent], list[str]]:
    """What is to be told now, which of it changed, and what is forgotten.

    `sequence` is higher than that of any event told before. An event that is wanted no more is called off while its day
    lies within `reach`; later ones stay as they are, since nobody looked for them; of past ones nobody asks.
    """
    before = {one.uid: one for one in told}
    events, changed, dropped = [], [], []
    for name, (one, summary, text) in wanted.items():
        old = before.pop(name, None)
        made = FeedEvent(name, one.case, one.clock, one.day, summary, text, sequence, moment)
        if old is not None and replace(made, sequence=old.sequence, changed_at=old.changed_at) == old:
            events.append(old)
        else:
            events.append(made)
            changed.append(made)
    for name, old in before.items():
        if old.day < reach[0] or (old.gone and moment - old.changed_at > CALLED_OFF):
            dropped.append(name)
        elif old.gone or old.day > reach[1]:
            events.append(old)
        else:
            off = replace(old, sequence=sequence, changed_at=moment, gone=True)
            events.append(off)
            changed.append(off)
    return events, changed, dropped


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _no_feed() -> NotFound:
    return NotFound("There is no such calendar. Its link may have been ended; make a new one on the calendar page.")


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
