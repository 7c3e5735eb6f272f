"""What a transaction will write, kept until it ends, so that many cases are written with few statements.

A savepoint that fails drops what was noted inside it. Cases read or written in the transaction are kept at hand.
What outcomes add up to (limits, timers) is worked out here, once for every store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from caseflow.domain.case import Case, Entry, Outcome, Timer
from caseflow.domain.mailing import WAITING
from caseflow.errors import KeyRefused, NotFound, Reason, StaleCase
from caseflow.services.sight import no_case, no_letter

if TYPE_CHECKING:
    from caseflow.services.ports.letters import Written
    from caseflow.services.ports.lines import CaseRow
    from caseflow.services.ports.work import Brought

__all__ = ["WAITING", "Buffer", "Moved", "Saved", "TimerEnd", "no_case", "no_document", "no_letter", "stale", "twice"]


@dataclass(frozen=True, slots=True)
class Saved:
    """One outcome to be written."""

    outcome: Outcome
    row: CaseRow
    letters: Sequence[Written]
    command_id: str | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A letter that goes on in the register."""

    number: str
    status: str
    on: date | None
    proof: str
    copies: bool = True


@dataclass(frozen=True, slots=True)
class TimerEnd:
    """Where the outcomes leave a timer. `opened`: one of them set it."""

    timer: Timer
    status: str
    opened: bool


@dataclass(slots=True)
class Buffer:
    """Outcomes in order, timer rows to settle, letters that move or were brought, and the cases as they stand in this transaction."""

    saved: list[Saved] = field(default_factory=list)
    settled: list[tuple[int, str, str]] = field(default_factory=list)
    cases: dict[str, Case] = field(default_factory=dict)
    moved: list[Moved] = field(default_factory=list)
    brought: list[Brought] = field(default_factory=list)

    def note(self, saved: Saved) -> None:
        """Keeps an outcome and the case as it now stands. Raises StaleCase if it was decided on an older case."""
        before, case = saved.outcome.before, saved.outcome.case
        known = self.cases.get(case.number)
        if before is not None and known is not None and known.version != before.version:
            raise stale(case.number)
        self.saved.append(saved)
        self.cases[case.number] = case

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Drops what was noted inside when an error leaves it."""
        places = len(self.saved), len(self.settled), len(self.moved), len(self.brought)
        cases = dict(self.cases)
        try:
            yield
        except BaseException:
            del self.saved[places[0] :], self.settled[places[1] :], self.moved[places[2] :], self.brought[places[3] :]
            self.cases = cases
            raise

    # --- what a reader in the same transaction sees ---

    def family(self, request: str, stored: Iterable[Case]) -> tuple[Case, ...]:
        """The cases of a request by number: those stored, as they stand here, and those filed here."""
        found = {case.number: case for case in stored}
        found.update((case.number, case) for case in self.cases.values() if case.request == request)
        return tuple(found[number] for number in sorted(found))

    def entries(self, number: str) -> tuple[Entry, ...]:
        """The entries noted for a case."""
        return tuple(entry for one in self.saved if one.outcome.case.number == number for entry in one.outcome.entries)

    def command(self, command_id: str) -> tuple[str, int] | None:
        """What a command noted here produced."""
        return next(((one.outcome.case.number, one.outcome.case.version) for one in self.saved if one.command_id == command_id), None)

    # --- what the outcomes add up to ---

    def limits(self) -> tuple[list[tuple[str, str, int]], dict[tuple[str, str, int], int]]:
        """Stored uses (case, limit, ordinal) that are given back, and new ones with their entry."""
        gone: list[tuple[str, str, int]] = []
        used: dict[tuple[str, str, int], int] = {}
        for one in self.saved:
            number = one.outcome.case.number
            for name, ordinal, _ in one.outcome.released:
                if used.pop((number, name, ordinal), None) is None:
                    gone.append((number, name, ordinal))
            for name, ordinal, seq in one.outcome.limits:
                if (number, name, ordinal) in used:
                    raise twice(f"use {ordinal} of the limit '{name}' in {number}")
                used[number, name, ordinal] = seq
        return gone, used

    def timers(self) -> dict[tuple[str, str], TimerEnd]:
        """Where each timer (case, timer id) ends. Raises StoreFault where one would fire twice."""
        ends: dict[tuple[str, str], TimerEnd] = {}
        for one in self.saved:
            number, outcome = one.outcome.case.number, one.outcome
            if outcome.fired is not None:
                status = "refused" if outcome.entries[0].action == "timer-refused" else "fired"
                _end(ends, number, outcome.fired, status)
            for timer in outcome.timers_canceled:
                _end(ends, number, timer, "canceled")
            for timer in outcome.timers_set:
                _end(ends, number, timer, "open")
        return ends


def _end(ends: dict[tuple[str, str], TimerEnd], number: str, timer: Timer, status: str) -> None:
    known = ends.get((number, timer.id))
    if known is None:
        ends[number, timer.id] = TimerEnd(timer, status, status == "open")
        return
    if known.status in ("fired", "refused"):
        raise twice(f"the firing of {timer.id} in {number}")
    ends[number, timer.id] = TimerEnd(timer, status, known.opened or status == "open")


def stale(number: str) -> StaleCase:
    """The refusal of an outcome that was decided on an older case."""
    text = f"The case {number} was changed by somebody else in the meantime"
    return StaleCase([Reason("stale", "stale", text, instead="Read the case again and decide anew.")], "Not done")


def twice(what: str) -> KeyRefused:
    """The refusal of what may exist only once."""
    return KeyRefused(f"The database holds {what} already, and it may exist only once; nothing was changed. Read the case again.")


def no_document() -> NotFound:
    """The answer to a document that nobody added, and to one of a case that is not seen: nobody learns which."""
    return NotFound("There is no such document, or it is not yours to see.")
