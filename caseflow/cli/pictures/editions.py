"""Versions of the rules: which there are, and how two of them differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from caseflow.cli.pictures.consequences import preview
from caseflow.cli.pictures.words import bullets, cited, plural, ruled, section, text

HEADS = {
    "dates": "dates",
    "refusals": "refusals",
    "outcomes": "outcomes",
    "letters": "letters",
    "fees": "fees",
    "choices": "choices",
    "law": "law cited",
    "words": "words",
}


def differences(made: Mapping[str, Any]) -> Group:
    """Every difference of two versions, by workflow."""
    cases = list(preview(made["docket"])) if "docket" in made else []
    return Group(text(_head(made), "bold"), *(part for group in made["groups"] for part in _group(group)), *(["", *cases] if cases else []))


def _head(made: Mapping[str, Any]) -> str:
    was, now = made["from"], made["to"]
    names = " -> ".join(f"{one['label']} ({one['version'][:12]})" for one in (was, now))
    return f"{now['pack']} {names}: {plural(made['changes'], 'difference')}"


def _group(group: Mapping[str, Any]) -> Iterator[RenderableType]:
    title = "The whole pack" if not group["titles"] else ", ".join(group["titles"])
    parts: list[RenderableType] = []
    for weight, head in HEADS.items():
        found = [one for one in group["changes"] if one["weight"] == weight]
        if found:
            parts += [Text(f"{head}:", style="dim"), bullets(cited(one["text"], _law(one)) for one in found)]
    yield section(title, *parts)


def _law(one: Mapping[str, Any]) -> str | None:
    """The citation, unless the sentence says it itself."""
    return one["cite"] if one["cite"] and one["cite"] not in one["text"] else None


def versions(made: Mapping[str, Any]) -> RenderableType:
    """The versions with their cases."""
    table = ruled("Version", "Pack", "Label", "Open", "Cases", "Where", right=("Open", "Cases"), whole=("Version", "Pack"))
    for one in made["versions"]:
        where = ", ".join(word for word, is_there in (("in force", one["loaded"]), ("kept", one["kept"])) if is_there)
        table.add_row(text(one["version"][:12], "bold"), text(one["pack"]), text(one["label"]), text(one["open"]), text(one["cases"]), text(where))
    return table
