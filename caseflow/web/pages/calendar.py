"""The calendar of deadlines: a month, and the same dates as a list."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from caseflow.web.site import Desk, Reader, page
from caseflow.web.turns import Page, as_of_one_moment

router = APIRouter(route_class=Page)
ASKED = ("month", "who", "workflow", "kind", "view")
IN_A_DAY = 4
"""Dates that a day of the month shows; the list has all of them."""


@router.get("/calendar")
@as_of_one_moment
def calendar(request: Request, site: Desk, person: Reader) -> Response:
    """A month of deadlines."""
    asked = {name: request.query_params.get(name, "").strip()[:80] for name in ASKED}
    made = site.desk.deadlines.month(person, asked)

    def to(**changed: str | None) -> str:
        kept = {name: value for name, value in {**asked, **changed}.items() if value}
        return "/calendar" + ("?" + urlencode(kept) if kept else "")

    return page(
        request, "calendar.html", {**made, "asked": asked, "to": to, "most": IN_A_DAY, "list": asked["view"] == "list", "links": site.desk.feeds.of(person)}
    )
