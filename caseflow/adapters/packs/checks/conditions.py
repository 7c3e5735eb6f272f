"""Tests and what stands on law: operators against types, values and units of facts; a citation or a reason for none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from caseflow.adapters.packs.checks import walk
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.facts import Misfit, fit
from caseflow.domain.rulebook import facts_of
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

ORDERED = ("at-least", "at-most", "more-than", "less-than")
FITTING = {
    "is": ("text", "yes-no", "number", "money", "day", "choice"),
    "in": ("text", "number", "money", "day", "choice"),
    "order": ("number", "money"),
    "includes": ("list",),
}


def check(loaded: Loaded) -> list[Fault]:
    """Faults of tests in every workflow, abstract ones too."""
    faults: list[Fault] = []
    for flow, node in (*loaded.flows, *loaded.bases):
        known = facts_of(loaded.pack, flow)
        for leaf in walk.all_leaves(flow):
            faults += fact_faults(leaf, known, node)
        faults += _cites(flow, node)
        faults += _counted_facts_given(flow, node)
    return faults


def fact_faults(leaf: walk.Found, facts: Mapping[str, p.Fact], node: Node) -> list[Fault]:
    """What is wrong with a comparison of a fact."""
    test = leaf.part
    if not isinstance(test, p.FactTest) or test.fact not in facts:
        return []
    return [Fault(*node.find((*leaf.path, word)), text) for word, text in _fact_test(test, facts[test.fact])]


def _fact_test(test: p.FactTest, fact: p.Fact) -> Iterator[tuple[str, str]]:
    if test.op == "given":
        if not isinstance(test.value, bool):
            yield "given", "'given' is asked with true or false"
        return
    family = "order" if test.op in ORDERED else "includes" if test.op.startswith("includes") else "in" if test.op in ("in", "not-in") else "is"
    if fact.type not in FITTING[family]:
        yield test.op, f"fact '{test.fact}' is of type {fact.type}, which '{test.op}' can't compare"
        return
    if family == "in" and not isinstance(test.value, (list, tuple, Mapping)):
        yield test.op, f"'{test.op}' is asked with a list, such as [{test.value}]"
        return
    if test.unit != fact.unit:
        yield "unit", f"fact '{test.fact}' is in {fact.unit or 'no unit'}, the rule says {test.unit or 'no unit'}"
    listed = family in ("in", "includes") and isinstance(test.value, (list, tuple))
    for value in test.value if listed else [test.value]:
        yield from _value(test, fact, value, family)


def _value(test: p.FactTest, fact: p.Fact, value: Any, family: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        return
    if fact.values is not None and family != "order":
        if value not in fact.values:
            yield test.op, f"fact '{test.fact}' can never be '{value}'; its values: {', '.join(fact.values)}"
    elif fact.type in ("yes-no", "number", "money", "day"):
        try:
            fit(test.fact, fact, value)
        except Misfit as misfit:
            yield test.op, str(misfit)
    elif isinstance(value, (list, tuple)):
        yield test.op, f"'{test.op}' is asked with one value; write 'in' to ask for one of several"


def _cites(flow: p.Workflow, node: Node) -> Iterator[Fault]:
    kinds: tuple[tuple[str, str, Mapping[str, p.Cited]], ...] = (
        ("condition", "conditions", flow.conditions),
        ("action", "actions", flow.actions),
        ("clock", "clocks", flow.clocks),
        ("limit", "limits", flow.limits),
        ("item", "items", flow.items),
        ("item", "petition-items", flow.petition_items),
        ("exclusion", "exclusions", flow.exclusions),
    )
    for kind, word, things in kinds:
        for name, thing in things.items():
            if uncited(thing):
                text = f"{kind} '{name}' has no cite; name the law, or write 'note' (or 'policy: true') to say why there is none"
                yield Fault(*node.find((word, name), True), text)


def uncited(thing: p.Cited) -> bool:
    """Whether something neither cites law nor says why there is none."""
    return not (thing.cite or thing.note or thing.policy)


def _counted_facts_given(flow: p.Workflow, node: Node) -> Iterator[Fault]:
    """A count from a fact needs the fact: the act must take it, or the author says what counts without it."""
    for name, clock in flow.clocks.items():
        for _, moment, path in walk.moments(clock, ("clocks", name)):
            to = isinstance(moment, p.Extension) and moment.to is not None
            day = moment.to if isinstance(moment, p.Extension) and to else moment.counted_from
            if not isinstance(day, p.FactDay) or day.or_else is not None:
                continue
            for act in (*moment.after, *moment.before):
                if act in flow.actions and day.fact not in flow.actions[act].takes:
                    text = (
                        f"the count begins from fact '{day.fact}', but '{act}' may be recorded without it; put it under "
                        "'takes', or say what then: 'or-else: this-act' or 'or-else: nothing'"
                    )
                    yield Fault(*node.find((*path, "to" if to else "counted-from")), text)
