"""Pictures of every page of the site on a sample docket at a fixed moment: `python -m tests.web.shots DIR`.

Each page is pictured at 1280 and 400 px, whole. With --docs the pages that the documentation shows go, cut at a screen or two, into
docs/pictures as well. With --docket FOLDER the docket is kept there and used again, which spares its rehearsal. Whether pages are
sound is asked by test_browser.py, not here.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import uvicorn
from PIL import Image

from caseflow.demo import PEOPLE as STAFF
from caseflow.demo import seed
from caseflow.services.documents import Given
from caseflow.services.sight import EVERYTHING
from caseflow.web.app import create_app
from caseflow.web.server import listening
from caseflow.web.site import Site
from tests.conftest import PACK, ROOT
from tests.web.conftest import PASSWORD, Clock, House
from tests.web.test_browser import CHROMIUM
from tests.web.visiting import PDF, code

MOMENT = datetime(2027, 1, 12, 10, 15, tzinfo=ZoneInfo("America/Chicago"))
WIDTHS = {1280: 1100, 400: 1300}
"""The widths, each with the height at which a picture of the documentation is cut."""
LARGEST = 120_000
OVERSEER = "h.brandt"
ANSWERED, LACKING = "3-NE-2026-71-0417", "3-NE-2027-71-0003"
"""Former numbers, by which the two cases with a story are found."""
SHOWN = ("my-work", "docket", "case", "action", "letter", "new-request", "board", "audit", "calendar", "workflow", "status")
"""The pages that the documentation shows."""


@dataclass
class Sample:
    """The docket with the cases that are worth a look."""

    house: House
    running: str
    lacking: str
    held: str
    late: str
    decided: str
    visit: str

    def pages(self) -> dict[str, tuple[str, str]]:
        """Name: who looks, and where."""
        staff, request = STAFF[0], self.running.rpartition("-")[0]
        return {
            "sign-in": ("", "/sign-in"),
            "my-work": (staff, "/my-work"),
            "assign": (staff, f"/cases/{self.running}/assign"),
            "docket": (staff, "/docket"),
            "docket-search": (staff, "/docket?q=mill+creek"),
            "new-request": (staff, "/requests/new"),
            "request": (staff, f"/requests/{request}"),
            "case": (staff, f"/cases/{self.running}"),
            "case-held": (staff, f"/cases/{self.held}"),
            "case-late": (staff, f"/cases/{self.late}"),
            "case-decided": (staff, f"/cases/{self.decided}"),
            "action": (staff, f"/cases/{self.lacking}/do/request-information"),
            "why": (staff, f"/cases/{self.running}/why/determination"),
            "correction": (staff, f"/cases/{self.lacking}/entries/1"),
            "people": (staff, f"/cases/{self.held}/people"),
            "documents": (staff, f"/cases/{self.held}/documents"),
            "letter": (staff, f"/letters/{self.running}-L2"),
            "me": (staff, "/me"),
            "tokens": (staff, "/me/tokens"),
            "calendar": (staff, "/calendar"),
            "calendar-list": (staff, "/calendar?view=list"),
            "workflows": (staff, "/workflows"),
            "workflow": (staff, f"/workflows/navigability-confirmation?case={self.running}"),
            "workflow-letter": (staff, "/workflows/navigability-confirmation/samples/information-request"),
            "workflow-permit": (staff, "/workflows/general-permit"),
            "versions": (OVERSEER, "/workflows/versions"),
            "board": (OVERSEER, "/board"),
            "board-past": (OVERSEER, "/board?as_of=2026-12-15"),
            "board-list": (OVERSEER, "/board/cases?show=overdue"),
            "audit": (OVERSEER, f"/cases/{self.running}/audit"),
            "audit-office": (OVERSEER, "/board/audit"),
            "record": (OVERSEER, f"/cases/{self.running}/record"),
            "record-check": (OVERSEER, f"/records/check?case={self.running}"),
            "hand-over": (OVERSEER, f"/my-work/hand-over?account={staff}"),
            "accounts": ("max", "/accounts"),
            "nothing-there": (staff, "/cases/NONE"),
            "status-form": ("", "/status"),
            "status": ("", "/status/case"),
            "status-letter": ("", f"/status/case/letters/{self.held}-L1"),
            "api": ("", "/api/v1/docs"),
        }


def sample(folder: Path) -> Sample:
    """The docket, made in the folder unless it is there already, with somebody for each role and work for each of them."""
    house = House(folder, Clock(MOMENT.astimezone(UTC)))
    app = house.app(MOMENT.isoformat())
    if not (folder / "case.db").exists():
        seed(app, MOMENT.date())
        for name, role in {**dict.fromkeys(STAFF, "staff"), OVERSEER: "supervisor", "ada": "auditor", "max": "administrator"}.items():
            app.people.add(name, name.replace(".", " ").title(), role, PASSWORD)
        told(house)
    else:
        app.open()
    rows = list(app.docket_rows({}, EVERYTHING))

    def first(*states: str, late: bool = False) -> str:
        return str(next(row["case"] for row in rows if f"{row['workflow']} {row['state']}" in states and row["overdue"] is late))

    held = first("ohwm-confirmation info-requested-once", "navigability-confirmation info-requested-once")
    visit = app.applicants.come_in(held, code(house, held), "::1")
    if not app.documents.listed(held):
        app.applicants.send(app.applicants.who(visit), [Given("bank heights, stations 1 to 3.pdf", BytesIO(PDF))])
    decided = next(row["case"] for row in app.docket_rows({"decided": True}, EVERYTHING) if row["ends"])
    late = next(row["case"] for row in rows if row["overdue"])
    running, lacking = (str(app.show(former)["case"]) for former in (ANSWERED, LACKING))
    return Sample(house, running, lacking, held, late, decided, visit)


def told(house: House) -> None:
    """Two cases with a story: one whose answer has come and was once typed wrong, and one that lacks two items."""

    def act(case: str, action: str, moment: str, on: str | None = None, **facts: Any) -> int:
        house.app(moment).sweep(None)
        return int(house.app(moment).act(case, action, facts, on, f"{STAFF[0]}:staff", None, None, False)["version"])

    def evening(day: str) -> None:
        house.app(f"{day}T17:00").dispatch(False)

    items = house.app().read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml"))["submitted"]
    answered = house.file(moment="2026-12-07T09:20", aliases=[ANSWERED], waterbodies=[{"name": "Heron Run", "county": "Vilas", "wbic": "1600417"}])
    act(answered, "assign", "2026-12-07T11:00", assignee=STAFF[0])
    evening("2026-12-07")
    house.app("2026-12-11T08:00").sweep(None)
    act(answered, "request-information", "2026-12-18T10:00", items=["NAV-c", "NAV-e"], reason="Two items are missing.")
    evening("2026-12-18")
    wrong = act(answered, "accept-information", "2026-12-28T09:10", items=["NAV-c", "NAV-e"])
    house.app("2026-12-30T15:00").void(answered, wrong, "The bank heights are for the wrong reach.", f"{OVERSEER}:supervisor")
    act(answered, "accept-information", "2027-01-07T08:50", "2027-01-05", items=["NAV-c", "NAV-e"])
    lacking = house.file(moment="2027-01-08T14:00", aliases=[LACKING], submitted=[one for one in items if one not in ("NAV-e", "NAV-h")])
    act(lacking, "assign", "2027-01-08T15:00", assignee=STAFF[0])
    evening("2027-01-08")


@contextmanager
def serving(shown: Sample) -> Iterator[str]:
    """The site at the moment, beside a scheduler that has just swept; gives its address."""
    taken = listening("127.0.0.1", 0)
    app = shown.house.app(MOMENT.isoformat())
    told = {**app.standing(), "swept_at": MOMENT.isoformat(), "late": False}
    app.standing = lambda: told  # type: ignore[method-assign]
    site = create_app(Site(app, ("127.0.0.1",), sample=True, scheduler=False))
    server = uvicorn.Server(uvicorn.Config(site, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


def signed_in(browser: Any, address: str, shown: Sample, who: str) -> Any:
    """A page of a browser in which somebody is signed in, or nobody but a requester."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_cookies([{"name": "caseflow-status", "value": shown.visit, "domain": "127.0.0.1", "path": "/status/case"}])
    page = context.new_page()
    if who:
        page.goto(f"{address}/sign-in")
        page.fill("#name", who)
        page.fill("#password", PASSWORD)
        page.press("#password", "Enter")
        page.wait_for_load_state("networkidle")
    return page


def packed(picture: bytes, most: int | None = None) -> bytes:
    """A picture in 256 colors, cut at a height."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    if most is not None and image.height > most:
        image = image.crop((0, 0, image.width, most))
    made = BytesIO()
    image.quantize(256, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()


def take(shown: Sample, folder: Path, only: str, docs: Path | None) -> list[str]:
    """Writes the pictures; the answer names those that can't be shown."""
    from playwright.sync_api import sync_playwright

    faults: list[str] = []
    with serving(shown) as address, sync_playwright() as made:
        browser = made.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        seats: dict[str, Any] = {}
        for name, (who, path) in shown.pages().items():
            if only not in name:
                continue
            page = seats[who] = seats.get(who) or signed_in(browser, address, shown, who)
            for width, most in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": 900})
                answer = page.goto(address + path)
                if answer is None or answer.status != (404 if path == "/cases/NONE" else 200):
                    faults.append(f"{name} at {path} answered {answer and answer.status}")
                page.evaluate("document.fonts.ready.then(() => 1)")
                picture = page.screenshot(full_page=True)
                (folder / f"{name}-{width}.png").write_bytes(packed(picture))
                if docs is not None and name in SHOWN:
                    small = packed(picture, most)
                    (docs / f"{name}-{width}.png").write_bytes(small)
                    if len(small) > LARGEST:
                        faults.append(f"{name} at {width} px has {len(small):,} bytes, more than {LARGEST:,}")
        browser.close()
    return faults


def main(words: list[str] | None = None) -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.web.shots", description="Pictures of every page of the site on a sample docket.")
    asked.add_argument("folder", type=Path, help="where the pictures go")
    asked.add_argument("--docket", type=Path, help="keep the docket in this folder and use it again")
    asked.add_argument("--docs", action="store_true", help="write those of the documentation into docs/pictures too")
    asked.add_argument("--only", default="", metavar="WORD", help="only pages with this word in their name")
    given = asked.parse_args(words)
    if CHROMIUM is None:
        print("There is no chromium on this machine (apt-get install chromium).", file=sys.stderr)
        return 2
    docs = ROOT / "docs" / "pictures" if given.docs else None
    for folder in (given.folder, docs, given.docket):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        shown = sample(given.docket or Path(made))
        faults = take(shown, given.folder, given.only, docs)
        shown.house.app().store.engine.dispose()
    print(*faults, sep="\n", file=sys.stderr, end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
