"""What every command does with its surroundings: open the program, read, print, and end with a fitting exit code.

Errors are caught here and nowhere else. Exit codes: 0 done, 1 a check found faults, 2 refused or bad input, 3 the
store failed (or caseflow itself).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from caseflow.errors import BadInput, CaseflowError, LetterFault, NotFound, PackFaults, Reason, Refused, StoreFault

if TYPE_CHECKING:
    from rich.console import RenderableType

    from caseflow.cli.app import App, Opener, Progress, Settings
    from caseflow.domain.case import Actor

DONE, FAULTS, REFUSED, FAILED, INTERRUPTED = 0, 1, 2, 3, 130
PLAIN_WIDTH = 80


@dataclass
class Door:
    """Handed to every command. `exit_code` is how the process ends when the command itself succeeds."""

    opener: Opener
    settings: Settings
    user: str | None = None
    exit_code: int = DONE
    _app: App | None = field(default=None, repr=False)

    @property
    def app(self) -> App:
        """The program, opened at its first use."""
        if self._app is None:
            self._app = self.opener(self.settings)
        return self._app

    def read(self, path: str | None) -> dict[str, Any]:
        """The names and values of a file; none where no file is given."""
        return self.app.read_yaml(path) if path else {}

    def actor(self, text: str | None) -> Actor:
        """Who acts: USER or USER:ROLE; by default the person who is logged in, as staff."""
        from caseflow.domain.case import Actor

        name, colon, role = (text or self.user or _login()).partition(":")
        if not name.strip() or (colon and not role.strip()):
            raise BadInput(f"'{text or self.user}' is no person; write USER or USER:ROLE, such as pat:supervisor.")
        return Actor("person", name.strip(), role.strip() or "staff")

    def answer(self, answer: Any, as_json: bool, picture: Callable[[Any], RenderableType]) -> None:
        """Prints an answer: as JSON, or as a picture for people."""
        if as_json:
            print_json(answer)
        else:
            draw(picture(answer))


def _login() -> str:
    return os.environ.get("USER") or os.environ.get("LOGNAME") or "staff"


# --- printing -----------------------------------------------------------------------------------------------------


def print_json(answer: Any) -> None:
    """JSON on stdout, and nothing else there."""
    sys.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")


def draw(picture: RenderableType) -> None:
    """A picture on stdout: in color on a terminal that wants it, plain and 80 wide elsewhere."""
    from rich.console import Console

    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PLAIN_WIDTH
    Console(width=width, markup=False, highlight=False, emoji=False, soft_wrap=False).print(picture)


def say(text: str) -> None:
    """A message to the person, on stderr."""
    sys.stderr.write(text + "\n")


@contextmanager
def progress() -> Iterator[Progress]:
    """A bar on stderr for long work; nothing where nobody watches."""
    if not sys.stderr.isatty():
        yield _quiet
        return
    from caseflow.cli.pictures.progress import bar

    with bar() as told:
        yield told


def _quiet(done: int, total: int | None, what: str) -> None:
    """Tells nobody."""


# --- errors -------------------------------------------------------------------------------------------------------


def report(fault: CaseflowError, as_json: bool) -> int:
    """Says what went wrong on stderr (and as JSON on stdout where that is asked for). The answer is the exit code."""
    if as_json:
        print_json(error_json(fault))
    say(sentence(fault))
    return FAILED if isinstance(fault, StoreFault) else REFUSED


def error_json(fault: CaseflowError) -> dict[str, Any]:
    """An error as scripts read it."""
    because: list[dict[str, Any]] = []
    if isinstance(fault, Refused):
        from caseflow.services.showing import reason_json

        because = [reason_json(reason) for reason in fault.reasons]
    if isinstance(fault, PackFaults):
        because = [{"file": at.file, "line": at.line, "column": at.column, "text": at.text} for at in fault.faults]
    return {"error": _code(fault), "text": str(fault), "because": because}


def _code(fault: CaseflowError) -> str:
    if isinstance(fault, Refused):
        return fault.reasons[0].code if fault.reasons else "refused"
    kinds = (
        (PackFaults, "pack-faults"),
        (LetterFault, "letter-incomplete"),
        (NotFound, "not-found"),
        (BadInput, "bad-input"),
    )
    return next((code for kind, code in kinds if isinstance(fault, kind)), "store-failed")


def sentence(fault: CaseflowError) -> str:
    """One clear sentence, and under it each reason with its citation."""
    if not isinstance(fault, Refused):
        return visible(str(fault)) or "The store failed; nothing was changed."
    count = len(fault.reasons)
    head = f"{fault.what}." if count == 1 else f"{fault.what}, for {count} reasons."
    return visible("\n".join([head, *(line for reason in fault.reasons for line in _reason(reason))]))


def _reason(reason: Reason) -> Iterator[str]:
    stands = [reason.cite] if reason.cite else []
    if reason.entries:
        stands.append(("entry " if len(reason.entries) == 1 else "entries ") + ", ".join(map(str, reason.entries)))
    text = reason.text.rstrip()
    text += "" if text.endswith((".", "?", "!")) else "."
    yield f"  - {text}" + (f" ({'; '.join(stands)})" if stands else "")
    if reason.instead:
        yield f"    {reason.instead}"


def visible(text: str) -> str:
    """Text whose control characters, which could write over a terminal, are shown as a sign."""
    return "".join(sign if sign == "\n" or _harmless(sign) else "\ufffd" for sign in text)


def _harmless(sign: str) -> bool:
    code = ord(sign)
    if code < 0x20 or 0x7F <= code < 0xA0:
        return False
    return not (0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069)
