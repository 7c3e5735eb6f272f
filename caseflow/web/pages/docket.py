"""The docket: search, filters, pages by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from caseflow.web.site import Desk, Reader, page

router = APIRouter()
SIZE = 50
FILTERS = ("q", "workflow", "phase", "turn", "with", "show")
SHOWS = {"": "Open cases", "overdue": "Past the law’s date", "week": "Target within 5 office days", "all": "Decided ones too"}


@router.get("/docket")
def docket(request: Request, site: Desk, person: Reader) -> Response:
    """A page of cases, the soonest first."""
    given = {name: request.query_params.get(name, "").strip()[:200] for name in FILTERS}
    asked = {name: value for name, value in given.items() if value}
    after = request.query_params.get("after")
    made = site.desk.docket_page(_asked(asked), after, SIZE, person.sees)
    more = "/docket?" + urlencode({**asked, "after": made["next"]}) if made["next"] else None
    data = {
        "rows": made["rows"],
        "most": made["most"],
        "given": given,
        "choices": site.desk.docket_choices(),
        "shows": SHOWS,
        "more": more,
        "first": after is None,
        "asked": asked,
        "start": "/docket" + ("?" + urlencode(asked) if asked else ""),
    }
    return page(request, "docket.html", data)


def _asked(given: Mapping[str, str]) -> dict[str, Any]:
    show = given.get("show", "")
    return {
        "text": given.get("q"),
        "workflow": given.get("workflow"),
        "phase": given.get("phase"),
        "turn": given.get("turn"),
        "assigned": given.get("with"),
        "overdue": show == "overdue",
        "due_within": 5 if show == "week" else None,
        "decided": show == "all",
    }
