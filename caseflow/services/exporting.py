"""The record of one case as plain data, for a bundle that others can check; facts may be withheld, each on a ground.

What is withheld is left out wherever it stands: as a fact of the journal, which keeps its salted hash, in any other fact
that repeats it, as a name or an address in the proof of mailing, and as a word of a letter, which is then withheld whole. A reason and the name of whoever
acted are part of an entry's hash, so that they can't be left out. How the bundle is written is for an adapter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, BinaryIO

from caseflow.domain.case import Case, Entry
from caseflow.domain.facts import nearest, reason_of
from caseflow.domain.journal import fact_hash, fact_salt, members, moment_text, plain
from caseflow.domain.mailing import Attempt
from caseflow.domain.replay import replay_faults
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, StoreFault
from caseflow.services.explaining import why
from caseflow.services.office import Office
from caseflow.services.ports.documents import Document
from caseflow.services.reading import timeline_of

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter

Opens = Callable[[Document], BinaryIO]
"""Opens a document of a case."""
SHORTEST = 4
"""A withheld text shorter than this is not looked for in letters: it would be found in any word."""
DOCUMENTS = "documents"
"""The fact by which entries name the documents that came."""
ADOPTED = "adopted-calendar.yaml"
"""Among the rules: the changed calendar in place of the pack's own."""
KINDS = ("role", "capacity", "channel", "language")
"""Members of a withheld value that say of which kind it is and tell nothing of a person."""


@dataclass(frozen=True, slots=True)
class LetterRecord:
    """A letter of the record. `letter` is None where it is withheld, on `ground`."""

    number: str
    title: str
    content_hash: str
    letter: RegisteredLetter | None
    ground: str | None
    mailing: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Record:
    """One case: `journal` lines as verify.py reads them, `timeline` and `clocks` as they are shown, letters with their mailing.

    `documents`: each with its content, None where the fact that names them is withheld; `titles`: what people call each fact."""

    case: Case
    title: str
    state: str
    agency: str
    made_at: str
    head: str
    journal: Sequence[Mapping[str, Any]]
    timeline: Sequence[Mapping[str, Any]]
    clocks: Sequence[Mapping[str, Any]]
    letters: Sequence[LetterRecord]
    documents: Sequence[tuple[Document, bytes | None]]
    withheld: Mapping[str, str]
    titles: Mapping[str, str]
    files: Mapping[str, str]


def record(office: Office, number: str, withhold: Mapping[str, str], content: Opens, moment: datetime | None = None) -> Record:
    """The record of a case without the facts that are withheld, {name: ground}; `content` opens a document.

    Raises NotFound, BadInput, StoreFault, DocumentLost."""
    moment = moment or office.now()
    with office.store.read() as work:
        case = work.case(number)
        entries = work.entries(case.number)
        letters = work.letters(case.number)
        documents = work.documents(case.number)
        attempts = {letter.number: work.attempts(letter.number) for letter in letters}
    book = office.packs.of(case)
    if faults := replay_faults(book, case, entries):
        raise StoreFault(
            f"The record of {case.number} is not sound ({faults[0].text}), so it is not exported; caseflow verify {case.number} names every fault."
        )
    grounds = _grounds(entries, withhold)
    secret = {text: grounds[name] for entry in entries for name, value in entry.facts.items() if name in grounds for text in _texts(value)}
    grounds |= _named_elsewhere(entries, grounds, secret)
    _refuse_told(entries, secret)
    return Record(
        case=case,
        title=f"[withheld: {grounds['title']}]" if "title" in grounds else _hidden(case.title, secret),
        state=book.workflow.states[case.state].title,
        agency=book.pack.text.agency.name if book.pack.text.agency is not None else book.pack.text.title,
        made_at=moment_text(moment),
        head=entries[-1].hash,
        journal=[_line(entry, grounds) for entry in entries],
        timeline=[_shown(told, grounds, secret) for told in timeline_of(book, entries, "recorded")],
        clocks=[_hidden(clock, secret) for clock in why(office, case.number, None, moment)],
        letters=[_letter(letter, attempts[letter.number], secret) for letter in letters],
        documents=[(one, None if DOCUMENTS in grounds else _read(content, one)) for one in documents],
        withheld=grounds,
        titles={name: fact_title(book, name) for entry in entries for name in entry.facts},
        files={**office.packs.files(case.pack_version), **_adopted(office, case)},
    )


def _adopted(office: Office, case: Case) -> dict[str, str]:
    """The changed calendar that the case counts by, where one was adopted: without it nobody could count its days anew."""
    _, adopted, digest = case.calendar_version.rpartition("@")
    return {ADOPTED: office.store.calendar_text(digest) or ""} if adopted else {}


def fact_title(book: Rulebook, name: str) -> str:
    """What people call a fact."""
    fact = book.facts.get(name)
    return (fact.title if fact is not None else None) or name.replace("_", " ").capitalize()


def fact_text(value: Any) -> str:
    """A value as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{str(name).replace('_', ' ')}: {fact_text(item)}" for name, item in value.items() if item not in (None, "", [], {}))
    if isinstance(value, (list, tuple)):
        return ("; " if any(isinstance(item, Mapping) for item in value) else ", ").join(fact_text(item) for item in value)
    return "nothing" if value is None else str(value)


def _read(content: Opens, document: Document) -> bytes:
    with content(document) as file:
        return file.read()


def _grounds(entries: Sequence[Entry], withhold: Mapping[str, str]) -> dict[str, str]:
    known = {name for entry in entries for name in entry.facts}
    for name in withhold:
        if name not in known:
            raise BadInput(f"--withhold: the record has no fact '{name}'{nearest(name, known)}; it has {', '.join(sorted(known))}.")
    return {name: reason_of(ground, f"withhold '{name}', as --withhold {name}=GROUND") for name, ground in withhold.items()}


def _named_elsewhere(entries: Sequence[Entry], grounds: Mapping[str, str], secret: Mapping[str, str]) -> dict[str, str]:
    """The facts that repeat what is withheld, each with its ground."""
    found: dict[str, str] = {}
    for entry in entries:
        for name, value in entry.facts.items():
            ground = next((ground for text, ground in secret.items() if len(text) >= SHORTEST and any(text in one for one in _texts(value))), None)
            if name not in grounds and ground is not None:
                found[name] = ground
    return found


def _refuse_told(entries: Sequence[Entry], secret: Mapping[str, str]) -> None:
    """Refuses where an unhidden part of an entry says what is withheld."""
    for entry in entries:
        for text in secret:
            if len(text) >= SHORTEST and text in f"{entry.because or ''}\n{entry.actor.id}":
                what = "reason" if text in (entry.because or "") else "name of whoever acted"
                raise BadInput(
                    f"The {what} of entry {entry.seq} says what is to be withheld, and it is part of the entry's hash; "
                    "release the record on paper with that line blacked out."
                )


def _line(entry: Entry, grounds: Mapping[str, str]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name, value in entry.facts.items():
        salt = fact_salt(entry.key, name)
        facts[name] = {"hash": fact_hash(salt, value), "withheld": grounds[name]} if name in grounds else {"value": plain(value), "salt": salt}
    return {**members(entry), "facts": facts, "hash": entry.hash}


def _shown(told: Mapping[str, Any], grounds: Mapping[str, str], secret: Mapping[str, str]) -> dict[str, Any]:
    facts = {name: f"[withheld: {grounds[name]}]" if name in grounds else _hidden(value, secret) for name, value in told["facts"].items()}
    return {**told, "facts": facts}


def _letter(letter: RegisteredLetter, attempts: Sequence[Attempt], secret: Mapping[str, str]) -> LetterRecord:
    told = f"{letter.title}\n{letter.subject}\n{letter.markdown}"
    grounds = sorted({ground for text, ground in secret.items() if len(text) >= SHORTEST and text in told})
    mailing = [
        {
            "copy": copy.id,
            "kind": copy.kind,
            "role": copy.role,
            "name": copy.name,
            "channel": copy.channel,
            "address": copy.address,
            "status": copy.status,
            "sent_on": copy.sent_on.isoformat() if copy.sent_on is not None else None,
            "content": copy.content,
            "proof": copy.proof,
            "attempts": [
                {"number": one.number, "at": moment_text(one.begun_at), "outcome": one.outcome, "text": one.text} for one in attempts if one.copy == copy.id
            ],
        }
        for copy in letter.copies
    ]
    shown = None if grounds else letter
    return LetterRecord(letter.number, letter.title, letter.content_hash, shown, "; ".join(grounds) or None, [_hidden(one, secret) for one in mailing])


def _texts(value: Any) -> Iterator[str]:
    """Every text within a value."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            if name not in KINDS:
                yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str) and value.strip():
        yield value


def _hidden(value: Any, secret: Mapping[str, str]) -> Any:
    """A value with each withheld text in it replaced by its ground."""
    if not secret:
        return value
    if isinstance(value, Mapping):
        return {name: _hidden(item, secret) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_hidden(item, secret) for item in value]
    if isinstance(value, str):
        if value in secret:
            return f"[withheld: {secret[value]}]"
        for text in sorted(secret, key=len, reverse=True):
            if len(text) >= SHORTEST and text in value:
                value = value.replace(text, f"[withheld: {secret[text]}]")
    return value
