"""The clock of the engine against a clerk who counts day by day, over ten thousand random ledgers.

Five named faults, planted in the clock one at a time, show that the comparison would notice them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, find, given, settings
from hypothesis import strategies as st

from caseflow.bootstrap import App
from caseflow.domain import clock as engine
from caseflow.domain.calendar import FIRST as EARLIEST
from caseflow.domain.calendar import Calendar
from caseflow.domain.case import Mark
from caseflow.domain.clock import Extra, HoldDays, Run, Terms
from caseflow.domain.pack import Clock
from caseflow.domain.rulebook import calendar_of
from caseflow.errors import BadInput
from tests import daycounter
from tests.daycounter import Answer, Ended, Held, Ledger, Longer

PACK = App().library.all()[0]
CALENDAR: Calendar = calendar_of(PACK)
READINGS = {name: setting.default for name, setting in PACK.text.settings.items()}
LONGEST = {"days": 130, "business-days": 90, "weeks": 14, "months": 7, "years": 1}
FIRST = date(1996, 1, 1)

thorough = settings(max_examples=5000, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
sought = settings(max_examples=5000, deadline=None, database=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


@st.composite
def ledgers(draw: st.DrawFn) -> Ledger:
    """A period with up to four holds (open, late, overlapping, adjacent) and two extensions."""
    unit = draw(st.sampled_from(list(LONGEST)))
    start = FIRST + timedelta(days=draw(st.integers(0, 23000)))
    number = draw(st.integers(1, LONGEST[unit]))
    actor = draw(st.sampled_from(["department", "requester", "public"]))
    span = number * {"days": 10, "business-days": 14, "weeks": 70, "months": 305, "years": 3650}[unit] // 10
    begins = st.integers(0, span + 25)
    first = _holds(start, sorted(draw(st.lists(begins, max_size=4))))
    second = _holds(start, sorted(draw(st.lists(begins, max_size=4))))
    longer = tuple(_longer(start, *drawn) for drawn in draw(st.lists(st.tuples(begins, st.integers(0, 20), begins), max_size=2)))
    return Ledger(start, number, unit, actor, (*first, *second), longer, before_roll=draw(st.booleans()))


def _holds(start: date, days: list[int]) -> list[Held]:
    """Beginnings and ends in turn; a last beginning without an end is an open hold."""
    at = [start + timedelta(days=day) for day in days]
    return [Held(begin, at[place + 1] if place + 1 < len(at) else None) for place, begin in enumerate(at) if place % 2 == 0]


def _longer(start: date, on: int, adds: int, to: int) -> Longer:
    day = start + timedelta(days=on)
    return Longer(day, adds) if adds else Longer(day, 0, start + timedelta(days=to))


# --- bare counting ------------------------------------------------------------------------------------------------


@thorough
@given(ledgers())
@example(Ledger(FIRST, 6, "weeks", "department", (Held(FIRST, date(1996, 1, 7)), Held(date(1996, 2, 19), date(1996, 2, 19)))))
def test_a_period_ends_on_the_day_that_counting_one_by_one_finds(ledger: Ledger) -> None:
    assert by_engine(ledger) == daycounter.last_days(ledger)


def by_engine(ledger: Ledger) -> tuple[date, ...] | None:
    """Last counted day, last day and target, as the engine counts them; None while a hold is open."""
    holds = sorted((HoldDays(hold.begins.toordinal(), hold.ends.toordinal() if hold.ends else None) for hold in ledger.holds), key=lambda hold: hold.from_)
    extras = sorted((Extra(more.on.toordinal(), more.adds, more.to.toordinal() if more.to else None) for more in ledger.longer), key=lambda more: more.on)
    terms = Terms(ledger.number, ledger.unit, ledger.actor, before_roll=ledger.before_roll)
    counted = engine.count(CALENDAR, terms, ledger.start.toordinal(), holds, extras, READINGS)
    if counted.due is None or counted.target is None:
        return None
    return date.fromordinal(counted.unrolled), date.fromordinal(counted.due), date.fromordinal(counted.target)


# --- a clock as shown on a day ------------------------------------------------------------------------------------


@st.composite
def lives(draw: st.DrawFn) -> tuple[Ledger, date, int]:
    """A ledger with its end and a notice that displaces it, the day of asking, and an order of typing."""
    ledger = draw(ledgers())
    later = st.integers(0, 400).map(lambda days: ledger.start + timedelta(days=days))
    notice = draw(st.none() | st.none() | later)
    ended = draw(st.none() | st.builds(Ended, later, st.booleans()))
    known = Ledger(**{**vars(ledger), "notice": notice, "ended": ended})
    return known, draw(later), draw(st.integers(0, 99))


@thorough
@given(lives())
def test_a_clock_shows_what_the_clerk_says_whatever_the_order_of_typing(life: tuple[Ledger, date, int]) -> None:
    ledger, today, seed = life

    assert shown(ledger, today, Random(seed)) == daycounter.ask(ledger, today)


def shown(ledger: Ledger, today: date, typing: Random) -> Answer:
    """The engine's clock on a day, its marks typed in some order."""
    clock = Clock.model_validate(_clock(ledger))
    run: Run = engine.derive("clock", clock, _marks(ledger, today, typing), CALENDAR, READINGS, today, ledger.before_roll)
    unrolled, due, target = (None if ordinal is None else date.fromordinal(ordinal) for ordinal in (run.unrolled, run.due, run.target))
    return Answer(run.status, unrolled, due, target, run.used, run.left, run.missed_by)


def _clock(ledger: Ledger) -> dict[str, Any]:
    return {
        "title": "A period",
        "actor": ledger.actor,
        "length": {ledger.unit: ledger.number},
        "starts": "file",
        "holds": [{"from": "ask", "until": "answer"} for _ in ledger.holds],
        "extended": [{"by": "lengthen", "adds": {ledger.unit: more.adds}} if more.adds else {"by": "lengthen", "to": "this-act"} for more in ledger.longer],
        "displaced": "give-notice",
        "met": "decide",
        "stopped": "withdraw",
    }


def _marks(ledger: Ledger, today: date, typing: Random) -> Sequence[Mark]:
    """What is known by that day. Of one day, an end comes last and an answer after what it answers."""
    marks = [(-1, ledger.start, "start", ledger.start, 0)]
    for at, hold in enumerate(ledger.holds):
        marks.append((0, hold.begins, "hold", hold.begins, at))
        marks += [(1, hold.ends, "resume", hold.ends, at)] if hold.ends is not None else []
    marks += [(0, more.on, "extend", more.to or more.on, at) for at, more in enumerate(ledger.longer)]
    marks += [(0, ledger.notice, "displace", ledger.notice, 0)] if ledger.notice is not None else []
    marks += [(2, ledger.ended.on, "met" if ledger.ended.met else "stop", ledger.ended.on, 0)] if ledger.ended is not None else []
    typed = [(on, rank, typing.random(), kind, day, at) for rank, on, kind, day, at in marks if on <= today]
    return [Mark("clock", kind, on, seq, day, at) for seq, (on, _, _, kind, day, at) in enumerate(sorted(typed), 1)]


# --- the days themselves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "days_of"), [("legal-holidays", daycounter.legal_holidays), ("office-closings", daycounter.office_closings)])
def test_the_days_of_each_list_are_those_of_the_text_in_every_year(name: str, days_of: Callable[[int], frozenset[date]]) -> None:
    for year in range(1990, 2101):
        assert {day for day, named in CALENDAR.list_days(year) if named.list == name} == days_of(year)


def test_so_many_open_days_before_a_day_are_found_by_going_back_one_by_one() -> None:
    chance = Random(20261130)
    for _ in range(3000):
        day, days = FIRST + timedelta(days=chance.randrange(36000)), chance.choice((0, 1, 2, 5, 10, 30))
        at = day
        for _ in range(days):
            at -= timedelta(days=1)
            while not CALENDAR.is_open(at):
                at -= timedelta(days=1)
        assert date.fromordinal(CALENDAR.open_days_before(day.toordinal(), days)) == at
    with pytest.raises(BadInput, match="beyond the calendar"):
        CALENDAR.open_days_before(EARLIEST + 10, 30)


# --- planted faults -----------------------------------------------------------------------------------------------

Plant = Callable[[pytest.MonkeyPatch], None]


def start_day_counted(patch: pytest.MonkeyPatch) -> None:
    nth = engine._nth
    patch.setattr(engine, "_nth", lambda calendar, unit, start, number: nth(calendar, unit, start - 1, number))


def hold_off_by_one(patch: pytest.MonkeyPatch) -> None:
    _change_holds(patch, lambda holds, _: [hold._replace(from_=hold.from_ - 1) for hold in holds])


def overlap_counted_twice(patch: pytest.MonkeyPatch) -> None:
    _change_holds(patch, lambda holds, _: _end_to_end(holds))


def roll_not_repeated(patch: pytest.MonkeyPatch) -> None:
    roll = engine._roll
    patch.setattr(engine, "_roll", lambda calendar, actor, table, day, settings, why: min(day + 1, roll(calendar, actor, table, day, settings, why)))


def no_clamp_to_the_end_of_a_hold(patch: pytest.MonkeyPatch) -> None:
    _change_holds(patch, lambda holds, unrolled: [hold for hold in holds if hold.to is None or hold.from_ < unrolled])


def _change_holds(patch: pytest.MonkeyPatch, change: Callable[[Sequence[HoldDays], int], Sequence[HoldDays]]) -> None:
    inner = engine._with_holds

    def changed(calendar: Any, terms: Any, start: int, unrolled: int, holds: Sequence[HoldDays], *rest: Any) -> Any:
        return inner(calendar, terms, start, unrolled, change(holds, unrolled), *rest)

    patch.setattr(engine, "_with_holds", changed)


def _end_to_end(holds: Sequence[HoldDays]) -> Sequence[HoldDays]:
    laid: list[HoldDays] = []
    for hold in holds:
        late = max(0, (laid[-1].to or 0) - hold.from_) if laid else 0
        laid.append(hold._replace(from_=hold.from_ + late, to=None if hold.to is None else hold.to + late))
    return laid


PLANTS: list[Plant] = [start_day_counted, hold_off_by_one, overlap_counted_twice, roll_not_repeated, no_clamp_to_the_end_of_a_hold]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_the_comparison_fails_when_a_fault_is_planted(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)

    found = find(ledgers(), lambda ledger: by_engine(ledger) != daycounter.last_days(ledger), settings=sought)

    assert by_engine(found) != daycounter.last_days(found)
