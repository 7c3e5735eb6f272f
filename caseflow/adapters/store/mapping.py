"""Domain values <-> rows. A case is kept whole as JSON, encoded the same way every time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import msgspec

from caseflow.domain.case import Actor, Case, Entry, Timer
from caseflow.domain.letterview import snapshot
from caseflow.services.ports import CaseLine, CaseRow, RegisteredLetter, Written

_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder(Case)
_plain = msgspec.json.Decoder()


def encode_case(case: Case) -> bytes:
    """A case as JSON bytes, equal for equal cases."""
    return _encoder.encode(case)


def decode_case(body: bytes) -> Case:
    """A case from its bytes."""
    return _decoder.decode(body)


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
        "version": case.version,
        "head": case.head,
        "body": encode_case(case),
    }


def line_from(row: Any) -> CaseLine:
    """A case as lists show it, from its columns."""
    shown = CaseRow(row.phase, row.turn, row.ends, row.next_clock, row.next_due, row.next_target, row.decided_on, row.on_time, row.held)
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
        recipients=tuple(recipients(written)),
        missing=written.missing,
    )


def moved(letter: RegisteredLetter, status: str, on: date | None = None) -> RegisteredLetter:
    """A letter that went on in the register; the day it was sent stays."""
    people = tuple({**person, "status": status} for person in letter.recipients)
    return replace(letter, status=status, sent_on=on or letter.sent_on, recipients=people)


def letter_values(letter: RegisteredLetter) -> dict[str, Any]:
    """The columns of a letter that enters the register."""
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
        "recipients": msgspec.json.encode(letter.recipients),
        "missing": json.dumps(list(letter.missing)),
        "proof": "",
    }


def recipients(written: Written) -> list[dict[str, Any]]:
    """To whom a letter goes, with the address as of now."""
    found: list[dict[str, Any]] = []
    for kind, parties in (("to", written.owed.to), ("copy", written.owed.copies)):
        for party in parties:
            channel = "email" if party.channel == "email" and party.email else "post"
            address = party.email if channel == "email" else "\n".join(party.address)
            item = {"kind": kind, "role": party.role, "name": party.name, "channel": channel, "address": address, "status": written.status}
            found.append(item)
    return found


def letter_from(row: Any) -> RegisteredLetter:
    """A letter of the register from its columns."""
    people: list[Mapping[str, Any]] = _plain.decode(row.recipients)
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
        recipients=tuple({**person, "status": row.status} for person in people),
        missing=tuple(json.loads(row.missing)),
    )
