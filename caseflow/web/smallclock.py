"""The small clock of a row: the whole period at one width, a flag at its last day, a wedge at today. The words beside it say the same.

Its patterns are drawn once for a page (`patterns`), since the name of a pattern must not stand twice on one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from markupsafe import Markup

WIDTH, HEIGHT, LEFT, TOP, BAR = 176, 22, 1, 8, 8
ROOM = WIDTH - 14
"""The bar ends before the drawing does, so that a flag at its end has room."""


def patterns() -> Markup:
    """The hatches of every small clock on the page."""
    return Markup(
        '<svg class="sc-patterns" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
        '<pattern id="sc-held" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="sc-held-ground" d="M0 0h6v6H0z"/><path class="sc-held-line" d="M1.5 0v6"/></pattern>'
        '<pattern id="sc-late" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">'
        '<path class="sc-late-ground" d="M0 0h4v4H0z"/><path class="sc-late-line" d="M1 0v4"/></pattern>'
        '<pattern id="sc-displaced" width="10" height="8" patternUnits="userSpaceOnUse">'
        '<path class="sc-displaced-ground" d="M0 0h10v8H0z"/><path class="sc-displaced-line" d="M0 4c1.7-3 3.3-3 5 0s3.3 3 5 0"/></pattern>'
        "</defs></svg>"
    )


def small_clock(lane: Mapping[str, Any] | None, today: str) -> Markup:
    """The drawing of a lane (services/drawing.py); nothing where no clock has begun. The same lane gives the same bytes."""
    if lane is None or not lane["pieces"]:
        return Markup("")
    pieces, now = lane["pieces"], _day(today)
    first = _day(pieces[0]["from"])
    last = max([now, *(_day(piece["to"]) for piece in pieces), *([_day(lane["due"])] if lane["due"] else [])])
    unit = ROOM / (last - first + 1)

    def x(day: int) -> float:
        return round(LEFT + min(max(day - first, 0), last - first + 1) * unit, 1)

    parts = [f'<rect class="sc-rest" x="{LEFT}" y="{TOP}" width="{ROOM}" height="{BAR}" rx="1.5"/>']
    for piece in pieces:
        left, right = x(_day(piece["from"])), x(_day(piece["to"]) + 1)
        if piece["kind"] not in ("left", "roll"):
            parts.append(f'<rect class="sc-{piece["kind"]}" x="{left}" y="{TOP}" width="{round(right - left, 1)}" height="{BAR}"/>')
    if lane["due"]:
        at = x(_day(lane["due"]) + 1)
        parts.append(f'<path class="sc-pole" d="M{at} 1V{TOP + BAR}"/><path class="sc-cloth" d="M{at} 1h8l-2 2.5 2 2.5h-8z"/>')
    at = round(x(now) + unit / 2, 1)
    parts.append(f'<path class="sc-now" d="M{at} {TOP - 1}V{HEIGHT - 4}"/><path class="sc-wedge" d="M{at} {HEIGHT - 5}l3.5 5h-7z"/>')
    return Markup(
        f'<svg class="sc" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" aria-hidden="true" focusable="false">{"".join(parts)}</svg>'
    )


def _day(text: str) -> int:
    return date.fromisoformat(text[:10]).toordinal()
