"""What an action asks of the person who takes it: its fields in plain words, for a form on any door."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.case import Case
from caseflow.domain.facts import nearest, schema
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import NotFound
from caseflow.services.office import Office
from caseflow.services.showing import form, limits_json


def asked(office: Office, number: str, action: str) -> dict[str, Any]:
    """The fields of an action, the limits that it uses up, and what its items are. Raises NotFound.

    A field is {name, kind, title, hint, unit, cite, required, values, columns, judgment, known}: `kind` is text, yes-no, number,
    money, day, moment, choice, many (of `values`), lines, rows (of `columns`), record (of `columns`), pairs (names and texts),
    items, reasons (for items), standards (findings on `rules`) or person; `known` is what the case says already.
    """
    with office.store.read() as work:
        case = work.case(number)
    book = office.packs.of(case)
    flow = book.workflow.actions.get(action)
    if flow is None or action == "file":
        raise NotFound(f"There is no action '{action}' in {book.workflow.workflow}{nearest(action, book.workflow.actions)}.")
    return {
        "action": action,
        "title": flow.title,
        "hint": flow.hint,
        "cite": flow.cite,
        "items_do": flow.items,
        "fields": list(_fields(book, case, flow)),
        "limits": [limit for limit in limits_json(book, case) if action in book.workflow.limits[limit["id"]].action],
        "limit_texts": {name: limit.text for name, limit in book.workflow.limits.items() if action in limit.action},
        "received_on": case.received_on.isoformat(),
    }


def _fields(book: Rulebook, case: Case, action: p.Action) -> Iterator[dict[str, Any]]:
    shape = form(book, action)
    for name in shape["properties"]:
        yield field_of(book, action, name, name in shape["required"], case.facts.get(name))


def field_of(book: Rulebook, action: p.Action, name: str, required: bool = False, known: Any = None) -> dict[str, Any]:
    """One field of a form, as `asked` describes it."""
    fact = book.facts.get(name, p.TEXT)
    kind = _kind(book, action, name, fact)
    return {
        "name": name,
        "kind": kind,
        "title": schema(fact, name)["title"],
        "hint": fact.hint,
        "unit": fact.unit,
        "cite": fact.cite,
        "required": required,
        "values": list(fact.values or ()),
        "columns": list(fact.columns or ()),
        "judgment": fact.established == "judgment",
        "known": known,
        "rules": list(_rules(book)) if kind == "standards" else [],
    }


def _kind(book: Rulebook, action: p.Action, name: str, fact: p.Fact) -> str:
    if name == "items" and action.items is not None:
        return "items"
    if name == "not_asked" and action.items is not None:
        return "reasons"
    if name == "findings" and fact.type == "record" and book.workflow.standards:
        return "standards"
    if name == action.assigns:
        return "person"
    if fact.type == "list":
        return "many" if fact.values is not None else "rows" if fact.columns else "lines"
    if fact.type == "record":
        return "record" if fact.columns else "pairs"
    return "choice" if fact.type == "choice" and fact.values is not None else "text" if fact.type == "choice" else fact.type


def _rules(book: Rulebook) -> Iterator[dict[str, Any]]:
    for name in book.workflow.standards:
        rule = book.rules.get(name)
        if rule is not None:
            yield {"id": name, "text": rule.text, "cite": rule.cite}
