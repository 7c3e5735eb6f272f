"""What a workflow's diagram shows, taken from its machine: boxes on a grid, and the lines between them with their words.

An action that leads from many states, or to many, would hide the others: it is named beneath the drawing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from caseflow.domain.machine import NEW
from caseflow.domain.pack import Action, Workflow
from caseflow.domain.rulebook import Rulebook

MANY = 4
"""An action from so many states, or to so many, is named beneath."""
SCHEDULER = ("scheduler",)


class Said(NamedTuple):
    """An action beside a line: its title, and what limits it (in brick)."""

    title: str
    limit: str = ""


@dataclass(frozen=True)
class Line:
    """A line from one state to another: by people, or by time."""

    source: str
    target: str
    time: bool
    said: tuple[Said, ...]


@dataclass(frozen=True)
class Box:
    """A state: its words, where it stands on the grid, whether a clock is held or displaced in it, whether the case ends there."""

    name: str
    title: str
    under: str
    column: int
    row: int
    stands: str = ""
    ends: bool = False


@dataclass(frozen=True)
class Beneath:
    """An action that is not drawn: from which states (titles) to which; `time` where nobody acts."""

    action: str
    title: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    time: bool


@dataclass(frozen=True)
class Chart:
    """A workflow as boxes and lines."""

    title: str
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    beneath: tuple[Beneath, ...] = field(default=())


def chart_of(book: Rulebook) -> Chart:
    """The chart of a workflow."""
    flow = book.workflow
    sources: dict[str, dict[str, None]] = {}
    targets: dict[str, dict[str, None]] = {}
    pairs: list[tuple[str, str, str]] = []
    for action, source, to in book.machine.edges():
        if source != to or (flow.actions[action].by == SCHEDULER and _starts_again(flow, action)):
            pairs.append((action, source, to))
            sources.setdefault(action, {})[source] = None
            targets.setdefault(action, {})[to] = None
    many = {action for action in sources if len(sources[action]) >= MANY or len(targets[action]) >= MANY}
    groups: dict[tuple[str, str, bool], list[str]] = {}
    for action, source, to in pairs:
        if action not in many:
            groups.setdefault((source, to, flow.actions[action].by == SCHEDULER), []).append(action)
    lines = tuple(Line(source, to, time, tuple(_said(book, action) for action in actions)) for (source, to, time), actions in groups.items())
    beneath = tuple(
        Beneath(
            action,
            flow.actions[action].title,
            tuple(flow.states[one].title for one in sources[action]),
            tuple(flow.states[one].title for one in targets[action]),
            flow.actions[action].by == SCHEDULER,
        )
        for action in flow.actions
        if action in many
    )
    return Chart(flow.title, tuple(_boxes(book)), lines, beneath)


def _starts_again(flow: Workflow, action: str) -> bool:
    """Whether an act of time begins anew the clock that brings it about: what is drawn as a loop."""
    return any(clock.remind == action and any(action in start.after for start in clock.starts) for clock in flow.clocks.values())


def _said(book: Rulebook, name: str) -> Said:
    action = book.workflow.actions[name]
    times = [book.workflow.limits[limit].times for limit in book.limits.get(name, ())]
    limit = ("once only" if min(times) == 1 else f"at most {min(times)} times") if times else ""
    return Said(action.title + _who(action), limit)


def _who(action: Action) -> str:
    return "" if action.by == SCHEDULER or "staff" in action.by else f" ({', '.join(one.replace('-', ' ') for one in action.by)})"


def _boxes(book: Rulebook) -> list[Box]:
    """The boxes, downwards in the order of the grid's longer side, which leaves room for words between the columns."""
    flow = book.workflow
    places = {name: state.place or (at % 4 + 1, at // 4 + 1) for at, (name, state) in enumerate(flow.states.items())}
    wide, high = (sorted({place[side] for place in places.values()}) for side in (0, 1))
    down, across = (0, 1) if len(wide) >= len(high) else (1, 0)
    rows, columns = (wide, high) if down == 0 else (high, wide)
    stands = _stands(book)
    return [
        Box(
            name,
            state.title,
            "ended" if state.ends else "nobody’s turn" if state.turn == "nobody" else f"the {state.turn}’s turn",
            columns.index(places[name][across]),
            rows.index(places[name][down]),
            stands.get(name, ""),
            state.ends,
        )
        for name, state in flow.states.items()
    ]


def _stands(book: Rulebook) -> Mapping[str, str]:
    """The states in which a clock of the agency stands: an act that leads there holds or displaces it, and none on the way lets it go on."""
    flow, agency = book.workflow, book.calendar.agency
    ways = [(action, source, to) for action, source, to in book.machine.edges() if source not in (to, NEW) and not flow.states[to].ends]
    found: dict[str, dict[str, str]] = {}
    waiting = True
    while waiting:
        waiting = False
        for action, source, to in ways:
            moves = [move for move in book.moves.get(action, ()) if (flow.clocks[move.clock].actor or agency) == agency]
            ended = {move.clock for move in moves if move.kind not in ("hold", "displace", "expect", "extend")}
            stands = {clock: kind for clock, kind in found.get(source, {}).items() if clock not in ended}
            stands.update({move.clock: "displaced" if move.kind == "displace" else "held" for move in moves if move.kind in ("hold", "displace")})
            known = found.setdefault(to, {})
            news = {clock: kind for clock, kind in stands.items() if known.get(clock) != kind and known.get(clock) != "displaced"}
            if news:
                known.update(news)
                waiting = True
    return {state: "displaced" if "displaced" in stands.values() else "held" for state, stands in found.items() if stands}
