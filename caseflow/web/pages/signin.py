"""Coming in and going out."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Request, Response

from caseflow.services.people import NotSignedIn, form_token
from caseflow.web.site import PRE, Desk, OwnForm, own_path, page, see_other, site_of, text_of, token_of

router = APIRouter()


@router.get("/sign-in")
def ask(request: Request, site: Desk, next: str = "") -> Response:  # noqa: A002 - it is the word in the address
    """The form."""
    if site.desk.people.who(token_of(request)) is not None:
        return see_other(own_path(next))
    return _form(request, next)


def _form(request: Request, back: str, name: str = "", wrong: str = "") -> Response:
    before = request.cookies.get(PRE) or secrets.token_urlsafe(24)
    answer = page(request, "sign-in.html", {"back": own_path(back, ""), "name": name, "wrong": wrong, "form_token": form_token(before)}, 401 if wrong else 200)
    answer.set_cookie(PRE, before, max_age=3600, httponly=True, samesite="lax", secure=site_of(request).secure, path="/")
    return answer


@router.post("/sign-in")
def come_in(request: Request, site: Desk, sent: OwnForm) -> Response:
    """A new session, whatever session the browser had before: a token that others may know opens nothing."""
    name, back = text_of(sent, "name")[:200], text_of(sent, "next")
    people, address = site.desk.people, request.client.host if request.client else ""
    try:
        token = people.sign_in(name, text_of(sent, "password"), address, request.headers.get("user-agent", ""))
    except NotSignedIn as fault:
        return _form(request, back, name, str(fault))
    people.sign_out(token_of(request))
    answer = see_other(own_path(back))
    answer.set_cookie(site.cookie, token, max_age=12 * 3600, httponly=True, samesite="lax", secure=site.secure, path="/")
    answer.delete_cookie(PRE, path="/")
    return answer


@router.post("/sign-out")
def go_out(request: Request, site: Desk, sent: OwnForm) -> Response:
    """The session is over, in the database and not only in the browser."""
    site.desk.people.sign_out(token_of(request))
    answer = see_other("/sign-in")
    answer.delete_cookie(site.cookie, path="/", secure=site.secure, httponly=True, samesite="lax")
    return answer
