"""Asks for one case or one letter whether a person sees it. What is not seen is not there. The rule itself is in `sight.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from caseflow.domain.retention import gone
from caseflow.services.disposal import stub_seen
from caseflow.services.sight import Sight, no_case, no_letter

if TYPE_CHECKING:
    from caseflow.services.ports.store import Store


class Seeing:
    """Asks the rule for one case or one letter. What is not seen is not there."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def case(self, seen: Sight, number: str) -> str:
        """The number of a case that is seen, also where it was asked by an alias. Raises NotFound, and Disposed for one of which a stub is left."""
        found = self._store.seen(number, seen)
        if found is None:
            stub = self._store.disposals.stub(number)
            raise gone(stub) if stub is not None and stub_seen(seen, stub) else no_case(number)
        return found

    def letter(self, seen: Sight, number: str) -> str:
        """The number of a letter whose case is seen. Raises NotFound."""
        case = self._store.case_of(number)
        if case is None or self._store.seen(case, seen) is None:
            raise no_letter(number)
        return number
