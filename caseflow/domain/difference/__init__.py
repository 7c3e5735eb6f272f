"""Two versions of a pack compared: every difference in a sentence, by workflow, dates and refusals first and words last.

Nothing is left out: two versions whose content hashes differ never compare as equal. What a difference does to a case is not
asked here (see domain.moving); which versions there are, the services know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, TypeVar

from caseflow.domain import pack as p
from caseflow.domain.difference.calendars import calendar_changes
from caseflow.domain.difference.change import WEIGHTS, Change, Group, How, Weight, grouped
from caseflow.domain.difference.saying import Names
from caseflow.domain.difference.walk import Walk, thing_of
from caseflow.domain.difference.written import written
from caseflow.domain.rulebook import Rulebook, fees_of

__all__ = ["WEIGHTS", "Change", "Group", "Version", "Weight", "differences", "grouped", "titles_of"]

T = TypeVar("T", p.Workflow, p.RuleSet)


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a pack: its rules as read, and its files (path -> text), letter templates among them.

    `says` tells of each file of rules what it says without comments and layout, such as a digest of its data.
    """

    pack: p.Pack
    files: Mapping[str, str]
    says: Mapping[str, str]


def titles_of(*versions: Version) -> dict[str, str]:
    """The titles of all workflows, the later version's first."""
    return {flow.workflow: flow.title for version in versions for flow in version.pack.workflows}


def differences(before: Version, after: Version) -> list[Change]:
    """Every difference between two versions, in the order of the pack's parts; empty only where the hashes are the same."""
    was, now = before.pack, after.pack
    if was.hash == now.hash:
        return []
    whole = Walk(_names(was), _names(now))
    found = list(_of_pack(whole, was, now))
    flows = [(flow.workflow, flow) for flow in was.workflows], [(flow.workflow, flow) for flow in now.workflows]
    for old, new in _paired(*flows):
        found += _of_workflow(was, now, old, new) if old is not new else ()
    sets = [(one.ruleset, one) for one in was.rulesets], [(one.ruleset, one) for one in now.rulesets]
    for earlier, later in _paired(*sets):
        found += _of_ruleset(whole, was, now, earlier, later) if earlier is not later else ()
    found += _another_order(was, now)
    found += written(before.files, after.files, before.says, after.says, _letters(was, now), bool(found))
    return found


def _names(pack: p.Pack, flow: p.Workflow | None = None) -> Names:
    """The names of a pack; where no workflow is asked for, those of its first."""
    chosen = flow or pack.workflows[0]
    return Names(lambda: Rulebook(pack, chosen, chosen.in_force.from_ or date.max))


def _of_pack(walk: Walk, was: p.Pack, now: p.Pack) -> Iterator[Change]:
    text = thing_of(now.text.pack, now.text)
    yield from calendar_changes(walk, was.calendar, now.calendar)
    yield from walk.members(text, was.text, now.text, skip=("roles", "settings", "retention"))
    kept = was.text.retention, now.text.retention
    yield from walk.members(thing_of(now.text.pack, kept[1]), *kept, skip=("schedules",))
    yield from walk.things(kept[0].schedules, kept[1].schedules)
    yield from walk.things(was.text.settings, now.text.settings)
    yield from walk.things(was.text.roles, now.text.roles)
    yield from walk.things(was.facts, now.facts)
    for name, users in _owers(was, now).items():
        own = replace(walk, workflows=users)
        yield from own.things(_only(was.letters, name), _only(now.letters, name))
        yield from own.things(_only(was.fees, name), _only(now.fees, name))
    yield from walk.things(was.refunds, now.refunds)


def _only(known: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {name: known[name]} if name in known else {}


def _another_order(was: p.Pack, now: p.Pack) -> Iterator[Change]:
    """Lists of the whole pack in which the same names stand in another order."""
    lists: tuple[tuple[str, Callable[[p.Pack], list[str]]], ...] = (
        ("letter", lambda pack: list(pack.letters)),
        ("fee", lambda pack: list(pack.fees)),
        ("workflow", lambda pack: [f"{flow.workflow} {flow.in_force.from_}" for flow in pack.workflows]),
        ("rule set", lambda pack: [f"{one.ruleset} {one.version}" for one in pack.rulesets]),
    )
    for kind, names in lists:
        old, new = names(was), names(now)
        common = [name for name in old if name in new], [name for name in new if name in old]
        if common[0] != common[1] or len(set(new)) != len(new):
            yield Change("words", kind, "", "changed", f"The {kind}s stand in another order or number.", (), "order", ", ".join(old), ", ".join(new))


def _owers(was: p.Pack, now: p.Pack) -> dict[str, tuple[str, ...]]:
    """The letters and fees of both versions, with the workflows that may owe them."""
    found: dict[str, dict[str, None]] = {name: {} for pack in (was, now) for name in (*pack.letters, *pack.fees)}
    for pack in (was, now):
        for flow in pack.workflows:
            owed = {ref.letter for action in flow.actions.values() for ref in p.letters_named(action)} | fees_of(flow)
            for name in owed & found.keys():
                found[name][flow.workflow] = None
    return {name: tuple(users) for name, users in found.items()}


def _letters(was: p.Pack, now: p.Pack) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The title of each letter and the workflows that owe it."""
    owers = _owers(was, now)
    return {name: (letter.title, owers[name]) for pack in (was, now) for name, letter in pack.letters.items()}


def _paired(before: Sequence[tuple[str, T]], after: Sequence[tuple[str, T]]) -> Iterator[tuple[T | None, T | None]]:
    """The same text in both versions: by its id and the day from which it is in force; where there is one only, by its id."""
    for name in dict.fromkeys(one for one, _ in (*before, *after)):
        old: list[T] = [text for one, text in before if one == name]
        new: list[T] = [text for one, text in after if one == name]
        if len(old) == len(new) == 1:
            yield old[0], new[0]
            continue
        for day in dict.fromkeys(text.in_force.from_ for text in (*old, *new)):
            yield _begun(old, day), _begun(new, day)


def _begun(texts: Sequence[T], day: date | None) -> T | None:
    return next((text for text in texts if text.in_force.from_ == day), None)


_COMES: dict[str, How] = {"New": "added", "Gone": "removed"}
_PARTS = ("clocks", "conditions", "limits", "actions", "states", "items", "petition_items", "exclusions", "claims")


def _of_workflow(was: p.Pack, now: p.Pack, old: p.Workflow | None, new: p.Workflow | None) -> Iterator[Change]:
    one = new or old
    assert one is not None
    if old is None or new is None:
        word = "New" if old is None else "Gone"
        counts = f"{len(one.states)} states, {len(one.actions)} actions, {len(one.clocks)} clocks; {one.law}"
        yield Change("dates", "workflow", one.workflow, _COMES[word], f"{word}: the workflow “{one.title}” ({counts}).", (one.workflow,), cite=one.law)
        return
    walk = Walk(_names(was, old), _names(now, new), (one.workflow,))
    for part in _PARTS:
        yield from walk.things(getattr(old, part), getattr(new, part))
    yield from walk.things(old.facts, new.facts, stated=True)
    yield from walk.members(thing_of(new.workflow, new), old, new, skip=(*_PARTS, "facts", "workflow"))


def _users(was: p.Pack, now: p.Pack, one: p.RuleSet) -> tuple[str, ...]:
    """The workflows that ask a rule set."""
    flows = (flow for pack in (now, was) for flow in pack.workflows if one.ruleset in (*flow.rules, *flow.screens))
    return tuple(dict.fromkeys(flow.workflow for flow in flows))


def _of_ruleset(whole: Walk, was: p.Pack, now: p.Pack, old: p.RuleSet | None, new: p.RuleSet | None) -> Iterator[Change]:
    one = new or old
    assert one is not None
    walk = replace(whole, workflows=_users(was, now, one))
    if old is None or new is None:
        word = "New" if old is None else "Gone"
        text = f"{word}: version {one.version} of the rule set “{one.title or one.ruleset}” ({len(one.rules())} rules, in force {walk.now.say(one.in_force)})."
        yield Change("refusals", "rule set", one.ruleset, _COMES[word], text, walk.workflows, cite=one.cite)
        return
    for part in ("lists", "allotments", "parts"):
        yield from walk.things(getattr(old, part), getattr(new, part))
    for name in new.parts.keys() & old.parts.keys():
        yield from walk.things(old.parts[name].rules, new.parts[name].rules)
    yield from walk.members(thing_of(new.ruleset, new), old, new, skip=("lists", "allotments", "parts", "ruleset"))
