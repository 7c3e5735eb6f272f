"""A new request before it is filed: what its services ask, what is wrong with what was written, and what filing would do.

Every question comes from the pack: exclusions, items, facts, rule sets, fees. What is written down is the request of
CONTRACT section 1, as a plain map; it is read and filed by filing.py. How a form looks is the doors' business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from caseflow.domain import pack as p
from caseflow.domain.addresses import read_email, read_line
from caseflow.domain.case import COPY_ROLES, Actor, Case
from caseflow.domain.facts import Misfit, fit, readable
from caseflow.domain.places import read_county, read_degrees, read_plss, read_waterbody_id
from caseflow.domain.rulebook import FILED_FACTS, PAYMENT_FACTS, Rulebook
from caseflow.errors import BadInput, CaseflowError, LetterFault, NotFound, Reason, Refused
from caseflow.services import filing, ruling, screening, showing
from caseflow.services.asking import field_of
from caseflow.services.office import Office, local_moment, parse_moment
from caseflow.services.people import Person

ALONE = ("exclusions", "payment", "in_form")
"""What shows by itself that an item is there: such an item is not ticked."""
OTHERS = ("co-applicant", "interested-person", *COPY_ROLES)
"""Who else may be named with a request: how they take part, or of which letters they get a copy."""
CAPACITIES = ("owner", "lessee", "agent-of-owner", "other")
ACTED = ("overdue", "silence")
"""Timers by which the law itself has acted."""
NUMBER = "NEW"


@dataclass(frozen=True)
class Requests:
    """New requests, as the doors ask about them."""

    office: Office

    def services(self, role: str, on: date) -> list[dict[str, Any]]:
        """The services that a role may file on a day: {id, title, law, pack, pack_title, screens}, in the packs' order."""
        found: dict[str, dict[str, Any]] = {}
        for book in self._books(on):
            if book.role_may(role, book.workflow.actions["file"].by):
                flow = book.workflow
                found[flow.workflow] = {
                    "id": flow.workflow,
                    "title": flow.title,
                    "law": flow.law,
                    "pack": book.pack.text.pack,
                    "pack_title": book.pack.text.title,
                    "screens": bool(flow.rules or flow.screens),
                }
        return list(found.values())

    def _books(self, on: date) -> Iterator[Rulebook]:
        for pack in self.office.packs.all():
            for name in dict.fromkeys(flow.workflow for flow in pack.workflows if not flow.abstract and "file" in flow.actions):
                try:
                    yield self.office.packs.rulebook(name, on)
                except NotFound:
                    continue  # no version of it was in force

    def _chosen(self, names: Iterable[str], on: date) -> list[Rulebook]:
        return [self.office.packs.rulebook(name, on) for name in dict.fromkeys(names)]

    def asks(self, names: Sequence[str], on: date) -> dict[str, Any]:
        """What services ask at filing, each question once. Raises NotFound.

        `exclusions` [{id, title, hint, cite, instead, services}], `items` [{id, title, parts, hint, cite, group, given_by,
        needed: yes, no or depends}], `fields` as an action's form has them, `expedite` (such a field, or nothing),
        `in_form` (such a field), `capacities`, `capacity`, `counties`, `methods`, `screens`, `zone`.
        """
        books = self._chosen(names, on)
        exclusions: dict[str, dict[str, Any]] = {}
        items: dict[str, dict[str, Any]] = {}
        fields: dict[str, dict[str, Any]] = {}
        expedite = None
        for book in books:
            for name, one in book.workflow.exclusions.items():
                made = exclusions.setdefault(name, {"id": name, "title": one.title, "hint": one.hint, "cite": one.cite, "instead": one.instead, "services": []})
                made["services"].append(book.workflow.title)
            for name, item in book.workflow.items.items():
                items.setdefault(name, _item(name, item))
            flow = book.workflow.actions["file"]
            names_asked = list(_asked(book))
            for name in names_asked:
                fields.setdefault(name, field_of(book, flow, name, name in flow.takes))
            if "expedite_asked_on" in _tested(book):
                expedite = expedite or field_of(book, flow, "expedite_asked_on")
        first = books[0] if books else None
        flow_ = first.workflow.actions["file"] if first is not None else None
        places = first.pack.text.places if first is not None else None
        method = first.facts.get("method") if first is not None else None
        capacity = next((book.facts["requester_capacity"] for book in books if "requester_capacity" in book.facts), p.TEXT)
        return {
            "exclusions": list(exclusions.values()),
            "items": list(items.values()),
            "fields": list(fields.values()),
            "expedite": expedite,
            "in_form": field_of(first, flow_, "in_form") if first is not None and flow_ is not None else None,
            "capacities": list(capacity.values or CAPACITIES),
            "capacity": {"title": capacity.title or "Capacity", "cite": capacity.cite, "hint": capacity.hint},
            "counties": list(places.counties) if places is not None else [],
            "methods": list((method.values if method is not None else None) or ()),
            "screens": any(book.workflow.rules or book.workflow.screens for book in books),
            "titles": {book.workflow.workflow: book.workflow.title for book in books},
        }

    # --- screening ---

    def screening(self, names: Sequence[str], facts: Mapping[str, Any], on: date, role: str) -> dict[str, Any]:
        """Which track fits: `tracks` as `screen` answers, each `chosen` or not; `fields` that decide more; `findings` by rule set.

        Facts that don't fit are left out; `faults` tells them by name.
        """
        packs = self._screening_packs(names, on)
        faults = {name: text for name, text in ((name, self.misfit(names, name, value, on)) for name, value in facts.items()) if text}
        stated = {name: value for name, value in facts.items() if name not in faults and any(name in pack.facts for pack in packs)}
        allowed = {one["id"] for one in self.services(role, on)}
        tracks, sets = [], []
        for pack in packs:
            mine = {name: value for name, value in stated.items() if name in pack.facts}
            tracks += [{**track, "chosen": track["workflow"] in names, "offered": track["workflow"] in allowed} for track in _screen(pack, mine, on, faults)]
        near = [track for track in tracks if track["chosen"]] or tracks
        wanted = dict.fromkeys(missing["fact"] for track in near for missing in track["missing"])
        books = {track["workflow"]: self.office.packs.rulebook(track["workflow"], on) for track in near}
        order = dict.fromkeys(name for book in books.values() for name in _asked(book) if name in book.asked)
        asked = {name for book in books.values() for name in book.asked - book.of_judgment}
        if not stated and order:
            wanted = {}  # first what the acts themselves ask: most of the rest follows from it
        fields = {}
        for name in (*order, *stated, *faults, *wanted):
            book = next((book for book in books.values() if name in book.asked), None)
            if book is not None and name in asked and name not in fields:
                fields[name] = field_of(book, book.workflow.actions["file"], name)
        for name in names:
            if name in books:
                sets += list(_findings(books[name], stated, on))
        return {"tracks": tracks, "fields": list(fields.values()), "findings": sets, "faults": faults}

    def fields(self, names: Sequence[str], wanted: Iterable[str], on: date) -> list[dict[str, Any]]:
        """Facts that the rules of services (of all, where none is named) ask, as fields; others are left out."""
        books = self._chosen(names, on) or list(self._books(on))
        found = []
        for name in wanted:
            book = next((book for book in books if name in book.asked and name not in book.of_judgment), None)
            if book is not None:
                found.append(field_of(book, book.workflow.actions["file"], name))
        return found

    def _screening_packs(self, names: Sequence[str], on: date) -> list[p.Pack]:
        books = self._chosen(names, on) or list(self._books(on))
        packs = {book.pack.hash: book.pack for book in books if book.workflow.rules or book.workflow.screens}
        return list(packs.values())

    def misfit(self, names: Sequence[str], name: str, value: Any, on: date) -> str | None:
        """What is wrong with a fact, in words; nothing where it fits one of the services."""
        books = self._chosen(names, on) or [book for book in self._books(on) if name in book.asked]
        said = None
        for book in books:
            if name in book.facts:
                try:
                    if name in book.pack.facts:
                        ruling.read_facts(book.pack, {name: value})
                    fit(name, book.facts[name], value)
                    return None
                except (BadInput, Misfit) as fault:
                    said = str(fault)
        return said or f"'{name}' is not asked by what is filed; leave it out"

    # --- what is wrong ---

    def faults(self, request: Mapping[str, Any], role: str, moment: datetime, because: str = "") -> dict[str, str]:
        """What is wrong with a request, by the part that it is about, such as `requester.email`, `waterbodies.0.county`, `facts.depth`.

        An empty answer means that filing.py can read it, not that the law lets it be filed: that is said by `trial`.
        """
        found: dict[str, str] = {}
        on = self.day(request, moment)
        services = list(request.get("services") or ())
        offered = {one["id"] for one in self.services(role, on)}
        if not services:
            found["services"] = "Choose what is asked for."
        elif unknown := [name for name in services if name not in offered]:
            found["services"] = f"{', '.join(unknown)} is not a service that you can file for that day."
            return found
        found |= _when(request, moment, self.zone(), because)
        places = self._chosen(services, on)[0].pack.text.places if services else None
        for role_, key in (("requester", "requester"), ("agent", "agent"), ("third_party", "third_party")):
            found |= _person(request.get(role_), key, role_ == "requester")
        for key in ("co_applicants", "interested_persons", "copies"):
            for at, one in enumerate(request.get(key) or ()):
                wrong = _person(one, key, True)
                found |= {"others": f"{one.get('name') or f'Number {at + 1}'}: {next(iter(wrong.values()))}"} if wrong else {}
        waters = list(request.get("waterbodies") or ())
        if not waters:
            found["waterbodies.0.name"] = "Name the water."
        for at, water in enumerate(waters):
            if not water.get("name"):
                found[f"waterbodies.{at}.name"] = "Name the water."
            found |= _read(f"waterbodies.{at}.wbic", water.get("wbic"), read_waterbody_id)
            found |= _read(f"waterbodies.{at}.county", water.get("county"), lambda text: read_county(text, places))
        boundary = request.get("boundary") or {}
        found |= _read("boundary.plss", boundary.get("plss"), lambda text: read_plss(text, places))
        for key in ("latitude", "longitude"):
            found |= _read(f"boundary.{key}", boundary.get(key), lambda text, key=key: read_degrees(key, text, places))  # type: ignore[misc]
        for name, value in (request.get("facts") or {}).items():
            text = self.misfit(services, name, value, on)
            found |= {f"facts.{name}": _plain(text, name)} if text else {}
        return found | _payment(request.get("payment"))

    def zone(self) -> Any:
        """The agency's time zone."""
        return ZoneInfo(self.office.packs.all()[0].calendar.zone)

    def day(self, request: Mapping[str, Any], moment: datetime) -> date:
        """The local day on which a request arrived; today where it does not say."""
        zone = self.zone()
        try:
            return local_moment(zone, parse_moment(request.get("filed", moment), "'filed'")).astimezone(zone).date()
        except BadInput:
            return moment.astimezone(zone).date()

    # --- what filing would do ---

    def quote(self, request: Mapping[str, Any], moment: datetime) -> dict[str, Any]:
        """The fee with a line and citation each. Raises BadInput."""
        read, books = filing.read(self.office, request, moment)
        owed = filing.fee_of(read, books)
        lines = [{"id": line.id, "title": line.title, "amount": line.amount, "count": line.units, "cite": line.cite, "text": line.text} for line in owed.lines]
        paid = Decimal((read.payment or {}).get("amount", "0"))
        waived = (read.payment or {}).get("method") == "waived"
        due = Decimal(0) if waived else max(Decimal(0), owed.total - paid)
        return {"lines": lines, "total": f"{owed.total:.2f}", "paid": f"{paid:.2f}", "due": f"{due:.2f}", "warnings": list(owed.warnings), "waived": waived}

    def trial(self, request: Mapping[str, Any], person: Person, moment: datetime) -> dict[str, Any]:
        """What filing would do, nothing saved: {allowed, because, fee, cases, late, needs}.

        Each of `cases` is a case as it would stand today, with its `letters` written and `at_once`: what the law would do
        in the same minute, since the day received lies so far back. `needs` is the right that such a filing needs.
        """
        made: dict[str, Any] = {"allowed": False, "because": [], "fee": None, "cases": [], "late": False, "needs": None}
        try:
            read, books = filing.read(self.office, request, moment)
            filing.refuse_future(read, moment)
            made["fee"] = self.quote(request, moment)
            for book, outcome in filing.outcomes(self.office, read, books, NUMBER, _actor(person), moment):
                written = self.office.write(book, outcome, moment)
                made["cases"].append(self._would(book, outcome.case, written, person.role, moment))
        except Refused as refused:
            made["because"] = [showing.reason_json(reason) for reason in refused.reasons]
            return made
        except LetterFault as fault:
            made["because"] = [showing.reason_json(Reason("letter-incomplete", fault.letter, str(fault), instead="State what is missing and check again."))]
            return made
        made["allowed"] = True
        made["late"] = any(case["received_on"] < case["as_of"] for case in made["cases"])
        made["needs"] = "oversee" if any(case["at_once"] for case in made["cases"]) else None
        return made

    def _would(self, book: Rulebook, case: Case, written: Sequence[Any], role: str, moment: datetime) -> dict[str, Any]:
        shown = showing.case_json(book, case, book.calendar.local_day(moment), (), (), role)
        past = [timer for timer in case.timers if timer.at <= moment and timer.kind.partition("-")[0] in ACTED]
        letters = [
            {"id": one.owed.letter, "title": book.pack.letters[one.owed.letter].title, "subject": one.subject, "markdown": one.markdown} for one in written
        ]
        named = {item["id"]: item for item in showing.items_json(book, case)}
        return {
            **shown,
            "letters": letters,
            "at_once": [
                {
                    "title": book.workflow.actions[one.action].title if one.action in book.workflow.actions else one.action,
                    "on": one.at.astimezone(book.calendar.zone).isoformat(),
                }
                for one in past
            ],
            "missing": [item for item in named.values() if item["status"] == "missing"],
            "claimed": [
                {"id": name, **_told(book.workflow.exclusions[name])} for name in case.facts.get("exclusions_claimed", ()) if name in book.workflow.exclusions
            ],
        }

    def file(self, request: Mapping[str, Any], person: Person, moment: datetime, because: str = "", command: str | None = None) -> list[str]:
        """Files it; the answer is the numbers of its cases. Raises BadInput, Refused, LetterFault.

        A request that came on an earlier day says why it is entered late. One that came so long ago that the law has
        decided since needs somebody who oversees: entering it makes that decision.
        """
        tried = self.trial(request, person, moment)
        if tried["needs"] is not None and not person.may(tried["needs"]):
            told = "; ".join(dict.fromkeys(one["title"] for case in tried["cases"] for one in case["at_once"]))
            text = f"with that day of receipt a last day has passed already, and entering it does at once: {told}"
            raise Refused([Reason("not-permitted", "late-entry", text, instead="Have a supervisor enter it.")], "The request is not filed")
        if tried["late"] and not readable(because):
            raise BadInput("Say why it is entered after the day on which it came; the reason stays on the record.")
        return [case.number for case in filing.file(self.office, request, _actor(person), moment, readable(because) or None, command)]

    def cases_of(self, number: str) -> list[str]:
        """The cases of a request, by number; none where there is no such request, so that a door answers both alike."""
        try:
            with self.office.store.read() as work:
                return [case.number for case in work.request(number)]
        except NotFound:
            return []


def _actor(person: Person) -> Actor:
    return Actor("person", person.id, person.role)


# --- what is asked ------------------------------------------------------------------------------------------------


def _item(name: str, item: p.Item) -> dict[str, Any]:
    needed = ("yes" if item.required else "no") if isinstance(item.required, bool) else "depends"
    return {
        "id": name,
        "title": item.title,
        "parts": list(item.parts),
        "hint": item.hint,
        "cite": item.cite,
        "group": item.group or "Items",
        "given_by": item.given_by,
        "alone": item.given_by in ALONE,
        "needed": needed,
    }


def _told(one: p.Exclusion) -> dict[str, Any]:
    return {"title": one.title, "cite": one.cite, "instead": one.instead}


def _tested(book: Rulebook) -> set[str]:
    """The facts that items, fees and tasks of a filing ask about."""
    flow = book.workflow.actions["file"]
    tests = [item.required for item in book.workflow.items.values() if not isinstance(item.required, bool)]
    tests += [ref.when for ref in book.workflow.fees if ref.when is not None]
    tests += [task.when for task in flow.task if task.when is not None]
    return {name for test in tests for name in book.facts_in(test)}


def _asked(book: Rulebook) -> Iterator[str]:
    """The facts that a form asks at filing: those that the act takes, those that its items, fees and tasks turn on, the start of work."""
    flow = book.workflow.actions["file"]
    begins = book.workflow.intake.work_begins if book.workflow.intake is not None else None
    apart = {*FILED_FACTS, *PAYMENT_FACTS, "items", "judgments", *book.fixed, *book.of_judgment}
    names = dict.fromkeys((*flow.takes, *flow.may_take, *sorted(_tested(book)), *((begins,) if begins else ())))
    yield from (name for name in names if name not in apart and name in book.facts)


def _screen(pack: p.Pack, facts: Mapping[str, Any], on: date, faults: dict[str, str]) -> list[dict[str, Any]]:
    try:
        return list(screening.screened([pack], facts, on)["tracks"])
    except CaseflowError as error:
        faults["screening"] = str(error)
        return []


def _findings(book: Rulebook, facts: Mapping[str, Any], on: date) -> Iterator[dict[str, Any]]:
    """Each rule set of a service with what it finds; rules that do not apply are left out."""
    for name in dict.fromkeys((*(book.workflow.screens or book.workflow.rules),)):
        try:
            made = ruling.ruled([book.pack], name, {key: value for key, value in facts.items() if key in book.pack.facts}, on, {})
        except CaseflowError as error:
            yield {"ruleset": name, "title": name, "law": None, "result": None, "told": str(error), "findings": []}
            continue
        found = [one for one in made["findings"] if one["outcome"] in ("pass", "fail", "unknown", "judgment")]
        yield {"ruleset": name, "title": made["title"] or name, "law": made["law"], "result": made["result"], "told": None, "findings": found}


# --- what is wrong ------------------------------------------------------------------------------------------------


def _read(key: str, text: str | None, reads: Callable[[str], Any]) -> dict[str, str]:
    if not text:
        return {}
    try:
        reads(text)
        return {}
    except Misfit as misfit:
        return {key: _plain(str(misfit), key.rpartition(".")[2])}


def _plain(text: str, name: str) -> str:
    """A fault beside its field: the field's name need not be repeated."""
    said = text.replace(f"'{name}' '", "'", 1) if text.startswith(f"'{name}' '") else text.removeprefix(f"'{name}' ")
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "?", "!")) else ".")


def _person(person: Any, key: str, needed: bool) -> dict[str, str]:
    if not person:
        return {f"{key}.name": "Name who asks."} if needed else {}
    found = {}
    if not person.get("name"):
        found[f"{key}.name"] = "Name who asks." if key == "requester" else "A person needs a name."
    else:
        found |= _read(f"{key}.name", person["name"], read_line)
    found |= _read(f"{key}.email", person.get("email"), read_email)
    if person.get("channel") == "email" and not person.get("email"):
        found[f"{key}.email"] = "Letters are to go by e-mail, and no address is given."
    for line in person.get("address") or ():
        found |= _read(f"{key}.address", line, read_line)
    return found


def _when(request: Mapping[str, Any], moment: datetime, zone: Any, because: str) -> dict[str, str]:
    try:
        filed = local_moment(zone, parse_moment(request.get("filed", moment), "the day received"))
    except BadInput as error:
        return {"filed": str(error)}
    if filed > moment:
        return {
            "filed": f"{filed.astimezone(zone):%A, %B} {filed.astimezone(zone).day} lies in the future. Enter the day on which it came, today at the latest."
        }
    late = filed.astimezone(zone).date() < moment.astimezone(zone).date()
    return {"because": "Say why it is entered after the day on which it came; the reason stays on the record."} if late and not readable(because) else {}


def _payment(payment: Any) -> dict[str, str]:
    if not payment:
        return {}
    if not payment.get("method"):
        return {"payment.method": "Say how it was paid."}
    if payment.get("amount") is None and payment["method"] != "waived":
        return {"payment.amount": "State the amount that came in."}
    return _read("payment.amount", payment.get("amount"), lambda text: fit("payment.amount", p.Fact(type="money"), text))
