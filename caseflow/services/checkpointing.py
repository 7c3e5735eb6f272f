"""Signed checkpoints over all cases: making them, and what the record is against one that was kept elsewhere.

Everything passes by once, sorted by number, so that the memory stays flat. A checkpoint is signed only where what the one
before said still stands: signing a record that was changed would make it good.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Protocol

from caseflow.domain.chain import Head
from caseflow.domain.checkpoints import Checkpoint, Pair, Root, Standing, head_line, pair_fault, paired, read_heads, read_line
from caseflow.errors import BadInput, NotFound, RecordFault, StoreFault
from caseflow.services.office import Progress, quiet

if TYPE_CHECKING:
    from caseflow.services.ports.store import Store

MANY = 500
"""Cases that are looked up together."""


class Heads(Protocol):
    """The record as far as checkpoints ask for it. `Store.record` is one."""

    def heads(self) -> Iterator[Head]:
        """The head of every case, sorted by number, by code point."""

    def standings(self, wanted: Sequence[tuple[str, int]]) -> Sequence[Standing]:
        """Of each case and entry: that entry's hash, and when the next one says that it was recorded; of entry 0 only the latter."""


class Ledger(Protocol):
    """Where checkpoints are kept in the database. Nobody changes or removes one."""

    def all(self) -> Sequence[Checkpoint]:
        """Every checkpoint, the oldest first."""

    def last(self) -> Checkpoint | None:
        """The newest one."""

    def heads(self, number: int) -> Iterator[Head]:
        """The heads as of a checkpoint, sorted by case, by code point."""

    def keep(self, checkpoint: Checkpoint, changed: Iterable[Head]) -> None:
        """A new one, with the heads that are not those of the one before. Raises KeyRefused where another of that number is kept."""


class Signs(Protocol):
    """Whoever signs."""

    @property
    def made(self) -> bool:
        """Whether there is a key."""

    @property
    def public(self) -> str:
        """The public key in hexadecimal; a key is made where there is none."""

    def sign(self, message: bytes) -> str:
        """The signature in hexadecimal."""

    def fits(self, key: str, message: bytes, signature: str) -> bool:
        """Whether a signature is of the message by the key."""


@dataclass
class Compared:
    """A record against a checkpoint. `unchanged` counts the cases in which nothing was recorded since."""

    checkpoint: Checkpoint
    listed: bool
    faults: list[RecordFault] = field(default_factory=list)
    unchanged: int = 0

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {**plain(self.checkpoint), "listed": self.listed, "unchanged": self.unchanged, "faults": len(self.faults)}


def plain(checkpoint: Checkpoint) -> dict[str, Any]:
    """A checkpoint as plain data."""
    members = {name: getattr(checkpoint, name) for name in ("number", "cases", "entries", "root", "before", "key", "signature")}
    return {**members, "made_at": checkpoint.made_at.isoformat(), "line": checkpoint.line}


class Checkpoints:
    """The checkpoints of a record."""

    def __init__(self, store: Store, reader: Heads, ledger: Ledger, signer: Signs) -> None:
        self._store, self._reader, self._ledger, self._signer = store, reader, ledger, signer

    @property
    def signs(self) -> bool:
        """Whether there is a key to sign with."""
        return self._signer.made

    def make(self, moment: datetime, progress: Progress = quiet) -> Checkpoint:
        """Signs and keeps how far every chain goes. Raises StoreFault where the checkpoint before no longer stands."""
        moment = moment.astimezone(UTC).replace(microsecond=0)
        root, before = Root(), self._ledger.last()
        with tempfile.TemporaryFile("w+", encoding="utf-8") as spool:
            with self._store.together():
                heads = root.passed(_told(self._reader.heads(), progress))
                self._refuse_changed(before, heads, spool)
            made = root.made(before.number + 1 if before is not None else 1, moment, before, self._signer.public)
            signed = replace(made, signature=self._signer.sign(made.signed.encode()))
            spool.seek(0)
            self._ledger.keep(signed, read_heads(spool))
        return signed

    def _refuse_changed(self, before: Checkpoint | None, heads: Iterator[Head], spool: IO[str]) -> None:
        """Writes down the heads that are new; raises StoreFault where the checkpoint before says other things."""
        if before is None:
            spool.writelines(map(head_line, heads))
            return
        faults: list[RecordFault] = []
        for pairs in _batches(paired(self._ledger.heads(before.number), heads)):
            faults += self._faults(pairs, before)
            spool.writelines(head_line(pair.now) for pair in pairs if pair.now is not None and not pair.same)
        if faults:
            text = f"{faults[0].case} entry {faults[0].seq}: {faults[0].text}"
            more = f" ({len(faults)} faults)" if len(faults) > 1 else ""
            raise StoreFault(f"No checkpoint was signed, since the record is not what checkpoint {before.number} says. {text}{more}. Keep it as it is.")

    def all(self) -> list[dict[str, Any]]:
        """Every checkpoint that the database keeps, the oldest first, each with what is wrong with it (None where all is well)."""
        found, before = [], None
        for one in self._ledger.all():
            found.append({**plain(one), "fault": self._own_fault(one, before)})
            before = one
        return found

    def _own_fault(self, one: Checkpoint, before: Checkpoint | None) -> str | None:
        if not self._signer.fits(one.key, one.signed.encode(), one.signature):
            return "the signature does not fit"
        if before is not None and (one.before != before.digest or one.number != before.number + 1):
            return f"it does not follow from checkpoint {before.number}"
        return None

    def find(self, number: int | None = None) -> Checkpoint:
        """A checkpoint by its number, or the newest. Raises NotFound."""
        found = self._ledger.last() if number is None else next((one for one in self._ledger.all() if one.number == number), None)
        if found is None:
            raise NotFound(f"There is no checkpoint {number}." if number is not None else "There is no checkpoint; 'caseflow checkpoint make' signs one.")
        return found

    def heads(self, checkpoint: Checkpoint) -> Iterator[Head]:
        """The heads that a checkpoint of this database is over."""
        with self._store.together():
            yield from self._ledger.heads(checkpoint.number)

    def compare(self, text: str, lines: Iterable[str], key: str | None = None, progress: Progress = quiet) -> Compared:
        """The record against a checkpoint that was kept elsewhere: `text` holds its line, `lines` the heads, or none of them.

        Without heads those that the database keeps are taken, as far as they are what was signed. Raises BadInput.
        """
        checkpoint = read_line(text)
        given = read_heads(lines)
        first = next(given, None)
        found = Compared(checkpoint, first is not None)
        found.faults += self._signature_faults(checkpoint, key)
        root = Root()
        with self._store.together():
            then = _after(first, given) if first is not None else self._ledger.heads(checkpoint.number)
            for pairs in _batches(paired(root.passed(then), _told(self._reader.heads(), progress))):
                found.unchanged += sum(pair.same for pair in pairs)
                found.faults += self._faults(pairs, checkpoint)
        if not root.fits(checkpoint):
            whose = "The list of cases under the checkpoint is" if found.listed else "The heads that the database keeps of the checkpoint are"
            wrong = f"{whose} not what was signed: {checkpoint.cases} cases with {checkpoint.entries} entries, root {checkpoint.root[:16]}..."
            found.faults.insert(0, RecordFault(f"checkpoint {checkpoint.number}", 0, wrong))
        return found

    def _signature_faults(self, checkpoint: Checkpoint, key: str | None) -> Iterator[RecordFault]:
        name = f"checkpoint {checkpoint.number}"
        if not self._signer.fits(checkpoint.key, checkpoint.signed.encode(), checkpoint.signature):
            yield RecordFault(name, 0, "the signature does not fit: the checkpoint was changed")
        wanted = key.lower() if key is not None else self._signer.public if self._signer.made else None
        if wanted is not None and wanted != checkpoint.key:
            yield RecordFault(name, 0, f"it is signed with another key, {checkpoint.key}, than {wanted}")

    def _faults(self, pairs: Sequence[Pair], checkpoint: Checkpoint) -> list[RecordFault]:
        """What a checkpoint says against some cases. One in which nothing was recorded since needs no look into the journal."""
        asked = [pair for pair in pairs if not pair.same]
        wanted = [(pair.then.case, pair.then.version) if pair.then is not None else (pair.now.case if pair.now is not None else "", 0) for pair in asked]
        made = (pair_fault(pair, one, checkpoint) for pair, one in zip(asked, self._reader.standings(wanted), strict=True))
        return [fault for fault in made if fault is not None]


def check_key(key: str | None) -> str | None:
    """A public key as somebody typed it. Raises BadInput."""
    if key is not None and (len(key) != 64 or any(letter not in "0123456789abcdefABCDEF" for letter in key)):
        raise BadInput("--key is no public key; it has 64 hexadecimal digits, as an export and a checkpoint print it.")
    return key


def _after(first: Head, rest: Iterator[Head]) -> Iterator[Head]:
    yield first
    yield from rest


def _batches(pairs: Iterator[Pair]) -> Iterator[list[Pair]]:
    while found := list(islice(pairs, MANY)):
        yield found


def _told(heads: Iterator[Head], progress: Progress) -> Iterator[Head]:
    for place, head in enumerate(heads, 1):
        if place % MANY == 0:
            progress(place, None, "cases, against the checkpoint")
        yield head
