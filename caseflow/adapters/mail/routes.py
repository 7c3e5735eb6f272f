"""Which way out a copy takes, by its channel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from caseflow.domain.mailing import Copy
from caseflow.errors import NotTaken

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter
    from caseflow.services.ports.mail import Handed, Mail, Parcel


class Routes:
    """Implements ports.Mail: one way out for each channel. A channel without one waits for a print batch or the site."""

    def __init__(self, ways: Mapping[str, Mail]) -> None:
        self._ways = ways
        self.channels: Sequence[str] = tuple(ways)

    def message_id(self, letter: RegisteredLetter, copy: Copy) -> str:
        """As the way out names it."""
        return self._way(copy).message_id(letter, copy)

    def digest(self, parcel: Parcel) -> str:
        """As the way out makes it."""
        return self._way(parcel.copy).digest(parcel)

    def hand_over(self, parcel: Parcel) -> Handed:
        """By the copy's own channel."""
        return self._way(parcel.copy).hand_over(parcel)

    def _way(self, copy: Copy) -> Mail:
        way = self._ways.get(copy.channel)
        if way is None:
            raise NotTaken(f"There is no way out for the channel '{copy.channel}'.")
        return way
