"""The tokens of a letter as a small tree of plain values, which a page layout walks. Nothing in it is ever parsed again.

Blocks are maps with `k`, their kind; text within a block is a list of strings and of maps:

    p      c: text                              h      level, c, re (the text behind "RE:")
    ul ol  items: [[block]], start, tight       table  head: [text], rows: [[text]], right: [columns of numbers], parts: [widths]
    part   name, c: [block], lines: [[text]] of its paragraphs      quote  c: [block]        code  t: string        hr        img  src, alt
    text:  string | {b: text} | {i: text} | {t: string, code} | {a: address, c: text} | {br}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Any
from unicodedata import combining

from markdown_it.token import Token

from caseflow.adapters.letters.source import DAY, LINE_PARTS, PICTURE, tokens
from caseflow.errors import LetterFault

Text = list[Any]
Block = dict[str, Any]
LONG_WORD = 30
"""Signs of a word that may stand on one line without a place to break it."""
RUNNING_HEAD, RUNNING_WORDS = 90, 7
"""Signs and words of a running head. It is not read aloud, so it may not look like a sentence that is lost."""
_LINK = re.compile(r"(?:https?://|mailto:)", re.I)
# A section sign, or capitals before a number, stay with what they name: "s. 227.42 (1) (a)", "WI 53707".
_HELD = re.compile(r"(\b(?:ss?\.|ch\.|No\.)|§+|\b[A-Z]{2,4}) (?=[\dA-Z(§])|(?<=[\d)]) (?=\([\da-z]{1,4}\))")
_WORD = re.compile(rf"[^\s\u200b]{{{LONG_WORD + 1},}}")
_NAME = re.compile(r"[^\W\d_]{2,}")
_NUMBER = re.compile(r"[-$+(]*[\d.,]+[)%]*|")


def tree(markdown: str) -> list[Block]:
    """The blocks of a letter. Raises LetterFault for a picture that no pack can have."""
    return _Builder(tokens(markdown)).blocks()


def running_head(blocks: list[Block], title: str) -> str:
    """What the pages after the first say at their top: what the letter is about, short enough for one line."""
    text = next((_plain(block["c"]) for block in blocks if block["k"] == "h" and block["re"]), title)
    found = list(_NAME.finditer(text))
    if len(found) > RUNNING_WORDS:
        text = f"{text[: found[RUNNING_WORDS - 1].end()]} …"
    return shorten(text, RUNNING_HEAD, placeholder=" …")


def window(blocks: list[Block], asked: Sequence[str]) -> Block:
    """What stands in the window of an envelope, and who else the letter is addressed to.

    `lines` are those asked for, else the first addressee's; `others` the addresses that do not stand there; `copy` whether
    who stands there is none of the addressees.
    """
    to: list[list[Text]] = next((block["lines"] for block in blocks if block["k"] == "part" and block["name"] == "addressee"), [])
    if not asked:
        return {"lines": to[0] if to else [], "others": to[1:], "copy": False}
    lines: list[Text] = [[_held(line)] for line in asked]
    rest = [address for address in to if _plain(address[0]) != _plain(lines[0])]
    if len(lines) == 1 and len(rest) < len(to):  # who gets it by e-mail is asked for by name alone
        lines = next(address for address in to if address not in rest)
    return {"lines": lines, "others": rest, "copy": len(rest) == len(to)}


def pictures(markdown: str) -> Iterator[str]:
    """The names of the pictures that a letter shows, as they are written."""
    for token in tokens(markdown):
        for child in token.children or ():
            if child.type == "image":
                yield str(child.attrGet("src") or "")


class _Builder:
    def __init__(self, stream: list[Token]) -> None:
        self._stream = stream
        self._at = 0
        self._level = 0
        self._apart = False

    def blocks(self, until: str | None = None) -> list[Block]:
        """The blocks up to a closing token."""
        made: list[Block] = []
        while self._at < len(self._stream):
            token = self._stream[self._at]
            self._at += 1
            if token.type == until:
                break
            made += self._block(token)
        return made

    def _block(self, token: Token) -> list[Block]:
        kind = token.type
        if kind == "paragraph_open":
            return _paragraph(self._inline("paragraph_close"))
        if kind == "heading_open":
            return [self._heading(int(token.tag[1:]))]
        if kind in ("bullet_list_open", "ordered_list_open"):
            return [self._list(token)]
        if kind == "table_open":
            return [self._table()]
        if kind == "part_open":
            self._apart = token.info in LINE_PARTS
            made = _part(token.info, self.blocks("part_close"))
            self._apart = False
            return [made]
        if kind == "blockquote_open":
            return [{"k": "quote", "c": self.blocks("blockquote_close")}]
        if kind in ("fence", "code_block"):
            return [{"k": "code", "t": token.content.rstrip("\n")}]
        return [{"k": "hr"}] if kind == "hr" else []

    def _inline(self, until: str) -> Text:
        made: Text = []
        while (token := self._stream[self._at]).type != until:
            if token.type == "inline":
                made = _inline(iter(token.children or ()), self._apart)
            self._at += 1
        self._at += 1
        return made

    def _heading(self, level: int) -> Block:
        # A level that is left out would leave a hole in the outline that is read aloud.
        self._level = min(level, self._level + 1)
        text = self._inline("heading_close")
        if text and isinstance(text[0], str) and text[0].startswith("RE: "):
            return {"k": "h", "level": self._level, "c": [text[0][4:], *text[1:]], "re": True}
        return {"k": "h", "level": self._level, "c": text, "re": False}

    def _list(self, token: Token) -> Block:
        items: list[list[Block]] = []
        closes, tight = token.type.replace("open", "close"), True
        while (inner := self._stream[self._at]).type != closes:
            self._at += 1
            if inner.type == "list_item_open":
                begins = self._stream[self._at]
                tight = tight and (begins.type != "paragraph_open" or begins.hidden)
                items.append(self.blocks("list_item_close"))
        self._at += 1
        kind = "ul" if token.type.startswith("bullet") else "ol"
        start = token.attrGet("start")
        return {"k": kind, "items": items, "start": int(start) if start is not None else 1, "tight": tight}

    def _table(self) -> Block:
        rows: list[list[Text]] = []
        right: set[int] = set()
        while (token := self._stream[self._at]).type != "table_close":
            self._at += 1
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                if "right" in str(token.attrGet("style") or ""):
                    right.add(len(rows[-1]))
                rows[-1].append(self._inline(token.type.replace("open", "close")))
        self._at += 1
        plain = [[_plain(cell) for cell in row] for row in rows]
        columns = list(zip(*plain[1:], strict=True)) if len(plain) > 1 else []
        right |= {place for place, cells in enumerate(columns) if any(cells) and all(_NUMBER.fullmatch(cell) for cell in cells)}
        return {"k": "table", "head": rows[0], "rows": rows[1:], "right": sorted(right), "parts": _widths(plain)}


def _widths(rows: list[list[str]]) -> list[int]:
    """How wide each column would be in signs, bounded: 0 for one that is as wide as its longest cell, at most 24 signs."""
    longest = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if all(width <= LONG_WORD for width in longest):
        return [0] * (len(longest) - 1) + [longest[-1]]
    return [0 if width <= LONG_WORD else min(width, 90) for width in longest]


def _part(name: str, inner: list[Block]) -> Block:
    # The first paragraph by itself: in a letterhead it says who writes, and what follows are particulars.
    lines = [[_ended(line) for line in _split(block["c"])] for block in inner if block["k"] == "p"]
    return {"k": "part", "name": name, "c": inner, "lines": lines}


def _paragraph(text: Text) -> list[Block]:
    if len(text) == 1 and isinstance(text[0], dict) and "src" in text[0]:
        return [{"k": "img", **text[0]}]
    return [{"k": "p", "c": text}]


def _split(text: Text) -> list[Text]:
    """The text between breaks."""
    made: list[Text] = [[]]
    for piece in text:
        if isinstance(piece, dict) and "br" in piece:
            made.append([])
        else:
            made[-1].append(piece)
    return [part for part in made if part]


def _ended(line: Text) -> Text:
    """A line without the sign that joins it to the next where lines run together."""
    return [*line[:-1], line[-1].removesuffix(" -").removesuffix(";")] if isinstance(line[-1], str) else line


def _inline(children: Iterator[Token], apart: bool, until: str | None = None) -> Text:
    """Text with what is set off in it; a line's end is a space, or a break where lines stay apart."""
    made: Text = []
    plain: list[str] = []

    def settle() -> None:
        if plain:
            made.append(_held("".join(plain)))
            plain.clear()

    for token in children:
        kind = token.type
        if kind == until:
            break
        if kind in ("text", "text_special"):
            plain.append(token.content)
            continue
        if kind == "softbreak" and not apart:
            plain.append(" ")
            continue
        settle()
        if kind == "code_inline":
            made.append({"t": _held(token.content), "code": True})
        elif kind in ("hardbreak", "softbreak"):
            made.append({"br": True})
        elif kind == "image":
            made.append(_picture(token))
        elif kind in ("strong_open", "em_open"):
            made.append({"b" if kind == "strong_open" else "i": _inline(children, apart, kind.replace("open", "close"))})
        elif kind == "link_open":
            address, text = str(token.attrGet("href") or ""), _inline(children, apart, "link_close")
            made += [{"a": address, "c": text}] if _LINK.match(address) else text
    settle()
    return made


def _picture(token: Token) -> Mapping[str, Any]:
    name, alt = str(token.attrGet("src") or ""), token.content.strip()
    if not PICTURE.fullmatch(name):
        raise LetterFault(f"A letter shows pictures of its pack alone, and '{name[:80]}' is none; name a .png or .jpg file beside the templates.")
    if not alt:
        raise LetterFault(f"The picture {name} has no words for those who can't see it; write them as ![words]({name}).")
    return {"src": name, "alt": alt}


def _held(text: str) -> str:
    """Text that breaks where a reader expects it: never within a day or behind a section sign, and within a word without end."""
    text = DAY.sub(lambda found: found[0].replace(" ", "\u00a0"), text)
    text = _HELD.sub(lambda found: f"{found[1] or ''}\u00a0", text)
    return _WORD.sub(_broken, text)


def _broken(found: re.Match[str]) -> str:
    # U+200B has no width and no shape: a place to break, and nothing to read or copy. A sign keeps its marks.
    made, since = [], 0
    for before, sign in zip(" " + found[0], found[0], strict=False):
        if since >= LONG_WORD and not combining(sign) or before in "-_/.@,;&=?" and sign.isalnum() and since > 2:
            made.append("\u200b")
            since = 0
        made.append(sign)
        since += 1
    return "".join(made)


def _plain(text: Text) -> str:
    return "".join(
        piece if isinstance(piece, str) else _plain(next((piece[key] for key in ("b", "i", "c") if key in piece), [])) or str(piece.get("t", " "))
        for piece in text
    )
