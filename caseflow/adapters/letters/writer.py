"""Writes a letter: a Jinja template in Markdown and frozen plain data in, Markdown out. Sending is elsewhere.

Templates are compiled and run elsewhere (templates.py), and loaded with the first letter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from caseflow.adapters.letters.marks import for_copy, places, with_place
from caseflow.domain.case import NO_HASH, LetterOwed
from caseflow.domain.letterview import standing
from caseflow.domain.mailing import UNSHOWN
from caseflow.domain.pack import Pack
from caseflow.errors import LetterFault
from caseflow.services.ports.letters import RegisteredLetter, Written
from caseflow.services.remembering import Remembered

if TYPE_CHECKING:
    from caseflow.adapters.letters.pdf import PdfMaker
    from caseflow.adapters.letters.templates import PackTemplates


Files = Callable[[str], Mapping[str, str]]
"""The files of a pack version, templates under `templates/`."""


_TEMPLATES = Remembered(16)
"""The templates of a pack version, by its content hash: what several writers of one process share."""


class LetterWriter:
    """Implements ports.Letters. Templates are compiled once per pack version."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._packs: dict[str, PackTemplates] = {}

    def write(self, owed: LetterOwed, pack: Pack, moment: datetime) -> Written:
        """The Markdown of a letter. Raises LetterFault, unless the law itself owes it: then it is blocked."""
        templates = self._packs.get(pack.hash) or self._load(pack)
        try:
            subject, markdown, version = templates.render(owed.template or owed.letter, owed.view)
            if owed.corrects is not None and owed.corrects not in markdown:
                text = f"The template of '{owed.letter}' does not say which letter it corrects; take in shared/correction.md."
                raise LetterFault(text, owed.letter, ("corrects.number",))
        except LetterFault as fault:
            if not owed.by_law:
                raise
            return Written(owed, "", str(owed.view["letter"]["title"]), NO_HASH, NO_HASH, "blocked", fault.missing or (str(fault),))
        status = "draft" if owed.approval else "owed"
        leaves = moment + timedelta(minutes=pack.text.mail_waits.minutes)
        return Written(owed, markdown, subject, version, sha256(markdown.encode()).hexdigest(), status, (), leaves)

    def _load(self, pack: Pack) -> PackTemplates:
        from caseflow.adapters.letters.templates import PackTemplates  # most acts write no letter, and the template language loads slowly

        files = self._files(pack.hash)
        made: PackTemplates = _TEMPLATES.get(pack.hash, lambda: PackTemplates(files, standing(pack)), files)
        self._packs[pack.hash] = made
        return made

    def text(self, markdown: str) -> str:
        """Plain text."""
        from caseflow.adapters.letters.forms import to_text

        return to_text(markdown)

    def part(self, markdown: str) -> str:
        """The letter's text as part of a page of the staff, who are not shown the code of its addressee."""
        from caseflow.adapters.letters.forms import to_part

        return to_part(for_copy(markdown, UNSHOWN))

    def html(self, markdown: str, title: str, language: str = "en-US") -> str:
        """A whole HTML page, safe to open."""
        from caseflow.adapters.letters.forms import to_html

        return to_html(markdown, title, language)

    def pdf(self, letter: RegisteredLetter, window: Sequence[str] = (), code: str = "") -> bytes:
        """An accessible PDF; without a code it has no word that is for the addressee alone. Raises LetterFault."""
        from caseflow.adapters.letters.pdf import language_of, particulars

        meta = {**particulars(letter), "window": "\n".join(window), "code": code}
        return self.pages.make(for_copy(letter.markdown, code or None), letter.subject or letter.title, language_of(self._files(letter.pack_version)), meta)

    @cached_property
    def pages(self) -> PdfMaker:
        """What makes PDF files; its workers start with the first."""
        from caseflow.adapters.letters.pdf import PdfMaker

        return PdfMaker(self._files)

    def for_copy(self, markdown: str, code: str | None) -> str:
        """The words of one copy."""
        return for_copy(markdown, code)

    def places(self, markdown: str) -> Mapping[str, str]:
        """The marked places of a letter, and what stands there."""
        return places(markdown)

    def with_place(self, markdown: str, place: str, text: str) -> str:
        """The letter with a text in a marked place."""
        return with_place(markdown, place, text)
