"""Runs under tokens that expire: every store keeps them alike."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from caseflow.adapters.store.sql import SqlStore
from caseflow.errors import Lapsed
from caseflow.services.ports.store import Store
from caseflow.services.runs import sweeping, turn
from caseflow.services.sweeping import PAUSE, _rest
from tests.integration.store.conftest import MOMENT

LATER = MOMENT + timedelta(days=1)
OVER = -1.0
"""A time that is over as soon as it begins."""


def day(text: str) -> tuple[str, str]:
    """A day and the next."""
    return text, f"{text[:-2]}{int(text[-2:]) + 1}"


def test_what_one_holds_nobody_else_takes_until_it_is_given_back(store: Store) -> None:
    assert store.runs.begin("index", "a", "one", 60)
    assert not store.runs.begin("index", "b", "two", 60)
    assert store.runs.begin("daily", "b", "two", 60), "other work is another turn"
    assert not store.runs.end("index", "b"), "nobody gives back what is another's"
    assert store.runs.end("index", "a")
    assert store.runs.begin("index", "b", "two", 60)


def test_the_turn_of_a_process_that_died_is_taken_over_when_its_time_is_over_and_it_is_refused_when_it_comes_back(store: Store) -> None:
    assert store.runs.begin("index", "a", "one", OVER)
    assert not store.runs.renew("index", "a", 60), "its time is over, though nobody has taken it yet"
    assert not store.runs.end("index", "a", "2027-01-15")
    assert store.runs.begin("index", "b", "two", 60)
    assert not store.runs.renew("index", "a", 60)
    assert not store.runs.end("index", "a", "2027-01-15")
    assert store.runs.renew("index", "b", 60)
    assert store.runs.done("index") == ""


def test_what_is_done_for_a_day_is_not_begun_again_for_it(store: Store) -> None:
    assert store.runs.begin("daily", "a", "one", 60, day("2027-01-15"))
    assert store.runs.end("daily", "a", "2027-01-15")
    assert store.runs.done("daily") == "2027-01-15"
    assert not store.runs.begin("daily", "b", "two", 60, day("2027-01-15"))
    assert not store.runs.begin("daily", "b", "two", 60, day("2027-01-14"))
    assert store.runs.begin("daily", "b", "two", 60, day("2027-01-16"))
    assert store.runs.end("daily", "b"), "it failed, and is given back undone"
    assert store.runs.begin("daily", "c", "two", 60, day("2027-01-12")), "the 15th was told by a clock that was wrong"
    assert store.runs.end("daily", "c")
    assert store.runs.done("daily") == "2027-01-15"


def test_a_turn_whose_work_fails_is_free_and_undone(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), turn(store.runs, "daily", "one", day("2027-01-15")):
        raise ZeroDivisionError
    with turn(store.runs, "daily", "two", day("2027-01-15")) as run:
        assert run is not None
        with turn(store.runs, "daily", "three", day("2027-01-15")) as other:
            assert other is None
    assert store.runs.done("daily") == "2027-01-15"
    with pytest.raises(Lapsed), turn(store.runs, "daily", "one", day("2027-01-16"), OVER):
        pass


def test_what_a_run_wrote_after_its_time_is_not_kept(store: Store, make: Any) -> None:
    case = make.case(timers=(make.timer(at=MOMENT),))
    make.keep(store, make.filed(case))
    late, other = sweeping(store.runs, "one", OVER), sweeping(store.runs, "two", 60)

    def fire(name: str, token: str) -> None:
        with store.begin() as work:
            work.under(name, token, 60)
            (due,) = work.due(MOMENT + timedelta(days=1), 5)
            work.settle(due.row, "fired")

    with pytest.raises(Lapsed):
        fire(late.name, late.token)
    with pytest.raises(Lapsed):
        fire(other.name, late.token)
    assert store.next_due() == MOMENT
    fire(other.name, other.token)
    assert store.next_due() is None


def test_what_dead_sweeps_left_is_removed_and_nothing_else(store: Store) -> None:
    sweeping(store.runs, "one", OVER)
    alive = sweeping(store.runs, "two", 60)
    store.runs.begin("daily", "a", "one", OVER)
    with store.begin() as work:
        for name, at in (("scheduler-one", MOMENT), ("scheduler-two", LATER), ("daily", MOMENT)):
            work.beat(name, at)
    assert store.runs.forget(LATER) == 1
    assert sorted(name for name, _, _ in store.heartbeats()) == ["daily", "scheduler-two"]
    assert store.runs.renew(alive.name, alive.token, 60)
    assert store.runs.end(alive.name, alive.token)
    assert not store.runs.renew(alive.name, alive.token, 60)


def test_sweeps_of_one_file_make_room_for_staff_and_those_of_a_server_need_not(store: Store) -> None:
    assert store.runs.crowd() == 1
    for name in ("one", "two", "three"):
        sweeping(store.runs, name, 60)
    sweeping(store.runs, "dead", OVER)
    one_lock = isinstance(store, SqlStore) and store.url.startswith("sqlite")
    assert store.runs.crowd() == (3 if one_lock else 1)
    assert _rest(1, 0.1) == PAUSE, "alone, or on a server, it only steps aside"
    assert _rest(2, 0.1) == pytest.approx(0.2 + PAUSE)
    assert _rest(3, 0.1) == _rest(30, 0.1) == pytest.approx(0.4 + PAUSE), "the three of them hold it three fifths of the time"
    assert _rest(3, 9) < 1
