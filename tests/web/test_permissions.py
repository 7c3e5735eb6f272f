"""Who may send what: every address of the site that takes something says so, and one that was added later can't be forgotten."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import pytest

from caseflow.web import site, uploads
from caseflow.web.pages import status
from tests.web.conftest import House, token, words
from tests.web.test_sight import dependencies, routes

OWN = {"/sign-in", "/sign-out", "/me/sessions", "/me/password"}
"""Addresses where a person changes nothing but what is their own."""
KINDS = {
    **dict.fromkeys((status.asked_form, status.visit_form, status.visit_upload), "visit"),
    uploads.upload: "records",
    uploads.overseers_upload: "own",  # it is looked at and kept nowhere
    site.form: "records",
    site.judged_form: "judged",
    site.managers_form: "manages",
    site.own_form: "own",  # the last: those above ask for it too
}


def sending(house: House) -> list[tuple[str, str, str]]:
    """Every address that takes something: its method, path and the kind of form it asks for."""
    found = []
    for route in routes(house):
        asked = dependencies(route.dependant)
        kind = next((kind for one, kind in KINDS.items() if one in asked), "")
        found += [(method, route.path, kind) for method in sorted(route.methods - {"GET", "HEAD"}) if not route.path.startswith("/api/")]
    return found


def kept(house: House) -> dict[str, list[Any]]:
    """All that is on record, but for sessions and who looked at what."""
    with sqlite3.connect(house.folder / "case.db") as database:
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search%'")]
        return {name: sorted(map(repr, database.execute(f"SELECT * FROM {name}"))) for name in names if name not in ("session", "reading", "guess")}


def test_every_address_that_takes_something_says_what_kind_of_form_it_takes(house: House) -> None:
    found = sending(house)
    assert len(found) >= 8
    assert not [path for _, path, kind in found if not kind], "take the form as Form, JudgedForm, ManagersForm or OwnForm (web/site.py)"
    assert {path for _, path, kind in found if kind == "own"} >= OWN


@pytest.mark.parametrize("who", ["ada", "max"])
def test_a_role_that_only_reads_changes_nothing_at_any_address(house: House, who: str) -> None:
    case = house.file()
    house.act(case, "add-note", "2026-12-01T09:00", note="x")
    letter = house.app().letters(case, None)[0]["number"]
    with house.app().store.begin() as work:
        work.letter_status(letter, "draft")
    client = house.client(who)
    before = kept(house)
    sent = {"form_token": token(client.get("/me").text), "intent": "do", "because": "x", "on": "2026-12-01", "f.note": "x", "note": "x", "name": "wren"}
    tried = []
    for method, path, kind in sending(house):
        if kind == "visit":
            continue  # of people without an account: test_status
        if kind == "own" or (kind == "manages" and who == "max"):
            continue
        number = letter if "/letters/" in path else case
        address = path.replace("{number}", number).replace("{action}", "add-note").replace("{seq}", "2")
        address = re.sub(r"\{[^}]*\}", "1", address)
        answer = client.request(method, address, data=sent)
        assert answer.status_code in ((403,) if kind != "judged" else (403, 409, 422)), (path, answer.status_code)
        assert re.search(r"only reads|does not open this page|is for staff|approves this letter|not for (auditor|administrator)", words(answer.text)), path
        tried.append(path)
    assert len(tried) >= 3
    assert kept(house) == before


def test_without_a_session_no_address_takes_anything(house: House) -> None:
    stranger = house.client(None)
    before = kept(house)
    for method, path, kind in sending(house):
        if path == "/sign-in":
            continue
        answer = stranger.request(method, re.sub(r"\{[^}]*\}", "1", path), data={"form_token": "0" * 64})
        assert answer.status_code in (303, 403) and answer.headers.get("location", "/status" if kind == "visit" else "/sign-in").startswith(
            "/status" if kind == "visit" else "/sign-in"
        ), path
    assert kept(house) == before


def test_an_address_only_shows_what_it_answers_to_get(house: House) -> None:
    """A link that somebody opens, or a program that opens every link of a letter, never acts."""
    case = house.file()
    letter = house.app().letters(case, None)[0]["number"]
    client = house.client("odell")
    before = kept(house)
    for route in routes(house):
        if "GET" in route.methods and not route.path.startswith(("/static", "/api/")):
            number = letter if "/letters/" in route.path else case
            client.get(re.sub(r"\{[^}]*\}", "1", route.path.replace("{number}", number).replace("{action}", "add-note").replace("{clock}", "determination")))
    assert kept(house) == before
