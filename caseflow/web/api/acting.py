"""A case, written: acts, trials of acts, and corrections of entries. All of it or nothing, on the version that was seen."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from caseflow.services import tokens
from caseflow.web.api import door
from caseflow.web.api.cases import UNKNOWN, Name, case_of
from caseflow.web.api.door import Bound, Desk, Guarded, Needs, Who, actor, operation, settled, told, told_case
from caseflow.web.api.models.cases import Case, Corrected, CorrectionTrial, Trial
from caseflow.web.api.models.common import Asked, Given, OnDay, Text
from caseflow.web.site import Site, looked

router = APIRouter(route_class=Guarded, tags=["Acts"])
WRITES = Needs(scope=tokens.ACT, seen=True, once="may")
Seq = Annotated[int, Path(ge=1, le=1_000_000, description="The entry's number.")]


class ActAsked(Asked):
    """An act."""

    facts: Annotated[Given, Field(description="The facts of the act by name, as `facts` of the action says. Money and decimals as text.")] = {}
    on: Annotated[OnDay | None, Field(description="The effective day (of a document: the day it arrived); today where none is given.")] = None


class VoidAsked(Asked):
    """Leaves an entry out."""

    because: Annotated[Text, Field(description="The reason. It stays on the record.")]


class AmendAsked(Asked):
    """Corrects the day on which an entry counts."""

    on: Annotated[OnDay, Field(description="The effective day as it should be.")]
    because: Annotated[Text, Field(description="The reason. It stays on the record.")]


@operation(router, "POST", "/cases/{case}/actions/{action}", Case, needs=WRITES, says="Done; the case as it is now.", problems=UNKNOWN, etag=True)
def act(case: door.Case, action: Name, asked: ActAsked, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Take an action

    One transaction: the entry, its clocks, its limits and the words of its letters, or nothing at all. What is refused names
    every reason with its citation.
    """
    found = case_of(site, caller, case)
    done = bound.desk.act(found["case"], action, asked.facts, asked.on, actor(caller), request.state.seen, request.state.command, False)
    return told_case(request, done, f"act {action}")


@operation(router, "POST", "/cases/{case}/actions/{action}/trial", Trial, says="What would happen.", problems=UNKNOWN, etag=True)
def try_act(case: door.Case, action: Name, asked: ActAsked, request: Request, site: Desk, caller: Who) -> Response:
    """Try an action without taking it

    The answer is 200 also where the action would be refused: `allowed` and `because` say so. Nothing is recorded.
    """
    found = case_of(site, caller, case)
    looked(request, found["case"], f"api trial {action}")
    made = site.desk.act(found["case"], action, asked.facts, asked.on, actor(caller), None, None, True)
    return told(made, found["version"])


@operation(router, "POST", "/cases/{case}/entries/{seq}/void", Corrected, needs=WRITES, says="Done; the case as it is now.", problems=UNKNOWN, etag=True)
def void_entry(case: door.Case, seq: Seq, asked: VoidAsked, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Void an entry

    It stays on the record with the reason; what followed from it is replayed without it, and refused where it could not stand.
    """
    found = case_of(site, caller, case)
    if settled(request):
        return told_case(request, _corrected(site, found, "void", seq), f"void {seq}")
    return told_case(request, bound.desk.void(found["case"], seq, asked.because, actor(caller)), f"void {seq}")


@operation(router, "POST", "/cases/{case}/entries/{seq}/amend", Corrected, needs=WRITES, says="Done; the case as it is now.", problems=UNKNOWN, etag=True)
def amend_entry(case: door.Case, seq: Seq, asked: AmendAsked, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Correct the effective day of an entry

    Both days stay on the record; everything later is replayed.
    """
    found = case_of(site, caller, case)
    if settled(request):
        return told_case(request, _corrected(site, found, "amend", seq), f"amend {seq}")
    return told_case(request, bound.desk.amend(found["case"], seq, asked.on, asked.because, actor(caller)), f"amend {seq}")


def _corrected(site: Site, found: dict[str, Any], kind: str, seq: int) -> dict[str, Any]:
    """A correction that was made before, told as done: the case as it is now, with what the correction closed on the way."""
    entries = site.desk.timeline(found["case"], "recorded", None)
    at = max((place for place, one in enumerate(entries) if one["action"] == kind and one["facts"].get("entry") == seq), default=len(entries))
    withdrawn = []
    for one in entries[at + 1 :]:
        if one["action"] != "withdrawn-by-correction":
            break
        withdrawn.append(one["voids"])
    return {**found, "withdrawn": withdrawn}


class CorrectionAsked(Asked):
    """A correction to try."""

    on: Annotated[OnDay | None, Field(description="The day to move the entry to; none to leave it out.")] = None


@operation(router, "POST", "/cases/{case}/entries/{seq}/trial", CorrectionTrial, says="What would change.", problems=UNKNOWN, etag=True)
def try_correction(case: door.Case, seq: Seq, asked: CorrectionAsked, request: Request, site: Desk, caller: Who) -> Response:
    """Try a correction without making it."""
    found = case_of(site, caller, case)
    looked(request, found["case"], f"api trial {seq}")
    on = date.fromisoformat(asked.on) if asked.on is not None else None
    return told(site.desk.dossier.correction(found["case"], seq, on, "", caller.person), found["version"])
