"""Who calls, whether the program is well, and the API about itself."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from caseflow.web.api.door import Desk, Guarded, Needs, Who, operation, told
from caseflow.web.api.models.site import Health, Me
from caseflow.web.api.problems import KINDS
from caseflow.web.api.text import chapters, shapes
from caseflow.web.pages import health as page
from caseflow.web.site import page as rendered

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


@operation(router, "GET", "/openapi.json", {"application/json": {"schema": {"type": "object"}}}, needs=ANYBODY, says="The text.")
def read_openapi(request: Request) -> Response:
    """This API as OpenAPI 3.1."""
    return JSONResponse(request.app.state.text())


@operation(router, "GET", "/docs", {"text/html": {"schema": {"type": "string"}}}, needs=ANYBODY, says="The page.")
def read_docs(request: Request) -> Response:
    """This API as a page for people."""
    text = request.app.state.text()
    return rendered(request, "api.html", {"chapters": chapters(text), "shapes": shapes(text), "kinds": KINDS})
