"""The port of visits to status pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody of a request (`role` and `name` as the case has them) who reads its status page."""

    digest: str
    case: str
    role: str
    name: str
    created_at: datetime
    expires_at: datetime
    ended_at: datetime | None


class Visits(Protocol):
    """Where visits to status pages are kept. Each call is a transaction of its own."""

    def open(self, visit: Visit) -> None:
        """A new visit; those that ended long ago are forgotten."""

    def visit(self, digest: str) -> Visit | None:
        """The visit of a token's digest."""

    def end(self, digest: str, at: datetime) -> None:
        """The visit is over."""
