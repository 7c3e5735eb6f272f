"""The state space: what can be reached, what has no way out, who may act, and what closes a case."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.machine import branches
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

Stand = tuple[str, str | None]
"""A state, and the state before it."""


def check(loaded: Loaded) -> list[Fault]:
    """Faults of the state space of every workflow."""
    faults: list[Fault] = []
    for flow, node in loaded.flows:
        faults += _flow(flow, node)
    return faults


def opening(flow: p.Workflow) -> set[str]:
    """The states in which a case may begin."""
    action = flow.actions["file"]
    return {to for branch in branches(action) if (to := branch.to or action.to) is not None and to in flow.states}


def edges(flow: p.Workflow, stand: Stand) -> Iterator[tuple[str, Stand]]:
    """Every act possible from a state, with where it leads."""
    state, came = stand
    for name, action in flow.actions.items():
        if name == "file" or state not in flow.states_of(action.from_):
            continue
        for branch in branches(action):
            to = branch.to or action.to or "same"
            target = state if to == "same" else came if to == "previous" else to
            if target is not None:
                yield name, (target, state if target != state else came)


def stands(flow: p.Workflow) -> dict[Stand, str]:
    """Every reachable state with the state before it, and the act that first led there."""
    found: dict[Stand, str] = {(state, None): "file" for state in opening(flow)}
    todo = list(found)
    while todo:
        here = todo.pop()
        for name, there in edges(flow, here):
            if there not in found:
                found[there] = name
                todo.append(there)
    return found


def _flow(flow: p.Workflow, node: Node) -> Iterator[Fault]:
    reached = stands(flow)
    states = {state for state, _ in reached}
    for name in flow.states:
        if name not in states:
            yield Fault(*node.find(("states", name), True), f"state '{name}' can't be reached; lead an action to it or take it away")
    ending = {name for name, state in flow.states.items() if state.ends}
    if not ending:
        yield Fault(*node.find(("states",), True), "no state ends the case; write 'ends: true' in one")
    way_out = _can_end(flow, reached, ending)
    for name in states:
        if name not in ending and not any(state == name and (state, came) in way_out for state, came in reached):
            yield Fault(*node.find(("states", name), True), f"no way leads from '{name}' to the end of a case; add an action from it")
    usable = {name for stand in reached for name, _ in edges(flow, stand)}
    for name, action in flow.actions.items():
        if name != "file" and name not in usable:
            yield Fault(*node.find(("actions", name), True), f"action '{name}' is never possible; its states can't be reached")
        yield from _closing(flow, node, name, action, ending)
    yield from _scheduler(flow, node)
    places = [(state.place, name) for name, state in flow.states.items() if state.place is not None]
    for number, (place, name) in enumerate(places):
        for other_place, other in places[:number]:
            if place == other_place:
                yield Fault(*node.find(("states", name, "place")), f"states '{other}' and '{name}' lie on the same place of the diagram; move one")


def _can_end(flow: p.Workflow, reached: dict[Stand, str], ending: set[str]) -> set[Stand]:
    able = {stand for stand in reached if stand[0] in ending}
    grown = True
    while grown:
        grown = False
        for stand in reached:
            if stand not in able and any(there in able for _, there in edges(flow, stand)):
                able.add(stand)
                grown = True
    return able


def _closing(flow: p.Workflow, node: Node, name: str, action: p.Action, ending: set[str]) -> Iterator[Fault]:
    sources = set(flow.states_of(action.from_))
    for place, branch in enumerate(branches(action)):
        to = branch.to or action.to
        closes = to in ending and (name == "file" or not sources <= ending)
        if closes and (branch.disposition or action.disposition) is None:
            path = ("actions", name, "outcomes", place) if action.outcomes else ("actions", name)
            yield Fault(*node.find(path, True), f"action '{name}' closes the case ('{to}') but gives no disposition")


def _scheduler(flow: p.Workflow, node: Node) -> Iterator[Fault]:
    fired: dict[str, tuple[str, str]] = {}
    for clock_id, clock in flow.clocks.items():
        for word in ("overdue", "silence", "remind"):
            act = getattr(clock, word)
            if act is not None:
                fired[act] = (clock_id, word)
                if "scheduler" not in flow.actions[act].by:
                    text = f"'{act}' is fired by the scheduler, but the action says by: {', '.join(flow.actions[act].by)}"
                    yield Fault(*node.find(("actions", act, "by")), text)
    for name, action in flow.actions.items():
        if action.by == ("scheduler",) and name not in fired:
            yield Fault(*node.find(("actions", name), True), f"only the scheduler may do '{name}', but no clock ever asks for it")
        if name in fired and action.takes:
            yield Fault(*node.find(("actions", name, "takes")), f"the scheduler fires '{name}' and can't state '{action.takes[0]}'; move it to 'may-take'")
