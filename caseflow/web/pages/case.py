"""A case: what now and by when, the evidence, what is possible, the record."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Request, Response

from caseflow.web import casepage, timeline
from caseflow.web.site import Desk, Reader, SeenCase, looked, page

router = APIRouter()


@router.get("/cases/{number}")
def case(number: SeenCase, request: Request, site: Desk, person: Reader) -> Response:
    """The page of a case."""
    found = site.desk.show(number, person.role, person.sees)
    looked(request, found["case"], "case")
    record = site.desk.timeline(found["case"], "recorded", None)
    made, drawn = casepage.view(found, record, request.query_params.get("done")), site.desk.drawing(found["case"])
    main = made["main"]["id"] if made["main"] else None
    made["documents"] = site.desk.documents.listed(found["case"])
    made |= {"payments": site.desk.dossier.payments(found["case"]), "note_id": secrets.token_hex(16)}
    made["office_days"] = casepage.office_days(drawn, made["main"]["target"]) if made["main"] and made["main"]["target"] else None
    return page(request, "case.html", {**made, "wide": timeline.wide(drawn), "tall": timeline.tall(drawn, main), "rows": timeline.table(drawn)})


@router.get("/cases/{number}/why/{clock}")
def why(number: SeenCase, clock: str, request: Request, site: Desk, person: Reader) -> Response:
    """How a last day is counted, and what it would be under every other reading of a setting."""
    found = site.desk.show(number, person.role, person.sees)
    made = site.desk.why(found["case"], clock)[0]
    looked(request, found["case"], f"why {clock}")
    return page(request, "why.html", {"case": found, "clock": made})
