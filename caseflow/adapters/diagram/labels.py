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
_ON_BOX, _ON_WORDS, _ON_LINE, _ON_OWN = 4000, 4000, 200, 260


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
    found: list[Place | None] = [None] * len(routes)
    order = sorted((at for at in range(len(routes)) if routes[at]), key=lambda at: -sum(len(one.title) for one in said[at]))
    for again in range(4):
        for at in order:
            others = [place for number, place in enumerate(found) if place is not None and number != at]
            best: tuple[float, Place] | None = None
            for wide in WIDTHS:
                lines = worded(said[at], wide)
                for place, cost in _candidates(lines, pieces[at]):
                    total = cost + _cost(place, at, pieces, boxes, others, width, height)
                    if best is None or total < best[0]:
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


def _cost(
    place: Place, at: int, pieces: Sequence[Sequence[tuple[Point, Point]]], boxes: Sequence[Rect], others: Sequence[Place], width: int, height: int
) -> float:
    cost = 0.0
    if place.x < 4 or place.y < 2 or place.x + place.w > width - 4 or place.y + place.h > height - 2:
        cost += _ON_BOX
    cost += _ON_BOX * sum(place.meets(box.x - 3, box.y - 3, box.w + 6, box.h + 6) for box in boxes)
    cost += _ON_WORDS * sum(place.meets(other.x - 3, other.y - 3, other.w + 6, other.h + 6) for other in others)
    for number, line in enumerate(pieces):
        for (x1, y1), (x2, y2) in line:
            if place.meets(min(x1, x2) - 2, min(y1, y2) - 2, abs(x1 - x2) + 4, abs(y1 - y2) + 4):
                cost += _ON_OWN if number == at else _ON_LINE
    return cost
