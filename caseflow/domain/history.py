"""A case of an older system as entries of the record: each act judged by the law of its day, nothing sent, nothing fired.

Acts that owe letters name them as handed over by the older system, so that periods counted from a sending have their
day. The last entry says up to when the past is the older system's (imported.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from heapq import heapify, heappop, heappush
from typing import Any

from caseflow.domain.case import Act, Actor, Case, Entry, Facts, LetterMade, Outcome, Timer
from caseflow.domain.casework import fit_facts, judge, letters_of, make_entry
from caseflow.domain.changes import apply, opened
from caseflow.domain.findings import signed
from caseflow.domain.imported import IMPORTED, passed
from caseflow.domain.journal import moment_text, sealed
from caseflow.domain.posting import letter_event, service_day
from caseflow.domain.replay import fold
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import Reason, Refused

OLDER = "older-system"
"""Under which fact a letter says that it was not this program that sent it."""


@dataclass(frozen=True, slots=True)
class Told:
    """What an older system tells of one act. `place` counts from 1. `sent`: when its letters left, None where they never did;
    `served`: when they count as served, where the older system knows it."""

    place: int
    action: str
    on: date
    actor: Actor
    facts: Facts
    because: str | None = None
    sent: date | None = None
    served: date | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """What was made of it. `missed`: timers that came due before the import, and that nothing in the history answers."""

    outcome: Outcome
    missed: tuple[Timer, ...]


class Untold(Refused):
    """An act that the law did not allow, or filing itself (`place` 0)."""

    def __init__(self, place: int, reasons: Sequence[Reason], what: str) -> None:
        self.place = place
        super().__init__(reasons, what)


def recorded(
    book: Rulebook,
    number: str,
    request: str,
    filing: Mapping[str, Any],
    acts: Sequence[Told],
    by: tuple[Actor, Actor],
    digest: str,
    moment: datetime,
    key: Callable[[], str],
) -> Past:
    """The case with its entries. `filing`: the facts of the filing; `by`: who filed, and who imports. Raises Untold for the first act that was not legal."""
    teller = _Teller(book, moment, key)
    teller.file(number, request, filing, by[0])
    teller.tell(acts)
    missed = passed(book, teller.case, moment)
    facts = {"until": moment_text(moment), "line": digest}
    teller.enter(Act(IMPORTED, by[1], facts, max(teller.today, teller.case.last_on)), None, teller.case.state)
    folded = fold(book, teller.entries)
    if folded.illegal or folded.lapsed:
        bad = folded.illegal[0]
        raise Untold(0, bad[1], f"Entry {bad[0].seq} does not follow")
    return Past(taken(folded.case, tuple(teller.entries)), missed)


def taken(case: Case, entries: tuple[Entry, ...]) -> Outcome:
    """A whole case as something to save: its open timers and used limits with it, and no letter owed."""
    limits = sorted((name, place, seq) for name, seqs in case.spent.items() for place, seq in enumerate(seqs, 1))
    return Outcome(None, case, entries, timers_set=case.timers, limits=tuple(limits))


class _Teller:
    """Enters acts and sendings in the order of their days, so that the record reads as if it had been written then."""

    def __init__(self, book: Rulebook, moment: datetime, key: Callable[[], str]) -> None:
        self.book, self.moment, self.key = book, moment, key
        self.today = book.calendar.local_day(moment)
        self.entries: list[Entry] = []
        self.case: Case

    def file(self, number: str, request: str, facts: Mapping[str, Any], actor: Actor) -> None:
        on = date.fromisoformat(facts["received_on"])
        self.case = opened(self.book, number, request, facts)
        self._act(Told(0, "file", on, actor, facts, sent=on), dict(facts), [])

    def tell(self, acts: Sequence[Told]) -> None:
        """Every act on its day, and what it sent on the day of its sending: of one day, a sending directly after its act."""
        waiting: list[tuple[date, int, int, Told | tuple[Told, LetterMade]]] = [(act.on, act.place, 0, act) for act in acts]
        for sending in self._sendings(Told(0, "file", self.case.last_on, self.entries[0].actor, {}, sent=self.case.last_on)):
            waiting.append(sending)
        heapify(waiting)
        while waiting:
            on, _, _, next_ = heappop(waiting)
            if isinstance(next_, tuple):
                self._sent(on, *next_)
                continue
            facts, misfits = fit_facts(self.book, next_.action, next_.facts)
            self._act(next_, signed(facts, next_.actor, next_.on), misfits)
            for sending in self._sendings(next_):
                heappush(waiting, sending)

    def _act(self, told: Told, facts: dict[str, Any], misfits: Sequence[Reason]) -> None:
        before = None if told.action == "file" else self.case
        seen = judge(self.book, before, told.action, facts, told.actor.role, told.on, self.today, self.case.settings, misfits)
        if seen.reasons:
            raise Untold(told.place, seen.reasons, f"'{told.action}' on {told.on} was not possible")
        action = self.book.workflow.actions[told.action]
        letters = letters_of(action, seen) if told.sent is not None else ()
        if letters:
            count = len(self.case.letters)
            facts["letters"] = [[letter, f"{self.case.number}-L{count + n + 1}"] for n, letter in enumerate(letters)]
        entry = self._made(Act(told.action, told.actor, facts, told.on, told.because), action.cite, seen.to)
        self.case = apply(self.book, self.case, entry, seen.view, seen.branch, seen.to)

    def _sendings(self, told: Told) -> list[tuple[date, int, int, tuple[Told, LetterMade]]]:
        if told.sent is None:
            return []
        last = self.entries[-1].seq
        return [(told.sent, told.place, n, (told, letter)) for n, letter in enumerate((one for one in self.case.letters if one.seq == last), 1)]

    def _sent(self, on: date, told: Told, letter: LetterMade) -> None:
        facts: dict[str, Any] = {"letter": letter.number, "sent_on": on.isoformat(), OLDER: True}
        channels = [party.channel for party in self.case.parties if party.role == "requester"]
        served = told.served or service_day(self.book, self.case, on, channels)
        if served is not None:
            facts["served_on"] = served.isoformat()
        entry = self._made(Act("letter-sent", told.actor, facts, max(on, self.case.last_on)), None, self.case.state)
        self.case = letter_event(self.case, entry)

    def enter(self, asked: Act, cite: str | None, to: str) -> None:
        """An entry of the core's own."""
        entry = self._made(asked, cite, to)
        self.case = apply(self.book, self.case, entry, None, 0, to)

    def _made(self, asked: Act, cite: str | None, to: str) -> Entry:
        entry = sealed(make_entry(self.case, asked, cite, to, dict(asked.facts), self.moment, self.key()))
        self.entries.append(entry)
        return entry
