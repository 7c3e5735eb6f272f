"""Rounds, ratios and the table of goals. A round runs both sides, so that slow drift of the machine cancels."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table. `met`: None where nothing is promised. `ratios`: this side against the base, one a round; empty where there is no base."""

    goal: str
    wanted: str
    figure: str
    met: bool | None
    ratios: tuple[float, ...] = ()


def seconds(work: Callable[[], object]) -> float:
    """How long it takes, with the collector at rest before and as usual during it."""
    gc.collect()
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def over(ours: Sequence[float], base: Sequence[float]) -> tuple[float, ...]:
    """Base seconds over our seconds, round by round: 1 is as fast as the base."""
    return tuple(raw / own for own, raw in zip(ours, base, strict=True))


def others_at_work() -> str:
    """A warning where other processes keep the machine busy: they take time from both sides, and more from ours, which computes."""
    load, processors = os.getloadavg()[0], os.cpu_count() or 1
    return (
        f"Other processes load the machine ({load:.1f} on {processors} processors): figures a second are too low and ratios rough."
        if load > processors / 2
        else ""
    )


def table(lines: Sequence[Line]) -> str:
    """Goal, what is wanted, the figure, the ratio as min/median, and whether it is met."""
    rows = [("goal", "wanted", "figure", "ratio min/median", "")]
    for line in lines:
        ratio = f"{min(line.ratios):.2f} / {median(line.ratios):.2f}" if line.ratios else "-"
        rows.append((line.goal, line.wanted, line.figure, ratio, {True: "met", False: "MISSED", None: ""}[line.met]))
    widths = [max(len(row[place]) for row in rows) for place in range(5)]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows)
