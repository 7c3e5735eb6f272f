"""Where the words of a line stand: beside one of its pieces, on no box and no other words, over as few lines as can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from caseflow.adapters.diagram.chart import Said
from caseflow.adapters.diagram.routing import Point, Rect

LETTER, HIGH, PAD, BETWEEN = 6.7, 16, 6, 6
WIDTHS = (110, 150, 200, 260, 330)
MOST = 5
"""Actions named beside one line; the rest is counted."""
_ON_SOLID, _ON_LINE, _ON_OWN = 4000, 200, 260
Piece = tuple[float, float, float, float]
"""A rectangle by its sides: left, top, right, bottom."""


class Text(NamedTuple):
    """A line of words: how far down it begins, and whether it is a limit, in brick."""

    text: str
    down: int
    limit: bool = False


class Place(NamedTuple):
    """Words at a place: their lines, the rectangle, and which way they are aligned."""

    lines: tuple[Text, ...]
    x: float
    y: float
    w: float
    h: float
    anchor: str

    def meets(self, x: float, y: float, w: float, h: float) -> bool:
        """Whether it overlaps a rectangle."""
        return self.x < x + w and x < self.x + self.w and self.y < y + h and y < self.y + self.h


def worded(said: Sequence[Said], width: int) -> tuple[Text, ...]:
    """The words in lines of at most that width (a single long word may be wider), actions a little apart."""
    found: list[Text] = []
    down = 0
    for one in said[:MOST]:
        line = ""
        for word in one.title.split():
            if line and (len(line) + 1 + len(word)) * LETTER > width:
                found.append(Text(line, down))
                line, down = "", down + HIGH
            line = f"{line} {word}".strip()
        found.append(Text(line, down))
        down += HIGH
        if one.limit:
            found.append(Text(one.limit, down, True))
            down += HIGH
        down += BETWEEN
    if len(said) > MOST:
        found.append(Text(f"and {len(said) - MOST} more", down))
    return tuple(found)


def height_of(said: Sequence[Said], width: int = WIDTHS[1]) -> int:
    """How high words stand at a width."""
    return worded(said, width)[-1].down + HIGH


def placed(routes: Sequence[Sequence[Point]], said: Sequence[Sequence[Said]], boxes: Sequence[Rect], width: int, height: int) -> list[Place | None]:
    """A place for the words of each line; none where there is no line."""
    pieces = [list(zip(route, route[1:], strict=False)) for route in routes]
    drawn = [[(min(x1, x2) - 2, min(y1, y2) - 2, max(x1, x2) + 2, max(y1, y2) + 2) for (x1, y1), (x2, y2) in line] for line in pieces]
    walls = [(box.x - 3, box.y - 3, box.x + box.w + 3, box.y + box.h + 3) for box in boxes]
    found: list[Place | None] = [None] * len(routes)
    order = sorted((at for at in range(len(routes)) if routes[at]), key=lambda at: -sum(len(one.title) for one in said[at]))
    for again in range(4):
        for at in order:
            words = [(one.x - 3, one.y - 3, one.x + one.w + 3, one.y + one.h + 3) for number, one in enumerate(found) if one is not None and number != at]
            lines_of_others = [piece for number, line in enumerate(drawn) if number != at for piece in line]
            best: tuple[float, Place] | None = None
            solid = [*walls, *words]
            for wide in WIDTHS:
                lines = worded(said[at], wide)
                for place, cost in _candidates(lines, pieces[at]):
                    least = best[0] if best is not None else 1e9
                    if cost < least:
                        total = cost + _cost(place, least - cost, drawn[at], lines_of_others, solid, (width, height))
                        if total < least:
                            best = (total, place)
            found[at] = best[1] if best is not None else None
        if again and not any(one is not None and _touches(one, at, found) for at, one in enumerate(found)):
            break
    return found


def _touches(place: Place, at: int, found: Sequence[Place | None]) -> bool:
    return any(other is not None and number != at and place.meets(other.x, other.y, other.w, other.h) for number, other in enumerate(found))


def _candidates(lines: tuple[Text, ...], pieces: Sequence[tuple[Point, Point]]) -> Iterator[tuple[Place, float]]:
    w = max(len(line.text) for line in lines) * LETTER + 4
    h = lines[-1].down + HIGH + 2
    tall = 0.35 * h
    for (x1, y1), (x2, y2) in pieces:
        left, right, top, bottom = min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)
        if top == bottom:
            length = right - left
            over = max(0.0, w - length + 16)
            for x in range(left, max(left + 1, int(right - w) + 1), 14) if length > w else (left + (length - w) / 2, left + 2, right - w - 2):
                off = abs(x + w / 2 - (left + right) / 2) * 0.12
                for y in (top - PAD - h + 2, top + PAD - 1):
                    yield Place(lines, x, y, w, h, "middle"), tall + off + over * 0.8 + max(0, 60 - length) * 0.6
        else:
            length = bottom - top
            for y in range(int(top + 4), int(max(top + 5, bottom - h)), 7):
                off = abs(y + h / 2 - (top + bottom) / 2) * 0.25 + max(0.0, h - length) * 1.5
                yield Place(lines, left + PAD, y, w, h, "start"), tall + off
                yield Place(lines, left - PAD - w, y, w, h, "end"), tall + off


def _cost(place: Place, least: float, own: Sequence[Piece], lines: Sequence[Piece], solid: Sequence[Piece], size: tuple[int, int]) -> float:
    """What a place costs beyond its own figure; no need to know it exactly once it is above `least`."""
    x, y, right, bottom = place.x, place.y, place.x + place.w, place.y + place.h
    cost = 0.0 if x >= 4 and y >= 2 and right <= size[0] - 4 and bottom <= size[1] - 2 else float(_ON_SOLID)
    for price, pieces in ((_ON_SOLID, solid), (_ON_OWN, own), (_ON_LINE, lines)):
        for left, top, to_right, to_bottom in pieces:
            if x < to_right and left < right and y < to_bottom and top < bottom:
                cost += price
        if cost >= least:
            break
    return cost
