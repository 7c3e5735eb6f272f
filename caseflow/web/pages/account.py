"""A person's own page: who I am here, and where I am signed in."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from caseflow.web.site import Desk, Form, Reader, page, see_other, text_of, token_of

router = APIRouter()


@router.get("/me")
def me(request: Request, site: Desk, person: Reader) -> Response:
    """My sessions."""
    return page(request, "me.html", {"sessions": site.desk.people.sessions(person.id, token_of(request))})


@router.post("/me/sessions")
def end_session(request: Request, site: Desk, person: Reader, sent: Form) -> Response:
    """Ends one of my sessions, wherever it is."""
    site.desk.people.end_session(person.id, text_of(sent, "session"))
    return see_other("/me")
