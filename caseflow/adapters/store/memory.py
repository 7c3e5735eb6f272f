"""A store in memory, for rehearsals: the same promises, nothing kept."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from caseflow.adapters.store import mapping
from caseflow.adapters.store.buffer import WAITING, Buffer, Moved, Saved, TimerEnd, stale, twice
from caseflow.domain.case import Case, Entry, Outcome, Timer
from caseflow.domain.pack import Pack
from caseflow.errors import NotFound, StoreFault
from caseflow.services.ports import CaseLine, CaseRow, DocketFilter, DueTimer, RegisteredLetter, Written

_FIRED = ("fired", "refused")
_Limit = tuple[str, str, int]


@dataclass
class _Timer:
    row: int
    case: str
    timer: Timer
    status: str


@dataclass
class _Tables:
    cases: dict[str, Case] = field(default_factory=dict)
    rows: dict[str, CaseRow] = field(default_factory=dict)
    requests: dict[str, list[str]] = field(default_factory=dict)
    aliases: dict[str, set[str]] = field(default_factory=dict)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    limits: set[_Limit] = field(default_factory=set)
    timers: dict[tuple[str, str], _Timer] = field(default_factory=dict)
    by_row: list[_Timer] = field(default_factory=list)
    due: list[tuple[datetime, int]] = field(default_factory=list)
    letters: dict[str, RegisteredLetter] = field(default_factory=dict)
    once: set[str] = field(default_factory=set)
    commands: dict[str, tuple[str, int]] = field(default_factory=dict)
    counters: dict[tuple[str, int], int] = field(default_factory=dict)
    packs: dict[str, Mapping[str, str]] = field(default_factory=dict)
    beats: dict[str, tuple[datetime, str]] = field(default_factory=dict)


class MemoryStore:
    """Implements ports.Store without a database."""

    def __init__(self) -> None:
        self._tables = _Tables()
        self._live = False

    @contextmanager
    def begin(self) -> Iterator[MemoryWork]:
        """A transaction: what it notes is checked whole, then written whole."""
        work = MemoryWork(self._tables)
        counters = dict(self._tables.counters)
        try:
            yield work
            work.flush()
        except BaseException:
            self._tables.counters = counters
            raise

    @contextmanager
    def read(self) -> Iterator[MemoryWork]:
        """A reading transaction."""
        yield MemoryWork(self._tables)

    def upgrade(self, live: bool | None = None) -> None:
        """Nothing to create."""
        self._live = self._live or bool(live)

    def exists(self) -> bool:
        """Always there."""
        return True

    def is_live(self) -> bool:
        """Whether it was marked as a real record."""
        return self._live

    def next_due(self) -> datetime | None:
        """The moment of the earliest open timer."""
        return self._tables.due[0][0] if self._tables.due else None

    def docket(self, wanted: DocketFilter, after: str | None = None, limit: int | None = None) -> Iterator[CaseLine]:
        """Cases by number, after a key."""
        given = 0
        for number in sorted(self._tables.cases):
            line = _line(self._tables.cases[number], self._tables.rows[number])
            if (after is None or number > after) and _fits(line, wanted):
                yield line
                given += 1
                if limit is not None and given >= limit:
                    return

    def numbers(self, after: str | None = None) -> Iterator[str]:
        """The number of every case, in order."""
        yield from (number for number in sorted(self._tables.cases) if after is None or number > after)

    def pack_files(self, version: str) -> Mapping[str, str] | None:
        """The files of a pack that was kept."""
        return self._tables.packs.get(version)

    def heartbeats(self) -> Sequence[tuple[str, datetime, str]]:
        """Who beat when."""
        return [(name, at, note) for name, (at, note) in self._tables.beats.items()]


def _line(case: Case, row: CaseRow) -> CaseLine:
    return CaseLine(
        number=case.number,
        request=case.request,
        title=case.title,
        workflow=case.workflow,
        state=case.state,
        assigned_to=case.assigned_to,
        flags=case.flags,
        tasks=len(case.tasks),
        version=case.version,
        received_on=case.received_on,
        last_on=case.last_on,
        next_at=case.timers[0].at if case.timers else None,
        row=row,
    )


def _fits(line: CaseLine, wanted: DocketFilter) -> bool:
    return (
        (wanted.state is None or line.state == wanted.state)
        and (wanted.workflow is None or line.workflow == wanted.workflow)
        and (wanted.assigned is None or line.assigned_to == wanted.assigned)
        and (wanted.flag is None or wanted.flag in line.flags)
        and (wanted.due_by is None or (line.row.next_target is not None and line.row.next_target <= wanted.due_by))
        and (wanted.text is None or wanted.text.casefold() in f"{line.title} {line.number}".casefold())
        and not (wanted.open_only and line.row.ends)
    )


class MemoryWork:
    """Implements ports.Work on the tables in memory."""

    def __init__(self, tables: _Tables) -> None:
        self._tables = tables
        self._buffer = Buffer()
        self._kept: dict[str, Mapping[str, str]] = {}
        self._beats: dict[str, tuple[datetime, str]] = {}

    def next_number(self, prefix: str, year: int) -> int:
        """The next request number of that year."""
        number = self._tables.counters.get((prefix, year), 0) + 1
        self._tables.counters[(prefix, year)] = number
        return number

    def case(self, number: str) -> Case:
        """The case, as it stands in this transaction."""
        tables = self._tables
        name = number if number in self._buffer.cases or number in tables.cases else min(tables.aliases.get(number, ()), default="")
        found = self._buffer.cases.get(name) or tables.cases.get(name)
        if found is None:
            raise NotFound(f"There is no case '{number}'; 'caseflow docket' lists them.")
        self._buffer.cases[name] = found
        return found

    def request(self, number: str) -> tuple[Case, ...]:
        """Every case of a request."""
        found = self._family(number)
        if not found:
            raise NotFound(f"There is no request '{number}'.")
        return found

    def siblings(self, case: Case) -> tuple[Case, ...]:
        """The other cases of the same request."""
        return tuple(other for other in self._family(case.request) if other.number != case.number)

    def _family(self, request: str) -> tuple[Case, ...]:
        return self._buffer.family(request, [self._tables.cases[number] for number in self._tables.requests.get(request, ())])

    def entries(self, number: str) -> tuple[Entry, ...]:
        """The journal of a case."""
        return (*self._tables.entries.get(number, ()), *self._buffer.entries(number))

    def command(self, command_id: str) -> tuple[str, int] | None:
        """What a command produced, if it was done before."""
        return self._tables.commands.get(command_id) or self._buffer.command(command_id)

    def due(self, until: datetime, limit: int) -> Sequence[DueTimer]:
        """Open timers due by then, earliest first."""
        tables, found = self._tables, []
        for at, row in tables.due[:limit]:
            if at > until:
                break
            found.append(DueTimer(row, tables.by_row[row - 1].case, tables.by_row[row - 1].timer))
        return found

    def letters(self, case: str | None = None, status: Sequence[str] = (), until: datetime | None = None) -> Sequence[RegisteredLetter]:
        """Letters of the register, oldest first."""
        found = [
            letter
            for letter in self._tables.letters.values()
            if (case is None or letter.case == case)
            and (not status or letter.status in status)
            and (until is None or letter.leaves_at is None or letter.leaves_at <= until)
        ]
        return sorted(found, key=lambda letter: (letter.owed_on, letter.case, letter.seq, letter.number))

    def letter(self, number: str) -> RegisteredLetter:
        """One letter."""
        if number not in self._tables.letters:
            raise NotFound(f"There is no letter '{number}'; 'caseflow letters list' lists them.")
        return self._tables.letters[number]

    def save(self, outcome: Outcome, row: CaseRow, letters: Sequence[Written] = (), command_id: str | None = None) -> None:
        """Notes everything; it is written when the transaction ends."""
        self._buffer.note(Saved(outcome, row, letters, command_id))

    def keep_pack(self, pack: Pack, files: Mapping[str, str]) -> None:
        """Keeps a pack whole, once."""
        self._kept[pack.hash] = files

    def settle(self, row: int, status: Literal["fired", "canceled", "refused", "parked"], text: str = "") -> None:
        """Closes a timer row."""
        self._buffer.settled.append((row, status, text))

    def savepoint(self) -> AbstractContextManager[None]:
        """A part that may fail alone."""
        return self._buffer.savepoint()

    def letter_status(self, number: str, status: str, on: date | None = None, proof: str = "") -> None:
        """Moves a letter in the register."""
        self._buffer.moved.append(Moved(number, status, on, proof))

    def beat(self, name: str, at: datetime, note: str = "") -> None:
        """Writes a heartbeat."""
        self._beats[name] = (at, note)

    def flush(self) -> None:
        """Checks everything first, then writes everything."""
        tables, buffer = self._tables, self._buffer
        gone, used = buffer.limits()
        timers = buffer.timers()
        self._check(gone, used, timers)
        tables.packs.update(self._kept)
        tables.beats.update(self._beats)
        for one in buffer.saved:
            self._write(one)
        tables.limits.difference_update(gone)
        tables.limits.update(used)
        for (number, name), end in timers.items():
            self._timer(number, name, end)
        for row, status, _ in buffer.settled:
            if tables.by_row[row - 1].status == "open":
                self._turn(tables.by_row[row - 1], status)
        for moved in buffer.moved:
            tables.letters[moved.number] = mapping.moved(tables.letters[moved.number], moved.status, moved.on)

    # --- what the keys of a database would refuse, before anything is written ---

    def _check(self, gone: Sequence[_Limit], used: Mapping[_Limit, int], timers: Mapping[tuple[str, str], TimerEnd]) -> None:
        versions: dict[str, int] = {}
        commands: set[str] = set()
        letters: set[str] = set()
        for one in self._buffer.saved:
            self._check_case(one.outcome.case, one.outcome.before, versions)
            self._check_letters(one, letters)
            if one.command_id is not None and (one.command_id in commands or one.command_id in self._tables.commands):
                raise twice(f"the command '{one.command_id}'")
            commands.add(one.command_id or "")
        for use in used:
            if use in self._tables.limits and use not in gone:
                raise twice(f"use {use[2]} of the limit '{use[1]}' in {use[0]}")
        for key, end in timers.items():
            self._check_timer(key, end)
        for moved in self._buffer.moved:
            if moved.number not in letters:
                self.letter(moved.number)

    def _check_case(self, case: Case, before: Case | None, versions: dict[str, int]) -> None:
        stored = self._tables.cases.get(case.number)
        version = versions.get(case.number, stored.version if stored is not None else 0)
        if before is not None and version != before.version:
            raise stale(case.number)
        if before is None and version:
            raise twice(f"the case {case.number}")
        if case.pack_version not in self._tables.packs and case.pack_version not in self._kept:
            raise StoreFault(f"The pack of {case.number} was not kept; nothing was changed. Keep the pack first.")
        versions[case.number] = case.version

    def _check_letters(self, one: Saved, letters: set[str]) -> None:
        for written in one.letters:
            owed = written.owed
            once = f"{owed.case} {owed.seq} {owed.letter}"
            if {once, owed.number} & letters or owed.number in self._tables.letters or once in self._tables.once:
                raise twice(f"the letter '{owed.letter}' of entry {owed.seq} of {owed.case}")
            letters.update((once, owed.number))

    def _check_timer(self, key: tuple[str, str], end: TimerEnd) -> None:
        known = self._tables.timers.get(key)
        may_open = known is None or known.status not in _FIRED
        may_fire = end.opened or (known is not None and known.status in ("open", "parked"))
        if (end.opened and not may_open) or (end.status in _FIRED and not may_fire):
            raise twice(f"the firing of {key[1]} in {key[0]}")

    # --- writing ---

    def _write(self, one: Saved) -> None:
        tables, outcome, case = self._tables, one.outcome, one.outcome.case
        if outcome.before is None:
            tables.requests.setdefault(case.request, []).append(case.number)
        tables.cases[case.number] = case
        tables.rows[case.number] = one.row
        for alias in case.aliases:
            tables.aliases.setdefault(alias, set()).add(case.number)
        tables.entries.setdefault(case.number, []).extend(outcome.entries)
        for written in one.letters:
            tables.once.add(f"{written.owed.case} {written.owed.seq} {written.owed.letter}")
            tables.letters[written.owed.number] = mapping.registered(written, case.pack_version)
        for number in outcome.canceled_letters:
            if tables.letters[number].status in WAITING:
                tables.letters[number] = mapping.moved(tables.letters[number], "canceled")
        if one.command_id is not None:
            tables.commands[one.command_id] = (case.number, case.version)

    def _timer(self, number: str, name: str, end: TimerEnd) -> None:
        tables = self._tables
        known = tables.timers.get((number, name))
        if end.opened:
            if known is None:
                known = _Timer(len(tables.by_row) + 1, number, end.timer, "canceled")
                tables.by_row.append(known)
                tables.timers[number, name] = known
            self._turn(known, "canceled")
            known.timer = end.timer
            self._turn(known, end.status)
        elif known is not None and known.status in ("open", "parked"):
            self._turn(known, end.status)

    def _turn(self, row: _Timer, status: str) -> None:
        """Moves a timer row to a status and keeps the open ones in order."""
        place = (row.timer.at, row.row)
        if row.status == "open":
            del self._tables.due[bisect_left(self._tables.due, place)]
        if status == "open":
            insort(self._tables.due, place)
        row.status = status
