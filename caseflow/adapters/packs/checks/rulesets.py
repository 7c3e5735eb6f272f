"""Rule sets: a rule asks facts, days, settings and other rules; it stands on law and fits the facts of the pack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from caseflow.adapters.packs.checks import walk
from caseflow.adapters.packs.checks.circles import circles
from caseflow.adapters.packs.checks.conditions import fact_faults, uncited
from caseflow.adapters.packs.checks.names import IN_RULES_ONLY, reading_faults
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.facts import nearest
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

FOREIGN: dict[type, str] = {
    p.DoneTest: "done",
    p.ClockTest: "clock",
    p.FlagTest: "flag",
    p.ItemsTest: "items",
    p.FeesTest: "fees",
    p.StandardsTest: "standards",
}
"""What only a workflow knows."""


def check(loaded: Loaded) -> list[Fault]:
    """Faults of every rule, of the names a workflow takes from several sets, and of the tests in fees.yaml."""
    faults = [fault for rules, node in loaded.sets for fault in _set(loaded.pack, rules, node)]
    return [*faults, *_circles(loaded), *_twice(loaded), *_fees(loaded)]


def _set(pack: p.Pack, rules: p.RuleSet, node: Node) -> Iterator[Fault]:
    known = {name: rule for part in reversed(list(rules.parts.values())) for name, rule in part.rules.items()}
    for leaf in walk.rule_tests(rules):
        for found in walk.leaves(leaf.part, leaf.path):
            yield from _leaf(pack, rules, found, node, known)
    owner: dict[str, str] = {}
    for place, part in rules.parts.items():
        for name, rule in part.rules.items():
            path = ("parts", place, "rules", name)
            if name in owner:
                yield Fault(*node.find(path, True), f"rule '{name}' stands in part '{owner[name]}' too; give one of them another id")
            owner.setdefault(name, place)
            if uncited(rule):
                yield Fault(*node.find(path, True), f"rule '{name}' has no cite; name the law, or write 'note'")
            for word, text in (*_established(pack, name, rule), *_kind(name, rule)):
                yield Fault(*node.find((*path, word) if word else path, True), text)
            if rule.same_as is not None:
                yield from _borrowed(pack, rules, rule.same_as, (*path, "same-as"), node)
            yield from _within(name, rule, known, path, node)


def _established(pack: p.Pack, name: str, rule: p.Rule) -> Iterator[tuple[str, str]]:
    """How it is found out whether the rule is kept: by a test, by a borrowed one, or by a person."""
    if rule.same_as is not None:
        if rule.test is not None:
            yield "test", f"rule '{name}' borrows its test; leave 'test' out, or 'same-as'"
        return
    if not rule.text:
        yield "", f"rule '{name}' has no text; write what must hold, in words"
    if rule.kind in ("evaluation-factor", "procedure"):
        if rule.test is not None:
            yield "test", f"rule '{name}' is {_a(rule.kind)}, which has no test; leave it out, or write another kind"
    elif rule.test is None and rule.mode != "judgment" and rule.found:
        yield "", f"rule '{name}' has no test; write one, or 'mode: judgment' where only a person can say"
    elif rule.test is not None and rule.mode == "judgment" and not _judged(pack, rule):
        text = f"rule '{name}' is of judgment, but every fact that it asks is stated or measured; write 'established: judgment' at the fact, or another mode"
        yield "mode", text
    if not rule.found:
        if rule.test is not None and not rule.reading:
            yield "found", f"the text of rule '{name}' was not found, but it has a test; write under 'reading' how it is read"
        if rule.confidence == "verified":
            yield "confidence", f"the text of rule '{name}' was not found, so it can't be verified; write inferred, recalled or not-found"


def _judged(pack: p.Pack, rule: p.Rule) -> bool:
    """Whether a test asks a fact of judgment, or another rule, which says that for itself."""
    for part, _ in walk.leaves(rule.test, ()):
        asked = [pack.facts.get(name) for name, _way in walk.facts_asked(part)]
        if isinstance(part, (p.Named, p.RuleRef)) or any(fact is None or fact.established == "judgment" for fact in asked):
            return True
    return False


def _kind(name: str, rule: p.Rule) -> Iterator[tuple[str, str]]:
    """Words that belong to one kind of rule."""
    if rule.kind == "requirement-trigger" and rule.then is None:
        yield "", f"rule '{name}' is a requirement-trigger; say under 'then' what it asks for"
    for word in ("then", "blocks"):
        if getattr(rule, word) and rule.kind != "requirement-trigger":
            yield word, f"'{word}' belongs to a requirement-trigger; rule '{name}' is {_a(rule.kind)}"
    if rule.kind == "evaluation-factor" and not rule.considers and rule.same_as is None:
        yield "", f"rule '{name}' is an evaluation-factor; name under 'considers' what is weighed"
    if rule.considers and rule.kind != "evaluation-factor":
        yield "considers", f"'considers' belongs to an evaluation-factor; rule '{name}' is {_a(rule.kind)}"


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _within(name: str, rule: p.Rule, known: Mapping[str, p.Rule], path: walk.Path, node: Node) -> Iterator[Fault]:
    """A rule within another is a step of its test."""
    outer = rule.within
    if outer is None:
        return
    if outer not in known or outer == name:
        yield Fault(*node.find((*path, "within")), f"no other rule '{outer}' in this set{nearest(outer, set(known) - {name})}")
    elif name not in set(_named(known[outer])):
        yield Fault(*node.find((*path, "within")), f"rule '{name}' stands within '{outer}', whose test does not name it; name it there, or leave 'within' out")


def _borrowed(pack: p.Pack, rules: p.RuleSet, ref: p.RuleRef, path: walk.Path, node: Node) -> Iterator[Fault]:
    """A rule of another set is there in every version of it."""
    sets = [one for one in pack.rulesets if one.ruleset == ref.ruleset]
    if not sets:
        yield Fault(*node.find((*path, "ruleset")), f"no rule set '{ref.ruleset}'{nearest(ref.ruleset, {one.ruleset for one in pack.rulesets})}")
        return
    if ref.ruleset == rules.ruleset:
        yield Fault(*node.find((*path, "ruleset")), f"'{ref.ruleset}' is this set; name the rule itself in the test")
    for one in sets:
        borrowed = one.rules().get(ref.rule)
        if borrowed is None:
            version = f" {one.version}" if len(sets) > 1 else ""
            yield Fault(*node.find((*path, "rule")), f"no rule '{ref.rule}' in rule set '{ref.ruleset}'{version}{nearest(ref.rule, one.rules())}")
        elif any(isinstance(part, p.WholeTest) for part, _ in walk.leaves(borrowed.test, ())):
            yield Fault(*node.find((*path, "rule")), f"rule '{ref.rule}' asks about its own set as a whole and can't be borrowed")


def _leaf(pack: p.Pack, rules: p.RuleSet, leaf: walk.Found, node: Node, known: Mapping[str, p.Rule]) -> Iterator[Fault]:
    part, path = leaf
    for name, way in walk.facts_asked(part):
        if name not in pack.facts:
            yield Fault(*node.find((*path, *way), way[0] == "where"), f"no fact '{name}'{nearest(name, pack.facts)}")
    yield from fact_faults(leaf, pack.facts, node)
    if type(part) in FOREIGN:
        word = FOREIGN[type(part)]
        yield Fault(*node.find((*path, word)), f"a rule asks facts, days and settings; put '{word}' into a condition of a workflow")
    elif isinstance(part, p.Named) and part.name not in known:
        yield Fault(*node.find(path), f"no rule '{part.name}' in this set{nearest(part.name, known)}")
    elif isinstance(part, p.RuleRef):
        yield from _borrowed(pack, rules, part, path, node)
    elif isinstance(part, p.SettingTest):
        for word, text in reading_faults(part, pack):
            yield Fault(*node.find((*path, word)), text)
    elif isinstance(part, p.FactTest) and isinstance(part.value, Mapping) and set(part.value) == {"setting"}:
        wanted = str(part.value["setting"])
        if wanted not in pack.text.settings:
            yield Fault(*node.find((*path, part.op, "setting")), f"no setting '{wanted}'{nearest(wanted, pack.text.settings)}")
    elif isinstance(part, p.WholeTest):
        rule = known.get(str(path[3])) if len(path) > 3 else None
        if rule is None or path[4] != "test" or rule.kind != "requirement-trigger" or rule.blocks:
            text = (
                "only a requirement-trigger that blocks nothing asks about the whole, for it is found last; write 'kind: requirement-trigger' without 'blocks'"
            )
            yield Fault(*node.find((*path, "whole")), text)


def _named(rule: p.Rule) -> Iterator[str]:
    for test in (rule.test, rule.applies):
        for part, _ in walk.leaves(test, ()):
            if isinstance(part, p.Named):
                yield part.name


def _circles(loaded: Loaded) -> Iterator[Fault]:
    """Rules that lead back to themselves, through other sets too."""
    asks: dict[Any, set[Any]] = {}
    for rules, _ in loaded.sets:
        for name, rule in rules.rules().items():
            found = asks.setdefault((rules.ruleset, name), set())
            found |= {(rules.ruleset, other) for other in _named(rule)}
            refs = [part for test in (rule.test, rule.applies) for part, _ in walk.leaves(test, ()) if isinstance(part, p.RuleRef)]
            found |= {(ref.ruleset, ref.rule) for ref in (*refs, *([rule.same_as] if rule.same_as is not None else ()))}
    for way in circles(asks):
        wanted, name = way[0]
        node, place = next((node, place) for rules, node in loaded.sets if rules.ruleset == wanted for place, part in rules.parts.items() if name in part.rules)
        yield Fault(*node.find(("parts", place, "rules", name), True), f"rule '{name}' leads back to itself; break the chain")


def _twice(loaded: Loaded) -> Iterator[Fault]:
    """A workflow finds each condition in one place only."""
    for flow, node in loaded.flows:
        owner = dict.fromkeys(flow.conditions, "the workflow's own conditions")
        for wanted in dict.fromkeys((*flow.rules, *flow.screens)):
            named = {name for rules in loaded.pack.rulesets if rules.ruleset == wanted for name in rules.rules()}
            for name in sorted(named):
                if name in owner:
                    text = f"'{name}' stands in rule set '{wanted}' and in {owner[name]}; give one of them another id"
                    yield Fault(*node.find(("rules" if wanted in flow.rules else "screens",)), text)
                owner[name] = f"rule set '{wanted}'"


def _fees(loaded: Loaded) -> Iterator[Fault]:
    """A fee's condition is one of a workflow that owes it, or asks facts and settings itself."""
    node, pack = loaded.source.fees, loaded.pack
    conditions = {name for flow in pack.workflows for name in flow.conditions}
    facts = {**pack.facts, **{name: fact for flow in pack.workflows for name, fact in flow.facts.items() if name not in pack.facts}}
    for found in walk.fee_tests(pack) if node is not None else ():
        for part, path in walk.leaves(found.part, found.path):
            assert node is not None
            for name, way in walk.facts_asked(part):
                if name not in facts and not isinstance(part, p.DayTest):
                    yield Fault(*node.find((*path, *way)), f"no fact '{name}'{nearest(name, facts)}")
            yield from fact_faults(walk.Found(part, path), facts, node)
            if isinstance(part, p.Named) and part.name not in conditions:
                yield Fault(*node.find(path), f"no condition '{part.name}' in any workflow{nearest(part.name, conditions)}")
            elif isinstance(part, (*IN_RULES_ONLY, p.StandardsTest)):
                word = next(iter(type(part).model_fields))
                yield Fault(*node.find((*path, word)), f"a fee asks facts, settings and conditions; put '{word}' into a rule set")
            elif isinstance(part, p.SettingTest):
                for word, text in reading_faults(part, pack):
                    yield Fault(*node.find((*path, word)), text)
