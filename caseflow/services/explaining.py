"""Why a date is so: the lines that add up to it, the readings of the law that were chosen, and the days that others would give.

The same words stand on the page, in the API, on the command line and in the record that leaves; nothing else explains a date.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from caseflow.domain.calendar import say
from caseflow.domain.facts import nearest
from caseflow.domain.pack.office import Setting
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.shadows import Shadow, shadows
from caseflow.errors import NotFound
from caseflow.services.office import Office
from caseflow.services.showing import clock_json, reading_says, value_says

KEPT = ("status", "start", "length", "unrolled", "due", "target", "used", "left", "missed_by", "title", "cite", "why")


def why(office: Office, number: str, clock: str | None = None, moment: datetime | None = None) -> list[dict[str, Any]]:
    """The derivation of each clock that has begun, or of one: CONTRACT section 1, `case why`. Raises NotFound, StoreFault."""
    moment = moment or office.now()
    with office.store.read() as work:
        case = work.case(number)
        entries = work.entries(case.number)
    book = office.packs.of(case)
    names = list(book.workflow.clocks)
    if clock is not None and clock not in names:
        raise NotFound(f"There is no clock '{clock}' in {book.workflow.workflow}{nearest(clock, names)}; the clocks: {', '.join(names)}.")
    wanted = [clock] if clock is not None else list(dict.fromkeys(mark.clock for mark in case.marks))
    today = book.calendar.local_day(moment)
    others = shadows(book, case, entries, wanted, today)
    found = []
    for name in wanted:
        made = clock_json(book, case, name, today)
        mine = [_shadow(book, one) for one in others if one.clock == name]
        found.append({"clock": name, **{key: made[key] for key in KEPT}, "readings": _readings(book, case.settings, made["why"], mine), "shadows": mine})
    return found


def _readings(book: Rulebook, chosen: Mapping[str, Any], lines: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The settings on which a date rests: those that a line names, and those whose other reading would give another day."""
    used = [line["reading"] for line in lines if line["reading"]] + [name for one in others for name in one["settings"]]
    settings = book.pack.text.settings
    return [
        {
            "setting": name,
            "question": settings[name].question,
            "chosen": chosen.get(name, settings[name].default),
            "says": value_says(settings[name], chosen.get(name, settings[name].default)),
            "because": settings[name].why,
            "cite": settings[name].cite,
            "text": reading_says(book, chosen, name),
        }
        for name in dict.fromkeys(used)
        if name in settings
    ]


def _shadow(book: Rulebook, one: Shadow) -> dict[str, Any]:
    """A last day that is not the one of the record, with the reading that gives it, in a sentence."""
    settings = {name: (book.pack.text.settings[name], value) for name, value in one.settings.items()}
    single = next(iter(settings.items())) if one.kind == "reading" else None
    return {
        "kind": one.kind,
        "setting": single[0] if single is not None else None,
        "settings": dict(one.settings),
        "question": single[1][0].question if single is not None else None,
        "reading": single[1][1] if single is not None else None,
        "says": value_says(*single[1]) if single is not None else None,
        "due": one.due.isoformat() if one.due is not None else None,
        "cite": "; ".join(dict.fromkeys(setting.cite for setting, _ in settings.values() if setting.cite)) or None,
        "text": f"{_if(one.kind, settings)}, {f'the last day would be {say(one.due.toordinal())}' if one.due is not None else 'there would be no last day'}.",
    }


def _if(kind: str, settings: Mapping[str, tuple[Setting, Any]]) -> str:
    if kind == "no-hold":
        return "If no hold stopped the time"
    if kind == "all-rolls":
        return f"If every reading that moves a last day were taken at once ({' '.join(setting.question for setting, _ in settings.values())})"
    ((setting, value),) = settings.values()
    return f"{setting.question} If it were read as \u201c{value_says(setting, value).rstrip('.')}\u201d"
