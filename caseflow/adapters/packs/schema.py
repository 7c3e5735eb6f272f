"""JSON Schema of pack files for editors: the models' schema, put into the words that an author may write.

The loader is stricter; the schema only has to complete words, explain them, and never mark good text as wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from caseflow.adapters.packs.merge import NAMED
from caseflow.adapters.packs.shapes import SHAPES
from caseflow.domain import pack as p

_PARTS: Mapping[str, type[BaseModel]] = {"fact": p.Fact, "letter": p.Letter, "fee": p.Fee}
# A single item may stand alone where these make a list of it.
_LISTING = {"_as_list", "_moments", "_no_list_in_list"}
# What may be written as plain text instead of as a map.
_PLAIN = ("CountsFrom", "FeeRef", "LetterRef", "TaskRef", "RollDay", "Moment", "Start", "ListEntry", "PathStep")
_LISTED = ("Moment", "Start", "AllOf", "ClockPath")
_ONLY_TEXT: Mapping[str, dict[str, Any]] = {"Named": {"type": "string"}, "ThisAct": {"const": "this-act"}, "Filing": {"const": "filing"}}


def pack_schema(kind: str) -> dict[str, Any]:
    """JSON Schema of one kind of pack file, or of one fact, letter or fee."""
    model = {**SHAPES, **_PARTS}[kind]
    made = model.model_json_schema(by_alias=True, schema_generator=_Written)
    made["$defs"] = {name: _rewritten(name, part) for name, part in made.get("$defs", {}).items()}
    if kind == "workflow":
        made["properties"]["without"] = {"type": "object", "propertyNames": {"enum": list(NAMED)}}
        made["required"] = ["workflow"]
        _inherits(made)
        for part in ("State", "Fact", "Item", "Exclusion", "Condition", "Limit", "Claim", "Clock", "Action"):
            _inherits(made["$defs"][part])
            made["$defs"][part].pop("required", None)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


class _Written(GenerateJsonSchema):
    """Lets a single item stand where a list is expected."""

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> dict[str, Any]:
        inner = super().function_before_schema(schema)
        name = getattr(schema["function"]["function"], "__name__", "")
        return {"anyOf": [inner, inner["items"]]} if name in _LISTING and "items" in inner else inner


def _rewritten(name: str, part: dict[str, Any]) -> dict[str, Any]:
    if name in _ONLY_TEXT:
        return _ONLY_TEXT[name]
    rewrite = {"FactTest": _fact_test, "DayTest": _day_test, "Length": _length, "Distance": _distance, "Extension": _extension, "ListEntry": _entry}.get(name)
    made = rewrite(part) if rewrite is not None else part
    choices = [made]
    if name in _PLAIN:
        choices.append({"type": "string"})
    if name in _LISTED:
        choices.append({"type": "array"})
    return made if len(choices) == 1 else {"anyOf": choices}


def _fact_test(part: dict[str, Any]) -> dict[str, Any]:
    return _compared(part, p.FACT_OPS, {})


def _day_test(part: dict[str, Any]) -> dict[str, Any]:
    return _compared(part, p.DAY_OPS, part["properties"]["value"])


def _compared(part: dict[str, Any], operators: tuple[str, ...], value: dict[str, Any]) -> dict[str, Any]:
    known = {name: inner for name, inner in part["properties"].items() if name not in ("op", "value")}
    subject = next(iter(known))
    return {**part, "properties": {**dict.fromkeys(operators, value), **known}, "required": [subject]}


def _length(part: dict[str, Any]) -> dict[str, Any]:
    return _of_units(part, p.UNITS)


def _distance(part: dict[str, Any]) -> dict[str, Any]:
    return _of_units(part, ("days", "weeks"))


def _of_units(part: dict[str, Any], units: tuple[str, ...]) -> dict[str, Any]:
    number = part["properties"]["number"]
    made = {key: inner for key, inner in part.items() if key != "required"}
    return {**made, "properties": dict.fromkeys(units, number), "minProperties": 1, "maxProperties": 1}


def _entry(part: dict[str, Any]) -> dict[str, Any]:
    known = {name: inner for name, inner in part["properties"].items() if name != "columns"}
    return {**part, "properties": known, "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}}


def _extension(part: dict[str, Any]) -> dict[str, Any]:
    return {**part, "properties": {"by": part["properties"]["after"], **part["properties"]}}


def _inherits(part: dict[str, Any]) -> None:
    """`also-KEY` adds to what a base says."""
    part["patternProperties"] = {"^also-": {}}
