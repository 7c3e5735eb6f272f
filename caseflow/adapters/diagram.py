"""A workflow as an SVG picture, drawn from its machine's transitions on the grid that the pack gives each state."""

from __future__ import annotations

from html import escape

from caseflow.domain.rulebook import Rulebook

WIDE, HIGH, BOX_W, BOX_H, PAD = 250, 150, 176, 56, 30


def draw(book: Rulebook) -> str:
    """The SVG text, with a title and an equal list for readers who do not see it."""
    flow = book.workflow
    places = {name: state.place or (index % 4 + 1, index // 4 + 1) for index, (name, state) in enumerate(flow.states.items())}
    left, top = min(x for x, _ in places.values()), min(y for _, y in places.values())
    spots = {name: (PAD + (x - left) * WIDE, PAD + (y - top) * HIGH) for name, (x, y) in places.items()}
    width = max(x for x, _ in spots.values()) + BOX_W + PAD
    height = max(y for _, y in spots.values()) + BOX_H + PAD + 20
    moves: dict[tuple[str, str], list[str]] = {}
    for action, source, to in book.machine.edges():
        if source in spots and to in spots and source != to:
            moves.setdefault((source, to), []).append(action)
    said = "; ".join(f"{flow.states[source].title} to {flow.states[to].title}: {', '.join(names)}" for (source, to), names in moves.items())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-labelledby="t d" font-family="sans-serif">',
        f'<title id="t">{escape(flow.title)}</title><desc id="d">{escape(said)}</desc>',
        '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#3d4551"/></marker></defs>',
    ]
    parts += [_arrow(spots[source], spots[to], names, (to, source) in moves) for (source, to), names in moves.items()]
    parts += [_box(spots[name], state.title, state.ends) for name, state in flow.states.items()]
    return "\n".join([*parts, "</svg>"])


def _box(spot: tuple[int, int], title: str, ends: bool) -> str:
    x, y = spot
    words, lines = title.split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 22:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    first = y + BOX_H / 2 - (len(lines) - 1) * 8 + 5
    text = "".join(f'<text x="{x + BOX_W / 2}" y="{first + 16 * n}" text-anchor="middle" font-size="14">{escape(line)}</text>' for n, line in enumerate(lines))
    inner = f'<rect x="{x + 3}" y="{y + 3}" width="{BOX_W - 6}" height="{BOX_H - 6}" rx="4" fill="none" stroke="#3d4551"/>' if ends else ""
    return f'<rect x="{x}" y="{y}" width="{BOX_W}" height="{BOX_H}" rx="6" fill="#fff" stroke="#1b1b1b"/>{inner}{text}'


def _arrow(start: tuple[int, int], end: tuple[int, int], names: list[str], both: bool) -> str:
    (x1, y1), (x2, y2) = _edge(start, end), _edge(end, start)
    bend = 14 if both else 0
    length = max(1.0, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    dx, dy = -(y2 - y1) / length * bend, (x2 - x1) / length * bend
    middle = ((x1 + x2) / 2 + dx, (y1 + y2) / 2 + dy)
    label = names[0] if len(names) == 1 else f"{names[0]} +{len(names) - 1}"
    return (
        f'<path d="M{x1 + dx:.0f} {y1 + dy:.0f}L{x2 + dx:.0f} {y2 + dy:.0f}" fill="none" stroke="#3d4551" marker-end="url(#a)"><title>{escape(", ".join(names))}</title></path>'
        f'<text x="{middle[0]:.0f}" y="{middle[1] - 4:.0f}" text-anchor="middle" font-size="11" fill="#3d4551">{escape(label)}</text>'
    )


def _edge(one: tuple[int, int], other: tuple[int, int]) -> tuple[float, float]:
    """Where the line between two boxes leaves the first."""
    cx, cy = one[0] + BOX_W / 2, one[1] + BOX_H / 2
    dx, dy = other[0] - one[0], other[1] - one[1]
    if dx == dy == 0:
        return cx, cy
    scale = min(BOX_W / 2 / abs(dx) if dx else 9e9, BOX_H / 2 / abs(dy) if dy else 9e9)
    return cx + dx * scale, cy + dy * scale
