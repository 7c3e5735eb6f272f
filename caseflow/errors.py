"""Every error that caseflow raises on purpose. Doors catch these and nothing else.

CaseflowError
  PackFaults          a pack does not load: every fault with file, line, column and what to write instead
  Refused             the law or the workflow says no: each reason with its citation
    StaleCase         somebody changed the case since it was read
  BadInput            what was handed in can't be read or used: what, where and what to do instead
    NotFound          there is no such case, letter, workflow or clock
      Disposed        there was such a case; its record was disposed of, and a stub is left
  LetterFault         a letter can't be written: template, missing name, case
  StoreFault          the database refused (KeyRefused), is locked, full or out of reach
    TryAgain          nothing was done, and the same may succeed in a moment
    NotKnown          the database was lost before it said whether it was done
    DocumentLost      the content of a document is missing or altered
    RecordBroken      what is stored of one case contradicts itself
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class CaseflowError(Exception):
    """Something that a person can act on; its text is one clear sentence."""


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One fault of a pack. `line` and `column` count from 1; 0 means the file as a whole."""

    file: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.text}" if self.line else f"{self.file}: {self.text}"


class PackFaults(CaseflowError):
    """The pack does not load; `faults` names every reason found."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(faults))
        super().__init__("\n".join(str(fault) for fault in self.faults))


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an act is refused.

    `code` is one of CODES; `id` the condition, limit, fact or state that refuses; `entries` the sequence
    numbers that matter; `instead` what to do.
    """

    code: str
    id: str
    text: str
    cite: str | None = None
    entries: tuple[int, ...] = ()
    role: str | None = None
    instead: str | None = None


CODES = (
    "unknown-action",
    "wrong-state",
    "not-permitted",
    "guard-failed",
    "limit-reached",
    "facts-invalid",
    "letter-incomplete",
    "stale",
    "date-invalid",
)


class Refused(CaseflowError):
    """The answer is no; `reasons` says why, all of them."""

    def __init__(self, reasons: Sequence[Reason], what: str = "Refused") -> None:
        self.reasons = tuple(reasons)
        self.what = what
        super().__init__(what + ": " + " ".join(_sentence(reason) for reason in self.reasons))


def _sentence(reason: Reason) -> str:
    text = reason.text.rstrip()
    text += "" if text.endswith((".", "?", "!")) else "."
    if reason.cite:
        text += f" ({reason.cite})"
    if reason.instead:
        text += f" {reason.instead}"
    return text


class StaleCase(Refused):
    """The case moved on since the caller read it."""


class BadInput(CaseflowError):
    """What was handed in can't be used."""


class NotFound(BadInput):
    """Nothing of that name exists."""


class Disposed(NotFound):
    """The record was disposed of; `stub` is what is left of it, as plain data."""

    def __init__(self, text: str, stub: Mapping[str, Any]) -> None:
        self.stub = dict(stub)
        super().__init__(text)


class LetterFault(CaseflowError):
    """A letter can't be written. `missing` lists the names that have no value; `at` is the template (`templates/x.md`) and its
    line that could not be written, where that is known."""

    def __init__(self, text: str, letter: str = "", missing: Sequence[str] = (), at: tuple[str, int] | None = None) -> None:
        self.letter = letter
        self.at = at
        self.missing = tuple(missing)
        super().__init__(text)


class MailFault(CaseflowError):
    """A copy of a letter was not handed over."""


class NotNow(MailFault):
    """The way out can't take the copy at present; it waits."""


class WayDown(NotNow):
    """The way out itself can't be reached; what else would leave by it need not try now."""


class NotTaken(MailFault):
    """The way out will never take this copy."""


class AnswerUnknown(MailFault):
    """The copy was handed to the other side, whose answer was lost: it may have been taken or not."""


class StoreFault(CaseflowError):
    """The database could not do it; nothing was changed."""


class KeyRefused(StoreFault):
    """A key of the database refuses what was to be written. Doing the same again is refused again."""


class TryAgain(StoreFault):
    """Two got in each other's way, or the connection was lost: nothing was done, and the same may succeed in a moment.

    `spent`: it has been tried as often as it is going to be.
    """

    spent = False


class Lapsed(StoreFault):
    """A run came back after its time was over; nothing of its last transaction was kept."""


class NotKnown(StoreFault):
    """The database was lost before it said whether it was done. It may have been."""


class DocumentLost(StoreFault):
    """The content of a document is missing or is not what was kept."""


@dataclass
class RecordFault:
    """One place where the record does not add up."""

    case: str
    seq: int
    text: str


class RecordBroken(StoreFault):
    """What is stored of one case contradicts itself; the others are not concerned."""
