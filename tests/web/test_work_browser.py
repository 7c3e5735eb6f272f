"""My work in a real browser: by keyboard alone, and without JavaScript."""

from __future__ import annotations

import pytest

from tests.web.test_browser import Seat, Served, browser, seat, served  # noqa: F401 - the fixtures
from tests.web.test_work import give

HERE = "2027-01-05T09:00"


def test_by_keyboard_alone_work_is_found_ticked_given_away_and_opened(seat: Seat, served: Served) -> None:  # noqa: F811
    page, house = seat.page, served.house
    cases = [house.file(moment="2026-12-21T09:00") for _ in range(2)]
    for case in cases:
        give(house, case, "wren", moment="2026-12-22T09:00")
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.wait_for_url("**/docket")
    page.keyboard.press("g")
    page.keyboard.press("m")
    page.wait_for_url("**/my-work")
    assert cases[0] in page.inner_text("main")
    page.keyboard.press("j")
    first = page.evaluate("document.activeElement.dataset.case")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.dataset.case") == first and page.inner_text("[data-bulk-count]") == "1 case:"
    page.keyboard.press("a")
    assert page.evaluate("document.activeElement.id") == "to"
    page.keyboard.type("Odell")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/my-work?assigned=1&whom=odell")
    assert "1 case is the work of Odell Halloway now." in page.inner_text("#first") and page.evaluate("document.activeElement.id") == "first"
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/cases/**")
    page.go_back()
    page.keyboard.press("j")
    page.keyboard.press("a")
    page.wait_for_url("**/cases/**#possible")
    page.go_back()
    page.keyboard.press("j")
    page.keyboard.press("w")
    page.wait_for_url("**/why/**")
    assert not seat.complaints


@pytest.mark.parametrize("seat", [{"java_script_enabled": False}], indirect=True)
def test_without_javascript_cases_are_ticked_and_given_away_and_a_filter_is_saved(seat: Seat, served: Served) -> None:  # noqa: F811
    page, case = seat.page, served.house.file(moment="2026-12-21T09:00")
    page.goto(f"{served.address}/my-work?view=unassigned")
    page.check(f"input[value='{case}']")
    page.select_option("#to", "wren")
    page.click(".bulk button")
    assert "1 case is the work of Wren Halloway now." in page.inner_text("#first")
    assert served.house.app(HERE).show(case)["assigned_to"] == "wren"
    page.goto(f"{served.address}/docket?county=Dane")
    page.click("summary:has-text('Save this filter')")
    page.fill("#view-name", "All of Dane")
    page.click("button:has-text('Save')")
    page.goto(f"{served.address}/my-work")
    page.click("text=All of Dane")
    page.wait_for_url("**/docket?county=Dane")
