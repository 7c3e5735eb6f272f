"""Rounds, ratios and the table of goals. A round runs both sides, so that slow drift of the machine cancels."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

HEAD = ("id", "goal", "floor", "figure", "ratio min/median", "")
ANSWERS = {True: "met", False: "MISSED", None: ""}


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table. `met`: None where nothing is promised. `ratios`: this side against the base, one a round; empty where
    there is no base. `id`: the goal that it belongs to, empty for a further line of the goal above it."""

    goal: str
    wanted: str
    figure: str
    met: bool | None
    ratios: tuple[float, ...] = ()
    id: str = ""


def seconds(work: Callable[[], object]) -> float:
    """How long it takes, with the collector at rest before and as usual during it."""
    gc.collect()
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def over(ours: Sequence[float], base: Sequence[float]) -> tuple[float, ...]:
    """Base seconds over our seconds, round by round: 1 is as fast as the base."""
    return tuple(raw / own for own, raw in zip(ours, base, strict=True))


def in_turns(sides: Sequence[Callable[[], float]], rounds: int) -> list[tuple[float, ...]]:
    """Every side once a round, in an order that is turned round every second time; the answers of each round, by side."""
    found: list[tuple[float, ...]] = []
    for number in range(rounds):
        places = list(range(len(sides)))
        answers = {place: sides[place]() for place in (places if number % 2 == 0 else places[::-1])}
        found.append(tuple(answers[place] for place in places))
    return found


def least(goal: str, floor: float, of: str, figure: str, ratios: Sequence[float], id: str = "") -> Line:  # noqa: A002 - it is what it is
    """A line that is met where the median of its ratios is at least the floor."""
    return Line(goal, f">= {floor:g} {of}".rstrip(), figure, median(ratios) >= floor, tuple(ratios), id)


def most(goal: str, bound: float, of: str, figure: str, ratios: Sequence[float], id: str = "") -> Line:  # noqa: A002
    """A line that is met where the median of its ratios is at most the bound."""
    return Line(goal, f"<= {bound:g} {of}".rstrip(), figure, median(ratios) <= bound, tuple(ratios), id)


def within(of: Sequence[float], share: float) -> float:
    """The value within which so many of the values lie: 0.95 is the p95. Raises ValueError where there are none."""
    if not of:
        raise ValueError("nothing was measured")
    return sorted(of)[min(len(of) - 1, int(len(of) * share))]


def others_at_work() -> str:
    """A warning where other processes keep the machine busy: they take time from both sides, and more from ours, which computes."""
    load, processors = os.getloadavg()[0], os.cpu_count() or 1
    return (
        f"Other processes load the machine ({load:.1f} on {processors} processors): figures a second are too low and ratios rough."
        if load > processors / 2
        else ""
    )


def rows_of(lines: Sequence[Line]) -> list[tuple[str, ...]]:
    """The table as texts: id, goal, what is wanted, the figure, the ratio as min/median, and whether it is met."""
    rows = []
    for line in lines:
        ratio = f"{min(line.ratios):.2f} / {median(line.ratios):.2f}" if line.ratios else "-"
        rows.append((line.id, line.goal, line.wanted, line.figure, ratio, ANSWERS[line.met]))
    return rows


def table(lines: Sequence[Line]) -> str:
    """The table for a terminal, its columns aligned."""
    rows = [HEAD, *rows_of(lines)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD))]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def tally(lines: Sequence[Line]) -> str:
    """How many goals are met, missed and without an answer. A goal is met where every line of it that promises something is."""
    answers: dict[str, list[bool]] = {}
    name = ""
    for line in lines:
        name = line.id or name
        answers.setdefault(name, []).extend([] if line.met is None else [line.met])
    met = [goal for goal, all_ in answers.items() if all_ and all(all_)]
    missed = [goal for goal, all_ in answers.items() if not all(all_)]
    open_ = [goal for goal, all_ in answers.items() if not all_]
    text = f"{len(met)} of {len(answers)} goals met"
    text += f"; missed: {', '.join(missed)}" if missed else ""
    return text + (f"; without an answer: {', '.join(open_)}" if open_ else "")
