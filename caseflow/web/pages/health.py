"""Files, and whether the program is well."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from caseflow.errors import CaseflowError
from caseflow.web.site import Desk, see_other, token_of

router = APIRouter()


@router.get("/static/{name:path}")
def static(name: str, request: Request, site: Desk) -> Response:
    """A file of the site."""
    found = site.assets.answer(name, request)
    if found is None:
        raise HTTPException(404)
    return found


@router.get("/health")
def health(site: Desk) -> Response:
    """200 where the database answers and, if a scheduler is to run, it swept within a minute; 503 otherwise. Names nothing."""
    made: dict[str, Any] = {"database": "ok", "scheduler": "ok"}
    try:
        standing = site.desk.standing()
    except CaseflowError:
        return JSONResponse({"status": "failing", "database": "failing", "scheduler": "unknown"}, 503)
    if standing["late"]:
        made["scheduler"] = "late" if standing["swept_at"] else "not seen"
    well = made["scheduler"] == "ok" or not site.scheduler
    return JSONResponse({"status": "ok" if well else "failing", **made}, 200 if well else 503)


@router.get("/")
def start(request: Request, site: Desk) -> Response:
    """Where a person begins: with what needs them, or with the docket where nothing can."""
    person = site.desk.people.who(token_of(request))
    return see_other("/my-work" if person is None or person.may("work") else "/docket")
