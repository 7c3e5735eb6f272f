"""A new request: exclusions first, which service fits, what is wrong beside its field, the fee, the clock, and who may file."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.web.conftest import SCRIPT, House, token, words

PLACE = {
    "water.0.name": "Mill Creek",
    "water.0.county": "Dane",
    "requester.name": "Ann Larsen",
    "requester.email": "ann.larsen@example.org",
    "requester.capacity": "owner",
}
NAV = [f"NAV-{letter}" for letter in "abcdefghi"]
REQ = ["REQ-1", "REQ-2", "REQ-3", "REQ-4", "REQ-6"]
NO = {f"x.{name}": "no" for name in ("X-a1", "X-a2", "X-a3", "X-a4", "X-a5", "X-b", "X-c")}


class Desk:
    """Somebody who fills the form: every answer takes along what the page carried."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.page = client.get("/requests/new").text

    def go(self, go: str = "next", **more: Any) -> Any:
        return self.send({name.replace("__", "."): value for name, value in more.items()}, go)

    def send(self, given: dict[str, Any], go: str = "next") -> Any:
        sent: dict[str, Any] = {}
        for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', self.page):
            sent.setdefault(unescape(name), []).append(unescape(value))
        answer = self.client.post("/requests/new", data={**sent, **given, "go": go, "form_token": token(self.page)})
        if answer.status_code in (200, 409, 422):
            self.page = answer.text
        return answer


@pytest.fixture
def desk(house: House) -> Desk:
    return Desk(house.client())


def to_place(desk: Desk, service: str = "navigability-confirmation", **more: Any) -> None:
    desk.go(service=service, **more)
    if 'name="x.X-a1"' in desk.page:
        desk.send(NO)


def to_check(desk: Desk, service: str = "navigability-confirmation", **more: Any) -> Any:
    to_place(desk, service, **more)
    desk.send(PLACE)
    return desk.send({"item": [*NAV, *REQ], "pay.method": "check", "pay.amount": "$100"})


def test_an_exclusion_that_is_claimed_is_told_with_its_law_and_what_to_do_instead(desk: Desk) -> None:
    desk.go(service="navigability-confirmation")
    assert "Is any of these so?" in words(desk.page)
    answer = desk.send({**NO, "x.X-b": "yes"})
    said = words(answer.text)
    assert answer.status_code == 422 and "This service is not available for it" in said
    assert "A court order has specified the mark" in said and "NR 300.17 (8) (b) Instead: The court order answers the question." in said
    onward = desk.send({**NO, "x.X-b": "yes", "x-anyway": "yes"})
    assert onward.status_code == 200 and "1 claimed" in words(onward.text) and "Requester" in words(onward.text)


def test_a_request_filed_all_the_same_opens_the_task_to_check_the_exclusion(desk: Desk, house: House) -> None:
    desk.go(service="navigability-confirmation")
    desk.send({**NO, "x.X-c": "yes", "x-anyway": "yes"})
    desk.send(PLACE)
    said = words(desk.send({"item": [*NAV, *REQ], "pay.method": "check", "pay.amount": "100"}).text)
    assert "Exclusion claimed The request relates to a project where only local regulations apply." in said
    case = desk.send({}, "file").headers["location"].split("/")[2].partition("?")[0]
    assert "exclude" in [task["action"] for task in house.app().show(case)["tasks"]]


def test_a_service_without_exclusions_or_rules_asks_neither(desk: Desk) -> None:
    desk.go(service="navigability-determination")
    assert "Which service fits" not in words(desk.page)
    desk.go("step:service")
    desk.go(service="general-permit")
    assert "Exclusions" not in words(desk.page).partition("So far")[0] and "Which service fits" in words(desk.page)


def test_the_check_says_the_fee_as_a_sum_and_the_last_day_with_its_why(desk: Desk) -> None:
    said = words(to_check(desk).text)
    assert "Navigability confirmation per waterbody NR 300.17 (5) (e) $100.00 In all $100.00" in said and "Nothing stays due." in said
    # 30 days after Tuesday, December 1; the office is closed on the 31st, which is no legal holiday.
    assert "Target Wed, Dec 30, 2026 Last day in law Thu, Dec 31, 2026 Why Thursday, December 31, 2026?" in said
    assert "the day of the event is not counted" in said and "File the request" in said


def test_filing_leads_to_the_case_and_sending_the_same_twice_files_it_once(desk: Desk, house: House) -> None:
    to_check(desk)
    one, two = desk.send({}, "file"), desk.send({}, "file")
    assert one.status_code == two.status_code == 303 and one.headers["location"] == two.headers["location"]
    case = house.app().show(one.headers["location"].split("/")[2].partition("?")[0])
    assert (case["state"], case["clocks"][0]["due"], case["fees"]["due"]) == ("submitted", "2026-12-31", "0.00")
    assert [party["name"] for party in case["parties"]] == ["Ann Larsen"]
    assert len(house.app().docket(False, None, None, None)) == 1
    told = words(desk.client.get(one.headers["location"]).text)
    assert "Recorded: File the request" in told


def test_somebody_who_goes_back_and_writes_something_else_files_something_else(desk: Desk, house: House) -> None:
    to_check(desk)
    one = desk.send({}, "file")
    two = desk.send({"water.0.name": "Otter Creek"}, "file")
    assert one.headers["location"] != two.headers["location"]


def test_nothing_is_recorded_before_the_last_step(desk: Desk, house: House) -> None:
    to_check(desk)
    assert house.app().docket(False, None, None, None) == []


def test_what_is_wrong_stands_beside_its_field_and_what_was_written_stays(desk: Desk) -> None:
    to_place(desk)
    answer = desk.send({**PLACE, "requester.email": "ann at example", "water.0.county": "Dain", "place.plss": "somewhere", "place.latitude": "north"})
    assert answer.status_code == 422 and "4 fields to mend; what you wrote is kept" in words(answer.text)
    for name in ("requester-email", "water-0-county", "place-plss", "place-latitude"):
        assert f'id="e-r-{name}"' in answer.text and f'href="#r-{name}"' in answer.text
        assert re.search(rf'id="r-{name}"[^>]*aria-describedby="[^"]*e-r-{name}"[^>]*aria-invalid="true"', answer.text)
    for kept in ('value="ann at example"', 'value="Dain"', 'value="somewhere"', 'value="Mill Creek"', 'value="Ann Larsen"'):
        assert kept in answer.text
    assert "did you mean" in words(answer.text)


def test_what_was_written_on_one_step_is_there_again_on_every_other(desk: Desk) -> None:
    to_check(desk)
    back = desk.send({}, "step:place").text
    assert 'value="Mill Creek"' in back and 'value="ann.larsen@example.org"' in back
    forth = desk.send(PLACE).text
    assert re.search(r'value="NAV-e" checked', forth) and 'value="$100"' in forth
    undone = desk.send({"item": ["NAV-a"], "pay.method": "", "pay.amount": ""}).text
    assert "12 items missing" in words(undone) or "13 items missing" in words(undone)


def test_one_button_ticks_whatever_must_be_handed_in(desk: Desk) -> None:
    to_place(desk)
    desk.send(PLACE)
    ticked = desk.send({}, "all").text
    assert all(re.search(rf'value="{name}" checked', ticked) for name in (*NAV, *REQ))
    assert "Every item is in." in words(desk.send({"item": [*NAV, *REQ], "pay.method": "check", "pay.amount": "100"}).text)


def test_a_missing_fee_and_missing_items_are_told_before_filing(desk: Desk) -> None:
    to_place(desk)
    desk.send(PLACE)
    said = words(desk.send({"item": NAV}).text)
    assert "$100.00 stays due." in said and "Fee tendered REQ-5" in said and "No period begins with this filing." in said


def test_a_day_in_the_future_is_refused_and_one_in_the_past_asks_why(desk: Desk, house: House) -> None:
    future = desk.go(service="navigability-confirmation", on="12/4/26")
    assert future.status_code == 422 and "lies in the future" in words(future.text)
    past = desk.go(service="navigability-confirmation", on="11/27/26")
    assert past.status_code == 422 and "Say why it is entered after the day on which it came" in words(past.text)
    to_check(desk, on="11/27/26", because="It lay in the mail room.")
    assert "Received Fri, Nov 27, 2026, entered Tue, Dec 1, 2026. It lay in the mail room." in words(desk.page)
    case = desk.send({}, "file").headers["location"].split("/")[2].partition("?")[0]
    entry = house.app().timeline(case, "recorded", None)[0]
    assert (entry["effective_on"], entry["recorded_on"], entry["because"]) == ("2026-11-27", "2026-12-01", "It lay in the mail room.")


def test_paper_after_the_closing_hour_counts_on_the_next_open_day(desk: Desk) -> None:
    # Friday, November 27, at 5:10 pm on paper: the next open day is Monday, November 30.
    said = words(to_check(desk, on="11/27/26", time="5:10 pm", channel="paper", because="Found on the counter.").text)
    assert "Last day in law Wed, Dec 30, 2026" in said


def test_a_late_entry_after_the_law_has_decided_is_for_somebody_who_oversees(house: House) -> None:
    # A notice of a general permit decides by silence 30 days after it; in January it has decided.
    moment = "2027-01-05T09:00"
    for who, status in (("wren", 409), ("odell", 303)):
        desk = Desk(house.client(who, moment))
        desk.go(service="general-permit", on="11/16/26", because="The file was mislaid.")
        desk.send({"f.activity": "ford"})
        desk.send(PLACE)
        said = words(desk.send({"item": [f"GPA-{number}" for number in range(1, 8)], "pay.method": "check", "pay.amount": "350"}).text)
        assert "With that day of receipt the law has decided already" in said
        answer = desk.send({}, "file")
        assert answer.status_code == status, words(answer.text)
    assert len(house.app(moment).docket(False, None, None, None)) == 1


def test_screening_names_each_rule_with_its_law_and_asks_what_matters_next(desk: Desk) -> None:
    desk.go("unsure")
    said = words(desk.page)
    assert "What fits" in said and "Individual permit" in said and "1 fact matters now" in said
    said = words(desk.send({"f.activity": "ford"}, "again").text)
    assert "Does not fit Exemption determination" in said and "NR 329.04 (1)" in said
    said = words(desk.send({"f.activity": "ford"}, "track:general-permit").text)
    assert "General permit asked for" in said and "For a person to judge" in said
    said = words(desk.send({"f.activity": "ford", "f.stream_width_ft": "120", "f.stream_depth_ft": "1"}, "again").text)
    assert re.search(r"GP-FORD-6 The stream is less than 100 feet wide.{0,140}Fail", said) and "Width of the stream (ft)" in said
    assert desk.send({"f.activity": "ford"}).status_code == 200 and "Requester" in words(desk.page), "advice turns nobody away"


def test_several_services_and_waters_make_a_case_each_and_lead_to_the_request(desk: Desk, house: House) -> None:
    to_place(desk, ["navigability-confirmation", "ohwm-confirmation"])
    desk.send(PLACE, "water")
    assert 'name="water.1.name"' in desk.page and 'value="Mill Creek"' in desk.page
    desk.send({**PLACE, "water.1.name": "Otter Lake", "water.1.services": ["ohwm-confirmation"]})
    said = words(desk.send({"item": [*NAV, *REQ], "pay.method": "check", "pay.amount": "500"}).text)
    assert said.count("If it is filed now") == 1 and "Ordinary high water mark confirmation: Otter Lake" in said
    done = desk.send({}, "file")
    assert done.headers["location"].startswith("/requests/WD-2026-00001")
    told = words(desk.client.get(done.headers["location"]).text)
    assert "Filed: request WD-2026-00001, 3 cases" in told and told.count("Mill Creek") == 2


def test_everyone_named_is_on_the_case_and_markup_stays_a_name(desk: Desk, house: House) -> None:
    to_place(desk)
    people = {
        "agent.name": "Ridgeline Survey",
        "agent.address": "12 Example Street\nSample Falls WI 54000",
        "third_party.name": "Kettle Field",
        "third_party.email": "field@kettle.example",
        "other.role": ["interested-person", "municipality", "co-applicant"],
        "other.name": [SCRIPT, "Town of Larkfield", ""],
        "other.email": ["one@example.org", "", ""],
        "other.address": ["", "1 Example Road; Larkfield WI 54000", ""],
    }
    desk.send({**PLACE, **people})
    page = desk.send({"item": [*NAV, *REQ], "pay.method": "check", "pay.amount": "100"}).text
    assert "<script>alert" not in page
    case = house.app().show(desk.send({}, "file").headers["location"].split("/")[2].partition("?")[0])
    assert [(party["role"], party["name"], party["channel"]) for party in case["parties"]] == [
        ("requester", "Ann Larsen", "email"),
        ("agent", "Ridgeline Survey", "post"),
        ("third-party", "Kettle Field", "email"),
        ("interested-person", SCRIPT, "email"),
        ("municipality", "Town of Larkfield", "post"),
    ]


@pytest.mark.parametrize("who", ["ada", "max"])
def test_who_only_reads_neither_opens_the_form_nor_files(house: House, who: str) -> None:
    client = house.client(who)
    assert client.get("/requests/new").status_code == 403
    page = client.get("/me").text
    answer = client.post("/requests/new", data={"form_token": token(page), "step": "check", "go": "file", "service": "navigability-confirmation"})
    assert answer.status_code == 403 and house.app().docket(False, None, None, None) == []


def test_a_form_of_another_site_files_nothing(desk: Desk, house: House) -> None:
    to_check(desk)
    desk.page = re.sub(r'name="form_token" value="[0-9a-f]{64}"', 'name="form_token" value="' + "0" * 64 + '"', desk.page)
    assert desk.send({}, "file").status_code == 403 and house.app().docket(False, None, None, None) == []


@pytest.mark.parametrize(
    "given",
    [
        {"service": "no-such-service"},
        {"service": "navigability-confirmation", "step": "nowhere", "go": "file"},
        {"service": "navigability-confirmation", "go": "track:nowhere", "step": "screening"},
        {"service": "navigability-confirmation", "go": "step:nowhere"},
        {"service": "general-permit", "step": "screening", "f.activity": "castle"},
        {"service": "navigability-confirmation", "step": "place", "water.999999999.name": "x", "requester.name": "a\x00b"},
        {"service": "navigability-confirmation", "on": "0001-01-01"},
        {"service": "navigability-confirmation", "on": "9999-12-31"},
        {"service": "navigability-confirmation", "time": "25:99"},
        {"service": "navigability-confirmation", "step": "submitted", "pay.amount": "1e999"},
        {"service": "navigability-confirmation", "step": "check", "go": "file", "x.X-a1": "perhaps", "channel": "pigeon"},
    ],
)
def test_hostile_or_broken_input_gets_a_page_that_says_so_and_nothing_is_filed(desk: Desk, house: House, given: dict[str, str]) -> None:
    answer = desk.client.post("/requests/new", data={"form_token": token(desk.page), "step": "service", "go": "next", **given})
    assert answer.status_code in (200, 400, 409, 422), words(answer.text)
    assert "Something broke" not in answer.text and house.app().docket(False, None, None, None) == []
