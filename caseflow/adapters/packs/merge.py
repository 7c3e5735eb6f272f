"""Inheritance between workflows (`extends`), done on nodes so that every part keeps the place where it was written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from caseflow.adapters.packs.nodes import Node, Place
from caseflow.domain.facts import nearest
from caseflow.errors import Fault

# Maps of named things merge by name; a named thing merges key by key; any other value is replaced.
NAMED = (
    "states",
    "groups",
    "dispositions",
    "flags",
    "facts",
    "items",
    "petition-items",
    "exclusions",
    "conditions",
    "limits",
    "claims",
    "clocks",
    "actions",
)

_WHOLE = {
    "states": ("state", "title"),
    "items": ("item", "title"),
    "petition-items": ("item", "title"),
    "exclusions": ("exclusion", "title"),
    "conditions": ("condition", "text"),
    "limits": ("limit", "title"),
    "claims": ("claim", "text"),
    "clocks": ("clock", "title"),
    "actions": ("action", "title"),
}
"""What a thing is called, and the word without which it is no new thing but changes one of the base."""


def merged(child: Node, versions: Mapping[str, Sequence[Node]], faults: list[Fault], seen: tuple[str, ...] = ()) -> Node | None:
    """A workflow with its bases merged in; None where a base is missing or leads back to itself.

    `versions` holds every workflow file of a name: a base may have several, and a child lives within one of them.
    """
    base_node: Node | None = child.value.get("extends")
    if base_node is None:
        if "without" in child.value:
            faults.append(Fault(*child.keys["without"], "'without' takes parts of a base away, but this workflow extends none; leave it out"))
        return child
    base_name = str(base_node.value)
    if base_name in (*seen, _text(child, "workflow")):
        faults.append(Fault(*base_node.place, f"'{base_name}' leads back to itself; name another base"))
        return None
    found = _version(base_name, base_node, child, versions, faults)
    base = merged(found, versions, faults, (*seen, _text(child, "workflow"))) if found is not None else None
    if base is None:
        return None
    made = _join(base, child, [node for files in versions.values() for node in files if _text(node, "extends") == base_name], faults)
    _within(base, made, faults)
    return made


def _text(node: Node, *path: str) -> str:
    """The text at a path, or nothing."""
    for step in path:
        inner = node.value.get(step) if isinstance(node.value, dict) else None
        if inner is None:
            return ""
        node = inner
    return str(node.value) if node.value is not None else ""


def _version(name: str, at: Node, child: Node, versions: Mapping[str, Sequence[Node]], faults: list[Fault]) -> Node | None:
    known = versions.get(name, ())
    if not known:
        faults.append(Fault(*at.place, f"no workflow '{name}' to extend{nearest(name, versions)}"))
        return None
    if len(known) == 1:
        return known[0]
    begins = _text(child, "in-force", "from")
    fitting = [one for one in known if _text(one, "in-force", "from") <= begins <= (_text(one, "in-force", "until") or "9999")]
    if begins and fitting:
        return fitting[0]
    text = f"'{name}' has {len(known)} versions; say under 'in-force' from which day this workflow applies, within one of them"
    faults.append(Fault(*at.place, text))
    return None


def _within(base: Node, made: Node, faults: list[Fault]) -> None:
    """A child lives within one version of its base. ISO days compare as text."""
    first, last = _text(base, "in-force", "from"), _text(base, "in-force", "until")
    if _text(made, "in-force", "from") < first:
        faults.append(Fault(*made.find(("in-force", "from")), f"the base applies only from {first}; begin on that day or later"))
    if last and (_text(made, "in-force", "until") or "9999") > last:
        faults.append(
            Fault(*made.find(("in-force", "until")), f"the base applies only until {last}; end by that day, and write the time after it as a version")
        )


def _join(base: Node, child: Node, children: Sequence[Node], faults: list[Fault]) -> Node:
    value, keys = dict(base.value), dict(base.keys)
    value.pop("abstract", None)
    for key, node in child.value.items():
        if key == "without":
            continue
        if key in NAMED and key in value and isinstance(node.value, dict) and isinstance(value[key].value, dict):
            value[key] = _join_named(value[key], _fitting(key, value[key], node, children, faults), faults)
            keys[key] = child.keys[key]
        else:
            _put(value, keys, key, node, child, faults)
    made = Node(value, child.file, child.line, child.column, keys)
    if "without" in child.value:
        _take_away(made, child.value["without"], faults)
    return made


def _fitting(kind: str, base: Node, child: Node, children: Sequence[Node], faults: list[Fault]) -> Node:
    """The child's things without those that change a thing which the base does not have.

    Where several children change it, and the base has one of nearly that name, the base is at fault, once for all.
    """
    called, whole = _WHOLE.get(kind, ("", ""))
    lost = [name for name, node in child.value.items() if called and name not in base.value and isinstance(node.value, dict) and whole not in node.value]
    for name in lost:
        near = get_close_matches(name, [other for other in base.value if other not in child.value], 1)
        if near and sum(name in _names(node, kind) for node in children) > 1:
            text = f"workflows that extend this one change {called} '{name}', which is not in it; is it this one, '{near[0]}'? Give it one name in all of them"
            at: Place = base.keys.get(near[0], base.value[near[0]].place)
            faults.append(Fault(*at, text))
        else:
            meant = f"did you mean '{near[0]}'? Or " if near else ""
            text = f"the base has no {called} '{name}' to change; {meant}write '{whole}' if this one is new"
            faults.append(Fault(*child.keys[name], text))
    left = {name: node for name, node in child.value.items() if name not in lost}
    return Node(left, child.file, child.line, child.column, child.keys)


def _names(node: Node, kind: str) -> Sequence[str]:
    part = node.value.get(kind)
    return list(part.value) if part is not None and isinstance(part.value, dict) else ()


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
        _put(value, keys, key, node, child, faults)
    return Node(value, child.file, child.line, child.column, keys)


def _put(value: dict[str, Node], keys: dict[str, tuple[str, int, int]], key: str, node: Node, child: Node, faults: list[Fault]) -> None:
    plain = key.removeprefix("also-")
    if plain == key:
        value[key], keys[key] = node, child.keys[key]
    elif plain not in value:
        faults.append(Fault(*child.keys[key], f"the base has no '{plain}' to add to; write '{plain}'"))
    else:
        value[plain] = Node([*_items(value[plain]), *_items(node)], node.file, node.line, node.column)


def _items(node: Node) -> list[Node]:
    return list(node.value) if isinstance(node.value, list) else [node]


def _take_away(made: Node, without: Node, faults: list[Fault]) -> None:
    if not isinstance(without.value, dict):
        faults.append(Fault(*without.place, "'without' names what is taken away by kind, such as {actions: [x]}"))
        return
    for kind, names in without.value.items():
        if kind not in NAMED:
            faults.append(Fault(*without.keys[kind], f"'without' takes away {', '.join(NAMED)}, not '{kind}'{nearest(kind, NAMED)}"))
            continue
        for name in _items(names):
            part = made.value.get(kind)
            known = part.value if part is not None and isinstance(part.value, dict) else {}
            wanted = str(name.plain())
            if part is None or wanted not in known:
                faults.append(Fault(*name.place, f"the base has no {kind} '{wanted}' to take away{nearest(wanted, known)}"))
                continue
            left = {key: node for key, node in known.items() if key != wanted}
            made.value[kind] = Node(left, part.file, part.line, part.column, part.keys)
