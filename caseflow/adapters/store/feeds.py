"""Links to calendars and what they have told, on the SQL database. Each call is one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update

from caseflow.adapters.store.apart import SqlApart
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.tables import programs as t
from caseflow.services.again import again
from caseflow.services.ports.feeds import Feed, FeedEvent

FEED: Any = t.FeedRow.__table__  # type: ignore[attr-defined]
EVENT: Any = t.FeedEventRow.__table__  # type: ignore[attr-defined]


class SqlFeeds(SqlApart):
    """Implements ports.Feeds."""

    def add(self, feed: Feed) -> None:
        """A new link."""
        self._write(insert(FEED).values({name: getattr(feed, name) for name in Feed.__slots__}))

    def by_digest(self, digest: str) -> Feed | None:
        """The link of a token's digest."""
        return next((_feed(row) for row in self._read(select(FEED).where(FEED.c.digest == digest))), None)

    def of(self, account: str) -> Sequence[Feed]:
        """The links of an account, the newest first."""
        return [_feed(row) for row in self._read(select(FEED).where(FEED.c.account == account).order_by(FEED.c.created_at.desc(), FEED.c.id))]

    def end(self, feed: str, at: datetime) -> None:
        """The link is over, and what it told is forgotten."""
        over = update(FEED).where(FEED.c.id == feed, FEED.c.ended_at.is_(None)).values(ended_at=at, revision=FEED.c.revision + 1)
        self._write(over, delete(EVENT).where(EVENT.c.feed == feed))

    def read(self, feed: str, at: datetime) -> None:
        """The link was read."""
        self._write(update(FEED).where(FEED.c.id == feed).values(read_at=at))

    def events(self, feed: str) -> Sequence[FeedEvent]:
        """What the link has told, by uid."""
        rows = self._read(select(EVENT).where(EVENT.c.feed == feed).order_by(EVENT.c.uid))
        return [FeedEvent(*(getattr(row, name) for name in FeedEvent.__slots__)) for row in rows]

    @again
    def keep(self, feed: str, revision: int, changed: Sequence[FeedEvent], dropped: Sequence[str]) -> bool:
        """Keeps events that changed and forgets others, unless the link has ended or moved on."""
        still = update(FEED).where(FEED.c.id == feed, FEED.c.revision == revision, FEED.c.ended_at.is_(None)).values(revision=revision + 1)
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            if connection.execute(still).rowcount != 1:
                return False
            gone = [*dropped, *(one.uid for one in changed)]
            for at in range(0, len(gone), 500):
                connection.execute(delete(EVENT).where(EVENT.c.feed == feed, EVENT.c.uid.in_(gone[at : at + 500])))
            if changed:
                connection.execute(insert(EVENT), [{"feed": feed, **{name: getattr(one, name) for name in FeedEvent.__slots__}} for one in changed])
        return True


def _feed(row: Any) -> Feed:
    return Feed(*(getattr(row, name) for name in Feed.__slots__))
