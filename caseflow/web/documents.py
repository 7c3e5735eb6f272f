"""The Markdown of a letter as a part of a page. Nothing in it can become a link, an image or raw markup of its own."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").disable(["image", "html_block", "html_inline", "autolink", "link"])


def body(markdown: str) -> Markup:
    """The letter's text. Its headings stand below those of the page."""
    parser = _parser()
    tokens = parser.parse(markdown)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = "h3" if token.tag == "h1" else "h4"
        if token.type == "th_open":
            token.attrSet("scope", "col")
    return Markup(parser.renderer.render(tokens, parser.options, {}))
