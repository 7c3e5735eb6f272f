"""Shapes that do not fit, as faults at the line that wrote them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from caseflow.adapters.packs.nodes import Node
from caseflow.adapters.packs.shapes import words
from caseflow.domain.facts import nearest
from caseflow.errors import Fault

M = TypeVar("M", bound=BaseModel)

# After these words the validator's path names the kind of test or day, which is no step in the file.
_KINDED = {
    "test",
    "applies",
    "when",
    "unless",
    "required",
    "only-if-cheaper",
    "needs",
    "all",
    "any",
    "none",
    "day",
    "value",
    "counted-from",
    "to",
}


def shaped(model: type[M], node: Node | None, faults: list[Fault]) -> M | None:
    """The model of a node, or None with every reason added to `faults`."""
    if node is None:
        return None
    try:
        return model.model_validate(node.plain())
    except ValidationError as error:
        faults += [_fault(node, problem) for problem in error.errors(include_url=False)]
        return None


def _fault(node: Node, problem: Any) -> Fault:
    path = tuple(_steps(problem["loc"]))
    kind, shown = problem["type"], str(path[-1]) if path else ""
    if kind == "extra_forbidden":
        return Fault(*node.find(path, key=True), f"there is no word '{shown}' here{nearest(shown, words())}")
    if kind == "missing":
        return Fault(*node.find(path), f"'{shown}' is missing here; write it")
    text = str(problem["msg"]).removeprefix("Value error, ")
    text = text[:1].lower() + text[1:]
    given = problem.get("input")
    got = f", not {str(given)[:60]!r}" if isinstance(given, (str, int, bool)) and kind not in ("value_error", "test", "day") else ""
    name = next((str(step) for step in reversed(path) if isinstance(step, str)), "")
    return Fault(*node.find(path), f"'{name}': {text}{got}" if name else f"{text}{got}")


def _steps(loc: tuple[Any, ...]) -> Iterator[Any]:
    kinded = False
    for step in loc:
        if isinstance(step, int):
            yield step
        elif kinded:
            kinded = False
        else:
            kinded = step in _KINDED
            yield step
