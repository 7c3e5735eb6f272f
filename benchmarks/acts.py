"""One action by a person: read, decide, render, write, commit; against the driver writing the same rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks import raw
from benchmarks.dockets import NOTE, REQUEST, Docket, new_docket
from benchmarks.measure import Line, over, seconds
from caseflow.domain.case import Act
from caseflow.services import acting

FILED = datetime(2026, 12, 1, 15, tzinfo=UTC)
ACTED = datetime(2026, 12, 2, 16, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Kind:
    """An action to measure; `letter`: the one that it owes."""

    title: str
    asked: Act
    floor: float
    letter: str | None = None
    id: str = ""


KINDS = (
    Kind("an action without a letter", NOTE, 0.45, id="A1"),
    Kind("an action with a letter", REQUEST, 0.40, "information-request", "A1"),
)


def run(folder: Path, rounds: int, acts: int = 200) -> list[Line]:
    """A line for each kind of action, each on cases that nobody has acted on."""
    return [_run(kind, folder, rounds, acts) for kind in KINDS]


def _run(kind: Kind, folder: Path, rounds: int, acts: int) -> Line:
    docket, slices = prepared(folder, kind.asked.action, rounds + 1, acts)
    base = raw.connect(docket.twin())
    ours, theirs = [], []
    for numbers in slices:
        with closing(raw.connect(docket.path)) as own:
            raw.emptied(own)
        ours.append(seconds(partial(act_on, docket, numbers, kind.asked)))
        theirs.append(_base(docket, base, numbers, kind.letter))
    base.close()
    ratios = over(ours[1:], theirs[1:])
    rate = acts / median(ours[1:])
    return Line(kind.title, f">= {kind.floor} of raw", f"{rate:,.0f}/s ({acts / median(theirs[1:]):,.0f}/s raw)", median(ratios) >= kind.floor, ratios, kind.id)


def prepared(folder: Path, name: str, slices: int, acts: int) -> tuple[Docket, list[list[str]]]:
    """A database with so many slices of fresh cases; the first is for warming up."""
    docket = new_docket(folder, name)
    docket.app.for_long_work()  # as the service does before its first page
    return docket, [[docket.file(FILED) for _ in range(acts)] for _ in range(slices)]


def act_on(docket: Docket, numbers: list[str], asked: Act) -> None:
    """The same action on each case."""
    office = docket.office(ACTED)
    for number in numbers:
        acting.act(office, number, asked)


def _base(docket: Docket, base: sqlite3.Connection, numbers: list[str], letter: str | None) -> float:
    """Seconds that the driver needs to write what the engine just wrote; afterwards both hold the same rows."""
    result = raw.connect(docket.path)
    work = raw.changes(result, base, numbers)
    render = _rendering(docket, result, numbers, letter) if letter is not None else None
    raw.emptied(base)
    took = seconds(lambda: raw.write_each(base, work, render))
    if any(one.statements for one in raw.changes(result, base, numbers)):
        raise AssertionError("the base did not write what the engine wrote")
    result.close()
    return took


def _rendering(docket: Docket, result: sqlite3.Connection, numbers: list[str], letter: str) -> Callable[[int], str]:
    """Renders the letter of the case at a place. It must come out as the engine's did, or the work is not the same."""
    (version,) = result.execute("SELECT pack_version FROM case_file WHERE number = ?", (numbers[0],)).fetchone()
    render = raw.template(docket.app.library.files(version), letter)
    query = 'SELECT view, markdown FROM letter WHERE "case" = ? AND letter = ?'
    rows = [result.execute(query, (number, letter)).fetchone() for number in numbers]
    views = [json.loads(view) for view, _ in rows]
    if any(render(view) != markdown for view, (_, markdown) in zip(views, rows, strict=True)):
        raise AssertionError(f"the base renders another {letter} than the engine")
    return lambda place: render(views[place])
