"""Coming in and going out: with a name and password kept here, or by the agency's own sign-in."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException

from caseflow.errors import BadInput, NotFound
from caseflow.services.people import NotSignedIn, form_token
from caseflow.web.site import PRE, Desk, OwnForm, Site, bodiless, own_path, page, see_other, site_of, text_of, token_of
from caseflow.web.turns import Page

router = APIRouter(route_class=Page)
BACK = "/sign-in/back"


@router.get("/sign-in")
def ask(request: Request, site: Desk, next: str = "") -> Response:  # noqa: A002 - it is the word in the address
    """The form."""
    if site.desk.people.who(token_of(request)) is not None:
        return see_other(own_path(next))
    return _form(request, next)


def _form(request: Request, back: str, name: str = "", wrong: str = "", leave: str | None = None) -> Response:
    before = request.cookies.get(PRE) or secrets.token_urlsafe(24)
    data = {"back": own_path(back, ""), "name": name, "wrong": wrong, "form_token": form_token(before), "leave": leave}
    answer = page(request, "sign-in.html", data, 401 if wrong else 200)
    answer.set_cookie(PRE, before, max_age=3600, httponly=True, samesite="lax", secure=site_of(request).secure, path="/")
    return answer


@router.post("/sign-in")
def come_in(request: Request, site: Desk, sent: OwnForm) -> Response:
    """A new session, whatever session the browser had before: a token that others may know opens nothing."""
    if not site.local:
        raise BadInput("Passwords are not used here; sign in with the agency's own sign-in.")
    name, back = text_of(sent, "name")[:200], text_of(sent, "next")
    try:
        token = site.desk.people.sign_in(name, text_of(sent, "password"), _address(request), request.headers.get("user-agent", ""))
    except NotSignedIn as fault:
        return _form(request, back, name, str(fault))
    return _opened(request, site, token, back)


def _opened(request: Request, site: Site, token: str, back: str) -> Response:
    site.desk.people.sign_out(token_of(request))
    answer = see_other(own_path(back))
    answer.set_cookie(site.cookie, token, max_age=12 * 3600, httponly=True, samesite="lax", secure=site.secure, path="/")
    answer.delete_cookie(PRE, path="/")
    return answer


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _callback(request: Request, site: Site) -> str:
    """Where the other sign-in sends the browser back: this site, by the name that the guard has let through."""
    return f"{'https' if site.secure else request.url.scheme}://{request.headers['host']}{BACK}"


def _travels(site: Site) -> str:
    return "__Host-caseflow-begun" if site.secure else "caseflow-begun"


@router.get("/sign-in/agency")
def elsewhere(request: Request, site: Desk, next: str = "") -> Response:  # noqa: A002 - it is the word in the address
    """Sends the browser to the agency's own sign-in."""
    if site.elsewhere is None:
        raise NotFound("There is no other sign-in here.")
    try:
        address, cookie = site.elsewhere.begin(_callback(request, site), own_path(next, ""))
    except NotSignedIn as fault:
        return _form(request, next, wrong=str(fault))
    answer = RedirectResponse(address, 303)
    answer.set_cookie(_travels(site), cookie, max_age=600, httponly=True, samesite="lax", secure=site.secure, path="/")
    return answer


@router.get(BACK)
def come_back(request: Request, site: Desk, state: str = "", code: str = "", iss: str | None = None) -> Response:
    """A new session for whom the other sign-in has proven. The cookie that began it serves once."""
    if site.elsewhere is None:
        raise NotFound("There is no other sign-in here.")
    if bodiless(request):
        raise HTTPException(405)  # whoever only asks for a head must not use up what opens a session
    began = request.cookies.get(_travels(site))
    try:
        where = _address(request), request.headers.get("user-agent", "")
        token, back = site.elsewhere.finish(began, state[:200], code[:2000], iss, _callback(request, site), *where)
        answer = _opened(request, site, token, back)
    except NotSignedIn as fault:
        answer = _form(request, "", wrong=str(fault))
    answer.delete_cookie(_travels(site), path="/", secure=site.secure, httponly=True, samesite="lax")
    return answer


@router.post("/sign-out")
def go_out(request: Request, site: Desk, sent: OwnForm) -> Response:
    """The session is over, in the database and not only in the browser. The agency's own sign-in is left by a link of its own."""
    site.desk.people.sign_out(token_of(request))
    leave = site.elsewhere.leave(_callback(request, site).removesuffix(BACK) + "/sign-in") if site.elsewhere is not None else None
    answer = _form(request, "", leave=leave) if leave is not None else see_other("/sign-in")
    answer.delete_cookie(site.cookie, path="/", secure=site.secure, httponly=True, samesite="lax")
    return answer
