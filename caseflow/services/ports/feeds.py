"""The port of links to calendars of deadlines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Feed:
    """A secret link to a calendar of deadlines. Of its token only the `digest` is kept; `scope` is mine or team.

    `revision` rises with every change of the events that it has told.
    """

    id: str
    digest: str
    account: str
    scope: str
    created_at: datetime
    ended_at: datetime | None = None
    read_at: datetime | None = None
    revision: int = 0


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """An event as a link told it last. `sequence` rises with each change; `gone`: it was called off at `changed_at`."""

    uid: str
    case: str
    clock: str
    day: date
    summary: str
    text: str
    sequence: int
    changed_at: datetime
    gone: bool = False


class Feeds(Protocol):
    """Where links to calendars and what they have told are kept. Each call is a transaction of its own."""

    def add(self, feed: Feed) -> None:
        """A new link."""

    def by_digest(self, digest: str) -> Feed | None:
        """The link of a token's digest, open or ended."""

    def of(self, account: str) -> Sequence[Feed]:
        """The links of an account, the newest first."""

    def end(self, feed: str, at: datetime) -> None:
        """The link is over, and what it told is forgotten. One that has ended keeps its day."""

    def read(self, feed: str, at: datetime) -> None:
        """The link was read."""

    def events(self, feed: str) -> Sequence[FeedEvent]:
        """What the link has told, by uid."""

    def keep(self, feed: str, revision: int, changed: Sequence[FeedEvent], dropped: Sequence[str]) -> bool:
        """Keeps events that changed and forgets others; False, and nothing kept, where the link has ended or moved on from that revision."""
