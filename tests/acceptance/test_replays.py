"""Faults that people reported of other case systems, replayed here; each test is named by its report.

Two of the twelve are of rules that change under open cases: the holiday that is added later (mysociety/alaveteli#7292) and the timer
after a migration (apache/incubator-kie-issues#509). They stand at the end, beside the code that they ask for.
"""

from __future__ import annotations

import builtins
import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from caseflow.adapters.mail import NoMail
from caseflow.adapters.scheduler import HEARTBEAT, Clerk
from caseflow.adapters.store.memory import MemoryStore
from caseflow.bootstrap import App
from caseflow.bootstrap.joining import LATE_AFTER
from caseflow.domain import replay
from caseflow.domain.calendar import Calendar
from caseflow.domain.case import Entry
from caseflow.domain.clock import HoldDays, Terms, count
from caseflow.domain.rulebook import calendar_of
from caseflow.errors import LetterFault
from caseflow.services.office import Office
from tests import orders
from tests.conftest import PACK
from tests.faults.test_exactly_once import fire_and_count
from tests.web.conftest import PEOPLE, House, words

CALENDAR = calendar_of(App().library.all()[0])
SAMPLE = PACK / "samples" / "navigability-confirmation" / "complete.yaml"
ASKED = {"items": ["NAV-e"]}


def day(text: str) -> int:
    return date.fromisoformat(text).toordinal()


def filed(at: Callable[[str], App], moment: str = "2026-11-30T09:00") -> str:
    app = at(moment)
    return str(app.file({**app.read_yaml(str(SAMPLE)), "filed": moment})["cases"][0]["case"])


def act(at: Callable[[str], App], moment: str, case: str, action: str, on: str | None = None, **facts: Any) -> dict[str, Any]:
    return at(moment).act(case, action, facts, on, "wren:staff", None, None, False)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    app = made.app()
    app.store.upgrade()
    for name, role in PEOPLE.items():
        app.people.add(name, f"{name.capitalize()} Halloway", role, "correct-horse-battery")
    yield made
    app.store.engine.dispose()


# --- dates ---


def test_hmcts_cmc_claim_store_39_all_days_are_counted_from_the_origin_and_roll_once() -> None:
    """Sixty days after Wednesday, December 2, 2026 is Sunday, January 31, 2027. Two holds of a day, the second ending on a Sunday, are one
    of two days: Tuesday, February 2. Counted on from days that had rolled already it would be February 3."""
    terms = Terms(60, "days", "department")
    apart = [HoldDays(day("2026-12-10"), day("2026-12-11")), HoldDays(day("2026-12-19"), day("2026-12-20"))]
    together = [HoldDays(day("2026-12-10"), day("2026-12-12"))]

    made = count(CALENDAR, terms, day("2026-12-02"), apart)

    assert made.unrolled == made.due == day("2027-02-02")
    assert made[:3] == count(CALENDAR, terms, day("2026-12-02"), together)[:3]


def test_muckrock_1653_a_reminder_counts_from_the_day_of_sending_and_not_of_the_draft(app: Callable[[str], App]) -> None:
    """Asked on December 2 and typed on the 10th: the answer is meant to come within thirty days of the 2nd, by January 1, 2027."""
    case = filed(app)
    made = act(app, "2026-12-10T09:00", case, "request-information", "2026-12-02", **ASKED)
    clock = next(one for one in made["clocks"] if one["id"] == "response-target")

    assert (clock["start"], clock["due"]) == ("2026-12-02", "2027-01-01")
    assert [one["at"][:10] for one in made["timers"] if one["id"].startswith("response-target")] == ["2027-01-02"]
    for flow in App().library.all()[0].workflows:
        for name, one in flow.clocks.items():
            assert one.starts, f"{flow.workflow}: {name} names no start"


def test_island_is_23287_the_whole_last_day_counts_and_a_timely_act_that_is_typed_late_keeps_its_day(app: Callable[[str], App]) -> None:
    """The last day is Wednesday, December 30, 2026, to its end."""
    case = filed(app)

    def status(moment: str) -> str:
        return next(one["status"] for one in app(moment).show(case)["clocks"] if one["id"] == "determination")

    assert [status(moment) for moment in ("2026-12-30T00:00", "2026-12-30T23:59", "2026-12-31T00:00")] == ["running", "running", "missed"]
    facts = App().read_yaml(str(PACK / "samples" / "acts.yaml"))["acts"]["concur"]
    made = act(app, "2027-01-06T09:00", case, "concur", "2026-12-30", **facts)
    (clock,) = [one for one in made["clocks"] if one["id"] == "determination"]
    last = next(one for one in app("2027-01-06T09:00").timeline(case, "recorded", None) if one["action"] == "concur")

    assert (clock["status"], clock["ended_on"], clock["missed_by"]) == ("met", "2026-12-30", None)
    assert (last["effective_on"], last["recorded_on"]) == ("2026-12-30", "2027-01-06")


def test_ministryofjustice_correspondence_tool_staff_2818_any_order_gives_the_date_of_the_sorted_events() -> None:
    """`python -m tests.orders 10000` makes ten thousand runs."""
    ended, corrections, wrong = orders.runs(range(500))

    assert wrong == []
    assert ended > 200
    assert corrections > 200


def test_ministryofjustice_correspondence_tool_staff_2818_is_found_where_events_count_in_the_order_of_typing(monkeypatch: pytest.MonkeyPatch) -> None:
    def by_typing(items: Any, key: Any = None) -> list[Any]:
        found = list(items)
        typed = found and isinstance(found[0], Entry)
        return builtins.sorted(found, key=(lambda entry: entry.seq) if typed else key)

    monkeypatch.setattr(replay, "sorted", by_typing, raising=False)

    assert orders.runs(range(60))[2]


# --- the scheduler ---


class OnePack:
    """The pack of another place."""

    def __init__(self, zone: str) -> None:
        calendar = App().library.all()[0].calendar.model_copy(update={"zone": zone})
        self._pack = SimpleNamespace(hash=zone, calendar_version=zone, calendar=calendar)

    def all(self) -> list[Any]:
        return [self._pack]


@pytest.mark.parametrize("zone", ["America/Chicago", "Europe/Berlin", "Africa/Cairo", "Australia/Lord_Howe"])
def test_agronholm_apscheduler_606_every_local_date_is_swept_once_also_where_midnight_does_not_exist(zone: str) -> None:
    """In Cairo the clocks go from 23:59 to 01:00; in Chicago a daily job at midnight was skipped on March 15, 2027."""
    packs = OnePack(zone)
    clerk = Clerk(Office(MemoryStore(), packs, None, NoMail(), lambda: datetime.now(UTC), lambda: ""), background=True)  # type: ignore[arg-type]
    clerk.scheduler.start(paused=True)
    try:
        daily, pulse = clerk.scheduler.get_job("daily").trigger, clerk.scheduler.get_job("heartbeat").trigger
    finally:
        clerk.scheduler.shutdown(wait=False)
    local, calendar = ZoneInfo(zone), Calendar(packs.all()[0].calendar)

    fired = list(fires(daily, datetime(2026, 12, 31, 6, 5, tzinfo=local), datetime(2028, 1, 1, tzinfo=local)))
    assert Counter(moment.astimezone(local).date() for moment in fired) == Counter(date(2027, 1, 1) + timedelta(days=place) for place in range(365))

    begins = [calendar.moment(day("2027-01-01") + place) for place in range(366)]
    assert [calendar.local_day(moment) for moment in begins[:-1]] == [date(2027, 1, 1) + timedelta(days=place) for place in range(365)]
    for first, after in zip(begins, begins[1:], strict=False):
        hours = (after - first).total_seconds() / 3600
        if hours != 24:  # the nights on which clocks are changed: the pulse beats through them evenly
            beats = [one.timestamp() for one in fires(pulse, first - timedelta(seconds=HEARTBEAT), after)]
            assert {round(later - one) for one, later in zip(beats, beats[1:], strict=False)} == {HEARTBEAT}
            assert len(beats) == hours * 3600 / HEARTBEAT


def fires(trigger: Any, last: datetime, until: datetime) -> Iterator[datetime]:
    """The moments after the last one."""
    while (moment := trigger.get_next_fire_time(last, last + timedelta(microseconds=1))) is not None and moment < until:
        yield moment
        last = moment


def test_agronholm_apscheduler_273_what_fell_due_while_nothing_ran_fires_once_late_and_dated_by_law(app: Callable[[str], App]) -> None:
    """Asked on December 2; the answer is meant to come by January 1, 2027. The scheduler is started on January 5."""
    case = filed(app)
    act(app, "2026-12-02T09:00", case, "request-information", **ASKED)
    for moment in ("2027-01-05T10:00", "2027-01-05T10:01"):
        Clerk(app(moment).office, background=True).tick()
    lapsed = [one for one in app("2027-01-05T10:02").timeline(case, "recorded", None) if one["action"] == "lapse-response-target"]

    assert [(one["effective_on"], one["recorded_on"], one["facts"]["late_hours"]) for one in lapsed] == [("2027-01-02", "2027-01-05", 82)]
    assert [one["id"] for one in app("2027-01-05T10:02").show(case)["letters"]].count("information-reminder") == 1


def test_agronholm_apscheduler_160_three_schedulers_under_kills_lose_nothing_and_double_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With CASEFLOW_FULL=1 ten thousand timers and at least fifty kills that hit a process at work."""

    def say(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}", end="", flush=True)

    database = tmp_path / "case.db"
    assert fire_and_count(database, say) == []
    assert App(f"sqlite:///{database}", at="2027-01-05T10:00").verify(None)["faults"] == []


@pytest.mark.parametrize(("seconds", "status"), [(HEARTBEAT, 200), (LATE_AFTER - 5, 200), (LATE_AFTER + 1, 503)])
def test_agronholm_apscheduler_160_a_scheduler_that_died_turns_health_red_within_a_minute(house: House, seconds: int, status: int) -> None:
    with house.app().store.begin() as work:
        work.beat("scheduler-1", datetime.now(UTC) - timedelta(seconds=seconds), "fired 0")

    answer = house.client(None, scheduler=True).get("/health")

    assert (answer.status_code, answer.json()["scheduler"]) == (status, "ok" if status == 200 else "late")
    assert LATE_AFTER <= 60
    assert HEARTBEAT * 2 < LATE_AFTER


# --- letters ---


def test_kcigeospatial_fred_co_land_management_1983_a_notice_is_owed_once_however_often_the_sweep_runs(house: House) -> None:
    case = house.file()
    house.act(case, "request-information", "2026-12-02T09:00", items=["NAV-e"])
    for _ in range(3):
        Clerk(house.app("2027-01-05T10:00").office, background=True).tick()
    app = house.app("2027-01-05T10:30")
    app.dispatch(True)
    app.dispatch(True)
    copies = Counter((letter["id"], letter["seq"], person["role"], person["name"]) for letter in app.letters(case, None) for person in letter["recipients"])

    assert {letter["id"] for letter in app.letters(case, None)} >= {"acknowledgement", "information-request", "information-reminder"}
    assert set(copies.values()) == {1}
    sent = Counter(path.name for path in (house.folder / "mail").rglob("*requester*.eml"))
    assert sent == Counter(dict.fromkeys(sent, 1))


def test_fredco_post_go_live_346_a_name_that_is_not_defined_stops_the_letter_and_is_told(house: House) -> None:
    case = house.file()
    app = house.app()
    with pytest.raises(LetterFault, match="exact_location and information_summary, which are not stated"):
        app.preview(case, "navigability-confirmation", "concur", {})
    for letter in app.letters(case, None):
        text = app.letter(letter["number"])["text"]
        assert not [sign for sign in ("{{", "{%", "None", "undefined") if sign in text]


def test_nycopenrecords_463_a_day_is_the_same_in_letter_page_api_and_feed(house: House) -> None:
    """On hold for eight days: the last day is Thursday, January 7, 2027, in the evening of the office as in UTC."""
    case = house.file()
    house.act(case, "request-information", "2026-12-02T23:30", items=["NAV-e"])
    house.act(case, "accept-information", "2026-12-10T23:30")
    at = "2026-12-10T23:45"
    app = house.app(at)
    letter = next(one["number"] for one in app.show(case)["letters"] if one["id"] == "hold-ended")
    link = app.feeds.make(app.people.person("wren"), "team")

    assert "The new last day is Thursday, January 7, 2027" in " ".join(app.letter(letter)["text"].split())
    assert "Why Thursday, January 7, 2027?" in words(house.client("wren", at).get(f"/cases/{case}").text)
    api = house.program(moment=at).get(f"/api/v1/cases/{case}").json()
    assert next(one["due"] for one in api["clocks"] if one["id"] == "determination") == "2027-01-07"
    assert "DTSTART;VALUE=DATE:20270107" in house.client(None, at).get(f"/feeds/{link}.ics").text


# --- what is private ---


def test_tsgrp_hpi_859_a_private_note_shows_on_the_case_and_in_no_other_view(house: House) -> None:
    """The note is of the office: its case shows it, and the record keeps it. What leaves, lists and searches do not show it."""
    marker = "Zanzibar-4711"
    case = house.file()
    house.act(case, "add-note", "2026-12-01T09:00", note=f"The neighbor said {marker}.")
    house.act(case, "request-information", "2026-12-02T09:00", items=["NAV-e"])
    at = "2026-12-03T09:00"
    app = house.app(at)
    app.dispatch(True)
    link = app.feeds.make(app.people.person("wren"), "team")
    staff, overseer = house.client("wren", at), house.client("ada", at)
    form = overseer.get(f"/cases/{case}/record").text
    sent = {"form_token": form.split('name="form_token" value="')[1][:64], "w.note": "yes", "ground": "s. 19.36 (3)"}
    released = overseer.post(f"/cases/{case}/record", data=sent).content
    with zipfile.ZipFile(io.BytesIO(released)) as archive:
        bundle = b"".join(archive.read(name) for name in archive.namelist()).decode("utf-8", "replace")
    program = house.program(moment=at)
    views = {
        "list": staff.get("/docket").text + staff.get("/my-work?view=all").text,
        "file of the list": staff.get("/docket.csv").text,
        "board": overseer.get("/board").text + overseer.get("/board/audit").text,
        "calendar": staff.get("/calendar").text,
        "API list": json.dumps(program.get("/api/v1/cases").json()),
        "feed": house.client(None, at).get(f"/feeds/{link}.ics").text,
        "export": bundle,
        "letters": "".join(app.letter(one["number"])["text"] for one in app.letters(case, None)),
        "mail": "".join(path.read_text(errors="replace") for path in (house.folder / "mail").rglob("*") if path.is_file()),
    }

    assert marker in staff.get(f"/cases/{case}").text, "the planted mark is seen where it belongs"
    assert {name: marker in text for name, text in views.items() if marker in text} == {}


# Here stand mysociety/alaveteli#7292 and apache/incubator-kie-issues#509.
