"""A store in memory, for rehearsals: the same promises, nothing kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Literal

from caseflow.adapters.store import mapping
from caseflow.adapters.store.buffer import Buffer, Saved
from caseflow.domain.case import Case, Entry, Outcome, Timer
from caseflow.domain.pack import Pack
from caseflow.errors import NotFound, Reason, StaleCase, StoreFault
from caseflow.services.ports import CaseLine, CaseRow, DocketFilter, DueTimer, RegisteredLetter, Written

_WAITING = ("draft", "owed", "blocked", "approved", "queued")


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
    aliases: dict[str, str] = field(default_factory=dict)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    limits: set[tuple[str, str, int]] = field(default_factory=set)
    timers: dict[tuple[str, str], _Timer] = field(default_factory=dict)
    letters: dict[str, RegisteredLetter] = field(default_factory=dict)
    once: set[tuple[str, int, str]] = field(default_factory=set)
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
        return min((row.timer.at for row in self._tables.timers.values() if row.status == "open"), default=None)

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
        found = self._buffer.cases.get(number) or tables.cases.get(number) or tables.cases.get(tables.aliases.get(number, ""))
        if found is None:
            raise NotFound(f"There is no case '{number}'; 'caseflow docket' lists them.")
        return found

    def request(self, number: str) -> tuple[Case, ...]:
        """Every case of a request."""
        if number not in self._tables.requests:
            raise NotFound(f"There is no request '{number}'.")
        return tuple(self._tables.cases[case] for case in sorted(self._tables.requests[number]))

    def siblings(self, case: Case) -> tuple[Case, ...]:
        """The other cases of the same request."""
        known = sorted(self._tables.requests.get(case.request, ()))
        return tuple(self._tables.cases[number] for number in known if number != case.number)

    def entries(self, number: str) -> tuple[Entry, ...]:
        """The journal of a case."""
        return tuple(self._tables.entries.get(number, ()))

    def command(self, command_id: str) -> tuple[str, int] | None:
        """What a command produced, if it was done before."""
        return self._tables.commands.get(command_id)

    def due(self, until: datetime, limit: int) -> Sequence[DueTimer]:
        """Open timers due by then, earliest first."""
        rows = [row for row in self._tables.timers.values() if row.status == "open" and row.timer.at <= until]
        rows.sort(key=lambda row: (row.timer.at, row.row))
        return [DueTimer(row.row, row.case, row.timer) for row in rows[:limit]]

    def letters(
        self, case: str | None = None, status: Sequence[str] = (), until: datetime | None = None
    ) -> Sequence[RegisteredLetter]:
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
        self._buffer.sent.append({"number": number, "status": status, "sent_on": on})

    def beat(self, name: str, at: datetime, note: str = "") -> None:
        """Writes a heartbeat."""
        self._beats[name] = (at, note)

    def flush(self) -> None:
        """Checks everything first, then writes everything."""
        self._check()
        tables = self._tables
        tables.packs.update(self._kept)
        tables.beats.update(self._beats)
        for one in self._buffer.saved:
            self._write(one)
        for row, status, _ in self._buffer.settled:
            next(timer for timer in tables.timers.values() if timer.row == row).status = status
        for sent in self._buffer.sent:
            tables.letters[sent["number"]] = replace(tables.letters[sent["number"]], status=sent["status"], sent_on=sent["sent_on"])

    def _check(self) -> None:
        versions = {number: case.version for number, case in self._tables.cases.items() if number in self._buffer.cases}
        once = set(self._tables.once)
        for one in self._buffer.saved:
            number, before = one.outcome.case.number, one.outcome.before
            if versions.get(number) != (before.version if before is not None else None):
                text = f"The case {number} was changed by somebody else in the meantime"
                raise StaleCase([Reason("stale", "stale", text, instead="Read the case again and decide anew.")], "Not done")
            versions[number] = one.outcome.case.version
            released = set(one.outcome.released)
            for name, ordinal, seq in one.outcome.limits:
                used = (number, name, ordinal) in self._tables.limits
                if used and not any((name, ordinal) == freed[:2] for freed in released):
                    raise StoreFault(f"The limit '{name}' of {number} is used already (entry {seq}); nothing was changed.")
            for written in one.letters:
                key = (number, written.owed.seq, written.owed.letter)
                if key in once:
                    raise StoreFault(f"A second letter '{key[2]}' of entry {key[1]} is impossible; nothing was changed.")
                once.add(key)
            for timer in one.outcome.timers_set:
                known = self._tables.timers.get((number, timer.id))
                if known is not None and known.status not in ("canceled", "open"):
                    raise StoreFault(f"Timer {timer.id} of {number} has fired before; nothing was changed.")
            if one.command_id is not None and one.command_id in self._tables.commands:
                raise StoreFault(f"The command '{one.command_id}' was done before; nothing was changed.")

    def _write(self, one: Saved) -> None:
        tables, outcome, case = self._tables, one.outcome, one.outcome.case
        if outcome.before is None:
            tables.requests.setdefault(case.request, []).append(case.number)
        tables.cases[case.number] = case
        tables.rows[case.number] = one.row
        tables.aliases.update(dict.fromkeys(case.aliases, case.number))
        tables.entries.setdefault(case.number, []).extend(outcome.entries)
        tables.limits -= {(case.number, name, ordinal) for name, ordinal, _ in outcome.released}
        tables.limits |= {(case.number, name, ordinal) for name, ordinal, _ in outcome.limits}
        if outcome.fired is not None:
            self._close(case.number, outcome.fired, "refused" if outcome.entries[0].action == "timer-refused" else "fired")
        for timer in outcome.timers_canceled:
            self._close(case.number, timer, "canceled")
        for timer in outcome.timers_set:
            tables.timers[(case.number, timer.id)] = _Timer(len(tables.timers) + 1, case.number, timer, "open")
        for written in one.letters:
            tables.once.add((case.number, written.owed.seq, written.owed.letter))
            tables.letters[written.owed.number] = _registered(written, case)
        for number in outcome.canceled_letters:
            if tables.letters[number].status in _WAITING:
                tables.letters[number] = replace(tables.letters[number], status="canceled")
        if one.command_id is not None:
            tables.commands[one.command_id] = (case.number, case.version)

    def _close(self, number: str, timer: Timer, status: str) -> None:
        row = self._tables.timers.get((number, timer.id))
        if row is not None and row.status == "open":
            row.status = status


def _registered(written: Written, case: Case) -> RegisteredLetter:
    owed = written.owed
    return RegisteredLetter(
        number=owed.number,
        case=owed.case,
        seq=owed.seq,
        letter=owed.letter,
        title=str(owed.view["letter"]["title"]),
        subject=written.subject,
        status=written.status,
        markdown=written.markdown,
        view=owed.view,
        template_hash=written.template_hash,
        content_hash=written.content_hash,
        pack_version=case.pack_version,
        owed_on=owed.owed_on,
        leaves_at=written.leaves_at,
        sent_on=None,
        recipients=tuple(mapping.recipients(written)),
        missing=written.missing,
    )
