"""How scenarios ended: a line each, and for one that failed what was expected and what came."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from caseflow.cli.pictures.words import bullets, plural, section, text


def results(found: Mapping[str, Any], coverage: bool = False) -> Group:
    """All scenarios, the sum, and where asked for what of the pack none of them reached."""
    scenarios = found["results"]
    failed = sum(not one["passed"] for one in scenarios)
    total = text(f"{plural(len(scenarios), 'scenario')}, {f'{failed} failed' if failed else 'all as they say'}.")
    total.stylize("bold red" if failed else "bold green")
    parts: list[RenderableType] = [line for one in scenarios for line in scenario(one)]
    return Group(*parts, total, *(_coverage(found) if coverage else ()))


def scenario(one: Mapping[str, Any]) -> Iterator[Text]:
    """One line, and below it how it failed."""
    yield text("pass  " if one["passed"] else "FAIL  ", "green" if one["passed"] else "bold red").append_text(text(one["scenario"]))
    if one["passed"]:
        return
    yield text(f"      {one['file']}", "dim")
    for fault in one["faults"]:
        yield text(f"      at {_place(fault['step'])}: expected {_plain(fault['expected'])}")
        yield text(f"      {' ' * len(_place(fault['step']))}    but got  {_plain(fault['got'])}")


def _place(step: Any) -> str:
    return f"step {step}" if isinstance(step, int) else str(step)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _coverage(found: Mapping[str, Any]) -> Iterator[RenderableType]:
    """What no scenario reached, by workflow and kind."""
    groups: dict[str, list[str]] = {}
    for key in found["missing"]:
        workflow, kind, name = key.split("/", 2)
        groups.setdefault(f"{workflow}, {kind}", []).append(name)
    yield text(f"{len(found['coverage'])} things reached, {len(found['missing'])} not.", "bold")
    for title, names in sorted(groups.items()):
        yield section(title, bullets(text(name) for name in names))
