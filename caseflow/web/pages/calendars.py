"""Changed calendars, for supervisors: hand one in, see each case that it moves before and after, adopt it, go on, undo it.

A large docket is looked at and moved a part at a time, so that no answer is waited for longer than a moment.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput, PackFaults, Refused
from caseflow.services.people import Person
from caseflow.web.site import Desk, Form, Overseer, Site, page, see_other, text_of
from caseflow.web.turns import Page
from caseflow.web.uploads import Upload, files_of
from caseflow.web.wholedocket import count_of, looked, may_move, moved, refuse, sees_all
from caseflow.web.words import sentence

router = APIRouter(route_class=Page)
LARGEST = 200_000
"""Bytes of a calendar file."""
MOST_LOOKED = 500
"""Cases of one answer."""
EVERY = "A calendar counts for every case of the office; whoever adopts one"


@router.get("/calendar/changes")
def changes(request: Request, site: Desk, person: Overseer) -> Response:
    """Which calendar counts, a changed one to hand in, and every adoption."""
    return _changes(request, site, person)


@router.post("/calendar/changes")
def hand_in(request: Request, site: Desk, person: Overseer, sent: Upload) -> Response:
    """Takes a changed calendar file to be looked at; nothing counts by it yet."""
    try:
        version = site.desk.calendars.service.keep(*_file(sent))
    except PackFaults as found:
        return _changes(request, site, person, [str(fault) for fault in found.faults])
    except BadInput as fault:
        return _changes(request, site, person, [str(fault)])
    return see_other(f"/calendar/changes/{quote(version)}")


def _file(sent: Any) -> tuple[str, str]:
    given = files_of(sent)
    if len(given) != 1:
        raise BadInput("Choose one calendar file, such as calendar.yaml.")
    data = given[0].stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise BadInput(f"The file is larger than {LARGEST // 1000} kB, which no calendar is.")
    try:
        return data.decode("utf-8"), (given[0].name or "the file").rpartition("/")[2][:100]
    except UnicodeDecodeError:
        raise BadInput("The file is not UTF-8 text; save it as UTF-8.") from None


def _changes(request: Request, site: Site, person: Person, wrong: list[str] | None = None) -> Response:
    service = site.desk.calendars.service
    data = {"standing_now": service.standing(), "adoptions": service.all(), "wrong": wrong or [], "may": may_move(person)}
    return page(request, "calendar-changes.html", data, 422 if wrong else 200)


@router.get("/calendar/changes/{version}")
def preview(version: str, request: Request, site: Desk, person: Overseer) -> Response:
    """What a changed calendar would move, a part of the docket at a time."""
    return _preview(version, request, site, person)


@router.post("/calendar/changes/{version}")
def adopt(version: str, request: Request, site: Desk, person: Overseer, sent: Form) -> Response:
    """Adopts the calendar, and moves the first cases."""
    refuse(person, EVERY)
    try:
        number = site.desk.calendars.adopt_kept(version, text_of(sent, "because")[:2000], person)
    except Refused as fault:
        return _preview(version, request, site, person, " ".join(sentence(reason.text) for reason in fault.reasons))
    except BadInput as fault:
        return _preview(version, request, site, person, str(fault))
    return _on(site, number)


def _preview(version: str, request: Request, site: Site, person: Person, wrong: str = "") -> Response:
    service = site.desk.calendars.service
    new = service.kept(version)
    after, begun = request.query_params.get("after", "")[:100], count_of(request.query_params.get("looked", ""))

    def part(cursor: str, most: int) -> tuple[list[Any], int, str]:
        found = service.look(new, cursor, most, person.sees)
        return list(found.cases), found.looked, found.after

    cases, here, after = looked(part, after, MOST_LOOKED)
    standing = [one for one in service.all() if one["version"] == version and not one["undoes"] and not one["undone_by"]]
    data = {
        "made": service.summary(new),
        "version": version,
        "cases": [one for one in cases if not one["blocked"]],
        "blocked": [one for one in cases if one["blocked"]],
        "begun": begun,
        "looked": begun + here,
        "open_cases": service.open_cases(),
        "more": f"?{urlencode({'after': after, 'looked': begun + here})}" if after else "",
        "adopted": standing[0] if standing else None,
        "wrong": wrong,
        "because": "",
        "may": may_move(person),
    }
    return page(request, "calendar-preview.html", data, 422 if wrong else 200)


@router.get("/calendar/adoptions/{number}")
def adoption(number: int, request: Request, site: Desk, person: Overseer) -> Response:
    """How far an adoption has come, and what could not be moved."""
    return _adoption(number, request, site, person)


@router.post("/calendar/adoptions/{number}")
def go_on(number: int, request: Request, site: Desk, person: Overseer, sent: Form) -> Response:
    """Moves the next cases of an adoption, or begins to undo it."""
    refuse(person, EVERY)
    desk = site.desk.calendars
    if text_of(sent, "intent") != "undo":
        return _on(site, desk.service.one(number).id)
    try:
        made = desk.take_back(number, text_of(sent, "because")[:2000], person)
    except Refused as fault:
        return _adoption(number, request, site, person, " ".join(sentence(reason.text) for reason in fault.reasons))
    except BadInput as fault:
        return _adoption(number, request, site, person, str(fault))
    return _on(site, made)


def _on(site: Site, number: int) -> Response:
    """Moves cases for a moment, then tells how far it has come."""
    moved(lambda most: site.desk.calendars.service.go_on(number, most))
    return see_other(f"/calendar/adoptions/{number}")


def _adoption(number: int, request: Request, site: Site, person: Person, wrong: str = "") -> Response:
    service = site.desk.calendars.service
    known = service.all()
    one = service.shown(service.one(number))
    last = next((other for other in known if not other["undoes"] and not other["undone_by"]), None)
    data = {
        "one": one,
        "open_cases": max(service.open_cases(), one["looked"]),
        "last": last is not None and last["id"] == number,
        "blocked": [each for each in one["blocked"] if sees_all(person)],
        "wrong": wrong,
        "may": may_move(person),
    }
    return page(request, "calendar-adoption.html", data, 422 if wrong else 200)
