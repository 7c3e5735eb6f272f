"""The docket as values that leave this record or come into it: packs, cases with all that is on record of them, in order.

One case is held at a time. How a line of a file looks, and how a file is read and written, is for an adapter
(docketfile); taking in what a file holds is for importing.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from caseflow.domain.case import Entry
from caseflow.domain.journal import moment_text
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.ports.work import Brought, Work

if TYPE_CHECKING:
    from caseflow.services.ports.docket import DocketFilter

FORMAT = 1
"""The version of the file format that is written; a reader refuses others."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a docket says of itself first. `packs`: {hash, pack, version} of each pack that follows, `calendars`: the SHA-256 of
    each changed calendar."""

    format: int
    agency: str
    made_at: str
    packs: tuple[Mapping[str, str], ...]
    calendars: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PackFiles:
    """A pack whole, by content hash."""

    hash: str
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CalendarFile:
    """A changed calendar that was adopted, by the SHA-256 of its text."""

    digest: str
    text: str


@dataclass(frozen=True, slots=True)
class Carried:
    """A case: its whole journal with salts, and its letters, attempts and documents (of these only what names them)."""

    case: str
    workflow: str
    entries: tuple[Entry, ...]
    brought: Brought


@dataclass(frozen=True, slots=True)
class Older:
    """A case of an older system: a request file (CONTRACT section 1) and what was done since."""

    request: Mapping[str, Any]
    history: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The last line of a docket: how many cases it has, and the SHA-256 of all lines after the first."""

    cases: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong with a line, and what to write instead. `case` where it is known."""

    text: str
    instead: str = ""
    case: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file: its number from 1, the SHA-256 of what it says, and what that is."""

    number: int
    digest: str
    value: Header | PackFiles | CalendarFile | Carried | Older | End | Flaw


def docket(office: Office, wanted: DocketFilter, moment: datetime, progress: Progress = quiet) -> Iterator[Header | PackFiles | CalendarFile | Carried]:
    """The docket as of one moment: the header, every pack and changed calendar that is kept, and the wanted cases by number."""
    store = office.store
    with store.together():
        total = store.how_many(wanted, 10**9)
        header = _header(office, moment)
        yield header
        for one in header.packs:
            yield PackFiles(one["hash"], office.packs.files(one["hash"]))
        for digest in header.calendars:
            yield CalendarFile(digest, store.calendar_text(digest) or "")
        for done, line in enumerate(store.docket(wanted), 1):
            with store.read() as work:
                yield carried(work, line.number)
            progress(done, total, "cases")


def _header(office: Office, moment: datetime) -> Header:
    first = office.packs.all()[0]
    agency = first.text.agency.name if first.text.agency is not None else first.text.title
    kept = sorted((one.version, one.pack, one.label) for one in office.store.pack_versions())
    packs = tuple({"hash": version, "pack": pack, "version": label} for version, pack, label in kept)
    return Header(FORMAT, agency, moment_text(moment), packs, tuple(office.store.calendars()))


def carried(work: Work, number: str) -> Carried:
    """All that is on record of a case. Raises NotFound."""
    case = work.case(number)
    letters = tuple(work.letters(case.number))
    attempts = tuple(attempt for letter in letters for attempt in work.attempts(letter.number))
    return Carried(case.number, case.workflow, work.entries(case.number), Brought(letters, attempts, work.documents(case.number)))
