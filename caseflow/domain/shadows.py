"""The last day of a clock under the readings that the agency did not choose: the record replayed, and nothing written.

One reading at a time; all that move a last day forward together; and the time as it would run if no hold stopped it.
Which of them changes a day, and what the words are, is for whoever shows it (services/explaining.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from caseflow.domain.case import Case, Entry
from caseflow.domain.pack.office import Setting
from caseflow.domain.replay import fold, standing
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import run

HOLDING = ("hold", "resume")


@dataclass(frozen=True, slots=True)
class Shadow:
    """A last day that is not the one of the record. `kind`: reading, all-rolls or no-hold; `settings`: what was read otherwise."""

    clock: str
    kind: str
    settings: Mapping[str, Any]
    due: date | None


def shadows(book: Rulebook, case: Case, entries: Sequence[Entry], names: Collection[str], today: date) -> list[Shadow]:
    """The last days of these clocks under every other reading, where they differ; without holds, where there were any."""
    real = {name: _due(book, case, name, today) for name in names}
    found: list[Shadow] = []
    for kind, settings in _otherwise(book, case):
        folded = fold(book, _received(book, entries, {**case.settings, **settings}), settings).case
        found += [Shadow(name, kind, settings, due) for name in names if (due := _due(book, folded, name, today)) != real[name]]
    known = {(one.clock, one.due) for one in found if one.kind == "reading"}
    found = [one for one in found if one.kind == "reading" or (one.clock, one.due) not in known]
    return [*found, *_unheld(book, case, names, today)]


def _otherwise(book: Rulebook, case: Case) -> Iterator[tuple[str, dict[str, Any]]]:
    settings = book.pack.text.settings
    for name, setting in settings.items():
        for value in other_readings(setting, case.settings.get(name)):
            yield "reading", {name: value}
    rules = (rule for actor in book.calendar.text.actors.values() for rule in actor.rolls_off if rule.when is not None)
    rolling = {rule.when.setting: rule.when.is_ for rule in rules if rule.when is not None}
    changed = {name: value for name, value in rolling.items() if case.settings.get(name) != value}
    if len(changed) > 1:
        yield "all-rolls", changed


def other_readings(setting: Setting, chosen: Any) -> list[Any]:
    """The readings of a setting that were not chosen. A bare number has none."""
    options: list[Any] = list(setting.readings) if setting.readings is not None else [True, False] if setting.when_true is not None else []
    return [option for option in options if option != chosen]


def _received(book: Rulebook, entries: Sequence[Entry], settings: Mapping[str, Any]) -> Sequence[Entry]:
    """The entries with the filing on the day on which it counts under these settings, unless that day was corrected by hand."""
    first = entries[0]
    arrived, channel = first.facts.get("received_at"), first.facts.get("channel")
    if arrived is None or channel is None or standing(entries).days[first.seq] != first.effective_on:
        return entries
    on = book.calendar.received_on(datetime.fromisoformat(arrived), channel, settings)
    if on == first.effective_on or first.effective_on != book.calendar.received_on(datetime.fromisoformat(arrived), channel, first.facts["settings"]):
        return entries
    return [replace(first, effective_on=on, facts={**first.facts, "received_on": on.isoformat()}), *entries[1:]]


def _unheld(book: Rulebook, case: Case, names: Collection[str], today: date) -> Iterator[Shadow]:
    for name in names:
        if run(book, case, name, today).held:
            bare = replace(case, marks=tuple(mark for mark in case.marks if mark.clock != name or mark.kind not in HOLDING))
            yield Shadow(name, "no-hold", {}, _due(book, bare, name, today))


def _due(book: Rulebook, case: Case, name: str, today: date) -> date | None:
    due = run(book, case, name, today).due
    return date.fromordinal(due) if due is not None else None
