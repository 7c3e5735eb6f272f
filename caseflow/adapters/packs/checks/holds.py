"""Holds: each has law, one beginning per act, and an act that can end it wherever the case then stands.

The end must be possible under every reading of the settings that it asks; facts may still turn out either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from caseflow.adapters.packs.checks.clocks import Moves, Spot, Walk, moves_on
from caseflow.adapters.packs.checks.reach import Space
from caseflow.adapters.packs.checks.walk import leaves
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.rulebook import ClockMove
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

Readings = Mapping[str, Any]
"""Settings with the readings chosen."""


def check(loaded: Loaded) -> list[Fault]:
    """Faults of the holds of every workflow."""
    faults: list[Fault] = []
    for flow, node in loaded.flows:
        space = Space(flow)
        for name, clock in flow.clocks.items():
            written = list(_written(node, name, clock))
            faults += written
            if clock.holds and not written:
                faults += _ends(flow, space, name, node, loaded.pack.text.settings)
    return faults


def _written(node: Node, name: str, clock: p.Clock) -> Iterator[Fault]:
    begun: dict[str, int] = {}
    for place, hold in enumerate(clock.holds):
        path = ("clocks", name, "holds", place)
        if not (hold.cite or hold.note or hold.policy):
            yield Fault(*node.find(path), f"a hold of '{name}' has no cite; name the law that stops the time")
        if not hold.until:
            yield Fault(*node.find(path), f"nothing ends a hold of '{name}'; write 'until'")
        for act in dict.fromkeys(act for moment in hold.from_ for act in moment.after):
            if act in begun:
                text = f"two holds of '{name}' begin with '{act}'; when one ends the other would stay open for ever. Put both ends into one 'until'"
                yield Fault(*node.find(path), text)
            begun[act] = place


def _ends(flow: p.Workflow, space: Space, name: str, node: Node, settings: Mapping[str, p.Setting]) -> Iterator[Fault]:
    moves = moves_on(flow, name)
    held = {spot for spot in Walk(flow, space, name, moves).spots() if spot[2] == "held"}
    useless = list(_useless(flow, name, node, held))
    yield from useless
    for readings in _readings(flow, name, settings) if not useless else ():
        stuck = sorted({state for state, _, _ in _stuck(Walk(flow, space, name, _under(flow, moves, readings)))})
        if stuck:
            where = " and ".join(f"setting '{setting}' is {str(value).lower()}" for setting, value in readings.items())
            text = f"a hold of '{name}' can never end in {', '.join(stuck)}{' where ' if where else ''}{where}; allow the act that ends it there"
            yield Fault(*node.find(("clocks", name, "holds"), True), text)
            return


def _useless(flow: p.Workflow, name: str, node: Node, held: set[Spot]) -> Iterator[Fault]:
    for place, hold in enumerate(flow.clocks[name].holds):
        for inner, moment in enumerate(hold.until):
            for act in moment.after:
                if not any(state in flow.states_of(flow.actions[act].from_) for state, _, _ in held):
                    text = f"'{act}' ends a hold of '{name}' but is not possible while it is open"
                    yield Fault(*node.find(("clocks", name, "holds", place, "until", inner)), f"{text}; allow it there, or take it away")


def _stuck(walk: Walk) -> set[Spot]:
    """The open states with the hold open, from which no way leads to its end; beginning it again is no way."""
    begins = {act for hold in walk.clock.holds for moment in hold.from_ for act in moment.after}
    held = {spot for spot in walk.spots() if spot[2] == "held" and not walk.flow.states[spot[0]].ends}
    leads = {spot: {there for act, there in walk.steps(spot) if act not in begins} for spot in held}
    able: set[Spot] = set()
    grown = True
    while grown:
        more = {spot for spot in held - able if any(there[2] == "on" or there in able for there in leads[spot])}
        able |= more
        grown = bool(more)
    return held - able


def _readings(flow: p.Workflow, name: str, settings: Mapping[str, p.Setting]) -> Iterator[Readings]:
    """Every choice of readings of the settings that an end of a hold asks."""
    ends = [moment.when for hold in flow.clocks[name].holds for moment in hold.until]
    asked = list(dict.fromkeys(setting for test in ends for setting in _asked(flow, test)))
    for values in product(*(settings[setting].readings or (True, False) for setting in asked)):
        yield dict(zip(asked, values, strict=True))


def _asked(flow: p.Workflow, test: Any) -> Iterator[str]:
    for part, _ in leaves(test, ()):
        if isinstance(part, p.SettingTest):
            yield part.setting
        elif isinstance(part, p.Named) and part.name in flow.conditions:
            condition = flow.conditions[part.name]
            yield from _asked(flow, condition.test)
            yield from _asked(flow, condition.applies)


def _under(flow: p.Workflow, moves: Moves, readings: Readings) -> Moves:
    """The moves that the readings leave possible; where they leave a moment open, facts may turn out either way."""
    made: dict[str, list[ClockMove]] = {act: [] for act in moves}
    for act, found in moves.items():
        for move in found:
            answer = _decided(flow, move.moment.when, readings)
            if answer is True:
                move = move._replace(moment=move.moment.model_copy(update={"when": None}))
            if answer is not False:
                made[act].append(move)
    return made


def _decided(flow: p.Workflow, test: Any, readings: Readings) -> bool | None:
    """What the readings alone make of a test; None where they leave the answer open."""
    if isinstance(test, p.SettingTest) and test.setting in readings:
        value = readings[test.setting]
        return value in test.is_ if isinstance(test.is_, (list, tuple)) else value == test.is_
    if isinstance(test, p.Named) and test.name in flow.conditions:
        condition = flow.conditions[test.name]
        return _decided(flow, condition.test, readings) if condition.applies is None else None
    if isinstance(test, p.AllOf):
        answers = {_decided(flow, one, readings) for one in test.all}
        return False if False in answers else None if None in answers else True
    if isinstance(test, (p.AnyOf, p.NoneOf)):
        answers = {_decided(flow, one, readings) for one in (test.any if isinstance(test, p.AnyOf) else test.none)}
        found = True if True in answers else None if None in answers else False
        return found if isinstance(test, p.AnyOf) or found is None else not found
    return None
