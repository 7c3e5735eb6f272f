"""A workflow as an SVG picture drawn from its machine: what it shows (chart), how lines run (routing), where words stand
(labels), and the strokes (here). The same rules give the same bytes; colors are attributes, since a site's policy drops styles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape

from caseflow.adapters.diagram.chart import Beneath, Box, Chart, chart_of
from caseflow.adapters.diagram.labels import Place, height_of, placed
from caseflow.adapters.diagram.routing import BOX_H, BOX_W, STEP, Lattice, Point, Rect
from caseflow.domain.machine import NEW
from caseflow.domain.rulebook import Rulebook
from caseflow.services.workflows import Drawn

INK, INK2, WATER, BRICK, OCHRE, IRIS = "#17242b", "#455660", "#0f5a77", "#9c2a1c", "#a77d22", "#7c6bb0"
FONT = "Tool,'Public Sans',Helvetica,Arial,sans-serif"
SIDE, TOP, GAP_Y = 196, 40, 126
GAPS_X = {1: 0, 2: 420, 3: 250}
START = 14
"""The size of the dot at which a case begins."""

__all__ = ["Beneath", "Chart", "chart_of", "draw", "draw_chart", "drawn"]


def draw(book: Rulebook, current: str | None = None) -> str:
    """The SVG text, with a title and an equal description for readers who do not see it. `current` is the state to fill."""
    return draw_chart(chart_of(book), current)


def drawn(book: Rulebook, current: str | None = None) -> Drawn:
    """The picture for a page, with what stands beneath it."""
    chart = chart_of(book)
    beneath = tuple({"action": one.action, "title": one.title, "sources": one.sources, "targets": one.targets, "time": one.time} for one in chart.beneath)
    return Drawn(draw_chart(chart, current), beneath)


def draw_chart(chart: Chart, current: str | None = None) -> str:
    """A chart as SVG text."""
    return _svg(chart, current, _laid(chart))


class _Laid:
    """Everything at its place."""

    def __init__(self, chart: Chart) -> None:
        columns, rows = max(box.column for box in chart.boxes) + 1, max(box.row for box in chart.boxes) + 1
        gap = GAPS_X.get(columns, 200)
        self.width = SIDE * 2 + columns * BOX_W + (columns - 1) * gap
        gaps = [_gap(chart, row) for row in range(rows - 1)]
        tops = [TOP + row * BOX_H + sum(gaps[:row]) for row in range(rows)]
        self.height = tops[-1] + BOX_H + 28
        self.spots = {box.name: Rect(SIDE + box.column * (BOX_W + gap), tops[box.row]) for box in chart.boxes}
        entered = [line.target for line in chart.lines if line.source == NEW]
        first = min((self.spots[name] for name in entered), key=lambda box: (box.y, box.x)) if entered else None
        if first is not None:
            # Its middle lies on the lattice both ways, so that a line can leave it on every side.
            self.spots[NEW] = Rect(3 * STEP - START // 2, (first.y + BOX_H // 2) // STEP * STEP - START // 2, START, START)
        lattice = Lattice(self.width, self.height, self.spots)
        order = sorted(range(len(chart.lines)), key=lambda at: (self._far(chart.lines[at].source, chart.lines[at].target), at))
        self.routes: list[list[Point]] = [[] for _ in chart.lines]
        for at in order:
            line = chart.lines[at]
            self.routes[at] = lattice.route(line.source, line.target)
        boxes = list(self.spots.values())
        self.words = placed(self.routes, [line.said for line in chart.lines], boxes, self.width, self.height)

    def _far(self, source: str, target: str) -> int:
        one, other = self.spots[source], self.spots[target]
        return abs(one.x - other.x) + abs(one.y - other.y)


def _gap(chart: Chart, row: int) -> int:
    """The room between a row of boxes and the next: the words of the lines between a box and the one below it stand in it."""
    places = {box.name: (box.column, box.row) for box in chart.boxes}
    high: dict[int, int] = {}
    for line in chart.lines:
        one, other = places.get(line.source), places.get(line.target)
        if one is not None and other is not None and one[0] == other[0] and {one[1], other[1]} == {row, row + 1}:
            high[one[0]] = high.get(one[0], 0) + height_of(line.said)
    return max(GAP_Y, *(int(room * 0.8) + 24 for room in high.values())) if high else GAP_Y


@lru_cache(maxsize=64)
def _laid(chart: Chart) -> _Laid:
    return _Laid(chart)


def _svg(chart: Chart, current: str | None, laid: _Laid) -> str:
    said = story(chart)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {laid.width} {laid.height}" width="{laid.width}" height="{laid.height}" role="img"'
        f' aria-label="{escape(said)}" font-family="{FONT}" font-size="12">',
        f"<title>{escape(chart.title)}</title>",
    ]
    for line, route in zip(chart.lines, laid.routes, strict=True):
        parts += _line(route, line.time)
    parts += [_words(place) for place in laid.words if place is not None]
    for box in chart.boxes:
        parts += _box(box, laid.spots[box.name], box.name == current)
    if NEW in laid.spots:
        dot = laid.spots[NEW]
        parts.append(f'<circle cx="{dot.x + START // 2}" cy="{dot.y + START // 2}" r="{START // 2}" fill="{INK}"/>')
    return "\n".join([*parts, "</svg>"])


def story(chart: Chart) -> str:
    """The drawing in words: every line, and what is not drawn."""
    titles: Mapping[str, str] = {NEW: "the beginning", **{box.name: box.title for box in chart.boxes}}
    told = [
        f"{titles[line.source]} to {titles[line.target]}{' by time' if line.time else ''}: {', '.join(one.title for one in line.said)}" for line in chart.lines
    ]
    told += [f"from {', '.join(one.sources)} to {', '.join(one.targets)}: {one.title}" for one in chart.beneath]
    return f"Diagram of {chart.title}. {'; '.join(told)}."


def _line(route: Sequence[Point], time: bool) -> Iterator[str]:
    if not route:
        return
    dash = ' stroke-dasharray="5 4"' if time else ""
    yield f'<path d="{_rounded(route)}" fill="none" stroke="{INK2}" stroke-width="1.4"{dash}/>'
    (x1, y1), (x, y) = route[-2], route[-1]
    dx, dy = (x > x1) - (x < x1), (y > y1) - (y < y1)
    yield f'<path d="M{x} {y}L{x - 9 * dx - 4 * dy} {y - 9 * dy - 4 * dx}L{x - 9 * dx + 4 * dy} {y - 9 * dy + 4 * dx}z" fill="{INK2}"/>'


def _rounded(route: Sequence[Point], radius: int = 6) -> str:
    """The way with its corners rounded."""
    made = [f"M{route[0][0]} {route[0][1]}"]
    for before, at, after in zip(route, route[1:], route[2:], strict=False):
        near = [_toward(at, other, radius) for other in (before, after)]
        made.append(f"L{near[0][0]} {near[0][1]}Q{at[0]} {at[1]} {near[1][0]} {near[1][1]}")
    return "".join([*made, f"L{route[-1][0]} {route[-1][1]}"])


def _toward(at: Point, other: Point, by: int) -> Point:
    def step(one: int, two: int) -> int:
        return max(-by, min(by, two - one))

    return at[0] + step(at[0], other[0]), at[1] + step(at[1], other[1])


def _words(place: Place) -> str:
    x = {"start": place.x + 2, "end": place.x + place.w - 2, "middle": place.x + place.w / 2}[place.anchor]
    made = [f'<rect x="{place.x:.1f}" y="{place.y:.1f}" width="{place.w:.1f}" height="{place.h}" fill="#fff"/>']
    for line in place.lines:
        color = BRICK if line.limit else WATER
        made.append(
            f'<text x="{x:.1f}" y="{place.y + 13 + line.down:.1f}" text-anchor="{place.anchor}" fill="{color}" font-weight="600">{escape(line.text)}</text>'
        )
    return "".join(made)


def _box(box: Box, spot: Rect, current: bool) -> Iterator[str]:
    edge = {"held": OCHRE, "displaced": IRIS}.get(box.stands, INK)
    yield f'<rect x="{spot.x}" y="{spot.y}" width="{BOX_W}" height="{BOX_H}" rx="3" fill="{INK if current else "#fff"}" stroke="{INK if current else edge}" stroke-width="1.6"/>'
    if box.stands:
        yield from _pattern(box.stands, spot)
    if box.ends:
        yield f'<path d="M{spot.x + BOX_W - 5} {spot.y + 4}V{spot.y + BOX_H - 4}" stroke="{"#fff" if current else INK}" stroke-width="1.6"/>'
    lines = _wrapped(box.title, 21)
    x, y = spot.x + 18, spot.y + (24 if len(lines) == 1 else 16)
    for at, text in enumerate(lines):
        yield f'<text x="{x}" y="{y + 14 * at}" font-size="13" font-weight="700" fill="{"#fff" if current else INK}">{escape(text)}</text>'
    under = "the case is here" if current else box.under
    yield f'<text x="{x}" y="{y + 14 * len(lines) + 1}" fill="{"#fff" if current else INK2}">{escape(under)}</text>'


def _pattern(stands: str, spot: Rect) -> Iterator[str]:
    """The left edge of a box in which a clock stands: hatched where it is held, waved where its last day is displaced."""
    ground, stroke = ("#faf1db", "#c79a3a") if stands == "held" else ("#efecf7", "#8f80bb")
    yield f'<rect x="{spot.x + 1}" y="{spot.y + 1}" width="9" height="{BOX_H - 2}" fill="{ground}"/>'
    if stands == "held":
        strokes = "".join(f"M{spot.x + 1} {spot.y + 10 + at}l9 -9" for at in range(0, BOX_H - 10, 6))
    else:
        strokes = f"M{spot.x + 5.5} {spot.y + 2}" + "".join("c-4 2 -4 4 0 5c4 2 4 4 0 5" for _ in range((BOX_H - 4) // 10))
    yield f'<path d="{strokes}" fill="none" stroke="{stroke}" stroke-width="1.5"/>'


def _wrapped(text: str, signs: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > signs:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
