"""The days of a year that do not count or on which the office is closed, each with its source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType

from caseflow.cli.pictures.words import cited, day, ruled, text


def days(calendar: Mapping[str, Any]) -> RenderableType:
    """One row a day and list."""
    title = text(f"{calendar['calendar']} {calendar.get('year', '')}, version {calendar['version']}", "bold")
    table = ruled("Day", "Name", "List and source", whole=("Day",))
    for row in calendar["days"]:
        table.add_row(day(row["date"]), text(row["name"]), cited(row.get("list") or "", row.get("source") or row.get("cite")))
    return Group(title, "", table)
