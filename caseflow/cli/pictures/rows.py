"""The docket: one row a case, the date first, since a list of work begins with when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from caseflow.cli.pictures.words import day, plural, ruled, text


def table(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """The cases found, and how many."""
    if not rows:
        return text("No case fits. 'caseflow docket' without options lists all.")
    found = ruled("Target", "Case", "State", "Who", whole=("Target",))
    for row in rows:
        found.add_row(_when(row), _which(row), _where(row), text(row["assigned_to"] or "nobody"))
    return Group(found, text(plural(len(rows), "case") + "."))


def _when(row: Mapping[str, Any]) -> Text:
    following = row.get("next") or {}
    if not following.get("target"):
        return text("no date", "dim")
    line = text(day(following["target"]))
    if following.get("due") != following["target"]:
        line.append_text(text(f"\nlaw: {day(following['due'])}", "dim"))
    return line


def _which(row: Mapping[str, Any]) -> Text:
    return text(row["case"], "bold").append_text(text(f"\n{row['title']}"))


def _where(row: Mapping[str, Any]) -> Text:
    line = text(row["state"]).append_text(text(f"\n{row['turn']}", "dim"))
    if row.get("flags"):
        line.append_text(text("\n! " + ", ".join(row["flags"]), "bold red"))
    return line
