"""One Markdown source, two forms: plain text and an HTML page. Both are pure functions of the Markdown."""

from __future__ import annotations

import re
import textwrap
from html import escape

from markdown_it.token import Token

from caseflow.adapters.letters.source import DAY, MONTHS, parser, tokens

WIDTH = 78
INDENT = 4
_STYLE = (
    "body{font:1rem/1.5 Georgia,serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color:#17242b;background:#fff}"
    "h1,h2,h3{font-family:Arial,sans-serif;line-height:1.3}h1{font-size:1.15rem;margin:1.6rem 0}h2{font-size:1.05rem;margin-top:1.6rem}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .5rem .3rem 0;border-bottom:1px solid #7b8a91}"
    "hr{border:0;border-top:2px solid #0f5a77;margin:1rem 0}li{margin:.3rem 0}time{white-space:nowrap}"
    ".letterhead{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:flex-end;gap:0 2rem;font-size:.9rem}"
    ".letterhead p{margin:.3rem 0}.letterhead em{font-style:normal;color:#4a5b64}.addressee{margin:1.6rem 0}"
    ".box{border:1px solid #7b8a91;border-radius:3px;padding:0 1rem;margin:1.2rem 0}.signature p:first-child{margin-bottom:2.4rem}"
    "p,td,li,h1{overflow-wrap:anywhere}@media print{body{margin:0;max-width:none}h2{break-after:avoid}tr,li{break-inside:avoid}}"
)


def to_html(markdown: str, title: str, language: str = "en-US") -> str:
    """A whole page with language and title, no script and nothing from elsewhere. A day is never broken across lines."""
    body = to_part(markdown)
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def to_part(markdown: str) -> str:
    """The letter's text as part of a page: safe markup without a style of its own."""
    made, stream = parser(), tokens(markdown)
    for token in stream:
        if token.type == "th_open":
            token.attrSet("scope", "col")
    return DAY.sub(_time, str(made.renderer.render(stream, made.options, {})))


def _time(found: re.Match[str]) -> str:
    month = MONTHS.index(found[1]) + 1
    return f'<time datetime="{found[3]}-{month:02}-{int(found[2]):02}">{found[0]}</time>'


def to_text(markdown: str) -> str:
    """Plain text, wrapped, with numbered lists and tables kept. A day is never broken across lines."""
    return _Text().render(tokens(markdown))


class _Text:
    def __init__(self) -> None:
        self._out: list[str] = []
        self._lists: list[int | None] = []
        self._marker = ""
        self._rows: list[list[str]] = []
        self._cell = False

    def render(self, stream: list[Token]) -> str:
        """The text of a token stream."""
        for token in stream:
            self._token(token)
        return "\n".join(self._out).strip() + "\n"

    def _token(self, token: Token) -> None:
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open"):
            self._lists.append(int(token.attrGet("start") or 1) if kind == "ordered_list_open" else None)
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
            self._blank()
        elif kind == "list_item_open":
            number = self._lists[-1]
            self._marker = "- " if number is None else f"{number}. "
            if number is not None:
                self._lists[-1] = number + 1
        elif kind == "table_open":
            self._rows = []
        elif kind == "tr_open":
            self._rows.append([])
        elif kind in ("th_open", "td_open", "th_close", "td_close"):
            self._cell = kind.endswith("open")
        elif kind == "table_close":
            self._out += _table(self._rows)
            self._blank()
        elif kind == "paragraph_close" and not token.hidden:
            self._blank()
        elif kind == "hr":
            self._blank()
            self._out += ["-" * WIDTH, ""]
        elif kind == "inline":
            self._inline(token)
        elif kind in ("fence", "code_block"):
            self._out += [token.content.rstrip(), ""]
        elif kind == "heading_close":
            self._out.append(("=" if token.tag == "h1" else "-") * min(WIDTH, len(self._out[-1])))
            self._blank()

    def _blank(self) -> None:
        if self._out and self._out[-1]:
            self._out.append("")

    def _inline(self, token: Token) -> None:
        text = "".join(_piece(child) for child in token.children or [])
        if self._cell:
            self._rows[-1].append(text.replace("\n", " "))
            return
        indent = " " * INDENT * len(self._lists)
        first = indent[:-INDENT] + self._marker.rjust(INDENT) if self._marker and self._lists else indent
        for line in text.split("\n"):
            self._out += _wrapped(line, WIDTH, first, indent)
            first = indent
        self._marker = ""


def _table(rows: list[list[str]]) -> list[str]:
    """Columns side by side; the widest gives way until a row fits."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + 2 * (len(widths) - 1) > WIDTH:
        widths[widths.index(max(widths))] -= 1
    made = []
    for row in rows:
        cells = [_wrapped(cell, max(1, width)) for cell, width in zip(row, widths, strict=True)]
        for place in range(max(map(len, cells))):
            line = (cell[place] if place < len(cell) else "" for cell in cells)
            made.append("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())
    return made


def _wrapped(text: str, width: int, first: str = "", indent: str = "") -> list[str]:
    # A no-break space holds a day together while lines are broken.
    held = DAY.sub(lambda found: found[0].replace(" ", "\u00a0"), text)
    made = textwrap.wrap(held, width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\u00a0", " ") for line in made] or [first.rstrip()]


def _piece(token: Token) -> str:
    if token.type in ("text", "code_inline"):
        return token.content
    return "\n" if token.type == "hardbreak" else " " if token.type == "softbreak" else ""
