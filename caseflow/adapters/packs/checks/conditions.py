"""Conditions and tests: operators against types, values, units, citations, and questions that lead back to themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from caseflow.adapters.packs.checks import walk
from caseflow.adapters.packs.checks.names import node_of
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.facts import Misfit, fit
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

ORDERED = ("at-least", "at-most", "more-than", "less-than")
FITTING = {
    "is": ("text", "yes-no", "number", "money", "day", "choice"),
    "in": ("text", "number", "choice"),
    "order": ("number", "money"),
    "includes": ("list",),
}


def check(loaded: Loaded) -> list[Fault]:
    """Faults of tests in every workflow."""
    faults: list[Fault] = []
    elsewhere = _asked_by_fees(loaded.pack)
    for flow in loaded.pack.workflows:
        node = node_of(loaded, flow)
        facts = {**loaded.pack.facts, **{n: _joined(loaded.pack.facts.get(n), f) for n, f in flow.facts.items()}}
        for leaf in walk.all_leaves(flow):
            if isinstance(leaf.part, p.FactTest) and leaf.part.fact in facts:
                faults += [Fault(*node.find(path), text) for path, text in _fact_test(leaf.part, leaf.path, facts)]
        faults += _cites(flow, node)
        faults += _circles(flow, node)
        faults += _unused(flow, node, elsewhere)
        faults += _own_facts_given(flow, node)
    return list(dict.fromkeys(faults))


def _joined(base: p.Fact | None, own: p.Fact) -> p.Fact:
    if base is None or "type" in own.model_fields_set:
        return own
    return base.model_copy(update={key: getattr(own, key) for key in own.model_fields_set})


def _fact_test(test: p.FactTest, path: walk.Path, facts: dict[str, p.Fact]) -> Iterator[tuple[walk.Path, str]]:
    fact = facts[test.fact]
    if test.op == "given":
        if not isinstance(test.value, bool):
            yield (*path, "given"), "'given' is asked with true or false"
        return
    family = "order" if test.op in ORDERED else "includes" if test.op.startswith("includes") else "in" if test.op in ("in", "not-in") else "is"
    if fact.type not in FITTING[family]:
        yield (*path, test.op), f"fact '{test.fact}' is of type {fact.type}, which '{test.op}' can't compare"
        return
    if test.unit != fact.unit and (test.unit is not None or fact.unit is not None):
        said = test.unit or "no unit"
        yield (*path, "unit"), f"fact '{test.fact}' is in {fact.unit or 'no unit'}, the rule says {said}"
    for value in test.value if family == "in" and isinstance(test.value, (list, tuple)) else [test.value]:
        if isinstance(value, dict):
            continue
        if fact.values is not None and family != "order":
            for one in value if isinstance(value, (list, tuple)) else [value]:
                if one not in fact.values:
                    yield (*path, test.op), f"fact '{test.fact}' can never be '{one}'; its values: {', '.join(fact.values)}"
        elif fact.type in ("yes-no", "number", "money"):
            try:
                fit(test.fact, fact, value)
            except Misfit as misfit:
                yield (*path, test.op), str(misfit)


def _cites(flow: p.Workflow, node: Node) -> Iterator[Fault]:
    for kind, things in (
        ("condition", flow.conditions),
        ("action", flow.actions),
        ("clock", flow.clocks),
        ("limit", flow.limits),
        ("item", flow.items),
        ("exclusion", flow.exclusions),
    ):
        for name, thing in things.items():
            if not (thing.cite or thing.note or thing.policy):
                path = (f"{kind}s", name)
                yield Fault(*node.find(path, True), f"{kind} '{name}' has no cite; name the law, or write 'note' (or 'policy: true') to say why there is none")


def _circles(flow: p.Workflow, node: Node) -> Iterator[Fault]:
    """Conditions that ask themselves, through others and through the clocks they ask."""
    asks: dict[str, set[str]] = {}
    for name, condition in flow.conditions.items():
        found = [*walk.leaves(condition.test, ()), *walk.leaves(condition.applies, ())]
        asks[name] = {part.name for part, _ in found if isinstance(part, p.Named)}
    for name in flow.conditions:
        seen: set[str] = set()
        todo = list(asks[name])
        while todo:
            other = todo.pop()
            if other == name:
                yield Fault(*node.find(("conditions", name), True), f"condition '{name}' leads back to itself; ask a fact instead")
                break
            if other not in seen:
                seen.add(other)
                todo += asks.get(other, ())


def _unused(flow: p.Workflow, node: Node, elsewhere: set[str]) -> Iterator[Fault]:
    used = {part.name for part, _ in walk.all_leaves(flow) if isinstance(part, p.Named)} | elsewhere
    for name in flow.conditions:
        if name not in used and node.find(("conditions", name), True)[0] == node.file:
            yield Fault(*node.find(("conditions", name), True), f"condition '{name}' is never asked; use it or take it away")
    parts: list[p.Action | p.Branch] = [*flow.actions.values(), *(one for action in flow.actions.values() for one in action.outcomes)]
    raised = {flag for part in parts for flag in part.raises}
    for name in flow.flags:
        if name not in raised and node.find(("flags", name), True)[0] == node.file:
            yield Fault(*node.find(("flags", name), True), f"flag '{name}' is never raised; raise it or take it away")


def _asked_by_fees(pack: p.Pack) -> set[str]:
    tests = [refund.when for refund in pack.refunds.values()] + [fee.only_if_cheaper for fee in pack.fees.values()]
    return {part.name for test in tests for part, _ in walk.leaves(test, ()) if isinstance(part, p.Named)}


def _own_facts_given(flow: p.Workflow, node: Node) -> Iterator[Fault]:
    """A count from a fact needs the fact: the act must take it, or the author says what counts without it."""
    for name, clock in flow.clocks.items():
        for _, moment, path in walk.moments(clock, ("clocks", name)):
            day = moment.to if isinstance(moment, p.Extension) and moment.to is not None else moment.counted_from
            if not isinstance(day, p.FactDay) or day.or_else is not None:
                continue
            for act in (*moment.after, *moment.before):
                if act in flow.actions and day.fact not in flow.actions[act].takes:
                    text = (
                        f"the count begins from fact '{day.fact}', but '{act}' may be recorded without it; put it under "
                        "'takes', or say what then: 'or-else: this-act' or 'or-else: nothing'"
                    )
                    yield Fault(*node.find((*path, "counted-from")), text)
