"""An action: its form, what would happen, and doing it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import date
from typing import Any

from fastapi import APIRouter, Request, Response

from caseflow.errors import LetterFault, Refused, StaleCase
from caseflow.services.people import Person
from caseflow.services.showing import reason_json
from caseflow.web import documents, forms, trial
from caseflow.web.site import Desk, JudgedForm, Reader, SeenCase, Site, command_of, looked, page, see_other
from caseflow.web.turns import Page

router = APIRouter(route_class=Page)


@router.get("/cases/{number}/do/{action}")
def ask(number: SeenCase, action: str, request: Request, site: Desk, person: Reader) -> Response:
    """The form, as the case stands."""
    case, asked = site.desk.show(number, person.role, person.sees), site.desk.asked(number, action)
    looked(request, case["case"], f"form {action}")
    return _shown(request, site, person, case, asked, _first(site, case, asked))


def _first(site: Site, case: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, list[str]]:
    """What the form holds before anybody writes: today, and every item that is missing ticked where the act asks for items."""
    sent = {"on": [site.desk.today().isoformat()], "command_id": [secrets.token_hex(16)], "seen_version": [str(case["version"])]}
    if asked["items_do"] in ("asks", "finds-missing", "lists"):
        sent["f.items"] = [item["id"] for item in case["items"] if item["status"] == "missing"]
    if asked["items_do"] == "satisfies":
        sent["f.items"] = [item["id"] for item in case["items"] if item["status"] == "asked"]
    for field in asked["fields"]:
        if field["required"] and field["known"] is not None and field["kind"] in ("text", "number", "money", "day", "choice", "person"):
            sent[f"f.{field['name']}"] = [str(field["known"])]
    return sent


@router.post("/cases/{number}/do/{action}")
def act(number: SeenCase, action: str, request: Request, site: Desk, person: Reader, form: JudgedForm) -> Response:
    """Tries the act (`intent` check) or does it. Whatever is refused keeps what was written, and nothing is recorded."""
    sent = forms.sent_of(form)
    asked, today = site.desk.asked(number, action), site.desk.today()
    facts, errors = forms.facts_of(asked["fields"], sent, today)
    on = _on(sent, today, errors)
    if errors or (sent.get("intent") or [""])[-1] == "check":
        return _shown(request, site, person, site.desk.show(number, person.role, person.sees), asked, sent, facts, on, errors, said=True)
    try:
        seen = (sent.get("seen_version") or [""])[-1]
        done = site.desk.act(
            number,
            action,
            facts,
            on.isoformat() if on is not None else None,
            f"{person.id}:{person.role}",
            int(seen) if seen.isdecimal() and len(seen) < 10 else None,
            _command(person, number, sent, [action, facts, on]),
            False,
        )
    except Refused as fault:
        case = site.desk.show(number, person.role, person.sees)
        stale = isinstance(fault, StaleCase)
        reasons = [reason_json(reason) for reason in fault.reasons]
        if stale:
            sent = {**sent, "seen_version": [str(case["version"])]}
        return _shown(request, site, person, case, asked, sent, facts, on, errors, reasons, stale, said=True)
    except LetterFault as fault:
        reasons = [{"code": "letter-incomplete", "condition": fault.letter, "text": str(fault), "cite": None, "entries": [], "instead": None}]
        return _shown(request, site, person, site.desk.show(number, person.role, person.sees), asked, sent, facts, on, errors, reasons, said=True)
    return see_other(f"/cases/{done['case']}?done={action}&version={done['version']}")


def _command(person: Person, number: str, sent: Mapping[str, list[str]], written: Any) -> str | None:
    """The form's own number, so that sending it twice is harmless. It is bound to the person and the case: nobody meets another's."""
    return command_of(person, number, (sent.get("command_id") or [""])[-1], written)


def _on(sent: Mapping[str, list[str]], today: date, errors: dict[str, str]) -> date | None:
    said = (sent.get("on") or [""])[-1].strip()
    try:
        return forms.day_of(said, today, "the effective day") if said else None
    except ValueError as error:
        errors["on"] = str(error)
        return None


def _shown(
    request: Request,
    site: Site,
    person: Person,
    case: Mapping[str, Any],
    asked: Mapping[str, Any],
    sent: Mapping[str, list[str]],
    facts: Mapping[str, Any] | None = None,
    on: date | None = None,
    errors: Mapping[str, str] | None = None,
    reasons: Any = (),
    stale: bool = False,
    said: bool = False,
) -> Response:
    """The form with what was written, the trial of it, and errors where they belong. `said`: the person has sent it once."""
    if facts is None:
        facts, _ = forms.facts_of(asked["fields"], sent, site.desk.today())
    made = site.desk.act(case["case"], asked["action"], facts, on.isoformat() if on else None, f"{person.id}:{person.role}", None, None, True)
    beside, rest = forms.split([*reasons, *([] if made["allowed"] or stale else made["because"])], asked["fields"])
    # What belongs to the state or the role stands against the act whatever is written; what is missing is said once it was sent.
    rest = list({(one["code"], one["condition"]): one for one in rest}.values())
    checking = (sent.get("intent") or ["check"])[-1] == "check"
    against = rest if said else [one for one in rest if one["code"] in ("wrong-state", "not-permitted", "limit-reached")]
    data = {
        "case": case,
        "asked": asked,
        "sent": sent,
        "on": on or site.desk.today(),
        "errors": {**beside, **(errors or {})} if said else {},
        "against": against,
        "stale": reasons if stale else (),
        "trial": made,
        "changes": trial.changes(made),
        "limits": trial.limits(made),
        "letters": [{**letter, "body": documents.body(site.desk.letter_part(letter["markdown"]), facts)} for letter in made["letters"]],
        "still": {**beside, **(errors or {})},
        "open": against,
        "spends": [limit for limit in asked["limits"] if limit["allowed"] - limit["used"] == 1],
        "not_asked": next((field["name"] for field in asked["fields"] if field["kind"] == "reasons"), None),
        "unasked": _unasked(case, asked, sent),
        "action_of": next((one for one in case["actions"] if one["id"] == asked["action"]), None),
        "checking": said and checking,
        "people": [one.id for one in site.desk.people.all() if one.disabled_at is None] if any(f["kind"] == "person" for f in asked["fields"]) else [],
    }
    return page(request, "action.html", data, 200 if checking else 422 if data["errors"] else 409)


def _unasked(case: Mapping[str, Any], asked: Mapping[str, Any], sent: Mapping[str, list[str]]) -> list[Mapping[str, Any]]:
    """What is missing and would not be asked for by the only request."""
    if asked["items_do"] != "asks":
        return []
    named = set(sent.get("f.items", ()))
    return [item for item in case["items"] if item["status"] == "missing" and item["id"] not in named]
