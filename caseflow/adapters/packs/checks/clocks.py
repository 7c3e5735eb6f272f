"""Clocks walked through the state space: none may outlive its reason or run out where nobody acts.

A walk carries (state, state before, status of the clock). A moment with a condition may or may not happen, so both
ways are walked, unless the act needs that condition or its outcome turns on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from caseflow.adapters.packs.checks.reach import Space
from caseflow.adapters.packs.nodes import Node, Place
from caseflow.domain import pack as p
from caseflow.domain.machine import branches
from caseflow.domain.rulebook import ClockMove, moves_of
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

Spot = tuple[str, str | None, str]
"""State, state before, status: off, on, held, away or ended."""
Moves = Mapping[str, Sequence[ClockMove]]
"""What each action does to one clock."""
TIMED = ("overdue", "silence", "remind")


def check(loaded: Loaded) -> list[Fault]:
    """Faults of the clocks of every workflow."""
    faults: list[Fault] = []
    agency = next(name for name, actor in loaded.pack.calendar.actors.items() if actor.agency)
    for flow, node in loaded.flows:
        space = Space(flow)
        for name, clock in flow.clocks.items():
            binds = clock.actor in (None, agency) and not clock.policy
            faults += _clock(Walk(flow, space, name, moves_on(flow, name)), node, binds)
    return faults


def moves_on(flow: p.Workflow, name: str) -> Moves:
    """What each action of a workflow does to one clock."""
    return {act: [move for move in found if move.clock == name] for act, found in moves_of(flow).items()}


def _clock(walk: Walk, node: Node, binds: bool) -> Iterator[Fault]:
    clock, path = walk.clock, ("clocks", walk.name)
    spots = walk.spots()
    ends = binds and not clock.remind
    if ends and not clock.met and not clock.stopped:
        yield Fault(*place_in(node, walk.name, ENDS), f"nothing ends clock '{walk.name}'; say what the clock asks for under 'met'")
    elif ends or walk.ends_with_the_case():
        yield from _outlives(walk, node, spots)
    if binds and not (clock.overdue or clock.silence or clock.remind or clock.alert):
        text = f"when clock '{walk.name}' runs out nobody is told; write 'overdue', 'silence' or 'alert: true'"
        yield Fault(*node.find(path, True), text)
    for word in TIMED:
        act = getattr(clock, word)
        if act is not None:
            yield from _runs_out(walk, node, word, act, spots, told_of_ends=ends)


class Walk:
    """One clock through the state space of its workflow."""

    def __init__(self, flow: p.Workflow, space: Space, name: str, moves: Moves) -> None:
        self.flow, self.space, self.name, self.moves = flow, space, name, moves
        self.clock = flow.clocks[name]
        self._known: dict[tuple[str, int], list[tuple[str, bool]]] = {}
        self._asks = {act for word in TIMED if (act := getattr(self.clock, word)) is not None}
        others = [clock for other, clock in flow.clocks.items() if other != name]
        self._elsewhere = {act for clock in others for word in TIMED if (act := getattr(clock, word)) is not None}

    def spots(self) -> dict[Spot, str]:
        """Every spot that can be reached, with the act that first led there."""
        opening = self.space.opening
        found: dict[Spot, str] = {(state, None, status): "file" for place, state in opening for status in self._after("off", "file", place)}
        pending = list(found)
        while pending:
            for act, there in self.steps(pending.pop()):
                if there not in found:
                    found[there] = act
                    pending.append(there)
        return found

    def ends_with_the_case(self) -> bool:
        """Whether the clock, whoever it binds, is stopped by an act that ends a case, and none of those starts it."""
        ending = {act for act, action in self.flow.actions.items() if any(self.flow.states[to].ends for to in self._targets(action))}
        kinds = {move.kind for act in ending for move in self.moves.get(act, ())}
        return bool(kinds & {"met", "stop"}) and "start" not in kinds

    def _targets(self, action: p.Action) -> Iterator[str]:
        for to in (action.to, *(branch.to for branch in branches(action))):
            if to is not None and to in self.flow.states:
                yield to

    def steps(self, spot: Spot) -> Iterator[tuple[str, Spot]]:
        """Every act possible at a spot, with each spot it may lead to."""
        state, came, status = spot
        for act, place, (to, before) in self.space.edges((state, came)):
            fired = self.flow.actions[act].by == ("scheduler",) and act not in self._elsewhere
            if fired and not (status == "on" and act in self._asks):
                continue
            ran_out = status == "on" and act in (self.clock.overdue, self.clock.silence)
            for after in self._after("ended" if ran_out else status, act, place):
                yield act, (to, before, after)

    def _after(self, status: str, act: str, place: int) -> set[str]:
        statuses = {status}
        for kind, unsure in self._kinds(act, place):
            moved = {_effect(one, kind, self.clock) for one in statuses}
            statuses = moved | statuses if unsure else moved
        return statuses

    def _kinds(self, act: str, place: int) -> list[tuple[str, bool]]:
        """What an outcome of an act does to the clock, and whether it may also not do it."""
        known = self._known.get((act, place))
        if known is None:
            known = self._known[(act, place)] = list(self._judged(act, place))
        return known

    def _judged(self, act: str, place: int) -> Iterator[tuple[str, bool]]:
        action = self.flow.actions[act]
        outcomes = [branch.when for branch in branches(action)]
        for move in self.moves.get(act, ()):
            when = move.moment.when
            # What the act needs, or its outcome, holds; what an earlier outcome asked does not, or that were taken.
            if when is not None and when in outcomes[:place]:
                continue
            asked = when is not None and when not in action.needs and when != outcomes[place]
            # A hold counted from another day may begin after the last day, and then holds nothing.
            yield move.kind, asked or (move.kind == "hold" and move.moment.counted_from is not None)


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


ENDS = ("stopped", "met", "waits-in", "holds", "displaced", "starts")
"""The words of a clock that decide where it runs, the likeliest to be at fault first."""


def place_in(node: Node, name: str, words: Sequence[str], otherwise: str | None = None) -> Place:
    """Where a clock's fault lies: at the first of these words that a child wrote, or else at the one named or the clock.

    A child changes some words of a clock that it extends: where it did, its words are what to look at.
    """
    clock = node.value["clocks"].value[name]
    for word in words if "extends" in node.value else ():
        part = clock.value.get(word)
        if part is not None and part.file == node.file:
            at: Place = clock.keys.get(word, part.place)
            return at if at[0] == node.file else part.place
    return node.find(("clocks", name, otherwise) if otherwise in clock.value else ("clocks", name), True)


def _outlives(walk: Walk, node: Node, spots: Mapping[Spot, str]) -> Iterator[Fault]:
    found = {(state, act) for (state, _, status), act in spots.items() if status in ("on", "held") and walk.flow.states[state].ends}
    for state, act in sorted(found):
        text = f"clock '{walk.name}' still runs in '{state}' after '{act}'; put '{act}' under 'met' or 'stopped'"
        yield Fault(*place_in(node, walk.name, ENDS), text)


def _runs_out(walk: Walk, node: Node, word: str, act: str, spots: Mapping[Spot, str], told_of_ends: bool) -> Iterator[Fault]:
    flow, clock = walk.flow, walk.clock
    allowed = {*flow.states_of(flow.actions[act].from_), *flow.states_of(clock.waits_in)}
    if told_of_ends:
        allowed |= {name for name, state in flow.states.items() if state.ends}
    led = {state: after for (state, _, status), after in reversed(list(spots.items())) if status == "on" and state not in allowed}
    for state in sorted(led):
        text = (
            f"clock '{walk.name}' can run out in {state} (after '{led[state]}'), where '{act}' is not allowed; stop the clock on the way there, "
            f"allow the action there, or say waits-in: [{state}]"
        )
        yield Fault(*place_in(node, walk.name, ENDS, word), text)
