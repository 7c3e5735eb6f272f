"""Why a date is what it is: the derivation as a ledger that adds up, with a citation for each line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from caseflow.cli.pictures.words import bullets, cited, day, ruled, section, status, text

SIGNS = {"event": " ", "count": "+", "hold": "/", "roll": ">", "target": "*", "displace": "~"}


def ledgers(clocks: Sequence[Mapping[str, Any]]) -> RenderableType:
    """One ledger for each clock that has begun; the others are named."""
    begun = [clock for clock in clocks if clock["why"]]
    parts: list[RenderableType] = [section(clock.get("title") or clock["clock"], *_ledger(clock)) for clock in begun]
    idle = [clock["clock"] for clock in clocks if not clock["why"]]
    if idle:
        parts += ["", text("Not started: " + ", ".join(idle) + ".", "dim")]
    return Group(*parts) if parts else text("No clock has begun.")


def _ledger(clock: Mapping[str, Any]) -> list[RenderableType]:
    table: Table = ruled("From", "What happened", "Days", "Sum", right=("Days", "Sum"), whole=("From", "Days"))
    total = 0
    for step in clock["why"]:
        adds = _adds(step)
        total += adds or 0
        shown = str(total) if adds else ""
        table.add_row(day(step["from"]), _happened(step), _days(step), shown, style=_style(step))
    return [table, _conclusion(clock), *_readings(clock), *_shadows(clock)]


def _adds(step: Mapping[str, Any]) -> int | None:
    """What a line adds to the sum, in calendar days; the office's target adds nothing."""
    return step["days"] if step["kind"] in ("count", "hold", "roll") else None


def _happened(step: Mapping[str, Any]) -> Text:
    line = text(f"{SIGNS.get(step['kind'], ' ')} {step['text']}")
    if step.get("cite"):
        line.append_text(text(f"\n  {step['cite']}", "dim"))
    if step.get("reading_says"):
        line.append_text(text(f"\n  Read so: {step['reading_says']}", "dim"))
    return line


def _days(step: Mapping[str, Any]) -> str:
    if not step["days"]:
        return ""
    return {"hold": f"held {step['days']}", "roll": f"roll {step['days']}"}.get(step["kind"], str(step["days"]))


def _style(step: Mapping[str, Any]) -> str:
    return {"hold": "yellow", "displace": "magenta"}.get(step["kind"], "")


def _conclusion(clock: Mapping[str, Any]) -> Text:
    line = status(clock)
    line.append_text(text(f"  Last day in law: {day(clock['due']) or 'none'}. ", "bold"))
    line.append_text(text(f"Target: {day(clock['target']) or 'none'}."))
    return line


def _readings(clock: Mapping[str, Any]) -> Iterator[RenderableType]:
    """The readings of the law on which the date rests, each with why it was chosen."""
    lines = [cited(f"{one['text']} {one['because']}", one.get("cite")) for one in clock.get("readings") or ()]
    if lines:
        yield text("")
        yield text("The readings chosen", "bold")
        yield bullets(lines)


def _shadows(clock: Mapping[str, Any]) -> Iterator[RenderableType]:
    """The last days that other readings of the law would give."""
    lines = [cited(one["text"], one.get("cite")) for one in clock.get("shadows") or ()]
    if lines:
        yield text("")
        yield text("Under other readings", "bold")
        yield bullets(lines)
    elif clock["due"]:
        yield text("Every other reading gives the same day.", "dim")
