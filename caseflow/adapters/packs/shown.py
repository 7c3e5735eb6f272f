"""A workflow as it stands after inheritance, as text that an author can read, with the origin of each part."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from caseflow.adapters.packs.loader import Loaded
from caseflow.adapters.packs.nodes import Node, Place
from caseflow.domain import pack as p
from caseflow.domain.facts import nearest
from caseflow.errors import NotFound

_BARE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _./()-]*\Z")
_READ_OTHERWISE = re.compile(r"(true|false|null|-?[0-9]+|.*\s)\Z")
_DEEP = 3
"""Below this level a part stands on one line."""


def shown(loaded: Loaded, workflow: str) -> str:
    """The merged text of a workflow (its newest version), each line with the file and line that wrote it. Raises NotFound."""
    found = [(flow, node) for flow, node in (*loaded.flows, *loaded.bases) if flow.workflow == workflow]
    if not found:
        known = [flow.workflow for flow, _ in (*loaded.flows, *loaded.bases)]
        raise NotFound(f"There is no workflow '{workflow}'{nearest(workflow, known)}.")
    _, node = max(found, key=lambda one: _begins(one[0]))
    lines = [(text, f"{place[0]}:{place[1]}") for text, place in _lines(node, 0)]
    width = min(100, max(len(text) for text, _ in lines))
    return "".join(f"{text:<{width}}  # {origin}\n" for text, origin in lines)


def _begins(flow: p.Workflow) -> str:
    return flow.in_force.from_.isoformat() if flow.in_force.from_ is not None else ""


def _lines(node: Node, depth: int) -> Iterator[tuple[str, Place]]:
    for key, inner in node.value.items():
        place = node.keys.get(key, inner.place)
        lead = "  " * depth + _scalar(key)
        if isinstance(inner.value, dict) and inner.value and depth < _DEEP - 1:
            yield f"{lead}:", place
            yield from _lines(inner, depth + 1)
        else:
            # A list that a child adds to has no key of its own in the child: its own place is the later one.
            yield f"{lead}: {_flow(inner.plain())}", inner.place if inner.file != place[0] else place


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(inner) for inner in value) + "]"
    return _scalar(value) if isinstance(value, str) else json.dumps(value)


def _scalar(text: str) -> str:
    return text if _BARE.match(text) and not _READ_OTHERWISE.match(text) else json.dumps(text, ensure_ascii=False)
