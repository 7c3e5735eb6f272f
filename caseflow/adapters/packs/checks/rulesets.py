"""Rule sets: a rule asks facts, days and settings; it stands on law and fits the facts of the pack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from caseflow.adapters.packs.checks import walk
from caseflow.adapters.packs.checks.circles import circles
from caseflow.adapters.packs.checks.conditions import fact_faults, uncited
from caseflow.adapters.packs.checks.names import reading_faults
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.facts import nearest
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

FOREIGN: dict[type, str] = {p.DoneTest: "done", p.ClockTest: "clock", p.FlagTest: "flag", p.ItemsTest: "items", p.FeesTest: "fees"}
"""What only a workflow knows."""


def check(loaded: Loaded) -> list[Fault]:
    """Faults of every rule set, of the names a workflow takes from several, and of the tests in fees.yaml."""
    faults = [fault for rules, node in loaded.sets for fault in _set(loaded.pack, rules, node)]
    return [*faults, *_twice(loaded), *_fees(loaded)]


def _set(pack: p.Pack, rules: p.RuleSet, node: Node) -> Iterator[Fault]:
    known = {name for part in rules.parts.values() for name in part.rules}
    for leaf in walk.rule_tests(rules):
        for found in walk.leaves(leaf.part, leaf.path):
            yield from _leaf(pack, found, node, known)
    for place, part in rules.parts.items():
        for name, rule in part.rules.items():
            if uncited(rule):
                yield Fault(*node.find(("parts", place, "rules", name), True), f"rule '{name}' has no cite; name the law, or write 'note'")
    asks = {name: set(_named(rule)) for part in rules.parts.values() for name, rule in part.rules.items()}
    for way in circles(asks):
        place = next(place for place, part in rules.parts.items() if way[0] in part.rules)
        yield Fault(*node.find(("parts", place, "rules", way[0]), True), f"rule '{way[0]}' leads back to itself; break the chain")


def _leaf(pack: p.Pack, leaf: walk.Found, node: Node, rules: set[str]) -> Iterator[Fault]:
    part, path = leaf
    if type(part) in FOREIGN:
        word = FOREIGN[type(part)]
        yield Fault(*node.find((*path, word)), f"a rule asks facts, days and settings; put '{word}' into a condition of a workflow")
    elif isinstance(part, p.Named) and part.name not in rules:
        yield Fault(*node.find(path), f"no rule '{part.name}' in this set{nearest(part.name, rules)}")
    elif isinstance(part, p.SettingTest):
        for word, text in reading_faults(part, pack):
            yield Fault(*node.find((*path, word)), text)
    elif isinstance(part, p.FactTest):
        if part.fact not in pack.facts:
            yield Fault(*node.find((*path, "fact")), f"no fact '{part.fact}'{nearest(part.fact, pack.facts)}")
        yield from fact_faults(leaf, pack.facts, node)
    elif isinstance(part, p.DayTest):
        for word, day in (("day", part.day), (part.op, part.value)):
            if isinstance(day, p.FactDay) and day.fact not in pack.facts:
                yield Fault(*node.find((*path, word, "fact")), f"no fact '{day.fact}'{nearest(day.fact, pack.facts)}")


def _named(rule: p.Condition) -> Iterator[str]:
    for test in (rule.test, rule.applies):
        for part, _ in walk.leaves(test, ()):
            if isinstance(part, p.Named):
                yield part.name


def _twice(loaded: Loaded) -> Iterator[Fault]:
    """A workflow finds each condition in one place only."""
    for flow, node in loaded.flows:
        owner = dict.fromkeys(flow.conditions, "the workflow's own conditions")
        for wanted in flow.rules:
            named = {name for rules in loaded.pack.rulesets if rules.ruleset == wanted for part in rules.parts.values() for name in part.rules}
            for name in sorted(named):
                if name in owner:
                    text = f"'{name}' stands in rule set '{wanted}' and in {owner[name]}; give one of them another id"
                    yield Fault(*node.find(("rules",)), text)
                owner[name] = f"rule set '{wanted}'"


def _fees(loaded: Loaded) -> Iterator[Fault]:
    """A fee's condition is one of a workflow that owes it, or asks facts and settings itself."""
    node, pack = loaded.source.fees, loaded.pack
    conditions = {name for flow in pack.workflows for name in flow.conditions}
    facts = {**pack.facts, **{name: fact for flow in pack.workflows for name, fact in flow.facts.items() if name not in pack.facts}}
    for found in walk.fee_tests(pack) if node is not None else ():
        for part, path in walk.leaves(found.part, found.path):
            assert node is not None
            if isinstance(part, p.Named) and part.name not in conditions:
                yield Fault(*node.find(path), f"no condition '{part.name}' in any workflow{nearest(part.name, conditions)}")
            elif isinstance(part, p.FactTest):
                if part.fact not in facts:
                    yield Fault(*node.find((*path, "fact")), f"no fact '{part.fact}'{nearest(part.fact, facts)}")
                yield from fact_faults(walk.Found(part, path), facts, node)
            elif isinstance(part, p.SettingTest):
                for word, text in reading_faults(part, pack):
                    yield Fault(*node.find((*path, word)), text)
