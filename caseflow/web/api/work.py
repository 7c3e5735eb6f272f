"""Work: what needs a person, whose work a case is, handing over what somebody leaves, saved filters."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from caseflow.errors import BadInput
from caseflow.services import tokens
from caseflow.services.people import WORK
from caseflow.services.sight import OVERSEE
from caseflow.web.api.door import Bound, Desk, Guarded, Needs, Who, operation, settled, told
from caseflow.web.api.lists import After
from caseflow.web.api.models import work as m
from caseflow.web.pages.work import kept_address

router = APIRouter(route_class=Guarded, tags=["Work"])
READS, WRITES = Needs(right=WORK), Needs(right=WORK, scope=tokens.ACT, once="must")
Scope = Annotated[Literal["mine", "unassigned", "all"], Query(description="Whose cases.")]
Group = Annotated[str | None, Query(max_length=20, pattern=r"^[a-z]+$", description="One group alone, page by page.")]
Workflow = Annotated[str | None, Query(max_length=80, pattern=r"^[a-z0-9-]+$", description="Of one workflow.")]
From = Annotated[str, Query(alias="from", min_length=1, max_length=60, pattern=r"^[!-~]+$", description="The account of who leaves.")]


@operation(router, "GET", "/work", m.Work, needs=READS, says="The list.")
def read_work(site: Desk, caller: Who, view: Scope = "mine", group: Group = None, workflow: Workflow = None, after: After = None) -> Response:
    """What needs a person, by urgency

    The first rows of every group; or one group alone, whose `next` is followed.
    """
    agenda, person = site.desk.agenda, caller.person
    made = agenda.group(person, view, group, after, workflow) if group else agenda.page(person, view, workflow)
    groups = [{**one, "rows": [_plain(row) for row in one["rows"]]} for one in made["groups"]]
    return told({"next": None, **made, "groups": groups})


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what is only for the drawing of its clock."""
    return {name: value for name, value in row.items() if name != "lane"}


@operation(router, "GET", "/assignments", m.People, needs=READS, says="People and what they have.")
def read_assignments(site: Desk, caller: Who) -> Response:
    """To whom work can be given, and who has how much."""
    return told({"people": site.desk.assigning.people(), "load": site.desk.assigning.load(caller.person)})


@operation(router, "POST", "/assignments", m.Assigned, needs=WRITES, says="Assigned.", problems=("not-found", "refused"))
def assign(asked: m.AssignAsked, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Give cases to somebody, or to nobody

    One transaction: all of them or none. Each is an entry on the record of its case and moves no clock.
    """
    if settled(request):  # and it is not done again: somebody may have given the cases on since
        to = asked.to.casefold()
        return told({"to": to, "name": site.desk.assigning.names().get(to, to), "assigned": len(set(asked.cases)), "already": 0})
    made = bound.desk.assigning.assign(caller.person, asked.cases, asked.to, asked.because)
    site.desk.agenda.forget()
    return told(made)


@operation(router, "GET", "/assignments/left", m.LeftBy, needs=Needs(right=OVERSEE), says="What they have.", problems=("refused",))
def read_left(site: Desk, caller: Who, who: From) -> Response:
    """What somebody would leave behind, before anything is done."""
    return told(site.desk.assigning.left_by(caller.person, who.casefold()))


@operation(
    router,
    "POST",
    "/assignments/hand-over",
    m.HandedOver,
    needs=Needs(right=OVERSEE, scope=tokens.ACT, once="must"),
    says="Handed over.",
    problems=("not-found", "refused"),
)
def hand_over(asked: m.HandOverAsked, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Hand over every open case of one person to another

    At most 500 at once; `left` says how many remain for another call with another key.
    """
    if settled(request):
        left = site.desk.assigning.left_by(caller.person, asked.from_.casefold())["open"]
        name = site.desk.assigning.names().get(asked.to.casefold(), asked.to)
        moved = asked.counted - left
        return told({"to": asked.to.casefold(), "name": name, "assigned": moved, "already": 0, "moved": moved, "left": left})
    made = bound.desk.assigning.hand_over(caller.person, asked.from_, asked.to, asked.counted)
    site.desk.agenda.forget()
    return told(made)


# --- saved filters ---


@operation(router, "GET", "/views", m.Views, needs=READS, says="The filters.")
def read_views(site: Desk, caller: Who) -> Response:
    """The saved filters of the person."""
    return told({"views": site.desk.agenda.views(caller.person)})


@operation(router, "POST", "/views", m.Views, needs=WRITES, says="Saved; the filters as they are now.")
def save_view(asked: m.ViewAsked, site: Desk, caller: Who) -> Response:
    """Save the filter of My work or of the docket under a name."""
    address = kept_address(asked.address)
    if address is None:
        raise BadInput("Only a filter of My work or of the docket can be saved.")
    site.desk.agenda.keep(caller.person, asked.name, address)
    return told({"views": site.desk.agenda.views(caller.person)})


@operation(router, "POST", "/views/drop", m.Views, needs=WRITES, says="Deleted; the filters as they are now.", problems=("not-found",))
def drop_view(asked: m.DropAsked, site: Desk, caller: Who) -> Response:
    """Delete a saved filter of the person's own."""
    site.desk.agenda.drop(caller.person, asked.name)
    return told({"views": site.desk.agenda.views(caller.person)})
