"""In a real browser: a confirmation from intake to decision, by keyboard alone and without JavaScript; two people on one case."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.conftest import PASSWORD
from tests.web.test_action_form import ASK, filed
from tests.web.test_browser import Seat, Served, browser, seat, served  # noqa: F401 - fixtures

PLAIN = [{"java_script_enabled": False}]
WIDE = [{"bypass_csp": True}]


def press_to(page: Any, wanted: str) -> None:
    """Tabs on until the focus is on what is wanted."""
    for _ in range(160):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {wanted}")


def keys(page: Any, field: str, text: str) -> None:
    press_to(page, field)
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def test_by_keyboard_alone_a_confirmation_goes_from_intake_to_decision(seat: Seat, served: Served) -> None:  # noqa: F811
    page = seat.page
    page.keyboard.press("n")
    page.wait_for_url("**/requests/new")
    press_to(page, "input[value=navigability-confirmation]")
    page.keyboard.press("Space")
    press_to(page, ".go button[value=next]")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Is any of these so?")
    for name in ("X-a1", "X-a2", "X-a3", "X-a4", "X-a5", "X-b", "X-c"):
        press_to(page, f"input[name='x.{name}']")
        page.keyboard.press("ArrowUp")  # from "Not answered" to "No"
    press_to(page, ".go button[value=next]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#r-requester-name")
    keys(page, "#r-water-0-name", "Kestrel Creek")
    keys(page, "#r-water-0-county", "Dane")
    keys(page, "#r-place-plss", "NE 1/4 of SW 1/4, Section 12, T7N, R9E")
    keys(page, "#r-requester-name", "Ann Larsen")
    keys(page, "#r-requester-email", "ann.larsen@example.org")
    press_to(page, "#r-requester-capacity")
    page.keyboard.type("o")
    press_to(page, ".go button[value=next]")
    page.keyboard.press("Enter")
    page.wait_for_selector("button[value=all]")
    press_to(page, "button[value=all]")
    page.keyboard.press("Enter")
    page.wait_for_selector("input[value=NAV-a]:checked")
    press_to(page, "#r-pay-method")
    page.keyboard.type("ch")
    keys(page, "#r-pay-amount", "100")
    press_to(page, ".go button[value=next]")
    page.keyboard.press("Enter")
    page.wait_for_selector("button[value=file]")
    assert "Last day in law" in page.inner_text(".would") and "Nothing stays due." in page.inner_text("main")
    press_to(page, "button[value=file]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/cases/*?done=file")
    assert "Recorded: File the request" in page.inner_text("#first")
    page.keyboard.press("c")
    page.wait_for_url("**/do/concur")
    keys(page, "[name='f.exact_location']", "From the road to the lake")
    keys(page, "[name='f.information_summary']", "The photos and levels of the third party")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**?done=concur**")
    case = re.findall(r"/cases/([^?]+)", page.url)[0]
    assert served.house.app().show(case)["disposition"] == "confirmation-issued"
    assert not [text for text in seat.complaints if "422" not in text]


@pytest.mark.parametrize("seat", PLAIN, indirect=True)
def test_without_javascript_a_confirmation_goes_from_intake_to_decision(seat: Seat, served: Served) -> None:  # noqa: F811
    page = seat.page
    page.goto(served.address + "/requests/new")
    page.check("input[value=navigability-confirmation]")
    page.click(".go button[value=next]")
    page.check("input[name='x.X-b'][value=yes]")
    page.click(".go button[value=next]")
    assert "The court order answers the question." in page.inner_text(".message.is-care")
    for name in ("X-a1", "X-a2", "X-a3", "X-a4", "X-a5", "X-b", "X-c"):
        page.check(f"input[name='x.{name}'][value=no]")
    page.click(".go button[value=next]")
    page.fill("#r-requester-email", "ann at example")
    page.press("#r-requester-email", "Enter")  # Enter goes on, and is told what is missing
    assert "fields to mend" in page.inner_text("#first") and page.input_value("#r-requester-email") == "ann at example"
    for field, text in (("water-0-name", "Heron Run"), ("water-0-county", "Dane"), ("requester-name", "Ann Larsen"), ("requester-email", "ann@example.org")):
        page.fill(f"#r-{field}", text)
    page.select_option("#r-requester-capacity", "owner")
    page.click(".go button[value=next]")
    page.click("button[value=all]")
    page.uncheck("input[value=NAV-h]")
    page.select_option("#r-pay-method", "check")
    page.fill("#r-pay-amount", "100")
    page.click(".go button[value=next]")
    assert "Site photos" in page.inner_text(".would")
    page.click("button[value=file]")
    case = re.findall(r"/cases/([^?]+)", page.url)[0]
    page.goto(f"{served.address}/cases/{case}/do/{ASK}")
    page.check("input[value=NAV-h]")
    page.click("button[value=do]")
    page.goto(f"{served.address}/cases/{case}/do/accept-information")
    page.click("button[value=do]")
    page.goto(f"{served.address}/cases/{case}/do/concur")
    page.fill("[name='f.exact_location']", "From the road to the lake")
    page.fill("[name='f.information_summary']", "The photos and levels of the third party")
    page.click("button[value=do]")
    assert "Recorded: Concur with the third party" in page.inner_text("#first")
    assert served.house.app().show(case)["disposition"] == "confirmation-issued"


def test_of_two_people_on_one_case_the_second_is_told_what_the_first_did_and_loses_nothing(seat: Seat, served: Served, browser: Any) -> None:  # noqa: F811
    case = filed(served.house, moment="2026-12-15T09:00")
    other = browser.new_context().new_page()
    other.goto(served.address + "/sign-in")
    other.fill("#name", "odell")
    other.fill("#password", PASSWORD)
    other.press("#password", "Enter")
    other.wait_for_selector(".who")
    for page in (seat.page, other):
        page.goto(f"{served.address}/cases/{case}/do/{ASK}")
    other.click("button[value=do]")
    other.wait_for_url("**?done=**")
    seat.page.fill("#on", "1/4/27")
    seat.page.click("button[value=do]")
    seat.page.wait_for_selector(".message.is-care:has-text('changed while you wrote')")
    said = seat.page.inner_text(".message.is-care:has-text('changed while you wrote')")
    assert "odell" in said and ASK in said and "nothing was recorded" in said
    assert "Jan 4" in seat.page.input_value("#on"), "what was written stays"
    assert served.house.app("2027-01-05T09:00").show(case)["limits"][0]["used"] == 1
    other.context.close()


@pytest.mark.parametrize("seat", WIDE, indirect=True)
def test_axe_finds_nothing_on_any_step_of_a_new_request(seat: Seat, served: Served) -> None:  # noqa: F811
    from axe_playwright_python.sync_playwright import Axe

    page = seat.page

    def clean(step: str) -> None:
        for width in (1280, 400, 320):
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (step, width)
        found = Axe().run(page).response
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == [], step
        page.set_viewport_size({"width": 1280, "height": 900})

    page.goto(served.address + "/requests/new")
    page.click("button[value=unsure]")
    page.select_option("#f-activity", "ford")
    page.click(".section > button[value=again]")
    page.click("button[value='track:general-permit']")
    clean("screening")
    page.goto(served.address + "/requests/new")
    clean("service")
    page.check("input[value=navigability-confirmation]")
    page.click(".go button[value=next]")
    page.check("input[name='x.X-b'][value=yes]")
    page.click(".go button[value=next]")
    clean("exclusions")
    page.check("input[name=x-anyway]")
    page.click(".go button[value=next]")
    page.click(".go button[value=next]")
    clean("place, with errors")
    page.fill("#r-water-0-name", "Mill Creek")
    page.fill("#r-requester-name", "Ann")
    page.click(".go button[value=next]")
    clean("submitted")
    page.click(".go button[value=next]")
    clean("check")
