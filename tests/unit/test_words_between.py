"""Between two sweeps the scheduler takes in the words of what has changed: whoever searches then takes in nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.scheduler import FRESH, HEARTBEAT, Clerk
from caseflow.bootstrap import App
from caseflow.errors import StoreFault
from caseflow.services import searching
from caseflow.services.runs import turn
from tests.unit.dockets import PACKS, request

CASES = 3


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """Three cases in a file, none of them in the index of words yet."""
    made = App(f"sqlite:///{tmp_path}/cases.db", packs=PACKS, at="2027-01-15T12:00", maildrop=str(tmp_path / "mail"))
    for number in range(CASES):
        made.file(request(str(number), "2027-01-15T09:00"))
    yield made
    made.store.engine.dispose()


@pytest.fixture
def kept(app: App, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many cases were taken in by each batch."""
    made: list[int] = []
    keep = app.store.search.keep
    monkeypatch.setattr(app.store.search, "keep", lambda found: made.append(len(found)) or keep(found))
    return made


def clerk_of(app: App) -> Clerk:
    return Clerk(app.office, background=True)


def test_what_changed_is_taken_in_well_before_the_next_sweep_and_a_search_takes_in_nothing(app: App, kept: list[int]) -> None:
    clerk = clerk_of(app)
    clerk.scheduler.start(paused=True)
    job = clerk.scheduler.get_job("words")
    assert job.trigger.interval.total_seconds() == FRESH <= HEARTBEAT / 4

    job.func()

    assert kept == [CASES] and not app.store.search.due(1)
    assert sorted(searching.find(app.office, "2027", CASES)) == sorted(app.store.numbers())
    assert kept == [CASES], "the search itself took in none"
    app.act(next(iter(app.store.numbers())), "decide", {"answer": "Keep the culvert"}, None, "ann:staff", None, None, False)
    assert searching.find(app.office, "culvert", CASES) == [next(iter(app.store.numbers()))], "what changes meanwhile is not lost to it"
    clerk.stop()


def test_it_takes_no_more_than_a_search_would_in_batches_that_nobody_waits_for(app: App, kept: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caseflow.adapters.scheduler.AT_ONCE", 2)
    monkeypatch.setattr("caseflow.adapters.scheduler.SHORT", 1)
    clerk_of(app).words()
    assert kept == [1, 1] and len(app.store.search.due(CASES)) == CASES - 2


def test_one_process_at_a_time_does_it_and_it_leaves_no_sign_of_life_of_the_sweep(app: App, kept: list[int]) -> None:
    with turn(app.store.runs, "index", "another"):
        clerk_of(app).words()
    assert not kept
    clerk_of(app).words()
    assert kept == [CASES] and not app.store.heartbeats()


def test_where_the_database_fails_it_is_said_and_done_the_next_time(app: App, kept: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_: Any) -> Any:
        raise StoreFault("It is away.")

    with monkeypatch.context() as now:
        now.setattr(app.store.search, "due", away)
        clerk_of(app).words()
    clerk_of(app).words()
    assert kept == [CASES]


def test_under_a_clock_that_is_in_doubt_it_waits_as_the_sweep_does(app: App, tmp_path: Path) -> None:
    clerk = clerk_of(app)
    clerk.tick()
    app.file(request("9", "2027-01-15T10:00"))
    later = App(f"sqlite:///{tmp_path}/cases.db", packs=PACKS, at="2031-01-15T12:00", maildrop=str(tmp_path / "mail"))
    clerk_of(later).words()
    assert app.store.search.due(1)
    clerk.words()
    assert not app.store.search.due(1)
    later.store.engine.dispose()
