"""In a real browser: by keyboard alone, without JavaScript, at every width, by axe, and under the site's own policy.

Where there is no chromium these tests are skipped and the run says so; with CASEFLOW_BROWSER=required they fail instead.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from caseflow.domain.case import Actor
from caseflow.services.documents import Given
from caseflow.web.api.door import Guarded
from caseflow.web.server import listening
from tests.acceptance.test_versions import changed as changed_pack
from tests.web.conftest import PASSWORD, PEOPLE, House
from tests.web.test_action_form import ASK, filed
from tests.web.test_calendars import changed
from tests.web.test_sight import every_route
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


WALK: tuple[tuple[str | None, str], ...] = (
    *((None, path) for path in ("/sign-in", "/sign-in?next=/board", "/status", "/status/case", "/status/case/letters/{asked}-L2", "/api/v1/docs")),
    *((None, path) for path in ("/sign-in/agency", "/sign-in/back")),
    *(("odell", path) for path in ("/my-work", "/my-work?view=all", "/my-work?view=unassigned&group=late", "/cases/{late}/assign")),
    *(("odell", path) for path in ("/my-work/hand-over", "/my-work/hand-over?from=wren&to=odell")),
    *(("odell", path) for path in ("/docket", "/docket?show=overdue", "/docket?q=nowhere")),
    *(("odell", path) for path in ("/requests/new", "/requests/{late_request}")),
    *(("ada", path) for path in ("/cases/{held}/record", "/records/check", "/records/check?case={held}", "/records/check?case=nowhere")),
    *(("odell", path) for path in ("/cases/{late}", "/cases/{held}", "/cases/{lacking}", "/cases/{late}/why/determination")),
    *(("odell", path) for path in (f"/cases/{{lacking}}/do/{ASK}", "/cases/{lacking}/do/record-payment", f"/cases/{{held}}/do/{ASK}")),
    *(("odell", path) for path in ("/cases/{held}/entries/2", "/cases/{held}/people", "/cases/{asked}/documents", "/letters/{held}-L1")),
    *(("odell", path) for path in ("/calendar", "/calendar?view=list")),
    *(("odell", path) for path in ("/calendar/changes", "/calendar/changes/{calendar}", "/calendar/adoptions/1")),
    *(("odell", path) for path in ("/workflows/versions", "/workflows/versions/compare?from={older}&to={newer}", "/workflows/versions/moves/1")),
    *(("odell", path) for path in ("/board", "/board?as_of=2026-12-20")),
    *(("odell", path) for path in ("/retention", "/retention?until=2060-01-01&case={held}")),
    *(("odell", path) for path in ("/board/cases?show=overdue", "/board/cases?show=on-hold", "/board/cases?show=letters-waiting")),
    *(("odell", path) for path in ("/board/audit", "/board/audit?what=reads&by=case", "/cases/{late}/audit", "/cases/{held}/audit?by=effective")),
    *(("odell", path) for path in ("/workflows", "/workflows/general-permit", "/workflows/ohwm-confirmation?case={held}")),
    ("odell", "/workflows/navigability-confirmation/samples/information-request"),
    *(("odell", path) for path in ("/me", "/me/tokens", "/cases/NONE")),
    *(("max", path) for path in ("/accounts", "/accounts?closed=yes")),
    *(("ada", path) for path in ("/cases/{held}", "/board/audit", "/docket")),
)
"""Every page with data, and who opens it; nobody is signed in for None. `test_the_walk_opens_every_page_of_the_site` keeps it whole."""
ABSENT = {"/cases/NONE": 404, "/sign-in/agency": 404, "/sign-in/back": 404}
"""Pages that say that there is nothing: here people sign in with a name and a password alone."""
WATCHES = "is read by who watches, from this machine or with a token"
NO_PAGES = {
    "/": "leads to the first place of a person",
    "/health": "is read by programs",
    "/health/details": WATCHES,
    "/metrics": WATCHES,
    "/static/{name:path}": "a file of the site",
    "/docket.csv": "a file",
    "/documents/{number}": "a file",
    "/feeds/{token}.ics": "a calendar for programs",
    "/status/case/letters/{number}/pdf": "a file",
}
"""What answers a GET and is no page."""


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
    calendar: str
    older: str
    newer: str

    def at(self, path: str) -> str:
        """A path of the walk with the numbers of this docket."""
        names = {name: getattr(self, name) for name in ("late", "held", "lacking", "asked", "calendar", "older", "newer")}
        return path.format(**names, late_request=self.late.rpartition("-")[0])


def two_versions(house: House, folder: Path) -> tuple[str, str]:
    """The version of every case, and a later one that the database keeps since somebody began to move cases to it and thought better of it."""
    app = house.app("2027-01-04T15:00")
    odell = Actor("person", "odell", "supervisor")
    begun = app.migrating.begin(app.library.all()[0].hash, str(changed_pack(folder)), "2026 Act 9", odell)
    back = app.migrating.undo("Not yet in force.", odell)
    assert app.migrating.go_on(back.id).ended_at is not None
    return begun.before, begun.after


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
    app.calendars.adopt(str(changed(house.folder, "2040.1", "2040-01-20")), "A holiday far away.", "odell:supervisor")
    calendar = app.calendars.service.keep(changed(house.folder, "2027.1", "2027-01-19").read_text(), "calendar.yaml")
    older, newer = two_versions(house, tmp_path_factory.mktemp("later"))
    taken = listening("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(house.site("2027-01-05T09:00"), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
    thread.start()
    yield Served(f"http://127.0.0.1:{taken.getsockname()[1]}", house, late, held, lacking, asked, visit, calendar, older, newer)
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
    found = watched(context)
    page = found.page
    page.goto(served.address + "/sign-in")
    page.fill("#name", who)
    page.fill("#password", PASSWORD)
    page.press("#password", "Enter")
    page.wait_for_url("**/my-work")
    yield found
    context.close()


@pytest.fixture(scope="module")
def seats(browser: Any, served: Served) -> Iterator[Callable[[str | None], Seat]]:
    """A page for each person of the walk, signed in once."""
    made: dict[str | None, Seat] = {}

    def seat_of(who: str | None) -> Seat:
        if who not in made:
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            cookies = [{"name": "caseflow-status", "value": served.visit, "domain": "127.0.0.1", "path": "/status/case"}]
            if who is not None:
                token = served.house.app().people.sign_in(who, PASSWORD, "::1", "")
                cookies.append({"name": "caseflow", "value": token, "domain": "127.0.0.1", "path": "/"})
            context.add_cookies(cookies)
            made[who] = watched(context)
        return made[who]

    yield seat_of
    for seat in made.values():
        seat.page.context.close()


def watched(context: Any) -> Seat:
    """A new page, and everything that it complains of."""
    page, complaints = context.new_page(), []
    page.set_default_timeout(15_000)
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda failed: complaints.append(f"failed {failed.url}") if "ERR_ABORTED" not in str(failed.failure) else None)
    return Seat(page, complaints)


WIDE = "[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1).map(one => one.outerHTML.slice(0, 120))"
BROKEN = "[...document.querySelectorAll('.table')].filter(one => !['table', 'none'].includes(getComputedStyle(one).display)).length"
SCROLL = "document.documentElement.scrollWidth"
PICTURED, TALLEST = (1280, 400), 15_000
"""Widths of the pictures, and pixels up to which a picture shows the whole page."""


@pytest.mark.parametrize(("who", "path"), WALK)
def test_a_page_answers_keeps_the_policy_every_width_and_paper_and_axe_finds_nothing(
    seats: Callable[[str | None], Seat],
    served: Served,
    who: str | None,
    path: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    seat, status = seats(who), ABSENT.get(path, 200)
    page = seat.page
    seat.complaints.clear()
    page.set_viewport_size({"width": 1280, "height": 900})
    answer = page.goto(served.address + served.at(path))
    assert answer is not None and answer.status == status and page.url == served.address + served.at(path)
    page.evaluate("document.fonts.ready.then(() => 0)")
    assert [text for text in seat.complaints if str(status) not in text or status == 200] == [], "it breaks the policy, or asks for what is not there"
    assert "Tool" in page.evaluate("[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family).join()")
    folder = Path(os.environ.get("CASEFLOW_SHOTS", tmp_path))  # name a folder to keep the pictures
    name = re.sub(r"[^a-z0-9]+", "-", f"{who or 'nobody'} {path}".lower()).strip("-")
    incomplete: dict[str, list[str]] = {}
    for width in PICTURED:
        page.set_viewport_size({"width": width, "height": 900})
        whole = page.evaluate("document.documentElement.scrollHeight") < TALLEST
        assert page.screenshot(path=str(folder / f"{name}-{width}.png"), full_page=whole).startswith(b"\x89PNG")
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(SCROLL) <= width, (width, page.evaluate(WIDE)[-3:])
        if width in PICTURED:
            found = Axe().run(page, options={"resultTypes": ["violations", "incomplete"]}).response
            assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == [], width
            for one in found["incomplete"]:
                incomplete[f"{one['id']} at {width}"] = [node["html"][:160] for node in one["nodes"]]
    page.set_viewport_size({"width": PAPER, "height": 900})
    page.emulate_media(media="print")
    try:
        assert page.evaluate(BROKEN) == 0 and page.evaluate(SCROLL) <= PAPER, ("on paper", page.evaluate(WIDE)[-3:])
    finally:
        page.emulate_media(media="screen")
    # What axe can't settle by itself: text over the drawing's bars and hatches, whose pairs are computed in test_contrast.
    assert {one.partition(" ")[0] for one in incomplete} <= {"color-contrast"}
    record_property("axe-incomplete", json.dumps({f"{who or 'nobody'} {path}": incomplete} if incomplete else {}))


def test_the_walk_opens_every_page_of_the_site(served: Served) -> None:
    """So that no new page can be forgotten: what answers a GET is in the walk, or is shown here to be no page."""
    house = served.house
    routes = [one for one in every_route(house) if "GET" in one.methods and (not isinstance(one, Guarded) or one.path == "/docs")]
    named = [("/api/v1" if isinstance(one, Guarded) else "") + one.path for one in routes]
    assert len(named) > 30 and len(set(named)) == len(named)
    patterns = {name: re.compile(re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(name))) for name in named}
    walked = set()
    for _, path in WALK:
        plain = served.at(path).partition("?")[0]
        fits = [name for name in named if name == plain] or [name for name, pattern in patterns.items() if pattern.fullmatch(plain)]
        assert fits, path
        walked.update(fits)
    assert set(named) - walked == set(NO_PAGES)
    client = house.client("odell", "2027-01-05T09:00")
    client.cookies.set("caseflow-status", served.visit)
    feed = house.app().feeds.make(house.app().people.person("odell"), "team")
    given = {
        "{number}/pdf": f"{served.asked}-L2/pdf",
        "{number}": f"{served.asked}-D1",
        "{token}": feed,
        "/static/{name:path}": re.findall(r"/static/[^\"]+", client.get("/me").text)[0],
    }
    for path, what in NO_PAGES.items():
        for name, value in given.items():
            path = path.replace(name, value)
        answer = client.get(path)
        assert answer.status_code in ((403,) if what == WATCHES else (200, 303)) and "html" not in answer.headers.get("content-type", ""), path


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


@pytest.mark.parametrize("seat", [{"bypass_csp": True}], indirect=True)
def test_axe_catches_a_page_that_is_known_to_be_bad(seat: Seat, served: Served) -> None:
    from axe_playwright_python.sync_playwright import Axe

    seat.page.goto(f"{served.address}/cases/{served.lacking}/do/{ASK}")
    seat.page.evaluate(
        "() => { document.querySelector('label[for=on]').remove(); document.querySelector('.under').style.color = '#bbb';"
        " document.querySelector('html').removeAttribute('lang'); }"
    )
    assert {"label", "color-contrast", "html-has-lang"} <= {one["id"] for one in Axe().run(seat.page).response["violations"]}


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
