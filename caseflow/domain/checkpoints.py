"""Checkpoints: how far every chain of the record went at a moment, said in one line that is signed and kept elsewhere.

The root is SHA-256 over a line for each case, sorted by number: number, number of its last entry, hash of that entry, each
line ended by a line feed. The line of a checkpoint is words and numbers, so that it can be printed, read aloud and typed:

    caseflow checkpoint 3 made 2026-12-01T12:05:00+00:00 cases 2 entries 12 root <hex> before <hex> key <hex> signature <hex>

`before` is SHA-256 of the line of the checkpoint before, without its signature (zeros for the first). The signature is over
everything up to the word `signature` and the space before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from caseflow.domain.case import NO_HASH
from caseflow.domain.chain import Head
from caseflow.errors import BadInput, RecordFault

SLACK = timedelta(minutes=10)
"""An entry may have been begun so long before a checkpoint and be written after it; one that claims to be older was put in later."""
_HEX = "([0-9a-f]{64})"
_LINE = re.compile(
    rf"caseflow checkpoint (\d{{1,9}}) made (\S{{10,40}}) cases (\d{{1,12}}) entries (\d{{1,15}}) root {_HEX} before {_HEX} key {_HEX} signature ([0-9a-f]{{128}})"
)
_LEAF = re.compile(rf"(\S+) (\d{{1,9}}) {_HEX}")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far the record went at a moment."""

    number: int
    made_at: datetime
    cases: int
    entries: int
    root: str
    before: str
    key: str
    signature: str = ""

    @property
    def signed(self) -> str:
        """What the signature is over."""
        made = f"caseflow checkpoint {self.number} made {self.made_at.isoformat()} cases {self.cases} entries {self.entries}"
        return f"{made} root {self.root} before {self.before} key {self.key}"

    @property
    def line(self) -> str:
        """The checkpoint as it is printed."""
        return f"{self.signed} signature {self.signature}"

    @property
    def digest(self) -> str:
        """What the next checkpoint names it by."""
        return sha256(self.signed.encode()).hexdigest()


def read_line(text: str) -> Checkpoint:
    """The checkpoint of a line, wherever the text was broken into lines or quoted. Raises BadInput."""
    found = _LINE.search(" ".join(text.replace(">", " ").split()))
    if found is None:
        raise BadInput("It holds no checkpoint; that is a text that begins with 'caseflow checkpoint' and ends with a signature.")
    number, made_at, cases, entries, root, before, key, signature = found.groups()
    try:
        moment = datetime.fromisoformat(made_at)
        if moment.tzinfo is None:
            raise ValueError
    except ValueError:
        raise BadInput(f"The checkpoint says in no readable way when it was made: {made_at}.") from None
    return Checkpoint(int(number), moment, int(cases), int(entries), root, before, key, signature)


def read_heads(lines: Iterable[str]) -> Iterator[Head]:
    """The heads that stand under a checkpoint; what else stands there is passed over."""
    for line in lines:
        found = _LEAF.fullmatch(line.strip())
        if found is not None:
            yield Head(found[1], int(found[2]), found[3])


def head_line(head: Head) -> str:
    """A case as a checkpoint counts it."""
    return f"{head.case} {head.version} {head.head}\n"


class Root:
    """The root over heads that pass by, sorted by case."""

    def __init__(self) -> None:
        self._hash, self.cases, self.entries = sha256(), 0, 0

    def add(self, head: Head) -> None:
        """One more case."""
        self._hash.update(head_line(head).encode("utf-8", "surrogateescape"))
        self.cases, self.entries = self.cases + 1, self.entries + head.version

    def passed(self, heads: Iterable[Head]) -> Iterator[Head]:
        """The same heads, counted as they pass."""
        for head in heads:
            self.add(head)
            yield head

    def made(self, number: int, moment: datetime, before: Checkpoint | None, key: str) -> Checkpoint:
        """The checkpoint of what has passed, not yet signed."""
        return Checkpoint(number, moment, self.cases, self.entries, self._hash.hexdigest(), before.digest if before is not None else NO_HASH, key)

    def fits(self, checkpoint: Checkpoint) -> bool:
        """Whether what has passed is what a checkpoint says."""
        return (self._hash.hexdigest(), self.cases, self.entries) == (checkpoint.root, checkpoint.cases, checkpoint.entries)


class Standing(NamedTuple):
    """What stands in the journal of a case, or in what is left of it: hash of one entry, and when the one after it says that it was recorded (None where there is none)."""

    hash: str | None
    next_at: datetime | None


class Pair(NamedTuple):
    """A case in a checkpoint and now; one of them None where it is not there."""

    then: Head | None
    now: Head | None

    @property
    def same(self) -> bool:
        """Whether nothing was recorded since."""
        return self.then is not None and self.now is not None and self.then[:3] == self.now[:3]


def paired(then: Iterable[Head], now: Iterable[Head]) -> Iterator[Pair]:
    """Two lists of cases, each sorted by number, side by side."""
    old, new = iter(then), iter(now)
    one, two = next(old, None), next(new, None)
    while one is not None or two is not None:
        if two is None or (one is not None and one.case < two.case):
            yield Pair(one, None)
            one = next(old, None)
        elif one is None or two.case < one.case:
            yield Pair(None, two)
            two = next(new, None)
        else:
            yield Pair(one, two)
            one, two = next(old, None), next(new, None)


def pair_fault(pair: Pair, standing: Standing, checkpoint: Checkpoint) -> RecordFault | None:
    """What a checkpoint says against a case. `standing`: of the entry that was its last then; of a new case, of what came before its first."""
    then, now, number = pair.then, pair.now, checkpoint.number
    if then is None:
        assert now is not None
        if not now.stub and standing.next_at is not None and standing.next_at < checkpoint.made_at - SLACK:
            return RecordFault(now.case, 1, f"the case says that it is older than checkpoint {number}, which does not know it: it was put in later")
        return None
    if now is None:
        return RecordFault(then.case, then.version, f"the case is gone; checkpoint {number} had it with {then.version} entries")
    if now.stub:
        return _stub_fault(then, now, standing, number)
    if standing.hash is None or now.version < then.version:
        return RecordFault(then.case, then.version, f"the tail was cut: checkpoint {number} had {then.version} entries, the case has {now.version}")
    if standing.hash != then.head:
        return RecordFault(then.case, then.version, f"the chain was written anew: entry {then.version} is not the one that checkpoint {number} had")
    if standing.next_at is not None and standing.next_at < checkpoint.made_at - SLACK:
        return RecordFault(
            then.case, then.version + 1, f"the entry says that it is older than checkpoint {number}, which does not know it: it was put in later"
        )
    return None


def _stub_fault(then: Head, now: Head, standing: Standing, number: int) -> RecordFault | None:
    """The stub of a case names the last entry before it. What was recorded between the checkpoint and that entry went with the case."""
    fits = {then.version: now.head, then.version + 1: standing.hash}.get(now.version, then.head) == then.head
    if fits and now.version >= then.version:
        return None
    return RecordFault(then.case, then.version, f"what is left of the case after its disposal does not follow from what checkpoint {number} had")
