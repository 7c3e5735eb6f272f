"""Before an entry is voided or its day corrected, the page says which dates move, which letters change and what stands in the way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import House, token, words
from tests.web.test_action_form import ASK, filed

LATER = "2026-12-18T10:00"


def tried(house: House, case: str, seq: int, intent: str, who: str = "wren", **more: str) -> Any:
    client = house.client(who, LATER)
    page = client.get(f"/cases/{case}/entries/{seq}").text
    return client.post(f"/cases/{case}/entries/{seq}", data={"form_token": token(page), "intent": intent, "because": "", **more})


@pytest.fixture
def held(house: House) -> str:
    """Filed on Monday, November 30; asked on December 7; answered on December 18."""
    case = filed(house, ())
    house.act(case, ASK, "2026-12-07T09:00", items=["NAV-e"])
    house.act(case, "accept-information", "2026-12-18T09:00")
    return case


def test_the_new_dates_are_shown_and_nothing_is_recorded(house: House, held: str) -> None:
    # Seven of the 30 days were used; of the answer's day 23 are left: to January 10, a Sunday, hence Monday the 11th.
    answer = tried(house, held, 3, "amend-check", on="12/18/26")
    assert answer.status_code == 200 and "No date moves." in words(answer.text)
    # Had the answer come on the 14th, 23 days end on Wednesday, January 6.
    said = words(tried(house, held, 3, "amend-check", on="12/14/26", because="It lay in the mail room.").text)
    assert "If its day becomes Mon, Dec 14, 2026" in said and "last day Mon, Jan 11" in said and "last day Wed, Jan 6" in said
    assert house.app(LATER).show(held)["version"] == 3
    assert "It lay in the mail room." in said, "what was written stays"


def test_a_letter_that_will_not_go_out_is_named(house: House) -> None:
    case = filed(house, ())
    house.act(case, ASK, "2026-12-07T09:00", items=["NAV-e"])
    said = words(house.client("wren", "2026-12-07T09:05").get(f"/cases/{case}/entries/2").text)
    assert "1 letter will not go out" in said and f"({case}-L2)" in said and "0 of 1" in said and "1 of 1" in said


def test_a_later_entry_that_is_in_the_way_is_named_and_linked(house: House, held: str) -> None:
    answer = house.client("wren", LATER).get(f"/cases/{held}/entries/2")
    said = words(answer.text)
    assert "1 later entry is in the way" in said and "Void or amend entry 3 first." in said
    assert f'href="/cases/{held}/entries/3"' in answer.text


def test_a_letter_that_went_and_would_say_what_no_longer_holds_is_named(house: House, held: str) -> None:
    house.app("2026-12-18T09:30").dispatch(True)
    said = words(tried(house, held, 3, "amend-check", on="12/14/26").text)
    assert "went out already and must be corrected; a task says so" in said


def test_a_letter_that_has_not_left_and_would_say_other_words_is_named(house: House) -> None:
    case = filed(house, ())
    said = words(tried(house, case, 1, "amend-check", on="11/27/26").text)
    assert "1 letter has not left yet and will be written anew: " in said and f"({case}-L1)" in said
    house.app(LATER).dispatch(True)
    assert "written anew" not in words(tried(house, case, 1, "amend-check", on="11/27/26").text)


def test_the_day_of_the_filing_can_be_corrected_but_the_filing_not_voided(house: House) -> None:
    case = filed(house, ())
    said = words(tried(house, case, 1, "amend-check", on="11/27/26").text)
    # 30 days after November 27 end on Sunday, December 27; after November 30, on Wednesday, December 30.
    assert "last day Wed, Dec 30" in said and "last day Mon, Dec 28" in said
    assert "If its day becomes Fri, Nov 27, 2026" in said and "The filing itself is not voided" in said and "Void entry 1" not in said


def test_who_only_reads_is_shown_no_correction(house: House, held: str) -> None:
    said = words(house.client("ada", LATER).get(f"/cases/{held}/entries/3").text)
    assert "Your role only reads." in said and "See what changes" not in said
