"""The schema for editors knows the words of every kind of file, and what an author may write for short."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from caseflow.adapters.packs.nodes import read
from caseflow.adapters.packs.schema import pack_schema
from caseflow.adapters.packs.shapes import SHAPES
from tests.conftest import PACK
from tests.unit.pack_texts import HOME

OAKVILLE = HOME / "workflows" / "oakville"
FILES = [path for folder in (PACK, OAKVILLE) for path in (*sorted(folder.glob("*.yaml")), *sorted(folder.glob("rules/*.yaml")))]


def misfits(schema: dict[str, Any], value: Any, root: dict[str, Any], path: str = "") -> Iterator[str]:
    """Where a value breaks a schema; the words that the schemas here use, and no others."""
    if "$ref" in schema:
        yield from misfits(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], value, root, path)
    for word in ("anyOf", "oneOf"):
        if word in schema and all(any(True for _ in misfits(one, value, root, path)) for one in schema[word]):
            yield f"{path}: none of {len(schema[word])}"
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
    kind = schema.get("type")
    if kind in kinds and (not isinstance(value, kinds[kind]) or (kind == "integer" and isinstance(value, bool))):
        yield f"{path}: not of type {kind}"
    elif kind == "object":
        yield from members(schema, value, root, path)
    elif kind == "array":
        for number, item in enumerate(value):
            yield from misfits(schema.get("items", {}), item, root, f"{path}/{number}")
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        yield f"{path}: another value"


def members(schema: dict[str, Any], value: dict[str, Any], root: dict[str, Any], path: str) -> Iterator[str]:
    known = schema.get("properties", {})
    also = schema.get("patternProperties")
    rest = schema.get("additionalProperties", {})
    yield from (f"{path}: {name} is missing" for name in schema.get("required", ()) if name not in value)
    if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
        yield f"{path}: {len(value)} members"
    for name, inner in value.items():
        if name in known:
            yield from misfits(known[name], inner, root, f"{path}/{name}")
        elif not (also and name.startswith("also-")):
            yield from [f"{path}: no word {name}"] if rest is False else misfits(rest if rest is not True else {}, inner, root, f"{path}/{name}")


def broken(kind: str, text: str) -> list[str]:
    schema = pack_schema(kind)
    return list(misfits(schema, read(text, "x").plain(), schema))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_sound_file_fits_its_schema(path: Any) -> None:
    text = path.read_text(encoding="utf-8")

    assert broken(next(iter(read(text, "x").plain())), text) == []


@pytest.mark.parametrize(
    "text",
    [
        "clokcs: {}",
        "clocks: {a: {lenght: {days: 3}}}",
        "clocks: {a: {length: {dyas: 3}}}",
        "clocks: {a: {met: {afer: x}}}",
        "clocks: {a: {starts: {after: x, counted-from: yesterday}}}",
        "conditions: {c: {test: {fact: f, iss: 3}}}",
        "conditions: {c: {test: {day: this-act, aftr: filing}}}",
        "actions: {c: {frm: b}}",
        "actions: {c: {items: aks}}",
        "without: [x]",
    ],
)
def test_an_unknown_word_breaks_the_schema(text: str) -> None:
    assert broken("workflow", f"workflow: x\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "extends: y",
        "actions: {c: {also-needs: [a], from: b, letters: x, task: Look}}",
        "clocks: {a: {starts: file, met: [b, {after: c}], extended: {by: d, adds: {days: {setting: s}}}}}",
        "conditions: {c: {test: [d, {any: e}, {fact: f, in: [g]}, {day: filing, on-or-before: {fact: h}, at-least: {weeks: 2}}]}}",
        "without: {actions: x, clocks: [y]}",
    ],
)
def test_what_may_be_written_for_short_fits_the_schema(text: str) -> None:
    assert broken("workflow", f"workflow: x\n{text}\n") == []


def test_every_kind_of_file_has_a_schema() -> None:
    for kind in (*SHAPES, "fact", "letter", "fee"):
        assert pack_schema(kind)["properties"]
