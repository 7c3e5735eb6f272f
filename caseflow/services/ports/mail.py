"""The port by which letters leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from caseflow.domain.mailing import Copy
    from caseflow.services.ports.letters import RegisteredLetter


@dataclass(frozen=True, slots=True)
class Parcel:
    """A copy as it leaves: the same bytes every time. `at` is its first attempt, which dates it; `sender` who writes; `code`
    opens the status page, where the recipient has one."""

    letter: RegisteredLetter
    copy: Copy
    markdown: str
    text: str
    html: str
    pdf: bytes | None
    at: datetime
    sender: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Handed:
    """The proof of a hand-over, and the SHA-256 of the bytes that left."""

    proof: str
    content: str


class Mail(Protocol):
    """Where letters leave."""

    channels: Sequence[str]
    """The channels that the dispatcher may hand over by itself; the others wait for a print batch or a site."""

    def message_id(self, letter: RegisteredLetter, copy: Copy) -> str:
        """The name of the message, the same for every attempt; empty where the channel has none."""

    def digest(self, parcel: Parcel) -> str:
        """The SHA-256 of the bytes that would leave."""

    def hand_over(self, parcel: Parcel) -> Handed:
        """Hand one copy over. Handing the same copy over twice leaves one, or two with identical bytes and name.
        Raises NotNow, NotTaken or AnswerUnknown; any other CaseflowError counts as NotNow."""
