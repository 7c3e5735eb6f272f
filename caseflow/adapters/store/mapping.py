"""Domain values <-> rows. A case is kept whole as JSON, encoded the same way every time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import msgspec

from caseflow.domain.case import Actor, Case, Entry, Timer
from caseflow.domain.letterview import snapshot
from caseflow.domain.mailing import Copy, recipient_key
from caseflow.errors import RecordBroken
from caseflow.services.ports.letters import RegisteredLetter, Written
from caseflow.services.ports.lines import CaseLine, CaseRow, asks_of

_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder(Case)
_plain = msgspec.json.Decoder()


def encode_case(case: Case) -> bytes:
    """A case as JSON bytes, equal for equal cases."""
    return _encoder.encode(case)


def decode_case(body: bytes) -> Case:
    """A case from its bytes. Raises RecordBroken where they are not those of one."""
    try:
        return _decoder.decode(body)
    except (msgspec.MsgspecError, ValueError) as error:
        raise RecordBroken(
            f"The stored case can't be replayed, since it can't be read ({str(error)[:80]}). Run 'caseflow verify', and restore a backup."
        ) from error


def case_values(case: Case, row: CaseRow) -> dict[str, Any]:
    """The columns of a case."""
    return {
        "number": case.number,
        "request": case.request,
        "workflow": case.workflow,
        "pack_version": case.pack_version,
        "state": case.state,
        "phase": row.phase,
        "turn": row.turn,
        "ends": row.ends,
        "assigned_to": case.assigned_to,
        "title": case.title,
        "flags": " ".join(case.flags),
        "tasks": len(case.tasks),
        "received_on": case.received_on,
        "last_on": case.last_on,
        "next_at": case.timers[0].at if case.timers else None,
        "next_clock": row.next_clock,
        "next_due": row.next_due,
        "next_target": row.next_target,
        "decided_on": row.decided_on,
        "on_time": row.on_time,
        "held": row.held,
        "stands_since": row.stands_since,
        "silent_on": row.silent_on,
        "asks": " ".join(asks_of(case.tasks)),
        "county": case.place.county,
        "version": case.version,
        "head": case.head,
        "body": encode_case(case),
    }


def line_from(row: Any) -> CaseLine:
    """A case as lists show it, from its columns."""
    shown = CaseRow(
        row.phase, row.turn, row.ends, row.next_clock, row.next_due, row.next_target, row.decided_on, row.on_time, row.held, row.stands_since, row.silent_on
    )
    return CaseLine(
        number=row.number,
        request=row.request,
        title=row.title,
        workflow=row.workflow,
        state=row.state,
        assigned_to=row.assigned_to,
        flags=tuple(row.flags.split()),
        tasks=row.tasks,
        version=row.version,
        received_on=row.received_on,
        last_on=row.last_on,
        next_at=row.next_at,
        row=shown,
        asks=tuple(row.asks.split()),
        county=row.county,
        head=row.head,
    )


def entry_values(entry: Entry) -> dict[str, Any]:
    """The columns of a journal entry."""
    return {
        "case": entry.case,
        "seq": entry.seq,
        "recorded_at": entry.recorded_at,
        "effective_on": entry.effective_on,
        "actor_kind": entry.actor.kind,
        "actor_id": entry.actor.id,
        "actor_role": entry.actor.role,
        "action": entry.action,
        "from_state": entry.from_state,
        "to_state": entry.to_state,
        "facts": msgspec.json.encode(entry.facts).decode(),
        "because": entry.because,
        "cites": json.dumps(list(entry.cites)),
        "pack_version": entry.pack_version,
        "calendar_version": entry.calendar_version,
        "key": entry.key,
        "prev_hash": entry.prev_hash,
        "hash": entry.hash,
    }


def entry_from(row: Any) -> Entry:
    """A journal entry from its columns."""
    return Entry(
        case=row.case,
        seq=row.seq,
        recorded_at=row.recorded_at,
        effective_on=row.effective_on,
        actor=Actor(row.actor_kind, row.actor_id, row.actor_role),
        action=row.action,
        from_state=row.from_state,
        to_state=row.to_state,
        facts=_plain.decode(row.facts),
        because=row.because,
        cites=tuple(json.loads(row.cites)),
        pack_version=row.pack_version,
        calendar_version=row.calendar_version,
        key=row.key,
        prev_hash=row.prev_hash,
        hash=row.hash,
    )


def plain_map(text: Any) -> dict[str, Any]:
    """A map from its JSON. Raises ValueError."""
    found = _plain.decode(text)
    if not isinstance(found, dict):
        raise ValueError("facts are no map")
    return found


def plain_list(text: Any) -> tuple[str, ...]:
    """A list of texts from its JSON. Raises ValueError."""
    found = _plain.decode(text)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError("cites are no list of texts")
    return tuple(found)


def timer_values(case: str, timer: Timer) -> dict[str, Any]:
    """The columns of an open timer."""
    return {
        "case": case,
        "clock": timer.clock,
        "kind": timer.kind,
        "action": timer.action,
        "due": timer.due,
        "at": timer.at,
        "round": timer.round,
        "status": "open",
        "note": "",
    }


def registered(written: Written, pack_version: str) -> RegisteredLetter:
    """A letter as it enters the register."""
    owed = written.owed
    copies = copies_of(written)
    return RegisteredLetter(
        number=owed.number,
        case=owed.case,
        seq=owed.seq,
        letter=owed.letter,
        title=str(owed.view["letter"]["title"]),
        subject=written.subject,
        status=written.status,
        markdown=written.markdown,
        view=snapshot(owed.view),
        template_hash=written.template_hash,
        content_hash=written.content_hash,
        pack_version=pack_version,
        owed_on=owed.owed_on,
        leaves_at=written.leaves_at,
        sent_on=None,
        recipients=shown(copies),
        missing=written.missing,
        copies=copies,
        corrects=owed.corrects,
    )


def moved(letter: RegisteredLetter, status: str, on: date | None = None, copies: bool = True) -> RegisteredLetter:
    """A letter that went on in the register; the day it was sent stays."""
    made = tuple(replace(copy, status=status, sent_on=on or copy.sent_on) for copy in letter.copies) if copies else letter.copies
    return replace(letter, status=status, sent_on=on or letter.sent_on, copies=made, recipients=shown(made))


def letter_values(letter: RegisteredLetter) -> dict[str, Any]:
    """The columns of a letter that enters the register. To whom it goes stands in its copies."""
    return {
        "number": letter.number,
        "case": letter.case,
        "seq": letter.seq,
        "letter": letter.letter,
        "title": letter.title,
        "subject": letter.subject,
        "status": letter.status,
        "markdown": letter.markdown,
        "view": msgspec.json.encode(letter.view),
        "template_hash": letter.template_hash,
        "content_hash": letter.content_hash,
        "pack_version": letter.pack_version,
        "owed_on": letter.owed_on,
        "leaves_at": letter.leaves_at,
        "sent_on": letter.sent_on,
        "recipients": b"[]",
        "missing": json.dumps(list(letter.missing)),
        "proof": "",
        "corrects": letter.corrects,
        "corrected_by": None,
        "edits": edits_text(letter),
    }


def edits_text(letter: RegisteredLetter) -> str | None:
    """What was written into the marked places, as JSON."""
    return json.dumps([dict(edit) for edit in letter.edits]) if letter.edits else None


def copies_of(written: Written) -> tuple[Copy, ...]:
    """A copy for each recipient of a letter, with the address as of now; the same recipient by the same channel once."""
    owed = written.owed
    found: dict[tuple[str, str], Copy] = {}
    for kind, parties in (("to", owed.to), ("copy", owed.copies)):
        for party in parties:
            channel = party.channel if party.channel != "post" and party.email else "post"
            address = (party.email or "") if channel != "post" else "\n".join(party.address)
            recipient = recipient_key(party.role, party.name, address)
            if (recipient, channel) in found:
                continue
            found[recipient, channel] = Copy(
                id=f"{owed.number}-{len(found) + 1}",
                letter=owed.number,
                case=owed.case,
                seq=owed.seq,
                template=owed.letter,
                kind=kind,
                role=party.role,
                name=party.name,
                recipient=recipient,
                channel=channel,
                address=address,
                language=party.language,
                status=written.status,
                next_at=written.leaves_at,
            )
    return tuple(found.values())


def shown(copies: Iterable[Copy]) -> tuple[Mapping[str, Any], ...]:
    """Copies as lists show them."""
    return tuple(
        {"kind": copy.kind, "role": copy.role, "name": copy.name, "channel": copy.channel, "address": copy.address, "status": copy.status} for copy in copies
    )


def copy_values(copy: Copy) -> dict[str, Any]:
    """The columns of a copy."""
    return {name: getattr(copy, name) for name in Copy.__dataclass_fields__}


def copy_from(row: Any) -> Copy:
    """A copy from its columns."""
    return Copy(**row._mapping)


def letter_from(row: Any, copies: Sequence[Copy] = ()) -> RegisteredLetter:
    """A letter of the register from its columns and its copies."""
    return RegisteredLetter(
        number=row.number,
        case=row.case,
        seq=row.seq,
        letter=row.letter,
        title=row.title,
        subject=row.subject,
        status=row.status,
        markdown=row.markdown,
        view=_plain.decode(row.view),
        template_hash=row.template_hash,
        content_hash=row.content_hash,
        pack_version=row.pack_version,
        owed_on=row.owed_on,
        leaves_at=row.leaves_at,
        sent_on=row.sent_on,
        recipients=shown(copies),
        missing=tuple(json.loads(row.missing)),
        copies=tuple(copies),
        corrects=row.corrects,
        corrected_by=row.corrected_by,
        edits=tuple(json.loads(row.edits)) if row.edits else (),
    )
