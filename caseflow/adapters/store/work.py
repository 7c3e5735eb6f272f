"""One transaction on an SQL database: reads at once, writes when it ends, all or nothing."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import Connection, func, select, update

from caseflow.adapters.store import adoptions as adopted
from caseflow.adapters.store import mapping, upsert
from caseflow.adapters.store import statements as s
from caseflow.adapters.store.buffer import Buffer, Moved, Saved, TimerEnd, no_case, no_document, no_letter, stale, twice
from caseflow.adapters.store.prepared import Prepared
from caseflow.adapters.store.updating import Kept, update_of
from caseflow.domain.case import Case, Entry, Outcome, Timer
from caseflow.domain.mailing import Attempt, Copy, copy_order, natural
from caseflow.domain.moving import Adoption
from caseflow.domain.pack import Pack
from caseflow.domain.packmoves import PackMove
from caseflow.domain.retention import Stub, gone
from caseflow.errors import NotFound, RecordBroken
from caseflow.services.ports.documents import Document
from caseflow.services.ports.work import Brought, DueTimer

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter, Written
    from caseflow.services.ports.lines import CaseRow

RESTING = "resting"
"""Under which key a restored database says since when nothing may leave it."""


class SqlWork:
    """Implements ports.Work on a connection whose transaction its store opened.

    Whoever `writes` on a server holds the row of a case before reading anything of it that an act may change.
    """

    def __init__(self, connection: Connection, writes: bool = False) -> None:
        self._connection = connection
        self._locks = writes and connection.dialect.name == "postgresql"
        self._narrows = writes and not self._locks
        self._kept = Kept()
        self._held: dict[str, Any] = {}
        self._buffer = Buffer()
        self._packs: set[str] = set()
        self._adoptions: Sequence[Adoption] | None = None  # asked for each case of a sweep
        self._run_ends: Callable[[], None] | None = None

    # --- reading ---

    def next_number(self, prefix: str, year: int) -> int:
        """The next request number of that year."""
        return int(s.next_number.rows(self._connection, prefix=prefix, year=year)[0][0])

    def _hold(self, number: str) -> Any:
        """The body of a case, locked until the transaction ends; None where there is no such case."""
        if number not in self._held:
            rows = s.lock_request.rows(self._connection, wanted=number)
            self._held |= {held: body for held, body, _ in rows}
            self._note_adopted([is_adopted for *_, is_adopted in rows])
        return self._held.get(number)

    def _body(self, number: str) -> Any:
        """The body of a case that needs no lock; None where there is no such case."""
        row = (s.read_row if self._narrows else s.read_case).row(self._connection, wanted=number)
        if row is None:
            return None
        self._note_adopted([row[1]])
        if self._narrows:
            self._kept.note(number, row[2:])
        return row[0]

    def _note_adopted(self, said: Sequence[Any]) -> None:
        """What was said along with each case that was read: where no calendar was ever adopted, as in most offices, nothing more is asked."""
        if said and not any(said) and self._adoptions is None:
            self._adoptions = ()

    def case(self, number: str) -> Case:
        """The case, as it stands in this transaction."""
        known = self._buffer.cases.get(number)
        if known is not None:
            return known
        body = self._hold(number) if self._locks else self._body(number)
        if body is None:
            other = self._connection.execute(s.read_alias, {"wanted": number}).scalar()
            if other is None:
                from caseflow.adapters.store import disposing  # a case that is gone is asked for seldom

                stub = disposing.read_stub(self._connection, number)
                raise no_case(number) if stub is None else gone(stub)
            return self.case(str(other))
        case = mapping.decode_case(body)
        self._buffer.cases[number] = case
        return case

    def cases(self, numbers: Sequence[str]) -> Mapping[str, Case]:
        """Those of these cases that exist, read together."""
        wanted = [number for number in dict.fromkeys(numbers) if number not in self._buffer.cases]
        self._take(wanted)
        return {number: self._buffer.cases[number] for number in numbers if number in self._buffer.cases}

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
        bodies = self._connection.execute(s.read_request, {"wanted": request}).scalars()
        return self._buffer.family(request, map(mapping.decode_case, bodies))

    def entries(self, number: str) -> tuple[Entry, ...]:
        """The journal of a case."""
        rows = self._connection.execute(s.read_entries, {"wanted": number})
        return (*map(mapping.entry_from, rows), *self._buffer.entries(number))

    def command(self, command_id: str) -> tuple[str, int] | None:
        """What a command produced, if it was done before."""
        if self._locks:
            s.lock_command.rows(self._connection, wanted=command_id)
        row = s.read_command.row(self._connection, wanted=command_id)
        return (row[0], row[1]) if row is not None else self._buffer.command(command_id)

    def due(self, until: datetime, limit: int) -> Sequence[DueTimer]:
        """Open timers due by then, earliest first; their cases are read with one statement."""
        rows = self._connection.execute(s.claim_due if self._locks else s.read_due, {"until": until, "most": limit}).all()
        self._take(list(dict.fromkeys(row.case for row in rows if row.case not in self._buffer.cases)))
        return [DueTimer(row.id, row.case, Timer(row.clock, row.kind, row.action, row.due, row.at, row.round)) for row in rows]

    def _take(self, numbers: list[str]) -> None:
        """Reads cases together."""
        if not numbers:
            return
        for body, compared in self._locked(numbers) if self._locks else self._rows(numbers):
            with suppress(RecordBroken):  # told where this case is asked for, so that it holds up no other
                case = mapping.decode_case(body)
                self._buffer.cases[case.number] = case
                if compared is not None:
                    self._kept.note(case.number, compared)

    def _locked(self, numbers: list[str]) -> list[tuple[Any, None]]:
        rows = self._connection.execute(s.lock_cases, {"wanted": numbers}).all()
        self._note_adopted([row.is_adopted for row in rows])
        self._held |= {row.number: row.body for row in rows}
        return [(self._held[number], None) for number in numbers if number in self._held]

    def _rows(self, numbers: list[str]) -> list[tuple[Any, Any]]:
        """Bodies, and the columns as the driver has them."""
        answer: Any = self._connection.execute(s.read_rows, {"wanted": numbers}).cursor
        rows = answer.fetchall()
        self._note_adopted([row[1] for row in rows])
        return [(row[0], row[2:] if self._narrows else None) for row in rows]

    def letters(self, case: str | None = None, status: Sequence[str] = (), until: datetime | None = None) -> Sequence[RegisteredLetter]:
        """Letters of the register, oldest first."""
        if case is not None and not status and until is None:
            rows = self._connection.execute(s.read_letters, {"wanted": case}).all()
            copies = self._by_letter(self._connection.execute(s.read_copies, {"wanted": case})) if rows else {}
            return [mapping.letter_from(row, copies.get(row.number, ())) for row in rows]
        query = select(s.LETTER).order_by(*s.LETTER_ORDER)
        if case is not None:
            query = query.where(s.LETTER.c.case == case)
        if status:
            query = query.where(s.LETTER.c.status.in_(list(status)))
        if until is not None:
            query = query.where((s.LETTER.c.leaves_at.is_(None)) | (s.LETTER.c.leaves_at <= until))
        rows = self._connection.execute(query).all()
        if not rows:
            return []
        wanted = query.with_only_columns(s.LETTER.c.number).order_by(None)
        copies = self._copies(s.COPY.c.letter.in_(wanted) if case is not None or status or until is not None else None)
        return [mapping.letter_from(row, copies.get(row.number, ())) for row in rows]

    def _copies(self, where: Any) -> dict[str, list[Copy]]:
        """Copies by their letter, in order."""
        query = select(s.COPY)
        return self._by_letter(self._connection.execute(query if where is None else query.where(where)))

    def _by_letter(self, rows: Iterable[Any]) -> dict[str, list[Copy]]:
        found: dict[str, list[Copy]] = {}
        for row in rows:
            found.setdefault(row.letter, []).append(mapping.copy_from(row))
        for copies in found.values():
            copies.sort(key=copy_order)
        return found

    def letter(self, number: str) -> RegisteredLetter:
        """One letter."""
        if self._locks and (owner := s.read_case_of.row(self._connection, wanted=number)) is not None:
            self._hold(owner[0])
        row = self._connection.execute(select(s.LETTER).where(s.LETTER.c.number == number)).first()
        if row is None:
            raise no_letter(number)
        return mapping.letter_from(row, self.copies(number))

    def copies(self, letter: str | None = None, batch: str | None = None) -> tuple[Copy, ...]:
        """The copies of a letter, or those of a print batch."""
        found = self._copies(s.COPY.c.letter == letter if batch is None else s.COPY.c.batch == batch)
        return tuple(copy for number in sorted(found, key=natural) for copy in found[number])

    def waiting_copies(self, moment: datetime, channels: Sequence[str], at_once: bool = False) -> tuple[Copy, ...]:
        """Every copy that may leave by now."""
        query = s.waiting_copies(moment, channels, at_once)
        return tuple(map(mapping.copy_from, self._connection.execute(s.claimed(query) if self._locks else query)))

    def how_many_wait(self, moment: datetime, channels: Sequence[str], at_once: bool = False) -> int:
        """How many copies may leave by now."""
        waiting = s.waiting_copies(moment, channels, at_once).with_only_columns(func.count()).order_by(None)
        return self._connection.execute(waiting).scalar() or 0

    def lapsed(self, moment: datetime) -> tuple[Copy, ...]:
        """Copies whose claim has run out."""
        query = select(s.COPY).where(s.COPY.c.claim.is_not(None), s.COPY.c.claimed_until < moment).order_by(s.COPY.c.id)
        return tuple(map(mapping.copy_from, self._connection.execute(s.claimed(query) if self._locks else query)))

    def attempts(self, letter: str) -> tuple[Attempt, ...]:
        """Every attempt at the copies of a letter."""
        join = s.ATTEMPT.join(s.COPY, s.ATTEMPT.c["copy"] == s.COPY.c.id)
        query = select(s.ATTEMPT).select_from(join).where(s.COPY.c.letter == letter).order_by(s.ATTEMPT.c.begun_at, s.ATTEMPT.c["copy"], s.ATTEMPT.c.number)
        return tuple(Attempt(*row) for row in self._connection.execute(query))

    # --- writing ---

    def save(self, outcome: Outcome, row: CaseRow, letters: Sequence[Written] = (), command_id: str | None = None) -> None:
        """Notes everything; it is written when the transaction ends."""
        self._buffer.note(Saved(outcome, row, letters, command_id))

    def bring(self, brought: Brought) -> None:
        """Notes what came with a case; it is written after the case."""
        self._buffer.brought.append(brought)

    def count_from(self, prefix: str, year: int, last: int) -> None:
        """Gives no request number up to this one."""
        upsert.at_least(self._connection, s.COUNTER, {"prefix": prefix, "year": year, "last": last}, "last")

    def keep_pack(self, pack: Pack, files: Mapping[str, str]) -> None:
        """Keeps a pack whole, once."""
        if pack.hash in self._packs:
            return
        self._packs.add(pack.hash)
        if self._connection.execute(select(s.PACK.c.hash).where(s.PACK.c.hash == pack.hash)).scalar() is None:
            values = {"hash": pack.hash, "pack": pack.text.pack, "label": pack.text.version, "files": json.dumps(dict(files))}
            self._connection.execute(s.kept_once(self._connection, s.PACK).values(values))

    def keep_calendar(self, digest: str, text: str) -> None:
        """Keeps a changed calendar whole, once."""
        adopted.keep_calendar(self._connection, digest, text)

    def adoptions(self) -> Sequence[Adoption]:
        """Every adoption of a changed calendar."""
        if self._adoptions is None:
            self._adoptions = adopted.adoptions(self._connection)
        return self._adoptions

    def keep_adoption(self, adoption: Adoption) -> None:
        """Keeps an adoption as it now is."""
        self._adoptions = None
        adopted.keep_adoption(self._connection, adoption)

    def pack_moves(self) -> Sequence[PackMove]:
        """Every move of cases between versions of a pack."""
        from caseflow.adapters.store import packmoves

        return packmoves.pack_moves(self._connection)

    def keep_pack_move(self, move: PackMove) -> None:
        """Keeps a move as it now is."""
        from caseflow.adapters.store import packmoves

        packmoves.keep_pack_move(self._connection, move)

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
        """Writes the words of a letter anew: first it is a draft again, which none is that has begun to leave."""
        flying = select(s.COPY.c.id).where(s.COPY.c.letter == letter.number, (s.COPY.c.claim.is_not(None)) | (s.COPY.c.attempts > 0)).exists()
        open_ = update(s.LETTER).where(s.LETTER.c.number == letter.number, s.LETTER.c.status.in_(["draft", "blocked", "owed", "approved"]), ~flying)
        if self._connection.execute(open_.values(status="draft")).rowcount != 1:
            raise twice(f"the words of the letter {letter.number}, which has begun to leave")
        values = mapping.letter_values(letter)
        kept = ("subject", "markdown", "view", "template_hash", "content_hash", "missing", "edits", "leaves_at", "status")
        self._connection.execute(update(s.LETTER).where(s.LETTER.c.number == letter.number).values({name: values[name] for name in kept}))
        self._connection.execute(update(s.COPY).where(s.COPY.c.letter == letter.number).values(status=letter.status, next_at=letter.leaves_at))

    def claim(self, moment: datetime, token: str, until: datetime, channels: Sequence[str], at_once: bool = False) -> tuple[Copy, ...]:
        """Claims the waiting copies of one letter."""
        query = s.waiting_copies(moment, channels, at_once)
        query = s.claimed(query) if self._locks else query
        first = self._connection.execute(query.limit(1)).first()
        if first is None:
            return ()
        rows = self._connection.execute(query.where(s.COPY.c.letter == first.letter))
        found = sorted(map(mapping.copy_from, rows), key=copy_order)
        self._connection.execute(update(s.COPY).where(s.COPY.c.id.in_([copy.id for copy in found])).values(claim=token, claimed_until=until))
        return tuple(replace(copy, claim=token, claimed_until=until) for copy in found)

    def copy_changed(self, copy: Copy, held: str | None = None) -> bool:
        """Keeps a copy as it now is, unless another run claims it."""
        if self._locks:
            self._hold(copy.case)
        values = {f"to_{name}": getattr(copy, name) for name in s.COPY_MOVES}
        return self._connection.execute(s.change_copy, {"of_copy": copy.id, "held": held or "", **values}).rowcount == 1

    def copy_added(self, copy: Copy) -> None:
        """Adds a copy."""
        key = (s.COPY.c.case == copy.case, s.COPY.c.seq == copy.seq, s.COPY.c.template == copy.template)
        same = select(s.COPY.c.id).where(*key, s.COPY.c.recipient == copy.recipient, s.COPY.c.channel == copy.channel)
        if self._connection.execute(same).first() is not None:
            raise twice(f"a copy of {copy.letter} to {copy.name} at that address by {copy.channel}")
        s.insert_copy.change(self._connection, [mapping.copy_values(copy)])

    def attempt(self, attempt: Attempt) -> None:
        """Keeps an attempt, or ends it."""
        values = {name: getattr(attempt, name) for name in Attempt.__dataclass_fields__}
        key = (s.ATTEMPT.c["copy"] == attempt.copy, s.ATTEMPT.c.number == attempt.number)
        if self._connection.execute(update(s.ATTEMPT).where(*key).values(values)).rowcount == 0:
            self._connection.execute(s.ATTEMPT.insert().values(values))

    def secret(self, name: str) -> str:
        """A secret of this database, made when first asked for."""
        query = select(s.META.c.value).where(s.META.c.key == f"secret:{name}")
        known = self._connection.execute(query).scalar()
        if known is None:  # of two that ask at once, both get what the first one made
            made = {"key": f"secret:{name}", "value": secrets.token_hex(32)}
            self._connection.execute(s.kept_once(self._connection, s.META).values(made))
            known = self._connection.execute(query).scalar()
        return str(known)

    def documents(self, case: str) -> tuple[Document, ...]:
        """The documents of a case, in the order in which they came."""
        found = self._connection.execute(select(s.DOCUMENT).where(s.DOCUMENT.c.case == case)).all()
        return tuple(sorted((Document(*(getattr(row, name) for name in Document.__slots__)) for row in found), key=lambda one: natural(one.id)))

    def document(self, name: str) -> Document:
        """One document."""
        for row in self._connection.execute(select(s.DOCUMENT).where(s.DOCUMENT.c.id == name)):
            return Document(*(getattr(row, part) for part in Document.__slots__))
        raise no_document()

    def document_added(self, document: Document) -> None:
        """Adds a document."""
        self._connection.execute(s.DOCUMENT.insert().values({name: getattr(document, name) for name in Document.__slots__}))

    def last_disposal(self) -> tuple[int, str]:
        """The place and hash of the last disposal."""
        from caseflow.adapters.store import disposing

        return disposing.last_disposal(self._connection)

    def dispose(self, case: Case, stub: Stub) -> None:
        """Puts a stub in the place of a case."""
        from caseflow.adapters.store import disposing

        disposing.dispose(self._connection, case, stub)
        self._buffer.cases.pop(case.number, None)

    def resting(self) -> str | None:
        """Since when nothing may leave."""
        found = self._connection.execute(select(s.META.c.value).where(s.META.c.key == RESTING)).scalar()
        return str(found) if found is not None else None

    def rest(self, since: str | None) -> None:
        """Lets nothing leave from now on, or again."""
        self._connection.execute(s.META.delete().where(s.META.c.key == RESTING))
        if since is not None:
            self._connection.execute(s.META.insert().values(key=RESTING, value=since))

    def beat(self, name: str, at: datetime, note: str = "") -> None:
        """Writes a heartbeat."""
        from caseflow.adapters.store.runs import beat

        beat(self._connection, name, at, note)

    def under(self, name: str, token: str, seconds: float) -> None:
        """Keeps what this transaction writes only if the run still holds at its end."""
        from caseflow.adapters.store.runs import begun, finished

        self._run_ends = partial(finished, self._connection, name, token, seconds)
        begun(self._connection, name, token, seconds)

    # --- ending ---

    def flush(self) -> None:
        """Writes what was noted, a few statements for all of it."""
        buffer = self._buffer
        saved = buffer.saved
        self._cases(saved)
        self._many(s.insert_entry, [mapping.entry_values(entry) for one in saved for entry in one.outcome.entries])
        self._limits()
        self._timers()
        letters = [mapping.registered(written, one.outcome.case.pack_version) for one in saved for written in one.letters]
        self._many(s.insert_letter, [mapping.letter_values(letter) for letter in letters])
        self._many(s.insert_copy, [mapping.copy_values(copy) for letter in letters for copy in letter.copies])
        self._many(s.correct_letter, [{"of_number": letter.corrects, "to_number": letter.number} for letter in letters if letter.corrects])
        canceled = [{"of_number": number} for one in saved for number in one.outcome.canceled_letters]
        self._many(s.cancel_letter, canceled)
        self._many(s.cancel_copies, canceled)
        self._moves(buffer.moved)
        self._many(s.settle_timer, [{"of_row": row, "to_status": status, "to_note": text} for row, status, text in buffer.settled])
        commands = [{"id": one.command_id, "case": one.outcome.case.number, "version": one.outcome.case.version} for one in saved if one.command_id is not None]
        self._many(s.insert_command, commands)
        for brought in buffer.brought:
            self._bring(brought)
        if self._run_ends is not None:
            self._run_ends()

    def _bring(self, brought: Brought) -> None:
        self._many(s.insert_letter, [{**mapping.letter_values(one), "corrected_by": one.corrected_by} for one in brought.letters])
        self._many(s.insert_copy, [mapping.copy_values(copy) for one in brought.letters for copy in one.copies])
        for attempt in brought.attempts:
            self._connection.execute(s.ATTEMPT.insert().values({name: getattr(attempt, name) for name in Attempt.__dataclass_fields__}))
        for document in brought.documents:
            self.document_added(document)

    def _many(self, statement: Prepared, values: list[dict[str, Any]]) -> int:
        return statement.change(self._connection, values) if values else 0

    def _cases(self, saved: Sequence[Saved]) -> None:
        """New cases are inserted; a changed one is updated once, from the version that was read."""
        first: dict[str, Saved] = {}
        last: dict[str, Saved] = {}
        for one in saved:
            first.setdefault(one.outcome.case.number, one)
            last[one.outcome.case.number] = one
        fresh, changed, aliases = [], [], []
        for number, one in last.items():
            before = first[number].outcome.before
            values = mapping.case_values(one.outcome.case, one.row)
            known = before.aliases if before is not None else ()
            aliases += [{"alias": alias, "case": number} for alias in one.outcome.case.aliases if alias not in known]
            if before is None:
                fresh.append(values)
            else:
                changed.append({**values, "of_case": number, "from_version": before.version})
        self._many(s.insert_case, fresh)
        if self._changed(changed) != len(changed):
            raise stale(self._first_stale(changed))
        self._many(s.insert_alias, aliases)

    def _changed(self, changed: list[dict[str, Any]]) -> int:
        """Updates cases, each from the version that was read; the answer is how many still had it."""
        together: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for values in changed:
            together.setdefault(self._kept.changed(self._connection.dialect, values), []).append(values)
        return sum(update_of(names).change(self._connection, some) for names, some in together.items())

    def _first_stale(self, changed: list[dict[str, Any]]) -> str:
        rows = self._connection.execute(s.read_heads, {"wanted": [one["of_case"] for one in changed]})
        now = {row.number: row.head for row in rows}
        return next(str(one["of_case"]) for one in changed if now.get(one["of_case"]) != one["head"])

    def _limits(self) -> None:
        gone, used = self._buffer.limits()
        self._many(s.delete_limit, [{"of_case": case, "of_limit": name, "of_ordinal": ordinal} for case, name, ordinal in gone])
        values = [{"case": case, "limit_id": name, "ordinal": ordinal, "seq": seq} for (case, name, ordinal), seq in used.items()]
        self._many(s.insert_limit, values)

    def _timers(self) -> None:
        """Opens and closes timer rows as the outcomes leave them. Whoever fires one must find it open."""
        ends = self._buffer.timers()
        opened = [mapping.timer_values(number, end.timer) for (number, _), end in ends.items() if end.opened]
        if self._many(s.open_timer, opened) != len(opened):
            raise twice("the firing of a timer that this act owes anew")
        claimed = [_closing(number, end) for (number, _), end in ends.items() if end.status in ("fired", "refused")]
        if self._many(s.close_timer, claimed) != len(claimed):
            raise twice("the firing of a timer")
        self._many(s.close_timer, [_closing(number, end) for (number, _), end in ends.items() if end.status == "canceled"])

    def _moves(self, moved: Sequence[Moved]) -> None:
        values = [{"of_number": one.number, "to_status": one.status, "to_sent_on": one.on, "to_proof": one.proof} for one in moved]
        if self._many(s.move_letter, values) != len(values):
            for one in moved:
                self.letter(one.number)
        self._many(
            s.move_copies,
            [{name: made[name] for name in ("of_number", "to_status", "to_sent_on")} for one, made in zip(moved, values, strict=True) if one.copies],
        )


def _closing(number: str, end: TimerEnd) -> dict[str, Any]:
    timer = end.timer
    return {
        "of_case": number,
        "of_clock": timer.clock,
        "of_kind": timer.kind,
        "of_due": timer.due,
        "of_round": timer.round,
        "to_status": end.status,
    }
