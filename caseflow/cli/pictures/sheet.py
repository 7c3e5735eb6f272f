"""What a supervisor watches: what goes wrong first, then who carries it, then how months went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from caseflow.cli.pictures.words import bullets, day, plural, ruled, section, text

WORDS = {
    "overdue": ("▲", "Overdue", "bold red"),
    "at-risk": ("!", "At risk: the target is within 5 office days", "yellow"),
    "silence": ("◷", "Decided by silence within 14 days", "yellow"),
    "on-hold": ("‖", "On hold", ""),
    "letters-waiting": ("✉", "Letters waiting", ""),
    "stuck": ("■", "Stuck: nothing pending, or nothing done for 30 days", "bold red"),
    "open": ("○", "Open in all", ""),
}
SHOWN = 8


def sheet(board: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]] | None = None) -> Group:
    """The whole board. `rows` of the docket, by case, say more about the cases of each group."""
    return Group(*_parts(board, rows or {}))


def _parts(board: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> Iterator[RenderableType]:
    if board.get("as_of"):
        yield text(f"The docket on {day(board['as_of'])}", "bold")
    figures = ruled("", "Group", "Cases", right=("Cases",))
    for group in board["groups"]:
        sign, title, style = _words(group["id"])
        figures.add_row(sign, text(title, style if group["count"] else "dim"), str(group["count"]))
    yield figures
    for group in board["groups"]:
        if group["count"] and group["id"] != "open":
            yield section(_words(group["id"])[1], bullets(_cases(group, rows)))
    if board.get("workload"):
        yield section("Who carries what", _workload(board))
    if board.get("on_time"):
        yield section("Decided in time", _on_time(board))


def _words(group: str) -> tuple[str, str, str]:
    return WORDS.get(group, ("·", group.replace("-", " ").capitalize(), ""))


def _cases(group: Mapping[str, Any], rows: Mapping[str, Mapping[str, Any]]) -> Iterator[Text]:
    for number in group["cases"][:SHOWN]:
        yield _case(number, rows.get(number))
    rest = group["count"] - SHOWN
    if rest > 0:
        yield text(f"and {rest} more", "dim")


def _case(number: str, row: Mapping[str, Any] | None) -> Text:
    line = text(number, "bold")
    if row is None:
        return line
    target = row["next"]["target"]
    line.append_text(text(f" {row['title']}; {row['state']}"))
    line.append_text(text(f"; target {day(target)}" if target else "; no date"))
    return line.append_text(text(f"; {row['assigned_to'] or 'nobody assigned'}", "dim"))


def _workload(board: Mapping[str, Any]) -> RenderableType:
    table = ruled("Who", "Open", "Overdue", right=("Open", "Overdue"))
    for row in board["workload"]:
        table.add_row(text(row["user"] or "nobody"), str(row["open"]), str(row["overdue"]))
    return table


def _on_time(board: Mapping[str, Any]) -> RenderableType:
    table = ruled("Month", "Decided", "In time", "Of these held", right=("Decided", "In time", "Of these held"))
    for row in board["on_time"]:
        table.add_row(text(row["month"]), str(row["decided"]), f"{row['on_time']} of {row['decided']}", str(row["held"]))
    return Group(
        table,
        text(f"{plural(len(board['on_time']), 'month')}; a held case is one whose clock stood for some time.", "dim"),
    )
