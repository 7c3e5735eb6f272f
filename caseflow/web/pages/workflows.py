"""Workflows: which there are, and each with its diagram and everything that it says, for whoever checks it against the law."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from caseflow.web import documents
from caseflow.web.site import Desk, Reader, looked, page
from caseflow.web.turns import Page

router = APIRouter(route_class=Page)


@router.get("/workflows")
def workflows(request: Request, site: Desk, person: Reader) -> Response:
    """Every workflow."""
    return page(request, "workflows.html", {"workflows": site.desk.workflows.all(person)})


@router.get("/workflows/{name}")
def workflow(name: str, request: Request, site: Desk, person: Reader) -> Response:
    """A workflow, or (with `case`) the one under which a case was filed, its present state marked."""
    asked, since = request.query_params.get("case", "").strip(), request.query_params.get("since", "").strip()
    case = site.desk.seeing.case(person.sees, asked[:80]) if asked else None
    made = site.desk.workflows.page(person, name, since[:10] or None, case)
    if case is not None:
        looked(request, case, "workflow")
    # The drawing is made of escaped words by the program itself.
    return page(request, "workflow.html", {**made, "svg": Markup(made["svg"])})  # noqa: S704


@router.get("/workflows/{name}/samples/{letter}")
def letter(name: str, letter: str, request: Request, site: Desk, person: Reader) -> Response:
    """A letter of a workflow, written from a sample request."""
    made = site.desk.workflows.letter(name, letter)
    body = documents.body(site.desk.letter_part(made["markdown"]), below=1) if made["markdown"] is not None else None
    return page(request, "workflow-letter.html", {**made, "name": name, "body": body})
