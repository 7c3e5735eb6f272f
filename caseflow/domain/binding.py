"""Rule sets made ready to be asked: versions picked by the day received, borrowed rules and lists put in their places.

It decides nothing. A rule of another set is found under `SET/RULE`; a rule applies only where its part does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from caseflow.domain import pack as p


@dataclass(frozen=True, slots=True)
class Listed:
    """A comparison of a fact with a list: `rows` maps each name, in small letters, to its columns."""

    fact: str
    op: str
    name: str
    title: str
    shown: tuple[str, ...]
    rows: Mapping[str, Mapping[str, frozenset[str]]]
    where: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Allotted:
    """What is asked for against what an allotment gives."""

    allotment: p.Allotment
    name: str
    asks: tuple[str, ...]


def plain(name: str) -> str:
    """A name for comparing: small letters, single spaces. A list is read by people and typed by others."""
    return " ".join(name.split()).casefold()


def bind(pack: p.Pack, sets: Iterable[str], received: date | None) -> dict[str, p.Rule]:
    """The rules of some rule sets by id, in the versions that the day received picks, with the rules that they borrow."""
    binder = _Binder(pack, received)
    made: dict[str, p.Rule] = {}
    for name in sets:
        ruleset = pack.ruleset(name, received)
        if ruleset is None:
            continue
        for part in ruleset.parts.values():
            made.update((rule, binder.rule(ruleset, part, one, "")) for rule, one in part.rules.items())
    return {**made, **binder.lent()}


def bound_parts(pack: p.Pack, ruleset: p.RuleSet, received: date | None) -> dict[str, Any]:
    """Where each part of a rule set applies, ready to be asked; nothing for a part that always does."""
    binder = _Binder(pack, received)
    return {name: binder.test(part.applies, ruleset, "") for name, part in ruleset.parts.items()}


def joined(*tests: Any) -> Any:
    """All of some tests, of those that are there."""
    asked = tuple(test for test in tests if test is not None)
    return p.AllOf.model_construct(all=asked) if len(asked) > 1 else asked[0] if asked else None


def group_of(test: Any) -> tuple[str, tuple[Any, ...]] | None:
    """The word and the members of a group of tests; None for a leaf."""
    if isinstance(test, p.AllOf):
        return "all", test.all
    if isinstance(test, p.AnyOf):
        return "any", test.any
    return ("none", test.none) if isinstance(test, p.NoneOf) else None


def leaves_of(test: Any) -> Iterator[Any]:
    """Every leaf of a test."""
    group = group_of(test)
    if group is None:
        yield from () if test is None else (test,)
        return
    for member in group[1]:
        yield from leaves_of(member)


def facts_asked(leaf: Any) -> Iterator[str]:
    """The facts that a leaf reads."""
    if isinstance(leaf, p.FactTest):
        yield leaf.fact
        if isinstance(leaf.value, Mapping) and set(leaf.value) == {"fact"}:
            yield str(leaf.value["fact"])
    elif isinstance(leaf, p.DayTest):
        yield from (day.fact for day in (leaf.day, leaf.value) if isinstance(day, p.FactDay))
    elif isinstance(leaf, p.SeasonTest):
        yield from leaf.days
    elif isinstance(leaf, Listed):
        yield leaf.fact
        yield from (fact for fact, _ in leaf.where)
    elif isinstance(leaf, Allotted):
        yield leaf.allotment.of
        yield from leaf.asks


class _Binder:
    """Puts names in their places; borrowed rules are bound when first named, until none is left."""

    def __init__(self, pack: p.Pack, received: date | None) -> None:
        self._pack = pack
        self._received = received
        self._wanted: dict[tuple[str, str], None] = {}

    def rule(self, ruleset: p.RuleSet, part: p.Part | None, rule: p.Rule, home: str) -> p.Rule:
        """A rule with its part's `applies`; `home` stands before the names that it gives other rules of its set."""
        if rule.same_as is not None:
            rule = self._borrowed(rule, ruleset, home)
        else:
            rule = rule.model_copy(update={word: self.test(getattr(rule, word), ruleset, home) for word in ("applies", "test")})
        above = self.test(part.applies, ruleset, home) if part is not None else None
        return rule.model_copy(update={"applies": joined(above, rule.applies)})

    def _borrowed(self, rule: p.Rule, ruleset: p.RuleSet, home: str) -> p.Rule:
        """The rule with what it borrows: the test, where that applies, and each word that it does not say itself."""
        assert rule.same_as is not None
        lender = self._pack.ruleset(rule.same_as.ruleset, self._received)
        assert lender is not None
        lent = self.rule(lender, None, lender.rules()[rule.same_as.rule], f"{lender.ruleset}/")
        own = {word: getattr(rule, word) for word in rule.model_fields_set - {"applies"}}
        applies = joined(self.test(rule.applies, ruleset, home), lent.applies)
        return lent.model_copy(update={**own, "applies": applies})

    def lent(self) -> dict[str, p.Rule]:
        """The rules of other sets that were named."""
        made: dict[str, p.Rule] = {}
        while waiting := [key for key in self._wanted if "/".join(key) not in made]:
            for name, rule in waiting:
                lender = self._pack.ruleset(name, self._received)
                found = lender.rules().get(rule) if lender is not None else None
                if lender is None or found is None:
                    # A version that a borrower's day picks may be older than the rule; nothing then says how it is.
                    made[f"{name}/{rule}"] = p.Rule(text=f"{rule} of {name}", mode="judgment")
                else:
                    made[f"{name}/{rule}"] = self.rule(lender, None, found, f"{name}/")
        return made

    def test(self, test: Any, ruleset: p.RuleSet, home: str) -> Any:
        """A test with its lists, allotments and borrowed rules put in."""
        group = group_of(test)
        if group is not None:
            members = tuple(self.test(member, ruleset, home) for member in group[1])
            return type(test).model_construct(**{group[0]: members})
        if isinstance(test, p.Named) and home:
            return self._named(ruleset.ruleset, test.name)
        if isinstance(test, p.RuleRef):
            return self._named(test.ruleset, test.rule)
        if isinstance(test, p.AllotmentTest):
            return Allotted(ruleset.allotments[test.allotment], test.allotment, test.asks)
        if isinstance(test, p.FactTest) and isinstance(test.value, Mapping) and "list" in test.value:
            return _listed(test, ruleset.lists[str(test.value["list"])], str(test.value["list"]))
        return test

    def _named(self, ruleset: str, rule: str) -> p.Named:
        self._wanted[(ruleset, rule)] = None
        return p.Named(name=f"{ruleset}/{rule}")


def _listed(test: p.FactTest, one: p.NameList, name: str) -> Listed:
    rows = {plain(entry.name): {column: frozenset(map(plain, names)) for column, names in entry.columns.items()} for entry in one.entries}
    shown = tuple(entry.name for entry in one.entries)
    return Listed(test.fact, test.op, name, one.title or name, shown, rows, tuple(test.where.items()))
