"""A pack's files -> domain.pack.Pack, or every fault at once with file, line, column and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from caseflow.adapters.packs import merge
from caseflow.adapters.packs.checks import calendars, clocks, conditions, letters, names, reach
from caseflow.adapters.packs.nodes import Node, read_map
from caseflow.domain import pack as p
from caseflow.domain.facts import nearest
from caseflow.errors import Fault, PackFaults

M = TypeVar("M", bound=BaseModel)
KINDS = ("pack", "calendar", "facts", "letters", "fees", "workflow", "ruleset")


@dataclass
class Source:
    """The nodes of a pack's parts, by what they are; `templates` maps a letter to its text."""

    pack: Node | None = None
    calendar: Node | None = None
    facts: Node | None = None
    letters: Node | None = None
    fees: Node | None = None
    workflows: dict[tuple[str, str], Node] = field(default_factory=dict)
    rulesets: list[Node] = field(default_factory=list)
    templates: dict[str, str] = field(default_factory=dict)


@dataclass
class Loaded:
    """A checked pack with where each part was written. `merged` has one node per workflow of the pack."""

    pack: p.Pack
    source: Source
    merged: dict[tuple[str, str], Node]


def load_pack(files: Mapping[str, str]) -> p.Pack:
    """A pack from its files (path in the pack's folder -> text; templates under `templates/`). Raises PackFaults."""
    return load(files).pack


def load(files: Mapping[str, str]) -> Loaded:
    """A pack and its places. Raises PackFaults with all faults of the first order, then of the second."""
    faults: list[Fault] = []
    source = _sort(files, faults)
    loaded = _build(source, content_hash(files), faults)
    if loaded is None or faults:
        raise PackFaults(faults)
    for first in (names.check, conditions.check, calendars.check):
        faults += first(loaded)
    if not faults:
        for second in (reach.check, clocks.check, letters.check):
            faults += second(loaded)
    if faults:
        raise PackFaults(list(dict.fromkeys(faults)))
    return loaded


def content_hash(files: Mapping[str, str]) -> str:
    """The version of a pack: SHA-256 over its rule files and letter templates, not its samples and scenarios."""
    digest = sha256()
    for path in sorted(files):
        if not path.startswith(("samples/", "scenarios/")):
            digest.update(f"{path}\0{len(files[path].encode())}\0".encode() + files[path].encode())
    return digest.hexdigest()


def _sort(files: Mapping[str, str], faults: list[Fault]) -> Source:
    source = Source()
    for path in sorted(files):
        if path.startswith("templates/"):
            source.templates[path.removeprefix("templates/").removesuffix(".md")] = files[path]
            continue
        if path.startswith(("samples/", "scenarios/")) or not path.endswith(".yaml"):
            continue
        try:
            node = read_map(files[path], path)
        except PackFaults as unread:
            faults += unread.faults
            continue
        kind = next(iter(node.value), "")
        if kind not in KINDS:
            text = f"the first word says what a file is; write one of {', '.join(KINDS)}, not '{kind}'"
            faults.append(Fault(path, node.line, node.column, text))
        elif kind == "workflow":
            version = node.value.get("in-force")
            begins = str(version.value["from"].value) if version is not None and isinstance(version.value, dict) and "from" in version.value else ""
            source.workflows[(str(node.value["workflow"].value), begins)] = node
        elif kind == "ruleset":
            source.rulesets.append(node)
        elif getattr(source, kind) is not None:
            faults.append(Fault(path, node.line, node.column, f"a second '{kind}' file; the first is {getattr(source, kind).file}"))
        else:
            setattr(source, kind, node)
    for kind in ("pack", "calendar", "facts", "letters"):
        if getattr(source, kind) is None and not any(fault.file.startswith(kind) for fault in faults):
            faults.append(Fault(f"{kind}.yaml", 0, 0, f"the pack has no {kind}.yaml; write one that begins with '{kind}:'"))
    return source


def _build(source: Source, version: str, faults: list[Fault]) -> Loaded | None:
    text = _model(p.PackText, source.pack, faults)
    calendar = _model(p.CalendarText, source.calendar, faults)
    facts = _models(p.Fact, source.facts, "facts", faults)
    letters_ = _models(p.Letter, source.letters, "letters", faults)
    fees = _models(p.Fee, source.fees, "fees", faults) if source.fees is not None else {}
    refunds = _models(p.Refund, source.fees, "refunds", faults) if source.fees is not None else {}
    merged: dict[tuple[str, str], Node] = {}
    workflows = []
    by_name = {name: node for (name, _), node in source.workflows.items()}
    for (name, _), node in source.workflows.items():
        joined = merge.merged(name, {**by_name, name: node}, faults)
        if joined is None or joined.value.get("abstract") is not None and joined.value["abstract"].value is True:
            continue
        model = _model(p.Workflow, joined, faults)
        if model is not None:
            workflows.append(model)
            first = model.in_force.from_
            merged[(name, first.isoformat() if first is not None else "")] = joined
    rulesets = [rules for node in source.rulesets if (rules := _model(p.RuleSet, node, faults)) is not None]
    if text is None or calendar is None or faults:
        return None
    pack = p.Pack(
        text=text,
        hash=version,
        calendar=calendar,
        facts=facts,
        letters=letters_,
        fees=fees,
        refunds=refunds,
        workflows=tuple(workflows),
        rulesets=tuple(rulesets),
    )
    return Loaded(pack, source, merged)


def _model(model: type[M], node: Node | None, faults: list[Fault]) -> M | None:
    if node is None:
        return None
    try:
        return model.model_validate(node.plain())
    except ValidationError as error:
        faults += [_fault(node, problem) for problem in error.errors(include_url=False)]
        return None


def _models(model: type[Any], node: Node | None, word: str, faults: list[Fault]) -> dict[str, Any]:
    part = node.value.get(word) if node is not None else None
    if part is None or not isinstance(part.value, dict):
        return {}
    made = {name: _model(model, inner, faults) for name, inner in part.value.items()}
    return {name: item for name, item in made.items() if item is not None}


def _fault(node: Node, problem: Any) -> Fault:
    path = tuple(problem["loc"])
    kind, shown = problem["type"], str(path[-1]) if path else ""
    if kind == "extra_forbidden":
        return Fault(*node.find(path, key=True), f"there is no word '{shown}' here{nearest(shown, _words())}")
    if kind == "missing":
        return Fault(*node.find(path), f"'{shown}' is missing here; write it")
    text = str(problem["msg"]).removeprefix("Value error, ")
    text = text[:1].lower() + text[1:]
    given = problem.get("input")
    got = f", not {str(given)[:60]!r}" if isinstance(given, (str, int, bool)) and kind not in ("value_error", "test", "day") else ""
    name = next((str(step) for step in reversed(path) if isinstance(step, str)), "")
    return Fault(*node.find(path), f"'{name}': {text}{got}" if name else f"{text}{got}")


@cache
def _words() -> tuple[str, ...]:
    models = [item for item in vars(p).values() if isinstance(item, type) and issubclass(item, BaseModel)]
    return tuple(dict.fromkeys(info.alias or name for model in models for name, info in model.model_fields.items()))


def pack_schema(kind: str) -> dict[str, Any]:
    """JSON Schema of one kind of pack file, for editors."""
    models: dict[str, type[BaseModel]] = {
        "pack": p.PackText,
        "calendar": p.CalendarText,
        "workflow": p.Workflow,
        "ruleset": p.RuleSet,
        "fact": p.Fact,
        "letter": p.Letter,
        "fee": p.Fee,
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **models[kind].model_json_schema(by_alias=True)}
