"""A case, read: as it stands, its record, why its dates are what they are, what is possible. Each read is noted."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from caseflow.errors import BadInput
from caseflow.services import tokens
from caseflow.web.api import door
from caseflow.web.api.door import Bound, Desk, Guarded, Needs, Who, operation, told, told_case
from caseflow.web.api.models.cases import ActionList, Case, Form, PartyList, PaymentList, PeopleAsked, TaskList, Timeline, WhyList
from caseflow.web.api.models.common import OnDay
from caseflow.web.site import Site, looked

router = APIRouter(route_class=Guarded, tags=["Cases"])
Name = Annotated[str, Path(max_length=80, pattern=r"^[a-z0-9][a-z0-9_-]*$", description="An id of the workflow.")]
UNKNOWN = ("not-found",)
WRITES = Needs(scope=tokens.ACT, seen=True, once="may")


def case_of(site: Site, caller: Any, number: str) -> dict[str, Any]:
    """A case as the caller may see it. Raises NotFound."""
    found: dict[str, Any] = site.desk.show(number, caller.person.role, caller.person.sees)
    return found


@operation(router, "GET", "/cases/{case}", Case, says="The case.", problems=UNKNOWN, etag=True)
def read_case(case: door.Case, request: Request, site: Desk, caller: Who) -> Response:
    """A case as it stands

    State, whose turn it is, every clock with the derivation of its dates, what the token's role may do now and why not what
    not, the letters, the fee. The same members as `caseflow case show --json`.
    """
    return told_case(request, case_of(site, caller, case), "case")


@operation(router, "GET", "/cases/{case}/timeline", Timeline, says="Its record.", problems=UNKNOWN, etag=True)
def read_timeline(
    case: door.Case,
    request: Request,
    site: Desk,
    caller: Who,
    by: Annotated[Literal["effective", "recorded"], Query(description="By the day on which an entry counts, or in the order of recording.")] = "effective",
    known_on: Annotated[OnDay | None, Query(description="Only what was recorded by that day.")] = None,
) -> Response:
    """The record of a case."""
    found = case_of(site, caller, case)
    looked(request, found["case"], "api timeline")
    entries = site.desk.timeline(found["case"], by, known_on)
    return told({**_head(found), "by": by, "known_on": known_on, "entries": entries}, found["version"])


@operation(router, "GET", "/cases/{case}/why", WhyList, says="The derivations.", problems=UNKNOWN)
def read_why(
    case: door.Case,
    request: Request,
    site: Desk,
    caller: Who,
    clock: Annotated[str | None, Query(max_length=80, pattern=r"^[!-~]*$", description="One clock.")] = None,
) -> Response:
    """Why the dates are what they are

    Line by line with weekday, holiday and citation, and the last day under every other reading of a setting.
    """
    found = case_of(site, caller, case)
    looked(request, found["case"], "api why")
    return told({"case": found["case"], "clocks": site.desk.why(found["case"], clock)})


@operation(router, "GET", "/cases/{case}/actions", ActionList, says="The actions.", problems=UNKNOWN, etag=True)
def read_actions(case: door.Case, request: Request, site: Desk, caller: Who) -> Response:
    """What is possible now, and why not the rest."""
    found = case_of(site, caller, case)
    looked(request, found["case"], "api actions")
    return told({**_head(found), "actions": found["actions"]}, found["version"])


@operation(router, "GET", "/cases/{case}/actions/{action}", Form, says="The form.", problems=UNKNOWN, etag=True)
def read_action(case: door.Case, action: Name, request: Request, site: Desk, caller: Who) -> Response:
    """What an action asks for

    Its fields in plain words, the same as JSON Schema, the limits that it uses up, and whether it is possible now.
    """
    found = case_of(site, caller, case)
    asked = site.desk.asked(found["case"], action)
    looked(request, found["case"], f"api form {action}")
    one = next((one for one in found["actions"] if one["id"] == action), None)
    more = {name: one[name] for name in ("facts", "allowed", "because")} if one is not None else {"facts": {}, "allowed": False, "because": []}
    return told({**asked, **more}, found["version"])


@operation(router, "GET", "/cases/{case}/people", PartyList, says="The people.", problems=UNKNOWN, etag=True)
def read_people(case: door.Case, request: Request, site: Desk, caller: Who) -> Response:
    """The people of a case."""
    found = case_of(site, caller, case)
    looked(request, found["case"], "api people")
    return told({**_head(found), "people": site.desk.dossier.people(found["case"])}, found["version"])


@operation(router, "POST", "/cases/{case}/people", PartyList, needs=WRITES, says="Taken in; the people as they are now.", problems=UNKNOWN, etag=True)
def add_people(case: door.Case, asked: PeopleAsked, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Take in a list of people

    By the act of the workflow that records people: the whole list, or nobody of it. The same CSV as `caseflow case people` reads.
    """
    act = site.desk.dossier.list_act(case)
    if act is None:
        raise BadInput("This workflow takes no lists of people.")
    facts = {act["fact"]: site.desk.dossier.read_list(asked.list_)}
    bound.desk.act(case, act["id"], facts, None, door.actor(caller), request.state.seen, request.state.command, False)
    return read_people(case, request, site, caller)


@operation(router, "GET", "/cases/{case}/payments", PaymentList, says="The payments.", problems=UNKNOWN, etag=True)
def read_payments(case: door.Case, request: Request, site: Desk, caller: Who) -> Response:
    """What the request of a case owes, and what was paid, returned and refunded."""
    found = case_of(site, caller, case)
    looked(request, found["case"], "api payments")
    return told({**_head(found), "fees": found["fees"], "payments": site.desk.dossier.payments(found["case"])}, found["version"])


@operation(router, "GET", "/cases/{case}/tasks", TaskList, says="The tasks.", problems=UNKNOWN, etag=True)
def read_tasks(case: door.Case, request: Request, site: Desk, caller: Who) -> Response:
    """What waits for a person on a case."""
    found = case_of(site, caller, case)
    looked(request, found["case"], "api tasks")
    return told({**_head(found), "tasks": found["tasks"]}, found["version"])


def _head(found: dict[str, Any]) -> dict[str, Any]:
    return {"case": found["case"], "version": found["version"]}
