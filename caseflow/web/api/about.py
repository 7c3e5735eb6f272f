"""Who calls, whether the program is well, and the API about itself."""

from __future__ import annotations

from fastapi import APIRouter, Response

from caseflow.web.api.door import Desk, Guarded, Needs, Who, operation, told
from caseflow.web.api.models.site import Health, Me
from caseflow.web.pages import health as page

router = APIRouter(route_class=Guarded, tags=["About"])
ANYBODY = Needs(right=None)


@operation(router, "GET", "/me", Me, says="Whom the token stands for.")
def read_me(caller: Who) -> Response:
    """Who the token stands for, and until when."""
    person = caller.person
    return told(
        {
            "name": person.id,
            "title": person.name,
            "role": person.role,
            "role_title": person.role_title,
            "rights": sorted(person.rights),
            "scope": caller.scope,
            "expires_at": caller.expires_at.isoformat(),
        }
    )


@operation(router, "GET", "/health", Health, needs=ANYBODY, says="The program is well.")
def read_health(site: Desk) -> Response:
    """Whether the program is well

    Answers 503 with the same members where it is not.
    """
    return page.health(site)
