"""Whether the record holds: every chain of entries, every case as its entries give it, and what was signed of them before.

The chains are read in stretches, so that the memory stays flat however long the record is; what a stretch leaves in doubt is
looked at exactly. Replaying takes longer and is measured apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from caseflow.domain.case import Case, Entry
from caseflow.domain.chain import Head, Part, Range
from caseflow.domain.journal import chain_faults
from caseflow.domain.replay import replay_faults
from caseflow.errors import CaseflowError, RecordFault, StoreFault
from caseflow.services.office import Office, Progress, case_row, quiet
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.ports.lines import CaseLine, line_of

Check = Callable[[Case, Sequence[Entry]], Sequence[RecordFault]]
"""What else is looked at in a case and its entries."""
Spread = Callable[[Iterable[Range]], Iterator[Part]]
"""Reads stretches, here or by several processes; the parts come in any order."""


class Reader(Protocol):
    """The record read whole. `Store.record` is one."""

    def ranges(self) -> Iterator[Range]:
        """Where each stretch begins and ends; together they cover every number, also those of entries without a case."""

    def part(self, within: Range) -> Part:
        """What holds in a stretch."""

    def exact(self, case: str) -> tuple[Head | None, list[Entry], list[RecordFault]]:
        """A case: its head, its entries as far as they can be read, and those that can't."""


@dataclass
class Found:
    """What one way of looking found: how many cases and entries it saw, where they do not add up, and how long it took."""

    cases: int = 0
    entries: int = 0
    faults: list[RecordFault] = field(default_factory=list)
    seconds: float = 0.0

    def plain(self) -> dict[str, Any]:
        """As plain data, with the rate."""
        rate = round(self.entries / self.seconds) if self.seconds else 0
        return {"cases": self.cases, "entries": self.entries, "faults": len(self.faults), "seconds": round(self.seconds, 3), "entries_per_second": rate}


def verify(
    office: Office,
    reader: Reader,
    number: str | None = None,
    progress: Progress = quiet,
    also: Check | None = None,
    spread: Spread | None = None,
    chain_only: bool = False,
) -> dict[str, Any]:
    """Every place where the record, or that of one case, does not add up: {cases, entries, faults, chain, replay}.

    `replay` is None where only the chain was asked for. A case whose chain is broken is not replayed: it would say the same again.
    """
    name = _number(office, number) if number is not None else None
    chain = chain_of(reader, name, progress, spread)
    replay = None if chain_only else replay_of(office, name, {fault.case for fault in chain.faults}, progress, also)
    faults = [*chain.faults, *(replay.faults if replay is not None else ())]
    return {
        "cases": chain.cases,
        "entries": chain.entries,
        "faults": [{"case": fault.case, "seq": fault.seq, "text": fault.text} for fault in faults],
        "chain": chain.plain(),
        "replay": replay.plain() if replay is not None else None,
    }


def _number(office: Office, asked: str) -> str:
    """The number of a case, given it or an alias. Raises NotFound. A case that can't be read keeps the number that was asked for."""
    with office.store.read() as work:
        try:
            return work.case(asked).number
        except CaseflowError:
            raise
        except Exception:
            return asked


# --- the chain -----------------------------------------------------------------------------------------------------


def chain_of(reader: Reader, number: str | None = None, progress: Progress = quiet, spread: Spread | None = None) -> Found:
    """Recomputes every hash of the record, or of one case."""
    began, found = time.perf_counter(), Found()
    for part in (spread or (lambda ranges: map(reader.part, ranges)))(reader.ranges() if number is None else ()):
        found.cases, found.entries = found.cases + part.cases, found.entries + part.entries
        for suspect in part.suspects:
            found.faults += exact_faults(reader, suspect)
        progress(found.entries, None, "entries, by their hashes")
    if number is not None:
        found.cases, found.entries = 1, len(reader.exact(number)[1])
        found.faults += exact_faults(reader, number)
    found.seconds = time.perf_counter() - began
    return found


def exact_faults(reader: Reader, case: str) -> list[RecordFault]:
    """Where the chain of one case breaks; nothing where it was only written unusually."""
    shown = case.encode("utf-8", "backslashreplace").decode()
    if shown != case:
        return [RecordFault(shown, 0, "entries stand under a number that is no text; the case that they belong to lacks them")]
    head, entries, unreadable = reader.exact(case)
    if unreadable:
        return unreadable
    if head is None:
        return [RecordFault(case, entry.seq, "the entry belongs to no case; the case was removed, or the entry renamed") for entry in entries]
    if head.stub:
        return []
    if not entries:
        return [RecordFault(case, 0, "the case has no entries")]
    faults = chain_faults(case, entries, head.head)
    if not faults and head.version != entries[-1].seq:
        faults.append(RecordFault(case, head.version, f"the case says that it has {head.version} entries; the journal has {entries[-1].seq}"))
    return faults


# --- the replay ----------------------------------------------------------------------------------------------------


def replay_of(office: Office, number: str | None, broken: set[str], progress: Progress = quiet, also: Check | None = None) -> Found:
    """Replays every case, or one, but those that are broken already."""
    began, found = time.perf_counter(), Found()
    for line in office.store.docket(DocketFilter(numbers=(number,) if number is not None else None)):
        found.cases += 1
        if line.number not in broken:
            found.faults += _replayed(office, line, also, found)
        progress(found.cases, None, "cases, by replay")
    found.seconds = time.perf_counter() - began
    return found


def _replayed(office: Office, line: CaseLine, also: Check | None, found: Found) -> list[RecordFault]:
    """Where a case differs from its entries, or its line in lists from the case. What is damaged can fail in any way: it is a fault, not the end."""
    try:
        with office.store.read() as work:
            case, entries = work.case(line.number), work.entries(line.number)
        found.entries += len(entries)
        if case.number != line.number:
            return [RecordFault(line.number, 0, f"the stored case says that it is {case.number}")]
        book = office.packs.of(case)
        faults = [*replay_faults(book, case, entries), *(also(case, entries) if also is not None else ())]
        return faults or _line_faults(line, line_of(case, case_row(book, case)))
    except StoreFault as fault:
        return [RecordFault(line.number, 0, str(fault))]
    except Exception as error:
        return [RecordFault(line.number, 0, f"the stored case can't be replayed ({type(error).__name__}: {str(error)[:120]})")]


def _line_faults(kept: CaseLine, made: CaseLine) -> list[RecordFault]:
    """Where lists would show another thing than the case."""
    wrong = [name for name in CaseLine.__slots__ if name != "row" and getattr(kept, name) != getattr(made, name)]
    wrong += [name for name in type(made.row).__slots__ if getattr(kept.row, name) != getattr(made.row, name)]
    return [RecordFault(kept.number, kept.version, f"lists show another {', '.join(wrong)} than the case has")] if wrong else []
