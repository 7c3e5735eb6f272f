"""Acting in a browser: the form, what would happen, errors beside their fields, two people on one case."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from starlette.testclient import TestClient

from caseflow.web import forms
from tests.web.conftest import SCRIPT, House, words

MISSING = [f"NAV-{letter}" for letter in "abcdefghi"]
ASK = "request-information"


def filed(house: House, without: tuple[str, ...] = ("NAV-e", "NAV-h"), moment: str = "2026-11-30T09:00") -> str:
    """A case that lacks some items."""
    sample = house.app().read_yaml("workflows/wisconsin-dnr/samples/navigability-confirmation/complete.yaml")
    return house.file(moment=moment, submitted=[item for item in sample["submitted"] if item not in without])


def fields(page: str) -> dict[str, list[str]]:
    """What a browser would send with the form of a page as it was opened."""
    found: dict[str, list[str]] = {}
    form = page.partition('class="act-form"')[2].partition("</form>")[0]
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and ("hidden" in tag or 'type="text"' in tag or "checked" in tag):
            found.setdefault(name[1], []).append(value[1] if value else "on")
    return found


def send(client: TestClient, case: str, action: str, intent: str = "do", page: str | None = None, **facts: Any) -> Any:
    """Opens the form, writes into it and sends it."""
    form = fields(page or client.get(f"/cases/{case}/do/{action}").text)
    return client.post(
        f"/cases/{case}/do/{action}",
        data={
            **form,
            **{f"f.{name}": value for name, value in facts.items() if name != "on"},
            "intent": intent,
            **({"on": facts["on"]} if "on" in facts else {}),
        },
    )


def test_a_form_ticks_everything_that_is_missing_and_shows_what_asking_does(house: House) -> None:
    page = house.client("wren").get(f"/cases/{filed(house)}/do/{ASK}").text
    assert fields(page)["f.items"] == ["NAV-e", "NAV-h"]
    said = words(page)
    assert "This is the only time that the law allows" in said and "Everything that is missing is ticked." in said
    assert "No date while held" in said and "1 of 30 days used, 29 kept" in said and "0 of 1, for good" in said
    assert "The letter, with this case’s facts" in said


def test_what_is_left_out_of_the_only_request_is_named(house: House) -> None:
    page = words(send(house.client("wren"), filed(house), ASK, "check", items=["NAV-e"]).text)
    assert "(NAV-h) could never be asked for again." in page and "say why it is not needed" in page


def test_an_act_is_done_with_what_the_form_says_and_told_on_the_next_page(house: House) -> None:
    client, case = house.client("wren"), filed(house)
    done = send(client, case, ASK, items=["NAV-e"], **{"not_asked.NAV-h": "The photos of 2025 are enough."}, on="Nov 30")
    assert done.status_code == 303 and done.headers["location"].startswith(f"/cases/{case}?done={ASK}")
    page = words(client.get(done.headers["location"]).text)
    assert "Recorded: Request additional information (once)" in page and "effective Mon, Nov 30" in page
    shown = house.app().show(case)
    assert shown["state"] == "info-requested-once" and next(one for one in shown["items"] if one["id"] == "NAV-h")["note"] == "The photos of 2025 are enough."
    assert house.app().timeline(case, "recorded", None)[-1]["actor"] == {"kind": "person", "id": "wren", "role": "staff"}


def test_sending_a_form_twice_acts_once(house: House) -> None:
    client, case = house.client("wren"), filed(house)
    page = client.get(f"/cases/{case}/do/add-note").text
    for _ in range(2):
        assert send(client, case, "add-note", page=page, note="Seen at the gauge.").status_code == 303
    assert [entry["action"] for entry in house.app().timeline(case, "recorded", None)].count("add-note") == 1


def test_going_back_and_writing_something_else_records_that_too(house: House) -> None:
    client, case = house.client("wren"), filed(house)
    page = client.get(f"/cases/{case}/do/add-note").text
    for note in ("Seen at the gauge.", "Seen at the gauge, and at the dam.", "Seen at the gauge."):
        assert send(client, case, "add-note", page=page, note=note).status_code == 303
    found = house.app().timeline(case, "recorded", None)
    assert [entry["facts"]["note"] for entry in found if entry["action"] == "add-note"] == ["Seen at the gauge.", "Seen at the gauge, and at the dam."]


def test_what_is_not_stated_is_said_beside_its_field_and_above_and_nothing_is_recorded(house: House) -> None:
    client, case = house.client("wren"), filed(house)
    sent = send(client, case, "record-payment", amount="a lot", on="1/6/27")
    assert sent.status_code == 422
    page = words(sent.text)
    assert "fields to mend; nothing was recorded" in page and "State this; the action needs it." in page and "lies after today" in page
    assert 'aria-invalid="true"' in sent.text and "a lot" in sent.text, "what was written stays"
    assert house.app().show(case)["version"] == 1


@pytest.mark.parametrize("field", ["on", "paid_on"])
def test_a_day_that_can_not_be_read_is_said_beside_its_field(house: House, field: str) -> None:
    sent = send(house.client("wren"), filed(house), "record-payment", amount="3", method="check", **{field: "the day after"})
    assert sent.status_code == 422 and "is not a day that can be read" in words(sent.text) and "the day after" in sent.text


def test_two_people_on_one_case_and_the_second_is_told_what_the_first_did(house: House) -> None:
    case = filed(house)
    first, second = house.client("wren"), house.client("odell")
    opened = second.get(f"/cases/{case}/do/concur").text
    assert send(first, case, ASK).status_code == 303
    told = send(second, case, "concur", page=opened, exact_location="At the second bend of the creek.", information_summary="Survey of May 2026.")
    assert told.status_code == 409
    page = words(told.text)
    assert "The case changed while you wrote" in page and "wren did 'request-information'" in page and "nothing was recorded" in page
    assert "At the second bend of the creek." in told.text
    assert house.app().show(case)["state"] == "info-requested-once"
    again = send(second, case, "concur", page=told.text, exact_location="At the second bend of the creek.", information_summary="Survey of May 2026.")
    assert again.status_code == 409 and "is not possible while the case is" in words(again.text)


def test_the_only_request_is_refused_the_second_time_with_its_reason_and_its_entry(house: House) -> None:
    case, client = filed(house), house.client("wren")
    assert send(client, case, ASK).status_code == 303
    page = words(client.get(f"/cases/{case}/do/{ASK}").text)
    assert "Not possible" in page and "may not ask for additional information more than once" in page and "See entry 2" in page
    assert send(client, case, ASK, items=["NAV-e"]).status_code == 409


@pytest.mark.parametrize("who", ["ada", "max"])
def test_a_role_that_only_reads_is_refused_whatever_it_sends(house: House, who: str) -> None:
    case = filed(house)
    sent = send(house.client(who), case, "add-note", note="x")
    assert sent.status_code == 409 and "is for staff" in words(sent.text) and house.app().show(case)["version"] == 1


def test_a_supervisors_act_is_not_for_staff(house: House) -> None:
    case = filed(house)
    answer = send(house.client("wren"), case, "approve-refund", amount="1", method="check", paid_on="Dec 1", refund_ground="none")
    assert answer.status_code == 409 and "is for supervisor" in words(answer.text)


def test_a_part_of_the_page_answers_while_the_form_is_written(house: House) -> None:
    client, case = house.client("wren"), filed(house)
    form = fields(client.get(f"/cases/{case}/do/{ASK}").text)
    part = client.post(f"/cases/{case}/do/{ASK}", data={**form, "intent": "check"}, headers={"hx-request": "true"})
    assert part.status_code == 200 and "<html" not in part.text and "If you do this today" in words(part.text) and house.app().show(case)["version"] == 1


def test_markup_that_is_written_stays_text_in_the_form_the_letter_and_the_record(house: House) -> None:
    client, case = house.client("wren"), filed(house)
    tried = send(client, case, ASK, "check", reason=f"{SCRIPT} and **bold** and [a](http://evil.example)")
    assert "<script>alert" not in tried.text and "<strong>bold" not in tried.text and 'href="http://evil' not in tried.text
    assert '<mark class="own">' in tried.text or SCRIPT in words(tried.text)
    assert send(client, case, "add-note", note=SCRIPT).status_code == 303
    assert "<script>alert" not in client.get(f"/cases/{case}").text


@pytest.mark.parametrize(
    "more",
    [
        {"f.items": ["NAV-zz"]},
        {"f.items": ["<script>"]},
        {"seen_version": "99999999999999999999"},
        {"seen_version": "x"},
        {"command_id": "'; DROP TABLE entry"},
        {"command_id": "x" * 5000},
        {"f.not_asked.../../x": "y"},
        {"f.note": "\x00"},
        {"f.reason": "\ud800".encode("utf-16", "surrogatepass").decode("utf-16", "replace")},
        {"f.reason": "x" * 30_000},
        {"f.request_received_on": "9999-99-99"},
        {"f.request_received_on": "0000-01-01"},
        {"f.basis": "nonsense"},
        {"f.basis": ["missing", "nonsense"]},
        {"on": "31/31/31"},
        {"intent": ""},
        {"f.actor": "supervisor"},
        {"__class__": "x"},
    ],
)
def test_hostile_fields_give_a_page_and_never_a_fault(house: House, more: dict[str, Any]) -> None:
    client, case = house.client("wren"), filed(house)
    form = fields(client.get(f"/cases/{case}/do/{ASK}").text)
    answer = client.post(f"/cases/{case}/do/{ASK}", data={**form, "intent": "do", **more})
    assert answer.status_code in (303, 400, 409, 422), answer.text[:500]
    assert house.app().verify(case)["faults"] == []


@pytest.mark.parametrize("action", ["file", "miss-deadline", "nonsense", "%00", "..%2f..", "letter-sent", "void"])
def test_an_action_that_is_none_for_a_person_is_refused(house: House, action: str) -> None:
    client, case = house.client("wren"), filed(house)
    answer = client.get(f"/cases/{case}/do/{action}")
    if action == "miss-deadline":
        answer = send(client, case, action)
        assert answer.status_code == 409
    else:
        assert answer.status_code == 404
    assert house.app().show(case)["version"] == 1


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1/6/27", "2027-01-06"),
        ("1/6/2027", "2027-01-06"),
        ("1/6", "2027-01-06"),
        ("12/28", "2026-12-28"),
        ("2027-01-06", "2027-01-06"),
        ("Jan 6", "2027-01-06"),
        ("January 6, 2027", "2027-01-06"),
        ("6 Jan 2027", "2027-01-06"),
        ("Wed, Jan 6, 2027", "2027-01-06"),
        ("Dec 28", "2026-12-28"),
        ("today", "2027-01-05"),
        ("Yesterday", "2027-01-04"),
        ("Feb 29, 2028", "2028-02-29"),
    ],
)
def test_a_day_is_read_as_people_type_it(text: str, day: str) -> None:
    assert forms.day_of(text, date(2027, 1, 5)).isoformat() == day


@pytest.mark.parametrize("text", ["", "soon", "Feb 30", "2/30/27", "13/1/27", "Ja 6", "Ma 6", "1/6/027", "2027-1-6x", "٣/٤/٢٧٠", "6", "Jan", "1e3/1/1"])
def test_what_is_no_day_is_said(text: str) -> None:
    with pytest.raises(ValueError, match="is not a day"):
        forms.day_of(text, date(2027, 1, 5))
