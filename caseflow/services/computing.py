"""`clock compute`: one period a line in, its last day a line out, in constant memory; a bad line does not stop the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from caseflow.domain.calendar import Calendar
from caseflow.domain.clock import HoldDays, Step, Terms, count
from caseflow.domain.facts import nearest
from caseflow.domain.pack import UNITS, Pack
from caseflow.domain.rulebook import calendar_of, settings_of
from caseflow.errors import BadInput, CaseflowError

MAX_LINE = 64 * 1024
_MEMBERS = frozenset(("calendar", "start", "length", "actor", "holds", "settings", "target"))


class Computer:
    """Answers periods of the calendars of the packs."""

    def __init__(self, packs: Iterable[Pack]) -> None:
        self._calendars: dict[str, tuple[Calendar, dict[str, Any]]] = {pack.calendar.calendar: (calendar_of(pack), settings_of(pack, {})) for pack in packs}
        self._terms: dict[tuple[Any, ...], Terms] = {}

    def answer(self, asked: Any) -> dict[str, Any]:
        """The answer to one period. Raises BadInput."""
        if not isinstance(asked, dict):
            raise BadInput('a line must be a JSON object such as {"calendar": ..., "start": ..., "length": {"days": 30}}')
        unknown = asked.keys() - _MEMBERS
        if unknown:
            name = sorted(unknown)[0]
            raise BadInput(f"there is no '{name}'{nearest(name, _MEMBERS)}")
        calendar, settings = self._calendar(asked)
        terms = self._period(asked, calendar)
        start = _day(asked.get("start"), "start")
        holds = _holds(asked.get("holds"), start)
        why: list[Step] = []
        made = count(calendar, terms, start, holds, (), settings, why)
        steps = [
            {"kind": kind, "from": _iso(first), "to": _iso(last), "days": days, "text": text, "cite": cite, "reading": reading}
            for kind, first, last, days, text, cite, reading in why
        ]
        if made.due is None:
            assert made.open_since is not None
            used = made.open_since - start if terms.unit != "business-days" else calendar.business_days(start, made.open_since)
            used -= _held_before(calendar, terms, made.held, start, made.open_since)
            used = max(0, used)
            whole = terms.number * (7 if terms.unit == "weeks" else 1)
            return {"status": "tolled", "due": None, "used": used, "left": max(0, whole - used), "why": steps}
        return {"status": "running", "unrolled": _iso(made.unrolled), "due": _iso(made.due), "target": _iso(made.target), "why": steps}

    def _calendar(self, asked: Mapping[str, Any]) -> tuple[Calendar, dict[str, Any]]:
        name = asked.get("calendar")
        if name is None and len(self._calendars) == 1:
            name = next(iter(self._calendars))
        found = self._calendars.get(name) if isinstance(name, str) else None
        if found is None:
            raise BadInput(f"there is no calendar '{name}'{nearest(str(name), self._calendars)}; the calendars: {', '.join(self._calendars)}")
        chosen = asked.get("settings")
        return found if not chosen else (found[0], {**found[1], **chosen})

    def _period(self, asked: Mapping[str, Any], calendar: Calendar) -> Terms:
        length = asked.get("length")
        if not isinstance(length, dict) or len(length) != 1:
            raise BadInput('a length has exactly one unit, such as {"days": 30}')
        unit, number = next(iter(length.items()))
        actor = asked.get("actor") or calendar.agency
        key = (id(calendar), unit, number, actor, asked.get("target"))
        try:
            return self._terms[key]
        except (KeyError, TypeError):
            pass
        if str(unit).replace("_", "-") not in UNITS:
            raise BadInput(f"no unit '{unit}'; write one of {', '.join(UNITS)}")
        if isinstance(number, bool) or not isinstance(number, int) or not 0 < number <= 36_500:
            raise BadInput(f"a length must be a whole number from 1 to 36500, not {json.dumps(number)[:40]}")
        if not isinstance(actor, str) or actor not in calendar.text.actors:
            raise BadInput(f"there is no actor '{actor}'{nearest(str(actor), calendar.text.actors)}; the actors: {', '.join(calendar.text.actors)}")
        terms = Terms(number, str(unit).replace("_", "-"), actor, before_roll=asked.get("target") == "before-roll")
        if len(self._terms) < 4096:
            self._terms[key] = terms
        return terms


def compute(packs: Iterable[Pack], lines: Iterable[bytes]) -> Iterator[bytes]:
    """An answer for each line that is not empty, in order."""
    import msgspec

    decode, encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
    computer = Computer(packs)
    for line in lines:
        if not line.strip():
            continue
        try:
            if len(line) > MAX_LINE:
                raise BadInput(f"the line is longer than {MAX_LINE // 1024} KiB; write one period a line")
            yield encode(computer.answer(decode(line)))
        except CaseflowError as fault:
            yield encode({"error": str(fault)})
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
            yield encode({"error": f"the line is not JSON: {fault}"})


_DAYS: dict[str, int] = {}


def _day(text: Any, what: str) -> int:
    if isinstance(text, str):
        known = _DAYS.get(text)
        if known is not None:
            return known
        try:
            if len(text) == 10:
                day = date.fromisoformat(text).toordinal()
                if len(_DAYS) < 100_000:
                    _DAYS[text] = day
                return day
        except ValueError:
            pass
    raise BadInput(f"'{what}' must be a day such as \"2027-01-15\", not {json.dumps(text)[:40]}")


_TEXTS: dict[int, str] = {}


def _iso(day: int | None) -> str | None:
    if day is None:
        return None
    known = _TEXTS.get(day)
    if known is None:
        known = date.fromordinal(day).isoformat()
        if len(_TEXTS) < 100_000:
            _TEXTS[day] = known
    return known


def _holds(given: Any, start: int) -> list[HoldDays]:
    if not given:
        return []
    if not isinstance(given, list) or len(given) > 1000:
        raise BadInput('\'holds\' must be a list of at most 1000 pairs such as ["2026-12-11", "2026-12-14"]')
    found = []
    for pair in given:
        if not isinstance(pair, list) or len(pair) != 2:
            raise BadInput('a hold has a first and a last day, such as ["2026-12-11", "2026-12-14"]; the last may be null')
        first = _day(pair[0], "a hold's first day")
        last = None if pair[1] is None else _day(pair[1], "a hold's last day")
        if last is not None and last < first:
            raise BadInput(f"the hold of {pair[0]} ends before it begins; exchange its days")
        if first < start:
            raise BadInput(f"the hold of {pair[0]} begins before the start of the period")
        found.append(HoldDays(first, last))
    return found


def _held_before(calendar: Calendar, terms: Terms, held: tuple[HoldDays, ...], start: int, until: int) -> int:
    between = calendar.business_days if terms.unit == "business-days" else lambda first, last: last - first
    total, edge = 0, start
    for hold in sorted(held, key=lambda hold: hold.from_):
        first, last = max(hold.from_, edge), min(hold.to if hold.to is not None else until, until)
        if last > first:
            total += between(first, last)
            edge = last
    return total
