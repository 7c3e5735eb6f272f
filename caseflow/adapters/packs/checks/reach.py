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


class Space:
    """The state space of a workflow: from each state the outcomes of acts possible there, with where they lead."""

    def __init__(self, flow: p.Workflow) -> None:
        self._acts: dict[str, list[tuple[str, int, str]]] = {state: [] for state in flow.states}
        self.opening: list[tuple[int, str]] = []
        """The outcomes of filing, each with the state in which a case then begins."""
        for name, action in flow.actions.items():
            outcomes = [(place, branch.to or action.to or "same") for place, branch in enumerate(branches(action))]
            if name == "file":
                self.opening = [(place, to) for place, to in outcomes if to in flow.states]
                continue
            for state in flow.states_of(action.from_):
                self._acts[state] += [(name, place, to) for place, to in outcomes]

    def edges(self, stand: Stand) -> Iterator[tuple[str, int, Stand]]:
        """Every act possible from a state with the place of its outcome, and where that leads."""
        state, came = stand
        for name, place, to in self._acts[state]:
            target = state if to == "same" else came if to == "previous" else to
            if target is not None:
                yield name, place, (target, state if target != state else came)

    def stands(self) -> set[Stand]:
        """Every reachable state with the state before it."""
        found: set[Stand] = {(state, None) for _, state in self.opening}
        pending = list(found)
        while pending:
            for _, _, there in self.edges(pending.pop()):
                if there not in found:
                    found.add(there)
                    pending.append(there)
        return found


def _flow(flow: p.Workflow, node: Node) -> Iterator[Fault]:
    space = Space(flow)
    reached = space.stands()
    states = {state for state, _ in reached}
    for name in flow.states:
        if name not in states:
            yield Fault(*node.find(("states", name), True), f"state '{name}' can't be reached; lead an action to it or take it away")
    ending = {name for name, state in flow.states.items() if state.ends}
    if not ending:
        yield Fault(*node.find(("states",), True), "no state ends the case; write 'ends: true' in one")
    way_out = _can_end(space, reached, ending)
    for name in sorted(states) if ending else ():
        if name not in ending and not any(state == name and (state, came) in way_out for state, came in reached):
            yield Fault(*node.find(("states", name), True), f"no way leads from '{name}' to the end of a case; add an action from it")
    for name, action in flow.actions.items():
        yield from _closing(flow, node, name, action, ending)
    yield from _scheduler(flow, node)
    places = [(state.place, name) for name, state in flow.states.items() if state.place is not None]
    for number, (place, name) in enumerate(places):
        for other_place, other in places[:number]:
            if place == other_place:
                yield Fault(*node.find(("states", name, "place")), f"states '{other}' and '{name}' lie on the same place of the diagram; move one")


def _can_end(space: Space, reached: set[Stand], ending: set[str]) -> set[Stand]:
    able = {stand for stand in reached if stand[0] in ending}
    grown = True
    while grown:
        grown = False
        for stand in reached:
            if stand not in able and any(there in able for _, _, there in space.edges(stand)):
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
