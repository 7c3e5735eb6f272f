"""JSON Schema of the pack files, for editors: made from the same models that read them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from caseflow.domain import pack as p

MODELS: dict[str, type[BaseModel]] = {
    "pack": p.PackText,
    "calendar": p.CalendarText,
    "workflow": p.Workflow,
    "ruleset": p.RuleSet,
    "fact": p.Fact,
    "letter": p.Letter,
    "fee": p.Fee,
}


def pack_schema(kind: str) -> dict[str, Any]:
    """The schema of one kind of file, or of one thing in it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **MODELS[kind].model_json_schema(by_alias=True)}
