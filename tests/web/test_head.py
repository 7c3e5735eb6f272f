"""Whoever asks for the head of an answer alone is told what a page would say of itself, and has looked at nothing."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from caseflow.web.app import create_app
from caseflow.web.site import Site
from tests.web.conftest import House, sign_in
from tests.web.visiting import NOW, held, visitor

CASE = "WD-2026-00001-1"
SEEN = (
    "/docket",
    f"/cases/{CASE}",
    f"/cases/{CASE}/documents",
    "/my-work",
    "/me",
    "/sign-in",
    "/health",
    "/static/calendar.css",
    "/",
    "/nowhere",
    "/cases/WD-9",
)


@pytest.fixture
def house(house: House) -> House:
    """A site with one case."""
    assert house.file() == CASE
    return house


def test_the_head_of_a_page_a_file_and_a_refusal_is_that_of_the_whole_answer(house: House) -> None:
    client = house.client()
    for path in SEEN:
        whole, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (whole.status_code, b""), path
        assert {**head.headers} == {**whole.headers}, path
        assert int(head.headers["content-length"]) > 0 or "location" in head.headers, path
    assert client.head("/static/calendar.css").headers["content-type"] == "text/css; charset=utf-8"
    assert house.client(None).head("/docket").headers["location"] == "/sign-in?next=/docket"
    whole = client.get("/docket.csv").headers
    assert client.head("/docket.csv").headers == whole, "without a length: its rows are not read for it"


def test_what_is_asked_by_a_program_has_a_head_too(house: House) -> None:
    program = house.program()
    for path in (f"/api/v1/cases/{CASE}", "/api/v1/docket", "/api/v1/nowhere"):
        whole, head = program.get(path), program.head(path)
        assert (head.status_code, head.content, {**head.headers}) == (whole.status_code, b"", {**whole.headers}), path


def test_who_asks_for_a_head_has_looked_at_nothing_and_who_reads_on_is_noted_once(house: House) -> None:
    site = house.app()
    client = TestClient(create_app(Site(site, ("testserver",), scheduler=False)), follow_redirects=False)
    sign_in(client, "wren")
    paths = (f"/cases/{CASE}", f"/cases/{CASE}/documents", "/docket.csv")

    def noted() -> list[tuple[str, str]]:
        site.reads.flush()
        return sorted((one.case, one.what) for _, one in site.store.accounts.readings(account="wren"))

    assert [client.head(path).status_code for path in paths] == [200, 200, 200]
    assert noted() == []
    assert [client.get(path).status_code for path in paths] == [200, 200, 200]
    assert noted() == [(CASE, "case"), (CASE, "documents"), ("docket", "docket.csv, 1 cases")]


def test_a_head_of_the_page_of_whom_a_case_is_about_is_no_visit(house: House) -> None:
    case = held(house)
    client = visitor(house, case)
    site = client.app._site.desk  # type: ignore[attr-defined]
    assert client.head("/status/case").status_code == 200
    site.reads.flush()
    assert not site.store.accounts.readings(case=case)
    assert client.get("/status/case").status_code == 200
    site.reads.flush()
    assert [one.what for _, one in house.app(NOW).store.accounts.readings(case=case)] == ["status page"]


def test_a_head_changes_nothing_where_a_form_is_sent_or_a_session_opened(house: House) -> None:
    client = house.client()
    assert client.head("/sign-out").status_code in (404, 405)
    assert client.head(f"/cases/{CASE}/documents/1/withdraw").status_code in (404, 405)
    assert client.get("/docket").status_code == 200, "still signed in"
