"""Which cases may have a date between two days: every store finds the same, the soonest first."""

from __future__ import annotations

from datetime import UTC, date, datetime

from caseflow.services.ports.docket import DocketFilter
from caseflow.services.ports.store import Store
from tests.integration.store.conftest import Make

FIRST, LAST = date(2027, 1, 1), date(2027, 1, 31)
SPAN = (datetime(2027, 1, 1, 6, tzinfo=UTC), datetime(2027, 2, 8, 6, tzinfo=UTC))
ALL = DocketFilter(open_only=True)


def keep(store: Store, make: Make, request: int, due: date | None = None, target: date | None = None, **more: object) -> str:
    timers = (make.timer(at=more.pop("at")),) if "at" in more else ()  # type: ignore[arg-type]
    ends = bool(more.pop("ends", False))
    case = make.case(request, timers=timers, **more)
    make.keep(store, make.filed(case), row=make.row(next_due=due, next_target=target or due, ends=ends))
    return case.number


def test_a_case_is_found_by_its_nearest_last_day_or_a_timer_the_soonest_first(store: Store, make: Make) -> None:
    late = keep(store, make, 1, due=date(2027, 1, 20))
    soon = keep(store, make, 2, due=date(2027, 1, 4), target=date(2026, 12, 31))
    timed = keep(store, make, 3, at=datetime(2027, 1, 10, 6, tzinfo=UTC))
    keep(store, make, 4, due=date(2027, 2, 1))
    keep(store, make, 5, due=date(2026, 12, 31))
    keep(store, make, 6, at=datetime(2026, 12, 10, 6, tzinfo=UTC))
    assert store.dated(ALL, FIRST, LAST, SPAN, 10) == ([soon, timed, late], None)


def test_a_case_that_ended_or_is_somebody_elses_is_left_out(store: Store, make: Make) -> None:
    keep(store, make, 1, due=date(2027, 1, 20), ends=True, at=datetime(2027, 1, 10, 6, tzinfo=UTC))
    mine = keep(store, make, 2, due=date(2027, 1, 20), assigned_to="ann")
    keep(store, make, 3, due=date(2027, 1, 20), assigned_to="bo")
    assert store.dated(DocketFilter(open_only=True, assigned="ann"), FIRST, LAST, SPAN, 10) == ([mine], None)


def test_with_too_many_the_day_is_told_through_which_none_is_missing(store: Store, make: Make) -> None:
    numbers = [keep(store, make, day, due=date(2027, 1, day)) for day in (3, 5, 9)]
    assert store.dated(ALL, FIRST, LAST, SPAN, 2) == (numbers[:2], date(2027, 1, 8))
    assert store.dated(ALL, FIRST, LAST, SPAN, 3) == (numbers, None)


def test_a_timer_that_was_settled_is_no_date(store: Store, make: Make) -> None:
    keep(store, make, 1, at=datetime(2027, 1, 10, 6, tzinfo=UTC))
    case = store.dated(ALL, FIRST, LAST, SPAN, 10)[0]
    assert len(case) == 1
    with store.read() as work:
        before = work.case(case[0])
    changed = make.acted(before, changes={"timers": ()}, timers_canceled=before.timers)
    make.keep(store, changed)
    assert store.dated(ALL, FIRST, LAST, SPAN, 10) == ([], None)


def test_many_timers_of_one_case_hide_no_case_behind_them(store: Store, make: Make) -> None:
    days = [datetime(2027, 1, day, 6, tzinfo=UTC) for day in range(3, 16)]
    busy = make.case(1, timers=tuple(make.timer(kind=f"warn-{place}", at=at) for place, at in enumerate(days)))
    make.keep(store, make.filed(busy), row=make.row(next_due=None, next_target=None, ends=False))
    late, last = (keep(store, make, request, at=datetime(2027, 1, day, 6, tzinfo=UTC)) for request, day in ((2, 20), (3, 25)))
    assert store.dated(ALL, FIRST, LAST, SPAN, 1) == ([busy.number], date(2027, 1, 19))
    assert store.dated(ALL, FIRST, LAST, SPAN, 2) == ([busy.number, late], date(2027, 1, 24))
    assert store.dated(ALL, FIRST, LAST, SPAN, 3) == ([busy.number, late, last], None)
