"""The form of an action: fields from what the pack asks, values back as facts, errors beside the field that they are about.

Only the shape is read here; whether a value fits is for the domain to say, and its answer comes back to the field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from starlette.datastructures import FormData

from caseflow.web.words import MONTHS

Field = Mapping[str, Any]
Sent = Mapping[str, Sequence[str]]
ROWS = 3
"""Empty rows that a table of a form has at first."""

_NUMBERS = re.compile(r"(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{2}|\d{4}))?\Z")
_WORDS = re.compile(r"(?:[a-z]{3,9},? )?(?:([a-z]{3,9})\.? (\d{1,2})|(\d{1,2}) ([a-z]{3,9})\.?)(?:,? (\d{4}))?\Z")


def sent_of(form: FormData) -> dict[str, list[str]]:
    """What was sent, as text."""
    found: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            found.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return found


def facts_of(fields: Iterable[Field], sent: Sent, today: date) -> tuple[dict[str, Any], dict[str, str]]:
    """The facts that a form states, and what can't be read, by field. A field left empty states nothing."""
    facts: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for field in fields:
        try:
            value = _READ.get(field["kind"], _text)(field, sent, today)
        except ValueError as error:
            errors[field["name"]] = str(error)
            continue
        if value not in (None, "", [], {}):
            facts[field["name"]] = value
    return facts, errors


def day_of(text: str, today: date, what: str = "the day") -> date:
    """A day as people type it: 1/6/27, 1/6, 2027-01-06, Jan 6, January 6, 2027. Without a year it is the nearest one. Raises ValueError."""
    wanted = " ".join(text.strip().lower().split())
    if wanted in ("today", "yesterday"):
        return today - timedelta(days=wanted == "yesterday")
    try:
        if len(wanted) == 10 and wanted[4] == "-":
            return date.fromisoformat(wanted)
        if found := _NUMBERS.match(wanted):
            year = int(found[3]) if found[3] else None
            return _nearest(int(found[1]), int(found[2]), year + 2000 if year is not None and year < 100 else year, today)
        if found := _WORDS.match(wanted):
            return _nearest(_month(found[1] or found[4]), int(found[2] or found[3]), int(found[5]) if found[5] else None, today)
    except ValueError:
        pass
    raise ValueError(f"“{text.strip()[:40]}” is not a day that can be read for {what}. Write it as 1/6/27 or Jan 6, 2027.")


def _month(name: str) -> int:
    found = [place for place, month in enumerate(MONTHS, 1) if month.lower().startswith(name)]
    if len(found) != 1 or len(name) < 3:
        raise ValueError
    return found[0]


def _nearest(month: int, day: int, year: int | None, today: date) -> date:
    if year is not None:
        return date(year, month, day)
    options = []
    for near in (today.year - 1, today.year, today.year + 1):
        try:
            options.append(date(near, month, day))
        except ValueError:
            continue
    return min(options, key=lambda one: abs((one - today).days))


# --- each kind of field ---


def _one(field: Field, sent: Sent, part: str = "") -> str:
    values = sent.get(f"f.{field['name']}{part}") or [""]
    return values[-1].strip()


def _text(field: Field, sent: Sent, _today: date) -> str | None:
    return _one(field, sent) or None


def _yes_no(field: Field, sent: Sent, _today: date) -> bool | None:
    said = _one(field, sent)
    if said not in ("", "yes", "no"):
        raise ValueError("Choose yes or no.")
    return None if said == "" else said == "yes"


def _number(field: Field, sent: Sent, _today: date) -> str | None:
    return _one(field, sent).replace(",", "") or None


def _day(field: Field, sent: Sent, today: date) -> str | None:
    said = _one(field, sent)
    return day_of(said, today, field["title"].lower()).isoformat() if said else None


def _many(field: Field, sent: Sent, _today: date) -> list[str]:
    return [value for value in sent.get(f"f.{field['name']}", ()) if value]


def _lines(field: Field, sent: Sent, _today: date) -> list[str]:
    return [line.strip() for line in _one(field, sent).split("\n") if line.strip()]


def _record(field: Field, sent: Sent, _today: date) -> dict[str, str]:
    return {column: said for column in field["columns"] if (said := _one(field, sent, f".{column}"))}


def _rows(field: Field, sent: Sent, _today: date) -> list[dict[str, str]]:
    columns = {column: sent.get(f"f.{field['name']}.{column}", ()) for column in field["columns"]}
    length = max((len(values) for values in columns.values()), default=0)
    rows = [{column: values[at].strip() for column, values in columns.items() if at < len(values) and values[at].strip()} for at in range(min(length, 500))]
    return [row for row in rows if row]


def _pairs(field: Field, sent: Sent, _today: date) -> dict[str, str]:
    made = {}
    for line in _lines(field, sent, _today):
        name, colon, text = line.partition(":")
        if not colon or not name.strip() or not text.strip():
            raise ValueError(f"“{line[:40]}” is not a name, a colon and a text. Write one on each line, such as “depth: 3 ft”.")
        made[name.strip()] = text.strip()
    return made


def _reasons(field: Field, sent: Sent, _today: date) -> dict[str, str]:
    start, asked = f"f.{field['name']}.", set(sent.get("f.items", ()))
    return {
        name.removeprefix(start): values[-1].strip()
        for name, values in sent.items()
        if name.startswith(start) and values[-1].strip() and name.removeprefix(start) not in asked
    }


def _standards(field: Field, sent: Sent, _today: date) -> dict[str, dict[str, Any]]:
    made: dict[str, dict[str, Any]] = {}
    for rule in field["rules"]:
        met, because = _one(field, sent, f".{rule['id']}.met"), _one(field, sent, f".{rule['id']}.because")
        if met or because:
            made[rule["id"]] = {**({"met": met == "yes"} if met else {}), **({"because": because} if because else {})}
    return made


_READ = {
    "yes-no": _yes_no,
    "number": _number,
    "money": _number,
    "day": _day,
    "many": _many,
    "items": _many,
    "lines": _lines,
    "record": _record,
    "rows": _rows,
    "pairs": _pairs,
    "reasons": _reasons,
    "standards": _standards,
}


def split(reasons: Sequence[Mapping[str, Any]], fields: Iterable[Field]) -> tuple[dict[str, str], list[Mapping[str, Any]]]:
    """What stands against an act: errors by field, and the reasons that belong to none."""
    names = {field["name"] for field in fields}
    errors: dict[str, str] = {}
    rest = []
    for reason in reasons:
        if reason["code"] == "facts-invalid" and reason["condition"] in names:
            text = "State this; the action needs it." if "is not stated" in reason["text"] else _plain(reason["text"], reason["condition"])
            errors.setdefault(reason["condition"], text)
        elif reason["code"] == "date-invalid":
            errors.setdefault("on", _plain(reason["text"], ""))
        else:
            rest.append(reason)
    return errors, rest


def _plain(text: str, name: str) -> str:
    """A reason beside its field: the field's name need not be repeated."""
    said = text.removeprefix(f"'{name}' ").strip() if name else text
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "?", "!")) else ".")
