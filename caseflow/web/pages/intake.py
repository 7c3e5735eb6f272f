"""A new request, step by step: exclusions first, then which service fits, the place and people, the fee, the clock, and filing it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput, LetterFault, NotFound, Refused
from caseflow.services.people import Person
from caseflow.services.requesting import OTHERS
from caseflow.services.showing import reason_json
from caseflow.web import documents, forms, requestform
from caseflow.web.requestform import STEPS, first
from caseflow.web.site import Desk, Forbidden, Form, Reader, Site, looked, page, see_other
from caseflow.web.turns import Page

router = APIRouter(route_class=Page)


@router.get("/requests/new")
def begin(request: Request, site: Desk, person: Reader) -> Response:
    """The first step."""
    offered = site.desk.requests.services(person.role, site.desk.today())
    if not offered:
        raise Forbidden(f"Your role, {person.role_title}, files no requests; somebody of the staff does.")
    only = [offered[0]["id"]] if len(offered) == 1 else []
    sent = {"command_id": [secrets.token_hex(16)], "channel": ["electronic"], "service": only}
    return _Step(request, site, person, sent).shown("service")


@router.post("/requests/new")
def step(request: Request, site: Desk, person: Reader, form: Form) -> Response:
    """A step further, back, or filing it. Nothing is recorded before the last one."""
    made = _Step(request, site, person, forms.sent_of(form))
    if not made.offered:
        raise Forbidden(f"Your role, {person.role_title}, files no requests; somebody of the staff does.")
    return made.answer()


@router.get("/requests/{number}")
def filed(number: str, request: Request, site: Desk, person: Reader) -> Response:
    """The cases of a request that the person sees. None of them: there is no such request."""
    cases = []
    for one in site.desk.requests.cases_of(number):
        try:
            cases.append(site.desk.show(one, person.role, person.sees))
        except NotFound:
            continue
        looked(request, one, "request")
    if not cases:
        raise NotFound("There is no such request, or it is not yours to see.")
    return page(request, "request-filed.html", {"number": number, "cases": cases, "done": request.query_params.get("done") == "file"})


class _Step:
    """One answer: what was written so far, and what it comes to."""

    def __init__(self, request: Request, site: Site, person: Person, sent: dict[str, list[str]]) -> None:
        self.request, self.site, self.person, self.sent = request, site, person, sent
        self.desk, self.now, self.today = site.desk.requests, site.desk.now(), site.desk.today()
        on = requestform.request_of(sent, {"exclusions": (), "items": ()}, (), self.today)[0].get("filed")
        self.on = min(self.desk.day({"filed": on} if on else {}, self.now), self.today)
        self.offered = self.desk.services(person.role, self.on)
        self.before_all = not self.offered
        if self.before_all:
            self.on, self.offered = self.today, self.desk.services(person.role, self.today)
        known = {one["id"] for one in self.offered}
        self._choose(known)
        self.services = [name for name in sent.get("service", ()) if name in known]
        self.asks = self.desk.asks(self.services, self.on)
        self.screening = self._screened()
        self.screened = [field["name"] for field in self.screening["fields"]] if self.screening else []
        self.fields = [field for field in self.asks["fields"] if field["name"] not in self.screened]
        extra = [self.asks["expedite"]] if self.asks["expedite"] else []
        every = [*(self.screening["fields"] if self.screening else ()), *self.fields, *extra]
        self.made, self.unread = requestform.request_of(sent, self.asks, every, self.today)

    def _choose(self, known: set[str]) -> None:
        go = first(self.sent, "go")
        if go.startswith("track:") and go.removeprefix("track:") in known:
            self.sent["service"] = [go.removeprefix("track:")]

    def _screened(self) -> dict[str, Any] | None:
        """The screening, where a service has rule sets or somebody asked which fits. The facts of its form are read twice: what is
        asked follows from what is stated."""
        if not self.asks["screens"] and not (not self.services and first(self.sent, "unsure")):
            return None
        found: dict[str, Any] = self.desk.screening(self.services, {}, self.on, self.person.role)
        for _ in range(2):
            stated = {name.split(".")[1] for name in self.sent if name.startswith("f.")}
            missing = [name for name in stated if name not in {field["name"] for field in found["fields"]}]
            extra = self.desk.fields(self.services, missing, self.on)
            facts, _errors = forms.facts_of([*found["fields"], *extra], self.sent, self.today)
            found = self.desk.screening(self.services, facts, self.on, self.person.role)
        return found

    @property
    def steps(self) -> list[str]:
        """The steps that this request has."""
        gone = {"exclusions": not self.asks["exclusions"], "screening": self.screening is None}
        return [name for name in STEPS if not gone.get(name)]

    @property
    def because(self) -> str:
        return first(self.sent, "because")

    def wrong(self) -> dict[str, str]:
        """Everything that is wrong with what was written, by field."""
        found = {**requestform.renamed(self.desk.faults(self.made, self.person.role, self.now, self.because)), **self.unread}
        claimed = [one for one in self.asks["exclusions"] if self.made["exclusions"].get(one["id"])]
        if self.before_all:
            found["on"] = "No service that you may file was in force on that day. Check the day."
        if claimed and not first(self.sent, "x-anyway"):
            found["x-anyway"] = "A service is not available where one of these is so. Tick this if the request must be taken in all the same."
        return found

    def answer(self) -> Response:
        """What the button that was pressed leads to."""
        at, go = first(self.sent, "step"), first(self.sent, "go") or "next"
        at = at if at in STEPS else "service"
        if go == "file":
            return self._file()
        if go.startswith("step:") and go.removeprefix("step:") in self.steps:
            return self.shown(go.removeprefix("step:"))
        if go == "unsure":
            self.sent["unsure"] = ["yes"]
            return _Step(self.request, self.site, self.person, {**self.sent, "go": ["shown"], "service": []}).shown("screening")
        if go.startswith("track:"):
            return self.shown("exclusions" if "exclusions" in self.steps and at == "screening" and not self.made["exclusions"] else "screening")
        if go == "water":
            self.sent[f"water.{requestform.waters(self.sent)}.name"] = [""]
            return self.shown("place")
        if go == "all":
            self.sent["item"] = [item["id"] for item in self.asks["items"] if not item["alone"] and item["needed"] != "no"]
            self.made["submitted"] = self.sent["item"]
            return self.shown("submitted")
        if go == "again" or go == "shown":
            return self.shown(at, self._here(at))
        errors = self._here(at)
        if errors or (at == "screening" and not self.services):
            return self.shown(at, errors or {"service": "Choose the service to go on with."})
        later = [name for name in self.steps if list(STEPS).index(name) > list(STEPS).index(at)]
        return self.shown(later[0] if later else "check")

    def _here(self, step: str) -> dict[str, str]:
        return {name: text for name, text in self.wrong().items() if requestform.step_of(name, self.screened) == step}

    def _file(self) -> Response:
        wrong = self.wrong()
        if wrong:
            at = next(step for step in STEPS if any(requestform.step_of(name, self.screened) == step for name in wrong))
            return self.shown(at, {name: text for name, text in wrong.items() if requestform.step_of(name, self.screened) == at})
        try:
            numbers = self.desk.file(self.made, self.person, self.now, self.because, self._command())
        except Refused as fault:
            return self.shown("check", against=[reason_json(reason) for reason in fault.reasons])
        except (BadInput, LetterFault) as fault:
            return self.shown("check", against=[{"text": str(fault), "cite": None, "entries": [], "instead": None}])
        if len(numbers) == 1:
            return see_other(f"/cases/{quote(numbers[0])}?done=file")
        return see_other(f"/requests/{quote(self.site.desk.show(numbers[0], self.person.role)['request'])}?done=file")

    def _command(self) -> str | None:
        """Sending the same twice files it once; somebody who goes back and writes something else files something else."""
        given = first(self.sent, "command_id")
        if len(given) != 32 or not given.isalnum():
            return None
        written = json.dumps([given, self.made, self.because], sort_keys=True, default=str)
        return f"{self.person.id}:new:{sha256(written.encode()).hexdigest()[:32]}"

    def shown(self, step: str, errors: Mapping[str, str] | None = None, against: Sequence[Any] = ()) -> Response:
        """A step as a page."""
        steps = self.steps
        step = step if step in steps else steps[0]
        shown = self.screened if step == "screening" else [field["name"] for field in self.fields] if step == "place" else ["expedite_asked_on"]
        data = {
            "step": step,
            "steps": [(name, STEPS[name]) for name in steps],
            "sent": self.sent,
            "errors": dict(errors or {}),
            "asks": self.asks,
            "fields": self.fields,
            "offered": self.offered,
            "services": self.services,
            "screening": self.screening,
            "carried": requestform.carried(self.sent, step, shown),
            "waters": requestform.waters(self.sent),
            "made": {**dict.fromkeys(("requester", "agent", "third_party", "co_applicants", "interested_persons", "copies", "payment")), **self.made},
            "on": self.on,
            "late": self.on < self.today,
            "claimed": [one for one in self.asks["exclusions"] if self.made["exclusions"].get(one["id"])],
            "unanswered": [one for one in self.asks["exclusions"] if one["id"] not in self.made["exclusions"]],
            "others": OTHERS,
            "facts": {*self.screened, *(field["name"] for field in self.fields), "expedite_asked_on"},
            "quote": self._quote() if step in ("submitted", "check") else None,
            "trial": self._trial() if step == "check" else None,
            "against": list(against),
        }
        status = 422 if errors else 409 if against else 200
        return page(self.request, "request.html", data, status)

    def _quote(self) -> Any:
        try:
            return self.desk.quote(self.made, self.now)
        except BadInput:
            return None

    def _trial(self) -> Any:
        try:
            made = self.desk.trial(self.made, self.person, self.now)
        except BadInput as fault:
            return {"allowed": False, "because": [{"text": str(fault), "cite": None, "entries": [], "instead": None}], "cases": [], "needs": None}
        for case in made["cases"]:
            case["letters"] = [
                {**letter, "body": documents.body(self.site.desk.letter_part(letter["markdown"]), self.made["facts"])} for letter in case["letters"]
            ]
        return made
