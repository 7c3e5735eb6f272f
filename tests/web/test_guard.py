"""What comes from outside: foreign hosts, foreign forms, paths that lead elsewhere, names that are markup, and faults."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from tests.web.conftest import PASSWORD, SCRIPT, House, token, words

PAGES = ("/sign-in", "/docket", "/me", "/nowhere", "/health")


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_carries_the_headers_and_allows_no_inline_script_or_style(house: House, path: str) -> None:
    answer = house.client("wren").get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["cache-control"] == "no-store"
    assert " style=" not in answer.text and "<style" not in answer.text and "onclick" not in answer.text and "<script>" not in answer.text


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "", "evil.example:80", "[::1]"])
def test_a_foreign_host_is_not_answered(house: House, host: str) -> None:
    answer = house.client("wren").get("/docket", headers={"host": host})
    assert answer.status_code == 400 and "does not answer to that address" in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://testserver.evil.example"},
    ],
)
def test_a_form_that_another_site_sends_is_refused(house: House, headers: dict[str, str]) -> None:
    client = house.client("wren")
    sent = client.post("/sign-out", data={"form_token": token(client.get("/me").text)}, headers=headers)
    assert sent.status_code == 403 and client.get("/docket").status_code == 200


@pytest.mark.parametrize("given", ["", "0" * 64, "ü", "a" * 100000])
def test_a_form_without_this_sessions_token_is_refused(house: House, given: str) -> None:
    client = house.client("wren")
    sent = client.post("/sign-out", data={"form_token": given})
    assert sent.status_code == 403 and "nothing was recorded" in sent.text and client.get("/docket").status_code == 200


def test_a_form_token_of_another_session_is_refused(house: House) -> None:
    client, other = house.client("wren"), house.client("odell")
    assert client.post("/sign-out", data={"form_token": token(other.get("/me").text)}).status_code == 403


def test_the_sign_in_form_is_bound_to_its_browser(house: House) -> None:
    stranger = house.client(None)
    foreign = token(house.client(None).get("/sign-in").text)
    assert stranger.post("/sign-in", data={"name": "wren", "password": PASSWORD, "form_token": foreign}).status_code == 403


def test_what_is_no_form_or_too_large_is_refused_before_it_is_read(house: House) -> None:
    client = house.client("wren")
    assert client.post("/sign-out", json={"form_token": "x"}).status_code == 400
    assert client.post("/sign-out", content=b"x" * 1_000_001, headers={"content-type": "application/x-www-form-urlencoded"}).status_code == 413
    assert (
        client.post("/sign-out", content=iter([b"x=" + b"y" * 600_000] * 3), headers={"content-type": "application/x-www-form-urlencoded"}).status_code == 413
    )
    assert client.post("/sign-out", data={f"f{n}": "x" for n in range(3000)}).status_code == 400


@pytest.mark.parametrize("path", ["/docket", "/sign-in", "/health", "/api/v1/me"])
@pytest.mark.parametrize("length", ["9" * 13, "9" * 5000, "0x1", "-1"])
def test_a_length_that_no_number_holds_is_refused_in_a_sentence(house: House, path: str, length: str) -> None:
    answer = house.client(None).get(path, headers={"content-length": length})
    assert answer.status_code == 413 and "send less at a time" in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "../pyproject.toml",
        "..%2f..%2fpyproject.toml",
        "%2e%2e/site.py",
        "/etc/passwd",
        "caseflow.css/",
        "vendor/",
        "vendor/uswds/LICENSE.md",
        "caseflow.css%00",
    ],
)
def test_no_path_leads_out_of_the_files_of_the_site(house: House, path: str) -> None:
    answer = house.client(None).get(f"/static/{path}")
    assert answer.status_code in (303, 404) and "requires-python" not in answer.text and "root:" not in answer.text


def test_files_are_kept_by_their_version_and_packed(house: House) -> None:
    page = house.client(None).get("/sign-in").text
    address = page.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
    answer = house.client(None).get(address)
    assert "immutable" in answer.headers["cache-control"] and answer.headers["content-encoding"] == "gzip" and len(answer.text) > 500_000
    assert "immutable" not in house.client(None).get(address.partition("?")[0]).headers["cache-control"]


def test_names_that_are_markup_are_shown_as_text_everywhere(house: House) -> None:
    sample = house.app().read_yaml("workflows/wisconsin-dnr/samples/navigability-confirmation/complete.yaml")
    case = house.file(
        requester={**sample["requester"], "name": SCRIPT},
        waterbodies=[{**sample["waterbodies"][0], "name": f'"><img src=x onerror=alert(1)>{SCRIPT}'}],
        aliases=[SCRIPT],
    )
    client = house.client("odell")
    letter = house.app().letters(case, None)[0]["number"]
    for path in ("/docket", f"/cases/{case}", f"/cases/{case}/why/determination", f"/letters/{letter}"):
        page = client.get(path)
        assert (
            page.status_code == 200
            and "<script>alert" not in page.text
            and "<img" not in page.text
            and "onerror=alert(1)>" not in page.text.replace("&gt;", "")
        )
    assert SCRIPT in words(client.get(f"/cases/{case}").text)
    found = client.get("/docket", params={"q": SCRIPT, "workflow": SCRIPT, "with": SCRIPT, "show": SCRIPT, "after": SCRIPT})
    assert "<script>alert" not in found.text


@pytest.mark.parametrize("after", ["x", "2027-13-01:WD", ":", "-:", "2027-01-01:", "%00:%00", "9" * 5000])
def test_a_page_key_that_is_not_one_gives_a_sentence_or_the_first_page(house: House, after: str) -> None:
    answer = house.client("wren").get("/docket", params={"after": after})
    assert answer.status_code in (200, 400) and "Traceback" not in answer.text


@pytest.mark.parametrize("number", ["WD-2026-99999-1", "%00", "..%2f", "' OR 1=1 --", "x" * 3000, "{{7*7}}"])
def test_an_absent_case_has_the_words_of_a_foreign_one(house: House, number: str) -> None:
    answer = house.client("wren").get(f"/cases/{number}")
    assert answer.status_code == 404 and ("not yours to see" in answer.text) and "49" not in words(answer.text)  # an address of a file may have it


def test_what_breaks_gives_one_sentence_and_the_log_names_no_value(house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.delenv("CASEFLOW_DEBUG", raising=False)
    monkeypatch.setattr("caseflow.bootstrap.App.docket_page", lambda *_: 1 / int("Ines Quillfeather"[:0] or "0"))
    client = house.client("wren")
    with caplog.at_level(logging.INFO, "caseflow.web"):
        answer = client.get("/docket?q=Quillfeather")
    assert answer.status_code == 500 and "Something broke, and nothing was recorded." in answer.text and "ZeroDivision" not in answer.text
    assert "ZeroDivisionError at" in caplog.text and "Quillfeather" not in caplog.text and "wren" not in caplog.text.lower()


def test_who_goes_away_in_the_middle_of_a_form_is_no_fault(house: House, caplog: pytest.LogCaptureFixture) -> None:
    received = iter([{"type": "http.request", "body": b"name=wr", "more_body": True}, {"type": "http.disconnect"}])
    sent: list[Any] = []

    async def receive() -> Any:
        return next(received)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"testserver"), (b"content-type", b"application/x-www-form-urlencoded"), (b"content-length", b"99")]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/sign-in",
        "raw_path": b"/sign-in",
        "query_string": b"",
        "headers": headers,
        "scheme": "http",
        "root_path": "",
    }
    with caplog.at_level(logging.INFO, "caseflow.web"):
        asyncio.run(house.site()(scope, receive, send))
    assert "fault" not in caplog.text and sent[0]["status"] == 400


def test_the_log_names_routes_and_never_what_they_name(house: House, caplog: pytest.LogCaptureFixture) -> None:
    case = house.file()
    client = house.client("wren")
    with caplog.at_level(logging.INFO, "caseflow.web"):
        client.get(f"/cases/{case}")
    assert "/cases/{number} 200" in caplog.text and case not in caplog.text


def test_a_locked_database_is_said_in_a_sentence(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from caseflow.errors import StoreFault

    client = house.client("wren")

    def locked(*_: object) -> None:
        raise StoreFault("The database is locked by another process; nothing was changed.")

    monkeypatch.setattr("caseflow.bootstrap.App.docket_page", locked)
    answer = client.get("/docket")
    assert answer.status_code == 503 and "nothing was changed" in answer.text
