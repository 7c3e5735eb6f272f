"""What leads back to itself: conditions, clocks and groups; and clocks that rest on a flag, which is only for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from caseflow.adapters.packs.checks import walk
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

Thing = tuple[str, str]
"""A kind (conditions, clocks, groups) and a name."""
_SINGULAR = {"conditions": "condition", "clocks": "clock", "groups": "group"}


def check(loaded: Loaded) -> list[Fault]:
    """Circles and flags under clocks in every workflow."""
    faults: list[Fault] = []
    for flow, node in (*loaded.flows, *loaded.bases):
        asks = _asks(flow)
        for way in circles(asks):
            kind, name = way[0]
            shown = " -> ".join(f"{_SINGULAR[kind]} '{name}'" for kind, name in (*way, way[0]))
            faults.append(Fault(*node.find((kind, name), True), f"{_SINGULAR[kind]} '{name}' leads back to itself ({shown}); break the chain"))
        faults += _flags(flow, node, asks)
    return faults


def circles(asks: Mapping[Any, set[Any]]) -> Iterator[tuple[Any, ...]]:
    """Each circle once, as the way round from its first member."""
    told: set[Any] = set()
    for start in asks:
        way = _back(start, asks) if start not in told else None
        if way is not None:
            told.update(way)
            yield way


def _back(start: Any, asks: Mapping[Any, set[Any]]) -> tuple[Any, ...] | None:
    """The shortest way from a thing back to itself."""
    ways: list[tuple[Any, ...]] = [(start,)]
    seen: set[Any] = set()
    for way in ways:
        for other in sorted(asks.get(way[-1], ())):
            if other == start:
                return way
            if other not in seen:
                seen.add(other)
                ways.append((*way, other))
    return None


def _asks(flow: p.Workflow) -> dict[Thing, set[Thing]]:
    asks: dict[Thing, set[Thing]] = {}
    for name, condition in flow.conditions.items():
        asks[("conditions", name)] = {thing for test in (condition.test, condition.applies) for thing in _in_test(test)}
    for name, clock in flow.clocks.items():
        found = asks[("clocks", name)] = set()
        for _, moment, _path in walk.moments(clock, ()):
            found.update(_in_test(moment.when))
            found.update(_in_day(moment.counted_from))
            found.update(_in_day(moment.to) if isinstance(moment, p.Extension) else ())
    for name, members in flow.groups.items():
        asks[("groups", name)] = {("groups", member) for member in members if member in flow.groups}
    return asks


def _in_test(test: Any) -> Iterator[Thing]:
    for part, _ in walk.leaves(test, ()):
        if isinstance(part, p.Named):
            yield "conditions", part.name
        elif isinstance(part, p.ClockTest):
            yield "clocks", part.clock
        elif isinstance(part, p.DayTest):
            yield from _in_day(part.day)
            yield from _in_day(part.value)


def _in_day(day: Any) -> Iterator[Thing]:
    if isinstance(day, p.ClockDay):
        yield "clocks", day.clock


def _flags(flow: p.Workflow, node: Node, asks: Mapping[Thing, set[Thing]]) -> Iterator[Fault]:
    """Flags asked by a moment of a clock, or by a condition that one asks."""
    pending = [thing for name in flow.clocks for thing in asks[("clocks", name)]]
    under = set(pending)
    while pending:
        for other in asks.get(pending.pop(), ()):
            if other not in under:
                under.add(other)
                pending.append(other)
    for part, path in walk.all_leaves(flow):
        if isinstance(part, p.FlagTest) and (path[0] == "clocks" or path[:2] in under):
            text = f"a clock may not depend on flag '{part.flag}'; a flag is what people see, name the action that raises it"
            yield Fault(*node.find((*path, "flag")), text)
