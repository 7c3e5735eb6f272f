"""A pack's files -> domain.pack.Pack, or every fault at once with file, line, column and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from caseflow.adapters.packs import merge
from caseflow.adapters.packs.checks import (
    calendars,
    circles,
    cites,
    claims,
    clocks,
    conditions,
    declared,
    holds,
    letters,
    names,
    reach,
    retention,
    ruleparts,
    rulesets,
    unused,
    versions,
)
from caseflow.adapters.packs.content import content_hash
from caseflow.adapters.packs.misshapes import shaped
from caseflow.adapters.packs.nodes import Node, Place, read_map
from caseflow.adapters.packs.shapes import SHAPES, FactsText, FeesText, LettersText
from caseflow.domain import pack as p
from caseflow.errors import Fault, PackFaults

FIRST = (
    names.check,
    declared.check,
    retention.check,
    conditions.check,
    circles.check,
    rulesets.check,
    ruleparts.check,
    versions.check,
    calendars.check,
    cites.check,
    claims.check,
)
# Each order needs the one before it clean: one slip there would print thirty lines here.
SECOND = (reach.check, clocks.check, holds.check, letters.check)
THIRD = (unused.check, ruleparts.unused)


@dataclass
class Source:
    """The nodes of a pack's files, by what they are; `templates` maps a letter to its text."""

    pack: Node | None = None
    calendar: Node | None = None
    facts: Node | None = None
    letters: Node | None = None
    fees: Node | None = None
    workflows: list[Node] = field(default_factory=list)
    rulesets: list[Node] = field(default_factory=list)
    templates: dict[str, str] = field(default_factory=dict)

    def versions(self) -> dict[str, list[Node]]:
        """The workflow files by the name they carry."""
        found: dict[str, list[Node]] = {}
        for node in self.workflows:
            found.setdefault(str(node.value["workflow"].value), []).append(node)
        return found


@dataclass
class Loaded:
    """A pack with where each part was written. `bases` are its abstract workflows."""

    pack: p.Pack
    source: Source
    flows: list[tuple[p.Workflow, Node]]
    bases: list[tuple[p.Workflow, Node]]
    sets: list[tuple[p.RuleSet, Node]]

    def node_of(self, flow: p.Workflow) -> Node:
        """The merged node of a workflow."""
        return next(node for one, node in (*self.flows, *self.bases) if one is flow)

    def place(self, workflow: str, path: tuple[Any, ...], key: bool = False) -> Place | None:
        """Where a part of a workflow was written; its newest version where there are several."""
        flow = self.pack.workflow(workflow)
        return self.node_of(flow).find(path, key) if flow is not None else None


def load_pack(files: Mapping[str, str], checked: bool = True) -> p.Pack:
    """A pack from its files (path in the pack's folder -> text; templates under `templates/`). Raises PackFaults.

    Without `checked` it is read and joined, but not asked whether its rules are sound."""
    return load(files, checked).pack


def load(files: Mapping[str, str], checked: bool = True) -> Loaded:
    """A pack and its places. Raises PackFaults with all faults of the first order that has any."""
    faults: list[Fault] = []
    source = _sort(files, faults)
    loaded = _build(source, content_hash(files), faults)
    if loaded is not None:
        for order in (FIRST, SECOND, THIRD) if checked else ():
            if not faults:
                faults += [fault for check in order for fault in check(loaded)]
    if loaded is None or faults:
        raise PackFaults(list(dict.fromkeys(faults)))
    return loaded


def _sort(files: Mapping[str, str], faults: list[Fault]) -> Source:
    source = Source()
    for path in sorted(files):
        if path.startswith("templates/"):
            if not path.endswith(".md"):
                continue  # the page, its pictures and fonts
            source.templates[path.removeprefix("templates/").removesuffix(".md")] = files[path]
        elif path.endswith(".yaml") and not path.startswith(("samples/", "scenarios/")):
            try:
                _place(source, read_map(files[path], path), faults)
            except PackFaults as unread:
                faults += unread.faults
    for kind in ("pack", "calendar", "facts", "letters"):
        if getattr(source, kind) is None and not any(fault.file.startswith(kind) for fault in faults):
            faults.append(Fault(f"{kind}.yaml", 0, 0, f"the pack has no {kind}.yaml; write one that begins with '{kind}:'"))
    return source


def _place(source: Source, node: Node, faults: list[Fault]) -> None:
    kind = next(iter(node.value), "")
    if kind not in SHAPES:
        faults.append(Fault(*node.place, f"the first word says what a file is; write one of {', '.join(SHAPES)}, not '{kind}'"))
    elif kind == "workflow":
        source.workflows.append(node)
    elif kind == "ruleset":
        source.rulesets.append(node)
    elif getattr(source, kind) is not None:
        faults.append(Fault(*node.place, f"a second '{kind}' file; the first is {getattr(source, kind).file}; keep one of them"))
    else:
        setattr(source, kind, node)


def _build(source: Source, version: str, faults: list[Fault]) -> Loaded | None:
    text = shaped(p.PackText, source.pack, faults)
    calendar = shaped(p.CalendarText, source.calendar, faults)
    facts = shaped(FactsText, source.facts, faults)
    letters_ = shaped(LettersText, source.letters, faults)
    fees = shaped(FeesText, source.fees, faults) or FeesText(fees={})
    flows = list(_flows(source, faults))
    sets = [(made, node) for node in source.rulesets if (made := shaped(p.RuleSet, node, faults)) is not None]
    if not source.workflows:
        faults.append(Fault("pack.yaml", 0, 0, "the pack has no workflow; write a file that begins with 'workflow:'"))
    if text is None or calendar is None or facts is None or letters_ is None or faults:
        return None
    pack = p.Pack(
        text=text,
        hash=version,
        calendar=calendar,
        facts=facts.facts,
        letters=letters_.letters,
        fees=fees.fees,
        refunds=fees.refunds,
        workflows=tuple(flow for flow, _ in flows if not flow.abstract),
        rulesets=tuple(made for made, _ in sets),
    )
    lived = [(flow, node) for flow, node in flows if not flow.abstract]
    return Loaded(pack, source, lived, [(flow, node) for flow, node in flows if flow.abstract], sets)


def _flows(source: Source, faults: list[Fault]) -> Iterable[tuple[p.Workflow, Node]]:
    known = source.versions()
    for node in source.workflows:
        joined = merge.merged(node, known, faults)
        flow = shaped(p.Workflow, joined, faults)
        if flow is not None and joined is not None:
            yield flow, joined
