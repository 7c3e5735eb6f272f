"""The API's first words: a case, the docket, and how it says no."""

from __future__ import annotations

import pytest

from tests.web.conftest import House

CASE = "/api/v1/cases/WD-2026-00001-1"


def test_a_program_reads_a_case_as_the_command_line_shows_it(house: House) -> None:
    number = house.file()
    answer = house.program().get(f"/api/v1/cases/{number}")
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/json"
    assert answer.json() == house.app().show(number) and answer.headers["etag"] == f'"{answer.json()["version"]}"'


def test_reading_a_case_is_noted_with_who_and_what(house: House) -> None:
    number = house.file()
    site = house.app()
    from starlette.testclient import TestClient

    from caseflow.web.app import create_app
    from caseflow.web.site import Site

    made = site.tokens.make("odell", "Board mirror", "read")["token"]
    client = TestClient(create_app(Site(site, ("testserver",))), headers={"authorization": f"Bearer {made}"})
    for path in ("", "/timeline", "/why", "/actions", "/people", "/tasks"):
        assert client.get(f"/api/v1/cases/{number}{path}").status_code == 200
    site.reads.flush()
    noted = [(one.account, one.case, one.what) for _, one in site.store.accounts.readings(number)]
    assert sorted(noted) == sorted(("odell", number, f"api {what}") for what in ("case", "timeline", "why", "actions", "people", "tasks"))


def test_an_act_is_done_on_the_version_that_was_seen(house: House) -> None:
    number = house.file()
    program = house.program()
    seen = program.get(f"/api/v1/cases/{number}").headers["etag"]
    path = f"/api/v1/cases/{number}/actions/request-information"
    done = program.post(path, json={"facts": {"items": ["NAV-e"]}}, headers={"if-match": seen})
    assert done.status_code == 200 and done.json()["state"] == "info-requested-once" and done.json()["clocks"][0]["status"] == "tolled"
    stale = program.post(path, json={"facts": {"items": ["NAV-f"]}}, headers={"if-match": seen})
    assert stale.status_code == 412 and stale.json()["reasons"][0]["code"] == "stale" and "wren did 'request-information'" in stale.json()["detail"]
    again = program.post(path, json={"facts": {"items": ["NAV-f"]}}, headers={"if-match": done.headers["etag"]})
    spent = {reason["condition"]: reason for reason in again.json()["reasons"]}
    assert again.status_code == 409 and spent["one-request"]["code"] == "limit-reached" and spent["one-request"]["cite"] == "NR 300.17 (7) (d)"
    assert spent["one-request"]["entries"] == [done.json()["version"]]


@pytest.mark.parametrize(
    ("headers", "status", "kind"), [({}, 428, "not-seen"), ({"if-match": "7"}, 400, "unreadable"), ({"if-match": 'W/"1"'}, 400, "unreadable")]
)
def test_a_write_says_which_version_it_was_decided_on(house: House, headers: dict[str, str], status: int, kind: str) -> None:
    number = house.file()
    answer = house.program().post(f"/api/v1/cases/{number}/actions/request-information", json={"facts": {"items": ["NAV-e"]}}, headers=headers)
    assert answer.status_code == status and answer.json()["type"] == f"/api/v1/docs#{kind}"
    assert house.app().show(number)["version"] == 1


def test_facts_that_do_not_fit_are_named_by_their_place(house: House) -> None:
    number = house.file()
    answer = house.program().post(f"/api/v1/cases/{number}/actions/request-information", json={"facts": {"itemz": ["NAV-e"]}}, headers={"if-match": "*"})
    assert answer.status_code == 422 and {fault["at"] for fault in answer.json()["faults"]} == {"/facts/items", "/facts/itemz"}
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_case_that_is_not_there_is_one_clear_sentence(house: House) -> None:
    answer = house.program().get("/api/v1/cases/WD-1999-00001-1")
    assert answer.status_code == 404 and set(answer.json()) == {"type", "title", "status", "detail", "reasons", "faults"}


def test_a_trial_records_nothing_and_says_what_the_last_day_would_be(house: House) -> None:
    number = house.file()
    made = house.program(scope="read").post(f"/api/v1/cases/{number}/actions/request-information/trial", json={"facts": {"items": ["NAV-e"]}})
    assert made.status_code == 200 and made.json()["allowed"] and made.json()["if_answered_on"][0]["due"] and house.app().show(number)["version"] == 1


def test_an_entry_is_amended_and_voided_with_a_reason(house: House) -> None:
    number = house.file()
    program = house.program(moment="2026-12-02T09:00")
    done = program.post(f"/api/v1/cases/{number}/actions/request-information", json={"facts": {"items": ["NAV-e"]}}, headers={"if-match": '"1"'})
    seq = done.json()["version"]
    moved = program.post(
        f"/api/v1/cases/{number}/entries/{seq}/amend", json={"on": "2026-12-01", "because": "It left on Tuesday"}, headers={"if-match": done.headers["etag"]}
    )
    assert moved.status_code == 200 and moved.json()["clocks"][0]["holds"][0]["from"] == "2026-12-01"
    stale = program.post(f"/api/v1/cases/{number}/entries/{seq}/void", json={"because": "A slip"}, headers={"if-match": done.headers["etag"]})
    assert stale.status_code == 412
    void = program.post(f"/api/v1/cases/{number}/entries/{seq}/void", json={"because": "A slip"}, headers={"if-match": moved.headers["etag"]})
    assert void.status_code == 200 and void.json()["state"] == "submitted" and void.json()["withdrawn"] == []
