"""The port of the filters that people save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SavedView:
    """A filter that a person keeps under a name: the path and question of its list."""

    account: str
    name: str
    address: str
    made_at: datetime


class Views(Protocol):
    """Where saved filters are kept. Each call is a transaction of its own."""

    def of(self, account: str) -> Sequence[SavedView]:
        """Those of a person, by name."""

    def keep(self, view: SavedView) -> None:
        """Keeps a filter; the same name again replaces it."""

    def drop(self, account: str, name: str) -> bool:
        """Forgets a filter of a person; False where there is none of that name."""
