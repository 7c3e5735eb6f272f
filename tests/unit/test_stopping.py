"""A scheduler that is told to stop: it leaves long work between two transactions, undone work stays due, and it always ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from caseflow.adapters.scheduler import Clerk
from caseflow.bootstrap import App
from caseflow.services import checkpointing, searching
from caseflow.services.daily import is_done
from caseflow.services.office import Progress
from tests.unit.dockets import PACKS, Office, request

NOON = "2027-01-15T12:00"
CASES = 3
WAIT = 10
"""Seconds after which a thread is given up; each comes in an instant where all is well."""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """Three cases in a file, none of them in the index of words yet."""
    made = App(f"sqlite:///{tmp_path}/cases.db", packs=PACKS, at=NOON, maildrop=str(tmp_path / "mail"))
    for number in range(CASES):
        made.file(request(str(number), "2027-01-15T09:00"))
    yield made
    made.store.engine.dispose()


def clerk_of(app: App, **more: Any) -> Clerk:
    return Clerk(app.office, background=True, **more)


def stops_after(first: Any, clerk: Clerk, monkeypatch: pytest.MonkeyPatch, on: Any, name: str) -> None:
    """Tells a clerk to stop as soon as something was done once."""

    def done(*given: Any) -> Any:
        clerk.scheduler.start(paused=True)
        clerk._stopping()
        monkeypatch.setattr(on, name, first)
        return first(*given)

    monkeypatch.setattr(on, name, done)


def test_work_that_ends_while_the_service_stops_sets_its_next_waking_and_lets_it_end(monkeypatch: pytest.MonkeyPatch) -> None:
    office, at_work, leave = Office(), Event(), Event()
    office.file("2027-01-14")  # a last day lies ahead, so that a waking is set for it

    def step(_: Progress) -> str:
        at_work.set()
        leave.wait(WAIT)
        return ""

    clerk = clerk_of(office.on("2027-01-15"), also=(step,))
    shut = clerk._hands.shutdown

    def shutting(wait: bool = True) -> None:
        leave.set()  # the work in hand goes on to its end from here, where the scheduler has its locks
        shut(wait)

    def add_job(*given: Any, **more: Any) -> None:
        free = clerk.scheduler._jobstores_lock.acquire(timeout=WAIT)
        waited.append(free)
        if free:
            clerk.scheduler._jobstores_lock.release()
            add(*given, **more)

    monkeypatch.setattr(clerk._hands, "shutdown", shutting)
    clerk.scheduler.start(paused=True)
    clerk.scheduler.remove_job("daily")  # the step is to be the heartbeat's
    waited: list[bool] = []
    add = clerk.scheduler.add_job
    monkeypatch.setattr(clerk.scheduler, "add_job", add_job)
    clerk.scheduler.resume()
    assert at_work.wait(WAIT)
    clerk.stop()
    assert waited == [True], "it waits for work that waits for it"
    assert [note.partition(";")[0] for name, _, note in office.store.heartbeats() if name == clerk.name] == ["stopped"]


def test_words_that_are_not_in_the_index_yet_are_left_for_the_next_start(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "BATCH", 1)
    clerk = clerk_of(app)
    stops_after(searching.words, clerk, monkeypatch, searching, "words")
    clerk.tick()
    assert len(app.store.search.due(CASES + 1)) == CASES - 1, "the batch in hand is finished, no other begun"
    clerk_of(app).tick()
    assert not app.store.search.due(1), "nobody holds the turn of a clerk that has gone"


def test_daily_work_that_is_left_is_not_done_and_signs_nothing_until_the_next_start(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpointing, "MANY", 1)
    assert app.signer.public
    clerk = clerk_of(app, also=(app.daily_checkpoint,))
    stops_after(checkpointing.Root, clerk, monkeypatch, checkpointing, "Root")
    clerk.daily()
    assert not is_done(app.office) and app.list_checkpoints() == []
    clerk_of(app, also=(app.daily_checkpoint,)).daily()
    assert is_done(app.office) and [one["cases"] for one in app.list_checkpoints()] == [CASES]


def test_who_was_told_to_stop_begins_nothing(app: App) -> None:
    clerk = clerk_of(app)
    clerk.scheduler.start(paused=True)
    clerk.stop()
    clerk.stop()  # somebody presses Ctrl-C twice
    clerk.tick()
    clerk.words()
    clerk.daily()
    assert not is_done(app.office) and len(app.store.search.due(CASES + 1)) == CASES
