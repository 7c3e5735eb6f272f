"""Documents of a case: taking in, listing, giving back, saying that they were read, and proving that all are there.

A document is an entry of the record, with its hash. It moves no clock: the act that takes it in does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO

from caseflow.domain import casework
from caseflow.domain.arrivals import READ, RECEIVED, TASK
from caseflow.domain.case import Act, Actor, Case, Entry
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, NotFound, RecordFault
from caseflow.services.acting import catch_up, refuse_reader
from caseflow.services.again import again
from caseflow.services.filetypes import KINDS, kind_of, plain_name
from caseflow.services.office import Office
from caseflow.services.people import Person
from caseflow.services.ports.documents import Batch, Document, Vault
from caseflow.services.sight import Sight

CHANNEL = "electronic"
"""How a document that is uploaded arrives, for the calendar."""
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is taken: bytes of one document; documents at a time, and of a case from outside the agency."""

    size: int = 25 * MEGABYTE
    many: int = 20
    of_case: int = 200

    @property
    def together(self) -> int:
        """Bytes of one form with all its documents."""
        return 4 * self.size + MEGABYTE


@dataclass(frozen=True, slots=True)
class Given:
    """A file as it was handed in. `item`: the item that it is for, empty where none was named."""

    name: str
    stream: BinaryIO
    item: str = ""


_Read = tuple[Given, str, str, str, int]
"""A file that was read: what was given, its plain name, media type, SHA-256 and size."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was taken in by an entry, and what was there already."""

    case: str
    seq: int | None
    taken: tuple[Document, ...]
    known: tuple[Document, ...]


class Documents:
    """The documents of every case. `vault` keeps what is in them."""

    def __init__(self, office: Office, vault: Vault, limits: Limits) -> None:
        self._office, self._vault, self.limits = office, vault, limits
        self.vault = vault

    def add(self, number: str, given: Sequence[Given], person: Person, moment: datetime | None = None) -> Receipt:
        """Takes in what somebody of the agency adds. Raises as `take_in` does."""
        return self.take_in(number, given, Actor("person", person.id, person.role), None, moment)

    def take_in(self, number: str, given: Sequence[Given], actor: Actor, sender: str | None = None, moment: datetime | None = None) -> Receipt:
        """Takes all of it in, as one entry, or nothing. `sender`: who outside the agency handed it in.

        The same content for the same item is kept once and told as known. Raises BadInput, Refused, StoreFault, NotFound.
        """
        moment, limits = moment or self._office.now(), self.limits
        if not given:
            raise BadInput("No file was chosen; choose one and send it again.")
        if len(given) > limits.many:
            raise BadInput(f"These are {len(given)} files; at most {limits.many} go at a time. Nothing was recorded.")
        with self._vault.batch() as batch:
            read: list[_Read] = []
            for one in given:
                name = plain_name(one.name)
                held = batch.take(one.stream, limits.size)
                if held is None:
                    text = f"{name} is larger than {limits.size // MEGABYTE} MB; nothing was recorded. Make it smaller, or send it in parts."
                    raise BadInput(text)
                read.append((one, name, kind_of(held.file, held.size, name).media, held.sha256, held.size))
            catch_up(self._office, number, moment)
            return self._recorded(number, read, batch, actor, sender, moment)

    @again
    def _recorded(self, number: str, read: Sequence[_Read], batch: Batch, actor: Actor, sender: str | None, moment: datetime) -> Receipt:
        """The transaction of `take_in`. Done again, it keeps the same contents again."""
        limits = self.limits
        with self._office.store.begin() as work:
            case = work.case(number)
            book = self._office.packs.of(case)
            had = work.documents(case.number)
            if sender is None:
                refuse_reader(book, actor)
            elif len(had) + len(read) > limits.of_case:
                raise BadInput(f"{limits.of_case} files were sent for this case, and more are not taken here. Nothing was recorded; send the rest by post.")
            by_key = {(one.sha256, one.item): one for one in had}
            known: list[Document] = []
            made: list[Document] = []
            for one, name, kind, digest, size in read:
                _known_item(book, one.item)
                same = by_key.get((digest, one.item))
                if same is not None:
                    known += [same] if same not in made else []
                    continue
                place = f"{case.number}-D{len(had) + len(made) + 1}"
                new = Document(place, case.number, case.version + 1, digest, name, kind, size, moment, actor.id, actor.role, sender, one.item)
                by_key[digest, one.item] = new
                made.append(new)
            if not made:
                batch.keep()  # also heals a content that was damaged
                return Receipt(case.number, None, (), tuple(known))
            asked = Act(RECEIVED, actor, _facts(book, case, made, sender, moment), _on(book, case, moment))
            outcome = casework.core_entry(book, case, asked, moment, self._office.key())
            for document in made:
                work.document_added(document)
            self._office.save(work, book, outcome, moment)
            batch.keep()
        return Receipt(case.number, case.version + 1, tuple(made), tuple(known))

    def listed(self, number: str) -> list[dict[str, Any]]:
        """The documents of a case, the newest first. `counts_on` is the day on which one counts as received."""
        with self._office.store.read() as work:
            case = work.case(number)
            book, found = self._office.packs.of(case), work.documents(case.number)
        return [document_json(book, case, one) for one in reversed(found)]

    def unread(self, case: Case) -> bool:
        """Whether something came from outside that nobody has read."""
        return any(self.is_arrival(task.id) for task in case.tasks)

    def is_arrival(self, task: str) -> bool:
        """Whether a task, by its id, says that something came that nobody has read."""
        return task.partition(":")[0] == TASK

    def found(self, seen: Sight, number: str) -> Document:
        """A document by its number. Raises NotFound, in the same words where its case is not seen."""
        with self._office.store.read() as work:
            document = work.document(number)
        if self._office.store.seen(document.case, seen) is None:
            raise NotFound("There is no such document, or it is not yours to see.")
        return document

    def content(self, document: Document) -> BinaryIO:
        """What is in a document, proven to be what was handed in. Raises DocumentLost."""
        return self._vault.open(document.sha256)

    @again
    def mark_read(self, number: str, person: Person, moment: datetime | None = None) -> None:
        """Says that what came has been read. Raises NotFound where nothing is unread, Refused."""
        moment, actor = moment or self._office.now(), Actor("person", person.id, person.role)
        with self._office.store.begin() as work:
            case = work.case(number)
            book = self._office.packs.of(case)
            refuse_reader(book, actor)
            if not self.unread(case):
                raise NotFound("Nothing here is unread; somebody may have said so before you. Read the case again.")
            outcome = casework.core_entry(book, case, Act(READ, actor, {}, _on(book, case, moment)), moment, self._office.key())
            self._office.save(work, book, outcome, moment)

    def faults(self, case: Case, entries: Sequence[Entry]) -> list[RecordFault]:
        """Every document that the record of a case names and that is missing, altered or not as the record says."""
        named = {fact["id"]: (entry.seq, fact) for entry in entries if entry.action == RECEIVED for fact in entry.facts["documents"]}
        with self._office.store.read() as work:
            rows = {one.id: one for one in work.documents(case.number)}
        faults = [RecordFault(case.number, row.seq, f"the document {row.id} is in no entry") for row in rows.values() if row.id not in named]
        for name, (seq, fact) in named.items():
            row = rows.get(name)
            if row is None:
                faults.append(RecordFault(case.number, seq, f"the document {name} is not in the register of documents"))
            elif (row.sha256, row.size, row.name, row.kind, row.item) != tuple(fact[part] for part in ("sha256", "size", "name", "kind", "item")):
                faults.append(RecordFault(case.number, seq, f"the register says other things of the document {name} than the record"))
            wrong = self._vault.fault(fact["sha256"])
            if wrong is not None:
                faults.append(RecordFault(case.number, seq, f"the content of the document {name} ({fact['name']}) is {wrong}"))
        return faults


def _known_item(book: Rulebook, item: str) -> None:
    if item and item not in book.workflow.items and item not in book.workflow.petition_items:
        raise BadInput("One of the files names an item that is not asked for here; nothing was recorded. Open the page again and send it from there.")


def _on(book: Rulebook, case: Case, moment: datetime) -> Any:
    return max(book.calendar.local_day(moment), case.last_on)


def _facts(book: Rulebook, case: Case, made: Sequence[Document], sender: str | None, moment: datetime) -> dict[str, Any]:
    return {
        "documents": [{"id": one.id, "name": one.name, "kind": one.kind, "size": one.size, "sha256": one.sha256, "item": one.item} for one in made],
        "arrived_at": moment.astimezone(book.calendar.zone).isoformat(timespec="seconds"),
        "counts_on": book.calendar.received_on(moment, CHANNEL, case.settings).isoformat(),
        "channel": CHANNEL,
        **({"sender": sender} if sender is not None else {}),
    }


def document_json(book: Rulebook, case: Case, one: Document) -> dict[str, Any]:
    """A document as pages show it."""
    items = {**book.workflow.items, **book.workflow.petition_items}
    return {
        "id": one.id,
        "name": one.name,
        "kind": next((kind.title for kind in KINDS.values() if kind.media == one.kind), one.kind),
        "size": one.size,
        "sha256": one.sha256,
        "seq": one.seq,
        "at": one.at.astimezone(book.calendar.zone).isoformat(),
        "counts_on": book.calendar.received_on(one.at, CHANNEL, case.settings).isoformat(),
        "by": one.by,
        "role": one.role,
        "sender": one.sender,
        "item": one.item,
        "item_title": items[one.item].title if one.item in items else None,
    }
