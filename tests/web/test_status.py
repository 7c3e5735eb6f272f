"""The status page: who gets in, what they see of their case and of nobody else's, and that guessing learns nothing."""

from __future__ import annotations

import pytest
from sqlalchemy import event

from tests.web.conftest import SCRIPT, House, token, words
from tests.web.visiting import NOW, PDF, code, held, open_page, send, visitor

WRONG = "0000-0000-0000"


def test_number_and_code_open_the_page_whatever_way_they_are_typed(house: House) -> None:
    case = held(house)
    typed = code(house, case).lower().replace("-", " ").replace("0", "o").replace("1", "l")
    answer = open_page(house.client(None, NOW), f"  {case.lower()} ", typed)
    assert answer.status_code == 303 and answer.headers["location"] == "/status/case"
    cookie = answer.headers["set-cookie"]
    assert "caseflow-status=" in cookie and "HttpOnly" in cookie and "SameSite=lax" in cookie


def test_a_held_case_says_whose_turn_it_is_what_to_send_and_that_there_is_no_date(house: House) -> None:
    case = held(house)
    page = words(visitor(house, case).get("/status/case").text)
    assert "It is your turn Please send two things by Wednesday, January 20, 2027" in page
    assert "Vegetation types" in page and "Distance from the mark to the water's edge" in page and "Site photos" not in page
    # December 14 is not counted; 7 days to December 21; 23 of 30 are kept; 23 after January 20 are February 12, a Friday.
    assert "There is no date while we wait for you. When everything is here, 23 of our 30 days remain." in page
    assert "If it is complete on Wednesday, January 20, 2027, we must act by Friday, February 12, 2027." in page
    assert "Shown as of 9:00 am, Tue, Jan 5, 2027" in page


def test_the_page_has_no_id_of_a_state_no_role_and_no_word_of_the_trade(house: House) -> None:
    case = held(house)
    page = words(visitor(house, case).get("/status/case").text)
    for jargon in ("info-requested", "determination ", "OHWM-", "staff", "clock", "toll", "docket", "SLA", "wren"):
        assert jargon not in page, jargon


def test_a_case_that_is_worked_on_shows_the_last_day_in_long_form(house: House) -> None:
    case = house.file("ohwm-confirmation", moment="2026-12-14T09:00")
    house.app("2026-12-15T09:00").dispatch(False)
    page = words(visitor(house, case).get("/status/case").text)
    assert "We are working on it" in page and "We must act by Wednesday, January 13, 2027, the last day in law." in page
    assert "Please send" not in page


def test_a_late_case_says_that_its_last_day_has_passed(house: House) -> None:
    case = house.file("ohwm-confirmation", moment="2026-11-02T09:00")
    page = words(visitor(house, case).get("/status/case").text)
    assert "Our last day was Wednesday, December 2, 2026, and it has passed. We are 34 days late." in page


def test_a_decided_case_says_what_was_decided_and_until_when_a_court_may_be_asked(house: House) -> None:
    case = house.file("navigability-confirmation", moment="2026-11-30T09:00")
    house.act(case, "concur", "2026-12-14T09:00", exact_location="From the bridge", information_summary="Survey of 2026")
    house.app("2026-12-15T09:00").dispatch(False)
    page = words(visitor(house, case).get("/status/case").text)
    assert "We have decided" in page and "Monday, December 14, 2026" in page
    assert "Time to petition a court: until Thursday, January 14, 2027" in page


# --- letters ---


def test_letters_that_went_to_the_person_are_read_as_page_and_as_pdf(house: House) -> None:
    case = held(house)
    client = visitor(house, case)
    listed = words(client.get("/status/case").text)
    assert "The one request for information Tuesday, December 22, 2026 by e-mail" in listed
    page = client.get(f"/status/case/letters/{case}-L2")
    assert page.status_code == 200 and "Vegetation types" in words(page.text) and "Tuesday, December 22, 2026 by e-mail" in words(page.text)
    pdf = client.get(f"/status/case/letters/{case}-L2/pdf")
    assert pdf.content.startswith(b"%PDF-") and pdf.headers["content-disposition"].startswith("attachment;")


def test_a_letter_by_portal_is_on_the_page_once_its_notice_has_left_and_the_notice_has_no_word_of_it(house: House) -> None:
    sample = house.app().read_yaml("workflows/wisconsin-dnr/samples/ohwm-confirmation/complete.yaml")
    case = held(house, requester={**sample["requester"], "channel": "portal"})
    page = words(visitor(house, case).get("/status/case").text)
    assert "The one request for information Tuesday, December 22, 2026 on this page" in page
    (notice,) = (house.folder / "mail").glob(f"{case}-L2-requester-*.txt")
    said = notice.read_text()
    assert code(house, case) in said and f"{case}-L2" in said and "Vegetation" not in said
    copies = house.app(NOW).letter(f"{case}-L2")["copies"]
    assert [one["status"] for one in copies if one["role"] == "requester"] == ["handed-over"]
    assert "on the status page sha256:" in next(one["proof"] for one in copies if one["role"] == "requester")


def by_portal(house: House) -> str:
    """A case whose requester gets letters on the status page."""
    sample = house.app().read_yaml("workflows/wisconsin-dnr/samples/ohwm-confirmation/complete.yaml")
    return held(house, requester={**sample["requester"], "channel": "portal"})


def test_opening_a_letter_on_the_page_proves_its_delivery_once_and_reading_the_page_proves_nothing(house: House) -> None:
    case = by_portal(house)
    client, path = visitor(house, case), f"/status/case/letters/{case}-L2"

    def told() -> list[tuple[str, str]]:
        return [(one["actor"]["id"], one["facts"]["letter"]) for one in house.app(NOW).timeline(case, "recorded", None) if one["action"] == "letter-delivered"]

    for _ in range(2):
        page = client.get(path)
        assert page.status_code == 200 and "Open the letter" in page.text and "Vegetation types" not in page.text
        assert client.get(f"{path}/pdf").status_code == 404
    assert told() == [] and "open the letter" in words(client.get("/status/case").text)
    before = house.app(NOW).show(case)["clocks"]
    for _ in range(2):
        assert client.post(f"{path}/open", data={"form_token": token(page.text)}).headers["location"] == path
    assert told() == [("requester", f"{case}-L2")] and house.app(NOW).show(case)["clocks"] == before, "it moves no clock"
    assert "Vegetation types" in words(client.get(path).text) and client.get(f"{path}/pdf").content.startswith(b"%PDF-")
    copies = {one["role"]: one["status"] for one in house.app(NOW).letter(f"{case}-L2")["copies"]}
    assert copies["requester"] == "delivered" and copies["agent"] == "handed-over"
    assert house.app(NOW).verify(case)["faults"] == []


def test_a_letter_is_opened_only_by_its_own_addressee_from_the_page_itself(house: House) -> None:
    case, other = by_portal(house), held(house)
    client = visitor(house, case)
    assert client.post(f"/status/case/letters/{case}-L2/open", data={"form_token": "0" * 64}).status_code == 403
    stranger = visitor(house, other)
    sent = {"form_token": token(stranger.get("/status/case").text)}
    assert stranger.post(f"/status/case/letters/{case}-L2/open", data=sent).status_code == 404
    assert stranger.post(f"/status/case/letters/{other}-L2/open", data=sent).status_code == 303, "one by e-mail is read at once, and nothing is noted"
    for number in (case, other):
        assert "letter-delivered" not in [one["action"] for one in house.app(NOW).timeline(number, "recorded", None)]


def test_a_letter_that_has_not_left_is_not_there(house: House) -> None:
    case = held(house, dispatched=None)
    client = visitor(house, case)
    assert "We wrote to you" not in client.get("/status/case").text
    for path in (f"/status/case/letters/{case}-L2", f"/status/case/letters/{case}-L2/pdf"):
        answer = client.get(path)
        assert answer.status_code == 404 and "There is no such letter, or it is not yours to see." in words(answer.text)


def test_a_letter_to_others_of_the_case_and_letters_of_other_cases_are_not_there(house: House) -> None:
    case, other = held(house), held(house)
    client = visitor(house, other, "agent")
    assert client.get(f"/status/case/letters/{other}-L2").status_code == 200
    assert client.get(f"/status/case/letters/{case}-L2").status_code == 404
    with house.app().store.engine.begin() as connection:  # somebody of the case to whom the second letter went and not the first
        connection.exec_driver_sql("UPDATE visit SET role = 'third-party', name = 'Kettle Moraine Environmental'")
    assert [client.get(f"/status/case/letters/{other}-{name}").status_code for name in ("L1", "L2")] == [404, 200]
    assert "Your request is filed" not in client.get("/status/case").text


def test_only_the_people_of_the_request_have_a_code(house: House) -> None:
    case = held(house)
    assert open_page(house.client(None, NOW), case, code(house, case, "third-party")).status_code == 401
    assert open_page(house.client(None, NOW), case, code(house, case, "agent")).status_code == 303


# --- guessing ---


@pytest.mark.parametrize("number", ["known", "WD-2026-99999-1", "", "'; --", "x" * 3000, "ü\x00"])
@pytest.mark.parametrize("typed", [WRONG, "", "ü", "x" * 3000])
def test_a_wrong_code_and_an_unknown_number_get_the_same_words(house: House, number: str, typed: str) -> None:
    case = held(house, dispatched=None)
    answer = open_page(house.client(None, NOW), case if number == "known" else number, typed)
    assert answer.status_code == 401 and "Number and code do not fit together." in words(answer.text)
    assert "caseflow-status=" not in answer.headers.get("set-cookie", "")


def test_an_unknown_number_costs_the_same_work_as_a_wrong_code(house: House) -> None:
    case = held(house, dispatched=None)
    app = house.app(NOW)
    seen: list[str] = []
    app.applicants.come_in(case, code(house, case), "::1")  # what is made once is made

    def work_of(number: str) -> list[str]:
        seen.clear()
        with pytest.raises(Exception, match="do not fit"):
            app.applicants.come_in(number, WRONG, f"of {number}")
        return sorted(seen)

    event.listen(app.store.engine, "before_cursor_execute", lambda _c, _u, statement, *_: seen.append(statement))
    known, unknown = work_of(case), work_of("WD-2026-99999-1")
    assert known == unknown and len(known) > 3


def test_after_five_wrong_guesses_a_number_rests_whether_it_exists_or_not(house: House) -> None:
    case = held(house, dispatched=None)
    right = code(house, case)
    for number in (case, "WD-2026-99999-1"):
        client = house.client(None, NOW)
        for _ in range(5):
            assert "do not fit" in words(open_page(client, number, WRONG).text)
        assert "Wait 15 minutes" in words(open_page(client, number, right).text)
    house.clock.later(minutes=16)
    assert open_page(house.client(None, NOW), case, right).status_code == 303


def test_many_wrong_guesses_from_one_address_rest_it_for_every_number(house: House) -> None:
    case = held(house, dispatched=None)
    client = house.client(None, NOW)
    for at in range(20):
        open_page(client, f"WD-2026-{at:05}-1", WRONG)
    assert "Wait 15 minutes" in words(open_page(client, case, code(house, case)).text)


def test_the_code_of_one_case_opens_no_other(house: House) -> None:
    case, other = held(house, dispatched=None), held(house, dispatched=None)
    assert open_page(house.client(None, NOW), other, code(house, case)).status_code == 401


# --- the visit ---


def test_without_a_visit_everything_leads_to_the_form(house: House) -> None:
    client = house.client(None, NOW)
    for path in ("/status/case", "/status/case/letters/x", "/status/case/letters/x/pdf"):
        answer = client.get(path)
        assert answer.status_code == 303 and answer.headers["location"].startswith("/status?")
    assert client.post("/status/case/documents", files={"file": ("a.pdf", PDF)}).status_code == 303


def test_a_visit_ends_after_an_hour_and_when_it_is_closed(house: House) -> None:
    case = held(house, dispatched=None)
    client, other = visitor(house, case), visitor(house, case)
    old = client.cookies["caseflow-status"]
    assert client.post("/status/leave", data={"form_token": token(client.get("/status/case").text)}).status_code == 303
    client.cookies.set("caseflow-status", old)
    assert client.get("/status/case").status_code == 303
    house.clock.later(minutes=61)
    assert other.get("/status/case").status_code == 303


def test_the_database_holds_no_token_and_no_code(house: House) -> None:
    case = held(house)
    client = visitor(house, case)
    kept = (house.folder / "case.db").read_bytes() + (house.folder / "case.db-wal").read_bytes()
    assert client.cookies["caseflow-status"].encode() not in kept and code(house, case).encode() not in kept


def test_a_visit_opens_no_page_of_staff_and_a_session_of_staff_no_status_page(house: House) -> None:
    case = held(house)
    client = visitor(house, case)
    client.cookies.set("caseflow", client.cookies["caseflow-status"])
    for path in ("/docket", f"/cases/{case}", f"/letters/{case}-L1", f"/cases/{case}/documents"):
        assert client.get(path).status_code == 303
    staff = house.client("wren", NOW)
    staff.cookies.set("caseflow-status", staff.cookies["caseflow"])
    assert staff.get("/status/case").headers["location"].startswith("/status")


def test_a_form_that_is_not_of_this_browser_is_refused(house: House) -> None:
    case = held(house, dispatched=None)
    foreign = token(house.client(None, NOW).get("/status").text)
    client = house.client(None, NOW)
    client.get("/status")
    assert client.post("/status", data={"number": case, "code": code(house, case), "form_token": foreign}).status_code == 403
    inside = visitor(house, case)
    other = token(visitor(house, case).get("/status/case").text)
    assert inside.post("/status/case/documents", data={"form_token": other}, files={"file": ("a.pdf", PDF)}).status_code == 403
    assert house.app().documents.listed(case) == []


def test_who_is_no_longer_of_the_case_sees_nothing_more(house: House) -> None:
    case = held(house)
    client = visitor(house, case, "agent")
    with house.app().store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE visit SET name = 'Somebody Else'")
    answer = client.get("/status/case")
    assert answer.status_code == 404 and "no longer yours to see" in words(answer.text)


def test_names_that_are_markup_are_shown_as_text(house: House) -> None:
    sample = house.app().read_yaml("workflows/wisconsin-dnr/samples/ohwm-confirmation/complete.yaml")
    case = held(house, requester={**sample["requester"], "name": SCRIPT}, waterbodies=[{**sample["waterbodies"][0], "name": f'"><img src=x>{SCRIPT}'}])
    client = visitor(house, case)
    send(client, ("file", f"{SCRIPT}.pdf", PDF))
    page = client.get("/status/case").text
    assert "<script>alert" not in page and "<img" not in page and SCRIPT in words(page)


def test_looking_at_the_status_page_is_noted(house: House) -> None:
    case = held(house)
    site = house.site(NOW)
    from starlette.testclient import TestClient

    client = TestClient(site, follow_redirects=False)
    open_page(client, case, code(house, case))
    client.get("/status/case")
    site._site.desk.reads.flush()  # type: ignore[attr-defined]
    seen = house.app().store.accounts.readings(case)
    assert [(one.account, one.what) for _, one in seen] == [("(requester)", "status page")]
