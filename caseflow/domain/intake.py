"""What a filing should be told at once: the last possible day of the decision along the longest path of clocks, and the
day to file by for the start of work that it states. Both are derived from the workflow's data; nothing is refused here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.calendar import say
from caseflow.domain.case import Case
from caseflow.domain.clock import Terms, count, length_text, value_of
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import run


@dataclass(frozen=True, slots=True)
class Leg:
    """One clock of a path: the days (ordinals) from which and to which it counts, if nothing holds it."""

    clock: str
    title: str
    length: str
    from_: int
    to: int
    cite: str | None


@dataclass(frozen=True, slots=True)
class Way:
    """A path of clocks, each from the last counted day of the one before; the last one rolls to `due`."""

    title: str
    days: int
    unrolled: int
    due: int
    legs: tuple[Leg, ...]


@dataclass(frozen=True, slots=True)
class Intake:
    """`ways` in the order written; `latest` the one that ends last. `file_by` is None where no start of work is stated."""

    ways: tuple[Way, ...]
    latest: Way | None
    work_begins: date | None
    file_by: date | None
    warnings: tuple[str, ...]


def intake(book: Rulebook, case: Case, as_of: date) -> Intake | None:
    """What the workflow says at intake about a case; None where it says nothing. An ended case gets no warnings."""
    said = book.workflow.intake
    if said is None:
        return None
    filed = book.workflow.filed_on
    began = run(book, case, filed, as_of).start if filed is not None else None
    start = began if began is not None else case.received_on.toordinal()
    ways = tuple(way(book, path, start, case.settings) for path in said.longest_path)
    latest = max(ways, key=lambda one: (one.due, one.unrolled), default=None)
    stated = case.facts.get(said.work_begins) if said.work_begins is not None else None
    begins = date.fromisoformat(stated) if stated else None
    file_by = _file_by(book, said.lead, begins, case.settings) if said.lead is not None and begins is not None else None
    warnings = () if book.workflow.states[case.state].ends else tuple(_warnings(said, latest, begins, file_by, start, case.settings))
    return Intake(ways, latest, begins, file_by, warnings)


def way(book: Rulebook, path: p.ClockPath, start: int, settings: Mapping[str, Any]) -> Way:
    """One path from a day: what its clocks count together, and the last day of the last of them."""
    legs, at, due = [], start, start
    for step in path.clocks:
        clock = book.workflow.clocks[step.clock]
        begins = _start(clock, step)
        length = (begins.length if begins is not None else None) or clock.length
        assert length is not None
        terms = Terms(value_of(length.number, settings), length.unit, clock.actor or book.calendar.agency, clock.rolls is not False)
        made = count(book.calendar, terms, at, settings=settings)
        assert made.unrolled is not None and made.due is not None
        cite = (begins.cite if begins is not None else None) or clock.cite
        legs.append(Leg(step.clock, clock.title, length_text(length, settings), at, made.unrolled, cite))
        at, due = made.unrolled, made.due
    return Way(path.title, at - start, at, due, tuple(legs))


def _start(clock: p.Clock, step: p.PathStep) -> p.Start | None:
    able = [one for one in clock.starts if step.after in (None, *one.after)]
    if step.when is not None:
        able = [one for one in able if isinstance(one.when, p.Named) and one.when.name == step.when]
    return next((one for one in able if step.when is not None or one.when is None), next(iter(able), None))


def _file_by(book: Rulebook, lead: p.Lead, begins: date, settings: Mapping[str, Any]) -> date:
    """Counted backwards from the start of work: never later, and on the open day before where the office is closed."""
    number = value_of(lead.length.number, settings)
    terms = Terms(-number, lead.length.unit, book.calendar.agency, rolls=False)
    day = count(book.calendar, terms, begins.toordinal()).unrolled
    assert day is not None
    return date.fromordinal(book.calendar.target(day) if book.calendar.text.backward == "earlier-open-day" else day)


def _warnings(said: p.Intake, latest: Way | None, begins: date | None, file_by: date | None, start: int, settings: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    if begins is None:
        return found
    if latest is not None and begins.toordinal() < latest.due:
        found.append(
            f"Work is to begin on {say(begins.toordinal())}, but the decision may come as late as {say(latest.due)} "
            f"({latest.title}: {latest.days} days from {say(start)})."
        )
    if file_by is not None and said.lead is not None and start > file_by.toordinal():
        law = f"; {said.lead.cite}" if said.lead.cite else ""
        found.append(
            f"For work from {say(begins.toordinal())} the request had to be filed by {say(file_by.toordinal())} "
            f"({length_text(said.lead.length, settings)} before{law}); it was filed on {say(start)}."
        )
    return found
