"""The port of records that were disposed of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from caseflow.domain.retention import Stub


class Disposals(Protocol):
    """Where stubs are kept, and what is still to be removed of the records that they stand for. Each call is a transaction of its own."""

    def stub(self, number: str) -> Stub | None:
        """The stub of a case."""

    def stubs(self, after: int = 0, limit: int = 500) -> Sequence[Stub]:
        """Stubs in the order of disposal, after a place."""

    def latest(self, limit: int) -> Sequence[Stub]:
        """The newest stubs, the last first."""

    def count(self) -> int:
        """How many records were disposed of."""

    def ended(self, until: date, after: tuple[date, str] | None, limit: int) -> Sequence[tuple[date, str]]:
        """Cases that ended by a day, the earliest first: (day, number), after a key."""

    def left(self) -> Mapping[str, Sequence[str]]:
        """What still holds something of a case that was disposed of, by case."""

    def contents(self) -> Iterator[str]:
        """SHA-256 of the contents of documents whose files are still to go."""

    def drop_content(self, sha256: str, unlink: Callable[[str], None]) -> bool:
        """Let the file of a content go, unless a document that came meanwhile has the same one; whether it went."""

    def residue(self) -> bool:
        """Whether freed places may still hold what was removed."""

    def rewrite(self, moment: datetime) -> bool:
        """Overwrite freed places; whether nothing is left of them."""
