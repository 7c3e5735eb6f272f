"""A case: what now and by when, the evidence, what is possible, the record."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import APIRouter, Request, Response

from caseflow.services.casefile import CaseFile
from caseflow.web import casepage, timeline
from caseflow.web.site import Desk, Reader, SeenCase, looked, page
from caseflow.web.turns import Page, as_of_one_moment

router = APIRouter(route_class=Page)


@router.get("/cases/{number}")
@as_of_one_moment
def case(number: SeenCase, request: Request, site: Desk, person: Reader) -> Response:
    """The page of a case."""
    file = site.desk.dossier.file(number, person)
    looked(request, file.case["case"], "case")
    drawn = site.drawn.get((file.case["case"], person.role), lambda: _drawn(file), file)
    done = casepage.just_done(file.case, file.record, request.query_params.get("done"))
    return page(request, "case.html", {**drawn, "file": file, "done": done, "note_id": secrets.token_hex(16)})


def _drawn(file: CaseFile) -> dict[str, Any]:
    """What is shown of a file, whoever in the role looks at it."""
    made, drawing = casepage.view(file.case, file.record), file.drawing
    main = made["main"]
    made["office_days"] = next((lane["office_days"] for lane in drawing["lanes"] if main and lane["id"] == main["id"]), None)
    made |= {"documents": file.documents, "payments": file.payments}
    return {**made, "wide": timeline.wide(drawing), "tall": timeline.tall(drawing, main["id"] if main else None), "rows": timeline.table(drawing)}


@router.get("/cases/{number}/why/{clock}")
def why(number: SeenCase, clock: str, request: Request, site: Desk, person: Reader) -> Response:
    """How a last day is counted, and what it would be under every other reading of a setting."""
    found = site.desk.show(number, person.role, person.sees)
    made = site.desk.why(found["case"], clock)[0]
    looked(request, found["case"], f"why {clock}")
    return page(request, "why.html", {"case": found, "clock": made})
