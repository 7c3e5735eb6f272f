"""Right-angled lines between boxes: each takes the cheapest way over a lattice, short ones first, so that lines seldom cross and never share a way."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

STEP = 14
BOX_W, BOX_H = 172, 54
CLEAR = 16
BEND, CROSS, BESIDE, EDGE_PORT, HUG = 70, 60, 9, 10, 10
"""What a bend, a crossing, each step beside another line, a port away from the middle, and each step up or down close to a
column of boxes cost, in pixels of way: there stand the words of the lines between the boxes."""
ROOM = 118
"""How far from a box words of short lines reach."""

Point = tuple[int, int]
_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))


@dataclass(frozen=True)
class Rect:
    """A box on the sheet."""

    x: int
    y: int
    w: int = BOX_W
    h: int = BOX_H

    def near(self, x: float, y: float, by: float) -> bool:
        """Whether a point lies in it or nearer to it than `by`."""
        return self.x - by < x < self.x + self.w + by and self.y - by < y < self.y + self.h + by


@dataclass(frozen=True)
class Port:
    """Where a line leaves a box: on its border, the first node outside, and the way out."""

    border: Point
    node: Point
    way: Point
    cost: int


@dataclass
class Lattice:
    """The sheet: boxes that no line passes, and the nodes that lines have taken, along each direction."""

    width: int
    height: int
    boxes: Mapping[str, Rect]
    along: tuple[set[Point], set[Point]] = field(default_factory=lambda: (set(), set()))
    turned: set[Point] = field(default_factory=set)
    taken: set[Point] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._blocked = {
            (i, j)
            for box in self.boxes.values()
            for i in range((box.x - CLEAR) // STEP, (box.x + box.w + CLEAR) // STEP + 2)
            for j in range((box.y - CLEAR) // STEP, (box.y + box.h + CLEAR) // STEP + 2)
            if box.near(i * STEP, j * STEP, CLEAR)
        }
        columns = {(box.x, box.x + box.w) for box in self.boxes.values() if box.w == BOX_W}
        self._close = {i for left, right in columns for i in range(self.width // STEP + 1) if 0 < left - i * STEP < ROOM or 0 < i * STEP - right < ROOM}

    def ports(self, name: str) -> Iterator[Port]:
        """Every free place on the border of a box."""
        box = self.boxes[name]
        inset = 14 if box.w > 40 else 1
        for i in range(-(-(box.x + inset) // STEP), (box.x + box.w - inset) // STEP + 1):
            off = abs(i * STEP - box.x - box.w // 2) * EDGE_PORT // STEP
            yield Port((i * STEP, box.y), (i, (box.y - CLEAR) // STEP), (0, -1), off)
            yield Port((i * STEP, box.y + box.h), (i, -(-(box.y + box.h + CLEAR) // STEP)), (0, 1), off)
        inset = 8 if box.h > 40 else 1
        for j in range(-(-(box.y + inset) // STEP), (box.y + box.h - inset) // STEP + 1):
            off = abs(j * STEP - box.y - box.h // 2) * EDGE_PORT // STEP
            yield Port((box.x, j * STEP), ((box.x - CLEAR) // STEP, j), (-1, 0), off)
            yield Port((box.x + box.w, j * STEP), (-(-(box.x + box.w + CLEAR) // STEP), j), (1, 0), off)

    def route(self, source: str, target: str) -> list[Point]:
        """The corners of a line in pixels, its ends on the borders; the way is taken from then on. Empty where there is none."""
        starts = [port for port in self.ports(source) if port.border not in self.taken and self._free(port.node)]
        ends = {port.node: port for port in self.ports(target) if port.border not in self.taken and self._free(port.node)}
        found = self._cheapest(starts, ends, self.boxes[target])
        if not found:
            return []
        first, nodes, last = found
        self.taken.update((first.border, last.border))
        self._take([first.node, *nodes])
        return _corners([first.border, *((i * STEP, j * STEP) for i, j in [first.node, *nodes]), last.border])

    def _free(self, node: Point) -> bool:
        return 0 < node[0] * STEP < self.width and 0 < node[1] * STEP < self.height and node not in self._blocked

    def _cheapest(self, starts: Sequence[Port], ends: Mapping[Point, Port], box: Rect) -> tuple[Port, list[Point], Port] | None:
        queue: list[tuple[int, int, Point, Point]] = []
        best: dict[tuple[Point, Point], int] = {}
        came: dict[tuple[Point, Point], tuple[Point, Point] | Port] = {}
        for port in starts:
            key = (port.node, port.way)
            if port.cost < best.get(key, 1 << 30) and self._enter(port.node, port.way) is not None:
                best[key], came[key] = port.cost, port
                heapq.heappush(queue, (port.cost + _far(port.node, box), port.cost, port.node, port.way))
        goal: tuple[int, tuple[Point, Point], Port] | None = None
        while queue:
            guess, cost, node, way = heapq.heappop(queue)
            if goal is not None and guess >= goal[0]:
                break
            if cost > best[(node, way)]:
                continue
            end = ends.get(node)
            if end is not None and (came[(node, way)].__class__ is not Port or way == (-end.way[0], -end.way[1])):
                turn = 0 if way == (-end.way[0], -end.way[1]) else BEND
                opposite = way == end.way
                if not opposite and (not turn or node not in self.along[0] | self.along[1]) and (goal is None or cost + turn + end.cost < goal[0]):
                    goal = (cost + turn + end.cost, (node, way), end)
            for step in _WAYS:
                if step == (-way[0], -way[1]):
                    continue
                turned = step != way
                if turned and (node in self.along[0] or node in self.along[1]):
                    continue
                there = (node[0] + step[0], node[1] + step[1])
                if not self._free(there):
                    continue
                extra = self._enter(there, step)
                if extra is None:
                    continue
                total = cost + STEP + (BEND if turned else 0) + extra
                if total < best.get((there, step), 1 << 30):
                    best[(there, step)], came[(there, step)] = total, (node, way)
                    heapq.heappush(queue, (total + _far(there, box), total, there, step))
        if goal is None:
            return None
        nodes, at = [], goal[1]
        while not isinstance(came[at], Port):
            nodes.append(at[0])
            at = came[at]  # type: ignore[assignment]
        first = came[at]
        assert isinstance(first, Port)
        return first, nodes[::-1], goal[2]

    def _enter(self, node: Point, step: Point) -> int | None:
        """What it costs to come to a node, or None where another line goes along there."""
        own, other = self.along if step[0] else self.along[::-1]
        if node in own or node in self.turned:
            return None
        side = (step[1], step[0])
        beside = sum((node[0] + side[0] * by, node[1] + side[1] * by) in own for by in (-1, 1))
        return (CROSS if node in other else 0) + BESIDE * beside + (HUG if step[1] and node[0] in self._close else 0)

    def _take(self, nodes: Sequence[Point]) -> None:
        for at, node in enumerate(nodes):
            before = nodes[at - 1] if at else None
            after = nodes[at + 1] if at + 1 < len(nodes) else None
            ways = {abs(node[0] - near[0]) for near in (before, after) if near is not None}
            if ways != {0}:
                self.along[0].add(node)
            if ways != {1}:
                self.along[1].add(node)
            if len(ways) == 2 or not ways:
                self.turned.add(node)


def _far(node: Point, box: Rect) -> int:
    x, y = node[0] * STEP, node[1] * STEP
    return max(box.x - x, 0, x - box.x - box.w) + max(box.y - y, 0, y - box.y - box.h)


def _corners(points: Sequence[Point]) -> list[Point]:
    """The points at which a line turns, with its ends."""
    found = [points[0]]
    for before, at, after in zip(points, points[1:], points[2:], strict=False):
        if not (before[0] == at[0] == after[0] or before[1] == at[1] == after[1]):
            found.append(at)
    return [*found, points[-1]]
