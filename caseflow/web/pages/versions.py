"""Versions of the rules, for whoever oversees: which there are, how two differ, what each open case would see, moving the cases, undoing it.

A large docket is looked at and moved a part at a time, so that no answer is waited for longer than a moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput, NotFound, Refused
from caseflow.services.people import Person
from caseflow.web.site import Desk, Form, Overseer, Site, page, see_other, text_of
from caseflow.web.turns import Page
from caseflow.web.wholedocket import count_of, looked, may_move, moved, refuse, sees_all
from caseflow.web.words import sentence

router = APIRouter(route_class=Page)
MOST_LOOKED, LONGEST = 300, 2_000
"""Cases of one answer, and characters of a reason."""
EVERY = "Rules count for every case of the office; whoever moves cases to other rules"
HERE = "/workflows/versions"
HEADS = {
    "dates": "Dates",
    "refusals": "What is refused",
    "outcomes": "Where acts lead",
    "letters": "Letters",
    "fees": "Fees",
    "choices": "Choices and roles",
    "law": "The law cited",
    "words": "Words",
}


@router.get("/workflows/versions")
def versions(request: Request, site: Desk, person: Overseer) -> Response:
    """The versions, two of them to be compared, and every move of cases."""
    known = site.desk.versions.all()
    loaded = next((one for one in known if one["loaded"]), None)
    older = next((one for one in known if one["open"] and not one["loaded"]), None)
    data = {"versions": known, "loaded": loaded, "older": older, "moves": site.desk.migrating.all()}
    return page(request, "versions.html", data)


@router.get("/workflows/versions/compare")
def compare(request: Request, site: Desk, person: Overseer) -> Response:
    """How one version differs from another, and a part of what the open cases of the first would see."""
    return _compare(request, site, person)


@router.post("/workflows/versions/compare")
def migrate(request: Request, site: Desk, person: Overseer, sent: Form) -> Response:
    """Begins to move the open cases, and moves the first of them."""
    refuse(person, EVERY)
    before, after = _two(request, site)
    try:
        begun = site.desk.pack_move_begun(before, after, text_of(sent, "because")[:LONGEST], f"{person.id}:{person.role}")
    except Refused as fault:
        return _compare(request, site, person, " ".join(sentence(reason.text) for reason in fault.reasons))
    except BadInput as fault:
        return _compare(request, site, person, str(fault))
    return _on(site, begun)


def _two(request: Request, site: Site) -> tuple[str, str]:
    """The two versions that an address names, by content hash. Raises NotFound: no folder is ever looked for here."""
    known = {one["version"] for one in site.desk.versions.all()}
    asked = request.query_params.get("from", ""), request.query_params.get("to", "")
    if not known.issuperset(asked):
        raise NotFound("There is no such version of the rules; choose two of those that are listed.")
    return asked


def _compare(request: Request, site: Site, person: Person, wrong: str = "") -> Response:
    before, after = _two(request, site)
    made = site.desk.versions.compare(before, after)
    cursor, begun = request.query_params.get("after", "")[:100], count_of(request.query_params.get("looked", ""))
    cases, here, cursor = _looked(site, person, before, after, cursor) if before != after else ([], 0, "")
    found = next(one for one in site.desk.versions.all() if one["version"] == before)
    data = {
        "made": made,
        "heads": HEADS,
        "open_cases": found["open"],
        "cases": [{**one, "told": _told(one["changes"])} for one in cases if not one["blocked"] and one["changes"]],
        "same": sum(1 for one in cases if not one["blocked"] and not one["changes"]),
        "blocked": [one for one in cases if one["blocked"]],
        "begun": begun,
        "looked": begun + here,
        "query": urlencode({"from": before, "to": after}),
        "more": urlencode({"from": before, "to": after, "after": cursor, "looked": begun + here}) if cursor else "",
        "wrong": wrong,
        "may": may_move(person) and before != after,
    }
    return page(request, "versions-compare.html", data, 422 if wrong else 200)


def _looked(site: Site, person: Person, before: str, after: str, cursor: str) -> tuple[list[Any], int, str]:
    """What the next open cases would see: they, how many were looked at, and where to go on."""

    def part(cursor: str, most: int) -> tuple[list[Any], int, str]:
        found = site.desk.migrating.part(before, after, cursor, most, person.sees)
        return list(found["cases"]), found["looked"], found["after"]

    return looked(part, cursor, MOST_LOOKED)


def _told(changes: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The changes of a case as people read them: dates apart from the rest; how the case keeps them is left out where they say it."""
    shown = [one for one in changes if one["part"] != "inner"] or changes
    return {"dates": [one for one in shown if one["part"] == "date"], "rest": [one for one in shown if one["part"] != "date"]}


@router.get("/workflows/versions/moves/{number}")
def move(number: int, request: Request, site: Desk, person: Overseer) -> Response:
    """How far a move of cases has come, and which could not be moved."""
    return _move(number, request, site, person)


@router.post("/workflows/versions/moves/{number}")
def go_on(number: int, request: Request, site: Desk, person: Overseer, sent: Form) -> Response:
    """Moves the next cases, or begins to take the move back."""
    refuse(person, EVERY)
    if text_of(sent, "intent") != "undo":
        return _on(site, site.desk.migrating.one(number).id)
    try:
        begun = site.desk.pack_move_back(number, text_of(sent, "because")[:LONGEST], f"{person.id}:{person.role}")
    except Refused as fault:
        return _move(number, request, site, person, " ".join(sentence(reason.text) for reason in fault.reasons))
    except BadInput as fault:
        return _move(number, request, site, person, str(fault))
    return _on(site, begun)


def _on(site: Site, number: int) -> Response:
    """Moves cases for a moment, then tells how far it has come."""
    moved(lambda most: site.desk.migrating.go_on(number, most))
    return see_other(f"{HERE}/moves/{number}")


def _move(number: int, request: Request, site: Site, person: Person, wrong: str = "") -> Response:
    service = site.desk.migrating
    known, one = service.all(), service.shown(service.one(number))
    last = next((other for other in known if not other["undoes"] and not other["undone_by"]), None)
    all_seen = sees_all(person)
    data = {
        "one": one,
        "last": last is not None and last["id"] == number,
        "blocked": one["blocked"] if all_seen else [],
        "hidden": 0 if all_seen else len(one["blocked"]),
        "wrong": wrong,
        "may": may_move(person),
    }
    return page(request, "versions-move.html", data, 422 if wrong else 200)
