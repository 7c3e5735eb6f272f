"""A calendar link from the outside: what a calendar program reads, who may not, and what becomes of a date that moves."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import icalendar
import pytest
from starlette.testclient import TestClient

from tests.web import test_sight
from tests.web.conftest import House, token, words

small, three = test_sight.small, test_sight.three
ASK = {"items": ["NAV-e"], "reason": "It is missing."}


def link(house: House, scope: str = "team", who: str = "wren", moment: str = "2026-12-01T09:00") -> str:
    """A new link's path."""
    client = house.client(who, moment)
    made = client.post("/calendar/links", data={"scope": scope, "form_token": token(client.get("/calendar").text)})
    assert made.status_code == 200, made.text[:400]
    found = re.search(r'value="http://testserver(/feeds/[^"]+\.ics)"', made.text)
    assert found, made.text
    return found[1]


def outside(house: House, moment: str) -> TestClient:
    return house.client(None, moment)


def events(house: House, path: str, moment: str = "2026-12-01T09:00") -> dict[str, Any]:
    """What a calendar program reads, by uid."""
    answer = outside(house, moment).get(path)
    assert answer.status_code == 200 and answer.headers["content-type"] == "text/calendar; charset=utf-8", answer.text
    return {str(one["uid"]): one for one in icalendar.Calendar.from_ical(answer.content).walk("VEVENT")}


def end_of(case: str, clock: str = "determination") -> str:
    return f"{case}.{clock}.end@caseflow"


def test_a_link_is_read_without_signing_in_and_shows_the_last_day(house: House) -> None:
    case = house.file()
    one = events(house, link(house))[end_of(case)]
    assert one["dtstart"].dt == date(2026, 12, 30) and one["status"] == "CONFIRMED" and one["summary"] == f"{case}: last day in law"
    assert one["url"] == f"http://testserver/cases/{case}/why/determination"


def test_a_hold_calls_the_last_day_off_and_its_end_brings_the_same_event_back_later(house: House) -> None:
    case, path = house.file(), link(house)
    first = events(house, path)[end_of(case)]
    house.act(case, "request-information", "2026-12-07T09:00", **ASK)
    held = events(house, path, "2026-12-08T09:00")
    off, hold = held[end_of(case)], held[end_of(case, "response-target")]
    assert off["status"] == "CANCELLED" and off["dtstart"].dt == date(2026, 12, 30) and off["sequence"] > first["sequence"]
    assert hold["dtstart"].dt == date(2027, 1, 6) and hold["summary"] == f"{case}: hold may end"
    house.act(case, "accept-information", "2026-12-17T09:00", items=["NAV-e"])
    back = events(house, path, "2026-12-18T09:00")
    again = back[end_of(case)]
    assert again["status"] == "CONFIRMED" and again["dtstart"].dt == date(2027, 1, 9), "ten days held, from December 8 to 17"
    assert back[f"{case}.determination.target@caseflow"]["dtstart"].dt == date(2027, 1, 8), "the last day is a Saturday: its target is the Friday before"
    assert again["sequence"] > off["sequence"] and again["last-modified"].dt > off["last-modified"].dt
    assert back[end_of(case, "response-target")]["status"] == "CANCELLED"


def test_a_void_brings_the_old_day_back_under_the_same_uid(house: House) -> None:
    case, path = house.file(), link(house)
    events(house, path)
    house.act(case, "request-information", "2026-12-07T09:00", **ASK)
    off = events(house, path, "2026-12-08T09:00")[end_of(case)]
    house.app("2026-12-09T09:00").void(case, 2, "It was sent by mistake.", "odell:supervisor")
    back = events(house, path, "2026-12-09T10:00")
    assert back[end_of(case)]["dtstart"].dt == date(2026, 12, 30) and back[end_of(case)]["status"] == "CONFIRMED"
    assert back[end_of(case)]["sequence"] > off["sequence"]
    assert back[end_of(case, "response-target")]["status"] == "CANCELLED"


def test_an_amended_day_moves_the_same_event(house: House) -> None:
    case, path = house.file(), link(house)
    house.act(case, "request-information", "2026-12-07T09:00", **ASK)
    before = events(house, path, "2026-12-08T09:00")[end_of(case, "response-target")]
    house.app("2026-12-09T09:00").amend(case, 2, "2026-12-04", "It left on Friday.", "odell:supervisor")
    after = events(house, path, "2026-12-09T10:00")[end_of(case, "response-target")]
    assert (before["dtstart"].dt, after["dtstart"].dt) == (date(2027, 1, 6), date(2027, 1, 3)) and after["sequence"] > before["sequence"]


def test_a_decided_case_is_called_off_for_thirty_days_and_then_gone(house: House) -> None:
    case, path = house.file(), link(house)
    events(house, path)
    house.act(case, "withdraw", "2026-12-02T09:00", writing_received_on="2026-12-02")
    assert events(house, path, "2026-12-03T09:00")[end_of(case)]["status"] == "CANCELLED"
    assert end_of(case) in events(house, path, "2027-01-02T08:00")
    assert end_of(case) not in events(house, path, "2027-01-02T10:00")


def test_what_did_not_change_is_told_in_the_same_bytes_and_need_not_be_sent(house: House) -> None:
    case, path = house.file(), link(house)
    one = outside(house, "2026-12-01T09:00").get(path)
    later = outside(house, "2026-12-04T09:00")
    assert later.get(path).content == one.content
    unchanged = later.get(path, headers={"if-none-match": one.headers["etag"]})
    assert unchanged.status_code == 304 and unchanged.content == b"" and unchanged.headers["etag"] == one.headers["etag"]
    assert one.headers["cache-control"] == "private, no-cache"
    assert later.head(path).status_code == 200
    house.act(case, "request-information", "2026-12-07T09:00", **ASK)
    assert outside(house, "2026-12-08T09:00").get(path, headers={"if-none-match": one.headers["etag"]}).status_code == 200


def test_nothing_personal_is_told(house: House) -> None:
    case, path = house.file(), link(house)
    shown = house.app().show(case)
    text = outside(house, "2026-12-01T09:00").get(path).text.replace("\r\n ", "")
    assert case in text
    for secret in (shown["title"], shown["place"]["water"], shown["place"]["county"], *(party["name"] for party in shown["parties"]), "Halloway", "wren"):
        assert str(secret) not in text


def test_a_link_to_my_cases_follows_whose_they_are(house: House) -> None:
    mine, other = house.file(), house.file()
    house.act(mine, "assign", "2026-12-01T08:00", assignee="wren")
    path = link(house, "mine")
    assert {uid.partition(".")[0] for uid in events(house, path)} == {mine}
    house.act(mine, "assign", "2026-12-02T08:00", assignee="odell")
    house.act(other, "assign", "2026-12-02T08:00", assignee="wren")
    now = events(house, path, "2026-12-02T09:00")
    assert now[end_of(mine)]["status"] == "CANCELLED" and now[end_of(other)]["status"] == "CONFIRMED"


def test_a_link_that_was_ended_tells_nothing_from_that_moment(house: House) -> None:
    house.file()
    path, client = link(house), house.client()
    page = client.get("/calendar").text
    number = re.search(r"/calendar/links/([0-9a-f]+)/end", page)
    assert number and outside(house, "2026-12-01T09:00").get(path).status_code == 200
    assert client.post(f"/calendar/links/{number[1]}/end", data={"form_token": token(page)}).status_code == 303
    answer = outside(house, "2026-12-01T09:00").get(path)
    assert answer.status_code == 404 and "BEGIN:" not in answer.text
    assert "/end" not in client.get("/calendar").text


def test_a_closed_account_closes_its_links(house: House) -> None:
    house.file()
    path = link(house)
    house.app().people.disable("wren")
    assert outside(house, "2026-12-01T09:00").get(path).status_code == 404


def test_a_link_is_shown_once_and_kept_as_a_digest(house: House) -> None:
    path = link(house)
    secret = path.removeprefix("/feeds/").removesuffix(".ics")
    assert len(secret) == 43 and secret not in house.client().get("/calendar").text
    kept = b"".join(one.read_bytes() for one in house.folder.glob("case.db*"))
    assert secret.encode() not in kept


def test_nobody_ends_a_link_of_somebody_else_or_sees_it(house: House) -> None:
    path = link(house)
    number = re.search(r"/calendar/links/([0-9a-f]+)/end", house.client().get("/calendar").text)
    odell = house.client("odell")
    page = odell.get("/calendar").text
    assert number and number[1] not in page
    answer = odell.post(f"/calendar/links/{number[1]}/end", data={"form_token": token(page)})
    assert answer.status_code == 404 and "no such calendar link" in words(answer.text)
    assert outside(house, "2026-12-01T09:00").get(path).status_code == 200


@pytest.mark.parametrize("data", [{"scope": "mine"}, {"scope": "mine", "form_token": "0" * 64}])
def test_a_link_is_not_made_by_another_site(house: House, data: dict[str, str]) -> None:
    assert house.client().post("/calendar/links", data=data).status_code == 403


def test_a_scope_that_is_none_and_an_eleventh_link_are_refused(house: House) -> None:
    client = house.client()
    form = token(client.get("/calendar").text)
    assert client.post("/calendar/links", data={"scope": "all", "form_token": form}).status_code == 400
    for _ in range(10):
        assert client.post("/calendar/links", data={"scope": "mine", "form_token": form}).status_code == 200
    answer = client.post("/calendar/links", data={"scope": "mine", "form_token": form})
    assert answer.status_code == 400 and "10 calendar links already" in words(answer.text)


def test_guessing_is_slowed_and_an_ended_link_is_no_guess(house: House) -> None:
    path, ended = link(house), link(house, who="odell")
    odell = house.client("odell")
    page = odell.get("/calendar").text
    number = re.search(r"/calendar/links/([0-9a-f]+)/end", page)
    assert number
    odell.post(f"/calendar/links/{number[1]}/end", data={"form_token": token(page)})
    client = outside(house, "2026-12-01T09:00")
    assert {client.get(ended).status_code for _ in range(40)} == {404} and client.get(path).status_code == 200
    told = {client.get(f"/feeds/{guess:043d}.ics").text for guess in range(29)}
    assert len(told) == 1 and client.get(path).status_code == 200
    assert client.get("/feeds/short.ics").status_code == 404
    slowed = client.get(f"/feeds/{99:043d}.ics")
    assert slowed.status_code == 429 and slowed.headers["retry-after"] == "900" and client.get(path).status_code == 429
    real = client.app._site.desk.feeds._wall  # type: ignore[attr-defined]
    client.app._site.desk.feeds._wall = lambda: real() + timedelta(minutes=16)  # type: ignore[attr-defined]
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("token", ["", "x", "../../etc/passwd", "%00" * 43, "ü" * 43, "'" + "a" * 42, "a" * 5000])
def test_a_strange_link_is_none(house: House, token: str) -> None:
    assert outside(house, "2026-12-01T09:00").get(f"/feeds/{token}.ics").status_code in (404, 400)


def test_what_a_link_told_anew_stands_among_who_saw_what(house: House) -> None:
    case, path = house.file(), link(house)
    client = outside(house, "2026-12-01T09:00")
    client.get(path)
    client.get(path)
    desk = client.app._site.desk  # type: ignore[attr-defined]
    desk.reads.flush()
    found = [one.what for _, one in desk.store.accounts.readings(case=case)]
    assert found == ["calendar link"], "once, and not at every reading"


def test_a_link_tells_only_what_its_owner_sees_at_that_moment(small: House, three: dict[str, str]) -> None:
    client = small.client("cleo")
    made = client.post("/calendar/links", data={"scope": "team", "form_token": token(client.get("/calendar").text)})
    path = re.search(r"(/feeds/[^\"]+\.ics)", made.text)
    assert path
    told = events(small, path[1])
    assert {uid.partition(".")[0] for uid in told} == {three["mine"]}, "the others are nobody's, or sealed"
    small.act(three["mine"], "seal", "2026-12-02T10:00")
    assert {str(one["status"]) for one in events(small, path[1], "2026-12-02T11:00").values()} == {"CANCELLED"}
