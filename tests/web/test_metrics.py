"""The figures for those who watch: each one moves when its situation is made, names nobody, and is shown only to whom it should."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event, text
from starlette.testclient import TestClient

from caseflow.adapters.scheduler import HEARTBEAT, Clerk
from caseflow.adapters.store import gauges
from caseflow.bootstrap import App
from caseflow.errors import StoreFault
from caseflow.services.clockjump import trusted
from caseflow.services.measuring import LATE_AFTER, REMEMBERED, Measuring
from caseflow.services.runs import sweeping
from caseflow.web.app import create_app
from caseflow.web.metrics import Requests, kind_of
from caseflow.web.site import Site
from tests.conftest import PACK
from tests.web.conftest import House

NOW = datetime(2026, 12, 1, 15, 0, tzinfo=UTC)
HERE = ("127.0.0.1", 50_000)


class Watched:
    """A site over the house's database whose figures are read from this machine."""

    def __init__(self, house: House, database: str | None = None, **more: Any) -> None:
        self.app = App(database, at="2026-12-01T09:00") if database is not None else house.app()
        self.app.open()
        self.now, self.steady = NOW, 0.0
        self.app.measuring = Measuring(self.app.office, self.app.store.gauges, lambda: self.now, lambda: self.steady)
        self.site = Site(self.app, **{"hosts": ("testserver", "localhost", "127.0.0.1"), **more})
        self.pages = create_app(self.site)

    def get(self, path: str = "/metrics", client: tuple[str, int] = HERE, **headers: str) -> Any:
        self.steady += REMEMBERED + 1
        return TestClient(self.pages, client=client, raise_server_exceptions=False).get(
            path, headers={name.replace("_", "-"): v for name, v in headers.items()}
        )

    def figure(self, name: str, **labels: str) -> float:
        """One figure, as it now is."""
        shown = ",".join(f'{label}="{value}"' for label, value in labels.items())
        found = re.search(rf"^{re.escape(f'{name}{{{shown}}}' if shown else name)} (\S+)$", self.get().text, re.M)
        assert found, self.get().text
        return float(found[1])


@pytest.fixture
def watched(house: House) -> Iterator[Watched]:
    made = Watched(house)
    yield made
    made.app.store.engine.dispose()


def write(app: App, *statements: str) -> None:
    with app.store.engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))


def test_the_age_of_the_oldest_due_timer(watched: Watched, house: House) -> None:
    name = "caseflow_oldest_due_timer_age_seconds"
    assert watched.figure(name) == 0
    house.file()
    due = watched.app.store.next_due()
    assert due is not None
    watched.now = due - timedelta(seconds=1)
    assert watched.figure(name) == 0
    watched.now = due + timedelta(seconds=90)
    assert watched.figure(name) == 90


def test_the_heartbeat_of_each_scheduler_and_what_it_did_since_its_start(watched: Watched, house: House) -> None:
    case = house.file()
    house.act(case, "request-information", "2026-12-02T09:00", items=["NAV-e"])
    app = house.app("2027-01-05T10:00")
    clerk = Clerk(app.office, background=True)
    clerk.tick()
    clerk.tick()
    watched.now = app.now() + timedelta(seconds=7)
    assert watched.figure("caseflow_scheduler_heartbeat_age_seconds", process=clerk.name) == 7
    fired = watched.figure("caseflow_scheduler_done_total", process=clerk.name, result="fired")
    assert fired == 1, "the second turn had nothing to do, and the sum stays"
    assert watched.figure("caseflow_scheduler_done_total", process=clerk.name, result="sent") >= 1
    assert watched.figure("caseflow_schedulers_alive") == 1
    watched.now += timedelta(seconds=LATE_AFTER)
    assert watched.figure("caseflow_schedulers_alive") == 0
    trusted(app.office, app.now())
    assert "by-hand" not in watched.get().text, "a person is no scheduler"
    clerk.scheduler.start(paused=True)
    clerk.stop()
    assert f'heartbeat_age_seconds{{process="{clerk.name}"}}' not in watched.get().text, "its silence is right"
    assert watched.figure("caseflow_scheduler_done_total", process=clerk.name, result="fired") == fired
    app.store.engine.dispose()


def test_the_age_of_the_outbox_by_status(watched: Watched, house: House) -> None:
    house.file()
    owed, age = "caseflow_outbox_copies", "caseflow_outbox_oldest_age_seconds"
    copies = watched.figure(owed, status="owed")
    assert copies >= 1 and watched.figure(owed, status="answer-unknown") == 0
    waits = NOW - timedelta(hours=2)
    write(watched.app, f"UPDATE letter_copy SET next_at = '{waits:%Y-%m-%d %H:%M:%S.%f}'")
    assert watched.figure(age, status="owed") == 7200
    # A copy that is tried again and again waits since its first attempt, however far its next one lies ahead.
    write(watched.app, "UPDATE letter_copy SET begun_at = next_at, next_at = '2026-12-09 00:00:00.000000', status = 'answer-unknown', attempts = 3")
    assert watched.figure(age, status="answer-unknown") == 7200
    assert (watched.figure(owed, status="owed"), watched.figure(owed, status="answer-unknown")) == (0, copies)
    write(watched.app, "UPDATE letter_copy SET claim = 'a', claimed_until = next_at")
    assert (watched.figure(owed, status="claimed"), watched.figure(age, status="claimed")) == (copies, 7200)


def test_parked_timers_blocked_letters_open_cases_sweeps_rest_and_connections(watched: Watched, house: House) -> None:
    singles = ("caseflow_parked_timers", "caseflow_parked_cases", "caseflow_open_cases", "caseflow_sweeps_running", "caseflow_resting")
    assert [watched.figure(name) for name in singles] == [0, 0, 0, 0, 0]
    house.file()
    house.file()
    write(watched.app, "UPDATE timer SET status = 'parked' WHERE \"case\" LIKE '%00001-1'", "UPDATE letter SET status = 'blocked'")
    sweeping(watched.app.store.runs, "one", 60)
    sweeping(watched.app.store.runs, "dead", -1)
    with watched.app.store.begin() as work:
        work.rest("2026-12-01")
    timers = watched.figure("caseflow_parked_timers")
    assert timers >= 1 and [watched.figure(name) for name in singles[1:]] == [1, 2, 1, 1]
    assert watched.figure("caseflow_letters_waiting", status="blocked") >= 1
    with watched.app.store.engine.connect(), watched.app.store.engine.connect():
        assert watched.figure("caseflow_database_connections", state="in-use") == 2
    write(watched.app, "UPDATE case_file SET ends = TRUE WHERE number LIKE '%00001-1'")
    assert watched.figure("caseflow_open_cases") == 1


def test_requests_are_counted_by_kind_and_never_by_what_was_asked_for(watched: Watched, house: House) -> None:
    for path in ("/sign-in", "/cases/WD-SECRET", "/nowhere-secret", "/api/v1/cases/WD-SECRET", "/static/secret.css"):
        watched.get(path)
    said = watched.get().text
    assert "SECRET" not in said and "secret" not in said
    assert watched.figure("caseflow_requests_total", kind="sign-in", status="2xx") == 2  # a case that is asked for by nobody leads there
    assert watched.figure("caseflow_requests_total", kind="cases", status="3xx") == 1
    assert watched.figure("caseflow_requests_total", kind="api", status="4xx") == 1
    assert watched.figure("caseflow_requests_total", kind="other", status="4xx") == 1
    assert watched.figure("caseflow_request_seconds_count", kind="sign-in") == watched.figure("caseflow_request_seconds_bucket", kind="sign-in", le="+Inf") == 2
    assert {kind_of("-", "/x"), kind_of("/", "/"), kind_of("/{a}", "/b"), kind_of("/cases/{number}", "/cases/1")} == {"other", "start", "cases"}


def test_steps_of_time_add_up() -> None:
    requests = Requests()
    for seconds in (0.005, 0.05, 0.051, 99.0):
        requests.note("cases", 200, seconds)
    said = dict(line.rsplit(" ", 1) for line in requests.lines() if not line.startswith("#"))
    assert [said[f'caseflow_request_seconds_bucket{{kind="cases",le="{le}"}}'] for le in ("0.01", "0.05", "0.1", "10.0", "+Inf")] == ["1", "2", "3", "3", "4"]
    assert float(said['caseflow_request_seconds_sum{kind="cases"}']) == pytest.approx(99.106)


def test_every_line_is_a_figure_with_its_meaning_and_names_nobody(watched: Watched, house: House) -> None:
    case = house.file()
    answer = watched.get()
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    told = set(re.findall(r"^# TYPE (\S+) (?:gauge|counter|histogram)$", answer.text, re.M))
    assert told == set(re.findall(r"^# HELP (\S+) \S.+\.$", answer.text, re.M))
    for line in answer.text.splitlines():
        if not line.startswith("#"):
            found = re.fullmatch(r'([a-z_]+)(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? [0-9.]+(e-\d+)?', line)
            assert found, line
            assert found[1] in told or re.sub("_(bucket|sum|count)$", "", found[1]) in told, line
    for name in (case, "Mill", "@", "wren"):
        assert name not in answer.text


@pytest.mark.parametrize("path", ["/metrics", "/health/details"])
def test_they_are_shown_to_this_machine_or_to_whoever_has_the_token(house: House, path: str) -> None:
    plain = Watched(house)
    assert plain.get(path).status_code == 200
    assert plain.get(path, client=("::1", 5)).status_code == 200
    assert plain.get(path, client=("192.0.2.7", 5)).status_code == 403
    assert plain.get(path, client=("unknown", 5)).status_code == 403
    assert plain.get(path, x_forwarded_for="192.0.2.7").status_code == 403, "a proxy on this machine asks for somebody else"
    behind = Watched(house, secure=True)
    assert behind.get(path).status_code == 403, "a proxy ends TLS, and nobody says for whom it asks"
    assert Watched(house, secure=True, proxied=True).get(path).status_code == 200
    kept = Watched(house, metrics_token="s3cret-token")
    assert kept.get(path).status_code == 403, "where there is a token it is asked for, also here"
    assert kept.get(path, client=("192.0.2.7", 5), authorization="Bearer s3cret-token").status_code == 200
    assert kept.get(path, authorization="Bearer other").status_code == 403
    assert kept.get(path, authorization="Bearer ").status_code == 403


def test_they_are_counted_again_only_after_some_seconds(watched: Watched) -> None:
    asked: list[str] = []
    event.listen(watched.app.store.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    watched.get()
    first = len(asked)
    watched.steady -= REMEMBERED + 1
    watched.get()
    assert len(asked) == first > 0
    watched.get()
    assert len(asked) == 2 * first


@pytest.mark.parametrize("query", [gauges.OUTBOX, gauges.LETTERS, gauges.PARKED, gauges.OPEN, gauges.CLAIMED])
def test_each_count_is_made_on_an_index(watched: Watched, query: Any) -> None:
    sql = str(query.compile(watched.app.store.engine, compile_kwargs={"literal_binds": True}))
    with watched.app.store.engine.connect() as connection:
        plan = " ".join(row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {sql}")))
    assert "USING" in plan and "INDEX ix_" in plan, plan


def test_on_a_server_they_are_the_same(house: House, postgres_url: str) -> None:
    watched = Watched(house, postgres_url)
    watched.app.file(watched.app.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml")))
    assert watched.figure("caseflow_open_cases") == 1
    assert watched.figure("caseflow_outbox_copies", status="owed") >= 1
    assert watched.get("/health/details").json()["open_cases"] == 1
    watched.app.store.engine.dispose()


def test_where_the_database_is_away_the_process_says_what_it_knows(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    watched.get("/sign-in")

    def away() -> None:
        raise StoreFault("The database can't be reached.")

    monkeypatch.setattr(watched.app.store, "heartbeats", away)
    said = watched.get()
    assert said.status_code == 200
    assert "caseflow_database_up 0" in said.text and 'kind="sign-in"' in said.text and "caseflow_open_cases" not in said.text


def test_the_details_say_who_beat_when_and_what_waits(watched: Watched, house: House) -> None:
    house.file()
    with watched.app.store.begin() as work:
        work.beat("scheduler-a", NOW - timedelta(seconds=11), "fired 1, refused 0, parked 0, sent 0; since its start 4, 0, 0, 0")
    told = watched.get("/health/details").json()
    assert told["schedulers"] == [
        {"process": "scheduler-a", "age_seconds": 11.0, "stopped": False, "note": "fired 1, refused 0, parked 0, sent 0; since its start 4, 0, 0, 0"}
    ]
    assert told["outbox"]["owed"]["copies"] >= 1 and told["open_cases"] == 1 and told["resting"] is False and told["daily_work_done_for"] is None


@pytest.mark.parametrize(("own", "status", "word"), [(HEARTBEAT, 200, "ok"), (LATE_AFTER + 1, 503, "late"), (None, 503, "not seen")])
def test_a_process_whose_own_scheduler_died_is_red_though_others_live(watched: Watched, own: int | None, status: int, word: str) -> None:
    watched.site.scheduler, watched.site.clerk = True, "scheduler-own"
    with watched.app.store.begin() as work:
        work.beat("scheduler-other", NOW - timedelta(seconds=1), "fired 0")
        if own is not None:
            work.beat("scheduler-own", NOW - timedelta(seconds=own), "fired 0")
    answer = watched.get("/health")
    assert (answer.status_code, answer.json()["scheduler"]) == (status, word)
    watched.site.clerk = None
    assert watched.get("/health").status_code == 200, "a site without one of its own is well where any lives"
