"""What a person does with a letter in the browser: write into it, correct it, record what became of a copy, send it another way."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.web.conftest import SCRIPT, House, token, words
from tests.web.test_action_form import filed


def send(client: TestClient, letter: str, what: str, **given: str) -> Any:
    page = client.get(f"/letters/{letter}").text
    return client.post(f"/letters/{letter}/{what}", data={"form_token": token(page), **given})


@pytest.fixture
def letter(house: House) -> str:
    return f"{filed(house)}-L1"


@pytest.fixture
def gone(house: House, letter: str) -> str:
    """The letter after it was handed over."""
    house.app("2026-12-01T10:00").dispatch(True)
    assert house.app().letter(letter)["status"] == "handed-over"
    return letter


def test_words_in_a_marked_place_are_kept_with_who_and_wait_for_approval(house: House, letter: str) -> None:
    client = house.client("wren")
    done = send(client, letter, "edit", place="remarks", text=f"We met on Monday. {SCRIPT}")
    assert done.status_code == 303
    page = client.get(done.headers["location"]).text
    assert "Your words are in the letter; it waits for approval" in words(page) and "Approve the letter" in page and "<script>alert" not in page
    assert "wren, " in words(page) and house.app().letter(letter)["status"] == "draft"


def test_what_can_not_be_written_is_said_and_stays_in_the_form(house: House, letter: str) -> None:
    answer = send(house.client("wren"), letter, "edit", place="elsewhere", text="x")
    assert answer.status_code == 422 and "no place" in words(answer.text)
    answer = send(house.client("wren"), letter, "correct", because="  ")
    assert answer.status_code == 422 and "Nothing was recorded" in words(answer.text)


def test_a_letter_that_has_gone_is_corrected_by_a_new_one_and_stays_as_it_is(house: House, gone: str) -> None:
    client = house.client("wren")
    done = send(client, gone, "correct", because="The reach was named wrongly.")
    assert done.status_code == 303 and "-L2" in done.headers["location"]
    assert f"corrects {gone}" in words(client.get(done.headers["location"]).text)
    before = words(client.get(f"/letters/{gone}").text)
    assert "corrected by" in before and "Write a correcting letter" not in before


def test_a_copy_that_bounced_is_recorded_with_its_reason_and_goes_by_post(house: House, gone: str) -> None:
    client = house.client("wren", "2026-12-02T09:00")
    copy = house.app().letter(gone)["copies"][0]["id"]
    unsaid = send(client, gone, "event", copy=copy, event="bounced", on="")
    assert unsaid.status_code == 422 and house.app().letter(gone)["copies"][0]["status"] == "handed-over"
    assert send(client, gone, "event", copy=copy, event="bounced", because="The mailbox does not exist.", on="12/2/26").status_code == 303
    said = words(client.get(f"/letters/{gone}").text)
    assert "Bounced" in said and "Send it another way" in said
    done = send(client, gone, "resend", copy=copy, channel="post", address="W5680 Example Road\nSample Falls WI 54000")
    assert done.status_code == 303
    made = house.app("2026-12-02T09:00").letter(gone)["copies"][-1]
    assert (made["channel"], made["replaces"]) == ("post", copy)


@pytest.mark.parametrize(("what", "given"), [("event", {"event": "eaten"}), ("event", {"event": "bounced", "on": "soon"}), ("resend", {"channel": "pigeon"})])
def test_what_became_of_a_copy_is_one_of_three_things_on_a_day(house: House, gone: str, what: str, given: dict[str, str]) -> None:
    copy = house.app().letter(gone)["copies"][0]["id"]
    answer = send(house.client("wren"), gone, what, copy=copy, **given)
    assert answer.status_code == 422 and "Something broke" not in answer.text


@pytest.mark.parametrize("what", ["edit", "retry", "correct", "event", "resend"])
def test_who_only_reads_does_nothing_with_a_letter(house: House, letter: str, what: str) -> None:
    reader = house.client("ada")
    page = reader.get(f"/letters/{letter}").text
    assert "Write into it" not in page and "Correct it" not in page
    answer = reader.post(f"/letters/{letter}/{what}", data={"form_token": token(reader.get("/me").text), "because": "x", "place": "remarks", "text": "x"})
    assert answer.status_code == 403 and house.app().letter(letter)["edits"] == []


def test_only_a_blocked_letter_is_written_again(house: House, letter: str) -> None:
    answer = send(house.client("wren"), letter, "retry")
    assert answer.status_code == 422 and "only a blocked one is written again" in words(answer.text)
