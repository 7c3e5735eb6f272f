"""What my programs sign in with: the tokens of a person, made, shown once, ended."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput
from caseflow.services.people import Person
from caseflow.services.tokens import USUAL_DAYS
from caseflow.web.site import Desk, OwnForm, Reader, Site, page, see_other, text_of
from caseflow.web.turns import Page

router = APIRouter(route_class=Page)


@router.get("/me/tokens")
def tokens(request: Request, site: Desk, person: Reader) -> Response:
    """My open tokens."""
    return _shown(request, site, person)


@router.post("/me/tokens")
def make(request: Request, site: Desk, person: Reader, sent: OwnForm) -> Response:
    """A token for a program of mine, shown on the answer to this form and never again."""
    title, scope, days = text_of(sent, "title"), text_of(sent, "scope"), text_of(sent, "days").strip()
    try:
        number = int(days) if days.isdecimal() and len(days) < 6 else 0
        made = site.desk.tokens.make(person.id, title, scope, number)
    except BadInput as fault:
        return _shown(request, site, person, 422, wrong=str(fault), sent={"title": title, "scope": scope, "days": days})
    return _shown(request, site, person, made=made)


@router.post("/me/tokens/end")
def end(request: Request, site: Desk, person: Reader, sent: OwnForm) -> Response:
    """Ends a token of mine at once."""
    site.desk.tokens.end(text_of(sent, "token"), person.id)
    return see_other("/me/tokens")


def _shown(request: Request, site: Site, person: Person, status: int = 200, **more: Any) -> Response:
    known = [one for one in site.desk.tokens.all(person.id) if one["open"]]
    return page(request, "tokens.html", {"tokens": known, "usual_days": USUAL_DAYS, "made": None, "wrong": "", "sent": {}, **more}, status)
