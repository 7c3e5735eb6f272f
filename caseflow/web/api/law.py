"""The rules themselves: rule sets, calendars, deadlines of a month, packs and workflows."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from caseflow.errors import BadInput, NotFound
from caseflow.web.api.door import Desk, Guarded, Who, operation, told
from caseflow.web.api.models import rules as m
from caseflow.web.api.models.common import OnDay

router = APIRouter(route_class=Guarded, tags=["Rules"])
Name = Annotated[str, Path(max_length=80, pattern=r"^[a-z0-9][a-z0-9_-]*$", description="Its id.")]
On = Annotated[OnDay | None, Query(description="The day received, which picks the version; today where none is given.")]
UNKNOWN = ("not-found",)


@operation(router, "GET", "/rules", m.Rulesets, says="The rule sets.")
def read_rulesets(site: Desk, caller: Who, on: On = None) -> Response:
    """The rule sets of a day."""
    return told(site.desk.rules_list(None, on))


@operation(router, "GET", "/rules/{ruleset}", m.Ruleset, says="The rule set.", problems=UNKNOWN)
def read_ruleset(ruleset: Name, site: Desk, caller: Who, on: On = None) -> Response:
    """A rule set, rule by rule."""
    return told(site.desk.rules_list(ruleset, on))


@operation(router, "POST", "/rules/{ruleset}/evaluate", m.Evaluation, says="The findings.", problems=(*UNKNOWN, "refused"))
def evaluate(ruleset: Name, asked: m.FactsAsked, site: Desk, caller: Who) -> Response:
    """What a rule set finds on facts

    A missing fact is unknown, never fail or pass; what only a person can judge stays a judgment until `judgments` in the facts settles it.
    """
    return told(site.desk.rules_evaluate(ruleset, asked.facts, asked.on, asked.readings))


@operation(router, "GET", "/calendar", m.Calendar, says="The days of a year.", problems=UNKNOWN)
def read_calendar(
    site: Desk,
    caller: Who,
    year: Annotated[int, Query(ge=2000, le=2100)],
    name: Annotated[str | None, Query(max_length=80, pattern=r"^[a-z0-9][a-z0-9_-]*$", description="A calendar; the first pack's where none is named.")] = None,
) -> Response:
    """Holidays and days on which the office is closed, with their sources."""
    try:
        return told(site.desk.calendar(name, year))
    except BadInput as fault:  # the year is one that the calendar counts; only the name can be wrong
        raise NotFound(str(fault)) from None


@operation(router, "GET", "/deadlines", m.Deadlines, says="The dates.")
def read_deadlines(
    site: Desk,
    caller: Who,
    month: Annotated[str | None, Query(pattern=r"^20\d\d-(0[1-9]|1[0-2])$", description="Such as 2027-01; this one where none is named.")] = None,
    mine: Annotated[bool, Query(description="Only of cases that are the caller's work.")] = False,
    workflow: Annotated[str | None, Query(max_length=80, pattern=r"^[a-z0-9][a-z0-9_-]*$")] = None,
) -> Response:
    """The dates of a month, on cases that the caller sees."""
    asked = {"month": month or "", "who": "mine" if mine else "team", "workflow": workflow or ""}
    found = site.desk.deadlines.month(caller.person, asked)
    return told({name: found[name] for name in ("month", "dates", "through")})


@operation(router, "GET", "/packs", m.Packs, says="The packs.")
def read_packs(site: Desk, caller: Who) -> Response:
    """The packs that are loaded: workflows, letters, fees, settings with their readings."""
    return told({"packs": [site.desk.pack_show(one["id"]) for one in site.desk.standing()["packs"]]})


@operation(router, "GET", "/workflows", m.Workflows, says="The workflows.")
def read_workflows(site: Desk, caller: Who) -> Response:
    """The workflows of every pack."""
    packs = [site.desk.pack_show(one["id"]) for one in site.desk.standing()["packs"]]
    return told({"workflows": [flow for pack in packs for flow in pack["workflows"]]})


@operation(router, "GET", "/workflows/{workflow}", m.Workflow, says="The workflow.", problems=UNKNOWN)
def read_workflow(workflow: Name, site: Desk, caller: Who) -> Response:
    """A workflow in summary, each part with its law."""
    return told(site.desk.pack_show(_known(site, workflow)))


@operation(router, "GET", "/workflows/{workflow}/diagram", {"image/svg+xml": {"schema": {"type": "string"}}}, says="The drawing.", problems=UNKNOWN)
def read_diagram(workflow: Name, site: Desk, caller: Who) -> Response:
    """A workflow as a drawing, made from its machine."""
    return Response(site.desk.diagram(_known(site, workflow)), media_type="image/svg+xml")


@operation(router, "GET", "/workflows/{workflow}/form", {"text/markdown": {"schema": {"type": "string"}}}, says="The form.", problems=UNKNOWN)
def read_form(workflow: Name, site: Desk, caller: Who) -> Response:
    """The request form of a workflow, printable, made from its items."""
    return Response(site.desk.form(_known(site, workflow)), media_type="text/markdown")


def _known(site: Desk, workflow: str) -> str:
    packs = [site.desk.pack_show(one["id"]) for one in site.desk.standing()["packs"]]
    known = [flow["id"] for pack in packs for flow in pack["workflows"]]
    if workflow not in known:
        raise NotFound(f"There is no workflow '{workflow}'; the workflows: {', '.join(known)}.")
    return workflow
