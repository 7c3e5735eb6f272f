"""The chain of entries over a whole record, quickly: each hash is made anew from the text as it is kept, a stretch at a time.

An entry whose text is written canonically hashes to what was recorded; every other one, and every case in which a link does
not fit, is only suspected here and looked at exactly by `journal.chain_faults`. A stored hash is compared, never believed.
"""

from __future__ import annotations

import json
from binascii import hexlify
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from caseflow.domain.case import NO_HASH
from caseflow.domain.journal import canonical

_quoted = json.JSONEncoder(ensure_ascii=False).encode
NO_FACTS = sha256(b"{}").hexdigest()
MOST = 4096
"""So many shapes and pieces are kept, so that a hostile record can't fill the memory."""


Range = tuple[str, str]
"""Case numbers after the first and through the second."""


class Head(NamedTuple):
    """How far the chain of a case goes: the number of its last entry and that entry's hash. `stub`: its entries are gone by
    disposal, and the head that stands for them is the last they had."""

    case: str
    version: int
    head: str
    stub: bool = False


class Link(NamedTuple):
    """An entry as a link: what it says stands before it, its hash as kept, and as made anew (None where that was not possible)."""

    case: str
    seq: int
    previous: str
    kept: str
    made: str | None


class Part(NamedTuple):
    """What was found in a stretch of cases. `suspects`: cases to be looked at exactly, of whatever name their entries give them."""

    cases: int
    entries: int
    suspects: tuple[str, ...]


_shapes: dict[tuple[str, ...], list[tuple[str, bytes, str]]] = {}
_pieces: dict[tuple[str | None, ...], tuple[str, str, str, str, str]] = {}


def _shape(names: tuple[str, ...]) -> list[tuple[str, bytes, str]]:
    if len(_shapes) >= MOST:
        _shapes.clear()
    _shapes[names] = made = [(name, f":{name}".encode(), f'{_quoted(name)}:"') for name in sorted(names)]
    return made


def text_digest(key: str, facts: Mapping[str, bytes]) -> str:
    """The same as `journal.facts_digest`, from the canonical text of each fact."""
    if not facts:
        return NO_FACTS
    names, stem = tuple(facts), key.encode()
    shape = _shapes.get(names) or _shape(names)
    salted = '",'.join([f"{quoted}{sha256(hexlify(sha256(stem + ending).digest()) + facts[name]).hexdigest()}" for name, ending, quoted in shape])
    return sha256(f'{{{salted}"}}'.encode()).hexdigest()


def text_hash(case: str, seq: int, recorded_at: str, effective_on: str, because: str | None, previous: str, digest: str, rest: tuple[str | None, ...]) -> str:
    """The same as `journal.entry_hash`, from the texts of an entry. `rest`: action, kind, id and role of the actor, state before,
    state after, versions of pack and calendar, and the cites as JSON. Raises ValueError or TypeError where that can't be read."""
    begins, calendar, on, stands, ends = _pieces.get(rest) or _piece(rest)
    reason = _quoted(because) if because is not None else "null"
    text = f'{begins}{reason}{calendar}{_quoted(case)}{on}{effective_on}","facts_digest":"{digest}{stands}{previous}","recorded_at":"{recorded_at}","seq":{seq}{ends}'
    return sha256(text.encode()).hexdigest()


def _piece(rest: tuple[str | None, ...]) -> tuple[str, str, str, str, str]:
    """What many entries have in common, as canonical JSON between the members that differ."""
    if len(_pieces) >= MOST:
        _pieces.clear()
    action, kind, name, role, before, after, pack, calendar = (_quoted(one) if one is not None else "null" for one in rest[:8])
    cites = canonical(json.loads(rest[8] or "")).decode()
    _pieces[rest] = made = (
        f'{{"action":{action},"actor":{{"id":{name},"kind":{kind},"role":{role}}},"because":',
        f',"calendar_version":{calendar},"case":',
        f',"cites":{cites},"effective_on":"',
        f'","from":{before},"pack_version":{pack},"prev_hash":"',
        f',"to":{after}}}',
    )
    return made


def part_of(heads: Sequence[Head], links: Iterable[Link]) -> Part:
    """What holds in a stretch: all its cases, and all its entries sorted by case and number. An entry of no case makes a suspect too."""
    ends = {head.case: head for head in heads}
    suspects: dict[str, None] = {}
    case, number, before, entries = None, 0, NO_HASH, 0
    seen: dict[str, tuple[int, str]] = {}
    for name, seq, previous, kept, made in links:
        entries += 1
        if name != case:
            if case is not None:
                seen[case] = (number, before)
            case, number, before = name, 0, NO_HASH
            if name in seen or name not in ends:
                suspects[name] = None
        number += 1
        if seq != number or previous != before or made != kept:
            suspects[name] = None
        before = kept
    if case is not None:
        seen[case] = (number, before)
    for head in heads:
        if not head.stub and seen.get(head.case) != (head.version, head.head):
            suspects[head.case] = None
    return Part(len(heads), entries, tuple(suspects))
