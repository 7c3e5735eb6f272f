"""The calendar of deadlines: which dates stand on which day, whose they are, and why the office is closed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.conftest import PACK, SCRIPT, House, words


def rows(page: str) -> list[str]:
    """The list of dates, a line for each."""
    return [words(row.replace("</b>", " ")) for row in re.findall(r"<tr[^>]*>(?:(?!</tr>).)*</tr>", page.partition('class="agenda')[2], re.S)]


def day(page: str, number: int) -> str:
    """What a day of the month shows."""
    cells = {words(re.search(r"<time[^>]*>(.*?)</time>", cell)[1]): cell for cell in re.findall(r"<td(?:(?!</td>).)*</td>", page, re.S) if 'class="on"' in cell}  # type: ignore[index]
    return words(cells[str(number)].replace("</b>", " "))


def test_a_last_day_in_law_stands_on_its_day_with_its_why(house: House) -> None:
    case = house.file()
    page = house.client().get("/calendar?month=2026-12").text
    assert f"Last day in law {case}" in day(page, 30) and "Last day" not in day(page, 29), "30 days after November 30, a Wednesday"
    row = next(row for row in rows(page) if "Last day in law" in row)
    assert row.startswith("Wed, Dec 30") and "Time to provide the confirmation; also the target." in row and "NR 300.17 (7) (a) 2." in row
    assert f'href="/cases/{case}/why/determination"' in page and f'href="/cases/{case}"' in page


def test_a_last_day_that_rolls_stands_apart_from_its_target_where_they_differ(house: House) -> None:
    house.file("general-permit", moment="2026-12-03T09:00")
    shown = rows(house.client().get("/calendar?month=2027-01").text)
    law = [row for row in shown if "Last day in law" in row]
    assert law and law[0].startswith("Sat, Jan 2"), "30 days after December 3; a day of silence does not roll for the department"
    target = [row for row in rows(house.client().get("/calendar?month=2026-12").text) if " Target " in row]
    assert target and target[0].startswith("Wed, Dec 30"), "the office is closed from December 31 to January 3"


def test_an_outcome_by_silence_says_what_happens_if_nobody_acts(house: House) -> None:
    house.file("general-permit", moment="2026-12-01T09:00")
    silence = [row for row in rows(house.client().get("/calendar?month=2027-01").text) if "Decides by silence" in row]
    assert len(silence) == 1 and silence[0].startswith("Fri, Jan 1") and "If nobody acts before:" in silence[0]


def test_a_held_case_has_no_last_day_but_the_day_on_which_the_hold_may_end(house: House) -> None:
    case = house.file()
    house.act(case, "request-information", "2026-12-07T09:00", items=["NAV-e"], reason="It is missing.")
    client = house.client(moment="2026-12-08T09:00")
    assert "Last day in law" not in " ".join(rows(client.get("/calendar?month=2026-12").text))
    held = [row for row in rows(client.get("/calendar?month=2027-01").text) if "Hold may end" in row]
    assert len(held) == 1 and held[0].startswith("Wed, Jan 6") and "Suggested time for the answer" in held[0], "30 days after December 7"


def test_a_warning_stands_on_the_day_on_which_the_program_warns(house: House) -> None:
    case = house.file()
    made = house.app().show(case)["timers"]
    days = sorted(timer["at"][:10] for timer in made if timer["id"].split(":")[1].startswith("warn-"))
    assert days, "the pack warns before this target"
    shown = [row for row in rows(house.client().get("/calendar?month=2026-12&kind=warning").text) if "Warning" in row]
    assert len(shown) == len(days) and all("before the target" in row for row in shown)


def test_a_passed_last_day_is_called_so(house: House) -> None:
    case = house.file()
    page = house.client(moment="2027-01-05T09:00").get("/calendar?month=2026-12").text
    assert f"Last day in law, passed {case}" in day(page, 30)


def test_a_holiday_stands_with_the_law_that_makes_it_one(house: House) -> None:
    page = house.client().get("/calendar?month=2026-12").text
    assert "Christmas" in day(page, 25) and "legal holiday, s. 995.20" in day(page, 25)
    assert "office closed" in day(page, 26), "a Saturday"
    assert "office closed" not in day(page, 28)


def test_mine_shows_my_cases_alone_and_the_team_all(house: House) -> None:
    mine, other = house.file(), house.file(moment="2026-12-01T09:00")
    house.act(mine, "assign", "2026-12-01T10:00", assignee="wren")
    client = house.client()
    team = client.get("/calendar?month=2026-12").text
    own = client.get("/calendar?month=2026-12&who=mine").text
    assert mine in team and other in team
    assert mine in own and other not in own
    assert mine not in house.client("odell").get("/calendar?month=2026-12&who=mine").text


def test_a_service_narrows_the_month(house: House) -> None:
    one, two = house.file(), house.file("ohwm-confirmation")
    page = house.client().get("/calendar?month=2026-12&workflow=ohwm-confirmation").text
    assert two in page and one not in page


def test_a_decided_case_has_no_date_left(house: House) -> None:
    case = house.file()
    house.act(case, "withdraw", "2026-12-02T09:00", writing_received_on="2026-12-02")
    assert case not in house.client(moment="2026-12-03T09:00").get("/calendar?month=2026-12").text


def test_too_many_cases_are_said_and_every_day_until_then_is_whole(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caseflow.services.deadlines.MOST", 2)
    filed = [house.file(moment=f"2026-11-{number}T09:00") for number in (23, 24, 30)]
    page = house.client().get("/calendar?month=2026-12&kind=law").text
    told = re.search(r"Through (\w+, \w+ \d+, \d+) none is missing", words(page))
    assert told, words(page)[:900]
    assert filed[2] not in page


def test_the_months_lead_on_and_end_at_the_ends(house: House) -> None:
    client = house.client()
    page = client.get("/calendar?month=2026-12&who=mine").text
    assert 'href="/calendar?month=2026-11&amp;who=mine" rel="prev"' in page and 'href="/calendar?month=2027-01&amp;who=mine" rel="next"' in page
    assert 'rel="prev"' not in client.get("/calendar?month=2000-01").text and 'rel="next"' not in client.get("/calendar?month=2100-12").text


@pytest.mark.parametrize("month", ["x", "2026-13", "1999-12", "2101-01", "2026-1", "²026-01", "2026-12-01", SCRIPT])
def test_a_month_that_is_none_is_told_in_one_sentence(house: House, month: str) -> None:
    answer = house.client().get("/calendar", params={"month": month})
    assert answer.status_code == 400 and "write it as 2027-01" in words(answer.text) and SCRIPT not in answer.text


def test_a_hostile_name_stays_a_name(house: House) -> None:
    sample: dict[str, Any] = house.app().read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml"))
    waters = [{**sample["waterbodies"][0], "name": SCRIPT}]
    house.file(waterbodies=waters)
    page = house.client().get("/calendar?month=2026-12").text
    assert SCRIPT not in page and "alert(" in page


def test_nobody_sees_the_calendar_without_signing_in(house: House) -> None:
    answer = house.client(None).get("/calendar")
    assert answer.status_code == 303 and answer.headers["location"].startswith("/sign-in")
