"""Marks in a letter: places in which a person may write, and parts that stand on the addressee's own copy alone.

A template writes `{# place: NAME #}`, and `{# for-addressee #} ... {# access-code #} ... {# end-addressee #}`. In the
kept Markdown a mark is a link definition that shows nowhere; a value can't make one, since its brackets are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from caseflow.adapters.letters.escaping import escaped
from caseflow.domain.facts import nearest
from caseflow.errors import BadInput

MAX_PLACE = 4_000
_MARK = re.compile(r"\{#-?\s*(?:(place):\s*([\w-]+)|(for-addressee|end-addressee|access-code))\s*-?#\}")
_BLANK = " \t"
CODE = "<access-code>"
_PLACE = re.compile(r"\[//\]: # \(place ([\w-]+)\)\n\n(.*?)\[//\]: # \(end \1\)", re.S)
_ADDRESSEE = re.compile(r"\[//\]: # \(for addressee\)\n\n(.*?)\[//\]: # \(end addressee\)\n*", re.S)


def held(source: str) -> str:
    """A template with its marks as characters that no value and no text of a template can have, until it is rendered."""
    return _MARK.sub(lambda found: CODE if found[3] == "access-code" else f"\x02{found[1] or found[3]} {found[2] or ''}\x03", source)


def set_down(markdown: str) -> str:
    """The rendered text with its marks as Markdown keeps them."""
    if "\x02" not in markdown:
        return markdown
    made, *rest = markdown.split("\x02")
    for part in rest:
        mark, _, after = part.partition("\x03")
        made = f"{made.rstrip(_BLANK)}{_lines(*mark.split(' ', 1))}{after.lstrip(_BLANK)}"
    return made


def _lines(kind: str, name: str) -> str:
    if kind == "place":
        return f"\n\n[//]: # (place {name.strip()})\n\n[//]: # (end {name.strip()})\n\n"
    return "\n\n[//]: # (for addressee)\n\n" if kind == "for-addressee" else "\n\n[//]: # (end addressee)\n\n"


def for_copy(markdown: str, code: str | None) -> str:
    """The words of one copy: the code in its place, or no word of it."""
    if "[//]: # (for addressee)" not in markdown and CODE not in markdown:
        return markdown
    if code is None:
        return _ADDRESSEE.sub("", markdown).replace(CODE, "")
    return _ADDRESSEE.sub(lambda found: found[1], markdown).replace(CODE, code)


def places(markdown: str) -> Mapping[str, str]:
    """The places of a letter, and what was written into each."""
    return {found[1]: found[2].strip() for found in _PLACE.finditer(markdown)}


def with_place(markdown: str, place: str, text: str) -> str:
    """The letter with plain paragraphs in a place; everything else stays byte for byte. Raises BadInput."""
    known = places(markdown)
    if place not in known:
        marked = f"its places: {', '.join(known)}" if known else "its template marks none"
        raise BadInput(f"The letter has no place '{place}'{nearest(place, known)}; {marked}.")
    if len(text) > MAX_PLACE:
        raise BadInput(f"The text has {len(text):,} characters; a place in a letter takes {MAX_PLACE:,}.")
    paragraphs = "".join(f"{escaped(part)}\n\n" for part in re.split(r"\n\s*\n", text.strip()) if part.strip())
    return _PLACE.sub(
        lambda found: found[0] if found[1] != place else f"[//]: # (place {place})\n\n{paragraphs}[//]: # (end {place})",
        markdown,
    )
