"""One Markdown source, two forms: plain text and an HTML page. Both are pure functions of the Markdown."""

from __future__ import annotations

import textwrap
from functools import cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

WIDTH = 78
_STYLE = (
    "body{font:1rem/1.5 Georgia,serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}"
    "h1,h2,h3{font-family:Arial,sans-serif;line-height:1.25}h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:1.6rem}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .5rem;border-bottom:1px solid #a9aeb1}"
    "hr{border:0;border-top:1px solid #a9aeb1}li{margin:.3rem 0}"
)


@cache
def _parser() -> MarkdownIt:
    # Raw HTML, links that write themselves and images have no place in a letter of record.
    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").disable(["image", "html_block", "html_inline", "autolink"])


def to_html(markdown: str, title: str, language: str = "en-US") -> str:
    """A whole page with language and title, no script and nothing from elsewhere."""
    body = _parser().render(markdown)
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def to_text(markdown: str) -> str:
    """Plain text, wrapped, with numbered lists and rows of tables kept."""
    return _Text().render(_parser().parse(markdown))


class _Text:
    def __init__(self) -> None:
        self._out: list[str] = []
        self._lists: list[int | None] = []
        self._marker = ""
        self._row: list[str] = []
        self._cell = False

    def render(self, tokens: list[Token]) -> str:
        """The text of a token stream."""
        for token in tokens:
            self._token(token)
        text = "\n".join(self._out)
        while "\n\n\n" in text:
            text = text.replace("\n\n\n", "\n\n")
        return text.strip() + "\n"

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
        elif kind == "tr_open":
            self._row = []
        elif kind == "tr_close":
            self._out.append("  ".join(self._row).rstrip())
        elif kind in ("th_open", "td_open", "th_close", "td_close"):
            self._cell = kind.endswith("open")
        elif kind in ("paragraph_close", "table_close"):
            self._blank()
        elif kind == "hr":
            self._out += ["", "-" * WIDTH, ""]
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
            self._row.append(text.replace("\n", " ").ljust(24))
            return
        indent = "   " * len(self._lists)
        first = indent[: len(indent) - len(self._marker)] + self._marker if self._marker and self._lists else indent
        for line in text.split("\n"):
            self._out += textwrap.wrap(line, WIDTH, initial_indent=first, subsequent_indent=indent) or [""]
            first = indent
        self._marker = ""


def _piece(token: Token) -> str:
    if token.type in ("text", "code_inline"):
        return token.content
    return "\n" if token.type == "hardbreak" else " " if token.type == "softbreak" else ""
