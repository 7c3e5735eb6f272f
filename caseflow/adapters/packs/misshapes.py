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

_INSTEAD = {
    "int": "write a whole number",
    "date": "write a day such as 2026-04-01",
    "bool": "write true or false",
    "string": "write text; put quotes around it",
    "decimal": "write an amount such as 100.00",
    "tuple": "write a list, such as [a, b]",
    "dict": "write names and values, such as {name: value}",
    "mapping": "write names and values, such as {name: value}",
    "model": "write names and values, such as {name: value}",
}
"""What to write instead, by the beginning of the validator's word for what is wrong."""


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
        return Fault(*node.find(path, key=True), f"there is no word '{shown}' here{nearest(shown, [word for word in words() if word != shown])}")
    if kind == "missing":
        return Fault(*node.find(path), f"'{shown}' is missing here; write it")
    name = next((str(step) for step in reversed(path) if isinstance(step, str)), "")
    instead = _INSTEAD.get(kind.split("_")[0])
    text = str(problem["msg"]).removeprefix("Value error, ")
    said = f"{instead}, not {_short(problem.get('input'))}" if instead is not None else text[:1].lower() + text[1:]
    if kind in ("literal_error", "enum"):
        said = f"{said}, not {_short(problem.get('input'))}"
    return Fault(*node.find(path), f"'{name}': {said}" if name else said)


def _short(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "names and values" if isinstance(value, dict) else "a list"
    return "nothing" if value is None else f"'{str(value)[:60]}'"


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
