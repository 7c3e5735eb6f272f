"""Audits: of a case as it was known on a day, and of the office over a period."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from caseflow.services.sight import OVERSEE
from caseflow.web.api import door
from caseflow.web.api.cases import UNKNOWN
from caseflow.web.api.door import Desk, Guarded, Needs, Who, operation, told
from caseflow.web.api.models import audit as m
from caseflow.web.api.models.common import OnDay
from caseflow.web.site import looked

router = APIRouter(route_class=Guarded, tags=["Audit"])
WATCHES = Needs(right=OVERSEE)


@operation(router, "GET", "/cases/{case}/audit", m.CaseAudit, needs=WATCHES, says="Its audit.", problems=UNKNOWN)
def read_case_audit(
    case: door.Case,
    request: Request,
    site: Desk,
    caller: Who,
    by: Annotated[Literal["effective", "recorded"], Query(description="By the day on which an entry counts, or in the order of recording.")] = "recorded",
    known_on: Annotated[OnDay | None, Query(description="Only what was recorded by that day.")] = None,
) -> Response:
    """Who did what on a case, and what the site showed after each entry

    Chain and replay are computed anew; `faults` says where they do not add up.
    """
    looked(request, case, "api audit")
    return told(site.desk.auditing.case(case, by, known_on))


@operation(router, "GET", "/audit", m.OfficeAudit, needs=WATCHES, says="The audit.")
def read_audit(
    site: Desk,
    caller: Who,
    since: Annotated[OnDay | None, Query(alias="from", description="The first day; a week before the last where none is given.")] = None,
    until: Annotated[OnDay | None, Query(alias="to", description="The last day; today where none is given.")] = None,
    who: Annotated[str | None, Query(max_length=60, pattern=r"^[!-~]+$", description="An account, or `scheduler`.")] = None,
    of: Annotated[str | None, Query(alias="case", max_length=60, pattern=r"^[!-~]+$", description="One case.")] = None,
    what: Annotated[Literal["acts", "reads"], Query(description="Entries, or looks at cases.")] = "acts",
    by: Annotated[Literal["person", "case"], Query(description="By what it is summed.")] = "person",
    after: Annotated[str | None, Query(max_length=120, pattern=r"^[!-~]+$", description="`next` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="Rows of a page.")] = 50,
) -> Response:
    """Who did what in a period, and who looked at what

    At most a year, and only on cases that the person sees.
    """
    asked = {"from": since, "to": until, "who": who, "case": of, "what": what, "by": by}
    return told(site.desk.auditing.office({name: value for name, value in asked.items() if value}, after, limit, caller.person.sees))
