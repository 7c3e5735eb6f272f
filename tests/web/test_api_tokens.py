"""Tokens of the API: who they are for, what they open, when they end."""

from __future__ import annotations

import json
import sqlite3

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from caseflow.cli.main import cli
from tests.web.conftest import House, token, words

ME = "/api/v1/me"


def with_token(house: House, secret: str) -> TestClient:
    return TestClient(house.site(), headers={"authorization": f"Bearer {secret}"})


def test_a_token_says_whom_it_stands_for(house: House) -> None:
    me = house.program("odell", "read").get(ME).json()
    assert me["name"] == "odell" and me["role"] == "supervisor" and me["scope"] == "read" and me["rights"] == ["oversee", "read", "work"]


def test_only_a_digest_of_a_token_is_kept(house: House) -> None:
    secret = house.app().tokens.make("wren", "Sync")["token"]
    with sqlite3.connect(house.folder / "case.db") as database:
        kept = database.execute("SELECT * FROM api_token").fetchall()
    assert len(kept) == 1 and secret not in str(kept) and secret[3:] not in str(kept)
    assert with_token(house, str(kept[0][1])).get(ME).status_code == 401


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Basic d3Jlbjp4", "Bearer cf_" + "a" * 43, "Bearer x", "Bearer " + "é" * 46, "Bearer " + "a" * 9000]
)
def test_without_an_open_token_nothing_opens(house: House, header: str | None) -> None:
    client = TestClient(house.site())
    answer = client.get(ME, headers={"authorization": header.encode("latin-1")} if header is not None else {})
    assert answer.status_code == 401 and answer.headers["www-authenticate"].startswith("Bearer") and answer.json()["type"].endswith("#no-token")


def test_a_token_ends_on_its_day(house: House) -> None:
    program = house.program()
    house.clock.later(days=90, seconds=-1)
    assert program.get(ME).status_code == 200
    house.clock.later(seconds=1)
    assert program.get(ME).status_code == 401


def test_an_ended_token_opens_nothing_at_once(house: House) -> None:
    made = house.app().tokens.make("wren", "Sync")
    client = with_token(house, made["token"])
    assert client.get(ME).status_code == 200
    house.app().tokens.end(made["id"])
    assert client.get(ME).status_code == 401


def test_a_closed_account_closes_its_tokens(house: House) -> None:
    program = house.program("wren")
    house.app().people.disable("wren")
    assert program.get(ME).status_code == 401


def test_a_token_does_not_follow_its_person_into_another_role(house: House) -> None:
    program = house.program("wren")
    with sqlite3.connect(house.folder / "case.db") as database:
        database.execute("UPDATE account SET role = 'supervisor' WHERE id = 'wren'")
    assert program.get(ME).status_code == 401


def test_a_token_that_reads_changes_nothing(house: House) -> None:
    number = house.file()
    answer = house.program(scope="read").post(
        f"/api/v1/cases/{number}/actions/request-information", json={"facts": {"items": ["NAV-e"]}}, headers={"if-match": "*"}
    )
    assert answer.status_code == 403 and "only reads" in answer.json()["detail"] and house.app().show(number)["version"] == 1


@pytest.mark.parametrize("who", ["ada", "max"])
def test_a_role_that_does_nothing_on_a_case_does_nothing_through_a_token(house: House, who: str) -> None:
    number = house.file()
    answer = house.program(who).post(f"/api/v1/cases/{number}/actions/request-information", json={"facts": {"items": ["NAV-e"]}}, headers={"if-match": "*"})
    assert answer.status_code == 403 and house.app().show(number)["version"] == 1


def test_a_signed_in_browser_opens_neither_reading_nor_writing(house: House) -> None:
    number = house.file()
    browser = house.client("wren")
    assert browser.get(f"/cases/{number}").status_code == 200
    assert browser.get(f"/api/v1/cases/{number}").status_code == 401
    answer = browser.post(f"/api/v1/cases/{number}/actions/request-information", json={"facts": {"items": ["NAV-e"]}}, headers={"if-match": "*"})
    assert answer.status_code == 401 and house.app().show(number)["version"] == 1


def test_wrong_tokens_make_their_address_rest_and_a_right_one_opens_all_the_same(house: House) -> None:
    secret = house.app().tokens.make("wren", "Sync")["token"]
    client = TestClient(house.site())
    answers = [client.get(ME, headers={"authorization": f"Bearer cf_{n:043d}"}).status_code for n in range(32)]
    assert answers == [401] * 30 + [429] * 2
    assert client.get(ME, headers={"authorization": f"Bearer {secret}"}).status_code == 200
    house.clock.later(minutes=16)
    assert client.get(ME, headers={"authorization": "Bearer cf_x"}).status_code == 401


def test_a_person_makes_a_token_that_is_shown_once_and_ends_it(house: House) -> None:
    browser = house.client("wren")
    made = browser.post("/me/tokens", data={"form_token": token(browser.get("/me/tokens").text), "title": "<b>Sync</b>", "scope": "act", "days": "30"})
    secret = next(word for word in words(made.text).split() if word.startswith("cf_"))
    assert with_token(house, secret).get(ME).json()["scope"] == "act" and "<b>Sync" not in made.text
    page = browser.get("/me/tokens")
    assert secret not in page.text and "never" not in words(page.text).partition("<b>Sync</b>")[2][:60]
    own = house.app().tokens.all("wren")[0]["id"]
    browser.post("/me/tokens/end", data={"form_token": token(page.text), "token": own})
    assert with_token(house, secret).get(ME).status_code == 401


@pytest.mark.parametrize("bad", [{"title": ""}, {"scope": "all"}, {"days": "0"}, {"days": "367"}, {"days": "x"}, {"title": "a" * 81}])
def test_a_token_that_is_not_well_asked_for_is_not_made(house: House, bad: dict[str, str]) -> None:
    browser = house.client("wren")
    answer = browser.post("/me/tokens", data={"form_token": token(browser.get("/me/tokens").text), "title": "Sync", "scope": "read", "days": "30", **bad})
    assert answer.status_code == 422 and house.app().tokens.all("wren") == []


def test_nobody_ends_another_persons_token(house: House) -> None:
    made = house.app().tokens.make("odell", "Board mirror")
    browser = house.client("wren")
    answer = browser.post("/me/tokens/end", data={"form_token": token(browser.get("/me/tokens").text), "token": made["id"]})
    assert answer.status_code == 404 and with_token(house, made["token"]).get(ME).status_code == 200


def test_a_token_is_made_only_from_a_page_of_this_site(house: House) -> None:
    browser = house.client("wren")
    assert browser.post("/me/tokens", data={"title": "Sync", "scope": "act", "days": "30"}).status_code == 403
    assert house.app().tokens.all() == []


def test_the_command_line_makes_lists_and_ends_tokens(house: House) -> None:
    def run(*words_: str) -> object:
        found = CliRunner().invoke(cli, ["--database", str(house.folder / "case.db"), "people", "token", *words_, "--json"])
        assert found.exit_code == 0, found.output
        return json.loads(found.output)

    made = run("make", "wren", "--for", "Nightly export", "--scope", "act", "--days", "7")
    assert isinstance(made, dict) and made["token"].startswith("cf_") and made["scope"] == "act"
    listed = run("list", "wren")
    assert isinstance(listed, list) and listed[0]["title"] == "Nightly export" and "token" not in listed[0] and listed[0]["open"]
    run("end", made["id"])
    assert not run("list")[0]["open"]  # type: ignore[index]
