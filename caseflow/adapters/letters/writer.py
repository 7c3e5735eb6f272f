"""Writes a letter: a Jinja template in Markdown and frozen plain data in, Markdown out. Sending is elsewhere.

Values are shown as text and can't become markup (shown.py), templates run in a sandbox (sandbox.py), and size is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Template, TemplateError, UndefinedError

from caseflow.adapters.letters.marks import for_copy, held, places, set_down, with_place
from caseflow.adapters.letters.missing import missing_names
from caseflow.adapters.letters.sandbox import line_of, refuse_waste, sandbox, settled, taken_in
from caseflow.domain.case import NO_HASH, LetterOwed
from caseflow.domain.letterview import standing
from caseflow.domain.mailing import UNSHOWN
from caseflow.domain.pack import Pack
from caseflow.errors import LetterFault
from caseflow.services.ports import RegisteredLetter, Written
from caseflow.services.remembering import Remembered

if TYPE_CHECKING:
    from caseflow.adapters.letters.pdf import PdfMaker

MAX_LETTER = 256 * 1024
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.S)
_SUBJECT = "{{ letter.title }}, {{ case.number }}"
_BLANKS = re.compile(r"\n{3,}")
_ESCAPE = re.compile(r"\\([\W_])")

Files = Callable[[str], Mapping[str, str]]
"""The files of a pack version, templates under `templates/`."""


_TEMPLATES = Remembered(16)
"""The templates of a pack version, by its content hash: what several writers of one process share."""


class LetterWriter:
    """Implements ports.Letters. Templates are compiled once per pack version."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._packs: dict[str, _PackTemplates] = {}

    def write(self, owed: LetterOwed, pack: Pack, moment: datetime) -> Written:
        """The Markdown of a letter. Raises LetterFault, unless the law itself owes it: then it is blocked."""
        templates = self._packs.get(pack.hash)
        if templates is None:
            files = self._files(pack.hash)
            templates = self._packs[pack.hash] = _TEMPLATES.get(pack.hash, lambda: _PackTemplates(files, standing(pack)), files)
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


class _Made(NamedTuple):
    subject: Template
    body: Template
    version: str
    above: int
    """The lines above the body: its subject and the like."""
    source: str


class _PackTemplates:
    def __init__(self, files: Mapping[str, str], standing: Mapping[str, Any]) -> None:
        self._standing = standing
        self._sources = {path.removeprefix("templates/"): text for path, text in files.items() if path.startswith("templates/")}
        self._environment = sandbox()
        self._made: dict[str, _Made] = {}

    def render(self, letter: str, view: Mapping[str, Any]) -> tuple[str, str, str]:
        """Subject, Markdown and template hash. Raises LetterFault."""
        made = self._made.get(letter) or self._make(letter)
        try:
            context = made.body.new_context(view, shared=True)  # type: ignore[arg-type]
            subject = "".join(made.subject.root_render_func(context))
            markdown = _bounded(made.body.root_render_func(context), letter)
        except UndefinedError as error:
            name = _missing_name(str(error))
            names = tuple(dict.fromkeys((name, *missing_names(made.source, view))))
            said = f"{name}, which is not stated; state it" if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}, which are not stated; state them"
            raise LetterFault(f"The letter '{letter}' needs {said} with the action.", letter, names, self._at(letter, made, error)) from None
        except (TemplateError, TypeError, ValueError, ArithmeticError, RecursionError, MemoryError) as error:
            why = " ".join(str(error).split())[:200]
            raise LetterFault(f"The letter '{letter}' can't be written: {why}.", letter, (why,), self._at(letter, made, error)) from None
        return _plain(subject), _BLANKS.sub("\n\n", set_down(markdown)).strip() + "\n", made.version

    def _at(self, letter: str, made: _Made, error: BaseException) -> tuple[str, int]:
        """The template and its line that was being written when an error came up."""
        line, trace = 1, error.__traceback__
        while trace is not None:
            running = trace.tb_frame.f_globals.get("__jinja_template__")
            if running is made.body:
                line = made.body.get_corresponding_lineno(trace.tb_lineno) + made.above
            trace = trace.tb_next
        return self._origin(f"{letter}.md", line)

    def _origin(self, name: str, line: int) -> tuple[str, int]:
        file, own = line_of(self._sources, name, line)
        return f"templates/{file}", own

    def _make(self, letter: str) -> _Made:
        name = f"{letter}.md"
        if name not in self._sources:
            raise LetterFault(f"The letter '{letter}' has no template; write templates/letters/.../{name}.", letter)
        above = 0
        try:
            whole = taken_in(self._environment, self._sources, name)
            front = _FRONT.match(whole)
            subject = (_front_value(front[1], "subject") if front else None) or _SUBJECT
            body = held(whole[front.end() :] if front else whole)
            above = whole[: front.end()].count("\n") if front else 0
            refuse_waste(self._environment, subject + body)
            made = _Made(self._compiled(subject), self._compiled(body), sha256(whole.encode()).hexdigest(), above, body)
        except TemplateError as error:
            line, place = getattr(error, "lineno", 0), getattr(error, "name", None)
            at = (f"templates/{place}", line) if place else self._origin(name, line + above)
            text = f"The template {at[0].removeprefix('templates/')} can't be used (line {at[1]}): {error.message}."
            raise LetterFault(text, letter, (), at) from None
        self._made[letter] = made
        return made

    def _compiled(self, source: str) -> Template:
        return self._environment.from_string(settled(self._environment.parse(source), self._standing))


def _bounded(pieces: Iterator[str], letter: str) -> str:
    """The pieces joined, a few hundred at a time, so that a letter without end is stopped while it grows."""
    parts: list[str] = []
    size = 0
    while some := list(islice(pieces, 512)):
        parts.append("".join(some))
        size += len(parts[-1].encode())
        if size > MAX_LETTER:
            raise LetterFault(f"The letter '{letter}' is longer than {MAX_LETTER // 1024} KiB; shorten what it states.", letter)
    return "".join(parts)


def _missing_name(error: str) -> str:
    found = re.findall(r"'([^']+)'", error)
    return found[-1] if found and "has no attribute" in error else found[0] if found else error


def _front_value(front: str, key: str) -> str | None:
    for line in front.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == key:
            return value.strip().strip("\"'")
    return None


def _plain(subject: str) -> str:
    return " ".join(_ESCAPE.sub(r"\1", subject).split())
