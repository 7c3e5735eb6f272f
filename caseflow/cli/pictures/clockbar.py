"""A clock as one line: every day of its period as a sign, so that it reads in black and white.

Days are only grouped for drawing; every date comes from the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from rich.text import Text

SIGNS = {
    "used": ("█", "cyan", "counted"),
    "held": ("/", "yellow", "held"),
    "displaced": ("~", "magenta", "displaced"),
    "late": ("!", "bold red", "late"),
    "roll": ("+", "", "moved to the next day that counts"),
    "left": ("·", "dim", "to come"),
}
EXCEPTIONAL = ("late", "displaced", "held", "roll", "left", "used")


def clock_bar(clock: Mapping[str, Any], today: str | None, width: int = 60) -> Text | None:
    """The bar of a clock that has begun; None for one that has not, or where nothing is known to draw."""
    days = kinds(clock, today)
    if not days:
        return None
    step = -(-len(days) // width)
    bar = Text()
    for at in range(0, len(days), step):
        group = days[at : at + step]
        kind = next(kind for kind in EXCEPTIONAL if kind in group)
        bar.append(SIGNS[kind][0], style=SIGNS[kind][1])
    if step > 1:
        bar.append(f" 1 sign = {step} days", style="dim")
    return bar


def kinds(clock: Mapping[str, Any], today: str | None) -> list[str]:
    """What each day after the start is: used, held, displaced, late, roll or left."""
    start, due = _day(clock.get("start")), _day(clock.get("due"))
    ended, now = _day(clock.get("ended_on")), _day(today)
    if start is None:
        return []
    until = min((day for day in (ended, now) if day is not None), default=None)
    if clock["status"] in ("missed", "over"):
        last = max((day for day in (due, until) if day is not None), default=None)
    elif clock["status"] in ("met", "stopped", "displaced", "tolled"):
        last = until
    else:
        last = due
    if last is None or last <= start:
        return []
    days = (last - start).days
    return [_kind(clock, start + timedelta(offset), due, until) for offset in range(1, min(days, 3660) + 1)]


def _kind(clock: Mapping[str, Any], day: date, due: date | None, until: date | None) -> str:
    displaced, unrolled = _day(clock.get("displaced_on")), _day(clock.get("unrolled"))
    if displaced is not None and day > displaced and clock["status"] == "displaced":
        return "displaced"
    if due is not None and day > due:
        return "late" if clock["status"] == "missed" else "left"
    for hold in clock.get("holds") or ():
        begun, over = _day(hold["from"]), _day(hold["to"])
        if begun is not None and begun < day and (over is None or day <= over):
            return "held"
    if unrolled is not None and day > unrolled:
        return "roll"
    return "used" if until is not None and day <= until else "left"


def legend(bars: list[list[str]]) -> Text:
    """What the signs mean that were drawn."""
    seen = {kind for bar in bars for kind in bar}
    line = Text()
    for kind, (sign, style, meaning) in SIGNS.items():
        if kind in seen:
            line.append("  " if line else "")
            line.append(sign, style=style)
            line.append(f" {meaning}", style="dim")
    return line


def _day(iso: str | None) -> date | None:
    return date.fromisoformat(iso[:10]) if iso else None
