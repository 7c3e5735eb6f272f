"""The port of the index of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from caseflow.services.sight import EVERYTHING, Sight


@dataclass(frozen=True, slots=True)
class SearchText:
    """What a case is found by, in parts of different weight, as of one version of it."""

    case: str
    version: int
    numbers: str
    people: str
    place: str
    facts: str
    letters: str


class Search(Protocol):
    """The index of words. The database notes by itself which case has changed."""

    def due(self, limit: int) -> Sequence[str]:
        """Cases whose words have changed since they were put into the index."""

    def keep(self, found: Sequence[SearchText]) -> int:
        """Puts words into the index in place of what was there; what has changed since it was read stays due. The answer is how many were kept."""

    def find(self, asked: str, limit: int, seen: Sight = EVERYTHING) -> Sequence[str]:
        """Cases that have all the words, the best first; the last word may be the beginning of one. Only what is seen is found and counted."""
