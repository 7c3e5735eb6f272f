"""The people of a case: everyone with how letters reach them, and taking a whole list in."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput, LetterFault, Refused
from caseflow.services.people import Person
from caseflow.web.site import Desk, Form, Reader, SeenCase, Site, command_of, looked, page, see_other, text_of
from caseflow.web.turns import Page
from caseflow.web.words import sentence

router = APIRouter(route_class=Page)


@router.get("/cases/{number}/people")
def people(number: SeenCase, request: Request, site: Desk, person: Reader) -> Response:
    """Everyone of the case."""
    return _people(number, request, site, person)


@router.post("/cases/{number}/people")
def take(number: SeenCase, request: Request, site: Desk, person: Reader, sent: Form) -> Response:
    """Takes a list in by the act of the workflow that records people; `check` only reads it. The whole list or nobody of it."""
    text, command = text_of(sent, "list"), text_of(sent, "command_id")
    act = site.desk.dossier.list_act(number)
    if act is None:
        return _people(number, request, site, person, text, "This workflow takes no lists of people.")
    try:
        found = site.desk.dossier.read_list(text)
        if text_of(sent, "intent") == "check":
            return _people(number, request, site, person, text, read=found)
        once = command_of(person, number, command, found)
        done = site.desk.act(number, act["id"], {act["fact"]: found}, None, f"{person.id}:{person.role}", None, once, False)
    except Refused as fault:
        return _people(number, request, site, person, text, " ".join(sentence(reason.text) for reason in fault.reasons))
    except (BadInput, LetterFault) as fault:
        return _people(number, request, site, person, text, str(fault))
    return see_other(f"/cases/{quote(done['case'])}/people?done=yes")


def _people(number: str, request: Request, site: Site, person: Person, text: str = "", wrong: str = "", read: Any = ()) -> Response:
    case = site.desk.show(number, person.role, person.sees)
    looked(request, case["case"], "people")
    act = site.desk.dossier.list_act(number)
    able = act is not None and any(one["id"] == act["id"] and one["allowed"] for one in case["actions"])
    data = {
        "case": case,
        "people": site.desk.dossier.people(case["case"]),
        "act": act if able else None,
        "list": text,
        "wrong": wrong,
        "read": read,
        "done": request.query_params.get("done") == "yes",
        "command_id": secrets.token_hex(16),
    }
    return page(request, "people.html", data, 422 if wrong else 200)
