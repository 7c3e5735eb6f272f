"""In a real browser: by keyboard alone, without JavaScript, at every width, by axe, and under the site's own policy.

Where there is no chromium these tests are skipped and the run says so; with CASEFLOW_BROWSER=required they fail instead.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from caseflow.services.documents import Given
from caseflow.web.server import listening
from tests.web.conftest import PASSWORD, PEOPLE, House
from tests.web.test_action_form import ASK, filed
from tests.web.visiting import PDF, PNG, code

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
WIDTHS = (320, 400, 900, 1280, 1600)
PAPER = 702
"""The width in CSS pixels of a letter-size page within its margins."""
OVERSEEN = pytest.mark.parametrize("seat", [{"who": "odell"}], indirect=True, ids=["supervisor"])
"""All pages are open to a supervisor, who may do what staff may and sees the board besides."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    if CHROMIUM is None:
        if os.environ.get("CASEFLOW_BROWSER") == "required":
            pytest.fail("there is no chromium, and CASEFLOW_BROWSER=required asks for one")
        pytest.skip("no chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as made:
        opened = made.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@dataclass
class Served:
    """A site that listens, and a held case, a late one and one that lacks two items in it."""

    address: str
    house: House
    late: str
    held: str
    lacking: str
    asked: str
    visit: str

    def pages(self) -> list[str]:
        return [
            *("/work", "/work?view=all", "/work?view=unassigned&group=late", f"/cases/{self.late}/assign"),
            "/docket",
            "/docket?show=overdue",
            "/docket?q=nowhere",
            "/requests/new",
            f"/requests/{self.late.rpartition('-')[0]}",
            *(f"/cases/{case}" for case in (self.late, self.held, self.lacking)),
            f"/cases/{self.late}/why/determination",
            f"/cases/{self.lacking}/do/{ASK}",
            f"/cases/{self.lacking}/do/record-payment",
            f"/cases/{self.held}/do/{ASK}",
            f"/cases/{self.held}/entries/2",
            f"/cases/{self.held}/people",
            f"/letters/{self.held}-L1",
            "/calendar",
            "/calendar?view=list",
            *("/board", "/board?as_of=2026-12-20", "/board/cases?show=overdue", "/board/cases?show=on-hold", "/board/cases?show=letters-waiting"),
            *("/board/audit", "/board/audit?what=reads&by=case", f"/cases/{self.late}/audit", f"/cases/{self.held}/audit?by=effective"),
            "/workflows",
            "/workflows/general-permit",
            f"/workflows/ohwm-confirmation?case={self.held}",
            "/workflows/navigability-confirmation/samples/information-request",
            f"/cases/{self.asked}/documents",
            "/status",
            "/status/case",
            f"/status/case/letters/{self.asked}-L2",
            "/me",
            "/cases/NONE",
        ]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The site on January 5, 2027, on a port of its own."""
    house = House(tmp_path_factory.mktemp("site"))
    app = house.app("2027-01-05T09:00")
    app.store.upgrade()
    for name, role in PEOPLE.items():
        app.people.add(name, f"{name.capitalize()} Halloway", role, PASSWORD)
    asked = house.file("ohwm-confirmation", moment="2026-12-14T09:00")
    house.act(asked, ASK, "2026-12-21T09:00", items=["OHWM-c", "OHWM-f"])
    house.app("2026-12-22T09:00").dispatch(False)
    late = house.file(moment="2026-11-30T09:00")
    held = house.file("ohwm-confirmation", moment="2026-12-14T09:00")
    house.act(held, ASK, "2026-12-21T09:00", items=["OHWM-c"])
    lacking = filed(house, moment="2026-12-15T09:00")
    visit = app.applicants.come_in(asked, code(house, asked), "::1")
    app.applicants.send(app.applicants.who(visit), [Given("stations 1 to 3.png", BytesIO(PNG), "OHWM-c")])
    taken = listening("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(house.site("2027-01-05T09:00"), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
    thread.start()
    yield Served(f"http://127.0.0.1:{taken.getsockname()[1]}", house, late, held, lacking, asked, visit)
    server.should_exit = True
    thread.join(10)
    app.store.engine.dispose()


@dataclass
class Seat:
    """A page of the browser, signed in, and everything that it complained of."""

    page: Any
    complaints: list[str]


@pytest.fixture
def seat(browser: Any, served: Served, request: pytest.FixtureRequest) -> Iterator[Seat]:
    settings = dict(getattr(request, "param", {}))
    who = settings.pop("who", "wren")
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **settings})
    context.add_cookies([{"name": "caseflow-status", "value": served.visit, "domain": "127.0.0.1", "path": "/status/case"}])
    page, complaints = context.new_page(), []
    page.set_default_timeout(15_000)
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda failed: complaints.append(f"failed {failed.url}") if "ERR_ABORTED" not in str(failed.failure) else None)
    page.goto(served.address + "/sign-in")
    page.fill("#name", who)
    page.fill("#password", PASSWORD)
    page.press("#password", "Enter")
    page.wait_for_url("**/work")
    yield Seat(page, complaints)
    context.close()


@OVERSEEN
def test_no_page_breaks_the_policy_or_asks_for_what_is_not_there(seat: Seat, served: Served) -> None:
    for path in served.pages():
        seat.page.goto(served.address + path)
        seat.page.wait_for_load_state("networkidle")
    expected = [text for text in seat.complaints if "404" in text or "409" in text]
    assert seat.complaints == expected and len(expected) <= 1, "only the page that is not there"
    fonts = seat.page.evaluate("document.fonts.ready.then(() => [...document.fonts].filter(f => f.status === 'loaded').map(f => f.family))")
    assert "Tool" in "".join(fonts)


@OVERSEEN
@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways(seat: Seat, served: Served, width: int) -> None:
    seat.page.set_viewport_size({"width": width, "height": 900})
    for path in served.pages():
        seat.page.goto(served.address + path)
        seat.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        wide = (
            "[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1).map(one => one.outerHTML.slice(0, 120))"
        )
        assert seat.page.evaluate("document.documentElement.scrollWidth") <= width, (path, seat.page.evaluate(wide)[-3:])


def test_by_keyboard_alone_a_case_is_found_and_acted_on(seat: Seat, served: Served) -> None:
    page, case = seat.page, served.house.file(moment="2026-12-15T09:00")
    page.keyboard.press("/")
    page.keyboard.type(case)
    page.keyboard.press("Enter")
    page.wait_for_url("**/docket?q=**")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/cases/{case}")
    page.keyboard.press("W")
    assert page.evaluate("document.querySelector('details.why').open")
    page.keyboard.press("n")
    page.wait_for_url("**/do/add-note")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "f.note":
            break
    page.keyboard.type("Seen from the bridge; n and w are only letters here.")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(f"**/cases/{case}?done=add-note**")
    assert page.evaluate("document.activeElement.id") == "first" and "Recorded: Add a note" in page.inner_text("#first")


@OVERSEEN
def test_a_supervisor_finds_the_overdue(seat: Seat, served: Served) -> None:
    page = seat.page
    page.keyboard.press("g")
    page.keyboard.press("b")
    page.wait_for_url("**/board")
    figure = page.locator(".band a", has_text="past the law")
    count = int(figure.locator("b").inner_text())
    assert count > 0 and f"{count} case" in page.inner_text("main .under")
    figure.click()
    page.wait_for_url("**/board/cases?show=overdue")
    assert page.locator(".row-link").count() == count
    page.locator(f"a.row-link[href='/cases/{served.late}']").click()
    page.wait_for_url(f"**/cases/{served.late}")
    assert "late" in page.inner_text(".verdict")
    page.click("text=Audit")
    page.wait_for_url("**/audit")
    assert "chain and replay computed anew" in page.inner_text("main .under")
    page.go_back()
    page.goto(served.address + "/board")
    page.fill("#as_of", "Dec 15")
    page.press("#as_of", "Enter")
    page.wait_for_url("**as_of=Dec+15")
    assert page.locator(".band a", has_text="past the law").locator("b").inner_text() == "0", "nothing was late on that day"
    assert "As the record stood at the end of Tuesday, December 15, 2026" in page.inner_text(".past")


@OVERSEEN
def test_the_board_prints_with_its_tables_and_a_link_of_a_chart_opens_its_cases(seat: Seat, served: Served) -> None:
    page = seat.page
    page.goto(served.address + "/board")
    page.locator(".chart.is-wide a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/board/cases?show=targets&on=*")
    page.goto(served.address + "/board")
    page.emulate_media(media="print")
    for gone in (".bar", ".head-tools", ".as-of"):
        assert not page.locator(gone).first.is_visible(), gone
    for kept in (".band", ".chart.is-wide", ".as-table table", "#silence"):
        assert page.locator(kept).first.is_visible(), kept


def test_every_thing_that_takes_the_focus_shows_it(seat: Seat, served: Served) -> None:
    for path in ("/docket", f"/cases/{served.lacking}", f"/cases/{served.lacking}/do/{ASK}"):
        seat.page.goto(served.address + path)
        for _ in range(30):
            seat.page.keyboard.press("Tab")
            shown = seat.page.evaluate(
                "(() => { const one = document.activeElement, near = one.closest('.find') || one; const at = getComputedStyle(near);"
                " return one === document.body || (at.outlineStyle !== 'none' && parseFloat(at.outlineWidth) >= 2) })()"
            )
            assert shown, (path, seat.page.evaluate("document.activeElement.outerHTML.slice(0, 200)"))


@pytest.mark.parametrize("seat", [{"java_script_enabled": False}], indirect=True)
def test_without_javascript_an_act_is_tried_and_done(seat: Seat, served: Served) -> None:
    page, case = seat.page, filed(served.house, moment="2026-12-15T09:00")
    page.goto(f"{served.address}/cases/{case}/do/{ASK}")
    page.uncheck("input[value=NAV-h]")
    page.click("button[value=check]")
    assert "could never be asked for again" in page.inner_text(".message.is-care") and "No date while held" in page.inner_text("#trial")
    page.fill("input[name='f.not_asked.NAV-h']", "The photos of 2025 are enough.")
    page.click("button[value=do]")
    assert "Recorded: Request additional information (once)" in page.inner_text("#first")
    assert served.house.app().show(case)["state"] == "info-requested-once"


def test_what_would_happen_follows_the_form_while_it_is_written(seat: Seat, served: Served) -> None:
    page = seat.page
    page.goto(f"{served.address}/cases/{served.lacking}/do/{ASK}")
    assert "NAV-h" in page.inner_text("#trial .document")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.uncheck("input[value=NAV-h]")
    page.wait_for_selector("#trial .document:not(:has-text('NAV-h'))")
    assert page.is_visible("input[name='f.not_asked.NAV-h']") and not page.is_visible("input[name='f.not_asked.NAV-e']")
    assert page.url.endswith(f"/do/{ASK}") and not seat.complaints


def test_other_readings_come_into_the_page(seat: Seat, served: Served) -> None:
    page = seat.page
    page.goto(f"{served.address}/cases/{served.late}")
    page.click("text=Why this date?")
    page.click("text=Under other readings")
    page.wait_for_selector("[id^=readings-] :text('reading'), [id^=readings-] li")
    assert page.url.partition("#")[0].endswith(served.late)


def test_a_case_prints_without_what_is_for_the_screen_and_with_the_whole_drawing(seat: Seat, served: Served) -> None:
    page = seat.page
    page.goto(f"{served.address}/cases/{served.late}")
    page.emulate_media(media="print")
    for gone in (".bar", ".possible", ".head-tools"):
        assert not page.is_visible(gone)
    for kept in (".verdict", ".draw.wide", "#record", "#people"):
        assert page.is_visible(kept)


@OVERSEEN
def test_every_page_keeps_its_tables_and_its_width_on_paper(seat: Seat, served: Served) -> None:
    seat.page.set_viewport_size({"width": PAPER, "height": 900})
    seat.page.emulate_media(media="print")
    broken = "[...document.querySelectorAll('.table')].filter(one => !['table', 'none'].includes(getComputedStyle(one).display)).length"
    over = "[...document.querySelectorAll('main *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1).map(one => one.outerHTML.slice(0, 120))"
    seen = 0
    for path in served.pages():
        seat.page.goto(served.address + path)
        seen += seat.page.locator(".table").count()
        assert seat.page.evaluate(broken) == 0, path
        assert seat.page.evaluate("document.documentElement.scrollWidth") <= PAPER, (path, seat.page.evaluate(over)[-3:])
    assert seen > 30


@pytest.mark.parametrize(
    "seat",
    [{"who": "odell", "bypass_csp": True}, {"who": "odell", "bypass_csp": True, "viewport": {"width": 400, "height": 900}}],
    indirect=True,
    ids=["wide", "narrow"],
)
def test_axe_finds_nothing_on_any_page(seat: Seat, served: Served) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for path in served.pages():
        seat.page.goto(served.address + path)
        seat.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        found = Axe().run(seat.page).response
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == [], path
        # What axe can't settle by itself: text over the drawing's bars and hatches, whose pairs are computed in test_contrast.
        assert {one["id"] for one in found["incomplete"]} <= {"color-contrast"}, path


@pytest.mark.parametrize("seat", [{"bypass_csp": True}], indirect=True)
def test_axe_catches_a_page_that_is_known_to_be_bad(seat: Seat, served: Served) -> None:
    from axe_playwright_python.sync_playwright import Axe

    seat.page.goto(f"{served.address}/cases/{served.lacking}/do/{ASK}")
    seat.page.evaluate(
        "() => { document.querySelector('label[for=on]').remove(); document.querySelector('.under').style.color = '#bbb';"
        " document.querySelector('html').removeAttribute('lang'); }"
    )
    assert {"label", "color-contrast", "html-has-lang"} <= {one["id"] for one in Axe().run(seat.page).response["violations"]}


@OVERSEEN
def test_every_page_answers_and_can_be_pictured(seat: Seat, served: Served, tmp_path: Path) -> None:
    folder = Path(os.environ.get("CASEFLOW_SHOTS", tmp_path))  # name a folder to keep the pictures
    for width in (1280, 400):
        seat.page.set_viewport_size({"width": width, "height": 900})
        for at, path in enumerate(served.pages()):
            answer = seat.page.goto(served.address + path)
            assert answer is not None and answer.status == (404 if path == "/cases/NONE" else 200), path
            picture = seat.page.screenshot(path=str(folder / f"{at:02}-{width}.png"), full_page=True)
            assert picture.startswith(b"\x89PNG"), path


@pytest.mark.parametrize("width", [320, 1280])
def test_without_javascript_and_account_a_requester_reads_and_answers(browser: Any, served: Served, width: int, tmp_path: Path) -> None:
    case = served.house.file("ohwm-confirmation", moment="2026-12-14T09:00")
    served.house.act(case, ASK, "2026-12-21T09:00", items=["OHWM-c"])
    answer = tmp_path / "answer.pdf"
    answer.write_bytes(PDF)
    context = browser.new_context(viewport={"width": width, "height": 900}, java_script_enabled=False)
    page = context.new_page()
    page.goto(served.address + "/status")
    page.fill("#number", case)
    page.fill("#code", code(served.house, case))
    page.press("#code", "Enter")
    assert "Please send one thing by Wednesday, January 20, 2027" in page.inner_text("#turn")
    page.set_input_files("#item-1", str(answer))
    page.click("text=Send what I have")
    assert "We have received 1 file at 9:00 am, Tuesday, January 5, 2027" in page.inner_text("#received")
    assert "answer.pdf" in page.inner_text(".things") and page.evaluate("document.documentElement.scrollWidth") <= width
    page.click("text=Close this page")
    page.goto(served.address + "/status/case")
    assert page.url.endswith("/status?over=yes") and "closes after an hour" in page.inner_text("form")
    context.close()
    assert [one["name"] for one in served.house.app().documents.listed(case)] == ["answer.pdf"]
