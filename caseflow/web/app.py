"""The app factory: pages, files, guard, and how every deliberate error becomes a page of one clear sentence."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from caseflow.errors import BadInput, CaseflowError, Disposed, LetterFault, NotFound, Refused, StaleCase, StoreFault
from caseflow.web.api.problems import answered, of_status
from caseflow.web.api.room import ROOT, create_api
from caseflow.web.guard import Guard, TooLarge, broken
from caseflow.web.pages import (
    account,
    accounts,
    action,
    audit,
    board,
    calendar,
    calendars,
    case,
    correction,
    docket,
    documents,
    feeds,
    folk,
    health,
    intake,
    lettering,
    record,
    retention,
    signin,
    tokens,
    versions,
    work,
    workflows,
)
from caseflow.web.pages import status as status_page
from caseflow.web.site import Forbidden, SignInNeeded, Site, page, see_other, site_of

SENTENCES = {
    404: "There is no such page, or it is not yours to see.",
    405: "This address does not take that; open its page and go on from there.",
    413: "That is more than this page takes; send less at a time.",
}

# What is asked for most stands first: an address is looked for in this order.
PAGES = (
    docket,
    case,
    work,
    health,
    signin,
    calendar,
    calendars,
    feeds,
    versions,
    workflows,
    board,
    audit,
    record,
    correction,
    action,
    account,
    tokens,
    accounts,
    lettering,
    retention,
    folk,
    intake,
    documents,
    status_page,
)


def create_app(site: Site) -> Guard:
    """The site, whole. Everything is answered through the guard."""
    routes = [route for module in PAGES for route in module.router.routes]
    app = FastAPI(title="caseflow", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False, routes=routes)
    for kind, status in ((NotFound, 404), (BadInput, 400), (StaleCase, 409), (Refused, 409), (LetterFault, 409), (StoreFault, 503), (CaseflowError, 400)):
        app.add_exception_handler(kind, _told(status))
    app.add_exception_handler(Disposed, _stub)
    app.add_exception_handler(SignInNeeded, _sign_in)
    app.add_exception_handler(Forbidden, _forbidden)
    app.add_exception_handler(status_page.VisitNeeded, lambda *_: see_other("/status?over=yes"))
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(TooLarge, lambda request, _: sentence(request, 413, SENTENCES[413]))
    # Whoever went away in the middle of a form reads no answer, and it is no fault of the program.
    app.add_exception_handler(ClientDisconnect, lambda *_: Response(status_code=400))
    app.add_exception_handler(Exception, lambda request, fault: _refused(request, *broken(fault)))
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.mount(ROOT, create_api())
    return Guard(app, site, _refused)


def _refused(request: Request, status: int, text: str) -> Response:
    """What can't be done with a request, as the page or the program that asked reads it."""
    return answered(of_status(status, detail=text)) if request.url.path.startswith(ROOT) else sentence(request, status, text)


def sentence(request: Request, status: int, text: str, reasons: Any = ()) -> Response:
    """A page with one clear sentence."""
    return page(request, "sentence.html", {"text": text, "reasons": reasons}, status)


def _told(status: int) -> Any:
    def handler(request: Request, fault: Exception) -> Response:
        if isinstance(fault, NotFound):
            for kind in ("case", "letter"):
                if request.url.path.startswith(f"/{kind}s/"):
                    return sentence(request, status, f"There is no such {kind}, or it is not yours to see.")
        if isinstance(fault, Refused):
            return sentence(request, status, f"{fault.what}.", [reason.text for reason in fault.reasons])
        text = str(fault)
        if isinstance(fault, StoreFault):  # where the database lies is nobody's business who reads a page
            text = text.replace(f" {site_of(request).desk.store.where}", "", 1)
        return sentence(request, status, text)

    return handler


def _stub(request: Request, fault: Exception) -> Response:
    """What is left of a record. Nothing can be done with it, so that a form is told that it is gone."""
    assert isinstance(fault, Disposed)
    return page(request, "stub.html", {"stub": fault.stub}, 200 if request.method == "GET" else 410)


def _sign_in(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, SignInNeeded)
    back = f"/sign-in?next={quote(fault.back, safe='/')}" if request.method == "GET" and fault.back not in ("", "/") else "/sign-in"
    if request.headers.get("hx-request") == "true":
        return Response(status_code=401, headers={"HX-Redirect": back})
    return see_other(back)


def _forbidden(request: Request, fault: Exception) -> Response:
    return sentence(request, 403, str(fault))


def _http(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    return sentence(request, fault.status_code, SENTENCES.get(fault.status_code, "This can't be answered; go back and try again."))


def _unreadable(request: Request, _fault: Exception) -> Response:
    return sentence(request, 400, "Something in this address can't be read; open the page again from the list.")
