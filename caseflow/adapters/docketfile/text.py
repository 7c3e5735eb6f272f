"""A line of a file that anybody may have written, as plain JSON values, or the one sentence that says what is wrong with it."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from caseflow.services.carrying import Flaw

LONGEST = 64 * 1024 * 1024
"""Bytes of a line; a case with a thousand entries and letters has less than a tenth of it."""
DEEPEST = 64
"""Levels of lists and maps within one another."""
DIGITS = 15
"""Digits of a whole number: what every reader of JSON keeps exactly."""
BOM = b"\xef\xbb\xbf"


class Flawed(ValueError):
    """The line can't be read."""

    def __init__(self, text: str, instead: str) -> None:
        self.flaw = Flaw(text, instead)
        super().__init__(text)


def read_line(raw: bytes) -> dict[str, Any]:
    """The map that a line holds. Raises Flawed."""
    if len(raw) > LONGEST:
        raise Flawed(f"the line is longer than {LONGEST // 1024 // 1024} MiB", "Write one case a line.")
    text = _decoded(raw)
    try:
        value = json.loads(text, object_pairs_hook=_pairs, parse_float=_no_float, parse_constant=_no_float, parse_int=_whole)
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as error:
        raise Flawed(f"it is not JSON: {error.msg} at character {error.colno}", "Write one JSON object a line, with nothing before or after it.") from None
    if not isinstance(value, dict):
        raise Flawed("it is not a JSON object", "Write one JSON object a line, such as {...}.")
    _look_through(value)
    return value


def _decoded(raw: bytes) -> str:
    if raw.startswith(BOM):
        raise Flawed("it begins with a byte order mark", "Save the file as UTF-8 without a byte order mark.")
    if b"\0" in raw:
        raise Flawed(f"it holds a NUL byte (byte {raw.index(0) + 1})", "Save the file as UTF-8 text.")
    if raw.endswith(b"\r"):
        raise Flawed("it ends with CR LF", "Save the file with line ends of LF alone.")
    if not raw.strip():
        raise Flawed("it is empty", "Leave no empty line.")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Flawed(f"it is not UTF-8 (byte {error.start + 1})", "Save the file as UTF-8.") from None


def _too_deep() -> Flawed:
    return Flawed(f"it is nested more than {DEEPEST} levels deep", "Write maps and lists no deeper than a request file has them.")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Flawed(f"'{twice[:80]}' stands twice in one map", "Write each name once.")
    return made


def _no_float(text: str) -> NoReturn:
    raise Flawed(f"{text[:40]} is not a whole number", f'Write it as text, such as "{text[:40]}", so that every reader sees the same number.')


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > DIGITS:
        raise Flawed(f"the number {text[:20]}... has more than {DIGITS} digits", "Write it as text.")
    return int(text)


def _look_through(value: Any) -> None:
    """Refuses what JSON can say and a record can't keep. Walks level by level, so that depth costs no stack."""
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                for name in one:
                    _text(name)
                below += one.values()
            elif isinstance(one, list):
                below += one
            elif isinstance(one, str):
                _text(one)
        if not below:
            return
        level = below
    raise _too_deep()


def _text(text: str) -> None:
    if "\0" in text:
        raise Flawed("a text in it holds the character NUL", "Leave it out.")
    if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
        raise Flawed("a text in it holds half of a surrogate pair", "Write the whole character.")
