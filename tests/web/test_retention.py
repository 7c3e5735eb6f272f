"""The page of retention: what is due, holds with their reasons, stubs; and what every door says of a record that is gone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import House, token, words

NOW = "2034-01-05T10:00"


def seat(house: House, who: str, moment: str = NOW) -> Any:
    """A browser at a later day, signed in."""
    return house.client(who, moment)


@pytest.fixture
def withdrawn(house: House) -> str:
    """A case that ended on December 1, 2026, whose seven years are over on December 1, 2033."""
    number = house.file()
    house.act(number, "withdraw", "2026-12-01T10:00", writing_received_on="2026-12-01")
    house.app("2026-12-02T10:00").dispatch(False)
    return number


def gone(house: House, number: str) -> dict[str, Any]:
    """The case disposed of."""
    made: dict[str, Any] = house.app(NOW).retention.dispose(None, None, "odell:supervisor", "Yearly disposal.", None)
    assert [stub["case"] for stub in made["disposed"]] == [number]
    return made


def test_it_says_what_is_due_from_which_day_and_by_which_schedule(house: House, withdrawn: str) -> None:
    said = words(seat(house, "odell").get("/retention").text)
    assert "1 record may go today" in said
    assert withdrawn in said and "Requests that ended without a decision" in said and "Fri, Dec 2, 2033" in said


def test_a_hold_is_placed_and_lifted_with_a_reason_and_marks_the_page_of_the_case(house: House, withdrawn: str) -> None:
    desk = seat(house, "odell")
    form = {"form_token": token(desk.get("/retention").text), "intent": "place", "cases": withdrawn, "matter": "2033CV0042", "because": "A <b>lawsuit</b>."}
    assert desk.post("/retention/holds", data=form).status_code == 303
    page = desk.get(f"/cases/{withdrawn}").text
    assert "legal hold" in words(page) and "2033CV0042" in page and "A &lt;b&gt;lawsuit&lt;/b&gt;." in page
    assert "kept back" in words(desk.get("/retention").text)
    lift = {"form_token": form["form_token"], "intent": "lift", "cases": withdrawn, "seq": "5", "because": "It is settled."}
    assert desk.post("/retention/holds", data=lift).status_code == 303
    assert "No legal hold is in place" in words(desk.get("/retention").text)


def test_without_a_reason_nothing_is_held(house: House, withdrawn: str) -> None:
    desk = seat(house, "odell")
    form = {"form_token": token(desk.get("/retention").text), "intent": "place", "cases": withdrawn, "because": " "}
    answer = desk.post("/retention/holds", data=form)
    assert answer.status_code == 422 and "Say why you place a legal hold" in words(answer.text)


def test_who_only_reads_sees_it_and_places_nothing(house: House, withdrawn: str) -> None:
    desk = seat(house, "ada")
    page = desk.get("/retention")
    assert page.status_code == 200 and "Place a hold" not in words(page.text)
    form = {"form_token": token(desk.get("/me").text), "intent": "place", "cases": withdrawn, "because": "No."}
    answer = desk.post("/retention/holds", data=form)
    assert answer.status_code == 403 and "Auditor, only reads; nothing was recorded" in words(answer.text)
    assert house.app(NOW).retention.holds() == []


def test_who_does_not_oversee_does_not_open_it(house: House) -> None:
    assert seat(house, "wren").get("/retention").status_code == 403


def test_every_door_says_when_and_under_what_it_was_disposed_of(house: House, withdrawn: str) -> None:
    gone(house, withdrawn)
    desk = seat(house, "wren")
    page = desk.get(f"/cases/{withdrawn}")
    assert page.status_code == 200 and "disposed of on Thu, Jan 5, 2034" in words(page.text)
    assert "Requests that ended without a decision" in page.text and "Yearly disposal." in page.text
    answer = house.program("wren", "read", NOW).get(f"/api/v1/cases/{withdrawn}")
    assert answer.status_code == 410 and answer.json()["disposed"]["schedule"] == "not-decided"
    visitor = seat(house, "wren")
    form = {"form_token": token(visitor.get("/status").text), "number": withdrawn, "code": "0000-0000-0000"}
    assert "was disposed of on 2034-01-05, under the schedule" in words(visitor.post("/status", data=form).text)
    assert withdrawn in words(seat(house, "odell").get("/retention").text)
    assert withdrawn not in words(desk.get("/docket").text)


def test_what_is_sent_for_a_record_that_is_gone_is_told_so_and_changes_nothing(house: House, withdrawn: str) -> None:
    desk = seat(house, "odell")
    form = token(desk.get(f"/cases/{withdrawn}").text)
    gone(house, withdrawn)
    answer = desk.post(f"/cases/{withdrawn}/do/note", data={"form_token": form})
    assert answer.status_code == 410 and "disposed of on" in words(answer.text)
