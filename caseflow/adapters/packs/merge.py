"""Inheritance between workflows (`extends`), done on nodes so that every part keeps the place where it was written."""

from __future__ import annotations

from caseflow.adapters.packs.nodes import Node
from caseflow.domain.facts import nearest
from caseflow.errors import Fault

# Maps of named things merge by name; a named thing merges key by key; any other value is replaced.
NAMED = ["states", "groups", "dispositions", "flags", "facts", "items", "petition-items", "exclusions", "conditions", "limits", "clocks", "actions"]


def merged(name: str, raw: dict[str, Node], faults: list[Fault], seen: tuple[str, ...] = ()) -> Node | None:
    """A workflow with its bases merged in; None where a base is missing or leads back to itself."""
    child = raw[name]
    base_node: Node | None = child.value.get("extends")
    if base_node is None:
        return _checked(child, faults)
    base_name = str(base_node.value)
    if base_name in (*seen, name):
        faults.append(Fault(*base_node.place, f"'{base_name}' leads back to itself; name another base"))
        return None
    if base_name not in raw:
        faults.append(Fault(*base_node.place, f"no workflow '{base_name}' to extend{nearest(base_name, raw)}"))
        return None
    base = merged(base_name, raw, faults, (*seen, name))
    return None if base is None else _join(base, child, faults)


def _checked(child: Node, faults: list[Fault]) -> Node:
    for word in ("without",):
        if word in child.value:
            faults.append(Fault(*child.keys[word], f"'{word}' takes parts of a base away, but this workflow extends none"))
    return child


def _join(base: Node, child: Node, faults: list[Fault]) -> Node:
    value, keys = dict(base.value), dict(base.keys)
    value.pop("abstract", None)
    for key, node in child.value.items():
        if key == "without":
            continue
        if key in NAMED and key in value and isinstance(node.value, dict) and isinstance(value[key].value, dict):
            value[key] = _join_named(value[key], node, faults)
        else:
            value[key] = node
        keys[key] = child.keys[key]
    made = Node(value, child.file, child.line, child.column, keys)
    _take_away(made, child.value.get("without"), faults)
    return made


def _join_named(base: Node, child: Node, faults: list[Fault]) -> Node:
    value, keys = dict(base.value), dict(base.keys)
    for name, node in child.value.items():
        old = value.get(name)
        if old is not None and isinstance(old.value, dict) and isinstance(node.value, dict):
            value[name] = _join_thing(old, node, faults)
        else:
            value[name] = node
        keys[name] = child.keys[name]
    return Node(value, child.file, child.line, child.column, keys)


def _join_thing(base: Node, child: Node, faults: list[Fault]) -> Node:
    value, keys = dict(base.value), dict(base.keys)
    for key, node in child.value.items():
        if key.startswith("also-"):
            plain = key[5:]
            if plain not in value:
                faults.append(Fault(*child.keys[key], f"the base has no '{plain}' to add to; write '{plain}'"))
                continue
            value[plain] = Node([*_items(value[plain]), *_items(node)], node.file, node.line, node.column)
        else:
            value[key] = node
            keys[key] = child.keys[key]
    return Node(value, child.file, child.line, child.column, keys)


def _items(node: Node) -> list[Node]:
    return list(node.value) if isinstance(node.value, list) else [node]


def _take_away(made: Node, without: Node | None, faults: list[Fault]) -> None:
    if without is None or not isinstance(without.value, dict):
        return
    for kind, names in without.value.items():
        for name in _items(names):
            part = made.value.get(kind)
            if part is None or not isinstance(part.value, dict) or name.value not in part.value:
                faults.append(Fault(*name.place, f"the base has no {kind} '{name.value}' to take away"))
                continue
            left = {key: node for key, node in part.value.items() if key != name.value}
            made.value[kind] = Node(left, part.file, part.line, part.column, part.keys)
