"""The record: how an entry is hashed, chained and verified (CONTRACT section 6). Replay is in casework.

An entry's hash covers everything but its facts, which it covers by a digest of salted hashes, one per fact, so that
an export may leave a fact out and still verify.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any

from caseflow.domain.case import NO_HASH, Entry
from caseflow.errors import RecordFault

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def canonical(value: Any) -> bytes:
    """Canonical JSON (RFC 8785) of text, bool, int, None, lists and maps with text keys. Floats raise TypeError."""
    if type(value) is int:
        return str(value).encode()
    if type(value) is not str:
        _refuse_floats(value)
    return _encode(value).encode()


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError("a float has no place in the record; write decimal text")
    if isinstance(value, Mapping):
        for key, item in value.items():
            # RFC 8785 sorts keys by UTF-16 units; below the surrogates that is the order of code points.
            if not isinstance(key, str) or any(char > "\ud7ff" for char in key):
                raise TypeError(f"a name in the record has letters that can't be sorted: {key!r}")
            _refuse_floats(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _refuse_floats(item)


def fact_salt(key: str, name: str) -> str:
    """The salt of one fact: SHA-256 over the entry's key and the fact's name, in hex."""
    return sha256(f"{key}:{name}".encode()).hexdigest()


def fact_hash(salt: str, value: Any) -> str:
    """SHA-256 over salt and canonical value, in hex."""
    return sha256(salt.encode() + canonical(value)).hexdigest()


def facts_digest(key: str, facts: Mapping[str, Any]) -> str:
    """SHA-256 over the canonical map of each fact's name to its salted hash, in hex."""
    hashes = [f'{_encode(name)}:"{fact_hash(fact_salt(key, name), facts[name])}"' for name in sorted(facts)]
    return sha256(f"{{{','.join(hashes)}}}".encode()).hexdigest()


def moment_text(moment: datetime) -> str:
    """A moment as it stands in the record: UTC, ISO, to the microsecond where there is one."""
    return moment.astimezone(UTC).isoformat()


def members(entry: Entry) -> dict[str, Any]:
    """What an entry's hash covers, as JSON, but for its facts."""
    return {
        "case": entry.case,
        "seq": entry.seq,
        "recorded_at": moment_text(entry.recorded_at),
        "effective_on": entry.effective_on.isoformat(),
        "actor": {"kind": entry.actor.kind, "id": entry.actor.id, "role": entry.actor.role},
        "action": entry.action,
        "from": entry.from_state,
        "to": entry.to_state,
        "because": entry.because,
        "cites": list(entry.cites),
        "pack_version": entry.pack_version,
        "calendar_version": entry.calendar_version,
        "prev_hash": entry.prev_hash,
    }


def entry_hash(entry: Entry) -> str:
    """SHA-256 over the canonical JSON of all members, `facts_digest` in place of `facts`, in hex."""
    covered = members(entry)
    covered["facts_digest"] = facts_digest(entry.key, entry.facts)
    return sha256(_encode(covered).encode()).hexdigest()


def sealed(entry: Entry) -> Entry:
    """The entry with its hash."""
    made = object.__new__(Entry)
    made.__dict__.update(entry.__dict__, hash=entry_hash(entry))
    return made


def chain_faults(case: str, entries: Iterable[Entry], head: str | None = None) -> list[RecordFault]:
    """Where the chain of a case breaks: a gap, a changed entry, a wrong link, or a head that differs."""
    faults: list[RecordFault] = []
    previous, number = NO_HASH, 0
    for entry in entries:
        number += 1
        if entry.seq != number:
            faults.append(RecordFault(case, number, f"entry {number} is missing; {entry.seq} stands in its place"))
            number = entry.seq
        if entry.prev_hash != previous:
            faults.append(RecordFault(case, entry.seq, "the link to the entry before does not fit"))
        try:
            made = entry_hash(entry)
        except (TypeError, ValueError) as error:
            made = str(error)
        if made != entry.hash:
            faults.append(RecordFault(case, entry.seq, "the entry was changed after it was written"))
        previous = entry.hash
    if head is not None and head != previous:
        faults.append(RecordFault(case, number, "the case ends with another entry than the journal: the tail was cut or added to"))
    return faults


def plain(value: Any) -> Any:
    """A value as the record keeps it: days and moments as ISO text, decimals as text, maps and lists plain."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    return str(value)
