"""YAML as its author wrote it: plain values that remember file, line and column. No objects, no surprises.

Read from the parser's events, so that `on`, `no`, `01-05`, `010` and `16:30` stay text. Refused: equal keys, anchors,
aliases, merge keys, tags, several documents, deep nesting and large files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from caseflow.errors import BadInput, Fault, PackFaults

MAX_BYTES, MAX_DEPTH = 1024 * 1024, 40
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INT = re.compile(r"(0|-?[1-9][0-9]{0,17})\Z")
_TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels; write it flat"
# What is no text, and the line breaks that YAML 1.1 knows and YAML 1.2 does not.
_STRANGE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]|(?<!^)\ufeff")

Place = tuple[str, int, int]


@dataclass(slots=True)
class Node:
    """A value with its place. A map holds `keys`: the place of each key; `line` and `column` count from 1."""

    value: Any
    file: str
    line: int
    column: int
    keys: dict[str, Place] = field(default_factory=dict)

    @property
    def place(self) -> Place:
        """File, line and column."""
        return self.file, self.line, self.column

    def plain(self) -> Any:
        """The value without places."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def find(self, path: tuple[Any, ...], key: bool = False) -> Place:
        """The place at a path. A step that is not in the file is passed over, so the answer is the nearest known one."""
        node: Node = self
        place: Place = self.place
        for number, step in enumerate(path):
            last = number == len(path) - 1
            if isinstance(node.value, dict) and step in node.value:
                if key and last:
                    known: Node = node.value[step]
                    return node.keys.get(step, known.place)
                node = node.value[step]
                place = node.place
            elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
                place = node.place
        return place


class _Refused(Exception):
    def __init__(self, place: Place, text: str) -> None:
        self.fault = Fault(*place, text)
        super().__init__(text)


def read(text: str, file: str) -> Node:
    """The document as nodes. Raises PackFaults with the one fault that stops reading."""
    if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
        raise PackFaults([Fault(file, 0, 0, f"the file has more than {MAX_BYTES // 1024} KiB; split it")])
    try:
        events = _events(text, file)
        return _document(events, file)
    except _Refused as refused:
        raise PackFaults([refused.fault]) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "this is not YAML")
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        text = _TOO_DEEP if "nesting depth" in problem else f"{problem}; check indentation (spaces, no tabs), colons and quotes here"
        raise PackFaults([Fault(file, line, column, text)]) from None


def read_map(text: str, file: str) -> Node:
    """A document that must be a map. Raises PackFaults."""
    node = read(text, file)
    if not isinstance(node.value, dict):
        raise PackFaults([Fault(*node.place, "the file must consist of names and values, such as 'title: ...'")])
    return node


def read_plain(text: str, file: str) -> dict[str, Any]:
    """A document as a plain map, for requests, facts and scenarios. Raises BadInput."""
    try:
        made = read_map(text, file).plain()
    except PackFaults as faults:
        raise BadInput(str(faults)) from None
    assert isinstance(made, dict)
    return made


def _events(text: str, file: str) -> Iterator[Any]:
    bad = _STRANGE.search(text)
    if bad is not None:
        line, column = text.count("\n", 0, bad.start()) + 1, bad.start() - text.rfind("\n", 0, bad.start())
        raise _Refused((file, line, column), f"the character U+{ord(bad.group()):04X} has no place in a text file; remove it")
    return iter(yaml.parse(text, Loader=_LOADER))


def _document(events: Iterator[Any], file: str) -> Node:
    root: Node | None = None
    for event in events:
        if isinstance(event, (yaml.StreamStartEvent, yaml.StreamEndEvent, yaml.DocumentEndEvent)):
            continue
        if isinstance(event, yaml.DocumentStartEvent):
            if root is not None:
                raise _Refused(_at(event, file), "a second document begins here; put it into a file of its own")
            continue
        root = _node(event, events, file, 0)
    if root is None:
        raise _Refused((file, 1, 1), "the file is empty; write names and values, such as 'title: ...'")
    return root


def _at(event: Any, file: str) -> Place:
    return file, event.start_mark.line + 1, event.start_mark.column + 1


def _node(event: Any, events: Iterator[Any], file: str, depth: int) -> Node:
    place = _at(event, file)
    if depth > MAX_DEPTH:
        raise _Refused(place, _TOO_DEEP)
    _refuse_marks(event, place)
    if isinstance(event, yaml.ScalarEvent):
        return Node(_scalar(event), *place)
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Node] = []
        for inner in iter(lambda: next(events), None):
            if isinstance(inner, yaml.SequenceEndEvent):
                return Node(items, *place)
            items.append(_node(inner, events, file, depth + 1))
    return _map(events, file, depth, place)


def _refuse_marks(event: Any, place: Place) -> None:
    if isinstance(event, yaml.AliasEvent):
        raise _Refused(place, f"'*{event.anchor}' repeats another part; write the part out again")
    if event.anchor is not None:
        raise _Refused(place, f"'&{event.anchor}' names a part to be repeated; write the part out where it is needed")
    if event.tag is not None:
        raise _Refused(place, f"the tag '{event.tag}' is not allowed; leave it out")


def _map(events: Iterator[Any], file: str, depth: int, place: Place) -> Node:
    made: dict[str, Node] = {}
    keys: dict[str, Place] = {}
    for event in iter(lambda: next(events), None):
        if isinstance(event, yaml.MappingEndEvent):
            break
        at = _at(event, file)
        _refuse_marks(event, at)
        if not isinstance(event, yaml.ScalarEvent):
            raise _Refused(at, "a name must be plain text, not a list or map")
        key = event.value
        if key == "<<":
            raise _Refused(at, "'<<' merges another part; write the part out, or use 'extends'")
        if key in made:
            raise _Refused(at, f"'{key}' stands here a second time (first on line {keys[key][1]}); keep one of them")
        keys[key] = at
        made[key] = _node(next(events), events, file, depth + 1)
    return Node(made, *place, keys=keys)


def _scalar(event: Any) -> Any:
    text = event.value
    if event.style:
        return text
    if text == "true":
        return True
    if text == "false":
        return False
    if text in ("", "null", "~"):
        return None
    return int(text) if _INT.match(text) else text
