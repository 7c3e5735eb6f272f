"""The Markdown of a letter: one parser for every form, with the marked parts of a letter and its pictures.

A marked part is a block that begins with a line `::: NAME` and ends with a line `:::`. It says what its words are for
(PARTS), so that a page can put them where they belong; what they say is plain Markdown and stands in every form. No
value can write such a line: `shown.py` escapes a colon that begins one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

PARTS: Mapping[str, str] = {
    "letterhead": "who writes: a paragraph of name, unit and address, then paragraphs of particulars, each line with its *label* if it has one",
    "dateline": "the day, then the numbers of the file and of the letter",
    "addressee": "whom it goes to: a paragraph each, the lines of an address broken with a backslash",
    "box": "what to act on: a label, then words, such as `Answer by` and a day",
    "signature": "the complimentary close, then a paragraph of who signs",
    "copies": "`Copies:`, then who gets one",
}
LINE_PARTS = frozenset(("letterhead", "dateline", "box", "copies"))
"""Parts whose lines a page sets one by one: the ` -` or `;` that ends a line is for the forms that run lines together."""

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
DAY = re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (" + "|".join(MONTHS) + r") (\d{1,2}), (\d{4})\b")
PICTURE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\.(?:png|jpe?g)")
"""What a picture of a pack is called: a file beside the letters, never a path or an address."""
_OPEN = re.compile(r":::[ \t]*([a-z]+)[ \t]*")


@cache
def parser() -> MarkdownIt:
    """CommonMark with tables and marked parts. Raw HTML and links that write themselves have no place in a letter."""
    made = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").disable(["html_block", "html_inline", "autolink"])
    made.block.ruler.before("fence", "part", _part, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    made.add_render_rule("part_open", lambda _, tokens, place, *__: f'<div class="{tokens[place].info}">\n')
    made.add_render_rule("part_close", lambda *_: "</div>\n")
    made.add_render_rule("image", _image)
    return made


def tokens(markdown: str) -> list[Token]:
    """The tokens of a letter."""
    return parser().parse(markdown)


def _part(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`::: NAME` to `:::`. What no part closes is not one, and parts do not stand in each other."""
    found = _OPEN.fullmatch(_line(state, start))
    if found is None or found[1] not in PARTS or state.parentType == "part" or state.is_code_block(start):
        return False
    last = next((line for line in range(start + 1, end) if _line(state, line).rstrip() == ":::"), None)
    if last is None:
        return False
    if silent:
        return True
    outer, outer_end = state.parentType, state.lineMax
    state.parentType, state.lineMax = "part", last
    for nesting in (1, -1):
        token = state.push(f"part_{'open' if nesting > 0 else 'close'}", "div", nesting)
        token.block, token.info, token.map = True, found[1], [start, last]
        if nesting > 0:
            state.md.block.tokenize(state, start + 1, last)
    state.parentType, state.lineMax, state.line = outer, outer_end, last + 1
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _image(_: Any, tokens: list[Token], place: int, *__: Any) -> str:
    """A page from elsewhere has no pictures: it says what one shows."""
    from html import escape

    return f'<span role="img" class="picture">[{escape(tokens[place].content)}]</span>'
