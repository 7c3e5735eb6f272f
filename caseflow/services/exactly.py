"""A write that happens only on the case that its author saw, and only once, however often it is sent.

Two guards stand in the transaction of the act itself: the version that was seen, and the command, which the database
takes once. Beside them the answer is kept for a day, so that who asks again is told the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from caseflow.domain.case import Act, Case, Outcome
from caseflow.domain.rulebook import Rulebook
from caseflow.services.acting import refuse_stale
from caseflow.services.office import Office
from caseflow.services.ports import Now
from caseflow.services.ports.programs import Answer, Programs

if TYPE_CHECKING:
    from caseflow.services.ports.work import Work

KEPT, AT_WORK = timedelta(hours=24), timedelta(minutes=2)
"""How long an answer is kept; how long a call may be at work before another takes its place."""


@dataclass(frozen=True)
class _Bound(Office):
    """An office for one write of one person. What the scheduler's timers do on the way is not bound."""

    seen_version: int | None = None
    command: str | None = None
    carried: list[Work] = field(default_factory=list)
    """The transactions that have carried the command, of which the last may have failed and be tried again."""
    written: list[tuple[Work, str]] = field(default_factory=list)

    def save(self, work: Work, book: Rulebook, outcome: Outcome, moment: datetime, command_id: str | None = None) -> Case:
        entry = outcome.entries[0]
        if entry.actor.kind != "person":
            return super().save(work, book, outcome, moment, command_id)
        if outcome.before is not None and self._is_first(work, outcome.before.number):
            seen = Act(entry.action, entry.actor, entry.facts, None, None, self.seen_version)
            refuse_stale(book, work, outcome.before, seen)
        return super().save(work, book, outcome, moment, command_id or self._carries(work))

    def _is_first(self, work: Work, number: str) -> bool:
        """Whether a transaction writes to this case for the first time: what it wrote itself is nothing that its author did not see."""
        if any(work is one and case == number for one, case in self.written):
            return False
        self.written.append((work, number))
        return True

    def _carries(self, work: Work) -> str | None:
        """A request opens several cases in one transaction: the first carries the command for all of them."""
        if self.command is None or any(work is one for one in self.carried) or (self.carried and work.command(self.command) is not None):
            return None
        self.carried.append(work)
        return self.command


def bound(office: Office, seen_version: int | None, command_id: str | None) -> Office:
    """The office for one write: `save` raises StaleCase where an entry since `seen_version` changed what matters (see
    acting.refuse_stale), and KeyRefused where the command was done before."""
    parts = {one.name: getattr(office, one.name) for one in fields(Office)}
    return _Bound(**parts, seen_version=seen_version, command=command_id)


def done(office: Office, command_id: str) -> bool:
    """Whether a command has been done before."""
    with office.store.read() as work:
        return work.command(command_id) is not None


@dataclass(frozen=True, slots=True)
class Claim:
    """Where a call under a key stands: `first` is to be done; `kept` was done; neither: another is at work, or (`other`) the key was used
    for something else. `command` names the write for the database, whichever call it comes from."""

    key: str
    request: str
    command: str
    first: bool = False
    other: bool = False
    kept: Answer | None = None


class Answers:
    """The answers to calls that may come twice."""

    def __init__(self, programs: Programs, now: Now) -> None:
        self._programs, self._now = programs, now

    def claim(self, account: str, key: str, request: bytes) -> Claim:
        """Begins a call of a person's program under its key. `request` is everything that makes the call what it is."""
        now, digest = self._now(), sha256(request).hexdigest()
        own = sha256(f"{account}\n{key}".encode()).hexdigest()
        # The command names the content too: a key that comes back for something else after its day is another command.
        command = "api:" + sha256(f"{own}{digest}".encode()).hexdigest()
        found = self._programs.claim(Answer(own, digest, now), now - KEPT, now - AT_WORK)
        if found is None:
            return Claim(own, digest, command, first=True)
        if found.request != digest:
            return Claim(own, digest, command, other=True)
        return Claim(own, digest, command, kept=found if found.status is not None else None)

    def keep(self, claim: Claim, status: int, headers: str, body: bytes) -> None:
        """Keeps the answer of a call that did something."""
        self._programs.answered(Answer(claim.key, claim.request, self._now(), status, headers, body))

    def free(self, claim: Claim) -> None:
        """The call was refused and did nothing: the same key may try again."""
        self._programs.unclaim(claim.key)
