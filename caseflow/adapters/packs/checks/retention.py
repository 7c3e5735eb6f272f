"""Schedules of retention: that what they name exists, that each says whose rule it is, and that each can apply to some case."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from caseflow.adapters.packs.checks.conditions import uncited
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.changes import HELD
from caseflow.domain.facts import nearest
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

UNITS = ("years", "months", "weeks", "days")
FLAG_TAKEN = f"flag '{HELD}' belongs to the core, which raises it while a legal hold keeps a case; choose another id"


def check(loaded: Loaded) -> list[Fault]:
    """Faults of the pack's `retention`, and of a flag that is the core's own."""
    assert loaded.source.pack is not None
    faults = [*_roles(loaded.pack.text, loaded.source.pack), *_reached(loaded.pack, loaded.source.pack)]
    for name, schedule in loaded.pack.text.retention.schedules.items():
        faults += _schedule(name, schedule, loaded.pack, loaded.source.pack)
    for flow, node in (*loaded.flows, *loaded.bases):
        if HELD in flow.flags:
            faults.append(Fault(*node.find(("flags", HELD), True), FLAG_TAKEN))
    return faults


def _roles(text: p.PackText, node: Node) -> Iterator[Fault]:
    for word in ("holds", "disposes"):
        named = getattr(text.retention, word)
        if not named:
            yield Fault(*node.find(("retention", word), True), f"'{word}' names no role, so nobody could; write one of {', '.join(text.roles)}")
        for place, role in enumerate(named):
            if role not in text.roles and "retention" in text.model_fields_set and word in text.retention.model_fields_set:
                yield Fault(*node.find(("retention", word, place)), f"no role '{role}'{nearest(role, text.roles)}")


def _schedule(name: str, schedule: p.Schedule, pack: p.Pack, node: Node) -> Iterator[Fault]:
    path = ("retention", "schedules", name)
    flows = {flow.workflow: flow for flow in pack.workflows}
    for place, one in enumerate(schedule.workflows):
        if one not in flows:
            yield Fault(*node.find((*path, "workflows", place)), f"no workflow '{one}'{nearest(one, flows)}")
    covered = [flow for flow in pack.workflows if not schedule.workflows or flow.workflow in schedule.workflows]
    for word, given, known in (
        ("dispositions", schedule.dispositions, {one for flow in covered for one in flow.dispositions}),
        ("clocks", schedule.counts_from.clocks, {one for flow in covered for one in flow.clocks}),
    ):
        here = (*path, word) if word == "dispositions" else (*path, "counts-from", word)
        for place, one in enumerate(given):
            if one not in known:
                yield Fault(*node.find((*here, place)), f"no {word[:-1]} '{one}' in what the schedule covers{nearest(one, known)}")
    yield from _length(path, schedule, pack, node)
    if uncited(schedule):
        text = f"schedule '{name}' has no cite; name the schedule of the agency that it stands on, or write 'policy: true' or 'note'"
        yield Fault(*node.find(path, True), text)


def _length(path: tuple[str, ...], schedule: p.Schedule, pack: p.Pack, node: Node) -> Iterator[Fault]:
    keep, place = schedule.keep, (*path, "keep", schedule.keep.unit)
    if keep.unit not in UNITS:
        yield Fault(*node.find((*path, "keep")), f"a record is kept for {', '.join(UNITS[:-1])} or {UNITS[-1]}, not for {keep.unit}")
    if isinstance(keep.number, p.SettingRef):
        setting = pack.text.settings.get(keep.number.setting)
        if setting is None:
            yield Fault(*node.find((*place, "setting")), f"no setting '{keep.number.setting}'{nearest(keep.number.setting, pack.text.settings)}")
        elif setting.number is None:
            yield Fault(*node.find((*place, "setting")), f"setting '{keep.number.setting}' holds no number; write 'number:' in it")
    elif keep.number < 1:
        yield Fault(*node.find(place), "a record is kept for 1 or more; write a number above 0")


def _reached(pack: p.Pack, node: Node) -> Iterator[Fault]:
    """A schedule after one that takes all its cases is never asked."""
    every = {(flow.workflow, one) for flow in pack.workflows for one in (*flow.dispositions, None)}
    taken: dict[tuple[str, str | None], str] = {}
    for name, schedule in pack.text.retention.schedules.items():
        own = {
            (flow, one)
            for flow, one in every
            if (not schedule.workflows or flow in schedule.workflows) and (not schedule.dispositions or one in schedule.dispositions)
        }
        if own and all(one in taken for one in own):
            before = ", ".join(f"'{one}'" for one in dict.fromkeys(taken[case] for case in sorted(own, key=str)))
            text = f"schedule '{name}' never applies: {before} before it takes every case of it; put it first, or leave it out"
            yield Fault(*node.find(("retention", "schedules", name), True), text)
        for one in own:
            taken.setdefault(one, name)
