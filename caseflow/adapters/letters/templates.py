"""The templates of a pack version, compiled: frozen plain data in, subject and Markdown out.

Values are shown as text and can't become markup (shown.py), templates run in a sandbox (sandbox.py), and size is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import islice
from typing import Any, NamedTuple

from jinja2 import Template, TemplateError, UndefinedError

from caseflow.adapters.letters.marks import held, set_down
from caseflow.adapters.letters.missing import missing_names
from caseflow.adapters.letters.sandbox import line_of, refuse_waste, sandbox, settled, taken_in
from caseflow.errors import LetterFault

MAX_LETTER = 256 * 1024
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.S)
_SUBJECT = "{{ letter.title }}, {{ case.number }}"
_BLANKS = re.compile(r"\n{3,}")
_ESCAPE = re.compile(r"\\([\W_])")


class _Made(NamedTuple):
    subject: Template
    body: Template
    version: str
    above: int
    """The lines above the body: its subject and the like."""
    source: str


class PackTemplates:
    """Each template of a pack version, compiled when it is first used."""

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
