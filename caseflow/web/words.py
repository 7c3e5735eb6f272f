"""How pages say things: days with their weekday, counts, states in words. What is made here is safe markup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from caseflow.web.icons import icon

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MANY = 4096
"""So many words are remembered of each kind; a page of a docket says the same days again and again. By type, too: what is markup is not what is text."""
SAME_YEAR = 120
"""Within so many days nobody doubts the year of a date."""

STATUS = {
    "not-started": ("dash", "Not started", "none"),
    "running": ("running", "Running", "running"),
    "tolled": ("held", "Held", "held"),
    "displaced": ("displaced", "Displaced", "displaced"),
    "met": ("check", "Met", "met"),
    "stopped": ("dash", "Ended", "none"),
    "missed": ("late", "Late", "late"),
    "over": ("dash", "Over", "none"),
}


def _of(value: Any) -> date | None:
    if value is None or value == "":
        return None
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else date.fromisoformat(str(value)[:10])


def _time(day: date, text: str) -> Markup:
    return Markup('<time datetime="{}">{}</time>').format(day.isoformat(), text)


def plain_day(value: Any) -> str:
    """'Tue, Jan 19, 2027'."""
    day = _of(value)
    return f"{DAYS[day.weekday()][:3]}, {MONTHS[day.month - 1][:3]} {day.day}, {day.year}" if day is not None else ""


def plain_short(value: Any) -> str:
    """'Tue, Jan 19'."""
    return plain_day(value).rpartition(",")[0]


@lru_cache(MANY, typed=True)
def day(value: Any) -> Markup:
    """A day with its weekday and year."""
    found = _of(value)
    return _time(found, plain_day(found)) if found is not None else Markup("")


@lru_cache(MANY, typed=True)
def short(value: Any, today: Any) -> Markup:
    """A day with its weekday; with the year where it could be doubted."""
    found, now = _of(value), _of(today)
    if found is None:
        return Markup("")
    near = now is not None and abs((found - now).days) <= SAME_YEAR
    return _time(found, plain_short(found) if near else plain_day(found))


@lru_cache(MANY, typed=True)
def long_day(value: Any) -> Markup:
    """'Tuesday, January 19, 2027'."""
    found = _of(value)
    return _time(found, f"{DAYS[found.weekday()]}, {MONTHS[found.month - 1]} {found.day}, {found.year}") if found is not None else Markup("")


def month(value: Any) -> str:
    """'January 2027'."""
    found = _of(value)
    return f"{MONTHS[found.month - 1]} {found.year}" if found is not None else ""


def plain_long(value: Any) -> str:
    """'Tuesday, January 19'."""
    found = _of(value)
    return f"{DAYS[found.weekday()]}, {MONTHS[found.month - 1]} {found.day}" if found is not None else ""


def left(row: Mapping[str, Any], today: Any) -> str:
    """How far away the target of a row is: 'tomorrow', '14 days, 9 office days', '8 days late'."""
    now, target, due = _of(today), _of(row["next"]["target"]), _of(row["next"]["due"])
    if now is None or target is None:
        return ""
    days = (target - now).days
    if row["overdue"] and due is not None:
        return f"{plural((now - due).days, 'day')} late"
    if days < 0:
        return f"target passed{f'; last day {plain_short(due)}' if due is not None else ''}"
    return "today" if days == 0 else "tomorrow" if days == 1 else f"{days} days, {row['office_days']} office"


def clock_time(value: Any) -> str:
    """'4:47 pm'."""
    found = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return f"{found.hour % 12 or 12}:{found.minute:02} {'am' if found.hour < 12 else 'pm'}"


def moment(value: Any, today: Any = None) -> Markup:
    """'12:00 am, Sat, Jan 9'."""
    return Markup("{}, {}").format(clock_time(value), short(value, today) if today else day(value)) if value else Markup("")


def plural(count: int, one: str, many: str = "") -> str:
    """'1 day', '2 days'."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def edition(version: str) -> str:
    """A calendar's version as people name it: of an adopted one the label and the beginning of its hash."""
    label, adopted, digest = version.partition("@")
    return f"{label} ({digest[:8]})" if adopted else label


def spaced(name: str) -> str:
    """An id as words."""
    return name.replace("-", " ").replace("_", " ")


def turn(name: str) -> str:
    """Whose turn it is."""
    return "nobody’s turn" if name == "nobody" else f"the {name}’s turn"


def unit_of(clock: Mapping[str, Any]) -> str:
    """What a clock counts."""
    return "business day" if "business_days" in (clock.get("length") or {}) else "day"


def counted(days: int, clock: Mapping[str, Any]) -> str:
    """How far a count goes: in business days by the length itself, for between the two days lie more (`days`)."""
    length = clock.get("length") or {}
    return str(length["text"]) if "business_days" in length else plural(days, "day")


@lru_cache(MANY, typed=True)
def status_mark(status: str, word: str = "") -> Markup:
    """The sign and the word of a clock's status, always both."""
    sign, known, kind = STATUS.get(status, ("dash", spaced(status), "none"))
    return Markup('<span class="state is-{}">{} {}</span>').format(kind, icon(sign), word or known)


def status_kind(status: str) -> str:
    """The kind of time that a status is."""
    return STATUS.get(status, ("", "", "none"))[2]


@lru_cache(MANY, typed=True)
def cite(text: str | None) -> Markup:
    """A citation, small; nothing where there is none."""
    return Markup('<span class="cite">{}</span>').format(text) if text else Markup("")


def sentence(text: str) -> str:
    """A text that ends as a sentence does."""
    text = text.rstrip()
    return text if text.endswith((".", "?", "!")) else text + "."


def needed(text: str) -> str:
    """A condition that does not hold, as what is needed."""
    return "Needed: " + text.removeprefix("Not so: ") if text.startswith("Not so: ") else text


def shown(value: Any) -> Markup:
    """A fact as text: yes or no, a list with commas, a record by its parts."""
    if value is None or value == "" or value == [] or value == {}:
        return Markup('<span class="quiet">nothing stated</span>')
    if isinstance(value, bool):
        return Markup("yes" if value else "no")
    if isinstance(value, Mapping):
        return Markup("; ").join(Markup("{}: {}").format(spaced(str(key)), shown(part)) for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return Markup(", ").join(shown(part) for part in value)
    text = str(value)
    if len(text) == 10 and text[4:5] == "-" and text[7:8] == "-":
        try:
            return day(text)
        except ValueError:
            pass
    return escape(text)


FILTERS: Mapping[str, Callable[..., Any]] = {
    "day": day,
    "short": short,
    "long_day": long_day,
    "plain_long": plain_long,
    "left": left,
    "plain_day": plain_day,
    "month": month,
    "moment": moment,
    "clock_time": clock_time,
    "plural": plural,
    "edition": edition,
    "spaced": spaced,
    "turn": turn,
    "unit": unit_of,
    "counted": counted,
    "cite": cite,
    "sentence": sentence,
    "needed": needed,
    "shown": shown,
    "kind": status_kind,
}
