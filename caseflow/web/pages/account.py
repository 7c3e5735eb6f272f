"""A person's own page: who I am here, where I am signed in, and my password."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput
from caseflow.services.people import Person
from caseflow.web.site import Desk, OwnForm, Reader, Site, page, see_other, text_of, token_of
from caseflow.web.turns import Page

router = APIRouter(route_class=Page)
SAID = {"ended": "Your other sessions are ended.", "password": "Your password is changed, and your other sessions are ended."}


@router.get("/me")
def me(request: Request, site: Desk, person: Reader) -> Response:
    """My sessions."""
    return _shown(request, site, person)


def _shown(request: Request, site: Site, person: Person, wrong: str = "") -> Response:
    data = {
        "sessions": site.desk.people.sessions(person.id, token_of(request)),
        "said": SAID.get(request.query_params.get("done", "")),
        "wrong": wrong,
        "passwords": site.local,
    }
    return page(request, "me.html", data, 422 if wrong else 200)


@router.post("/me/sessions")
def end_session(request: Request, site: Desk, person: Reader, sent: OwnForm) -> Response:
    """Ends one of my sessions, wherever it is, or all but this one."""
    if text_of(sent, "intent") == "others":
        site.desk.people.end_others(person.id, token_of(request))
        return see_other("/me?done=ended")
    site.desk.people.end_session(person.id, text_of(sent, "session"))
    return see_other("/me")


@router.post("/me/password")
def password(request: Request, site: Desk, person: Reader, sent: OwnForm) -> Response:
    """Another password; my other sessions end."""
    if not site.local:
        raise BadInput("Passwords are not used here; sign in with the agency's own sign-in.")
    new = text_of(sent, "new")
    if new != text_of(sent, "again"):
        return _shown(request, site, person, "The new password was not written twice the same; nothing was changed.")
    try:
        site.desk.people.change_password(person, token_of(request), text_of(sent, "old"), new)
    except BadInput as fault:
        return _shown(request, site, person, str(fault))
    return see_other("/me?done=password")
