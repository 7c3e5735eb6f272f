"""A letter of the register, and what a person does with it: approve it, write into it, write a blocked one, correct it by
another, record what became of a copy, send a copy another way."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput, LetterFault, Refused
from caseflow.services.people import Person
from caseflow.web import documents, forms
from caseflow.web.site import Desk, Form, JudgedForm, Reader, SeenLetter, Site, looked, page, see_other
from caseflow.web.turns import Page
from caseflow.web.words import sentence

router = APIRouter(route_class=Page)
EVENTS = ("delivered", "bounced", "returned")
OPEN = ("draft", "owed", "approved")
"""Statuses of a letter into which a person may still write."""
GONE = ("handed-over", "delivered", "answer-unknown", "bounced", "returned")
"""Statuses of a copy of which something may be learned."""
LOST = ("bounced", "returned", "answer-unknown")
"""Statuses of a copy that may go another way."""


@router.get("/letters/{number}")
def letter(number: SeenLetter, request: Request, site: Desk, person: Reader) -> Response:
    """A letter of the register, as it was written."""
    return _letter(number, request, site, person)


@router.post("/letters/{number}/approve")
def approve(number: SeenLetter, request: Request, site: Desk, person: Reader, sent: JudgedForm) -> Response:
    """Lets a letter leave that waits for a person. Raises Refused."""
    site.desk.approve(number, f"{person.id}:{person.role}")
    return see_other(f"/letters/{quote(number)}")


@router.post("/letters/{number}/edit")
def edit(number: SeenLetter, request: Request, site: Desk, person: Reader, form: Form) -> Response:
    """Writes into a marked place; the letter is a draft then, and waits for approval."""
    sent = forms.sent_of(form)
    return _done(number, request, site, person, sent, lambda who: site.desk.edit_letter(number, _one(sent, "place"), _one(sent, "text"), who))


@router.post("/letters/{number}/retry")
def retry(number: SeenLetter, request: Request, site: Desk, person: Reader, form: Form) -> Response:
    """Writes a blocked letter, with what the case knows by now and the facts stated here."""
    sent = forms.sent_of(form)
    facts, errors = forms.facts_of(site.desk.dossier.letter_fields(number), sent, site.desk.today())
    if errors:
        return _letter(number, request, site, person, sent, " ".join(errors.values()))
    return _done(number, request, site, person, sent, lambda who: site.desk.retry_letter(number, facts, who))


@router.post("/letters/{number}/correct")
def correct(number: SeenLetter, request: Request, site: Desk, person: Reader, form: Form) -> Response:
    """Writes a new letter that corrects this one; one that has not gone never goes then."""
    sent = forms.sent_of(form)
    return _done(number, request, site, person, sent, lambda who: site.desk.correct_letter(number, _one(sent, "because"), who))


@router.post("/letters/{number}/event")
def event(number: SeenLetter, request: Request, site: Desk, person: Reader, form: Form) -> Response:
    """Records that a copy arrived, bounced or came back."""
    sent = forms.sent_of(form)
    if _one(sent, "event") not in EVENTS:
        return _letter(number, request, site, person, sent, "Say what became of the copy: delivered, bounced or returned.")
    try:
        day = _day(sent, site.desk.today())
    except ValueError as error:
        return _letter(number, request, site, person, sent, str(error))
    because = _one(sent, "because") or None
    return _done(number, request, site, person, sent, lambda who: site.desk.letter_event(number, _one(sent, "event"), _one(sent, "copy"), because, day, who))


@router.post("/letters/{number}/resend")
def resend(number: SeenLetter, request: Request, site: Desk, person: Reader, form: Form) -> Response:
    """Sends a copy that did not arrive by another channel or to another address."""
    sent = forms.sent_of(form)
    address = [line.strip() for line in _one(sent, "address").split("\n") if line.strip()]
    return _done(number, request, site, person, sent, lambda who: site.desk.resend_letter(number, _one(sent, "copy"), _one(sent, "channel"), address, who))


def _one(sent: Mapping[str, list[str]], name: str) -> str:
    return (sent.get(name) or [""])[-1].strip()


def _day(sent: Mapping[str, list[str]], today: date) -> str | None:
    said = _one(sent, "on")
    return forms.day_of(said, today, "the day").isoformat() if said else None


def _done(number: str, request: Request, site: Site, person: Person, sent: Mapping[str, list[str]], does: Any) -> Response:
    """Does it and shows the letter that there is then; what was refused keeps what was written."""
    try:
        made = does(f"{person.id}:{person.role}")
    except Refused as fault:
        return _letter(number, request, site, person, sent, " ".join(_whole(reason) for reason in fault.reasons))
    except (BadInput, LetterFault) as fault:
        return _letter(number, request, site, person, sent, str(fault))
    return see_other(f"/letters/{quote(made['number'])}?done={quote(request.url.path.rpartition('/')[2])}")


def _whole(reason: Any) -> str:
    return sentence(reason.text[:1].upper() + reason.text[1:]) + (f" {sentence(reason.instead)}" if reason.instead else "")


def _letter(number: str, request: Request, site: Site, person: Person, sent: Mapping[str, list[str]] | None = None, wrong: str = "") -> Response:
    found = site.desk.letter(number)
    case = site.desk.show(found["case"], person.role, person.sees)
    looked(request, found["case"], f"letter {number}")
    data = {
        "waits": found["status"] == "draft",
        "letter": found,
        "case": case,
        "body": documents.body(site.desk.letter_part(found["markdown"]), below=1),
        "wrong": wrong,
        "sent": sent or {},
        "errors": {},
        "open": found["status"] in OPEN and not any(copy["attempts"] or copy["batch"] for copy in found["copies"]),
        "fields": site.desk.dossier.letter_fields(number) if found["status"] == "blocked" else [],
        "correctable": found["status"] not in ("canceled", "superseded", "blocked") and not found["corrected_by"],
        "gone": GONE,
        "lost": LOST,
        "done": request.query_params.get("done"),
        "acts": person.acts,
        "place": _one(sent or {}, "place"),
    }
    return page(request, "letter.html", data, 422 if wrong else 200)
