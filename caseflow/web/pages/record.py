"""The record of a case handed out as one archive, and a page that says whether a record holds. For whoever oversees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput, NotFound
from caseflow.services.people import Person
from caseflow.web.site import Desk, Overseer, OwnForm, SeenCase, Site, looked, page, text_of
from caseflow.web.turns import Page
from caseflow.web.uploads import OverseersUpload, files_of, sealed

router = APIRouter(route_class=Page)
LONGEST_GROUND = 300
NOTHING: Mapping[str, Any] = {"asked": "", "held": None, "brought": None, "name": "", "wrong": "", "wrong_file": ""}
"""What the page of a check shows before anything was asked."""


@router.get("/cases/{number}/record")
def record(number: SeenCase, request: Request, site: Desk, person: Overseer) -> Response:
    """What the record holds, and a form that says what is left out and why."""
    return _page(number, request, site, person)


@router.post("/cases/{number}/record")
def hand_out(number: SeenCase, request: Request, site: Desk, person: Overseer, sent: OwnForm) -> Response:
    """The record as one archive. Nothing is recorded but that it was taken out, and by whom."""
    ticked = {name.removeprefix("w."): text_of(sent, f"g.{name.removeprefix('w.')}") or text_of(sent, "ground") for name in sent if name.startswith("w.")}
    withhold = {name: ground.strip()[:LONGEST_GROUND] for name, ground in ticked.items()}
    try:
        name, data = site.desk.releasing.archive(number, withhold)
    except NotFound:
        raise
    except BadInput as fault:
        return _page(number, request, site, person, _said(fault), {field: text_of(sent, field) for field in sent})
    left_out = f", without {len(withhold)} {'fact' if len(withhold) == 1 else 'facts'}" if withhold else ""
    looked(request, number, f"record handed out{left_out}")
    return Response(data, media_type="application/zip", headers=sealed(name))


def _page(number: str, request: Request, site: Site, person: Person, wrong: str = "", sent: Mapping[str, str] | None = None) -> Response:
    case = site.desk.show(number, person.role, person.sees)
    looked(request, case["case"], "record")
    data: dict[str, Any] = {
        "case": case,
        "held": site.desk.releasing.standing(case["case"]),
        "facts": site.desk.releasing.facts(case["case"]),
        "wrong": wrong,
        "sent": sent or {},
    }
    return page(request, "record.html", data, 422 if wrong else 200)


def _said(fault: BadInput) -> str:
    """A refusal of the command line in the words of the page."""
    text = str(fault)
    return "Say on which ground each ticked fact is withheld." if text.startswith("Say why") else text.removeprefix("--withhold: ")


@router.get("/records/check")
def check(request: Request, site: Desk, person: Overseer) -> Response:
    """Whether the record of a case holds, and a form for an archive that somebody brings."""
    number = request.query_params.get("case", "").strip()[:60]
    made: dict[str, Any] = {**NOTHING, "asked": number}
    if number:
        try:
            case = site.desk.show(number, person.role, person.sees)["case"]
            looked(request, case, "record checked")
            made["held"] = site.desk.releasing.standing(case)
        except NotFound:
            made["wrong"] = f"There is no case {number}, or it is not yours to see."
    return page(request, "record-check.html", made)


@router.post("/records/check")
def check_archive(request: Request, site: Desk, person: Overseer, sent: OverseersUpload) -> Response:
    """Whether an archive holds. It is looked at and kept nowhere."""
    given = files_of(sent)
    try:
        if len(given) != 1:
            raise BadInput("Choose one archive, the .zip as it was handed out.")
        made: dict[str, Any] = {**NOTHING, "brought": site.desk.releasing.checked(given[0].stream, person.sees), "name": given[0].name}
    except BadInput as fault:
        return page(request, "record-check.html", {**NOTHING, "wrong_file": str(fault)}, 422)
    if made["brought"]["here"]:
        looked(request, made["brought"]["here"]["case"], "record checked")
    return page(request, "record-check.html", made)
