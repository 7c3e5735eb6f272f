"""What the tests of the status page share: a case whose letters have gone, its codes, and a browser that opens its page."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from caseflow.domain.mailing import code_of
from tests.web.conftest import House, token

ASK = "request-information"
NOW = "2027-01-05T09:00"
PDF = b"%PDF-1.7\n% a page\n"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(17)


def held(house: House, dispatched: str | None = "2026-12-22T09:00", **more: Any) -> str:
    """A case in which two items were asked for on December 21, with its letters sent on the next day."""
    case = house.file("ohwm-confirmation", moment="2026-12-14T09:00", **more)
    house.act(case, ASK, "2026-12-21T09:00", items=["OHWM-c", "OHWM-f"])
    if dispatched is not None:
        house.app(dispatched).dispatch(False)
    return case


def code(house: House, case: str, role: str = "requester") -> str:
    """The code that stands in the letter to somebody."""
    app = house.app()
    with app.store.begin() as work:
        secret = work.secret("access-code")
        party = next(party for party in work.case(case).parties if party.role == role)
    return code_of(secret, case, role, party.name)


def open_page(client: TestClient, number: str, typed: str) -> Any:
    """Fills the form of number and code and sends it."""
    page = client.get("/status")
    return client.post("/status", data={"number": number, "code": typed, "form_token": token(page.text)})


def visitor(house: House, case: str, role: str = "requester", moment: str = NOW, **more: Any) -> TestClient:
    """A browser in which somebody's page is open."""
    client = house.client(None, moment, **more)
    assert open_page(client, case, code(house, case, role)).headers["location"] == "/status/case"
    return client


def send(client: TestClient, *files: tuple[str, str, bytes], **fields: str) -> Any:
    """Sends files from the status page: field, name, content."""
    page = client.get("/status/case")
    sent = [(field, (name, content, "application/octet-stream")) for field, name, content in files]
    return client.post("/status/case/documents", data={"form_token": token(page.text), **fields}, files=sent)


def add(client: TestClient, case: str, *files: tuple[str, bytes], **fields: str) -> Any:
    """Adds files as staff: name, content."""
    page = client.get(f"/cases/{case}/documents")
    sent = [("file", (name, content, "text/html")) for name, content in files]
    return client.post(f"/cases/{case}/documents", data={"form_token": token(page.text), **fields}, files=sent)
