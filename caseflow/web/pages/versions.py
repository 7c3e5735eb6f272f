"""Versions of the rules, for whoever oversees: which there are, how two differ, what each open case would see, moving the cases, undoing it.

A large docket is looked at and moved a part at a time, so that no answer is waited for longer than a moment.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput, NotFound, Refused
from caseflow.services.people import Person
from caseflow.services.sight import EVERYTHING
from caseflow.web.site import Desk, Forbidden, Form, Overseer, Site, page, see_other, text_of
from caseflow.web.words import sentence

router = APIRouter()
A_MOMENT, A_PART, MOST_LOOKED, LONGEST = 1.5, 25, 300, 2_000
"""Seconds, cases at a time, cases of one answer, and characters of a reason."""
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
    _refuse(person)
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
    cursor, looked = request.query_params.get("after", "")[:100], _number(request.query_params.get("looked", ""))
    cases, here, cursor = _looked(site, person, before, after, cursor) if before != after else ([], 0, "")
    found = next(one for one in site.desk.versions.all() if one["version"] == before)
    data = {
        "made": made,
        "heads": HEADS,
        "open_cases": found["open"],
        "cases": [{**one, "told": _told(one["changes"])} for one in cases if not one["blocked"] and one["changes"]],
        "same": sum(1 for one in cases if not one["blocked"] and not one["changes"]),
        "blocked": [one for one in cases if one["blocked"]],
        "begun": looked,
        "looked": looked + here,
        "query": urlencode({"from": before, "to": after}),
        "more": urlencode({"from": before, "to": after, "after": cursor, "looked": looked + here}) if cursor else "",
        "wrong": wrong,
        "may": _may(person) and before != after,
    }
    return page(request, "versions-compare.html", data, 422 if wrong else 200)


def _looked(site: Site, person: Person, before: str, after: str, cursor: str) -> tuple[list[Any], int, str]:
    """What the next open cases would see: they, how many were looked at, and where to go on."""
    cases: list[Any] = []
    here, until = 0, time.monotonic() + A_MOMENT
    while True:
        part = site.desk.migrating.part(before, after, cursor, A_PART, person.sees)
        cases += part["cases"]
        here, cursor = here + part["looked"], part["after"]
        if not cursor or here >= MOST_LOOKED or time.monotonic() > until:
            return cases, here, cursor


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
    _refuse(person)
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
    until = time.monotonic() + A_MOMENT
    while site.desk.migrating.go_on(number, A_PART).ended_at is None and time.monotonic() < until:
        pass
    return see_other(f"{HERE}/moves/{number}")


def _move(number: int, request: Request, site: Site, person: Person, wrong: str = "") -> Response:
    service = site.desk.migrating
    known, one = service.all(), service.shown(service.one(number))
    last = next((other for other in known if not other["undoes"] and not other["undone_by"]), None)
    all_seen = _sees_all(person)
    data = {
        "one": one,
        "last": last is not None and last["id"] == number,
        "blocked": one["blocked"] if all_seen else [],
        "hidden": 0 if all_seen else len(one["blocked"]),
        "wrong": wrong,
        "may": _may(person),
    }
    return page(request, "versions-move.html", data, 422 if wrong else 200)


def _sees_all(person: Person) -> bool:
    return person.sees == EVERYTHING.of(person.sees.person)


def _may(person: Person) -> bool:
    """Whether the person may move cases: a role that oversees and acts, and sees every case that would move."""
    return person.may("work") and _sees_all(person)


def _refuse(person: Person) -> None:
    if not _may(person):
        raise Forbidden("Rules count for every case of the office; whoever moves cases to other rules must act on cases and see all of them.")


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else 0
