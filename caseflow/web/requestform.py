"""The form of a new request: its steps, what was written as a request of the contract, and which step an error belongs to.

Everything written travels with every step, so that nothing is kept on the server before it is filed and nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from caseflow.web import forms

Sent = Mapping[str, Sequence[str]]
STEPS = {
    "service": "What is asked for",
    "exclusions": "Exclusions",
    "screening": "Which service fits",
    "place": "Place and people",
    "submitted": "What came with it",
    "check": "Check and file",
}
PERSON = ("name", "capacity", "email", "address", "channel", "statement")
PLACE = ("municipality", "plss", "parcel", "latitude", "longitude", "address")
OTHER = ("role", "name", "email", "address")
MOST_WATERS = 40
OWN = ("form_token", "command_id", "step", "go")
_TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?\s*([ap])?\.?m?\.?\Z")
_FAULT = {"services": "service", "filed": "on", "payment.": "pay.", "boundary.": "place.", "waterbodies.": "water.", "facts.": ""}
_PREFIX = {
    "service": ("service", "on", "time", "channel", "because"),
    "exclusions": ("x.", "x-anyway"),
    "place": ("water", "place.", "requester.", "agent.", "third_party.", "other", "aliases"),
    "submitted": ("item", "in_form", "pay."),
}


def first(sent: Sent, name: str) -> str:
    """A field as text."""
    return (sent.get(name) or [""])[-1].strip()


def waters(sent: Sent) -> int:
    """How many waters the form has room for."""
    numbers = [int(found[1]) for name in sent if (found := re.match(r"water\.(\d{1,3})\.", name))]
    return min(max(numbers, default=0) + 1, MOST_WATERS)


def request_of(sent: Sent, asks: Mapping[str, Any], fields: Iterable[Mapping[str, Any]], today: date) -> tuple[dict[str, Any], dict[str, str]]:
    """The request as it was written, and what can't be read in it, by field."""
    facts, errors = forms.facts_of(fields, sent, today)
    made: dict[str, Any] = {"services": [name for name in sent.get("service", ()) if name], "channel": first(sent, "channel") or "electronic"}
    made |= _filed(sent, today, errors)
    made["waterbodies"] = [water for at in range(waters(sent)) if (water := _water(sent, at, len(made["services"])))]
    for role in ("requester", "agent", "third_party"):
        made |= {role: person} if (person := _person(sent, role)) else {}
    made |= _others(sent)
    made |= {"boundary": place} if (place := {key: said for key in PLACE if (said := first(sent, f"place.{key}"))}) else {}
    made["exclusions"] = {one["id"]: said == "yes" for one in asks["exclusions"] if (said := first(sent, f"x.{one['id']}")) in ("yes", "no")}
    made["submitted"] = [name for name in sent.get("item", ()) if name in {item["id"] for item in asks["items"]}]
    made["in_form"] = first(sent, "in_form") != "no"
    payment = {key: said for key in ("method", "amount", "reference") if (said := first(sent, f"pay.{key}"))}
    payment |= {"amount": payment["amount"].replace("$", "").replace(",", "")} if "amount" in payment else {}
    made |= {"payment": payment} if payment else {}
    made |= {"aliases": names} if (names := [line.strip() for line in first(sent, "aliases").split("\n") if line.strip()]) else {}
    if asked := facts.pop("expedite_asked_on", None):
        made["expedite"] = {"asked_on": asked}
    return {**made, "facts": facts}, errors


def _filed(sent: Sent, today: date, errors: dict[str, str]) -> dict[str, str]:
    said, hour = first(sent, "on"), first(sent, "time")
    try:
        day = forms.day_of(said, today, "the day received") if said else today
    except ValueError as error:
        errors["on"] = str(error)
        return {}
    try:
        time = time_of(hour) if hour else None
    except ValueError as error:
        errors["time"] = str(error)
        return {}
    return {"filed": f"{day.isoformat()}T{time}" if time else day.isoformat()} if time or day != today else {}


def time_of(text: str) -> str:
    """A time of day as people type it, such as 4:47 pm or 16:47, as 16:47. Raises ValueError."""
    found = _TIME.match(text.strip().lower())
    hour, minute = (int(found[1]), int(found[2] or 0)) if found else (99, 0)
    if found and found[3]:
        hour = hour % 12 + (12 if found[3] == "p" else 0) if 1 <= hour <= 12 else 99
    if hour > 23 or minute > 59:
        raise ValueError(f"“{text.strip()[:20]}” is not a time of day. Write it as 4:47 pm or 16:47.")
    return f"{hour:02}:{minute:02}"


def _water(sent: Sent, at: int, services: int) -> dict[str, Any]:
    made: dict[str, Any] = {key: said for key in ("name", "wbic", "county") if (said := first(sent, f"water.{at}.{key}"))}
    own = [name for name in sent.get(f"water.{at}.services", ()) if name]
    return {**made, "services": own} if made and own and services > 1 else made


def _person(sent: Sent, role: str) -> dict[str, Any]:
    made: dict[str, Any] = {key: said for key in PERSON if (said := first(sent, f"{role}.{key}"))}
    if "address" in made:
        made["address"] = [line.strip() for line in made["address"].split("\n") if line.strip()]
    return made if set(made) - {"channel", "capacity"} or (role == "requester" and made) else {}


def _others(sent: Sent) -> dict[str, Any]:
    made: dict[str, list[dict[str, Any]]] = {}
    columns = [sent.get(f"other.{column}", ()) for column in OTHER]
    for row in zip(*columns, strict=False):
        role, name, email, address = (cell.strip() for cell in row)
        if name or email or address:
            person: dict[str, Any] = {key: said for key, said in (("name", name), ("email", email)) if said}
            if address:
                person["address"] = [line.strip() for line in address.replace("\n", ";").split(";") if line.strip()]
            key = {"co-applicant": "co_applicants", "interested-person": "interested_persons"}.get(role, "copies")
            made.setdefault(key, []).append({**person, **({"role": role} if key == "copies" and role else {})})
    return made


def renamed(faults: Mapping[str, str]) -> dict[str, str]:
    """What is wrong with a request, by the fields of the form."""
    made = {}
    for key, text in faults.items():
        start = next((start for start in _FAULT if key == start or (start.endswith(".") and key.startswith(start))), None)
        made[key if start is None else _FAULT[start] + key.removeprefix(start)] = text
    return made


def step_of(name: str, screened: Iterable[str]) -> str:
    """The step on which a field stands; a fact stands on the step that screens, or with the place."""
    for step, starts in _PREFIX.items():
        if any(name == start or (start.endswith(".") and name.startswith(start)) or name.startswith(f"{start}.") for start in starts):
            return step
    if name == "expedite_asked_on":
        return "submitted"
    return "screening" if name in set(screened) else "place"


def carried(sent: Sent, step: str, shown: Iterable[str]) -> list[tuple[str, str]]:
    """What a step takes along unseen: everything but its own fields; `shown` are the facts that it asks."""
    facts = tuple(f"f.{name}" for name in shown)
    own = _PREFIX.get(step, ())

    def here(name: str) -> bool:
        if name.startswith("f."):
            return any(name == fact or name.startswith(f"{fact}.") for fact in facts)
        return any(name == start or (start.endswith(".") and name.startswith(start)) or name.startswith(f"{start}.") for start in own)

    # An empty cell holds the place of its row, so that only a field that is empty altogether stays behind.
    return [(name, value) for name, values in sent.items() if name not in OWN and not here(name) and any(values) for value in values]
