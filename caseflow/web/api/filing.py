"""What is asked before there is a case: screening, the fee, what filing would do; and filing."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from caseflow.services import tokens
from caseflow.web.api.door import Desk, Guarded, Needs, Who, operation, told
from caseflow.web.api.models import rules as m
from caseflow.web.api.problems import Problem
from caseflow.web.site import looked

router = APIRouter(route_class=Guarded, tags=["Requests"])


@operation(router, "POST", "/screen", m.Screening, says="Track by track.")
def screen(asked: m.FactsAsked, site: Desk, caller: Who) -> Response:
    """Which track fits the facts, and the nearest miss."""
    return told(site.desk.screen(asked.facts, asked.on, asked.readings))


@operation(router, "POST", "/requests/quote", m.Quote, says="The fee.", problems=("not-found",))
def quote(asked: m.RequestAsked, site: Desk, caller: Who) -> Response:
    """The fee of a request, with a line and a citation each."""
    return told(site.desk.requests.quote(asked.plain(), site.desk.now()))


@operation(router, "POST", "/requests/trial", m.FilingTrial, says="What would happen.", problems=("not-found",))
def try_filing(asked: m.RequestAsked, site: Desk, caller: Who) -> Response:
    """What filing a request would do, without filing it."""
    return told(site.desk.requests.trial(asked.plain(), caller.person, site.desk.now()))


@operation(
    router,
    "POST",
    "/requests",
    m.Filed,
    needs=Needs(scope=tokens.ACT, once="must"),
    status=201,
    says="Filed; a case for each service and waterbody.",
    problems=("not-found", "refused"),
)
def file_request(asked: m.FilingAsked, request: Request, site: Desk, caller: Who) -> Response:
    """File a request

    One that came on an earlier day says why it is entered late; one that came so long ago that the law has decided since needs a
    role that oversees.
    """
    wanted, person = asked.request.plain(), caller.person
    _may_file(site, caller, wanted)
    numbers = site.desk.requests.file(wanted, person, site.desk.now(), asked.because or "", request.state.command)
    cases = [site.desk.show(number, person.role) for number in numbers]
    for case in cases:
        looked(request, case["case"], "api file")
    warnings = dict.fromkeys([*site.desk.fee_warnings(wanted), *(text for case in cases for text in (case["intake"] or {}).get("warnings", ()))])
    return told({"request": cases[0]["request"], "fee": cases[0]["fees"]["total"], "cases": cases, "warnings": list(warnings)}, status=201)


def _may_file(site: Desk, caller: Who, wanted: dict[str, object]) -> None:
    """Refuses a role that files nothing at all, such as one that only reads."""
    requests = site.desk.requests
    if not requests.services(caller.person.role, requests.day(wanted, site.desk.now())):
        raise Problem("not-permitted", f"The role of this token, {caller.person.role_title}, files no request.")
