"""Documents of a case, for staff: what came and from whom, handing in, downloading, saying that it was read."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput, NotFound, Refused
from caseflow.services.documents import Given
from caseflow.services.filetypes import ENDINGS, TAKEN
from caseflow.services.people import Person
from caseflow.web.site import Desk, Form, Reader, SeenCase, SeenDocument, Site, looked, page, see_other, text_of
from caseflow.web.turns import Page
from caseflow.web.uploads import Upload, as_download, files_of

router = APIRouter(route_class=Page)


@router.get("/cases/{number}/documents")
def documents(number: SeenCase, request: Request, site: Desk, person: Reader) -> Response:
    """Every document of a case."""
    return _page(number, request, site, person)


def _page(number: str, request: Request, site: Site, person: Person, wrong: str = "") -> Response:
    case = site.desk.show(number, person.role, person.sees)
    looked(request, case["case"], "documents")
    data = {
        "case": case,
        "documents": site.desk.documents.listed(case["case"]),
        "acts": any("not-permitted" not in {reason["code"] for reason in one["because"]} for one in case["actions"]),
        "limits": site.desk.documents.limits,
        "taken": TAKEN,
        "endings": ENDINGS,
        "wrong": wrong,
        "done": request.query_params.get("done"),
    }
    return page(request, "documents.html", data, 422 if wrong else 200)


@router.post("/cases/{number}/documents")
def add(number: SeenCase, request: Request, site: Desk, person: Reader, sent: Upload) -> Response:
    """Takes documents in, as one entry of the record, or none of them."""
    case = site.desk.show(number, person.role, person.sees)["case"]
    item = text_of(sent, "item")[:100]
    given = [Given(one.name, one.stream, item) for one in files_of(sent)]
    try:
        receipt = site.desk.documents.add(case, given, person)
    except (NotFound, Refused):
        raise
    except BadInput as fault:
        return _page(number, request, site, person, str(fault))
    return see_other(f"/cases/{quote(case)}/documents?done={'added' if receipt.taken else 'known'}")


@router.post("/cases/{number}/read-documents")
def mark_read(number: SeenCase, site: Desk, person: Reader, sent: Form) -> Response:  # noqa: ARG001 - the form proves itself
    """Says that what came has been read."""
    case = site.desk.show(number, person.role, person.sees)["case"]
    site.desk.documents.mark_read(case, person)
    return see_other(f"/cases/{quote(case)}/documents?done=read")


@router.get("/documents/{number}")
def document(number: SeenDocument, request: Request, site: Desk, person: Reader) -> Response:
    """A document, to be saved."""
    found = site.desk.documents.found(person.sees, number)
    looked(request, found.case, f"document {number}")
    return as_download(site.desk.documents.content(found), found.name, found.kind, found.size)
