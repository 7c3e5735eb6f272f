"""The docket: search, filters, pages by key, and the list as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from caseflow.errors import BadInput
from caseflow.web.export import lines
from caseflow.web.forms import day_of
from caseflow.web.site import Desk, Reader, bodiless, noted, page
from caseflow.web.turns import Page, as_of_one_moment

router = APIRouter(route_class=Page)
SIZE = 50
FILTERS = ("q", "workflow", "phase", "turn", "with", "show", "county", "from", "to", "sort")
SHOWS = {
    "": "Open cases",
    "overdue": "Past the law’s date",
    "week": "Target within 5 office days",
    "hold": "On hold now",
    "all": "Decided ones too",
}
SORTS = {"": "Soonest target", "number": "Docket number"}


@router.get("/docket")
@as_of_one_moment
def docket(request: Request, site: Desk, person: Reader) -> Response:
    """A page of cases, the soonest first."""
    given, asked = _given(request)
    after = request.query_params.get("after")
    made = site.desk.docket_page(_asked(asked, site.desk.today()), after, SIZE, person.sees)
    here = _address("/docket", asked)
    people, names = site.desk.assigning.folk()
    data = {
        "rows": made["rows"],
        "most": made["most"],
        "given": given,
        "choices": site.desk.docket_choices(),
        "shows": SHOWS,
        "sorts": SORTS,
        "more": _address("/docket", {**asked, "after": made["next"]}) if made["next"] else None,
        "first": after is None,
        "asked": asked,
        "start": here,
        "csv": _address("/docket.csv", asked),
        "people": [one for one in people if one["id"] != person.id],
        "names": names,
    }
    return page(request, "docket.html", data)


@router.get("/docket.csv")
def export(request: Request, site: Desk, person: Reader) -> Response:
    """The whole list as it is narrowed, as CSV, streamed. It is noted who took it."""
    _, asked = _given(request)
    today = site.desk.today()
    every = iter(()) if bodiless(request) else site.desk.docket_rows(_asked(asked, today), person.sees)
    rows = _noted(request, person.id, urlencode(asked), every)
    headers = {"Content-Disposition": f'attachment; filename="docket-{today}.csv"'}
    return StreamingResponse(lines(rows), media_type="text/csv; charset=utf-8", headers=headers)


def _noted(request: Request, person: str, asked: str, rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Passes rows on; who took how many of which list is noted, also where the reader went away before the end."""
    taken = 0
    try:
        for row in rows:
            taken += 1
            yield row
    finally:
        noted(request, person, "docket", f"docket.csv, {taken} cases{f' of {asked}' if asked else ''}"[:200])


def _given(request: Request) -> tuple[dict[str, str], dict[str, str]]:
    given = {name: request.query_params.get(name, "").strip()[:200] for name in FILTERS}
    return given, {name: value for name, value in given.items() if value}


def _address(path: str, asked: Mapping[str, str]) -> str:
    return path + ("?" + urlencode(asked) if asked else "")


def _asked(given: Mapping[str, str], today: date) -> dict[str, Any]:
    show = given.get("show", "")
    return {
        "text": given.get("q"),
        "workflow": given.get("workflow"),
        "phase": given.get("phase"),
        "turn": given.get("turn"),
        "assigned": given.get("with"),
        "county": given.get("county"),
        "target_from": _day(given.get("from"), today, "The first day of the targets"),
        "target_to": _day(given.get("to"), today, "The last day of the targets"),
        "sort": given.get("sort"),
        "overdue": show == "overdue",
        "due_within": 5 if show == "week" else None,
        "standing": show == "hold",
        "decided": show == "all",
    }


def _day(text: str | None, today: date, what: str) -> date | None:
    if not text:
        return None
    try:
        return day_of(text, today, what)
    except ValueError as error:
        raise BadInput(str(error)) from None
