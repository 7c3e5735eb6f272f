"""What else must say which law it stands on: each part that gives a number, a day or a refusal of its own.

Conditions, actions, clocks, limits, items and exclusions are asked in `conditions.py`, fees in `declared.py`, holds in
`holds.py`, rules and lists in `rulesets.py`, actors and single days in `calendars.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from caseflow.adapters.packs.checks import walk
from caseflow.adapters.packs.checks.conditions import uncited
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.rulebook import facts_of
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded


def check(loaded: Loaded) -> list[Fault]:
    """Faults of missing citations in the pack's own files and in the moments of every clock."""
    pack, source = loaded.pack, loaded.source
    faults: list[Fault] = []
    if source.pack is not None:
        faults += _settings(pack, source.pack)
    if source.facts is not None:
        for name, fact in pack.facts.items():
            faults += _fact(name, fact, source.facts)
    for flow, node in (*loaded.flows, *loaded.bases):
        whole = facts_of(pack, flow)
        for name, fact in flow.facts.items():
            if name not in pack.facts or {"default", "established"} & fact.model_fields_set:
                faults += _fact(name, whole[name], node)
        faults += [*_moments(flow, node), *_changed_numbers(node)]
    for rules, node in loaded.sets:
        faults += _lists(rules, node)
    if source.letters is not None:
        faults += _letters(pack, source.letters)
    if source.calendar is not None:
        faults += _calendar(pack.calendar, source.calendar)
    return faults


def _settings(pack: p.Pack, node: Node) -> Iterator[Fault]:
    for name, setting in pack.text.settings.items():
        if uncited(setting):
            text = f"setting '{name}' has no cite; name the law that can be read in several ways, or write 'policy: true' or 'note'"
            yield Fault(*node.find(("settings", name), True), text)


def _fact(name: str, fact: p.Fact, node: Node) -> Iterator[Fault]:
    """A judgment is asked for by law or by practice, and so is a value that is taken where nothing is stated."""
    if not uncited(fact) or fact.fixed is not None:
        return
    if fact.established == "judgment":
        text = f"fact '{name}' is a judgment and has no cite; name the law that asks for it, or write 'note' to say why there is none"
    elif fact.default is not None:
        text = f"fact '{name}' has a default and no cite; name the law that lets it be taken so, or write 'note' to say why there is none"
    else:
        return
    yield Fault(*node.find(("facts", name), True), text)


def _moments(flow: p.Workflow, node: Node) -> Iterator[Fault]:
    for name, clock in flow.clocks.items():
        for word, moment, path in walk.moments(clock, ("clocks", name)):
            if not uncited(moment):
                continue
            if word == "displaced":
                yield Fault(*node.find(path), f"what displaces clock '{name}' has no cite; name the law that takes the last day away, or write 'note'")
            elif isinstance(moment, p.Extension):
                yield Fault(*node.find(path), f"an extension of clock '{name}' has no cite; name the law that lengthens the time, or write 'note'")
            elif isinstance(moment, p.Start) and moment.length is not None:
                yield Fault(*node.find(path), f"a start of clock '{name}' has a length of its own and no cite; name the law of that length, or write 'note'")


def _changed_numbers(node: Node) -> Iterator[Fault]:
    """A child that changes a number of its base says which law gives it: the citation it inherits is that of the other number."""
    for kind, called, word in (("clocks", "clock", "length"), ("limits", "limit", "times")):
        things = node.value.get(kind)
        for name, thing in things.value.items() if things is not None and "extends" in node.value else ():
            number = thing.value.get(word)
            law = [thing.value[one].file for one in ("cite", "note", "policy") if one in thing.value]
            if number is not None and number.file == node.file and law and node.file not in law:
                text = f"the {word} of {called} '{name}' is this workflow's own and its cite is that of the base; name the law of this {word}, or write 'note'"
                yield Fault(*node.find((kind, name, word), True), text)


def _lists(rules: p.RuleSet, node: Node) -> Iterator[Fault]:
    """Where most names of a list cite a paragraph of their own, each does; a list of one paragraph may have an exception."""
    for name, names in rules.lists.items():
        own = sum(not uncited(entry) for entry in names.entries) * 2 > len(names.entries)
        for place, entry in enumerate(names.entries if own and not uncited(names) else ()):
            if uncited(entry):
                text = f"'{entry.name}' has no cite, which most names of this list have; name its paragraph, or write 'note'"
                yield Fault(*node.find(("lists", name, "entries", place)), text)


def _letters(pack: p.Pack, node: Node) -> Iterator[Fault]:
    for name, letter in pack.letters.items():
        if uncited(letter):
            text = f"letter '{name}' has no cite; name the law that it is written under, or write 'note' to say why there is none"
            yield Fault(*node.find(("letters", name), True), text)


def _calendar(text: p.CalendarText, node: Node) -> Iterator[Fault]:
    if uncited(text.office):
        yield Fault(*node.find(("office",), True), "the office hours have no cite; name the law that sets them, or write 'note'")
    for name, days in text.day_lists.items():
        if uncited(days) and not days.days:
            yield Fault(*node.find(("day-lists", name), True), f"list '{name}' has no cite; name the law that its days come from, or write 'note'")
    for name, channel in text.channels.items():
        if uncited(channel):
            text_ = f"channel '{name}' has no cite; name the law that says when its filings count, or write 'note'"
            yield Fault(*node.find(("channels", name), True), text_)
    if text.silence.waits_when_due_on and uncited(text.silence):
        yield Fault(*node.find(("silence",), True), "the outcome by silence waits and has no cite; name the law or the practice, or write 'note'")
