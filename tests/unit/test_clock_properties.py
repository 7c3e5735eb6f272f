"""The clock of the engine against a clerk who counts day by day, over ten thousand random ledgers.

Five named faults, planted in the clock one at a time, show that the comparison would notice them.
"""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from caseflow.bootstrap import App
from caseflow.domain import clock as engine
from caseflow.domain.calendar import Calendar
from caseflow.domain.clock import HoldDays, Terms
from caseflow.domain.rulebook import calendar_of
from tests import daycounter
from tests.daycounter import Held, Ledger, Longer

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
def test_a_period_ends_on_the_day_that_counting_one_by_one_finds(ledger: Ledger) -> None:
    assert by_engine(ledger) == by_hand(ledger)


def by_engine(ledger: Ledger) -> tuple[date | None, ...]:
    """Last counted day, last day and target, as the engine counts them."""
    holds = sorted((HoldDays(hold.begins.toordinal(), hold.ends.toordinal() if hold.ends else None) for hold in ledger.holds), key=lambda hold: hold.from_)
    extras = sorted(engine.Extra(more.on.toordinal(), more.adds, more.to.toordinal() if more.to else None) for more in ledger.longer)
    terms = Terms(ledger.number, ledger.unit, ledger.actor, before_roll=ledger.before_roll)
    counted = engine.count(CALENDAR, terms, ledger.start.toordinal(), holds, extras, READINGS)
    if counted.due is None:
        return None, None, None
    return tuple(_day(ordinal) for ordinal in (counted.unrolled, counted.due, counted.target))


def by_hand(ledger: Ledger) -> tuple[date | None, ...]:
    answer = daycounter.ask(ledger, date.max - timedelta(days=9))
    return answer.unrolled, answer.due, answer.target


def _day(ordinal: int | None) -> date | None:
    return None if ordinal is None else date.fromordinal(ordinal)
