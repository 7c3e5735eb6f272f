"""Walks a workflow: every test, day and moment with the path that leads to it, so that a fault names its line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from caseflow.domain import pack as p

Path = tuple[Any, ...]


class Found(NamedTuple):
    """A part with its path."""

    part: Any
    path: Path


def leaves(test: Any, path: Path) -> Iterator[Found]:
    """Every leaf of a test."""
    if isinstance(test, (p.AllOf, p.AnyOf, p.NoneOf)):
        word = "all" if isinstance(test, p.AllOf) else "any" if isinstance(test, p.AnyOf) else "none"
        for place, inner in enumerate(getattr(test, word)):
            yield from leaves(inner, (*path, word, place))
    elif test is not None:
        yield Found(test, path)


def moments(clock: p.Clock, path: Path) -> Iterator[tuple[str, p.Moment, Path]]:
    """Every moment of a clock with the word that it stands under."""
    for word in ("starts", "canceled", "displaced", "fits-again", "met", "stopped", "extended"):
        for place, moment in enumerate(getattr(clock, word.replace("-", "_"))):
            yield word, moment, (*path, word, place)
            if isinstance(moment, p.Start):
                for inner, promise in enumerate(moment.expected_after):
                    yield "expected-after", promise, (*path, word, place, "expected-after", inner)
    for place, hold in enumerate(clock.holds):
        for inner, moment in enumerate(hold.from_):
            yield "holds", moment, (*path, "holds", place, "from", inner)
        for inner, moment in enumerate(hold.until):
            yield "until", moment, (*path, "holds", place, "until", inner)


def tests(flow: p.Workflow) -> Iterator[Found]:
    """Every test of a workflow."""
    for name, condition in flow.conditions.items():
        yield from _some(condition.applies, ("conditions", name, "applies"))
        yield Found(condition.test, ("conditions", name, "test"))
    for name, limit in flow.limits.items():
        yield from _some(limit.unless, ("limits", name, "unless"))
    for name, claim in flow.claims.items():
        yield from _some(claim.always, ("claims", name, "always"))
        yield from _some(claim.holds, ("claims", name, "holds"))
    for kind, items in (("items", flow.items), ("petition-items", flow.petition_items)):
        for name, item in items.items():
            if not isinstance(item.required, bool):
                yield Found(item.required, (kind, name, "required"))
    for place, ref in enumerate(flow.fees):
        yield from _some(ref.when, ("fees", place, "when"))
    for name, action in flow.actions.items():
        yield from action_tests(action, ("actions", name))
    for name, clock in flow.clocks.items():
        for _, moment, path in moments(clock, ("clocks", name)):
            yield from _some(moment.when, (*path, "when"))


def action_tests(action: p.Action, path: Path) -> Iterator[Found]:
    """Every test of an action."""
    for place, need in enumerate(action.needs):
        yield Found(need, (*path, "needs", place))
    for place, branch in enumerate(action.outcomes):
        here = (*path, "outcomes", place)
        yield from _some(branch.when, (*here, "when"))
        for word in ("letters", "fees", "task"):
            for inner, ref in enumerate(getattr(branch, word)):
                yield from _some(ref.when, (*here, word, inner, "when"))
    for word in ("letters", "fees", "task"):
        for inner, ref in enumerate(getattr(action, word)):
            yield from _some(ref.when, (*path, word, inner, "when"))


def all_leaves(flow: p.Workflow) -> Iterator[Found]:
    """Every leaf of every test of a workflow."""
    for found in tests(flow):
        yield from leaves(found.part, found.path)


def days(flow: p.Workflow) -> Iterator[Found]:
    """Every day that a workflow names."""
    for leaf in all_leaves(flow):
        if isinstance(leaf.part, p.DayTest):
            yield Found(leaf.part.day, (*leaf.path, "day"))
            yield Found(leaf.part.value, (*leaf.path, leaf.part.op))
    for name, clock in flow.clocks.items():
        for _, moment, path in moments(clock, ("clocks", name)):
            if moment.counted_from is not None:
                yield Found(moment.counted_from, (*path, "counted-from"))
            if isinstance(moment, p.Extension) and moment.to is not None:
                yield Found(moment.to, (*path, "to"))


def fee_tests(pack: p.Pack) -> Iterator[Found]:
    """Every test of fees.yaml."""
    for name, fee in pack.fees.items():
        yield from _some(fee.only_if_cheaper, ("fees", name, "only-if-cheaper"))
        for place, other in enumerate(fee.amounts):
            yield Found(other.when, ("fees", name, "amounts", place, "when"))
    for name, refund in pack.refunds.items():
        yield from _some(refund.when, ("refunds", name, "when"))


def rule_tests(rules: p.RuleSet) -> Iterator[Found]:
    """Every test of a rule set."""
    for name, part in rules.parts.items():
        yield from _some(part.applies, ("parts", name, "applies"))
        for rule, condition in part.rules.items():
            yield from _some(condition.applies, ("parts", name, "rules", rule, "applies"))
            yield from _some(condition.test, ("parts", name, "rules", rule, "test"))


def facts_asked(leaf: Any) -> Iterator[tuple[str, Path]]:
    """The facts that a leaf names, each with the rest of the way to its name."""
    if isinstance(leaf, p.FactTest):
        yield leaf.fact, ("fact",)
        if isinstance(leaf.value, dict) and set(leaf.value) == {"fact"}:
            yield str(leaf.value["fact"]), (leaf.op, "fact")
        for fact in leaf.where:
            yield fact, ("where", fact)
    elif isinstance(leaf, p.DayTest):
        for word, day in (("day", leaf.day), (leaf.op, leaf.value)):
            if isinstance(day, p.FactDay):
                yield day.fact, (word, "fact")
    elif isinstance(leaf, p.SeasonTest):
        yield from ((fact, ("days", place)) for place, fact in enumerate(leaf.days))
    elif isinstance(leaf, p.AllotmentTest):
        yield from ((fact, ("asks", place)) for place, fact in enumerate(leaf.asks))


def lengths(flow: p.Workflow) -> Iterator[Found]:
    """Every period that a workflow names."""
    for name, clock in flow.clocks.items():
        if clock.length is not None:
            yield Found(clock.length, ("clocks", name, "length"))
        for _, moment, path in moments(clock, ("clocks", name)):
            if isinstance(moment, p.Start) and moment.length is not None:
                yield Found(moment.length, (*path, "length"))
            if isinstance(moment, p.Extension) and moment.adds is not None:
                yield Found(moment.adds, (*path, "adds"))
    if flow.intake is not None and flow.intake.lead is not None:
        yield Found(flow.intake.lead.length, ("intake", "lead", "length"))
    for leaf in all_leaves(flow):
        if isinstance(leaf.part, p.DayTest) and leaf.part.at_least is not None:
            yield Found(leaf.part.at_least, (*leaf.path, "at-least"))


def _some(test: Any, path: Path) -> Iterator[Found]:
    if test is not None:
        yield Found(test, path)
