"""Writes a letter: a Jinja template in Markdown and frozen plain data in, Markdown out. Sending is elsewhere.

Values are shown as text and can't become markup: every value is escaped for Markdown unless a block or filter made it.
Templates run in an immutable sandbox, undefined names are errors, and size is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from hashlib import sha256
from typing import Any

from jinja2 import DictLoader, StrictUndefined, Template, TemplateError, UndefinedError, nodes
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from caseflow.domain.calendar import say
from caseflow.domain.case import LetterOwed
from caseflow.domain.pack import Pack
from caseflow.errors import LetterFault
from caseflow.services.ports import Written

MAX_LETTER = 256 * 1024
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~&:@^=$])")
_HIDDEN = re.compile("[\u0000-\u0008\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.S)

Files = Callable[[str], Mapping[str, str]]
"""The files of a pack version, templates under `templates/`."""


def escaped(value: Any) -> Markup:
    """A value as Markdown that shows just that text: one line, no markup, no hidden characters."""
    if hasattr(value, "__html__"):
        return Markup(value)
    text = _HIDDEN.sub("", " ".join(str(value).split()))
    return Markup(_SPECIAL.sub(r"\\\1", text))


class LetterWriter:
    """Implements ports.Letters. Templates are compiled once per pack version."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._packs: dict[str, _PackTemplates] = {}

    def write(self, owed: LetterOwed, pack: Pack, moment: datetime) -> Written:
        """The Markdown of a letter. Raises LetterFault, unless the law itself owes it: then it is blocked."""
        templates = self._packs.get(pack.hash)
        if templates is None:
            templates = self._packs[pack.hash] = _PackTemplates(self._files(pack.hash))
        try:
            subject, markdown, version = templates.render(owed.letter, owed.view)
        except LetterFault as fault:
            if not owed.by_law:
                raise
            return Written(owed, "", str(owed.view["letter"]["title"]), "0" * 64, "0" * 64, "blocked", fault.missing or (str(fault),))
        status = "draft" if owed.approval else "owed"
        leaves = moment + timedelta(minutes=pack.text.mail_waits.minutes)
        return Written(owed, markdown, subject, version, sha256(markdown.encode()).hexdigest(), status, (), leaves)

    def text(self, markdown: str) -> str:
        """Plain text."""
        from caseflow.adapters.letters.forms import to_text

        return to_text(markdown)

    def html(self, markdown: str, title: str, language: str = "en-US") -> str:
        """A whole HTML page, safe to open."""
        from caseflow.adapters.letters.forms import to_html

        return to_html(markdown, title, language)


class _PackTemplates:
    def __init__(self, files: Mapping[str, str]) -> None:
        self._sources = {path.removeprefix("templates/"): text for path, text in files.items() if path.startswith("templates/")}
        bodies = {name: _FRONT.sub("", text) for name, text in self._sources.items()}
        self._environment = _environment(bodies)
        self._made: dict[str, tuple[Template, Template, str]] = {}

    def render(self, letter: str, view: Mapping[str, Any]) -> tuple[str, str, str]:
        """Subject, Markdown and template hash. Raises LetterFault."""
        subject, body, version = self._template(letter)
        try:
            markdown = body.render(view)
            title = subject.render(view)
        except UndefinedError as error:
            name = _missing_name(str(error))
            raise LetterFault(f"The letter '{letter}' needs {name}, which is not stated; state it with the action.", letter, (name,)) from None
        except (SecurityError, TemplateError, TypeError, ValueError, OverflowError, MemoryError) as error:
            raise LetterFault(f"The letter '{letter}' can't be written: {str(error)[:200]}.", letter, (str(error)[:200],)) from None
        if len(markdown) > MAX_LETTER:
            raise LetterFault(f"The letter '{letter}' is longer than {MAX_LETTER // 1024} KiB; shorten what it states.", letter)
        return _unescaped(title), _tidy(markdown), version

    def _template(self, letter: str) -> tuple[Template, Template, str]:
        if letter not in self._made:
            name = f"{letter}.md"
            if name not in self._sources:
                raise LetterFault(f"The letter '{letter}' has no template; write templates/letters/.../{name}.", letter)
            front = _FRONT.match(self._sources[name])
            subject = _front_value(front[1] if front else "", "subject") or "{{ letter.title }}, {{ case.number }}"
            try:
                made = (self._environment.from_string(subject), self._environment.get_template(name), self._hash(name))
            except TemplateError as error:
                raise LetterFault(f"The template {name} can't be read (line {getattr(error, 'lineno', 0)}): {error}.", letter) from None
            self._made[letter] = made
        return self._made[letter]

    def _hash(self, name: str) -> str:
        """SHA-256 over a template and everything that it takes in."""
        digest, todo, seen = sha256(), [name], set()
        while todo:
            one = todo.pop()
            if one in seen:
                continue
            seen.add(one)
            digest.update(f"{one}\0{self._sources.get(one, '')}\0".encode())
            tree = self._environment.parse(self._sources.get(one, ""))
            todo += [str(node.template.value) for node in tree.find_all(nodes.Include) if isinstance(node.template, nodes.Const)]
        return digest.hexdigest()


class _Sandbox(ImmutableSandboxedEnvironment):
    """The sandbox does not stop a template from asking for a gigabyte; multiplying and powers have no place in a letter."""

    intercepted_binops = frozenset(("*", "**"))

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        raise SecurityError(f"'{operator}' has no place in a letter")


def _environment(bodies: Mapping[str, str]) -> ImmutableSandboxedEnvironment:
    environment = _Sandbox(
        loader=DictLoader(dict(bodies)),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        cache_size=-1,
    )
    environment.globals.clear()
    environment.filters = {
        name: environment.filters[name]
        for name in ("length", "first", "last", "join", "default", "upper", "lower", "sum", "reject", "select", "selectattr", "rejectattr", "list")
    }
    environment.filters.update(day=_day, money=_money, lines=_lines, listed=_listed, plural=_plural, sentence=_sentence)
    return environment


def _finalize(value: Any) -> Any:
    if isinstance(value, StrictUndefined):
        return value
    if value is None:
        raise UndefinedError("a value that the letter needs is empty")
    return escaped(value)


def _day(value: Any) -> Markup:
    """Monday, January 4, 2027."""
    if not isinstance(value, str):
        raise UndefinedError("a day that the letter needs is not known")
    return Markup(_day_text(value))


@lru_cache(maxsize=4096)
def _day_text(value: str) -> str:
    return say(date.fromisoformat(value[:10]).toordinal())


def _money(value: Any) -> Markup:
    """$1,203.00."""
    try:
        return Markup(f"\\${Decimal(str(value)):,.2f}")
    except InvalidOperation:
        raise UndefinedError("an amount that the letter needs is not known") from None


def _lines(value: Any) -> Markup:
    """Text of several lines: each line escaped, kept apart."""
    parts = value if isinstance(value, (list, tuple)) else str(value).splitlines()
    return Markup("\\\n").join(escaped(part) for part in parts if str(part).strip())


def _listed(values: Any) -> Markup:
    """a, b and c."""
    made = [escaped(value) for value in values]
    return made[0] if len(made) == 1 else Markup(", ").join(made[:-1]) + Markup(" and ") + made[-1] if made else Markup("")


def _plural(number: Any, one: str, many: str | None = None) -> Markup:
    """1 day, 2 days."""
    return Markup(f"{int(number)} {one if int(number) == 1 else many or one + 's'}")


def _sentence(value: Any) -> Markup:
    """Text that ends as a sentence does."""
    text = " ".join(str(value).split())
    return escaped(text if text.endswith((".", "!", "?")) else text + ".")


def _missing_name(error: str) -> str:
    found = re.findall(r"'([^']+)'", error)
    return found[-1] if found and "has no attribute" in error else found[0] if found else error


def _front_value(front: str, key: str) -> str | None:
    for line in front.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == key:
            return value.strip().strip("\"'")
    return None


def _unescaped(text: str) -> str:
    return " ".join(re.sub(r"\\([\W_])", r"\1", str(text)).split())


_BLANKS = re.compile(r"\n{3,}")


def _tidy(markdown: str) -> str:
    return _BLANKS.sub("\n\n", markdown).strip() + "\n"
