"""Who may sign in: for whoever manages accounts. A new password is shown once, on the answer, and kept nowhere."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput, NotFound
from caseflow.services.people import Person
from caseflow.web.site import Desk, Manager, ManagersForm, Site, page, see_other, text_of
from caseflow.web.turns import Page

router = APIRouter(route_class=Page)
SAID = {
    "added": "may sign in now",
    "password": "has a new password, and every session is ended",
    "reopened": "is open again, with a new password",
    "closed": "is closed, and every session is ended; the name stays on the record",
    "role": "has another role, from the next page on",
}


@router.get("/accounts")
def accounts(request: Request, site: Desk, person: Manager) -> Response:
    """Every account, and what was done to them last."""
    done, name = request.query_params.get("done", ""), request.query_params.get("name", "")
    known = {one.id for one in site.desk.people.all()}
    return _shown(request, site, person, said=(name, SAID[done], "") if done in SAID and name in known else None)


def _shown(
    request: Request, site: Site, person: Person, said: tuple[str, str, str] | None = None, wrong: str = "", sent: dict[str, str] | None = None
) -> Response:
    people = site.desk.people
    data = {
        "accounts": people.all(),
        "roles": people.roles(),
        "titles": {role.id: role.title for role in people.roles()},
        "changes": people.changes(50),
        "said": said,
        "wrong": wrong,
        "sent": sent or {},
        "own": person.id,
        "passwords": site.local,
    }
    work = {one["id"]: one["open"] for one in site.desk.assigning.load(person)}
    return page(request, "accounts.html", {**data, "work": work}, 422 if wrong else 200)


@router.post("/accounts")
def change(request: Request, site: Desk, person: Manager, sent: ManagersForm) -> Response:
    """Adds an account, or changes one: its role, its password, closed or open. Who did it is kept."""
    people, name, intent, role = site.desk.people, text_of(sent, "name")[:200].strip(), text_of(sent, "intent"), text_of(sent, "role")[:100]
    try:
        if intent == "add":
            made = people.add(name, text_of(sent, "title"), role, by=person.id)
            return _shown(request, site, person, said=(name.casefold(), SAID["added"], made))
        if intent == "password":
            return _shown(request, site, person, said=(name, SAID[intent], people.set_password(name, by=person.id)))
        if intent == "reopen":
            return _shown(request, site, person, said=(name, SAID["reopened"], people.reopen(name, by=person.id)))
        if intent == "close":
            if name == person.id:
                raise BadInput("You can't close your own account; somebody else who manages accounts does that.")
            people.disable(name, by=person.id)
            return see_other(f"/accounts?done=closed&name={name}")
        if intent == "role":
            people.give_role(name, role, by=person.id)
            return see_other("/me" if name == person.id else f"/accounts?done=role&name={name}")
    except (BadInput, NotFound) as fault:
        return _shown(
            request, site, person, wrong=str(fault), sent={"name": name, "title": text_of(sent, "title")[:200], "role": role} if intent == "add" else None
        )
    raise BadInput("This form does not say what is to be done; open the page again and send it from there.")
