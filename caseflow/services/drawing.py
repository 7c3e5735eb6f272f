"""What a drawn timeline shows of a case, as plain data: a lane for each clock, the events, the days on which the office is closed.

Nothing is counted here but the days of a piece that clock.py has already bounded; how it looks is for a door.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Any

from caseflow.domain.case import Case
from caseflow.domain.pack import RULE_MOVES
from caseflow.domain.rulebook import Rulebook
from caseflow.services.office import Office
from caseflow.services.reading import timeline_of
from caseflow.services.showing import clock_json, clocks_json, iso, letters_json

BEFORE, AFTER, LONGEST = 2, 5, 3660
UNTOLD = ("letter-sent", "warn-deadline", "void", "amend", "withdrawn-by-correction", *RULE_MOVES, "silence-waits")
"""Entries that the drawing leaves to the record."""


def drawing(office: Office, number: str, moment: datetime | None = None) -> dict[str, Any]:
    """The drawing of a case as it stands.

    `lanes` [{id, title, length, actor, agency, cite, pieces, due, target, office_days (to the target), ended_on,
    status, used, total, silent_until}], a piece being
    {kind: used|held|left|roll|late|displaced, from, to, days, open, cite}; `events` [{on, kind: letter|in|act|time, title, seq, coming}];
    `from` and `to` bound it, `closed` are the days between them on which the office is closed. Raises NotFound.
    """
    with office.store.read() as work:
        case = work.case(number)
        entries = work.entries(case.number)
        letters = work.letters(case.number)
    book = office.packs.of(case)
    today = book.calendar.local_day(moment or office.now())
    record = timeline_of(book, entries, "recorded")
    return drawn(book, case, today, clocks_json(book, case, today), letters_json(book, case, letters), record)


def drawn(
    book: Rulebook, case: Case, today: date, clocks: Sequence[Mapping[str, Any]], letters: Sequence[Mapping[str, Any]], record: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The same from what has been made of the case already: its clocks, its letters and its record."""
    lanes = [lane for clock in clocks if (lane := _lane(book, clock, today)) is not None]
    lanes.sort(key=lambda lane: (not lane["agency"], lane["ended_on"] is not None, lane["pieces"][0]["from"] if lane["pieces"] else ""))
    events = sorted([*_acts(book, record), *_letters(letters), *_coming(lanes, book)], key=lambda one: (one["on"], one["seq"] or 10**9))
    days = [today.isoformat(), case.received_on.isoformat(), *(event["on"] for event in events)]
    days += [day for lane in lanes for piece in lane["pieces"] for day in (piece["from"], piece["to"])] + [lane["due"] for lane in lanes if lane["due"]]
    first, last = date.fromisoformat(min(days)).toordinal() - BEFORE, date.fromisoformat(max(days)).toordinal() + AFTER
    last = min(last, first + LONGEST)
    closed = [day for ordinal in range(first, last + 1) if not book.calendar.is_open(date.fromordinal(ordinal)) and (day := iso(ordinal))]
    return {"today": today.isoformat(), "from": iso(first), "to": iso(last), "closed": closed, "lanes": lanes, "events": events}


def _lane(book: Rulebook, clock: Mapping[str, Any], today: date) -> dict[str, Any] | None:
    if clock["start"] is None or clock["status"] == "not-started":
        return None
    pieces = list(_pieces(book, clock, today))
    silence = clock["silence"] or {}
    return {
        **{name: clock[name] for name in ("id", "title", "actor", "cite", "due", "target", "ended_on", "status", "used", "left", "policy", "displaced_on")},
        "length": (clock["length"] or {}).get("text"),
        "unit": "business day" if "business_days" in (clock["length"] or {}) else "day",
        "agency": clock["actor"] == book.calendar.agency,
        "office_days": book.calendar.open_days_between(today, date.fromisoformat(clock["target"])) if clock["target"] else None,
        "pieces": pieces,
        "silent_until": silence.get("saturday_until"),
        "silence": {"outcome": silence["outcome"], "at": silence["at"]} if silence.get("at") else None,
    }


def lane_of(book: Rulebook, case: Case, name: str, today: date) -> dict[str, Any] | None:
    """The lane of one clock alone, without its derivation; None where it has not begun."""
    return _lane(book, clock_json(book, case, name, today, False), today)


def _pieces(book: Rulebook, clock: Mapping[str, Any], today: date) -> Iterator[dict[str, Any]]:
    """Runs of days of one kind after the start, in order."""
    start, due = _ordinal(clock["start"]), _ordinal(clock["due"])
    ended = _ordinal(clock["ended_on"])
    assert start is not None
    until = min(day for day in (ended, today.toordinal()) if day is not None)
    if clock["status"] in ("missed", "over"):
        last = max(due or until, until if clock["status"] == "missed" else 0)
    elif clock["status"] in ("met", "stopped", "displaced", "tolled"):
        last = until
    else:
        last = due or until
    cites = dict(zip((hold["from"] for hold in clock["holds"]), (step["cite"] for step in clock["why"] if step["kind"] == "hold"), strict=False))
    days = [(ordinal, _kind(clock, ordinal, due, until)) for ordinal in range(start + 1, min(last, start + LONGEST) + 1)]
    for (kind, held), run in groupby(days, key=lambda one: one[1]):
        ordinals = [ordinal for ordinal, _ in run]
        first, end = ordinals[0], ordinals[-1]
        business = "business_days" in (clock["length"] or {}) and kind in ("used", "left")
        yield {
            "kind": kind,
            "from": iso(first),
            "to": iso(end),
            "days": book.calendar.business_days(first - 1, end) if business else len(ordinals),
            "open": bool(held and held["to"] is None) or kind == "displaced",
            "cite": cites.get(held["from"]) if held else clock["cite"],
        }


def _kind(clock: Mapping[str, Any], day: int, due: int | None, until: int) -> tuple[str, Mapping[str, Any] | None]:
    displaced, unrolled = _ordinal(clock["displaced_on"]), _ordinal(clock["unrolled"])
    if displaced is not None and day > displaced and due is None:
        return "displaced", None
    if due is not None and day > due:
        return "late", None
    for hold in clock["holds"]:
        begun, over = _ordinal(hold["from"]), _ordinal(hold["to"])
        if begun is not None and begun < day and (over is None or day <= over):
            return "held", hold
    if unrolled is not None and day > unrolled:
        return "roll", None
    return ("used" if day <= until else "left"), None


def _acts(book: Rulebook, told: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for entry in told:
        action = book.workflow.actions.get(entry["action"])
        if entry["voided_by"] or entry["action"] in UNTOLD:
            continue
        if entry["action"] != "file" and entry["from"] == entry["to"] and not book.moves.get(entry["action"]):
            continue
        came_in = (
            entry["action"] == "file" or entry["actor"]["role"] in ("requester", "public") or (action is not None and action.items in ("receives", "satisfies"))
        )
        kind = "time" if entry["actor"]["kind"] == "scheduler" else "in" if came_in else "act"
        yield {
            "on": entry["effective_on"],
            "kind": kind,
            "title": "Filed" if entry["action"] == "file" else entry["title"],
            "seq": entry["seq"],
            "coming": False,
        }


def _letters(letters: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for letter in letters:
        if letter["status"] in ("canceled", "superseded"):
            continue
        unsent = letter["sent_on"] is None
        title = letter["title"] + (" (not sent yet)" if unsent else "")
        yield {"on": letter["sent_on"] or letter["owed_on"], "kind": "letter", "title": title, "seq": letter["seq"], "coming": False}


def _coming(lanes: Sequence[Mapping[str, Any]], book: Rulebook) -> Iterator[dict[str, Any]]:
    for lane in lanes:
        if lane["silence"] and lane["status"] == "running":
            action = book.workflow.actions.get(lane["silence"]["outcome"])
            title = action.title if action is not None else lane["silence"]["outcome"]
            yield {"on": lane["silence"]["at"][:10], "kind": "time", "title": f"If nobody acts: {title}", "seq": None, "coming": True}


def _ordinal(day: str | None) -> int | None:
    return date.fromisoformat(day[:10]).toordinal() if day else None
