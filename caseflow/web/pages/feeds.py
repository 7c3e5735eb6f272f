"""Links by which a person's own calendar reads the deadlines: made and ended on the calendar page, read without signing in."""

from __future__ import annotations

from hashlib import sha256

from fastapi import APIRouter, Request, Response

from caseflow.errors import NotFound
from caseflow.services.feeds import TooManyGuesses
from caseflow.web.site import Desk, OwnForm, Reader, Site, page, see_other, text_of
from caseflow.web.turns import Page

router = APIRouter(route_class=Page)
FRESH = {"Cache-Control": "private, no-cache"}
"""A reader may keep it, but asks each time whether it still stands: a link that was ended tells nothing more."""


@router.post("/calendar/links")
def make(request: Request, site: Desk, person: Reader, sent: OwnForm) -> Response:
    """A new link, shown this once: the answer is the page itself, since nothing can show it again."""
    token = site.desk.feeds.make(person, text_of(sent, "scope"))
    return page(request, "calendar-link.html", {"address": f"{_home(request, site)}/feeds/{token}.ics"})


@router.post("/calendar/links/{feed}/end")
def end(feed: str, request: Request, site: Desk, person: Reader, sent: OwnForm) -> Response:
    """Ends one of my links."""
    site.desk.feeds.end(person, feed)
    return see_other("/calendar#links")


@router.get("/feeds/{token}.ics")
def read(token: str, request: Request, site: Desk) -> Response:
    """The calendar of a link, for a program that has nothing but its address."""
    try:
        found = site.desk.feeds.read(token, request.client.host if request.client else "")
    except TooManyGuesses as fault:
        return Response(f"{fault}\n", 429, {"Retry-After": "900"}, "text/plain")
    except NotFound as fault:
        return Response(f"{fault}\n", 404, media_type="text/plain")
    from caseflow.web.ical import ical  # 3 MiB, which a service that nobody asks for a calendar need not hold

    body = ical(found, _home(request, site))
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    if tag in [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]:
        return Response(status_code=304, headers={**FRESH, "ETag": tag})
    return Response(body, headers={**FRESH, "ETag": tag}, media_type="text/calendar; charset=utf-8")


def _home(request: Request, site: Site) -> str:
    """Where the site is, by the name under which it was asked (one of its own: the guard answers to no other)."""
    return f"{'https' if site.secure else request.url.scheme}://{request.headers['host']}"
