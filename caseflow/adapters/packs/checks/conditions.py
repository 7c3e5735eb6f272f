"""Tests and what stands on law: operators against types, values and units of facts; a citation or a reason for none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
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
    "within": ("list",),
    "mentions": ("list", "text"),
}
_FAMILY = {**dict.fromkeys(ORDERED, "order"), "not-in": "in", "is-not": "is", "includes-any": "includes"}
_SEASON_DAY = re.compile(r"(\d\d)-(\d\d)\Z")


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
    """What is wrong with a comparison of a fact, or with a season."""
    test = leaf.part
    if isinstance(test, p.SeasonTest):
        return [Fault(*node.find((*leaf.path, *path)), text) for path, text in _season(test, facts)]
    if not isinstance(test, p.FactTest) or test.fact not in facts:
        return []
    return [Fault(*node.find((*leaf.path, word)), text) for word, text in _fact_test(test, facts[test.fact], facts)]


def _season(test: p.SeasonTest, facts: Mapping[str, p.Fact]) -> Iterator[tuple[walk.Path, str]]:
    if not 1 <= len(test.days) <= 2:
        yield ("days",), "a season is asked with the first and the last day of a period, or with one day"
    for place, name in enumerate(test.days):
        if name in facts and facts[name].type != "day":
            yield ("days", place), f"fact '{name}' is of type {facts[name].type}; a season is asked with facts of type day"
    for word, text in (("from", test.outside.from_), ("to", test.outside.to)):
        if not _month_day(text):
            yield ("outside", word), f"'{text}' is no day of every year; write it as 09-15"


def _month_day(text: str) -> bool:
    found = _SEASON_DAY.match(text)
    try:
        return found is not None and bool(date(2001, int(found[1]), int(found[2])))
    except ValueError:
        return False


def _fact_test(test: p.FactTest, fact: p.Fact, facts: Mapping[str, p.Fact]) -> Iterator[tuple[str, str]]:
    if test.op == "given":
        if not isinstance(test.value, bool):
            yield "given", "'given' is asked with true or false"
        return
    family = _FAMILY.get(test.op, test.op)
    if fact.type not in FITTING[family]:
        yield test.op, f"fact '{test.fact}' is of type {fact.type}, which '{test.op}' can't compare"
        return
    other = _other_fact(test)
    if other is not None:
        yield from _against(test, fact, other, family, facts)
        return
    if family in ("in", "within") and not isinstance(test.value, (list, tuple, Mapping)):
        yield test.op, f"'{test.op}' is asked with a list, such as [{test.value}]"
        return
    if test.unit != fact.unit:
        yield "unit", f"fact '{test.fact}' is in {fact.unit or 'no unit'}, the rule says {test.unit or 'no unit'}"
    listed = family in ("in", "includes", "within") and isinstance(test.value, (list, tuple))
    for value in test.value if listed else [test.value]:
        yield from _value(test, fact, value, family)


def _other_fact(test: p.FactTest) -> str | None:
    """The fact that another one is compared with, if it is."""
    return str(test.value["fact"]) if isinstance(test.value, Mapping) and set(test.value) == {"fact"} else None


def _against(test: p.FactTest, fact: p.Fact, name: str, family: str, facts: Mapping[str, p.Fact]) -> Iterator[tuple[str, str]]:
    """Two facts are compared only where they are of one type and unit."""
    other = facts.get(name)
    if family not in ("order", "is"):
        yield test.op, f"'{test.op}' is asked with values; two facts are compared with is, is-not, at-least, at-most, more-than or less-than"
    elif other is not None and (other.type, other.unit) != (fact.type, fact.unit):
        there, here = (f"{one.type} in {one.unit}" if one.unit else one.type for one in (other, fact))
        yield test.op, f"fact '{name}' is of type {there}, '{test.fact}' of type {here}; two facts are compared in one type and unit"
    elif test.unit is not None and test.unit != fact.unit:
        yield "unit", f"fact '{test.fact}' is in {fact.unit or 'no unit'}, the rule says {test.unit}"


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
