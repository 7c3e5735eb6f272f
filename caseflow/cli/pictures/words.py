"""The words and signs that all pictures share: dates with weekdays, status words, tables. No color stands alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, Literal

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

STATUS = {
    "not-started": ("·", "not started", "dim"),
    "running": ("◔", "running", "cyan"),
    "tolled": ("‖", "held", "yellow"),
    "displaced": ("≈", "displaced", "magenta"),
    "met": ("✓", "met", "green"),
    "stopped": ("■", "ended", ""),
    "missed": ("▲", "missed", "bold red"),
    "over": ("–", "over", ""),
}
TURNS = {
    "department": "the department's turn",
    "requester": "the requester's turn",
    "public": "the public's turn",
    "nobody": "nobody's turn",
}


def text(value: Any, style: str = "") -> Text:
    """A value as it is, harmless to the terminal."""
    return Text("" if value is None else visible(str(value)), style=style)


def day(iso: str | None) -> str:
    """'2027-01-19' as 'Tue, Jan 19, 2027'."""
    if not iso:
        return ""
    value = date.fromisoformat(iso[:10])
    return f"{value:%a}, {value:%b} {value.day}, {value.year}"


def moment(iso: str | None) -> str:
    """A moment as 'Sat, Jan 9, 2027, 12:00 am'."""
    if not iso:
        return ""
    value = datetime.fromisoformat(iso)
    return f"{day(iso)}, {value.hour % 12 or 12}:{value:%M} {'am' if value.hour < 12 else 'pm'}"


def plural(count: int, one: str, many: str = "") -> str:
    """'1 day', '2 days'."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def status(clock: Mapping[str, Any]) -> Text:
    """The sign and the word of a clock's status; of a missed one, by how much."""
    sign, word, style = STATUS.get(clock["status"], ("?", clock["status"], ""))
    late = clock.get("missed_by") if clock["status"] == "missed" else None
    return text(f"{sign} {word}" + (f" by {plural(late, 'day')}" if late else ""), style)


def word(name: str) -> str:
    """A status as a word."""
    return STATUS[name][1] if name in STATUS else name


def last_day(clock: Mapping[str, Any]) -> str:
    """The last day in law, or in words why there is none."""
    words = {"tolled": "none while held", "displaced": "as soon as possible", "running": "not known yet"}
    return day(clock["due"]) or words.get(clock["status"], "none")


def turn(name: str) -> str:
    """Whose turn it is."""
    return TURNS.get(name, f"the {name}'s turn")


def cited(words: Any, cite: str | None) -> Text:
    """A sentence with its citation after it."""
    line = text(words)
    if cite:
        line.append_text(text(f" ({cite})", "dim"))
    return line


def ruled(*columns: str, right: Iterable[str] = (), whole: Iterable[str] = ()) -> Table:
    """A table with a rule under its head and no other lines. Columns fold rather than cut; those in `whole` never fold."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, expand=False)
    for column in columns:
        side: Literal["left", "right"] = "right" if column in right else "left"
        table.add_column(column, overflow="fold", justify=side, no_wrap=column in whole)
    return table


def section(title: str, *parts: RenderableType) -> Group:
    """A heading with what belongs to it, after an empty line."""
    return Group("", Text(title, style="bold"), *(Padding(part, (0, 0, 0, 2)) for part in parts))


def bullets(lines: Iterable[Text], sign: str = "-") -> Table:
    """Lines under one another, each with a hanging sign."""
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for line in lines:
        table.add_row(sign, line)
    return table


def visible(text: str) -> str:
    """Text whose control characters, which could write over a terminal, are shown as a sign."""
    return "".join(sign if sign == "\n" or _harmless(sign) else "\ufffd" for sign in text)


def _harmless(sign: str) -> bool:
    code = ord(sign)
    if code < 0x20 or 0x7F <= code < 0xA0:
        return False
    return not (0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069)
