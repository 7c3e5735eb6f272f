"""A case: what now and by when, the evidence, what is possible, the record."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from caseflow.errors import NotFound, Refused
from caseflow.services.people import Person
from caseflow.web import casepage, documents, timeline
from caseflow.web.forms import day_of
from caseflow.web.site import Desk, JudgedForm, Reader, SeenCase, SeenLetter, Site, looked, page, see_other, text_of
from caseflow.web.words import sentence

router = APIRouter()
LONGEST = 2_000
"""Characters of a reason: one that needs more belongs into a note."""


@router.get("/cases/{number}")
def case(number: SeenCase, request: Request, site: Desk, person: Reader) -> Response:
    """The page of a case."""
    found = site.desk.show(number, person.role, person.sees)
    looked(request, found["case"], "case")
    record = site.desk.timeline(found["case"], "recorded", None)
    made, drawn = casepage.view(found, record, request.query_params.get("done")), site.desk.drawing(found["case"])
    main = made["main"]["id"] if made["main"] else None
    made["office_days"] = casepage.office_days(drawn, made["main"]["target"]) if made["main"] and made["main"]["target"] else None
    return page(request, "case.html", {**made, "wide": timeline.wide(drawn), "tall": timeline.tall(drawn, main), "rows": timeline.table(drawn)})


@router.get("/cases/{number}/why/{clock}")
def why(number: SeenCase, clock: str, request: Request, site: Desk, person: Reader) -> Response:
    """How a last day is counted, and what it would be under every other reading of a setting."""
    found = site.desk.show(number, person.role, person.sees)
    made = site.desk.why(found["case"], clock)[0]
    looked(request, found["case"], f"why {clock}")
    return page(request, "why.html", {"case": found, "clock": made})


@router.get("/letters/{number}")
def letter(number: SeenLetter, request: Request, site: Desk, person: Reader) -> Response:
    """A letter of the register, as it was written."""
    found = site.desk.letter(number)
    case = site.desk.show(found["case"], person.role, person.sees)
    looked(request, found["case"], f"letter {number}")
    waits = found["status"] == "draft"
    return page(
        request, "letter.html", {"waits": waits, "letter": found, "case": case, "body": documents.body(site.desk.letter_part(found["markdown"]), below=1)}
    )


@router.post("/letters/{number}/approve")
def approve(number: SeenLetter, request: Request, site: Desk, person: Reader, sent: JudgedForm) -> Response:
    """Lets a letter leave that waits for a person. Raises Refused."""
    site.desk.approve(number, f"{person.id}:{person.role}")
    return see_other(f"/letters/{quote(number)}")


@router.get("/cases/{number}/entries/{seq}")
def entry(number: SeenCase, seq: int, request: Request, site: Desk, person: Reader) -> Response:
    """An entry of the record, and how it is corrected."""
    return _entry(number, seq, request, site, person)


def _entry(number: str, seq: int, request: Request, site: Site, person: Person, wrong: str = "", sent: Mapping[str, str] | None = None) -> Response:
    found = site.desk.show(number, person.role, person.sees)
    entries = {one["seq"]: one for one in site.desk.timeline(found["case"], "recorded", None)}
    if seq not in entries:
        raise NotFound(f"There is no entry {seq}.")
    looked(request, found["case"], f"entry {seq}")
    acts = any("not-permitted" not in {reason["code"] for reason in one["because"]} for one in found["actions"])
    data = {"case": found, "entry": entries[seq], "entries": entries, "acts": acts, "wrong": wrong, "sent": sent or {}}
    return page(request, "entry.html", data, 422 if wrong else 200)


@router.post("/cases/{number}/entries/{seq}")
def correct(number: SeenCase, seq: int, request: Request, site: Desk, person: Reader, sent: JudgedForm) -> Response:
    """Voids an entry, or corrects the day on which it counts. Both stay on the record."""
    who, because = f"{person.id}:{person.role}", text_of(sent, "because").strip()
    given = {"because": because, "on": text_of(sent, "on")}
    if not because:
        return _entry(number, seq, request, site, person, "Say why; the reason stays on the record.", given)
    if len(because) > LONGEST or any(sign < " " and sign not in "\n\r\t" for sign in because):
        return _entry(number, seq, request, site, person, f"A reason is plain text of at most {LONGEST:,} characters.", given)
    try:
        if text_of(sent, "intent") == "amend":
            day = day_of(text_of(sent, "on"), site.desk.today(), "the effective day").isoformat()
            done, action = site.desk.amend(number, seq, day, because, who), "amend"
        else:
            done, action = site.desk.void(number, seq, because, who), "void"
    except ValueError as error:
        return _entry(number, seq, request, site, person, str(error), given)
    except Refused as fault:
        return _entry(number, seq, request, site, person, " ".join(sentence(reason.text) for reason in fault.reasons), given)
    return see_other(f"/cases/{quote(done['case'])}?done={action}")
