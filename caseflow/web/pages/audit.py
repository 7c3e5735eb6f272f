"""Audits: of a case by the day an entry counts from or was typed, and of the office over a period."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput
from caseflow.web import charts
from caseflow.web.auditdraw import drawing, told
from caseflow.web.forms import day_of
from caseflow.web.site import Desk, Overseer, SeenCase, Site, looked, page
from caseflow.web.turns import Page

router = APIRouter(route_class=Page)
SIZE = 50
ASKED = ("from", "to", "who", "case", "what", "by")


@router.get("/cases/{number}/audit")
def case(number: SeenCase, request: Request, site: Desk, person: Overseer) -> Response:
    """The audit of a case, as it is known now or was on a day."""
    by = request.query_params.get("by", "recorded")
    made = site.desk.auditing.case(number, by, _day(request, site, "known_on"))
    looked(request, made["case"], "audit")
    address = f"/cases/{quote(made['case'], safe='')}/audit"
    known = {"known_on": made["known_on"]} if made["past"] else {}
    orders = {order: f"{address}?{urlencode({'by': order, **known})}" for order in ("effective", "recorded")}
    data = {**made, "address": address, "orders": orders, "drawing": drawing(made), "told": told, "patterns": charts.patterns()}
    return page(request, "audit-case.html", data)


@router.get("/board/audit")
def office(request: Request, site: Desk, person: Overseer) -> Response:
    """Who did what in a period, and who looked at what."""
    asked: dict[str, Any] = {name: value for name in ASKED if (value := request.query_params.get(name, "").strip()[:60])}
    for name in ("from", "to"):
        if name in asked:
            asked[name] = _day(request, site, name)
    made = site.desk.auditing.office(asked, request.query_params.get("after"), SIZE, person.sees)

    def link(**more: Any) -> str:
        given = {**asked, **{name.rstrip("_"): value for name, value in more.items()}}
        return "/board/audit?" + urlencode({name: value for name, value in given.items() if value})

    data = {
        **{name: value for name, value in made.items() if name not in ("from", "to")},
        "since": made["from"],
        "until": made["to"],
        "asked": {name: asked.get(name, "") for name in ASKED},
        "link": link,
        "more": link(after=made["next"]) if made["next"] else None,
        "first": request.query_params.get("after") is None,
        "known": site.desk.people.all(),
    }
    return page(request, "audit-office.html", data)


def _day(request: Request, site: Site, name: str) -> str | None:
    """A day that was asked for, as people type it. Raises BadInput."""
    text = request.query_params.get(name, "").strip()
    if not text:
        return None
    try:
        return day_of(text, site.desk.today(), "the audit").isoformat()
    except ValueError as error:
        raise BadInput(str(error)) from None
