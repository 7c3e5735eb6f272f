"""A store in memory, for rehearsals: the same promises, nothing kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from caseflow.adapters.store import memory_disposals
from caseflow.adapters.store.buffer import Buffer, Moved, Saved, no_case, no_document, no_letter, twice
from caseflow.adapters.store.dating import soonest_first
from caseflow.adapters.store.memory_feeds import MemoryFeeds
from caseflow.adapters.store.memory_record import MemoryLedger, MemoryRecord
from caseflow.adapters.store.memory_runs import MemoryRuns
from caseflow.adapters.store.memory_tables import Tables
from caseflow.domain.case import Case, Entry, Outcome
from caseflow.domain.mailing import TO_SEND, Attempt, Copy, copy_order, natural
from caseflow.domain.moving import Adoption
from caseflow.domain.pack import Pack
from caseflow.domain.packmoves import PackMove
from caseflow.domain.retention import Stub, gone
from caseflow.errors import NotFound
from caseflow.services.narrowing import COLUMNS, UNDONE, added, fits, value_of
from caseflow.services.ports.docket import DocketFilter, Urgency, group_of
from caseflow.services.ports.doings import Doer, Doing, Period
from caseflow.services.ports.lines import CaseLine, CaseRow, Standing, line_of
from caseflow.services.ports.store import KeptPack
from caseflow.services.ports.work import Brought, DueTimer
from caseflow.services.sight import EVERYTHING, Sight

if TYPE_CHECKING:
    from caseflow.services.ports.documents import Document
    from caseflow.services.ports.letters import RegisteredLetter, Written
    from caseflow.services.ports.search import SearchText
    from caseflow.services.ports.views import SavedView

_Kept = TypeVar("_Kept", Adoption, PackMove)

_AT_ONCE = ("counters", "packs", "labels", "pack_moves", "letters", "copies", "attempts", "secrets", "documents", "calendars", "adoptions")
"""Tables that a transaction writes before its end; they are put back where it fails."""


class MemoryStore:
    """Implements ports.Store without a database."""

    one_writer = False

    def __init__(self) -> None:
        self._tables = Tables()
        self._live = False

    @contextmanager
    def begin(self) -> Iterator[MemoryWork]:
        """A transaction: what it notes is checked whole, then written whole."""
        work = MemoryWork(self._tables)
        kept = {name: dict(getattr(self._tables, name)) for name in _AT_ONCE}
        try:
            yield work
            work.flush()
        except BaseException:
            vars(self._tables).update(kept)
            raise

    @contextmanager
    def read(self) -> Iterator[MemoryWork]:
        """A reading transaction."""
        yield MemoryWork(self._tables)

    def together(self) -> AbstractContextManager[None]:
        """Everything is read as it is."""
        return nullcontext()

    def apart(self) -> AbstractContextManager[None]:
        """And always was."""
        return nullcontext()

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
            case = self._tables.cases[number]
            line = line_of(case, self._tables.rows[number])
            if (after is None or number > after) and self._fits(line, case.aliases, wanted):
                yield line
                given += 1
                if limit is not None and given >= limit:
                    return

    def soonest(self, wanted: DocketFilter, after: tuple[date | None, str] | None, limit: int) -> Sequence[CaseLine]:
        """Cases by target, the soonest first, then those without a date by number."""
        dated = wanted.due_by is not None or wanted.target_from is not None or wanted.target_to is not None or wanted.overdue_on is not None
        lines = [line for line in self.docket(wanted) if not dated or line.row.next_target is not None]
        keyed = sorted((((line.row.next_target or date.max, line.number), line) for line in lines), key=lambda one: one[0])
        last = (after[0] or date.max, after[1]) if after is not None else None
        return [line for key, line in keyed if last is None or key > last][:limit]

    def standings(self, wanted: DocketFilter, after: tuple[date | None, str] | None, limit: int) -> Sequence[Standing]:
        """The same, named and not read."""
        return [Standing(line.number, line.head, line.row.next_target) for line in self.soonest(wanted, after, limit)]

    def _fits(self, line: CaseLine, aliases: Sequence[str], wanted: DocketFilter) -> bool:
        tables = self._tables
        if wanted.recorded_before is not None and tables.entries[line.number][-1].recorded_at >= wanted.recorded_before:
            return False
        letters = wanted.letters_waiting and any(tables.letter(one.number).status in UNDONE for one in tables.letters.values() if one.case == line.number)
        if wanted.group is not None and group_of(line, bool(self.parked((line.number,))), wanted.group[1]) != wanted.group[0]:
            return False
        return fits(line, wanted, aliases, letters, wanted.quiet_before is not None and bool(self.parked((line.number,))))

    def how_many(self, wanted: DocketFilter, most: int) -> int:
        """How many cases there are, or `most` where there are more."""
        return sum(1 for _ in self.docket(wanted, limit=most))

    def group_counts(self, wanted: DocketFilter, by: Urgency, most: int) -> Mapping[str, int]:
        """How many of these live cases are in each group."""
        return Counter(group_of(line, bool(self.parked((line.number,))), by) for line in self.docket(wanted, limit=most))

    def parked(self, numbers: Sequence[str]) -> Mapping[str, str]:
        """Of these cases those with a timer that could not fire; in memory nothing is noted of why."""
        return {row.case: "" for row in self._tables.by_row if row.status == "parked" and row.case in numbers}

    @property
    def views(self) -> MemoryViews:
        """The filters that people have saved."""
        return MemoryViews(self._tables.views)

    def by_day(self, wanted: DocketFilter, day: str, after: tuple[date | None, str] | None, limit: int) -> Sequence[CaseLine]:
        """Cases by another day of theirs, the earliest first, then those without it."""
        keyed = sorted((((getattr(line.row, day) or date.max, line.number), line) for line in self.docket(wanted)), key=lambda one: one[0])
        last = (after[0] or date.max, after[1]) if after is not None else None
        return [line for key, line in keyed if last is None or key > last][:limit]

    def count(self, wanted: DocketFilter, each: Sequence[DocketFilter], by: str | None = None) -> Mapping[Any, tuple[int, ...]]:
        """How many of the wanted cases fit each further filter, by the values of a column."""
        if by is not None and by not in COLUMNS:
            raise ValueError(f"cases are not counted by {by}")
        found: dict[Any, tuple[int, ...]] = {None: (0,) * len(each)} if by is None else {}
        for line in self.docket(wanted):
            aliases = self._tables.cases[line.number].aliases
            found = added(found, {value_of(line, by): tuple(int(self._fits(line, aliases, one)) for one in each)})
        return found

    def changed_since(self, moment: datetime, limit: int | None = None, seen: Sight = EVERYTHING) -> Sequence[str]:
        """Cases on record before a moment of which something was recorded at or after it, by number."""
        entries = self._tables.entries
        lines = (line.number for line in self.docket(DocketFilter(seen=seen)))
        return [number for number in lines if entries[number][0].recorded_at < moment <= entries[number][-1].recorded_at][:limit]

    def doings(self, period: Period, before: tuple[datetime, str, int] | None = None, limit: int = 100) -> Sequence[Doing]:
        """Entries recorded in a period, the newest first."""
        found = []
        for entry in self._recorded(period):
            case = self._tables.cases[entry.case]
            told = (entry.recorded_at, entry.effective_on, entry.case, entry.seq, entry.actor, entry.action, entry.because)
            if before is None or (entry.recorded_at, entry.case, entry.seq) < before:
                found.append(Doing(*told, case.workflow, case.title))
        return sorted(found, key=lambda one: (one.recorded_at, one.case, one.seq), reverse=True)[:limit]

    def doers(self, period: Period, by: str = "person") -> Sequence[Doer]:
        """Who recorded entries in a period, those of the most entries first; by `case`, of which cases they were."""
        found: dict[tuple[str, str], list[Entry]] = {}
        for entry in self._recorded(period):
            found.setdefault((entry.actor.kind, entry.actor.id) if by == "person" else ("case", entry.case), []).append(entry)
        made = [
            Doer(*who, len(theirs), len({one.case if by == "person" else one.actor.id for one in theirs}), max(one.recorded_at for one in theirs))
            for who, theirs in found.items()
        ]
        return sorted(made, key=lambda one: (-one.times, one.id))

    def _recorded(self, period: Period) -> Iterator[Entry]:
        for entry in (entry for entries in self._tables.entries.values() for entry in entries):
            mine = period.actor in (None, entry.actor.id) and period.case in (None, entry.case)
            case = self._tables.cases[entry.case]
            mine = mine and period.seen.covers(case.workflow, case.assigned_to, case.flags)
            if mine and period.since <= entry.recorded_at < period.until:
                yield entry

    def dated(self, wanted: DocketFilter, first: date, last: date, timers: tuple[datetime, datetime], limit: int) -> tuple[Sequence[str], date | None]:
        """Cases that may have a date between two days, the soonest first."""
        found: list[tuple[str, date]] = []
        for line in self.docket(wanted):
            days = [day for day in (line.row.next_target, line.row.next_due) if day is not None and first <= day <= last]
            days += [timer.at.date() for timer in self._tables.cases[line.number].timers if timers[0] <= timer.at < timers[1]]
            found += [(line.number, day) for day in days]
        return soonest_first(found, limit)

    @cached_property
    def feeds(self) -> MemoryFeeds:
        """Links to calendars."""
        return MemoryFeeds()

    @property
    def disposals(self) -> memory_disposals.MemoryDisposals:
        """Records that were disposed of."""
        return memory_disposals.MemoryDisposals(self._tables)

    @property
    def search(self) -> MemorySearch:
        """The index of words."""
        return MemorySearch(self._tables)

    @property
    def checkpoints(self) -> MemoryLedger:
        """Signed checkpoints."""
        return MemoryLedger(self._tables.checkpoints)

    @property
    def record(self) -> MemoryRecord:
        """The whole record, read in order."""
        return MemoryRecord(self._tables)

    def numbers(self, after: str | None = None) -> Iterator[str]:
        """The number of every case, in order."""
        yield from (number for number in sorted(self._tables.cases) if after is None or number > after)

    def seen(self, number: str, sight: Sight) -> str | None:
        """The number of the case (or of the case of that alias), where it is seen."""
        name = number if number in self._tables.cases else min(self._tables.aliases.get(number, ()), default="")
        found = self._tables.cases.get(name)
        return found.number if found is not None and sight.covers(found.workflow, found.assigned_to, found.flags) else None

    def case_of(self, letter: str) -> str | None:
        """The case of a letter."""
        found = self._tables.letters.get(letter)
        return found.case if found is not None else None

    def pack_files(self, version: str) -> Mapping[str, str] | None:
        """The files of a pack that was kept."""
        return self._tables.packs.get(version)

    def calendar_text(self, digest: str) -> str | None:
        """The text of a calendar that was kept."""
        return self._tables.calendars.get(digest)

    def adoptions(self) -> Sequence[Adoption]:
        """Every adoption of a changed calendar."""
        return list(self._tables.adoptions.values())

    def pack_versions(self) -> Sequence[KeptPack]:
        """The pack versions that were kept, with how many cases run by each."""
        mine = [(case.pack_version, self._tables.rows[number].ends) for number, case in self._tables.cases.items()]
        return [
            KeptPack(version, *name, cases=sum(one == version for one, _ in mine), open=mine.count((version, False)))
            for version, name in sorted(self._tables.labels.items(), key=lambda item: (*item[1], item[0]))
        ]

    def pack_moves(self) -> Sequence[PackMove]:
        """Every move of cases between versions of a pack."""
        return list(self._tables.pack_moves.values())

    def cases_under(self, version: str, after: str = "", limit: int = 500, is_open: bool = True) -> Sequence[str]:
        """The cases that run by a pack version, by number; with `is_open` only those that have not ended."""
        rows = self._tables.rows
        found = (number for number, case in self._tables.cases.items() if case.pack_version == version and not (is_open and rows[number].ends))
        return sorted(number for number in found if number > after)[:limit]

    def calendars(self) -> Sequence[str]:
        """The SHA-256 of every changed calendar that was kept, in order."""
        return sorted(self._tables.calendars)

    @property
    def runs(self) -> MemoryRuns:
        """Runs of processes."""
        return MemoryRuns(self._tables.runs, self._tables.beats)

    def heartbeats(self) -> Sequence[tuple[str, datetime, str]]:
        """Who beat when."""
        return [(name, at, note) for name, (at, note) in self._tables.beats.items()]


class MemoryViews:
    """Implements ports.Views on a map."""

    def __init__(self, kept: dict[tuple[str, str], SavedView]) -> None:
        self._kept = kept

    def of(self, account: str) -> Sequence[SavedView]:
        """Those of a person, by name."""
        return [self._kept[key] for key in sorted(self._kept) if key[0] == account]

    def keep(self, view: SavedView) -> None:
        """Keeps a filter; the same name again replaces it."""
        self._kept[view.account, view.name] = view

    def drop(self, account: str, name: str) -> bool:
        """Forgets a filter of a person."""
        return self._kept.pop((account, name), None) is not None


class MemorySearch:
    """Implements ports.Search by looking through everything: in numbers, titles and people."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def due(self, limit: int) -> Sequence[str]:
        """Nothing is ever behind."""
        return ()

    def keep(self, found: Sequence[SearchText]) -> int:
        """Nothing is kept apart."""
        return 0

    def find(self, asked: str, limit: int, seen: Sight = EVERYTHING) -> Sequence[str]:
        """Cases that have all the words, by number; only those that are seen."""
        words = asked.casefold().split()
        texts = {
            case.number: " ".join((case.number, case.title, *case.aliases, *(party.name for party in case.parties))).casefold()
            for case in self._tables.cases.values()
            if seen.covers(case.workflow, case.assigned_to, case.flags)
        }
        return [number for number in sorted(texts) if words and all(word in texts[number] for word in words)][:limit]


class MemoryWork:
    """Implements ports.Work on the tables in memory."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._buffer = Buffer()
        self._beats: dict[str, tuple[datetime, str]] = {}
        self._run: tuple[str, str, float] | None = None
        self._gone: list[tuple[Case, Stub]] = []

    def last_disposal(self) -> tuple[int, str]:
        """The place and hash of the last disposal."""
        return memory_disposals.last_disposal(self._tables)

    def dispose(self, case: Case, stub: Stub) -> None:
        """Puts a stub in the place of a case."""
        self._gone.append((case, stub))
        self._buffer.cases.pop(case.number, None)

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
            stub = tables.stubs.get(number)
            raise no_case(number) if stub is None else gone(stub)
        self._buffer.cases[name] = found
        return found

    def cases(self, numbers: Sequence[str]) -> Mapping[str, Case]:
        """Those of these cases that exist."""
        return {number: self.case(number) for number in numbers if number in self._tables.cases}

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
            self._tables.letter(letter.number)
            for letter in self._tables.letters.values()
            if (case is None or letter.case == case)
            and (not status or letter.status in status)
            and (until is None or letter.leaves_at is None or letter.leaves_at <= until)
        ]
        return sorted(found, key=lambda letter: (letter.owed_on, letter.case, letter.seq, letter.number))

    def letter(self, number: str) -> RegisteredLetter:
        """One letter."""
        if number not in self._tables.letters:
            raise no_letter(number)
        return self._tables.letter(number)

    def copies(self, letter: str | None = None, batch: str | None = None) -> tuple[Copy, ...]:
        """The copies of a letter, or those of a print batch."""
        if letter is not None:
            return self._tables.letter(letter).copies if letter in self._tables.letters else ()
        found = [copy for copy in self._tables.copies.values() if copy.batch == batch]
        return tuple(sorted(found, key=lambda copy: (natural(copy.letter), copy_order(copy))))

    def waiting_copies(self, moment: datetime, channels: Sequence[str], at_once: bool = False) -> tuple[Copy, ...]:
        """Every copy that may leave by now."""
        found = [
            copy
            for copy in self._tables.copies.values()
            if copy.status in TO_SEND
            and copy.batch is None
            and copy.claim is None
            and copy.channel in channels
            and (copy.next_at is None or copy.next_at <= moment or (at_once and copy.attempts == 0))
        ]
        return tuple(sorted(found, key=lambda copy: (copy.next_at is not None, copy.next_at or moment, copy.id)))

    def how_many_wait(self, moment: datetime, channels: Sequence[str], at_once: bool = False) -> int:
        """How many copies may leave by now."""
        return len(self.waiting_copies(moment, channels, at_once))

    def claim(self, moment: datetime, token: str, until: datetime, channels: Sequence[str], at_once: bool = False) -> tuple[Copy, ...]:
        """Claims the waiting copies of one letter."""
        waiting = self.waiting_copies(moment, channels, at_once)
        found = [replace(copy, claim=token, claimed_until=until) for copy in waiting if copy.letter == waiting[0].letter]
        self._tables.copies.update((copy.id, copy) for copy in found)
        return tuple(sorted(found, key=copy_order))

    def lapsed(self, moment: datetime) -> tuple[Copy, ...]:
        """Copies whose claim has run out."""
        return tuple(copy for copy in self._tables.copies.values() if copy.claimed_until is not None and copy.claimed_until < moment)

    def copy_changed(self, copy: Copy, held: str | None = None) -> bool:
        """Keeps a copy as it now is, unless another run claims it."""
        if self._tables.copies[copy.id].claim != held:
            return False
        self._tables.copies[copy.id] = copy
        return True

    def copy_added(self, copy: Copy) -> None:
        """Adds a copy."""
        key = (copy.case, copy.seq, copy.template, copy.recipient, copy.channel)
        if any((one.case, one.seq, one.template, one.recipient, one.channel) == key for one in self._tables.copies.values()):
            raise twice(f"a copy of {copy.letter} to {copy.name} at that address by {copy.channel}")
        self._tables.copies[copy.id] = copy

    def attempt(self, attempt: Attempt) -> None:
        """Keeps an attempt, or ends it."""
        self._tables.attempts[attempt.copy, attempt.number] = attempt

    def attempts(self, letter: str) -> tuple[Attempt, ...]:
        """Every attempt at the copies of a letter."""
        mine = {copy.id for copy in self.copies(letter)}
        return tuple(sorted((one for one in self._tables.attempts.values() if one.copy in mine), key=lambda one: (one.begun_at, one.copy, one.number)))

    def resting(self) -> str | None:
        """Since when nothing may leave."""
        return self._tables.resting

    def rest(self, since: str | None) -> None:
        """Lets nothing leave from now on, or again."""
        self._tables.resting = since

    def secret(self, name: str) -> str:
        """A secret made when first asked for; in memory the same each time, so that a rehearsal can be repeated."""
        return self._tables.secrets.setdefault(name, sha256(name.encode()).hexdigest())

    def documents(self, case: str) -> tuple[Document, ...]:
        """The documents of a case, in the order in which they came."""
        return tuple(sorted((one for one in self._tables.documents.values() if one.case == case), key=lambda one: natural(one.id)))

    def document(self, name: str) -> Document:
        """One document."""
        if name not in self._tables.documents:
            raise no_document()
        return self._tables.documents[name]

    def document_added(self, document: Document) -> None:
        """Adds a document."""
        key = (document.case, document.sha256, document.item)
        if document.id in self._tables.documents or any((one.case, one.sha256, one.item) == key for one in self._tables.documents.values()):
            raise twice(f"the document {document.id} of {document.case}")
        self._tables.documents[document.id] = document

    def save(self, outcome: Outcome, row: CaseRow, letters: Sequence[Written] = (), command_id: str | None = None) -> None:
        """Notes everything; it is written when the transaction ends."""
        self._buffer.note(Saved(outcome, row, letters, command_id))

    def bring(self, brought: Brought) -> None:
        """Notes what came with a case; it is written after the case."""
        self._buffer.brought.append(brought)

    def count_from(self, prefix: str, year: int, last: int) -> None:
        """Gives no request number up to this one."""
        self._tables.counters[(prefix, year)] = max(last, self._tables.counters.get((prefix, year), 0))

    def keep_pack(self, pack: Pack, files: Mapping[str, str]) -> None:
        """Keeps a pack whole, once."""
        self._tables.packs.setdefault(pack.hash, files)
        self._tables.labels[pack.hash] = (pack.text.pack, pack.text.version)

    def keep_calendar(self, digest: str, text: str) -> None:
        """Keeps a changed calendar whole, once."""
        self._tables.calendars.setdefault(digest, text)

    def adoptions(self) -> Sequence[Adoption]:
        """Every adoption of a changed calendar."""
        return list(self._tables.adoptions.values())

    def keep_adoption(self, adoption: Adoption) -> None:
        """Keeps an adoption as it now is."""
        _put_same(self._tables.adoptions, adoption, "an adoption")

    def pack_moves(self) -> Sequence[PackMove]:
        """Every move of cases between versions of a pack."""
        return list(self._tables.pack_moves.values())

    def keep_pack_move(self, move: PackMove) -> None:
        """Keeps a move as it now is."""
        _put_same(self._tables.pack_moves, move, "a move")

    def settle(self, row: int, status: Literal["fired", "canceled", "refused", "parked"], text: str = "") -> None:
        """Closes a timer row."""
        self._buffer.settled.append((row, status, text))

    def savepoint(self) -> AbstractContextManager[None]:
        """A part that may fail alone."""
        return self._buffer.savepoint()

    def letter_status(self, number: str, status: str, on: date | None = None, proof: str = "", copies: bool = True) -> None:
        """Moves a letter in the register."""
        self._buffer.moved.append(Moved(number, status, on, proof, copies))

    def letter_words(self, letter: RegisteredLetter) -> None:
        """Writes the words of a letter anew."""
        old = self._tables.letter(letter.number)
        if old.status not in ("draft", "blocked", "owed", "approved") or any(copy.claim is not None or copy.attempts for copy in old.copies):
            raise twice(f"the words of the letter {letter.number}, which has begun to leave")
        self._tables.letters[letter.number] = letter
        self._tables.copies.update((copy.id, replace(copy, status=letter.status, next_at=letter.leaves_at)) for copy in old.copies)

    def beat(self, name: str, at: datetime, note: str = "") -> None:
        """Writes a heartbeat."""
        self._beats[name] = (at, note)

    def under(self, name: str, token: str, seconds: float) -> None:
        """Keeps what this transaction writes only if the run still holds at its end."""
        self._run = (name, token, seconds)

    def flush(self) -> None:
        """Writes all of it, or refuses it with nothing written."""
        if self._run is not None:
            MemoryRuns(self._tables.runs, self._tables.beats).finished(*self._run)
        self._tables.take(self._buffer)
        for case, stub in self._gone:
            memory_disposals.dispose(self._tables, case, stub)
        self._tables.beats.update(self._beats)


def _put_same(kept: dict[int, _Kept], one: _Kept, what: str) -> None:
    """Keeps it in place of what has its number, where that is the same one. Raises KeyRefused."""
    known = kept.get(one.id, one)
    if (known.pack, known.at, known.by) != (one.pack, one.at, one.by):
        raise twice(f"{what} {one.id}")
    kept[one.id] = one
