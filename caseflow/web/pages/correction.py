"""An entry of the record, and correcting it: voiding it or its day, with what that changes shown before it is done."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput, NotFound, Refused
from caseflow.services.people import Person
from caseflow.web import trial
from caseflow.web.forms import day_of
from caseflow.web.site import Desk, JudgedForm, Reader, SeenCase, Site, looked, page, see_other, text_of
from caseflow.web.turns import Page
from caseflow.web.words import sentence

router = APIRouter(route_class=Page)
LONGEST = 2_000
"""Characters of a reason: one that needs more belongs into a note."""


@router.get("/cases/{number}/entries/{seq}")
def entry(number: SeenCase, seq: int, request: Request, site: Desk, person: Reader) -> Response:
    """An entry of the record, and how it is corrected."""
    return _entry(number, seq, request, site, person, tried={"void": _tried(site, number, seq, None, "", person)})


@router.post("/cases/{number}/entries/{seq}")
def correct(number: SeenCase, seq: int, request: Request, site: Desk, person: Reader, sent: JudgedForm) -> Response:
    """Voids an entry, or corrects the day on which it counts; with `check`, only shows what that would change. Both stay on the record."""
    who, because, intent = f"{person.id}:{person.role}", text_of(sent, "because").strip(), text_of(sent, "intent")
    given = {"because": because, "on": text_of(sent, "on"), "intent": intent}
    kind = "amend" if intent.startswith("amend") else "void"
    try:
        day = day_of(text_of(sent, "on"), site.desk.today(), "the effective day") if kind == "amend" else None
    except ValueError as error:
        return _entry(number, seq, request, site, person, str(error), given)
    tried = {kind: _tried(site, number, seq, day, because, person)}
    if intent.endswith("-check"):
        return _entry(number, seq, request, site, person, "", given, tried)
    if not because:
        return _entry(number, seq, request, site, person, "Say why; the reason stays on the record.", given, tried)
    if len(because) > LONGEST or any(sign < " " and sign not in "\n\r\t" for sign in because):
        return _entry(number, seq, request, site, person, f"A reason is plain text of at most {LONGEST:,} characters.", given, tried)
    try:
        done = site.desk.void(number, seq, because, who) if day is None else site.desk.amend(number, seq, day.isoformat(), because, who)
    except Refused as fault:
        return _entry(number, seq, request, site, person, " ".join(sentence(reason.text) for reason in fault.reasons), given, tried)
    except BadInput as fault:
        return _entry(number, seq, request, site, person, str(fault), given, tried)
    return see_other(f"/cases/{quote(done['case'])}?done={kind}")


def _tried(site: Site, number: str, seq: int, day: date | None, because: str, person: Person) -> dict[str, Any]:
    made: dict[str, Any] = site.desk.dossier.correction(number, seq, day, because, person)
    return {**made, "changes": [row for row in trial.changes(made) if row["changed"]], "limits": trial.limits(made), "day": day}


def _entry(
    number: str,
    seq: int,
    request: Request,
    site: Site,
    person: Person,
    wrong: str = "",
    sent: Mapping[str, str] | None = None,
    tried: Mapping[str, Any] | None = None,
) -> Response:
    found = site.desk.show(number, person.role, person.sees)
    entries = {one["seq"]: one for one in site.desk.timeline(found["case"], "recorded", None)}
    if seq not in entries:
        raise NotFound(f"There is no entry {seq}.")
    looked(request, found["case"], f"entry {seq}")
    acts = any("not-permitted" not in {reason["code"] for reason in one["because"]} for one in found["actions"])
    data = {"case": found, "entry": entries[seq], "entries": entries, "acts": acts, "wrong": wrong, "sent": sent or {}, "tried": tried or {}}
    return page(request, "entry.html", data, 422 if wrong else 200)
