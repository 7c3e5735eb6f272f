"""A case as it would have gone under a rulebook: what people did is done again on its day, and the clocks act as that rulebook says.

Played under the case's own rules and under others, the two tell what the others would have changed (compared.py). Nothing of
it enters a record: putting a case under other rules is replay.move. What filing itself counted (its fee, what was missing)
stays; so do readings that the request chose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

from caseflow.domain import casework
from caseflow.domain.arrivals import TITLES as ARRIVALS
from caseflow.domain.case import SCHEDULER, Case, Entry, LetterMade
from caseflow.domain.casework import judge, letters_of
from caseflow.domain.changes import apply, due_days, opened
from caseflow.domain.facts import empty
from caseflow.domain.imported import IMPORTED
from caseflow.domain.pack import RESERVED_ACTIONS
from caseflow.domain.posting import letter_event, service_day
from caseflow.domain.replay import standing
from caseflow.domain.rulebook import Rulebook, settings_of
from caseflow.domain.timers import owed
from caseflow.domain.view import run
from caseflow.errors import Reason

CORE = frozenset((*ARRIVALS, IMPORTED))
"""Entries of the core's own that a person makes, and that count whatever the rules are."""
MOST = 2_000
"""Timers of one case that are played; rules that fire more often would never end."""
KEY = "0" * 32
Origin = tuple[Any, ...]
"""What owed a letter: an entry of a person by its number, or the so-manieth act of a clock."""


@dataclass(frozen=True, slots=True)
class Issued:
    """A letter that was owed: which, when, the last days that it could state, and of what case after which entry."""

    letter: str
    on: date
    days: tuple[tuple[str, str | None], ...]
    case: Case = field(compare=False, repr=False)
    entry: Entry = field(compare=False, repr=False)


@dataclass(slots=True)
class Played:
    """How a case went. `days`: each (last day, target) that a clock had, in order. `acts`: what its clocks did. `refused`: acts of
    people that were not legal, by their entry. `case` is None where filing itself was refused."""

    case: Case | None = None
    days: dict[str, list[tuple[str | None, str | None]]] = field(default_factory=dict)
    acts: list[tuple[str, date]] = field(default_factory=list)
    refused: dict[int, tuple[Entry, tuple[Reason, ...]]] = field(default_factory=dict)
    letters: list[Issued] = field(default_factory=list)


def both(old: Rulebook, new: Rulebook | None, entries: Sequence[Entry], until: date) -> tuple[Played, Played]:
    """The case under its own rules and under others, through a day. `new` is None where the others have no such workflow."""
    chosen = entries[0].facts["settings"]
    was = _Player(old, entries, until, chosen, _received(old, old, entries[0])).play()
    if new is None:
        return was, Played()
    return was, _Player(new, entries, until, _chosen(old, new, chosen), _received(old, new, entries[0])).play()


def _chosen(old: Rulebook, new: Rulebook, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The readings of a case under other rules: theirs, but for what the request itself had chosen."""
    defaults = settings_of(old.pack, {})
    own = {name: value for name, value in chosen.items() if name in new.settings and value != defaults.get(name)}
    return {**settings_of(new.pack, {}), **own}


def _received(old: Rulebook, new: Rulebook, first: Entry) -> date:
    """The day received, as other rules count it; where a person said another day than the rules, that day."""
    facts = first.facts
    said, at = date.fromisoformat(facts["received_on"]), datetime.fromisoformat(facts["received_at"])
    channel = str(facts.get("channel") or "electronic")
    return new.calendar.received_on(at, channel, facts["settings"]) if old.calendar.received_on(at, channel, facts["settings"]) == said else said


class _Player:
    def __init__(self, book: Rulebook, entries: Sequence[Entry], until: date, settings: Mapping[str, Any], received: date) -> None:
        self.book, self.until, self.entries, self.received = book, until, entries, received
        self.settings = dict(settings)
        self.view = standing(entries)
        self.sendings = _sendings(entries, self.view.closed)
        self.waiting: list[tuple[date, LetterMade, Entry | None]] = []
        self.times: dict[Origin, int] = {}
        self.made = Played()
        self.case: Case

    def play(self) -> Played:
        """Everything through the last day."""
        if not self._file():
            return self.made
        for day, entry in self._people():
            self._pass(day)
            self._act(entry, day)
        self._pass(self.until)
        self.made.case = self.case
        return self.made

    def _file(self) -> bool:
        first = self.entries[0]
        facts = {**first.facts, "received_on": self.received.isoformat(), "settings": self.settings}
        day = self.view.days[first.seq] if self.view.days[first.seq] != first.effective_on else self.received
        self.case = opened(self.book, first.case, str(facts["request"]), facts)
        return self._act(replace(first, facts=facts), day)

    def _people(self) -> Iterator[tuple[date, Entry]]:
        """What people did that stands, on the day on which it counts."""
        counted = [
            (self.view.days[entry.seq], entry)
            for entry in self.entries[1:]
            if entry.actor != SCHEDULER and entry.seq not in self.view.closed and (entry.action in CORE or _is_act(entry))
        ]
        return iter(sorted(((day, entry) for day, entry in counted if day <= self.until), key=lambda one: (one[0], one[1].seq)))

    def _act(self, entry: Entry, day: date) -> bool:
        """An act of a person, if the rules allow it. The law acts first: what came due by its day has fired."""
        facts = {name: value for name, value in entry.facts.items() if name != "letters"}
        entry = replace(entry, seq=self.case.version + 1, effective_on=day, facts=facts)
        if entry.action in CORE:
            self._after(apply(self.book, self.case, entry, None, 0, self.case.state))
            return True
        before = None if entry.action == "file" else self.case
        seen = judge(self.book, before, entry.action, facts, entry.actor.role, day, date.max, self.settings, self._unstated(entry))
        if seen.reasons:
            self.made.refused[self._number(entry)] = entry, seen.reasons
            return False
        letters = letters_of(self.book.workflow.actions[entry.action], seen)
        if letters:
            facts["letters"] = [[name, f"{entry.case}-L{len(self.case.letters) + n}"] for n, name in enumerate(letters, 1)]
        entry = replace(entry, facts=facts)
        self._after(apply(self.book, self.case, entry, seen.view, seen.branch, seen.to))
        self._owe(entry, ("act", self._number(entry)))
        return True

    def _number(self, entry: Entry) -> int:
        """The number that an act has in the record: its key tells it apart."""
        return next(one.seq for one in self.entries if one.key == entry.key and one.hash == entry.hash)

    def _unstated(self, entry: Entry) -> list[Reason]:
        action = self.book.workflow.actions.get(entry.action)
        missing = [name for name in action.takes if empty(entry.facts.get(name))] if action is not None and entry.action != "file" else []
        return [Reason("facts-invalid", name, f"'{name}' was not stated; '{entry.action}' needs it") for name in missing]

    def _after(self, case: Case) -> None:
        self.case = case.revised(timers=owed(self.book, case))
        for name in dict.fromkeys(mark.clock for mark in case.marks):
            now = run(self.book, case, name, case.last_on)
            pair = (_iso(now.due), _iso(now.target))
            had = self.made.days.setdefault(name, [])
            if not had or had[-1] != pair:
                had.append(pair)

    # --- time ---

    def _pass(self, day: date) -> None:
        """Fires what is due through a day, and lets letters leave, each on its own day."""
        for _ in range(MOST):
            fires = self.book.calendar.local_day(self.case.timers[0].at) if self.case.timers else None
            leaves = min((sent for sent, _, _ in self.waiting), default=None)
            if fires is not None and fires <= day and (leaves is None or fires <= leaves):
                if not self._fire():
                    return
            elif leaves is not None and leaves <= day:
                self._leave()
            else:
                return

    def _fire(self) -> bool:
        timer = self.case.timers[0]
        outcome = casework.fire(self.book, self.case, timer, timer.at, KEY)
        if outcome is None:
            return False
        entry = outcome.entries[0]
        self._after(outcome.case)
        if entry.action not in ("warn-deadline", "silence-waits"):
            self.made.acts.append((entry.facts.get("refused", entry.action) if entry.action == "timer-refused" else entry.action, entry.effective_on))
        origin = _origin(entry)
        self.times[origin] = self.times.get(origin, 0) + 1
        self._owe(entry, (*origin, self.times[origin]))
        return True

    def _owe(self, entry: Entry, origin: Origin) -> None:
        """Notes the letters of the entry just made, and when each leaves: as long after it as it did in the record."""
        days = tuple(sorted(due_days(self.book, self.case).items()))
        for letter in self.case.letters:
            if letter.seq != self.case.version:
                continue
            self.made.letters.append(Issued(letter.id, entry.effective_on, days, self.case, entry))
            lag, sending = self.sendings.get((*origin, letter.id), (timedelta(0), None))
            if lag is not None:
                self.waiting.append((entry.effective_on + lag, letter, sending))

    def _leave(self) -> None:
        self.waiting.sort(key=lambda one: (one[0], one[1].seq))
        on, letter, sending = self.waiting.pop(0)
        facts: dict[str, Any] = {"letter": letter.number, "sent_on": on.isoformat()}
        channels = [copy["channel"] for copy in sending.facts.get("handed_over") or () if copy.get("kind") != "copy"] if sending is not None else []
        channels = channels or [party.channel for party in self.case.parties if party.role == "requester"]
        served = service_day(self.book, self.case, on, channels)
        if served is not None:
            facts["served_on"] = served.isoformat()
        base = sending or self.entries[0]
        day = max(on, self.case.last_on)
        entry = replace(base, action="letter-sent", actor=SCHEDULER, seq=self.case.version + 1, effective_on=day, facts=facts, to_state=self.case.state)
        self._after(letter_event(self.case, entry))


def _is_act(entry: Entry) -> bool:
    return entry.action not in RESERVED_ACTIONS


def _origin(entry: Entry) -> Origin:
    return "clock", entry.action, entry.facts.get("clock"), entry.facts.get("kind")


def _sendings(entries: Sequence[Entry], closed: Mapping[int, int]) -> dict[Origin, tuple[timedelta | None, Entry | None]]:
    """How long after what owed it each letter of the record left; None where it never did."""
    sent = {entry.facts["letter"]: entry for entry in entries if entry.action == "letter-sent"}
    times: dict[Origin, int] = {}
    found: dict[Origin, tuple[timedelta | None, Entry | None]] = {}
    for entry in entries:
        if not entry.facts.get("letters") or entry.seq in closed or entry.action.startswith("letter-"):
            continue
        origin: Origin = ("act", entry.seq)
        if entry.actor == SCHEDULER:
            origin = _origin(entry)
            times[origin] = times.get(origin, 0) + 1
            origin = (*origin, times[origin])
        for name, number in entry.facts["letters"]:
            gone = sent.get(number)
            lag = date.fromisoformat(gone.facts["sent_on"]) - entry.effective_on if gone is not None else None
            found[(*origin, name)] = lag, gone
    return found


def _iso(day: int | None) -> str | None:
    return date.fromordinal(day).isoformat() if day is not None else None
