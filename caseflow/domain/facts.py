"""Facts: whether a value fits its declaration, and how it is kept. Bounds keep one fact from filling the record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import Any
from unicodedata import category

from caseflow.domain.pack import Fact
from caseflow.errors import BadInput

MAX_TEXT, MAX_LIST, MAX_DEPTH = 20_000, 500, 4
MAX_REASON = 2_000


class Misfit(ValueError):
    """A value that does not fit; the text says what is wrong and what to write instead."""


def fit(name: str, fact: Fact, value: Any) -> Any:
    """The value as the record keeps it. Raises Misfit."""
    _bounded(name, value, 0)
    made: Any = _FITS[fact.type](name, fact, value)
    if fact.values is not None and fact.type == "list":
        for item in made:
            _one_of(name, fact, item)
    return made


def reason_of(text: str | None, needed_to: str = "") -> str:
    """The reason that somebody gives, without blanks around it. Raises BadInput where it is too long, unreadable, or needed and empty."""
    made = readable(text or "")
    if not made and needed_to:
        raise BadInput(f"Say why you {needed_to}, in a sentence (on the command line: --because).")
    if len(made) > MAX_REASON:
        raise BadInput(f"The reason has {len(made):,} characters; at most {MAX_REASON:,} are kept, write the rest as a note.")
    if any(sign < " " and sign not in "\n\r\t" for sign in made):
        raise BadInput("The reason holds a control character; write it as plain text.")
    return made


_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Signs that count as letters or symbols and are printed as nothing."""


def readable(text: str) -> str:
    """Text without blanks around it; empty where no sign of it can be seen, such as a zero-width space alone."""
    made = text.strip()
    return made if made.isascii() or any(category(sign)[0] in "LNPS" and sign not in _BLANK for sign in made) else ""


def nearest(name: str, known: Iterable[Any]) -> str:
    """A suggestion for a misspelt name, or nothing."""
    close = get_close_matches(name, [str(item) for item in known], 1, 0.6)
    return f"; did you mean '{close[0]}'?" if close else ""


def empty(value: Any) -> bool:
    """Nothing was said."""
    return value is None or value == "" or value == [] or value == {} or value == ()


def _bounded(name: str, value: Any, depth: int) -> None:
    if isinstance(value, str) and len(value) > MAX_TEXT:
        raise Misfit(f"'{name}' has {len(value):,} characters; at most {MAX_TEXT:,} are kept, attach the rest as a document")
    if isinstance(value, (list, tuple, Mapping)):
        if len(value) > MAX_LIST:
            raise Misfit(f"'{name}' has {len(value):,} parts; at most {MAX_LIST} are kept")
        if depth >= MAX_DEPTH:
            raise Misfit(f"'{name}' is nested deeper than {MAX_DEPTH} levels; write it flat")
        if isinstance(value, Mapping):
            for key in value:
                _bounded(name, str(key), depth + 1)
        for item in value.values() if isinstance(value, Mapping) else value:
            _bounded(name, item, depth + 1)


def _text(name: str, _fact: Fact, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, Decimal, date)):
        raise Misfit(f"'{name}' must be text, not {_kind(value)}")
    text = value if isinstance(value, str) else str(value)
    bad = None if text.isascii() and text.isprintable() else next((char for char in text if _unprintable(char)), None)
    if bad is not None:
        raise Misfit(f"'{name}' has the control character U+{ord(bad):04X}; write plain text")
    return readable(text)


def _unprintable(char: str) -> bool:
    """Control characters, halves of a pair, and marks that turn the direction of what follows."""
    code = ord(char)
    if code < 0x7F:
        return code < 0x20 and char not in "\n\r\t"
    return code <= 0x9F or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069 or 0xD800 <= code <= 0xDFFF


def _yes_no(name: str, _fact: Fact, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Misfit(f"'{name}' must be true or false, not {_kind(value)}")
    return value


def _number(name: str, fact: Fact, value: Any) -> int | str:
    if isinstance(value, bool) or not isinstance(value, (int, str, Decimal)):
        raise Misfit(f"'{name}' must be a number{_in_unit(fact)}, not {_kind(value)}")
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        raise Misfit(f"'{name}' must be a number{_in_unit(fact)}, not '{_short(value)}'") from None
    if not number.is_finite():
        raise Misfit(f"'{name}' must be a finite number{_in_unit(fact)}")
    if len(str(value)) > 30 or not -30 <= number.adjusted() <= 30:
        raise Misfit(f"'{name}' has too many digits; write at most 30")
    return int(number) if number == number.to_integral_value() and abs(number) < 10**15 else format(number, "f")


def _money(name: str, _fact: Fact, value: Any) -> str:
    try:
        if isinstance(value, bool):
            raise InvalidOperation
        amount = Decimal(str(value).replace("$", "").replace(",", "").strip())
        if not amount.is_finite() or amount != amount.quantize(Decimal("0.01")) or abs(amount) >= 10**12:
            raise InvalidOperation
    except InvalidOperation:
        raise Misfit(f"'{name}' must be an amount such as 100.00, not '{_short(value)}'") from None
    if amount < 0:
        raise Misfit(f"'{name}' must not be negative; record money given back as a returned payment or a refund")
    return f"{amount:.2f}"


def _day(name: str, _fact: Fact, value: Any) -> str:
    if isinstance(value, datetime):
        value = value.date()
    if isinstance(value, date):
        return value.isoformat()
    try:
        if not isinstance(value, str) or len(value) != 10:
            raise ValueError
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise Misfit(f"'{name}' must be a day such as 2027-01-15, not '{_short(value)}'") from None


def _moment(name: str, _fact: Fact, value: Any) -> str:
    try:
        return (value if isinstance(value, datetime) else datetime.fromisoformat(str(value))).isoformat()
    except ValueError:
        raise Misfit(f"'{name}' must be a moment such as 2027-01-15T10:00, not '{_short(value)}'") from None


def _choice(name: str, fact: Fact, value: Any) -> str:
    text = _text(name, fact, value)
    if fact.values is not None:
        _one_of(name, fact, text)
    return text


def _one_of(name: str, fact: Fact, value: str) -> None:
    assert fact.values is not None
    if value not in fact.values:
        raise Misfit(f"'{name}' can't be '{_short(value)}'{nearest(_short(value), fact.values) or ';'} write one of {', '.join(fact.values)}")


def _list(name: str, fact: Fact, value: Any) -> list[Any]:
    items = value if isinstance(value, (list, tuple)) else [value]
    if fact.columns is not None:
        return [_whole(name, fact, _record(name, fact, item)) for item in items]
    return [_record(name, fact, item) if isinstance(item, Mapping) else _text(name, fact, item) for item in items]


def _record(name: str, fact: Fact, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise Misfit(f"'{name}' must have named parts, such as {{{', '.join(fact.columns or ('name',))}: ...}}, not {_kind(value)}")
    made: dict[str, Any] = {}
    for key, item in value.items():
        if fact.columns is not None and key not in fact.columns:
            raise Misfit(f"'{name}' has no part '{key}'{nearest(str(key), fact.columns)}; its parts: {', '.join(fact.columns)}")
        kind = (fact.columns or {}).get(str(key), "text")
        if isinstance(kind, tuple):
            made[str(key)] = _choice(f"{name}.{key}", Fact(type="choice", values=kind), item)
            continue
        made[str(key)] = _any(f"{name}.{key}", item) if kind == "text" else _FITS[kind](f"{name}.{key}", Fact(), item)
    return made


def _whole(name: str, fact: Fact, made: dict[str, Any]) -> dict[str, Any]:
    missing = [column for column in fact.columns or () if empty(made.get(column))]
    if missing:
        raise Misfit(f"each of '{name}' has {' and '.join(fact.columns or ())}; one of them has no {' and no '.join(missing)}")
    return made


def _any(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _any(f"{name}.{key}", item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_any(name, item) for item in value]
    return value if isinstance(value, bool) or value is None else _text(name, Fact(), value)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "yes or no"
    if isinstance(value, (int, Decimal, float)):
        return "a number" if Decimal(value).is_finite() else f"'{Decimal(value)}'"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, Mapping):
        return "a group of parts"
    return f"'{_short(value)}'" if value is not None else "nothing"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _in_unit(fact: Fact) -> str:
    return f" in {fact.unit}" if fact.unit else ""


_FITS = {
    "text": _text,
    "yes-no": _yes_no,
    "number": _number,
    "money": _money,
    "day": _day,
    "moment": _moment,
    "choice": _choice,
    "list": _list,
    "record": _record,
}


def schema(fact: Fact, name: str) -> dict[str, Any]:
    """JSON Schema of a fact, for forms and programs."""
    shapes: dict[str, dict[str, Any]] = {
        "text": {"type": "string", "maxLength": MAX_TEXT},
        "yes-no": {"type": "boolean"},
        "number": {"type": ["number", "string"]},
        "money": {"type": "string", "pattern": r"^\d+(\.\d{2})?$"},
        "day": {"type": "string", "format": "date"},
        "moment": {"type": "string", "format": "date-time"},
        "choice": {"type": "string"},
        "list": {"type": "array", "items": {}},
        "record": {"type": "object"},
    }
    made = dict(shapes[fact.type])
    if fact.values is not None:
        if fact.type == "list":
            made["items"] = {"enum": list(fact.values)}
        else:
            made["enum"] = list(fact.values)
    if fact.columns:
        made["properties"] = {key: {"title": key} for key in fact.columns}
    made["title"] = fact.title or name.replace("_", " ").capitalize()
    for key, value in (("description", fact.hint), ("unit", fact.unit), ("cite", fact.cite)):
        if value:
            made[key] = value
    return made
