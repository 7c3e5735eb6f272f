"""Whether each date of a case is accounted for by its lines, counted here anew from the JSON alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

ADDS = {"event": 0, "count": 1, "hold": 1, "roll": 1, "displace": 0, "target": 0}
"""Which lines move the last day. A target is the office's day and moves nothing."""


def unexplained(clocks: Sequence[Mapping[str, Any]]) -> list[str]:
    """Each clock whose lines don't lead from its start to its last day, without a gap, and what they lead to."""
    return [f"{clock['title']}: {fault}" for clock in clocks if (fault := _fault(clock))]


def _fault(clock: Mapping[str, Any]) -> str | None:
    if clock["due"] is None:
        return None
    if not clock["why"]:
        return f"{clock['due']} stands without a line"
    day = date.fromisoformat(clock["start"])
    for step in clock["why"]:
        moved = step["days"] * ADDS[step["kind"]]
        if moved and step["from"] != day.isoformat():
            return f"the line '{step['text']}' begins on {step['from']}, not on {day}"
        day += timedelta(days=moved)
        if moved and step["to"] != day.isoformat():
            return f"the line '{step['text']}' leads to {day}, not to {step['to']}"
    return None if day.isoformat() == clock["due"] else f"the lines lead to {day}, not to {clock['due']}"
