"""The status page of a case, for the people of its request: no account, a number and the code from a letter."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from io import BytesIO
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request, Response
from starlette.datastructures import FormData

from caseflow.errors import CaseflowError, NotFound
from caseflow.services.applicants import NotOpened
from caseflow.services.filetypes import ENDINGS, TAKEN
from caseflow.services.people import form_token
from caseflow.services.ports.visits import Visit
from caseflow.web import documents
from caseflow.web.site import Desk, Site, noted, page, read_fields, see_other, site_of, text_of
from caseflow.web.turns import Page
from caseflow.web.uploads import as_download, closing, files_of, read_form

router = APIRouter(route_class=Page)
BEFORE = "caseflow-status-form"
"""The cookie of a browser that has not opened a status page yet, so that its form is its own too."""


class VisitNeeded(Exception):
    """No status page is open in this browser, or not any more."""


def _cookie(site: Site) -> str:
    return "__Host-caseflow-status" if site.secure else "caseflow-status"


def _token(request: Request) -> str | None:
    return request.cookies.get(_cookie(site_of(request)))


def visitor(request: Request) -> Visit:
    """Who reads the status page. Raises VisitNeeded."""
    found: Visit | None = site_of(request).desk.applicants.who(_token(request))
    if found is None:
        raise VisitNeeded
    return found


Visitor = Annotated[Visit, Depends(visitor)]


async def asked_form(request: Request) -> FormData:
    return await read_fields(request, request.cookies.get(BEFORE))


async def visit_form(request: Request, visit: Visitor) -> FormData:  # noqa: ARG001 - who it is comes before anything is read
    return await read_fields(request, _token(request))


async def visit_upload(request: Request, visit: Visitor) -> AsyncIterator[FormData]:  # noqa: ARG001
    async with closing(await read_form(request, _token(request))) as sent:
        yield sent


@router.get("/status")
def ask(request: Request, site: Desk) -> Response:
    """The form for number and code."""
    if site.desk.applicants.who(_token(request)) is not None:
        return see_other("/status/case")
    over = request.query_params.get("over") == "yes"
    return _form(request, note="This page closes after an hour, and when you leave it. Open it again with your number and code." if over else "")


def _form(request: Request, number: str = "", wrong: str = "", note: str = "") -> Response:
    before = request.cookies.get(BEFORE) or secrets.token_urlsafe(24)
    agency = site_of(request).desk.applicants.agency()
    data = {"agency": agency, "number": number, "wrong": wrong, "note": note, "form_token": form_token(before)}
    answer = page(request, "status-open.html", data, 401 if wrong else 200)
    answer.set_cookie(BEFORE, before, max_age=3600, httponly=True, samesite="strict", secure=site_of(request).secure, path="/status")
    return answer


@router.post("/status")
def come_in(request: Request, site: Desk, sent: Annotated[FormData, Depends(asked_form)]) -> Response:
    """Opens the page of a case for an hour."""
    number = text_of(sent, "number")[:200]
    address = request.client.host if request.client else ""
    try:
        token = site.desk.applicants.come_in(number, text_of(sent, "code"), address)
    except NotOpened as fault:
        return _form(request, number, str(fault))
    site.desk.applicants.leave(_token(request))
    answer = see_other("/status/case")
    answer.set_cookie(_cookie(site), token, max_age=3600, httponly=True, samesite="lax", secure=site.secure, path="/")
    answer.delete_cookie(BEFORE, path="/status")
    return answer


@router.post("/status/leave")
def leave(request: Request, site: Desk, sent: Annotated[FormData, Depends(visit_form)]) -> Response:  # noqa: ARG001
    """Closes the page, in the database and not only in the browser."""
    site.desk.applicants.leave(_token(request))
    answer = see_other("/status")
    answer.delete_cookie(_cookie(site), path="/", secure=site.secure, httponly=True, samesite="lax")
    return answer


@router.get("/status/case")
def case(request: Request, site: Desk, visit: Visitor) -> Response:
    """Where the case stands."""
    return _page(request, site, visit, received=request.query_params.get("received", ""))


def _page(request: Request, site: Site, visit: Visit, wrong: str = "", received: str = "") -> Response:
    found = site.desk.applicants.status(visit)
    _looked(request, visit, "status page")
    seq = int(received) if received.isdecimal() and len(received) < 9 else None
    data = {
        **found,
        "wrong": wrong,
        "received": [one for one in found["sent"] if one["seq"] == seq],
        "known": received == "known",
        "limits": site.desk.documents.limits,
        "taken": TAKEN,
        "endings": ENDINGS,
        "form_token": form_token(_token(request) or ""),
    }
    return page(request, "status-case.html", data, 422 if wrong else 200)


@router.post("/status/case/documents")
def send(request: Request, site: Desk, visit: Visitor, sent: Annotated[FormData, Depends(visit_upload)]) -> Response:
    """Takes in what they send: all of it or nothing."""
    try:
        receipt = site.desk.applicants.send(visit, files_of(sent))
    except NotFound:
        raise
    except CaseflowError as fault:
        return _page(request, site, visit, wrong=str(fault))
    return see_other(f"/status/case?received={receipt.seq or 'known'}#received")


@router.get("/status/case/letters/{number}")
def letter(number: str, request: Request, site: Desk, visit: Visitor) -> Response:
    """A letter that was sent to this person."""
    found = site.desk.applicants.letter(visit, number)
    if not found["opens"]:
        _looked(request, visit, f"letter {number}")
    data = {
        "agency": site.desk.applicants.agency(),
        "case": visit.case,
        "letter": found,
        "body": documents.body(found["part"], below=1) if not found["opens"] else "",
        "form_token": form_token(_token(request) or ""),
    }
    return page(request, "status-letter.html", data)


@router.post("/status/case/letters/{number}/open")
def open_letter(number: str, site: Desk, visit: Visitor, sent: Annotated[FormData, Depends(visit_form)]) -> Response:  # noqa: ARG001
    """Opens a letter whose opening proves its delivery. Reading a page never does: mail programs follow links by themselves."""
    site.desk.applicants.open_letter(visit, number)
    return see_other(f"/status/case/letters/{quote(number)}")


@router.get("/status/case/letters/{number}/pdf")
def letter_pdf(number: str, request: Request, site: Desk, visit: Visitor) -> Response:
    """The same letter as PDF."""
    data = site.desk.applicants.letter_pdf(visit, number)
    _looked(request, visit, f"letter {number} as PDF")
    return as_download(BytesIO(data), f"{quote(number)}.pdf", "application/pdf", len(data))


def _looked(request: Request, visit: Visit, what: str) -> None:
    noted(request, f"({visit.role})", visit.case, what)
