"""What an act would do, as pages show it: now and then side by side, only what changes in bold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def changes(made: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows: each clock and limit that the act touches, with both sides."""
    before, after = made["before"], made["after"]
    if after is None:
        return []
    then = {clock["id"]: clock for clock in after["clocks"]}
    rows = []
    for now in before["clocks"]:
        later = then[now["id"]]
        changed = _moved(now) != _moved(later)
        if changed or now["status"] in ("running", "tolled", "displaced", "missed"):
            rows.append({"clock": now, "now": now, "then": later, "changed": changed})
    return rows


def _moved(clock: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(clock[name] for name in ("status", "due", "target", "displaced_on", "ended_on"))


def limits(made: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The limits that the act uses up or gives back."""
    if made["after"] is None:
        return []
    then = {limit["id"]: limit for limit in made["after"]["limits"]}
    return [
        {"title": now["title"] or now["id"], "now": now["allowed"] - now["used"], "then": now["allowed"] - then[now["id"]]["used"], "of": now["allowed"]}
        for now in made["before"]["limits"]
        if then[now["id"]]["used"] != now["used"]
    ]
