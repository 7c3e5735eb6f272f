"""What is declared and never used. A part that a workflow inherits counts as used if any workflow uses it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from caseflow.adapters.packs.checks import walk
from caseflow.adapters.packs.nodes import Place
from caseflow.domain import pack as p
from caseflow.domain.rulebook import FILED_FACTS, PAYMENT_FACTS
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

_WORD = re.compile(r"[a-z][a-z0-9_]*")


def check(loaded: Loaded) -> list[Fault]:
    """Conditions, flags, dispositions, groups, settings and facts that nothing uses."""
    return [*_of_workflows(loaded), *_settings(loaded), *_facts(loaded)]


def _of_workflows(loaded: Loaded) -> Iterator[Fault]:
    elsewhere = {part.name for part in _leaves_elsewhere(loaded.pack) if isinstance(part, p.Named)}
    used: set[Place] = set()
    idle: dict[Place, str] = {}
    for flow, node in loaded.flows:
        for word, texts in _USES:
            things, names = texts(flow)
            for name in things:
                place = node.find((word, name), True)
                if name in names or (word == "conditions" and name in elsewhere):
                    used.add(place)
                else:
                    idle[place] = _SAID[word].format(name)
    for place, text in idle.items():
        if place not in used:
            yield Fault(*place, text)


def _conditions(flow: p.Workflow) -> tuple[Iterable[str], set[str]]:
    return flow.conditions, {part.name for part, _ in walk.all_leaves(flow) if isinstance(part, p.Named)}


def _flags(flow: p.Workflow) -> tuple[Iterable[str], set[str]]:
    raised = {flag for part in _parts(flow) for flag in part.raises}
    return flow.flags, raised if flow.unread is None else {*raised, flow.unread}


def _dispositions(flow: p.Workflow) -> tuple[Iterable[str], set[str]]:
    return flow.dispositions, {part.disposition for part in _parts(flow) if part.disposition is not None}


def _groups(flow: p.Workflow) -> tuple[Iterable[str], set[str]]:
    names = {name for action in flow.actions.values() for name in action.from_}
    names |= {name for clock in flow.clocks.values() for name in clock.waits_in}
    return flow.groups, names | {name for members in flow.groups.values() for name in members}


def _parts(flow: p.Workflow) -> Iterator[p.Action | p.Branch]:
    for action in flow.actions.values():
        yield action
        yield from action.outcomes


_USES = (("conditions", _conditions), ("flags", _flags), ("dispositions", _dispositions), ("groups", _groups))
_SAID = {
    "conditions": "condition '{}' is never asked; use it or take it away",
    "flags": "flag '{}' is never raised; raise it or take it away",
    "dispositions": "disposition '{}' is never given; give it in an action or take it away",
    "groups": "group '{}' is never named; use it or take it away",
}


def _settings(loaded: Loaded) -> Iterator[Fault]:
    assert loaded.source.pack is not None
    named = set(_settings_named(loaded.pack))
    for name in loaded.pack.text.settings:
        if name not in named:
            text = f"setting '{name}' is never asked; ask it in a condition, or take it away"
            yield Fault(*loaded.source.pack.find(("settings", name), True), text)


def _settings_named(pack: p.Pack) -> Iterator[str]:
    """Settings asked or taken as a value anywhere: a reference is the only model with nothing but `setting`."""
    pending: list[Any] = [
        pack.calendar,
        *pack.workflows,
        *pack.rulesets,
        *pack.fees.values(),
        *pack.refunds.values(),
        pack.text.escalates_after,
        pack.text.retention,
    ]
    while pending:
        item = pending.pop()
        if isinstance(item, (p.SettingRef, p.SettingTest)):
            yield item.setting
        elif isinstance(item, p.AfterEnd):
            yield from [item.setting] if item.setting is not None else ()
        elif isinstance(item, p.Word):
            pending += [getattr(item, name) for name in type(item).model_fields]
        elif isinstance(item, dict):
            if set(item) == {"setting"}:
                yield str(item["setting"])
            pending += item.values()
        elif isinstance(item, (list, tuple)):
            pending += item


def _facts(loaded: Loaded) -> Iterator[Fault]:
    assert loaded.source.facts is not None
    pack = loaded.pack
    used = {*FILED_FACTS, *PAYMENT_FACTS, "received_on", *(word for text in loaded.source.templates.values() for word in _WORD.findall(text))}
    used.update(name for letter in pack.letters.values() for name in letter.facts)
    for flow in pack.workflows:
        used.update(flow.facts)
        used.update([flow.intake.work_begins] if flow.intake is not None and flow.intake.work_begins is not None else ())
        used.update(name for action in flow.actions.values() for name in (*action.takes, *action.may_take, *action.may_restate))
        used.update(day.part.fact for day in walk.days(flow) if isinstance(day.part, p.FactDay))
        used.update(name for part, _ in walk.all_leaves(flow) for name, _way in walk.facts_asked(part))
    used.update(name for part in _leaves_elsewhere(pack) for name, _way in walk.facts_asked(part))
    for rules in pack.rulesets:
        used.update(allotment.of for allotment in rules.allotments.values())
        used.update(name for rule in rules.rules().values() for name in rule.considers)
        used.update([rules.covers] if rules.covers is not None else ())
    for name in pack.facts:
        if name not in used:
            text = f"fact '{name}' is never taken, asked or written; use it or take it away"
            yield Fault(*loaded.source.facts.find(("facts", name), True), text)


def _leaves_elsewhere(pack: p.Pack) -> Iterator[Any]:
    """The leaves of tests outside workflows."""
    found = [*walk.fee_tests(pack), *(test for rules in pack.rulesets for test in walk.rule_tests(rules))]
    return (part for test in found for part, _ in walk.leaves(test.part, test.path))
