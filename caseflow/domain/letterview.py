"""The plain data that a letter's template may read: text, numbers, ISO days, lists and maps. Nothing else reaches it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from caseflow.domain.case import Case, Entry, FeeLine, LetterOwed, Party
from caseflow.domain.changes import CORE_FACTS
from caseflow.domain.clock import Run, length_text, value_of
from caseflow.domain.fees import kept, moved, total
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import run


def letters_owed(book: Rulebook, case: Case, entry: Entry, by_law: bool) -> tuple[LetterOwed, ...]:
    """The letters that an entry owes, each with the data it may state. `case` is the case after the entry."""
    made = entry.facts.get("letters") or ()
    shared = _view(book, case, entry)
    return tuple(_owed(book, case, entry, letter, number, shared, by_law) for letter, number in made)


def _owed(book: Rulebook, case: Case, entry: Entry, letter: str, number: str, shared: Mapping[str, Any], by_law: bool) -> LetterOwed:
    declared = book.pack.letters[letter]
    to, copies = recipients(case, declared.to), recipients(case, declared.copies)
    view = {
        **shared,
        "letter": {"id": letter, "title": declared.title, "number": number, "date": entry.effective_on.isoformat()},
        "to": [_party(party) for party in to],
        "copies": [_party(party) for party in copies],
    }
    return LetterOwed(case.number, entry.seq, letter, number, entry.effective_on, view, to, copies, declared.approval, by_law)


def recipients(case: Case, roles: Sequence[str]) -> tuple[Party, ...]:
    """The parties of the case in these roles, in that order; the requester's agent gets what the requester gets."""
    found = [party for role in roles for party in case.parties if party.role == role]
    if "requester" in roles:
        found += [party for party in case.parties if party.role == "agent" and party not in found]
    return tuple(found)


def _view(book: Rulebook, case: Case, entry: Entry) -> dict[str, Any]:
    workflow = book.workflow
    state = workflow.states[case.state]
    filed = run(book, case, workflow.filed_on, entry.effective_on).start if workflow.filed_on else case.received_on.toordinal()
    disposition = case.disposition if state.ends else None
    act_facts = {name: value for name, value in entry.facts.items() if name not in CORE_FACTS}
    items = _items(book, case)
    parties: dict[str, list[dict[str, Any]]] = {}
    for party in case.parties:
        parties.setdefault(party.role, []).append(_party(party))
    action = workflow.actions.get(entry.action)
    facts = {**{name: value for name, value in book.defaults.items() if value is not None}, **case.facts}
    return {
        "agency": _agency(book),
        "case": {
            "number": case.number,
            "request": case.request,
            "title": case.title,
            "aliases": list(case.aliases),
            "received_on": case.received_on.isoformat(),
            "filed_on": _iso(filed),
            "service": workflow.title,
            "law": workflow.law,
            "state": case.state,
            "state_title": state.title,
            "disposition": disposition,
            "disposition_title": workflow.dispositions.get(disposition) if disposition else None,
            "workflow": case.workflow,
        },
        "place": _place(case),
        "requester": _first(parties, "requester"),
        "agent": _first(parties, "agent"),
        "third_party": _first(parties, "third-party"),
        "co_applicants": parties.get("co-applicant", []),
        "interested_persons": parties.get("interested-person", []),
        "act": {
            "action": entry.action,
            "title": action.title if action is not None else entry.action,
            "on": entry.effective_on.isoformat(),
            "because": entry.because,
            "facts": act_facts if entry.action != "file" else facts,
            "cite": action.cite if action is not None else None,
        },
        "facts": facts,
        "clocks": {name: clock_view(book, case, name, entry.effective_on) for name in workflow.clocks},
        "items": items,
        "asked": [item for item in items if item["status"] == "asked"],
        "missing": [item for item in items if item["status"] in ("missing", "asked")],
        "received": [item for item in items if item["status"] == "received"],
        "listed": _listed(book, entry, items),
        "petition_items": [{"id": name, "title": item.title, "cite": item.cite} for name, item in workflow.petition_items.items()],
        "fees": _fees(case, entry),
        "settings": case.settings,
        "done": {name: {"on": done.on.isoformat(), "times": done.times, "seq": done.seq} for name, done in case.done.items()},
        "exclusions": {name: {"title": item.title, "cite": item.cite, "instead": item.instead} for name, item in workflow.exclusions.items()},
    }


def _agency(book: Rulebook) -> dict[str, Any]:
    agency = book.pack.text.agency
    return agency.model_dump(mode="json") if agency is not None else {"name": book.pack.text.title}


def _party(party: Party) -> dict[str, Any]:
    return {
        "role": party.role,
        "name": party.name,
        "capacity": party.capacity,
        "email": party.email,
        "address": list(party.address),
        "channel": party.channel if party.email else "post",
        "statement": party.statement,
    }


def _first(parties: Mapping[str, list[dict[str, Any]]], role: str) -> dict[str, Any] | None:
    found = parties.get(role)
    return found[0] if found else None


def _place(case: Case) -> dict[str, Any]:
    place = case.place
    return {name: getattr(place, name) for name in place.__slots__}


def clock_view(book: Rulebook, case: Case, name: str, on: date) -> dict[str, Any]:
    """A clock as a letter may state it; null dates for one that has not begun."""
    clock = book.workflow.clocks[name]
    now: Run = run(book, case, name, on)
    length = None
    if clock.length is not None:
        number = now.length[0] if now.length else value_of(clock.length.number, case.settings)
        length = {"number": number, "unit": clock.length.unit, "text": length_text(clock.length, case.settings)}
    return {
        "title": clock.title,
        "status": now.status,
        "start": _iso(now.start),
        "length": length,
        "unrolled": _iso(now.unrolled),
        "due": _iso(now.due),
        "target": _iso(now.target),
        "used": now.used,
        "left": now.left,
        "missed_by": now.missed_by,
        "displaced_on": _iso(now.displaced_on),
        "displaced_due": _displaced_due(book, case, name, on) if now.displaced_on is not None and now.due is None else None,
        "held_days": sum((hold.to or on.toordinal()) - hold.from_ for hold in now.held),
        "holds": [{"from": _iso(hold.from_), "to": _iso(hold.to), "days": (hold.to or on.toordinal()) - hold.from_} for hold in now.held],
        "cite": clock.cite,
    }


def _displaced_due(book: Rulebook, case: Case, name: str, on: date) -> str | None:
    """The last day that a notice displaced: a letter that gives the notice must name it."""
    before = replace(case, marks=tuple(mark for mark in case.marks if mark.clock != name or mark.kind not in ("displace", "fit")))
    return _iso(run(book, before, name, on).due)


def _items(book: Rulebook, case: Case) -> list[dict[str, Any]]:
    known = book.workflow.items
    return [
        {"id": name, "title": known[name].title, "cite": known[name].cite, "status": item.status, "note": item.note}
        for name, item in case.items.items()
        if name in known
    ]


def _listed(book: Rulebook, entry: Entry, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    by_id = {item["id"]: item for item in items}
    known = {**book.workflow.items, **book.workflow.petition_items}
    return [
        by_id.get(name) or {"id": name, "title": known[name].title, "cite": known[name].cite, "status": "missing", "note": None}
        for name in entry.facts.get("items") or ()
        if name in known
    ]


def _fees(case: Case, entry: Entry) -> dict[str, Any]:
    owed, paid = total(case.fees), kept(case.payments)
    return {
        "lines": [_line(line) for line in case.fees],
        "owed_now": [_line(line) for line in case.fees if line.seq == entry.seq],
        "total": f"{owed:.2f}",
        "paid": f"{paid:.2f}",
        "due": f"{max(Decimal(0), owed - paid):.2f}",
        "refunded": f"{moved(case.payments, 'refunded'):.2f}",
        "refunds": [{**due._asdict(), "now": due.seq == entry.seq} for due in case.refunds],
    }


def _line(line: FeeLine) -> dict[str, Any]:
    return {"id": line.id, "title": line.title, "amount": line.amount, "count": line.units, "cite": line.cite, "text": line.text}


def _iso(ordinal: int | None) -> str | None:
    return None if ordinal is None else date.fromordinal(ordinal).isoformat()
