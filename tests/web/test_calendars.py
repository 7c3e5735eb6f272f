"""The pages of changed calendars: hand one in, see what it moves, adopt it, go on, undo it; for supervisors who see every case.

A request for a navigability confirmation of November 30 is decided by Wednesday, December 30, 2026.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PACK
from tests.web.conftest import SCRIPT, House, token, words


def changed(folder: Path, version: str, *days: str, name: str = "Day of the Oak") -> Path:
    """The pack's calendar with further legal holidays, under another version."""
    text = (PACK / "calendar.yaml").read_text()
    rows = "".join(f'      - {{name: "{name}", once: {day}, source: Executive Order 12}}\n' for day in days)
    first = "      - {name: New Year's Day, month-day: 01-01}\n"
    file = folder / f"calendar-{version}.yaml"
    file.write_text(text.replace('version: "2026.1"', f'version: "{version}"').replace(first, first + rows, 1))
    return file


def hand_in(house: House, client: Any, file: Path) -> Any:
    sent = {"form_token": token(client.get("/calendar/changes").text)}
    return after(client, client.post("/calendar/changes", data=sent, files={"file": (file.name, file.read_bytes())}))


def after(client: Any, answer: Any) -> Any:
    """The page to which a form leads."""
    return client.get(answer.headers["location"]) if answer.status_code == 303 else answer


def send(client: Any, page: Any, address: str, **fields: str) -> Any:
    """A form of a page sent, and the page to which it leads."""
    return after(client, client.post(address, data={"form_token": token(page.text), **fields}))


def test_a_supervisor_hands_a_calendar_in_sees_each_case_before_and_after_adopts_it_and_undoes_it(house: House) -> None:
    case, client = house.file(), house.client("odell")
    assert "Days are counted by calendar wisconsin-dnr 2026.1" in words(client.get("/calendar/changes").text)

    page = hand_in(house, client, changed(house.folder, "2026.2", "2026-12-30"))
    said = words(page.text)
    assert "Version 2026.2 moves 1 open case of 1" in said
    assert "+ added Day of the Oak Wed, Dec 30, 2026 Legal holiday (Executive Order 12)" in said
    assert f"{case} " in said and "Wed, Dec 30 Thu, Dec 31" in said, said

    address = str(page.url.path)
    without = send(client, page, address, because=" ")
    assert without.status_code == 422 and "Nothing was adopted" in words(without.text)
    done = send(client, page, address, because="Executive Order 12.")
    said = words(done.text)
    assert done.url.path == "/calendar/adoptions/1"
    assert "Version 2026.2 is adopted: 1 case moved" in said and "odell, supervisor" in said
    assert house.app().show(case)["clocks"][0]["due"] == "2026-12-31"
    assert "Adoption 1, version 2026.2" in words(client.get("/calendar/changes").text)
    assert "It is adopted" in words(client.get(address).text)

    undone = send(client, done, "/calendar/adoptions/1", intent="undo", because="Withdrawn.")
    assert "Version 2026.2 is undone: 1 case moved" in words(undone.text)
    assert house.app().show(case)["clocks"][0]["due"] == "2026-12-30"
    assert "undone by 2" in words(client.get("/calendar/changes").text)


def test_a_large_docket_is_moved_a_part_at_a_time_and_the_page_says_how_far_it_has_come(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from caseflow.web import wholedocket

    cases, client = [house.file(), house.file()], house.client("odell")
    monkeypatch.setattr(wholedocket, "A_PART", 1)
    monkeypatch.setattr(wholedocket, "A_MOMENT", 0.0)
    page = hand_in(house, client, changed(house.folder, "2026.2", "2026-12-30"))
    assert "Version 2026.2 moves 1 of the 1 cases looked at here" in words(page.text)
    assert "Look at the next of 1 open cases" in words(page.text)
    rest = client.get(f"{page.url.path}?after={cases[0]}&looked=1")
    assert "Cases that move, 2 to 2 of 2 open ones looked at" in words(rest.text)

    part = send(client, page, page.url.path, because="Executive Order 12.")
    assert "Version 2026.2 is being adopted: 1 case moved" in words(part.text)
    assert '<progress max="2" value="1"' in part.text and "1 of 2 open cases looked at" in words(part.text)
    done = part
    while "Go on with the next cases" in done.text:
        done = send(client, done, "/calendar/adoptions/1", intent="go-on")
    assert "Version 2026.2 is adopted: 2 cases moved" in words(done.text)
    assert [house.app().show(case)["clocks"][0]["due"] for case in cases] == ["2026-12-31", "2026-12-31"]


def test_a_calendar_that_does_not_fit_is_refused_with_the_line_and_nothing_is_kept(house: House) -> None:
    client = house.client("odell")
    file = changed(house.folder, "2026.2", "2026-12-30")
    file.write_text(file.read_text().replace("closed-on: [saturday", "closed-on: [caturday"))

    page = hand_in(house, client, file)

    assert page.status_code == 422
    assert "This calendar can’t be used" in words(page.text) and "calendar-2026.2.yaml:" in words(page.text)
    assert "Choose one calendar file" in words(client.post("/calendar/changes", data={"form_token": token(page.text)}, files={"other": b""}).text)
    assert "is not UTF-8 text" in words(client.post("/calendar/changes", data={"form_token": token(page.text)}, files={"file": b"\xff\xfe"}).text)


def test_a_name_in_a_calendar_stays_a_name(house: House) -> None:
    house.file()

    page = hand_in(house, house.client("odell"), changed(house.folder, "2026.2", "2026-12-30", name=SCRIPT))

    assert page.status_code == 200 and "<script>alert" not in page.text and "alert(&#39;x&#39;)" in page.text


def test_the_pages_are_for_whoever_oversees_and_adopting_for_whoever_acts_besides(house: House) -> None:
    house.file()
    service = house.app().calendars.service
    version = service.keep(changed(house.folder, "2026.2", "2026-12-30").read_text(), "calendar.yaml")
    address = f"/calendar/changes/{version}"

    for who in ("wren", "max"):
        assert house.client(who).get("/calendar/changes").status_code == 403
        assert house.client(who).get(address).status_code == 403
    auditor = house.client("ada")
    seen = auditor.get(address)
    assert seen.status_code == 200 and "Adopt it" not in words(seen.text) and "moves 1 open case" in words(seen.text)
    assert "Changed calendars" in words(house.client("odell").get("/calendar").text)
    assert "Changed calendars" not in words(house.client("wren").get("/calendar").text)
    assert house.client("odell").get("/calendar/changes/2026.2@0").status_code == 404
    assert house.client("odell").get("/calendar/adoptions/9").status_code == 404
