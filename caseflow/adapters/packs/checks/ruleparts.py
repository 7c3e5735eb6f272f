"""What a rule set declares besides its rules: what it covers, its lists and allotments, and what follows its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from caseflow.adapters.packs.checks import walk
from caseflow.adapters.packs.checks.conditions import uncited
from caseflow.adapters.packs.checks.names import reading_faults
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.facts import nearest
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

READINGS = {"advise", "refuse"}
"""The readings of the setting of an `after-end`."""


def check(loaded: Loaded) -> list[Fault]:
    """Faults of the declarations of every rule set."""
    faults: list[Fault] = []
    for rules, node in loaded.sets:
        faults += [*_covers(loaded.pack, rules, node), *_after_end(loaded.pack, rules, node)]
        faults += [*_lists(loaded.pack, rules, node), *_allotments(loaded.pack, rules, node)]
    return faults


def unused(loaded: Loaded) -> list[Fault]:
    """Lists, columns and allotments that no rule asks."""
    return [fault for rules, node in loaded.sets for fault in _unused(rules, node)]


def _unused(rules: p.RuleSet, node: Node) -> Iterator[Fault]:
    asked: dict[str, set[str]] = {}
    allotments = set()
    for part, _ in _leaves(rules):
        if isinstance(part, p.FactTest) and isinstance(part.value, Mapping) and "list" in part.value:
            asked.setdefault(str(part.value["list"]), set()).update(part.where.values())
        elif isinstance(part, p.AllotmentTest):
            allotments.add(part.allotment)
    for name, one in rules.lists.items():
        if name not in asked:
            yield Fault(*node.find(("lists", name), True), f"list '{name}' is never asked; ask it in a rule or take it away")
            continue
        told: set[str] = set()
        known = [*(word.replace("_", "-") for word in p.ListEntry.model_fields if word != "columns"), *asked[name]]
        for place, entry in enumerate(one.entries):
            for column in entry.columns:
                if column not in asked[name] and column not in told:
                    told.add(column)
                    text = f"no rule asks the column '{column}' of list '{name}'{nearest(column, known)}; ask it under 'where', or take it away"
                    yield Fault(*node.find(("lists", name, "entries", place, column), True), text)
    for name in rules.allotments:
        if name not in allotments:
            yield Fault(*node.find(("allotments", name), True), f"allotment '{name}' is never asked; ask it in a rule or take it away")


def _leaves(rules: p.RuleSet) -> Iterator[walk.Found]:
    for found in walk.rule_tests(rules):
        yield from walk.leaves(found.part, found.path)


def _covers(pack: p.Pack, rules: p.RuleSet, node: Node) -> Iterator[Fault]:
    active = {name: part for name, part in rules.parts.items() if part.activity}
    if rules.covers is not None and rules.covers not in pack.facts:
        yield Fault(*node.find(("covers",)), f"no fact '{rules.covers}'{nearest(rules.covers, pack.facts)}")
        return
    if rules.covers is not None and not active:
        yield Fault(*node.find(("covers",), True), "no part says which activities are covered; write 'activity: true' in at least one")
    for name, part in active.items():
        if rules.covers is None:
            text = f"part '{name}' is one of the activities that the set covers; name the fact that says which at the top: 'covers: activity'"
            yield Fault(*node.find(("parts", name, "activity")), text)
        elif not any(fact == rules.covers for leaf, _ in walk.leaves(part.applies, ()) for fact, _way in walk.facts_asked(leaf)):
            text = f"part '{name}' is an activity, but its 'applies' does not ask fact '{rules.covers}'; ask it there"
            yield Fault(*node.find(("parts", name, "activity")), text)


def _after_end(pack: p.Pack, rules: p.RuleSet, node: Node) -> Iterator[Fault]:
    after = rules.after_end
    if after is None:
        return
    if rules.in_force.until is None:
        yield Fault(*node.find(("after-end",), True), "the set has no last day; write 'until' under 'in-force', or leave 'after-end' out")
    if after.setting is None:
        return
    setting = pack.text.settings.get(after.setting)
    if setting is None:
        yield Fault(*node.find(("after-end", "setting")), f"no setting '{after.setting}'{nearest(after.setting, pack.text.settings)}")
    elif set(setting.readings or ()) != READINGS:
        yield Fault(*node.find(("after-end", "setting")), f"setting '{after.setting}' must have exactly the readings advise and refuse")


def _lists(pack: p.Pack, rules: p.RuleSet, node: Node) -> Iterator[Fault]:
    for part, path in _leaves(rules):
        if not isinstance(part, p.FactTest) or not isinstance(part.value, Mapping) or set(part.value) & {"setting", "fact"}:
            if isinstance(part, p.FactTest) and part.where:
                yield Fault(*node.find((*path, "where"), True), "'where' asks the columns of a list; compare with one: 'in: {list: L}'")
            continue
        wanted = str(part.value.get("list"))
        if set(part.value) != {"list"}:
            yield Fault(*node.find((*path, part.op)), "compare with a value, a list of values, {list: L}, {fact: F} or {setting: S}")
        elif part.op not in ("in", "not-in", "within"):
            yield Fault(*node.find((*path, part.op)), f"a list is asked with in, not-in or within, not with '{part.op}'")
        elif wanted not in rules.lists:
            yield Fault(*node.find((*path, part.op, "list")), f"no list '{wanted}' in this set{nearest(wanted, rules.lists)}")
        else:
            yield from _names(pack, rules.lists[wanted], wanted, part.fact, node)
            columns = {column for entry in rules.lists[wanted].entries for column in entry.columns}
            for fact, column in part.where.items():
                if column not in columns:
                    yield Fault(*node.find((*path, "where", fact)), f"no column '{column}' in list '{wanted}'{nearest(column, columns)}")
    for name, one in rules.lists.items():
        yield from _list(name, one, node)


def _names(pack: p.Pack, one: p.NameList, name: str, fact: str, node: Node) -> Iterator[Fault]:
    """Each name of a list is one that the fact can have."""
    values = pack.facts[fact].values if fact in pack.facts else None
    for place, entry in enumerate(one.entries):
        if values is not None and entry.name not in values:
            text = f"fact '{fact}' can never be '{entry.name}'{nearest(entry.name, values)}; add it to the values of the fact"
            yield Fault(*node.find(("lists", name, "entries", place, "name")), text)


def _list(name: str, one: p.NameList, node: Node) -> Iterator[Fault]:
    seen: set[str] = set()
    for place, entry in enumerate(one.entries):
        path = ("lists", name, "entries", place)
        if entry.name in seen:
            yield Fault(*node.find((*path, "name")), f"'{entry.name}' stands here a second time; keep one of them")
        seen.add(entry.name)
    bare = next((place for place, entry in enumerate(one.entries) if uncited(one) and uncited(entry)), None)
    if bare is not None:
        text = f"'{one.entries[bare].name}' has no cite; name the law here or at the list, or write 'note'"
        yield Fault(*node.find(("lists", name, "entries", bare)), text)


def _allotments(pack: p.Pack, rules: p.RuleSet, node: Node) -> Iterator[Fault]:
    for part, path in _leaves(rules):
        if isinstance(part, p.AllotmentTest):
            yield from _asked(pack, rules, part, path, node)
    for name, one in rules.allotments.items():
        path = ("allotments", name)
        if uncited(one):
            yield Fault(*node.find(path, True), f"allotment '{name}' has no cite; name the law, or write 'note'")
        fact = pack.facts.get(one.of)
        if fact is None:
            yield Fault(*node.find((*path, "of")), f"no fact '{one.of}'{nearest(one.of, pack.facts)}")
        elif fact.type != "number":
            yield Fault(*node.find((*path, "of")), f"fact '{one.of}' is of type {fact.type}; an allotment grows with a number")
        elif fact.unit != one.unit:
            yield Fault(*node.find((*path, "unit")), f"fact '{one.of}' is in {fact.unit or 'no unit'}, the allotment says {one.unit or 'no unit'}")
        yield from _steps(name, one, node)
        for word, text in reading_faults(one.unmixed, pack) if one.unmixed is not None else ():
            yield Fault(*node.find((*path, "unmixed", word)), text)


def _steps(name: str, one: p.Allotment, node: Node) -> Iterator[Fault]:
    rows: list[tuple[walk.Path, tuple[int, ...]]] = [(("base", place), row) for place, row in enumerate(one.base)]
    for word, steps in (("adds", one.adds), ("swaps", one.swaps)):
        rows += [((word, "gives"), steps.gives)] if steps is not None else []
    rows += [(("swaps", "takes"), one.swaps.takes)] if one.swaps is not None else []
    for path, row in rows:
        if len(row) != len(one.counts) or any(number < 0 for number in row):
            text = f"write {len(one.counts)} numbers of 0 or more, one each for {', '.join(one.counts)}"
            yield Fault(*node.find(("allotments", name, *path)), text)
    if one.adds is not None and one.adds.takes:
        yield Fault(*node.find(("allotments", name, "adds", "takes"), True), "what is added takes nothing away; write 'takes' under 'swaps'")
    if one.swaps is not None and one.adds is None:
        yield Fault(*node.find(("allotments", name, "swaps"), True), "a swap takes from what was added; write 'adds' too")


def _asked(pack: p.Pack, rules: p.RuleSet, test: p.AllotmentTest, path: walk.Path, node: Node) -> Iterator[Fault]:
    one = rules.allotments.get(test.allotment)
    if "applies" in path:
        yield Fault(*node.find((*path, "allotment")), "an allotment is a test; it can't say whether a rule applies")
    if one is None:
        yield Fault(*node.find((*path, "allotment")), f"no allotment '{test.allotment}' in this set{nearest(test.allotment, rules.allotments)}")
    elif test.asks and len(test.asks) != len(one.counts):
        yield Fault(*node.find((*path, "asks")), f"name {len(one.counts)} facts, one each for {', '.join(one.counts)}")
    for place, name in enumerate(test.asks):
        fact = pack.facts.get(name)
        if fact is not None and fact.type != "number":
            yield Fault(*node.find((*path, "asks", place)), f"fact '{name}' is of type {fact.type}; what is asked for is a number")
