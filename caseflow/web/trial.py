"""What an act would do, as pages show it: now and then side by side, only what changes in bold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from markupsafe import Markup

from caseflow.web.documents import body

_TAG = re.compile(r"(<[^>]*>)")
OWN_WORDS = 8
"""Shorter values are not underlaid: too many other words look like them."""


def changes(made: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows: each clock and limit that the act touches, with both sides."""
    before, after = made["before"], made["after"]
    if after is None:
        return []
    then = {clock["id"]: clock for clock in after["clocks"]}
    rows = []
    for now in before["clocks"]:
        later = then[now["id"]]
        changed = _moved(now) != _moved(later)
        if changed or now["status"] in ("running", "tolled", "displaced", "missed"):
            rows.append({"clock": now, "now": now, "then": later, "changed": changed})
    return rows


def _moved(clock: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(clock[name] for name in ("status", "due", "target", "displaced_on", "ended_on"))


def limits(made: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The limits that the act uses up or gives back."""
    if made["after"] is None:
        return []
    then = {limit["id"]: limit for limit in made["after"]["limits"]}
    return [
        {"title": now["title"] or now["id"], "now": now["allowed"] - now["used"], "then": now["allowed"] - then[now["id"]]["used"], "of": now["allowed"]}
        for now in made["before"]["limits"]
        if then[now["id"]]["used"] != now["used"]
    ]


def letters(made: Mapping[str, Any], facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The letters with the person's own words underlaid."""
    own = sorted(set(_words(facts)), key=len, reverse=True)
    return [{"title": letter["title"], "subject": letter["subject"], "body": _underlaid(body(letter["markdown"]), own)} for letter in made["letters"]]


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


def _underlaid(html: Markup, own: Iterable[str]) -> Markup:
    pieces = _TAG.split(str(html))
    for text in own:
        wanted = escape(text, quote=False).replace('"', "&quot;")
        for at in range(0, len(pieces), 2):
            if "\x00" not in pieces[at]:
                pieces[at] = pieces[at].replace(wanted, f"\x00{wanted}\x01")
    return Markup("".join(pieces).replace("\x00", '<mark class="own">').replace("\x01", "</mark>"))
