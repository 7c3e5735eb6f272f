"""Letters in the register, and the port of what writes them and shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Protocol

from caseflow.domain.mailing import Copy  # read from the annotation where a docket file is

if TYPE_CHECKING:
    from caseflow.domain.case import LetterOwed
    from caseflow.domain.pack import Pack


@dataclass(frozen=True, slots=True)
class Written:
    """A letter as written in the case transaction: its Markdown, and the hashes that prove how it was made."""

    owed: LetterOwed
    markdown: str
    subject: str
    template_hash: str
    content_hash: str
    status: str  # owed, draft (waits for approval) or blocked
    missing: tuple[str, ...] = ()
    leaves_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RegisteredLetter:
    """A row of the letter register. `recipients`: one map each with role, name, channel, address, status; `copies` has
    more of the same. `corrects`/`corrected_by`: letter numbers. `edits`: what a person wrote into its marked places."""

    number: str
    case: str
    seq: int
    letter: str
    title: str
    subject: str
    status: str
    markdown: str
    view: Mapping[str, Any]
    template_hash: str
    content_hash: str
    pack_version: str
    owed_on: date
    leaves_at: datetime | None
    sent_on: date | None
    recipients: tuple[Mapping[str, Any], ...]
    missing: tuple[str, ...]
    copies: tuple[Copy, ...] = ()
    corrects: str | None = None
    corrected_by: str | None = None
    edits: tuple[Mapping[str, Any], ...] = ()


class Letters(Protocol):
    """The writer of letters."""

    def write(self, owed: LetterOwed, pack: Pack, moment: datetime) -> Written:
        """The Markdown of a letter. Raises LetterFault, naming what is missing, unless the law itself owes it
        (`owed.by_law`): then the answer has status `blocked`."""

    def text(self, markdown: str) -> str:
        """Plain text."""

    def part(self, markdown: str) -> str:
        """The letter's text as part of an HTML page, safe to show in it."""

    def html(self, markdown: str, title: str, language: str = "en-US") -> str:
        """A whole HTML page, safe to open."""

    def pdf(self, letter: RegisteredLetter, window: Sequence[str] = (), code: str = "") -> bytes:
        """The letter as an accessible PDF: the same bytes whenever it is made with the same window and code.

        `window`: the lines of name and address that stand in the envelope's window instead of the first addressee's, such
        as those of who gets a copy. `code`: what this recipient types on the status page. Raises LetterFault when the
        renderer fails, hangs or grows too large."""

    def for_copy(self, markdown: str, code: str | None) -> str:
        """The words of one copy: with the access code where it has one, else without the parts that are about it."""

    def places(self, markdown: str) -> Mapping[str, str]:
        """The marked places of a letter in which a person may write, and what stands there."""

    def with_place(self, markdown: str, place: str, text: str) -> str:
        """The letter with a text in a marked place, as plain paragraphs. Raises BadInput where there is no such place."""
