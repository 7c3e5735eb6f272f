"""Records whose time is over: what is due and why, what is kept back, and the disposal itself, one case in one transaction.

Whenever the program dies, each case is whole or a stub: what is left to do (files of documents, freed places of the database) is noted
in that same transaction, and the next run does it first. A legal hold is asked again in the transaction and once more by the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from caseflow.domain import pack as p
from caseflow.domain.calendar import Calendar
from caseflow.domain.case import Actor, Case
from caseflow.domain.clock import length_text
from caseflow.domain.facts import nearest, reason_of
from caseflow.domain.holding import refuse
from caseflow.domain.mailing import TO_SEND, WAITING
from caseflow.domain.retention import Stub, Term, kept_back, latest_end, stub_faults, stub_of, term_of, told
from caseflow.domain.rulebook import Rulebook, calendar_of
from caseflow.errors import BadInput, Reason, RecordFault, Refused, StaleCase, StoreFault
from caseflow.services.again import again
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.showing import reason_json
from caseflow.services.sight import EVERYTHING, Sight

if TYPE_CHECKING:
    from caseflow.services.ports.documents import Vault
    from caseflow.services.ports.work import Work

PAGE = 200
UNSENT = tuple(dict.fromkeys((*WAITING, *TO_SEND, "queued")))
"""Statuses of letters that have not left or of which nobody knows whether they have."""
Transfer = Callable[[str], str]
"""Hands the record of a case over to the archive and answers the hash of its last entry."""


@dataclass(frozen=True, slots=True)
class Due:
    """A case whose time is over, and what keeps it back all the same."""

    case: Case
    book: Rulebook
    pack: p.Pack
    term: Term
    kept: tuple[Reason, ...]


class Disposal:
    """Finds and disposes of records. `vault` holds the contents of documents."""

    def __init__(self, office: Office, vault: Vault) -> None:
        self._office, self._vault, self._store = office, vault, office.store.disposals

    # --- what is due ---

    def due(
        self, until: date | None = None, schedule: str | None = None, seen: Sight = EVERYTHING, moment: datetime | None = None, most: int | None = None
    ) -> dict[str, Any]:
        """What may go by a day (today where none is given), and what is kept back: {until, due, kept_back}. Each line names the schedule, the
        day from which it counts, the day from which the case may go and the citation. Raises BadInput."""
        moment = moment or self._office.now()
        until = until or self._calendar().local_day(moment)
        self._known(schedule)
        found = self._found(until, schedule, seen)
        lines = [due_json(one) for one, _ in zip(found, range(most), strict=False)] if most is not None else [due_json(one) for one in found]
        lines.sort(key=lambda line: (line["due_on"], line["case"]))
        split: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
        for line in lines:
            split[bool(line["kept_back"])].append(line)
        return {"until": until.isoformat(), "due": split[False], "kept_back": split[True]}

    def _found(self, until: date, schedule: str | None, seen: Sight) -> Iterator[Due]:
        for number in self._candidates(until):
            made = self._looked_at(number, seen)
            if made is not None and made.term.due_on <= until and schedule in (None, made.term.schedule):
                yield made

    def _candidates(self, until: date) -> Iterator[str]:
        """The cases that ended long enough ago for the shortest schedule, the earliest first."""
        latest = latest_end(self._office.packs.all(), until)
        after: tuple[date, str] | None = None
        while True:
            page = self._store.ended(latest, after, PAGE)
            yield from (number for _, number in page)
            if len(page) < PAGE:
                return
            after = page[-1]

    def _judged(self, work: Work, case: Case) -> Due | None:
        book = self._office.packs.of(case)
        pack = next((one for one in self._office.packs.all() if one.text.pack == case.pack), book.pack)
        term = term_of(book, pack, case)
        if term is None:
            return None
        family = work.siblings(case)
        open_states = {one.number: one.closed_on is None for one in family}
        letters = [letter.number for letter in work.letters(case.number) if letter.status in UNSENT or any(copy.status in UNSENT for copy in letter.copies)]
        return Due(case, book, pack, term, kept_back(case, family, letters, open_states))

    def _calendar(self) -> Calendar:
        return calendar_of(self._office.packs.all()[0])

    def _known(self, schedule: str | None) -> None:
        known = [name for pack in self._office.packs.all() for name in pack.text.retention.schedules]
        if not known:
            raise BadInput("No pack has a schedule of retention; write one under 'retention:' in pack.yaml.")
        if schedule is not None and schedule not in known:
            raise BadInput(f"There is no schedule '{schedule}'{nearest(schedule, known)}; the schedules: {', '.join(known)}.")

    def term(self, case: Case, moment: datetime | None = None) -> dict[str, Any] | None:
        """What the schedule says of one case, as a line of `due`; None while it is open, or where no schedule covers it."""
        with self._office.store.read() as work:
            made = self._judged(work, case)
        return due_json(made) if made is not None else None

    # --- the disposal ---

    def dispose(
        self,
        actor: Actor,
        because: str | None,
        schedule: str | None = None,
        until: date | None = None,
        moment: datetime | None = None,
        transfer: Transfer | None = None,
        progress: Progress = quiet,
    ) -> dict[str, Any]:
        """Disposes of what was due by a day: {disposed, kept_back, cleared}. `transfer` hands a record to the archive first, where the
        schedule says so; without one such records are kept back. Raises Refused, BadInput."""
        moment, reason = moment or self._office.now(), reason_of(because, "dispose of a record")
        today = self._calendar().local_day(moment)
        if until is not None and until > today:
            raise BadInput(f"--until {until} lies after today, {today}; a record is disposed of when its time is over. Look ahead with --dry-run.")
        self._known(schedule)
        self._refuse(actor)
        self.finish(moment, progress)
        wanted = [one.case.number for one in self._found(until or today, schedule, EVERYTHING)]
        gone: list[dict[str, Any]] = []
        kept: list[dict[str, Any]] = []
        for done, number in enumerate(wanted, 1):
            made = self._one(number, until or today, actor, reason, moment, transfer)
            if isinstance(made, Stub):
                gone.append(told(made))
                self._unlink()
            elif made is not None:
                kept.append(made)
            progress(done, len(wanted), "cases")
        cleared = self._cleared(moment) if gone or self._store.residue() else True
        return {"until": (until or today).isoformat(), "disposed": gone, "kept_back": kept, "cleared": cleared}

    def finish(self, moment: datetime | None = None, progress: Progress = quiet) -> int:
        """Does what a run that died left undone: files of documents, and freed places. How many files went."""
        return self._unlink()

    def _cleared(self, moment: datetime) -> bool:
        """Whether nothing is left in freed places. Somebody at work may hinder it, and the records are gone all the same."""
        try:
            return self._store.rewrite(moment)
        except StoreFault:
            return False

    def _refuse(self, actor: Actor) -> None:
        faults: list[Refused] = []
        packs = [pack for pack in self._office.packs.all() if pack.text.retention.schedules]
        for pack in packs:
            try:
                refuse(pack, actor, pack.text.retention.disposes, "a record is disposed of")
            except Refused as fault:
                faults.append(fault)
        if len(faults) == len(packs):
            raise faults[0]

    def _one(self, number: str, until: date, actor: Actor, reason: str, moment: datetime, transfer: Transfer | None) -> Stub | dict[str, Any] | None:
        """One case: its stub; or the line that says what keeps it back; or nothing where it is no longer due. Asked anew where somebody
        changed the case at that moment."""
        for _ in range(3):
            try:
                return self._tried(number, until, actor, reason, moment, transfer)
            except StaleCase:
                continue
        return self._tried(number, until, actor, reason, moment, transfer)

    def _tried(self, number: str, until: date, actor: Actor, reason: str, moment: datetime, transfer: Transfer | None) -> Stub | dict[str, Any] | None:
        handed = self._transferred(number, until, transfer)
        return self._removed(number, until, actor, reason, moment, handed)

    @again
    def _removed(self, number: str, until: date, actor: Actor, reason: str, moment: datetime, handed: str | None) -> Stub | dict[str, Any] | None:
        with self._office.store.begin() as work:
            case = work.cases([number]).get(number)
            made = self._judged(work, case) if case is not None else None
            if made is None or made.term.due_on > until or case is None:
                return None
            kept = (*made.kept, *_not_handed(made, handed))
            try:
                refuse(made.pack, actor, made.pack.text.retention.disposes, "a record is disposed of")
            except Refused as fault:
                kept = (*kept, *fault.reasons)
            if kept:
                return due_json(Due(made.case, made.book, made.pack, made.term, kept))
            place, before = work.last_disposal()
            first = work.entries(number)[0].hash
            stub = stub_of(made.book, case, first, made.term, place + 1, before, reason, actor, moment, self._office.key(), made.pack.hash)
            work.dispose(case, stub)
            return stub

    def _transferred(self, number: str, until: date, transfer: Transfer | None) -> str | None:
        """Hands a record over before its transaction, where its schedule says so and nothing keeps it back."""
        if transfer is None:
            return None
        made = self._looked_at(number, EVERYTHING)
        if made is None or made.kept or made.term.then != "archive" or made.term.due_on > until:
            return None
        return transfer(number)

    @again
    def _looked_at(self, number: str, seen: Sight) -> Due | None:
        with self._office.store.read() as work:
            case = work.cases([number]).get(number)
            return self._judged(work, case) if case is not None and seen.covers(case.workflow, case.assigned_to, case.flags) else None

    def _unlink(self) -> int:
        return sum(again(self._store.drop_content)(name, self._vault.remove) for name in self._store.contents())

    # --- what is left ---

    def stub(self, number: str) -> dict[str, Any] | None:
        """What is left of a record, or None where there is no stub of that number."""
        found = self._store.stub(number)
        return told(found) if found is not None else None

    def stubs(self, limit: int = 100, seen: Sight = EVERYTHING) -> list[dict[str, Any]]:
        """The newest stubs, the last first, of cases that would be seen."""
        return [told(stub) for stub in self._store.latest(limit) if stub_seen(seen, stub)]

    def count(self) -> int:
        """How many records were disposed of."""
        return self._store.count()

    def _all(self) -> Iterator[Stub]:
        after = 0
        while True:
            page: Sequence[Stub] = self._store.stubs(after, PAGE)
            yield from page
            if len(page) < PAGE:
                return
            after = page[-1].place

    def faults(self, number: str | None = None) -> tuple[int, list[RecordFault]]:
        """How many stubs there are, and every place where they do not add up; of one case where it is named."""
        count = self._store.count()
        made = list(stub_faults(self._all(), self._store.left())) if count else []
        return count, [fault for fault in made if number in (None, fault.case)]


def _not_handed(made: Due, handed: str | None) -> tuple[Reason, ...]:
    if made.term.then != "archive" or handed == made.case.head:
        return ()
    text = "its schedule hands it to the archive before it goes"
    return (Reason("guard-failed", "archive", text, made.term.cite, instead="Name a folder for it with --archive DIR."),)


def stub_seen(seen: Sight, stub: Stub) -> bool:
    """Whether the case of a stub would be seen, as it stood when it went."""
    return seen.covers(str(stub.facts["workflow"]), None, stub.facts["flags"])


def schedules_json(packs: Sequence[p.Pack]) -> list[dict[str, Any]]:
    """The schedules of the packs, in the order in which they are tried."""
    found = []
    for pack in packs:
        settings = {key: setting.default for key, setting in pack.text.settings.items()}
        for name, one in pack.text.retention.schedules.items():
            counts = one.counts_from
            begins = {"ended": "the end of the case", "last-entry": "the last entry"}[counts.event]
            if counts.clocks:
                titles = {clock.title for flow in pack.workflows for key, clock in flow.clocks.items() if key in counts.clocks}
                begins = f"the last end of {', '.join(sorted(titles))}"
            about = {"cite": one.cite, "policy": one.policy, "note": one.note}
            found.append({"id": name, "title": one.title, "length": length_text(one.keep, settings), "from": begins, "then": one.then, **about})
    return found


def due_json(one: Due) -> dict[str, Any]:
    """A case whose time is over, or will be, with its schedule, the days and what keeps it back."""
    term = one.term
    return {
        "case": one.case.number,
        "title": one.case.title,
        "workflow": one.case.workflow,
        "workflow_title": one.book.workflow.title,
        "disposition": one.case.disposition,
        "ended_on": one.case.closed_on.isoformat() if one.case.closed_on is not None else None,
        "schedule": term.schedule,
        "schedule_title": term.title,
        "counts_from": term.event,
        "counted_from": term.counted_from.isoformat(),
        "length": term.length,
        "kept_through": term.kept_through.isoformat(),
        "due_on": term.due_on.isoformat(),
        "then": term.then,
        "cite": term.cite,
        "policy": term.policy,
        "note": term.note,
        "kept_back": [reason_json(reason) for reason in one.kept],
    }
