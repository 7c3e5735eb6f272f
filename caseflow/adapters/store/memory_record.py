"""The whole record of the store in memory, read in order."""

from __future__ import annotations

from collections.abc import Iterator

from caseflow.adapters.store.memory_tables import Tables
from caseflow.domain.case import Entry
from caseflow.domain.chain import Head, Link, Part, Range, part_of
from caseflow.domain.journal import entry_hash
from caseflow.errors import RecordFault


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
        case = self._tables.cases[number]
        return Head(number, case.version, case.head)
