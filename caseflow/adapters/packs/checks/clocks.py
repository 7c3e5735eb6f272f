"""Clocks walked through the state space: none may outlive its reason, hang for ever, or run out where nobody acts.

A walk carries (state, state before, status of the clock). A moment with a condition may or may not happen, so both
ways are walked; a conditional end of a hold is not counted on, which finds holes under any reading of a setting.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from caseflow.adapters.packs.checks.reach import Stand, edges, opening
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.rulebook import ClockMove, moves_of
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

Spot = tuple[str, str | None, str]
"""State, state before, status: off, on, held, away or ended."""


def check(loaded: Loaded) -> list[Fault]:
    """Faults of the clocks of every workflow."""
    faults: list[Fault] = []
    agency = next(name for name, actor in loaded.pack.calendar.actors.items() if actor.agency)
    for flow, node in loaded.flows:
        moves = moves_of(flow)
        for name, clock in flow.clocks.items():
            faults += _clock(flow, node, name, clock, {act: [m for m in found if m.clock == name] for act, found in moves.items()}, agency)
    return faults


def _clock(flow: p.Workflow, node: Node, name: str, clock: p.Clock, moves: dict[str, list[ClockMove]], agency: str) -> Iterator[Fault]:
    path = ("clocks", name)
    own = clock.actor is None or clock.actor == agency
    yield from _holds(node, name, clock)
    spots = walk(flow, moves, clock)
    if own and not clock.policy and not clock.remind:
        if not clock.met and not clock.stopped:
            yield Fault(*node.find(path, True), f"nothing ends clock '{name}'; say what the clock asks for under 'met'")
        else:
            yield from _outlives(flow, node, name, spots)
    yield from _unended(flow, node, name, clock, moves, spots)
    for word in ("overdue", "silence", "remind"):
        act = getattr(clock, word)
        if act is not None:
            yield from _runs_out(flow, node, name, clock, word, act, spots)
    if own and not (clock.overdue or clock.silence or clock.remind or clock.alert or clock.policy):
        text = f"when clock '{name}' runs out nobody is told; write 'overdue', 'silence' or 'alert: true'"
        yield Fault(*node.find(path, True), text)


def walk(flow: p.Workflow, moves: dict[str, list[ClockMove]], clock: p.Clock) -> dict[Spot, str]:
    """Every spot that can be reached, with the act that first led there."""
    found: dict[Spot, str] = {}
    for state in opening(flow):
        for status in _after("off", moves.get("file", []), clock):
            found[(state, None, status)] = "file"
    todo = list(found)
    while todo:
        here = todo.pop()
        for act, there in _steps(flow, moves, clock, here):
            if there not in found:
                found[there] = act
                todo.append(there)
    return found


def _steps(flow: p.Workflow, moves: dict[str, list[ClockMove]], clock: p.Clock, spot: Spot) -> Iterator[tuple[str, Spot]]:
    stand: Stand = (spot[0], spot[1])
    for act, (state, came) in edges(flow, stand):
        ran_out = spot[2] == "on" and act in (clock.overdue, clock.silence) and flow.actions[act].by == ("scheduler",)
        for status in _after("ended" if ran_out else spot[2], moves.get(act, []), clock):
            yield act, (state, came, status)


def _after(status: str, moves: list[ClockMove], clock: p.Clock) -> set[str]:
    statuses = {status}
    for move in moves:
        moved = {_effect(one, move.kind, clock) for one in statuses}
        unsure = move.moment.when is not None or (move.kind == "hold" and move.moment.counted_from is not None)
        statuses = moved | statuses if unsure else moved
    return statuses


def _effect(status: str, kind: str, clock: p.Clock) -> str:
    if kind in ("met", "stop"):
        return status if status == "off" else "ended"
    if kind == "cancel":
        return "off"
    if kind == "displace":
        return "away" if status in ("on", "held") else status
    if kind == "hold":
        return "held" if status == "on" else status
    if kind == "resume":
        return "on" if status == "held" else status
    if kind == "start":
        again = clock.take == "latest" and status in ("ended", "away")
        return "on" if status == "off" or again else status
    return status


def _holds(node: Node, name: str, clock: p.Clock) -> Iterator[Fault]:
    begun: dict[str, int] = {}
    for place, hold in enumerate(clock.holds):
        path = ("clocks", name, "holds", place)
        if not (hold.cite or hold.note or hold.policy):
            yield Fault(*node.find(path), f"a hold of '{name}' has no cite; name the law that stops the time")
        if not hold.until:
            yield Fault(*node.find(path), f"nothing ends a hold of '{name}'; write 'until'")
        for moment in hold.from_:
            for act in moment.after:
                if begun.get(act, place) != place:
                    text = f"two holds of '{name}' begin with '{act}'; when one ends the other would stay open for ever. Put both ends into one 'until'"
                    yield Fault(*node.find(path), text)
                begun[act] = place


def _outlives(flow: p.Workflow, node: Node, name: str, spots: dict[Spot, str]) -> Iterator[Fault]:
    for (state, _came, status), act in spots.items():
        if flow.states[state].ends and status in ("on", "held"):
            text = f"clock '{name}' still runs in '{state}' after '{act}'; put '{act}' under 'met' or 'stopped'"
            yield Fault(*node.find(("clocks", name), True), text)
            return


def _unended(flow: p.Workflow, node: Node, name: str, clock: p.Clock, moves: dict[str, list[ClockMove]], spots: dict[Spot, str]) -> Iterator[Fault]:
    """From every held spot some unconditional act must end the hold or the clock."""
    held = {spot for spot in spots if spot[2] == "held"}
    sure = {act: [move for move in found if move.moment.when is None] for act, found in moves.items()}
    able: set[Spot] = set()
    grown = True
    while grown:
        grown = False
        for spot in held - able:
            for _act, there in _steps(flow, sure, clock, spot):
                if there[2] != "held" or there in able:
                    able.add(spot)
                    grown = True
                    break
    for state, _, _ in sorted(held - able, key=str):
        yield Fault(*node.find(("clocks", name, "holds")), f"a hold of '{name}' can never end in '{state}'; allow the act that ends it there")
        return
    for place, hold in enumerate(clock.holds):
        for moment in hold.until:
            for act in moment.after:
                if act in flow.actions and not any(s[0] in flow.states_of(flow.actions[act].from_) for s in held):
                    text = f"'{act}' ends a hold of '{name}' but is not possible while it is open"
                    yield Fault(*node.find(("clocks", name, "holds", place, "until")), text)


def _runs_out(flow: p.Workflow, node: Node, name: str, clock: p.Clock, word: str, act: str, spots: dict[Spot, str]) -> Iterator[Fault]:
    allowed = set(flow.states_of(flow.actions[act].from_)) | set(flow.states_of(clock.waits_in))
    reported: set[str] = set()
    for state, _came, status in spots:
        if status == "on" and state not in allowed and state not in reported:
            reported.add(state)
            text = (
                f"clock '{name}' can run out in {state}, where '{act}' is not allowed; stop the clock on the way there, "
                f"allow the action there, or say waits-in: [{state}]"
            )
            yield Fault(*node.find(("clocks", name, word), True), text)
