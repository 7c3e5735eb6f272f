"""Any text as Markdown that shows just that text. The forms of values in a letter are in shown.py, which needs the template language."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from markupsafe import Markup

MAX_VALUE = 64 * 1024
_ALWAYS = {ord(char): f"\\{char}" for char in "\\`*_[]<>&~|"}
# Line starts that Markdown reads: a value may stand there, alone or behind another value that is a number.
_LEADING = frozenset("-+#=:.)")
_NUMBERED = re.compile(r"\d{1,9}(?=[.)])")
# Control, direction and invisible characters: they could make a reader see what is not there.
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]")


def escaped(value: Any) -> Markup:
    """A value as Markdown that shows just that text: one line, no markup, no hidden characters."""
    if isinstance(value, Markup):
        return value
    text = str(value)
    if len(text) > MAX_VALUE:
        raise ValueError(f"a value is longer than {MAX_VALUE // 1024} KiB")
    return kept(text) if len(text) <= 200 else _shown(text)


def _shown(text: str) -> Markup:
    text = " ".join(text.split())
    if not (text.isascii() and text.isprintable()):
        text = " ".join(_HIDDEN.sub("", text).split())
    text = text.translate(_ALWAYS)
    if text[:1] in _LEADING:
        return Markup("\\" + text)
    numbered = _NUMBERED.match(text)
    return Markup(f"{numbered[0]}\\{text[numbered.end() :]}") if numbered else Markup(text)


kept = lru_cache(maxsize=8192)(_shown)
"""The same for a short text, which comes again and again."""
