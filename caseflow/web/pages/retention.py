"""How long records are kept: what is due for disposal and when, legal holds with their reasons, and the stubs of what went.

A hold is placed and lifted here; disposal itself is a command, since nothing brings a record back.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput, Refused
from caseflow.services.people import Person
from caseflow.web.forms import day_of
from caseflow.web.site import Desk, Form, Overseer, Site, page, see_other, text_of
from caseflow.web.turns import Page

router = APIRouter(route_class=Page)
MOST = 100
SAID = {"place": "A legal hold keeps", "lift": "A legal hold was lifted from"}
_WORDS = re.compile(r"[\s,;]+")


@router.get("/retention")
def retention(request: Request, site: Desk, person: Overseer) -> Response:
    """What may go and when, what is held, what went."""
    done, cases = request.query_params.get("done", ""), request.query_params.get("cases", "")[:2000]
    return _shown(request, site, person, said=(SAID[done], cases) if done in SAID and cases else None)


def _shown(
    request: Request, site: Site, person: Person, said: tuple[str, str] | None = None, wrong: str = "", reasons: Any = (), sent: dict[str, str] | None = None
) -> Response:
    desk, asked = site.desk.retention, request.query_params.get("until", "").strip()[:40]
    until = None
    if asked:
        try:
            until = day_of(asked, site.desk.today(), "the day").isoformat()
        except ValueError as fault:
            wrong = wrong or str(fault)
    told: dict[str, Any] = desk.page(until, person, MOST)
    kept = {"case": request.query_params.get("case", "")[:80]}
    data = {**told, "said": said, "wrong": wrong, "reasons": reasons, "sent": sent or kept, "asked": asked, "most": MOST}
    return page(request, "retention.html", data, 422 if wrong else 200)


@router.post("/retention/holds")
def hold(request: Request, site: Desk, person: Overseer, sent: Form) -> Response:
    """Places a hold on the cases named, or lifts one. The pack says which roles may."""
    intent = text_of(sent, "intent")
    given = {name: text_of(sent, name).strip()[:4000] for name in ("cases", "matter", "because", "seq")}
    cases, actor = [word for word in _WORDS.split(given["cases"]) if word][:500], f"{person.id}:{person.role}"
    try:
        if intent == "place":
            made = site.desk.retention.hold(cases, None, {}, given["because"], given["matter"] or None, actor, seen=person.sees)
        elif intent == "lift":
            seq = int(given["seq"]) if given["seq"].isdecimal() else None
            made = site.desk.retention.lift(cases, seq, given["because"], None, actor, seen=person.sees)
        else:
            raise BadInput("This form does not say what is to be done; open the page again and send it from there.")
    except Refused as fault:
        return _shown(request, site, person, wrong=f"{fault.what}.", reasons=[reason.text for reason in fault.reasons], sent=given)
    except BadInput as fault:
        return _shown(request, site, person, wrong=str(fault), sent=given)
    return see_other("/retention?" + urlencode({"done": intent, "cases": ", ".join(made["cases"][:20])}))
