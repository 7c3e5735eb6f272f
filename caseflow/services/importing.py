"""Takes a docket, or the files of an older system, into the record: everything is looked at first, then all of it is written.

One fault anywhere, and nothing is written; every fault is told by its line. What is known already is passed over, so that
importing twice is importing once, and an import that was stopped goes on where it was. A known case in other words is a
fault, never a second case. How a line is read is for an adapter; what a history makes is for domain.history.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from caseflow.domain.case import Actor, Timer
from caseflow.domain.imported import LINE
from caseflow.domain.mailing import TO_SEND
from caseflow.errors import BadInput, CaseflowError
from caseflow.services.again import again
from caseflow.services.arriving import ArrivedCase, arrived
from caseflow.services.carrying import CalendarFile, Carried, End, Flaw, Header, Line, Older, PackFiles
from caseflow.services.office import Office, Progress, case_row, quiet
from caseflow.services.olderfiles import OlderCase, older

if TYPE_CHECKING:
    from caseflow.services.ports.work import Work

BATCH = 100
"""Cases that are written in one transaction: what a kill can undo."""
MOST = 1_000
"""Faults that are told one by one; the others are counted."""


class Source(Protocol):
    """A file of lines that can be read twice. `at` of `size` bytes have been read."""

    size: int
    at: int

    def lines(self) -> Iterator[Line]:
        """Every line from the first."""


@dataclass
class Report:
    """What an import found and did. `known`: lines that had been imported before."""

    kind: str = "history"
    lines: int = 0
    cases: int = 0
    known: int = 0
    entries: int = 0
    letters: int = 0
    documents: int = 0
    packs: int = 0
    waiting: int = 0
    past: dict[str, int] = field(default_factory=dict)
    silence: list[dict[str, Any]] = field(default_factory=list)
    faults: list[dict[str, Any]] = field(default_factory=list)
    more_faults: int = 0

    def fault(self, number: int, case: str, flaw: Flaw) -> None:
        """One more fault."""
        if len(self.faults) >= MOST:
            self.more_faults += 1
        else:
            self.faults.append({"line": number, "case": flaw.case or case, "text": flaw.text, "instead": flaw.instead})


@dataclass(frozen=True, slots=True)
class Asked:
    """Who imports, when, and whether it is only tried."""

    by: Actor
    moment: datetime
    try_only: bool = False


def take_in(office: Office, source: Source, asked: Asked, progress: Progress = quiet) -> dict[str, Any]:
    """Checks a file whole, then writes it; with faults, or where it is only tried, nothing is written."""
    check = _Check(office, asked)
    for line in source.lines():
        check.line(line)
        progress(source.at // 1024, max(source.at, source.size) // 1024, "KiB checked")
    check.end()
    report = check.report
    wrong = bool(report.faults)
    if not wrong and not asked.try_only:
        _write(office, source, asked, check, progress)
    return {**vars(report), "written": not wrong and not asked.try_only, "moment": asked.moment.isoformat(timespec="seconds")}


# --- looking ------------------------------------------------------------------------------------------------------


class _Check:
    """The first reading of a file. `passed_over`: lines that are known; `wrote`: a digest of each line, to know them again."""

    def __init__(self, office: Office, asked: Asked) -> None:
        self.office, self.asked, self.report = office, asked, Report()
        self.passed_over: set[int] = set()
        self.digests = array("q")
        self._names: dict[int, int] = {}
        self._last = ""
        self._cases = 0
        self._named: list[str] = []
        self._header: Header | None = None
        self._ended = False

    def line(self, line: Line) -> None:
        """One more line."""
        self.report.lines = line.number
        self.digests.append(hash(line.digest))
        if self._ended:
            self.report.fault(line.number, "", Flaw("it stands after the end of the docket", "Export the docket again."))
            return
        for flaw in self._looked_at(line):
            self.report.fault(line.number, "", flaw)

    def _looked_at(self, line: Line) -> Sequence[Flaw]:
        value = line.value
        if isinstance(value, Flaw):
            self._cases += bool(value.case)
            return [value]
        if isinstance(value, Header):
            self._header, self.report.kind = value, "docket"
            return []
        if isinstance(value, (PackFiles, CalendarFile)):
            return self._rules(value)
        if isinstance(value, End):
            return self._end(value)
        return self._older(line, value) if isinstance(value, Older) else self._carried(line, value)

    def _rules(self, value: PackFiles | CalendarFile) -> Sequence[Flaw]:
        packs, what = self.office.packs, "pack" if isinstance(value, PackFiles) else "calendar"
        name = value.hash if isinstance(value, PackFiles) else value.digest
        self._named.append(name)
        try:
            if isinstance(value, PackFiles):
                packs.learn(value.hash, value.files)
            else:
                packs.learn_calendar(value.digest, value.text)
        except CaseflowError as error:
            return [Flaw(f"the {what} {name[:12]} can't be used: {str(error).splitlines()[0]}", "Export the docket again.")]
        self.report.packs += what == "pack"
        return []

    def _end(self, value: End) -> Sequence[Flaw]:
        self._ended = True
        assert self._header is not None
        if value.cases != self._cases:
            return [Flaw(f"it says {value.cases} cases, but {self._cases} stand above", "Export the docket again.")]
        if [*(one.get("hash") for one in self._header.packs), *self._header.calendars] != self._named:
            return [Flaw("the packs and calendars above are not those that the first line names", "Export the docket again.")]
        return []

    def _carried(self, line: Line, value: Carried) -> Sequence[Flaw]:
        self._cases += 1
        if value.case <= self._last:
            return [
                Flaw(f"{value.case} stands after {self._last}; cases stand in the order of their numbers, each once", "Export the docket again.", value.case)
            ]
        self._last = value.case
        if self._known(line):
            return []
        made = again(arrived)(self.office, value)
        if not isinstance(made, ArrivedCase):
            return made
        if made.known:
            self._pass_over(line)
            return []
        self._count(len(value.entries), len(value.brought.letters))
        self.report.documents += len(value.brought.documents)
        self.report.waiting += _waiting(value)
        return []

    def _older(self, line: Line, value: Older) -> Sequence[Flaw]:
        if self._known(line):
            return []
        made = again(older)(self.office, value, self.asked.by, self.asked.moment)
        if not isinstance(made, OlderCase):
            return made
        for name in made.aliases:
            before = self._names.setdefault(hash(name), line.number)
            if before != line.number:
                return [Flaw(f"line {before} names '{name}' too", "Write each case once, on one line.", made.aliases[0])]
        assert made.past is not None
        self._count(len(made.past.outcome.entries), len(made.past.outcome.case.letters))
        for timer in made.past.missed:
            self._missed(line, made, timer)
        return []

    def _missed(self, line: Line, made: OlderCase, timer: Timer) -> None:
        kind = timer.kind.partition("-")[0]
        self.report.past[kind] = self.report.past.get(kind, 0) + 1
        if timer.kind == "silence":
            flow = made.book.workflow
            told = {"clock": timer.clock, "title": flow.clocks[timer.clock].title, "due": timer.due.isoformat(), "outcome": flow.actions[timer.action].title}
            self.report.silence.append({"line": line.number, "case": made.aliases[0], **told})

    def _known(self, line: Line) -> bool:
        """Whether this very line was imported before."""
        known = _imported(self.office, line)
        if known:
            self._pass_over(line)
        return known

    def _pass_over(self, line: Line) -> None:
        self.report.known += 1
        self.passed_over.add(line.number)

    def _count(self, entries: int, letters: int) -> None:
        self.report.cases += 1
        self.report.entries += entries
        self.report.letters += letters

    def end(self) -> None:
        """Nothing follows. Raises BadInput where there was nothing at all."""
        if not self.report.lines:
            raise BadInput("The file is empty; write one case a line (docs/import-and-rehearse.md).")
        if self._header is not None and not self._ended:
            self.report.fault(self.report.lines, "", Flaw("the end of the docket is missing: the file was cut", "Export the docket again."))


@again
def _imported(office: Office, line: Line) -> bool:
    with office.store.read() as work:
        return work.command(LINE + line.digest) is not None


def _waiting(value: Carried) -> int:
    return sum(copy.status in TO_SEND for letter in value.brought.letters for copy in letter.copies)


# --- writing ------------------------------------------------------------------------------------------------------


def _write(office: Office, source: Source, asked: Asked, check: _Check, progress: Progress) -> None:
    batch: list[Line] = []
    total = check.report.lines
    for line in source.lines():
        if line.number > total or check.digests[line.number - 1] != hash(line.digest):
            raise BadInput(
                f"The file changed while it was read (line {line.number}); what was written before it stays. Import it again: what is known is passed over."
            )
        if line.number not in check.passed_over and isinstance(line.value, (Carried, Older, PackFiles, CalendarFile)):
            batch.append(line)
        if len(batch) >= BATCH:
            _written(office, asked, batch)
            batch.clear()
            progress(line.number, total, "lines written")
    _written(office, asked, batch)


@again
def _written(office: Office, asked: Asked, batch: Sequence[Line]) -> None:
    """One transaction. What another import of the same file has written meanwhile is passed over."""
    if not batch:
        return
    with office.store.begin() as work:
        for line in batch:
            value = line.value
            command = LINE + line.digest
            if isinstance(value, PackFiles):
                work.keep_pack(office.packs.learn(value.hash, value.files), value.files)
            elif isinstance(value, CalendarFile):
                office.packs.learn_calendar(value.digest, value.text)
                work.keep_calendar(value.digest, value.text)
            elif work.command(command) is not None:
                continue
            elif isinstance(value, Carried):
                _carry(office, work, value, command, asked.moment)
            elif isinstance(value, Older):
                _tell(office, work, value, command, line.digest, asked)


def _carry(office: Office, work: Work, value: Carried, command: str, moment: datetime) -> None:
    made = arrived(office, value, work)
    if not isinstance(made, ArrivedCase):
        raise BadInput(f"{value.case}: {made[0].text}. It changed while the file was read; import it again.")
    if made.known:
        return
    work.count_from(*made.counted)
    if _waiting(value) and work.resting() is None:
        work.rest(moment.isoformat(timespec="seconds"))
    work.save(made.outcome, case_row(made.book, made.outcome.case), (), command)
    work.bring(value.brought)


def _tell(office: Office, work: Work, value: Older, command: str, digest: str, asked: Asked) -> None:
    made = older(office, value, asked.by, asked.moment, work)
    if not isinstance(made, OlderCase):
        raise BadInput(f"{made[0].case}: {made[0].text}. It changed while the file was read; import it again.")
    prefix = made.book.pack.text.prefix
    request = f"{prefix}-{made.year}-{work.next_number(prefix, made.year):05d}"
    past = made.made(request, digest, office.key)
    work.keep_pack(made.book.pack, office.packs.files(made.book.pack.hash))
    work.save(past.outcome, case_row(made.book, past.outcome.case), (), command)
    work.bring(made.letters(past.outcome))
