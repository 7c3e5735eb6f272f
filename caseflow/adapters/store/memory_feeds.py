"""Links to calendars and what they have told, in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from caseflow.errors import KeyRefused

if TYPE_CHECKING:
    from caseflow.services.ports.feeds import Feed, FeedEvent


class MemoryFeeds:
    """Implements ports.Feeds without a database."""

    def __init__(self) -> None:
        self._feeds: dict[str, Feed] = {}
        self._events: dict[str, dict[str, FeedEvent]] = {}

    def add(self, feed: Feed) -> None:
        """A new link."""
        if feed.id in self._feeds or self.by_digest(feed.digest) is not None:
            raise KeyRefused("That link is there already.")
        self._feeds[feed.id] = feed

    def by_digest(self, digest: str) -> Feed | None:
        """The link of a token's digest."""
        return next((feed for feed in self._feeds.values() if feed.digest == digest), None)

    def of(self, account: str) -> Sequence[Feed]:
        """The links of an account, the newest first."""
        mine = sorted((feed for feed in self._feeds.values() if feed.account == account), key=lambda feed: feed.id)
        return sorted(mine, key=lambda feed: feed.created_at, reverse=True)

    def end(self, feed: str, at: datetime) -> None:
        """The link is over, and what it told is forgotten."""
        found = self._feeds[feed]
        if found.ended_at is None:
            self._feeds[feed] = replace(found, ended_at=at, revision=found.revision + 1)
        self._events.pop(feed, None)

    def read(self, feed: str, at: datetime) -> None:
        """The link was read."""
        self._feeds[feed] = replace(self._feeds[feed], read_at=at)

    def events(self, feed: str) -> Sequence[FeedEvent]:
        """What the link has told, by uid."""
        return [event for _, event in sorted(self._events.get(feed, {}).items())]

    def keep(self, feed: str, revision: int, changed: Sequence[FeedEvent], dropped: Sequence[str]) -> bool:
        """Keeps events that changed and forgets others, unless the link has ended or moved on."""
        found = self._feeds[feed]
        if found.revision != revision or found.ended_at is not None:
            return False
        self._feeds[feed] = replace(found, revision=revision + 1)
        events = {uid: event for uid, event in self._events.get(feed, {}).items() if uid not in dropped}
        self._events[feed] = {**events, **{event.uid: event for event in changed}}
        return True
