"""The register of letters, and what a person may do with a letter. Each write is one to its case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from caseflow.services import tokens
from caseflow.web.api import door
from caseflow.web.api.cases import UNKNOWN
from caseflow.web.api.door import Bound, Desk, Guarded, Needs, Who, actor, operation, settled, told
from caseflow.web.api.models import letters as m
from caseflow.web.site import Site, looked

router = APIRouter(route_class=Guarded, tags=["Letters"])
WRITES = Needs(scope=tokens.ACT, seen=True, once="may")
After = Annotated[str | None, Query(max_length=80, pattern=r"^[!-~]+$", description="`next` of the page before.")]
Limit = Annotated[int, Query(ge=1, le=200, description="Letters of a page.")]
Status = Annotated[
    Literal["draft", "owed", "blocked", "approved", "queued", "handed-over", "delivered", "bounced", "returned", "answer-unknown", "superseded", "canceled"]
    | None,
    Query(description="Only those that stand so."),
]
Place = Annotated[str, Path(max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", description="A marked place: see `places` of the letter.")]
BINARY = {"schema": {"type": "string", "format": "binary"}}


@operation(router, "GET", "/letters", m.LetterPage, says="A page of letters.")
def read_letters(site: Desk, caller: Who, status: Status = None, after: After = None, limit: Limit = 50) -> Response:
    """The register of letters, by number."""
    return told(site.desk.register.page(caller.person.sees, None, status, after, limit))


@operation(router, "GET", "/cases/{case}/letters", m.LetterPage, says="Its letters.", problems=UNKNOWN)
def read_letters_of_case(case: door.Case, request: Request, site: Desk, caller: Who, status: Status = None, after: After = None, limit: Limit = 50) -> Response:
    """The letters of a case, by number."""
    looked(request, case, "api letters")
    return told(site.desk.register.page(caller.person.sees, case, status, after, limit))


@operation(router, "POST", "/cases/{case}/letters/{template}/preview", m.Preview, says="The letter as it would be.", problems=(*UNKNOWN, "refused"))
def preview_letter(
    case: door.Case,
    template: Annotated[str, Path(max_length=80, pattern=r"^[a-z0-9][a-z0-9_-]*$", description="Which letter of the pack.")],
    asked: m.PreviewAsked,
    request: Request,
    site: Desk,
    caller: Who,
) -> Response:
    """A letter with the data of a case, as an action would owe it

    Whether or not the action is legal now. Nothing is recorded.
    """
    looked(request, case, f"api preview {template}")
    return told(site.desk.preview(case, template, asked.action, asked.facts))


@operation(router, "GET", "/letters/{letter}", m.Letter, says="The letter.", problems=UNKNOWN, etag=True)
def read_letter(letter: door.Letter, request: Request, site: Desk, caller: Who) -> Response:
    """A letter whole: its words, copies, attempts, edits."""
    return _letter(request, site.desk.letter(letter), site.desk.register.version, f"api letter {letter}")


@operation(router, "GET", "/letters/{letter}/pdf", {"application/pdf": BINARY}, says="The letter as tagged PDF.", problems=(*UNKNOWN, "refused"))
def read_letter_pdf(letter: door.Letter, request: Request, site: Desk, caller: Who) -> Response:
    """A letter as PDF, the same bytes each time."""
    made = site.desk.register.pdf(letter)
    looked(request, site.desk.letter(letter)["case"], f"api letter {letter}")
    return Response(made, media_type="application/pdf", headers={"content-disposition": f'attachment; filename="{letter}.pdf"'})


@operation(router, "GET", "/letters/{letter}/html", {"text/html": {"schema": {"type": "string"}}}, says="The letter as a page.", problems=UNKNOWN)
def read_letter_html(letter: door.Letter, request: Request, site: Desk, caller: Who) -> Response:
    """A letter as an HTML page."""
    found = site.desk.letter(letter)
    looked(request, found["case"], f"api letter {letter}")
    return HTMLResponse(found["html"])


@operation(router, "GET", "/letters/{letter}/text", {"text/plain": {"schema": {"type": "string"}}}, says="The letter as text.", problems=UNKNOWN)
def read_letter_text(letter: door.Letter, request: Request, site: Desk, caller: Who) -> Response:
    """A letter as plain text."""
    found = site.desk.letter(letter)
    looked(request, found["case"], f"api letter {letter}")
    return PlainTextResponse(found["text"])


def _letter(request: Request, found: dict[str, Any], version: Callable[[str], int], what: str) -> Response:
    looked(request, found["case"], what)
    return told(found, version(found["case"]))


def _written(request: Request, site: Site, letter: str, write: Callable[[], dict[str, Any]], what: str) -> Response:
    """Does a write to a letter and tells the letter; where it was done before and its answer was lost, the letter as it is now."""
    found = site.desk.letter(letter) if settled(request) else write()
    return _letter(request, found, site.desk.register.version, f"api {what} {letter}")


@operation(router, "POST", "/letters/{letter}/approve", m.Letter, needs=WRITES, says="Approved; the letter as it is now.", problems=UNKNOWN, etag=True)
def approve_letter(letter: door.Letter, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Approve a letter that waits for a person."""
    return _written(request, site, letter, lambda: bound.desk.approve(letter, actor(caller)), "approve")


@operation(router, "POST", "/letters/{letter}/places/{place}", m.Letter, needs=WRITES, says="Written; the letter as it is now.", problems=UNKNOWN, etag=True)
def edit_letter(letter: door.Letter, place: Place, asked: m.PlaceAsked, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Write into a marked place of a letter that has not begun to leave

    It is a draft then, and waits for approval. What stood there, who wrote and when are kept.
    """
    return _written(request, site, letter, lambda: bound.desk.edit_letter(letter, place, asked.text, actor(caller)), "edit")


@operation(router, "POST", "/letters/{letter}/retry", m.Letter, needs=WRITES, says="Written; the letter as it is now.", problems=UNKNOWN, etag=True)
def retry_letter(letter: door.Letter, asked: m.RetryAsked, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Write a blocked letter with what it lacked."""
    return _written(request, site, letter, lambda: bound.desk.retry_letter(letter, asked.facts, actor(caller)), "retry")


@operation(router, "POST", "/letters/{letter}/correct", m.Letter, needs=WRITES, says="The new letter.", problems=UNKNOWN, etag=True)
def correct_letter(letter: door.Letter, asked: m.CorrectAsked, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Correct a letter by another

    One that has gone stays as it is; one that has not is superseded and never goes.
    """
    new = site.desk.letter(letter)["corrected_by"] if settled(request) else None
    return _written(request, site, new or letter, lambda: bound.desk.correct_letter(letter, asked.because, actor(caller)), "correct")


@operation(router, "POST", "/letters/{letter}/events", m.Letter, needs=WRITES, says="Recorded; the letter as it is now.", problems=UNKNOWN, etag=True)
def record_event(letter: door.Letter, asked: m.EventAsked, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Record that a copy arrived, or came back and why."""

    def write() -> dict[str, Any]:
        found: dict[str, Any] = bound.desk.letter_event(letter, asked.event, asked.copy_, asked.because, asked.on, actor(caller))
        return found

    return _written(request, site, letter, write, asked.event)


@operation(router, "POST", "/letters/{letter}/resend", m.Letter, needs=WRITES, says="Owed again; the letter as it is now.", problems=UNKNOWN, etag=True)
def resend_letter(letter: door.Letter, asked: m.ResendAsked, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Send a copy that could not be delivered another way."""

    def write() -> dict[str, Any]:
        found: dict[str, Any] = bound.desk.resend_letter(letter, asked.copy_, asked.channel, asked.address, actor(caller))
        return found

    return _written(request, site, letter, write, "resend")
