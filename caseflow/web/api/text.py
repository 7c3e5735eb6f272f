"""The API about itself: the OpenAPI text, with examples from a real docket, and a plain page of its operations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from caseflow.web.api.models.common import ProblemDetails
from caseflow.web.api.problems import MEDIA
from caseflow.web.assets import vendored

EXAMPLES = "api/examples.json"
TITLE = "caseflow"
ABOUT = """Everything that the site and the command line do, over the same services.

Every call but `GET /health` and this text carries `Authorization: Bearer TOKEN`. A token stands for a person, acts in that person's
role, sees the cases that the person sees, and ends; people make theirs at `/me/tokens`, operators with `caseflow people token make`.
A signed-in browser opens nothing here.

Days are local days of the agency (ISO 8601), moments carry their offset, money is US dollars as decimal text. What has no date is null.
Members may be added to an answer within v1; none is renamed or taken away.

A refusal is `application/problem+json` (RFC 9457) with `reasons`, each with its citation, and `faults`, each with the place of a field.
"""


def describe(api: FastAPI, root: str) -> dict[str, Any]:
    """The OpenAPI text of the API."""
    from fastapi.openapi.utils import get_openapi

    made = get_openapi(title=TITLE, version="1", openapi_version="3.1.0", description=ABOUT, routes=api.routes, servers=[{"url": root}])
    parts = made.setdefault("components", {})
    problem = ProblemDetails.model_json_schema(ref_template="#/components/schemas/{model}")
    parts.setdefault("schemas", {}).update({**problem.pop("$defs", {}), ProblemDetails.__name__: problem})
    for unused in ("HTTPValidationError", "ValidationError"):
        parts["schemas"].pop(unused, None)
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer", "description": "A token of a person."}}
    made["security"] = [{"token": []}]
    for _, _, operation in operations(made):
        for parameter in operation.get("parameters", ()):
            parameter["schema"] = _sent(parameter["schema"])
        responses = operation["responses"]
        # FastAPI's own shape of a 422 is never answered.
        if "422" in responses and MEDIA not in responses["422"].get("content", {}):
            responses["422"] = {"description": "Something in the call is not right.", "content": problem_content()}
        responses["422"]["content"].pop("application/json", None) if "422" in responses else None
    _with_examples(made)
    return made


def _sent(schema: dict[str, Any]) -> dict[str, Any]:
    """The shape of a parameter: it is left out or sent, and never null."""
    given = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    if len(given) != 1:
        return schema
    return {**{key: value for key, value in schema.items() if key != "anyOf"}, **given[0]}


def problem_content() -> dict[str, Any]:
    """The content of a problem."""
    return {MEDIA: {"schema": {"$ref": f"#/components/schemas/{ProblemDetails.__name__}"}}}


def operations(text: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every operation: path, method, and what is said of it."""
    for path, methods in text["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


@lru_cache
def examples() -> dict[str, Any]:
    """Real calls and answers, by operation; none where they are not installed."""
    path: Path = vendored() / EXAMPLES
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _with_examples(made: dict[str, Any]) -> None:
    known = examples()
    for _, _, operation in operations(made):
        example = known.get(operation["operationId"])
        if example is None:
            continue
        for parameter in operation.get("parameters", ()):
            if parameter["name"] in example.get("given", {}):
                parameter["example"] = example["given"][parameter["name"]]
        if "body" in example:
            operation["requestBody"]["content"]["application/json"]["example"] = example["body"]
        answer = operation["responses"][str(example["status"])].get("content", {}).get("application/json")
        if answer is not None and "answer" in example:
            answer["example"] = example["answer"]


# --- the page -----------------------------------------------------------------------------------------------------


def chapters(text: dict[str, Any]) -> list[dict[str, Any]]:
    """The operations by subject, as the page lists them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path, method, operation in operations(text):
        found.setdefault(operation["tags"][0], []).append(
            {
                "id": operation["operationId"],
                "method": method.upper(),
                "path": path,
                "title": operation["summary"],
                "paragraphs": [_plain(part) for part in operation["description"].split("\n\n")],
                "given": [_given(one) for one in operation.get("parameters", ())],
                "body": [_member(name, one, text) for name, one in _body(operation, text)],
                "answers": [{"status": status, "says": _plain(one["description"])} for status, one in sorted(operation["responses"].items())],
                "shape": _shape(operation),
            }
        )
    return [{"title": title, "operations": found[title]} for title in found]


def shapes(text: dict[str, Any]) -> list[dict[str, Any]]:
    """The shapes of bodies and answers, with their members."""
    known = text["components"]["schemas"]
    return [
        {
            "name": name,
            "says": _plain(known[name].get("description", "")),
            "members": [_member(member, one, text, member in known[name].get("required", ())) for member, one in known[name].get("properties", {}).items()],
        }
        for name in sorted(known)
    ]


def _plain(words: str) -> str:
    return re.sub(r"`([^`]*)`", r"\1", words)


def _given(one: dict[str, Any]) -> dict[str, Any]:
    schema = one["schema"]
    return {"name": one["name"], "in": one["in"], "required": one.get("required", False), "says": _plain(one.get("description", "")), "type": _type(schema)}


def _body(operation: dict[str, Any], text: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return []
    shape = text["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
    return list(shape.get("properties", {}).items())


def _shape(operation: dict[str, Any]) -> str | None:
    for status, one in operation["responses"].items():
        ref = one.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref")
        if status.startswith("2") and ref:
            return str(ref.rpartition("/")[2])
    return None


def _member(name: str, one: dict[str, Any], text: dict[str, Any], required: bool = False) -> dict[str, Any]:
    says = one.get("description") or _described(one, text)
    return {"name": name, "type": _type(one), "says": _plain(says), "required": required}


def _described(one: dict[str, Any], text: dict[str, Any]) -> str:
    ref = one.get("$ref", "").rpartition("/")[2]
    return str(text["components"]["schemas"].get(ref, {}).get("description", ""))


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    kind = str(schema.get("format") or schema.get("type") or "any value")
    return {"string": "text", "object": "map", "integer": "whole number", "boolean": "true or false"}.get(kind, kind)
