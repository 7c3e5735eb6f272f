"""My work: what needs a person, by urgency; whose work a case is; handing over what somebody leaves; saved filters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput
from caseflow.services.people import Person
from caseflow.web.site import Desk, Form, SeenCase, Site, Worker, looked, own_path, page, see_other, text_of
from caseflow.web.smallclock import patterns, small_clock
from caseflow.web.turns import Page, as_of_one_moment

router = APIRouter(route_class=Page)
LISTS = {"/my-work": ("view", "group", "workflow"), "/docket": ("q", "workflow", "phase", "turn", "with", "show", "county", "from", "to", "sort")}
"""The lists whose filters can be saved, with what narrows them."""
LETTERS = {
    "letter-approval": "Approve the letter",
    "letter-waits": "Approve the letter, or say what is missing",
    "letter-blocked": "Write the letter that is blocked",
    "letter-failed": "Send the letter another way",
}
TIMERS = {"refused": "Decide what follows", "deadline": "Mind the last day", "silence": "Decide before silence does"}


@router.get("/my-work")
@as_of_one_moment
def work(request: Request, site: Desk, person: Worker) -> Response:
    """What needs the person; or one part of it, page by page."""
    asked = {name: request.query_params.get(name, "").strip()[:100] for name in LISTS["/my-work"]}
    scope, group, workflow = asked["view"] or "mine", asked["group"], asked["workflow"] or None
    agenda = site.desk.agenda
    made = agenda.group(person, scope, group, request.query_params.get("after"), workflow) if group else agenda.page(person, scope, workflow)
    given = {name: value for name, value in asked.items() if value}
    for one in made["groups"]:
        one["rows"] = [{**row, **told(row), "drawn": small_clock(row["lane"], made["as_of"])} for row in one["rows"]]
    following = made.get("next")
    data = {
        **made,
        "patterns": patterns(),
        "group": group,
        "asked": asked,
        "here": _address("/my-work", given),
        "more": _address("/my-work", {**given, "after": following}) if following else None,
        "first": "after" not in request.query_params,
        "people": site.desk.assigning.people(),
        "names": site.desk.assigning.names(),
        "views": agenda.views(person),
        "workflows": site.desk.docket_choices()["workflows"],
        "done": _done(request, site),
        "oversees": person.may("oversee"),
    }
    return page(request, "work.html", data)


def told(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a row says is to be done, the sentence beneath, where its link leads, and how many tasks are left unsaid."""
    mine = [task for task in row["tasks"] if task["mine"]]
    mine.sort(key=lambda task: (task["kind"] not in ("letter-blocked", "letter-failed", "refused"), task["kind"] == "deadline"))
    case = f"/cases/{quote(row['case'])}"
    if row["parked"] is not None:
        note = row["parked"] or "A timer of the case could not fire."
        return {"do": "Put right what stopped by itself", "note": note, "href": case, "others": len(mine)}
    if not mine:
        return {"do": row["act"] or "Look at the case", "note": row["say"], "href": case, "others": 0}
    task = mine[0]
    kind = task["kind"]
    do = LETTERS.get(kind) or task["does"] or (row["act"] if kind == "deadline" else None) or TIMERS.get(kind) or "See to it"
    href = case if kind not in ("letter-approval", "letter-waits", "letter-blocked") else f"/letters/{quote(task['about'])}"
    return {"do": do, "note": task["text"], "href": href, "others": len(mine) - 1}


def _address(path: str, asked: Mapping[str, str]) -> str:
    return path + ("?" + urlencode(asked) if asked else "")


def _done(request: Request, site: Site) -> dict[str, Any] | None:
    """What was done just now, told once on the page that follows. Names of people are looked up, never taken from the address."""
    asked = request.query_params
    number, to = asked.get("assigned", ""), asked.get("whom", "")
    if not number.isdecimal() or len(number) > 4:
        return None
    return {
        "number": int(number),
        "to": to,
        "name": site.desk.assigning.names().get(to),
        "left": asked.get("left", "") if asked.get("left", "").isdecimal() else "",
    }


# --- whose work it is ---


@router.get("/cases/{number}/assign")
def ask(number: SeenCase, request: Request, site: Desk, person: Worker) -> Response:
    """Whose work is this case to be?"""
    found = site.desk.show(number, person.role, person.sees)
    looked(request, found["case"], "assign")
    return page(request, "assign.html", {"case": found, "people": site.desk.assigning.people(), "names": site.desk.assigning.names()})


@router.post("/my-work/assign")
def assign(request: Request, site: Desk, person: Worker, sent: Form) -> Response:
    """Gives the ticked cases to somebody, all or none."""
    numbers = [value for value in sent.getlist("case") if isinstance(value, str)]
    because = text_of(sent, "because").strip()
    if len(because) > 500 or not all(sign.isprintable() for sign in because):
        raise BadInput("A reason is one line of at most 500 characters; nothing was assigned.")
    made = site.desk.assigning.assign(person, numbers, text_of(sent, "to"), because or None)
    site.desk.agenda.forget()
    return see_other(_with_told(own_path(text_of(sent, "back"), "/my-work"), made))


def _with_told(back: str, made: Mapping[str, Any], **more: Any) -> str:
    path, _, query = back.partition("?")
    kept = [(name, value) for name, value in parse_qsl(query) if name not in ("assigned", "whom", "left")]
    return path + "?" + urlencode([*kept, ("assigned", made["assigned"]), ("whom", made["to"]), *more.items()])


@router.get("/my-work/hand-over")
def leaving(request: Request, site: Desk, person: Worker) -> Response:
    """How much work somebody would leave behind, before anything is done."""
    return _leaving(request, site, person, request.query_params.get("from", "").strip()[:60], request.query_params.get("to", "").strip()[:60])


def _leaving(request: Request, site: Site, person: Person, who: str, to: str) -> Response:
    assigning = site.desk.assigning
    left = assigning.left_by(person, who.casefold())
    data = {"load": assigning.load(person), "people": assigning.people(), "who": who, "to": to, "left": left if who else None, "done": _done(request, site)}
    return page(request, "hand-over.html", data)


@router.post("/my-work/hand-over")
def hand_over(request: Request, site: Desk, person: Worker, sent: Form) -> Response:
    """Gives all open cases of one person to another."""
    who, counted = text_of(sent, "from"), text_of(sent, "counted")
    if not counted.isdecimal():
        raise BadInput("Look first at how many cases would be handed over, then confirm it on that page.")
    made = site.desk.assigning.hand_over(person, who, text_of(sent, "to"), int(counted[:9]))
    site.desk.agenda.forget()
    return see_other(_with_told("/my-work/hand-over" + (f"?{urlencode({'from': who, 'to': made['to']})}" if made["left"] else ""), made, left=made["left"]))


# --- saved filters ---


def kept_address(given: str) -> str | None:
    """The address of a list with what narrows it and nothing else; None where it is no list whose filter can be saved."""
    path, _, query = given.partition("?")
    if path not in LISTS:
        return None
    return _address(path, {name: value[:200] for name, value in parse_qsl(query) if name in LISTS[path]})


@router.post("/views")
def keep(site: Desk, person: Worker, sent: Form) -> Response:
    """Saves the filter of a list under a name."""
    address = kept_address(text_of(sent, "address"))
    if address is None:
        raise BadInput("Only a filter of My work or of the docket can be saved; open the list and save it there.")
    site.desk.agenda.keep(person, text_of(sent, "name"), address)
    return see_other(address)


@router.post("/views/drop")
def drop(site: Desk, person: Worker, sent: Form) -> Response:
    """Deletes a saved filter of the person's own."""
    site.desk.agenda.drop(person, text_of(sent, "name"))
    return see_other(own_path(text_of(sent, "back"), "/my-work"))
