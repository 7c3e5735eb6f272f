"""Daily work: once for each date of the office, by one process at a time, and by another where that one dies."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from caseflow.adapters.scheduler import Clerk
from caseflow.adapters.store.memory import MemoryStore
from caseflow.bootstrap import App
from caseflow.errors import CaseflowError, Lapsed
from caseflow.services.daily import BEGINS, NAME, do_daily, is_done
from caseflow.services.office import Office, Progress

ZONES = ("America/Chicago", "Europe/Berlin", "Africa/Cairo", "Australia/Lord_Howe")


class Clock:
    """A moment that a test moves."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at


class Packs:
    """The rules of a place in another zone."""

    def __init__(self, zone: str) -> None:
        calendar = App().library.all()[0].calendar.model_copy(update={"zone": zone})
        self._pack = SimpleNamespace(hash=zone, calendar_version=zone, calendar=calendar)

    def all(self) -> list[Any]:
        return [self._pack]

    def counting(self, pack: Any) -> Any:
        return pack


def office_at(at: datetime, zone: str = "America/Chicago") -> tuple[Office, Clock]:
    clock = Clock(at)
    mail = SimpleNamespace(channels=())
    return Office(MemoryStore(), Packs(zone), None, mail, clock), clock  # type: ignore[arg-type]


@pytest.mark.parametrize("zone", ZONES)
def test_three_processes_do_it_once_for_each_local_date_whatever_the_clocks_do(zone: str) -> None:
    office, clock = office_at(datetime(2027, 1, 1, 3, 0, tzinfo=ZoneInfo(zone)).astimezone(UTC), zone)
    days: Counter[date] = Counter()

    def step(_: Progress) -> str:
        days[clock().astimezone(ZoneInfo(zone)).date()] += 1
        return ""

    do_daily(office, "before", (step,))  # what was due before the first morning
    days.clear()
    late = []
    while clock().astimezone(ZoneInfo(zone)).date() < date(2028, 1, 1):
        for name in ("one", "two", "three"):
            if not is_done(office) and do_daily(office, name, (step,)) is not None:
                late.append(clock().astimezone(ZoneInfo(zone)))
        clock.at += timedelta(minutes=30)
    assert days == Counter(date(2027, 1, 1) + timedelta(days=place) for place in range(365))
    assert all(BEGINS <= (one.hour, one.minute) < (BEGINS[0] + 1, BEGINS[1]) for one in late), "each in the half hour after it is due"


def test_a_morning_on_which_nothing_ran_is_made_up_for_once() -> None:
    office, clock = office_at(datetime(2027, 1, 15, 18, 0, tzinfo=UTC))
    assert do_daily(office, "one", ()) == "in time"
    clock.at = datetime(2027, 1, 18, 2, 0, tzinfo=UTC)  # the evening of the 17th in Chicago
    assert do_daily(office, "one", ()) == "in time"
    assert office.store.runs.done(NAME) == "2027-01-17"
    assert do_daily(office, "two", ()) is None


def test_a_date_that_a_wrong_clock_told_keeps_no_other_from_being_done() -> None:
    office, clock = office_at(datetime(2027, 1, 15, 18, 0, tzinfo=UTC))
    clock.at += timedelta(days=40)
    assert do_daily(office, "one", ()) is not None
    clock.at -= timedelta(days=40)
    assert do_daily(office, "one", ()) == "in time"
    assert is_done(office)


def test_while_one_is_at_it_no_other_begins_and_after_its_death_another_takes_over() -> None:
    office, _ = office_at(datetime(2027, 1, 15, 18, 0, tzinfo=UTC))
    seen = []

    def step(_: Progress) -> str:
        seen.append(do_daily(office, "two", (lambda _: "twice",)))
        return "checkpoint 1"

    assert do_daily(office, "one", (step,)) == "in time; checkpoint 1"
    assert seen == [None]

    other, _ = office_at(datetime(2027, 1, 15, 18, 0, tzinfo=UTC))
    other.store.runs.begin(NAME, "of the dead", "one", 3600, ("2027-01-15", "2027-01-16"))
    assert do_daily(other, "two", ()) is None, "it may be at work"
    other.store.runs.renew(NAME, "of the dead", -1)
    assert do_daily(other, "two", ()) == "in time", "its time is over"
    assert not other.store.runs.end(NAME, "of the dead", "2027-01-15")


def test_a_process_that_comes_back_too_late_is_refused_and_notes_nothing() -> None:
    office, _ = office_at(datetime(2027, 1, 15, 18, 0, tzinfo=UTC))
    told = []

    def frozen(progress: Progress) -> str:
        office.store.runs.renew(NAME, token_of(office), -1)  # time passes
        assert do_daily(office, "two", (lambda _: "checkpoint 1",)) == "in time; checkpoint 1"
        told.append("before")
        progress(1, None, "cases")
        told.append("after")
        return "checkpoint 1 again"

    with pytest.raises(Lapsed):
        do_daily(office, "one", (frozen,))
    assert told == ["before"]
    assert [note for _, _, note in office.store.heartbeats()] == ["in time; checkpoint 1"]


def token_of(office: Office) -> str:
    """The token of whoever is at the daily work."""
    return str(office.store._tables.runs[NAME][0])  # type: ignore[attr-defined]


def test_a_step_that_fails_leaves_it_to_be_done_at_the_next_turn(caplog: pytest.LogCaptureFixture) -> None:
    office, _ = office_at(datetime(2027, 1, 15, 18, 0, tzinfo=UTC))
    failing = [CaseflowError("The disk is full.")]

    def step(_: Progress) -> str:
        if failing:
            raise failing.pop()
        return "done"

    clerk = Clerk(office, background=True, also=(step,))
    with caplog.at_level(logging.ERROR, "caseflow.scheduler"):
        clerk.daily()
    assert "daily work failed: The disk is full." in caplog.text
    assert not is_done(office)
    clerk.daily()
    assert is_done(office)
    clerk.daily()
    assert [note for name, _, note in office.store.heartbeats() if name == NAME] == ["in time; done"]


def test_every_process_beats_under_a_name_of_its_own_and_says_when_it_was_told_to_stop() -> None:
    app = App(store=MemoryStore(), at="2027-01-15T10:00")
    app.store.upgrade()
    clerks = [Clerk(replace(app.office, with_pdf=False), background=True) for _ in range(2)]
    for clerk in clerks:
        clerk.tick()
    beats = {name: note for name, _, note in app.store.heartbeats() if name != NAME}
    assert set(beats) == {clerk.name for clerk in clerks} and len(beats) == 2
    clerks[0].scheduler.start(paused=True)
    clerks[0].stop()
    assert {name: note for name, _, note in app.store.heartbeats()}[clerks[0].name].startswith("stopped; since its start 0, 0, 0, 0")
