"""A list of people as a CSV file: who is to get letters, read whole or refused with every fault by its row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Any

from caseflow.domain.addresses import read_email, read_line
from caseflow.domain.case import COPY_ROLES
from caseflow.domain.facts import Misfit, nearest
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput

COLUMNS = ("name", "email", "address", "channel", "language", "role")
ROLES = ("interested-person", *COPY_ROLES)
MAX_PEOPLE = 500
LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def read_people(text: str, file: str) -> list[dict[str, str]]:
    """The people of a CSV file with a head line. Lines of an address are parted by `;`. Raises BadInput with every fault.

    Columns: name (needed), email, address (one of the two is needed), channel (email or post; e-mail where there is one),
    language (such as en or es-MX), role (interested-person where none is given, or who only gets copies).
    """
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    try:
        head = [name.strip().casefold() for name in next(rows, [])]
        faults = [f"row 1: no column '{name}'{nearest(name, COLUMNS)}; the columns: {', '.join(COLUMNS)}" for name in head if name not in COLUMNS]
        faults += ["row 1: the column 'name' is missing"] if "name" not in head else []
        faults += ["row 1: a column stands twice"] if len(set(head)) < len(head) else []
        people = []
        for place, row in enumerate(rows, 2):
            if faults and place == 2:
                break
            if any(cell.strip() for cell in row):
                people.append(_person(place, dict(zip(head, row, strict=False)), len(row) > len(head), faults))
            if len(people) > MAX_PEOPLE:
                raise BadInput(f"{file} names more than {MAX_PEOPLE} people; part it into several files.")
    except csv.Error as error:
        raise BadInput(f"{file} can't be read as CSV: {error}.") from None
    if faults:
        raise BadInput(f"{file} can't be taken, and nobody of it was: " + "; ".join(faults[:20]) + ("; ..." if len(faults) > 20 else "") + ".")
    if not people:
        raise BadInput(f"{file} names nobody.")
    return people


def _person(place: int, row: dict[str, str], long: bool, faults: list[str]) -> dict[str, str]:
    made: dict[str, str] = {}

    def keep(name: str, reads: Callable[[str], str]) -> None:
        given = (row.get(name) or "").strip()
        try:
            if given:
                made[name] = reads(given)
        except Misfit as misfit:
            faults.append(f"row {place}: {name}: {misfit}")
            made[name] = ""

    keep("name", read_line)
    keep("email", read_email)
    keep("address", lambda text: "\n".join(read_line(line) for line in text.replace("\n", ";").split(";") if line.strip()))
    keep("channel", lambda text: _one_of(text, ("email", "post")))
    keep("language", _language)
    keep("role", lambda text: _one_of(text, ROLES))
    if long:
        faults.append(f"row {place}: it has more cells than the head; put text with a comma in quotes")
    if "name" not in made:
        faults.append(f"row {place}: nobody is named")
    if "email" not in made and "address" not in made:
        faults.append(f"row {place}: neither email nor address; a letter would go nowhere")
    elif made.get("channel") == "email" and "email" not in made:
        faults.append(f"row {place}: the channel is email, and no email is given")
    return made


def _one_of(text: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise Misfit(f"'{text[:40]}' is none of {', '.join(known)}")
    return text


def _language(text: str) -> str:
    if not LANGUAGE.fullmatch(text):
        raise Misfit(f"'{text[:40]}' is no language; write a tag such as en or es-MX")
    return text


def people_action(book: Rulebook, named: str | None) -> tuple[str, str]:
    """The action that records people, and the fact it takes them by: the one named, else the one that asks for nothing more."""
    able: dict[str, Any] = {name: action.parties for name, action in book.workflow.actions.items() if action.parties}
    if named is not None and named not in able:
        raise BadInput(f"'{named}' records no people{nearest(named, able)}; these do: {', '.join(able) or 'none'}.")
    plain = [name for name, fact in able.items() if set(book.workflow.actions[name].takes) <= {fact} and book.workflow.actions[name].to == "same"]
    name = named or next(iter(plain), None)
    if name is None:
        raise BadInput(f"No action of {book.workflow.workflow} records people and nothing else; name one with --action ({', '.join(able) or 'none can'}).")
    return name, able[name]
