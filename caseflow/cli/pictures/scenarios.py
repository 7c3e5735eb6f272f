"""How scenarios ended: a line each, and for one that failed what was expected and what came."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from caseflow.cli.pictures.words import bullets, plural, section, text

SHOWN = 12


def results(found: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> RenderableType:
    """All scenarios, the sum, and where asked for what of the pack they reached."""
    scenarios = found["scenarios"] if isinstance(found, Mapping) else found
    lines = [line for one in scenarios for line in _scenario(one)]
    failed = sum(not one["passed"] for one in scenarios)
    total = text(
        f"{plural(len(scenarios), 'scenario')}, {failed} failed."
        if failed
        else f"{plural(len(scenarios), 'scenario')}, all as they say."
    )
    total.stylize("bold red" if failed else "bold green")
    parts: list[RenderableType] = [*lines, total]
    if isinstance(found, Mapping) and found.get("coverage"):
        parts += list(_coverage(found["coverage"]))
    return Group(*parts)


def _scenario(one: Mapping[str, Any]) -> Iterator[Text]:
    yield text("pass  " if one["passed"] else "FAIL  ", "green" if one["passed"] else "bold red").append_text(
        text(one["scenario"])
    )
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


def _coverage(coverage: Mapping[str, Any]) -> Iterator[RenderableType]:
    for kind, part in coverage.items():
        missing = list(part.get("missing") or ())
        lines = [text(name) for name in missing[:SHOWN]]
        if len(missing) > SHOWN:
            lines.append(text(f"and {len(missing) - SHOWN} more", "dim"))
        title = f"{kind.replace('_', ' ').capitalize()}: {part['covered']} of {part['total']}"
        yield section(title, bullets(lines)) if lines else section(title)
