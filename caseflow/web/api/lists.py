"""The docket, search and the board."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from caseflow.services.sight import OVERSEE
from caseflow.web.api.door import Desk, Guarded, Needs, Who, operation, told
from caseflow.web.api.models.common import OnDay
from caseflow.web.api.models.lists import Board, Choices, Docket

router = APIRouter(route_class=Guarded, tags=["Lists"])
Word = Annotated[str | None, Query(max_length=100, pattern=r"^[^\x00-\x1f]*$")]
After = Annotated[str | None, Query(max_length=100, pattern=r"^(-|\d{4}-\d\d-\d\d):[!-~]{1,80}$", description="`next` of the page before.")]
Limit = Annotated[int, Query(ge=1, le=500, description="Cases of a page.")]
Sought = Annotated[str, Query(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]*$", description="Words; the last may be the beginning of one.")]


@operation(router, "GET", "/docket", Docket, says="A page of cases.")
def read_docket(
    site: Desk,
    caller: Who,
    workflow: Word = None,
    state: Word = None,
    phase: Word = None,
    turn: Word = None,
    assigned: Annotated[str | None, Query(max_length=100, pattern=r"^[^\x00-\x1f]*$", description="An account, or `nobody`.")] = None,
    flag: Word = None,
    overdue: Annotated[bool, Query(description="Only cases whose last day has passed.")] = False,
    due_within: Annotated[int | None, Query(ge=0, le=400, description="Office days to the target.")] = None,
    decided: Annotated[bool, Query(description="Those that ended, too.")] = False,
    after: After = None,
    limit: Limit = 50,
) -> Response:
    """Cases, the soonest target first

    All that is given must hold. Follow `next` for the pages after it.
    """
    asked = {
        "workflow": workflow,
        "state": state,
        "phase": phase,
        "turn": turn,
        "assigned": assigned,
        "flag": flag,
        "overdue": overdue,
        "due_within": due_within,
        "decided": decided,
    }
    return told(site.desk.docket_page(asked, after, limit, caller.person.sees))


@operation(router, "GET", "/search", Docket, says="A page of what was found.")
def search(site: Desk, caller: Who, q: Sought, after: After = None, limit: Limit = 50) -> Response:
    """Cases by words, the best first

    Searched are numbers, people, places, facts and the words of letters; decided cases too.
    """
    return told(site.desk.docket_page({"text": q, "decided": True}, after, limit, caller.person.sees))


@operation(router, "GET", "/docket/choices", Choices, says="The choices.")
def read_choices(site: Desk, caller: Who) -> Response:
    """What a docket can be narrowed to."""
    return told(site.desk.docket_choices())


@operation(router, "GET", "/board", Board, needs=Needs(right=OVERSEE), says="The board.")
def read_board(site: Desk, caller: Who, as_of: Annotated[OnDay | None, Query(description="Today, or a day that has passed.")] = None) -> Response:
    """What a supervisor watches."""
    return told(site.desk.board(as_of, caller.person.sees))
