"""The tables of the store in memory: they refuse what the keys of a database would, then take a transaction whole."""

from __future__ import annotations

import itertools
from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from caseflow.adapters.store import mapping
from caseflow.adapters.store.buffer import WAITING, Buffer, Saved, TimerEnd, no_letter, stale, twice
from caseflow.domain.case import Case, Entry, Timer
from caseflow.domain.chain import Head
from caseflow.domain.checkpoints import Checkpoint
from caseflow.domain.mailing import Attempt, Copy, copy_order
from caseflow.domain.moving import Adoption
from caseflow.domain.packmoves import PackMove
from caseflow.domain.retention import Stub
from caseflow.errors import StoreFault

if TYPE_CHECKING:
    from caseflow.services.ports.documents import Document
    from caseflow.services.ports.letters import RegisteredLetter
    from caseflow.services.ports.lines import CaseRow
    from caseflow.services.ports.views import SavedView
    from caseflow.services.ports.work import Brought

_FIRED = ("fired", "refused")
Limit = tuple[str, str, int]


@dataclass
class TimerRow:
    """A timer with its row number, counted from 1."""

    row: int
    case: str
    timer: Timer
    status: str


@dataclass
class Tables:
    """What a database would hold; `due` keeps the open timers in order."""

    cases: dict[str, Case] = field(default_factory=dict)
    rows: dict[str, CaseRow] = field(default_factory=dict)
    requests: dict[str, list[str]] = field(default_factory=dict)
    aliases: dict[str, set[str]] = field(default_factory=dict)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    limits: set[Limit] = field(default_factory=set)
    timers: dict[tuple[str, str], TimerRow] = field(default_factory=dict)
    by_row: list[TimerRow] = field(default_factory=list)
    due: list[tuple[datetime, int]] = field(default_factory=list)
    letters: dict[str, RegisteredLetter] = field(default_factory=dict)
    copies: dict[str, Copy] = field(default_factory=dict)
    attempts: dict[tuple[str, int], Attempt] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)
    resting: str | None = None
    once: set[str] = field(default_factory=set)
    commands: dict[str, tuple[str, int]] = field(default_factory=dict)
    counters: dict[tuple[str, int], int] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    packs: dict[str, Mapping[str, str]] = field(default_factory=dict)
    calendars: dict[str, str] = field(default_factory=dict)
    adoptions: dict[int, Adoption] = field(default_factory=dict)
    pack_moves: dict[int, PackMove] = field(default_factory=dict)
    labels: dict[str, tuple[str, str]] = field(default_factory=dict)
    beats: dict[str, tuple[datetime, str]] = field(default_factory=dict)
    runs: dict[str, tuple[str, str, float, str]] = field(default_factory=dict)
    views: dict[tuple[str, str], SavedView] = field(default_factory=dict)
    checkpoints: list[tuple[Checkpoint, tuple[Head, ...]]] = field(default_factory=list)
    stubs: dict[str, Stub] = field(default_factory=dict)
    contents: set[str] = field(default_factory=set)

    def close(self, row: TimerRow) -> None:
        """A timer that nobody will fire any more."""
        self._turn(row, "canceled")

    def take(self, buffer: Buffer) -> None:
        """Checks everything first, then writes everything. Raises StaleCase, StoreFault or NotFound."""
        gone, used = buffer.limits()
        timers = buffer.timers()
        self._check(buffer, gone, used, timers)
        for one in buffer.saved:
            self._write(one)
        self.limits.difference_update(gone)
        self.limits.update(used)
        for (number, name), end in timers.items():
            self._timer(number, name, end)
        for row, status, _ in buffer.settled:
            if self.by_row[row - 1].status == "open":
                self._turn(self.by_row[row - 1], status)
        for moved in buffer.moved:
            self._keep(mapping.moved(self.letter(moved.number), moved.status, moved.on, moved.copies))
        for brought in buffer.brought:
            self._bring(brought)

    def _bring(self, brought: Brought) -> None:
        for letter in brought.letters:
            self.once.add(f"{letter.case} {letter.seq} {letter.letter}")
            self._keep(letter)
        self.attempts.update(((one.copy, one.number), one) for one in brought.attempts)
        self.documents.update((one.id, one) for one in brought.documents)

    def letter(self, number: str) -> RegisteredLetter:
        """A letter with its copies as they stand."""
        letter = self.letters[number]
        made = itertools.takewhile(self.copies.__contains__, (f"{number}-{place}" for place in itertools.count(1)))
        copies = tuple(sorted((self.copies[name] for name in made), key=copy_order))
        return replace(letter, copies=copies, recipients=mapping.shown(copies))

    def _keep(self, letter: RegisteredLetter) -> None:
        self.letters[letter.number] = letter
        self.copies.update((copy.id, copy) for copy in letter.copies)

    # --- what the keys of a database would refuse, before anything is written ---

    def _check(self, buffer: Buffer, gone: Sequence[Limit], used: Mapping[Limit, int], timers: Mapping[tuple[str, str], TimerEnd]) -> None:
        versions: dict[str, int] = {}
        commands: set[str] = set()
        letters: set[str] = set()
        for one in buffer.saved:
            self._check_case(one.outcome.case, one.outcome.before, versions)
            self._check_letters(one, letters)
            if one.command_id is not None and (one.command_id in commands or one.command_id in self.commands):
                raise twice(f"the command '{one.command_id}'")
            commands.add(one.command_id or "")
        for use in used:
            if use in self.limits and use not in gone:
                raise twice(f"use {use[2]} of the limit '{use[1]}' in {use[0]}")
        for key, end in timers.items():
            self._check_timer(key, end)
        for letter in (letter for brought in buffer.brought for letter in brought.letters):
            if letter.number in self.letters or letter.number in letters:
                raise twice(f"the letter {letter.number}")
            letters.add(letter.number)
        for moved in buffer.moved:
            if moved.number not in letters and moved.number not in self.letters:
                raise no_letter(moved.number)

    def _check_case(self, case: Case, before: Case | None, versions: dict[str, int]) -> None:
        stored = self.cases.get(case.number)
        version = versions.get(case.number, stored.version if stored is not None else 0)
        if before is not None and version != before.version:
            raise stale(case.number)
        if before is None and version:
            raise twice(f"the case {case.number}")
        if case.number in self.stubs:
            raise twice(f"the number {case.number}, whose record was disposed of,")
        if case.pack_version not in self.packs:
            raise StoreFault(f"The pack of {case.number} was not kept; nothing was changed. Keep the pack first.")
        versions[case.number] = case.version

    def _check_letters(self, one: Saved, letters: set[str]) -> None:
        for written in one.letters:
            owed = written.owed
            once = f"{owed.case} {owed.seq} {owed.letter}"
            if {once, owed.number} & letters or owed.number in self.letters or once in self.once:
                raise twice(f"the letter '{owed.letter}' of entry {owed.seq} of {owed.case}")
            letters.update((once, owed.number))

    def _check_timer(self, key: tuple[str, str], end: TimerEnd) -> None:
        known = self.timers.get(key)
        may_open = known is None or known.status not in _FIRED
        may_fire = end.opened or (known is not None and known.status in ("open", "parked"))
        if (end.opened and not may_open) or (end.status in _FIRED and not may_fire):
            raise twice(f"the firing of {key[1]} in {key[0]}")

    # --- writing ---

    def _write(self, one: Saved) -> None:
        outcome, case = one.outcome, one.outcome.case
        if outcome.before is None:
            self.requests.setdefault(case.request, []).append(case.number)
        self.cases[case.number] = case
        self.rows[case.number] = one.row
        for alias in case.aliases:
            self.aliases.setdefault(alias, set()).add(case.number)
        self.entries.setdefault(case.number, []).extend(outcome.entries)
        for written in one.letters:
            self.once.add(f"{written.owed.case} {written.owed.seq} {written.owed.letter}")
            self._keep(mapping.registered(written, case.pack_version))
            if written.owed.corrects is not None:
                self.letters[written.owed.corrects] = replace(self.letters[written.owed.corrects], corrected_by=written.owed.number)
        for number in outcome.canceled_letters:
            if number in self.letters and self.letters[number].status in WAITING:
                self._cancel(self.letter(number))
        if one.command_id is not None:
            self.commands[one.command_id] = (case.number, case.version)

    def _cancel(self, letter: RegisteredLetter) -> None:
        if any(copy.claim is not None for copy in letter.copies):
            return
        copies = tuple(replace(copy, status="canceled") if copy.status in WAITING else copy for copy in letter.copies)
        self._keep(replace(letter, status="canceled", copies=copies))

    def _timer(self, number: str, name: str, end: TimerEnd) -> None:
        known = self.timers.get((number, name))
        if end.opened:
            if known is None:
                known = TimerRow(len(self.by_row) + 1, number, end.timer, "canceled")
                self.by_row.append(known)
                self.timers[number, name] = known
            self._turn(known, "canceled")
            known.timer = end.timer
            self._turn(known, end.status)
        elif known is not None and known.status in ("open", "parked"):
            self._turn(known, end.status)

    def _turn(self, row: TimerRow, status: str) -> None:
        """Moves a timer row to a status and keeps the open ones in order."""
        place = (row.timer.at, row.row)
        if row.status == "open":
            del self.due[bisect_left(self.due, place)]
        if status == "open":
            insort(self.due, place)
        row.status = status
