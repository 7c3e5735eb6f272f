"""The whole record of the store in memory, read in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from caseflow.adapters.store.memory_tables import Tables
from caseflow.domain.case import Entry
from caseflow.domain.chain import Head, Link, Part, Range, part_of
from caseflow.domain.checkpoints import Checkpoint, Standing
from caseflow.domain.journal import entry_hash
from caseflow.errors import KeyRefused, RecordFault


class MemoryRecord:
    """Implements services.verifying.Reader."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def ranges(self) -> Iterator[Range]:
        """One stretch: all of it lies in the memory."""
        yield "", "\U0010ffff"

    def part(self, within: Range) -> Part:
        """What holds in a stretch."""
        inside = sorted(number for number in self._tables.cases.keys() | self._tables.entries.keys() if within[0] < number <= within[1])
        heads = [self._head(number) for number in inside if number in self._tables.cases]
        entries = (entry for number in inside for entry in self._tables.entries.get(number, ()))
        return part_of(heads, (Link(entry.case, entry.seq, entry.prev_hash, entry.hash, entry_hash(entry)) for entry in entries))

    def exact(self, case: str) -> tuple[Head | None, list[Entry], list[RecordFault]]:
        """A case: its head and its entries; all can be read."""
        return self._head(case) if case in self._tables.cases else None, list(self._tables.entries.get(case, ())), []

    def _head(self, number: str) -> Head:
        stub = self._tables.stubs.get(number)
        if stub is not None:
            return Head(number, stub.entry.seq, stub.entry.hash, True)
        case = self._tables.cases[number]
        return Head(number, case.version, case.head)

    def heads(self) -> Iterator[Head]:
        """The head of every case, sorted by number."""
        return (self._head(number) for number in sorted(self._tables.cases.keys() | self._tables.stubs.keys()))

    def standings(self, wanted: Sequence[tuple[str, int]]) -> list[Standing]:
        """Of each case and entry: that entry's hash, and when the next one was recorded."""
        found = []
        for case, seq in wanted:
            entries = {entry.seq: entry for entry in self._tables.entries.get(case, ())}
            one, after = entries.get(seq), entries.get(seq + 1)
            stub = self._tables.stubs.get(case)
            left = stub.entry.prev_hash if stub is not None and stub.entry.seq == seq + 1 else None
            found.append(Standing(one.hash if one is not None else left, after.recorded_at if after is not None else None))
        return found


class MemoryLedger:
    """Implements services.checkpointing.Ledger."""

    def __init__(self, kept: list[tuple[Checkpoint, tuple[Head, ...]]]) -> None:
        self._kept = kept

    def all(self) -> Sequence[Checkpoint]:
        """Every checkpoint, the oldest first."""
        return [one for one, _ in self._kept]

    def last(self) -> Checkpoint | None:
        """The newest one."""
        return self._kept[-1][0] if self._kept else None

    def heads(self, number: int) -> Iterator[Head]:
        """The heads as of a checkpoint."""
        found = {head.case: head for one, heads in self._kept if one.number <= number for head in heads}
        return (found[case] for case in sorted(found))

    def keep(self, checkpoint: Checkpoint, changed: Iterable[Head]) -> None:
        """A new one."""
        if any(one.number == checkpoint.number for one, _ in self._kept):
            raise KeyRefused(f"There is a checkpoint {checkpoint.number} already; nothing was changed.")
        self._kept.append((checkpoint, tuple(changed)))
