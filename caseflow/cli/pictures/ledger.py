"""Why a date is what it is: the derivation as a ledger that adds up, with a citation for each line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from caseflow.cli.pictures.words import cited, day, ruled, section, status, text

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
        adds = _adds(clock, step)
        total += adds or 0
        shown = str(total) if adds else ""
        table.add_row(day(step["from"]), _happened(step), _days(step), shown, style=_style(step))
    return [table, _conclusion(clock), *(_shadow(one) for one in clock.get("shadows") or ())]


def _adds(clock: Mapping[str, Any], step: Mapping[str, Any]) -> int | None:
    """What a line adds to the sum: held and rolled days lie beside counted ones only where all of them are calendar days."""
    calendar_days = bool((clock.get("length") or {}).keys() & {"days", "weeks"})
    kinds = ("count", "hold", "roll") if calendar_days else ("count",)
    return step["days"] if step["kind"] in kinds else None


def _happened(step: Mapping[str, Any]) -> Text:
    line = text(f"{SIGNS.get(step['kind'], ' ')} {step['text']}")
    if step.get("cite"):
        line.append_text(text(f"\n  {step['cite']}", "dim"))
    if step.get("reading"):
        line.append_text(text(f"\n  reading: {step['reading']}", "dim"))
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


def _shadow(other: Mapping[str, Any]) -> Text:
    """The last day that another reading of the law would give."""
    reading = str(other["reading"]).lower()
    words = f"If {other['setting']} were {reading}: {day(other['due']) or 'no last day'}"
    return cited(words, other.get("cite"))
