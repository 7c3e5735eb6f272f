"""What a line of a docket says: values <-> canonical JSON. A line that is read must be, byte for byte, what would be written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from hashlib import sha256
from typing import Any

import msgspec

from caseflow.adapters.docketfile.text import Flawed, read_line
from caseflow.adapters.store.mapping import shown
from caseflow.domain.case import Actor, Entry
from caseflow.domain.facts import nearest
from caseflow.domain.journal import canonical, members
from caseflow.domain.mailing import CHANNELS, FAILED, SENT, WAITING, Attempt
from caseflow.services.carrying import FORMAT, CalendarFile, Carried, End, Flaw, Header, Line, Older, PackFiles
from caseflow.services.ports.documents import Document
from caseflow.services.ports.letters import RegisteredLetter
from caseflow.services.ports.work import Brought

DOCKET = "docket"
OLDER = ("request", "history")
STATUSES = (*WAITING, *SENT, *FAILED, "answer-unknown", "superseded", "canceled")
_AGAIN = "Export the docket again; a line is never written by hand."


class _EntryLine(msgspec.Struct, forbid_unknown_fields=True):
    case: str
    seq: int
    recorded_at: datetime
    effective_on: date
    actor: Actor
    action: str
    from_: str | None = msgspec.field(name="from")
    to: str
    facts: dict[str, Any]
    because: str | None
    cites: tuple[str, ...]
    pack_version: str
    calendar_version: str
    key: str
    prev_hash: str
    hash: str


# --- writing ------------------------------------------------------------------------------------------------------


def written(value: Header | PackFiles | CalendarFile | Carried | End) -> bytes:
    """A line with its end."""
    return canonical(_plain(value)) + b"\n"


def _plain(value: Header | PackFiles | CalendarFile | Carried | End) -> dict[str, Any]:
    if isinstance(value, Header):
        return {
            "caseflow": DOCKET,
            "format": value.format,
            "agency": value.agency,
            "made_at": value.made_at,
            "packs": list(value.packs),
            "calendars": list(value.calendars),
        }
    if isinstance(value, PackFiles):
        return {"pack": value.hash, "files": dict(value.files)}
    if isinstance(value, CalendarFile):
        return {"calendar": value.digest, "text": value.text}
    if isinstance(value, End):
        return {"end": True, "cases": value.cases, "sha256": value.sha256}
    brought = value.brought
    return {
        "case": value.case,
        "workflow": value.workflow,
        "entries": [{**members(entry), "facts": entry.facts, "key": entry.key, "hash": entry.hash} for entry in value.entries],
        "letters": [_letter(letter, [one for one in brought.attempts if one.copy in {copy.id for copy in letter.copies}]) for letter in brought.letters],
        "documents": [msgspec.to_builtins(one) for one in brought.documents],
    }


def _letter(letter: RegisteredLetter, attempts: list[Attempt]) -> dict[str, Any]:
    made: dict[str, Any] = msgspec.to_builtins(letter)
    del made["recipients"]  # said by the copies
    return {**made, "attempts": [msgspec.to_builtins(one) for one in attempts]}


# --- reading ------------------------------------------------------------------------------------------------------


def said(raw: bytes, number: int, inside: bool) -> Line:
    """What a line says, or what is wrong with it. `inside`: a line of a docket, after its header."""
    try:
        value = read_line(raw)
        digest = sha256(canonical(value)).hexdigest()
    except Flawed as fault:
        return Line(number, "", fault.flaw)
    except TypeError:
        return Line(number, "", Flaw("a name in it has letters that can't be sorted", "Write names in plain letters."))
    name = _name(value)
    try:
        made = _inside(value, raw) if inside else _first(value)
    except Flawed as fault:
        return Line(number, digest, replace(fault.flaw, case=name))
    except msgspec.ValidationError as error:
        return Line(number, digest, Flaw(f"it is not as the format says: {error}", _AGAIN, name))
    return Line(number, digest, made)


def _name(value: dict[str, Any]) -> str:
    """How the line calls its case, as well as it can be told."""
    if isinstance(value.get("case"), str):
        return str(value["case"])[:80]
    request = value.get("request")
    aliases = request.get("aliases") if isinstance(request, dict) else None
    first = aliases[0] if isinstance(aliases, list) and aliases else aliases
    return first[:80] if isinstance(first, str) else ""


def _first(value: dict[str, Any]) -> Header | Older:
    """The header of a docket, or a case of an older system."""
    if "caseflow" in value:
        return _header(value)
    _known(value, OLDER)
    request, history = value.get("request"), value.get("history", [])
    if not isinstance(request, dict):
        raise Flawed("'request' is missing", 'Write the request as a request file has it, as "request": {...}.')
    if not isinstance(history, list):
        raise Flawed("'history' is no list", 'Write what was done as "history": [{"on": "2026-11-03", "do": ACTION}].')
    return Older(request, tuple(history))


def _header(value: dict[str, Any]) -> Header:
    if value.get("caseflow") != DOCKET or value.get("format") != FORMAT:
        text = f"it is a file of kind '{str(value.get('caseflow'))[:40]}' and format {str(value.get('format'))[:20]}"
        raise Flawed(text, f"This version reads dockets of format {FORMAT}; export the docket again with it.")
    _known(value, ("caseflow", "format", "agency", "made_at", "packs", "calendars"))
    msgspec.convert(value.get("made_at"), datetime)
    return msgspec.convert({name: part for name, part in value.items() if name != "caseflow"}, Header)


def _inside(value: dict[str, Any], raw: bytes) -> PackFiles | CalendarFile | Carried | End:
    made: PackFiles | CalendarFile | Carried | End
    if "pack" in value:
        made = msgspec.convert({"hash": value["pack"], "files": value.get("files")}, PackFiles)
    elif "calendar" in value:
        made = msgspec.convert({"digest": value["calendar"], "text": value.get("text")}, CalendarFile)
    elif "end" in value:
        made = msgspec.convert(value, End)
    elif "case" in value:
        made = _case(value)
    else:
        raise Flawed(
            "it is no line of a docket", "A docket has lines of packs, of cases and one of its end; history of an older system comes in a file of its own."
        )
    if canonical(_plain(made)) != raw:
        raise Flawed("it was changed: it is not as caseflow writes it (canonical JSON, no more and no less)", _AGAIN)
    return made


def _case(value: dict[str, Any]) -> Carried:
    _known(value, ("case", "workflow", "entries", "letters", "documents"))
    entries = tuple(map(_entry, msgspec.convert(value.get("entries"), list[Any])))
    letters: list[RegisteredLetter] = []
    attempts: list[Attempt] = []
    for one in msgspec.convert(value.get("letters"), list[dict[str, Any]]):
        attempts += msgspec.convert(one.pop("attempts", None), list[Attempt])
        letter = msgspec.convert({**one, "recipients": []}, RegisteredLetter)
        _known_words(letter, attempts)
        letters.append(replace(letter, recipients=shown(letter.copies)))
    documents = msgspec.convert(value.get("documents"), tuple[Document, ...])
    number, workflow = (msgspec.convert(value.get(name), str) for name in ("case", "workflow"))
    return Carried(number, workflow, entries, Brought(tuple(letters), tuple(attempts), documents))


def _known_words(letter: RegisteredLetter, attempts: Sequence[Attempt]) -> None:
    """Refuses words that the register does not know."""
    for what, found, known in (
        ("status", [letter.status, *(copy.status for copy in letter.copies)], STATUSES),
        ("kind", [copy.kind for copy in letter.copies], ("to", "copy")),
        ("channel", [copy.channel for copy in letter.copies], CHANNELS),
        ("outcome", [one.outcome for one in attempts], ("begun", "accepted", "later", "refused", "unknown")),
    ):
        for word in found:
            if word not in known:
                raise Flawed(f"the letter {letter.number[:40]} has the {what} '{word[:40]}', which there is not", _AGAIN)


def _entry(value: Any) -> Entry:
    made = msgspec.convert(value, _EntryLine)
    return Entry(
        case=made.case,
        seq=made.seq,
        recorded_at=made.recorded_at,
        effective_on=made.effective_on,
        actor=made.actor,
        action=made.action,
        from_state=made.from_,
        to_state=made.to,
        facts=made.facts,
        because=made.because,
        cites=made.cites,
        pack_version=made.pack_version,
        calendar_version=made.calendar_version,
        key=made.key,
        prev_hash=made.prev_hash,
        hash=made.hash,
    )


def _known(value: dict[str, Any], names: tuple[str, ...]) -> None:
    for name in value:
        if name not in names:
            raise Flawed(f"it has a part '{name[:40]}'{nearest(name, names)}", f"Its parts are {', '.join(names)}.")
