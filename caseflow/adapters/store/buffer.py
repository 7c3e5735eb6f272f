"""What a transaction will write, kept until it ends, so that many cases are written with few statements.

A savepoint that fails drops what was noted inside it. Cases read or written in the transaction are kept at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from caseflow.domain.case import Case, Outcome
from caseflow.services.ports import CaseRow, Written


@dataclass(slots=True)
class Saved:
    """One outcome to be written."""

    outcome: Outcome
    row: CaseRow
    letters: Sequence[Written]
    command_id: str | None


@dataclass(slots=True)
class Buffer:
    """Outcomes in order, timer rows to settle, and the cases as they stand in this transaction."""

    saved: list[Saved] = field(default_factory=list)
    settled: list[tuple[int, str, str]] = field(default_factory=list)
    cases: dict[str, Case] = field(default_factory=dict)
    sent: list[dict[str, Any]] = field(default_factory=list)

    def note(self, saved: Saved) -> None:
        """Keeps an outcome and the case as it now stands."""
        self.saved.append(saved)
        self.cases[saved.outcome.case.number] = saved.outcome.case

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Drops what was noted inside when an error leaves it."""
        places = len(self.saved), len(self.settled), len(self.sent)
        cases = dict(self.cases)
        try:
            yield
        except BaseException:
            del self.saved[places[0] :], self.settled[places[1] :], self.sent[places[2] :]
            self.cases = cases
            raise
