"""A letter inside a page, with the words of the person who writes it underlaid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from markupsafe import Markup

_TAG = re.compile(r"(<[^>]*>)")
_HEADING = re.compile(r"(?<=<)(/?)h([1-4])(?=[ >])")
OWN_WORDS = 8
"""Shorter values are not underlaid: too many other words look like them."""


def body(part: str, facts: Mapping[str, Any] | None = None, below: int = 2) -> Markup:
    """The letter's safe markup, its headings `below` levels of the page; `facts` are the words that somebody has just written."""
    lowered = _HEADING.sub(lambda found: f"{found[1]}h{int(found[2]) + below}", part)
    own = sorted(set(_words(facts or {})), key=len, reverse=True)
    return _underlaid(lowered, own)


def _words(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        text = " ".join(value.split())
        if len(text) >= OWN_WORDS and " " in text:
            yield text
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _words(part)
    elif isinstance(value, list):
        for part in value:
            yield from _words(part)


def _underlaid(html: str, own: Iterable[str]) -> Markup:
    """Only text between tags is looked at, and only text that is escaped already is put in."""
    pieces = _TAG.split(html)
    for text in own:
        wanted = escape(text, quote=False).replace('"', "&quot;")
        for at in range(0, len(pieces), 2):
            if "\x00" not in pieces[at]:
                pieces[at] = pieces[at].replace(wanted, f"\x00{wanted}\x01")
    return Markup("".join(pieces).replace("\x00", '<mark class="own">').replace("\x01", "</mark>"))
