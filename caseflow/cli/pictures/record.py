"""The record of a case as a vertical line of days; late typing and voided entries show for what they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from rich.table import Table
from rich.text import Text

from caseflow.cli.pictures.words import day, plural, text

Entry = Mapping[str, Any]


def line(entries: Sequence[Entry]) -> Table:
    """Dates at the left, the line, what happened at the right."""
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    shown = ""
    known: Mapping[str, str | None] = {}
    for place, entry in enumerate(entries):
        on = day(entry["effective_on"])
        due = entry.get("due_after") or {}
        rows = list(_told(entry, {clock: day for clock, day in due.items() if known.get(clock, "") != day}))
        known = due
        table.add_row(on if on != shown else "", _mark(entry), rows[0])
        for row in rows[1:]:
            table.add_row("", "│", row)
        if place + 1 < len(entries):
            table.add_row("", "│", "")
        shown = on
    return table


def _mark(entry: Entry) -> Text:
    """Round for people, square for machines, a cross for what was voided."""
    if _voided(entry):
        return Text("x", style="red")
    return Text("●") if entry["actor"]["kind"] == "person" else Text("■", style="dim")


def _told(entry: Entry, moved: Mapping[str, str | None]) -> Iterator[Text]:
    """What an entry says; of the clocks only those whose last day it moved."""
    struck = "strike" if _voided(entry) else ""
    yield text(entry.get("title") or entry["action"], f"bold {struck}".strip())
    yield text(f"entry {entry['seq']}, {_actor(entry['actor'])}", "dim")
    if entry["from"] != entry["to"] and entry["from"]:
        yield text(f"{entry['from']} -> {entry['to']}", struck)
    if _voided(entry):
        yield text(f"voided by entry {entry['voided_by']}", "red")
    if entry.get("amended"):
        yield text("its date was amended", "yellow")
    if late := days_after(entry):
        yield text(f"typed {day(entry['recorded_on'])}, {plural(late, 'day')} after", "yellow")
    if entry.get("voids"):
        yield text(f"voids entry {entry['voids']}")
    if entry.get("because"):
        yield text(f'"{entry["because"]}"', "italic")
    for clock, due in sorted(moved.items()):
        yield text(f"last day in law, {clock}: {day(due) or 'none'}", "cyan")
    if entry.get("cites"):
        yield text("; ".join(entry["cites"]), "dim")


def _actor(actor: Mapping[str, Any]) -> str:
    return str(actor["id"]) if actor["id"] == actor["role"] else f"{actor['id']} ({actor['role']})"


def _voided(entry: Entry) -> bool:
    return bool(entry.get("voided_by"))


def days_after(entry: Entry) -> int:
    """How many days after its effective day an entry was typed."""
    typed = date.fromisoformat(entry["recorded_on"])
    return max(0, (typed - date.fromisoformat(entry["effective_on"])).days)
