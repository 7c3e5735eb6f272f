"""Disposal in memory: the same promises as on a database, for rehearsals and tests of services."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime

from caseflow.adapters.store.buffer import stale
from caseflow.adapters.store.memory_tables import Tables
from caseflow.domain.case import NO_HASH, Case
from caseflow.domain.changes import HELD
from caseflow.domain.imported import LINE
from caseflow.domain.retention import Stub
from caseflow.errors import StoreFault


def last_disposal(tables: Tables) -> tuple[int, str]:
    """The place and hash of the last disposal."""
    stub = next(reversed(tables.stubs.values()), None)
    return (stub.place, stub.entry.hash) if stub is not None else (0, NO_HASH)


def dispose(tables: Tables, case: Case, stub: Stub) -> None:
    """Puts a stub in the place of a case."""
    number, stored = case.number, tables.cases.get(case.number)
    if stored is None or stored.version != case.version:
        raise stale(number)
    if HELD in stored.flags or not tables.rows[number].ends or stub.entry.prev_hash != stored.head:
        raise StoreFault("The record can't be changed or removed; nothing was changed.")
    tables.stubs[number] = stub
    others = {one.sha256 for one in tables.documents.values() if one.case != number}
    tables.contents |= {one.sha256 for one in tables.documents.values() if one.case == number} - others
    for timer in tables.by_row:
        if timer.case == number and timer.status == "open":
            tables.close(timer)
    letters = {one.number for one in tables.letters.values() if one.case == number}
    copies = {one.id for one in tables.copies.values() if one.case == number}
    tables.letters = {name: one for name, one in tables.letters.items() if name not in letters}
    tables.copies = {name: one for name, one in tables.copies.items() if name not in copies}
    tables.attempts = {key: one for key, one in tables.attempts.items() if key[0] not in copies}
    tables.documents = {name: one for name, one in tables.documents.items() if one.case != number}
    tables.timers = {key: one for key, one in tables.timers.items() if key[0] != number}
    tables.commands = {key: one for key, one in tables.commands.items() if one[0] != number or key.startswith(LINE)}
    tables.limits = {use for use in tables.limits if use[0] != number}
    tables.once = {key for key in tables.once if key.split(" ")[0] != number}
    tables.requests[case.request].remove(number)
    for alias in case.aliases:
        tables.aliases[alias].discard(number)
    for table in (tables.cases, tables.rows, tables.entries):
        table.pop(number)


class MemoryDisposals:
    """Implements ports.Disposals."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def stub(self, number: str) -> Stub | None:
        """The stub of a case."""
        return self._tables.stubs.get(number)

    def stubs(self, after: int = 0, limit: int = 500) -> Sequence[Stub]:
        """Stubs in the order of disposal, after a place."""
        return [stub for stub in self._tables.stubs.values() if stub.place > after][:limit]

    def latest(self, limit: int) -> Sequence[Stub]:
        """The newest stubs, the last first."""
        return list(reversed(self._tables.stubs.values()))[:limit]

    def count(self) -> int:
        """How many records were disposed of."""
        return len(self._tables.stubs)

    def ended(self, until: date, after: tuple[date, str] | None, limit: int) -> Sequence[tuple[date, str]]:
        """Cases that ended by a day, the earliest first."""
        rows = ((row.decided_on, number) for number, row in self._tables.rows.items() if row.ends)
        return sorted((day, number) for day, number in rows if day is not None and day <= until and (after is None or (day, number) > after))[:limit]

    def left(self) -> Mapping[str, Sequence[str]]:
        """Nothing is left."""
        return {}

    def contents(self) -> Iterator[str]:
        """Contents whose files are still to go."""
        yield from sorted(self._tables.contents)

    def drop_content(self, sha256: str, unlink: Callable[[str], None]) -> bool:
        """Lets the file of a content go, unless another document has it."""
        wanted = any(one.sha256 == sha256 for one in self._tables.documents.values())
        if not wanted:
            unlink(sha256)
        self._tables.contents.discard(sha256)
        return not wanted

    def residue(self) -> bool:
        """Nothing is left in memory."""
        return False

    def rewrite(self, moment: datetime) -> bool:
        """Nothing to overwrite."""
        return True
