"""How a value looks in a letter: as text that can't become markup, and the forms of days, money and lists.

All that is made here is Markdown; what a template may do is in sandbox.py, how text is made harmless in escaping.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from jinja2 import Undefined, UndefinedError
from markupsafe import Markup

from caseflow.adapters.letters.escaping import escaped, kept
from caseflow.domain.calendar import say

_ADDRESS = re.compile(r"[A-Za-z0-9.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}")


def final(value: Any) -> Any:
    """What a template prints. Nothing is guessed: an empty value or a record has no text."""
    kind = type(value)
    if kind is str:
        return kept(value) if len(value) <= 200 else escaped(value)
    if kind is Markup:
        return value
    if kind is bool:
        return "yes" if value else "no"
    if value is None:
        raise UndefinedError("a value that is empty")
    if isinstance(value, Undefined):
        return str(value)
    if isinstance(value, (list, tuple)):
        return listed(value)
    if isinstance(value, Mapping):
        raise UndefinedError("the text of a record")
    return escaped(value)


def day(value: Any) -> Markup:
    """Monday, January 4, 2027."""
    return _day(_text(value, "a day"))


def shortday(value: Any) -> Markup:
    """Mon, Jan 4, 2027."""
    weekday, month, year = _day(_text(value, "a day")).split(", ")
    name, number = month.split()
    return Markup(f"{weekday[:3]}, {name[:3]} {number}, {year}")


def money(value: Any) -> Markup:
    """$1,203.00."""
    try:
        amount = Decimal(_text(value, "an amount"))
    except InvalidOperation:
        raise ValueError(f"'{value}' is no amount") from None
    if not amount.is_finite():
        raise ValueError(f"'{value}' is no amount")
    return Markup(f"${amount:,.2f}" if amount >= 0 else f"-${-amount:,.2f}")


def lines(value: Any) -> Markup:
    """Text of several lines: each escaped and kept on a line of its own."""
    parts = value if isinstance(value, (list, tuple)) else _text(value, "a text").splitlines()
    return Markup("\\\n".join([escaped(part) for part in parts if str(part).strip()]))


def listed(values: Any) -> Markup:
    """a, b and c."""
    made = [escaped(value) for value in (values if isinstance(values, (list, tuple)) else [_text(values, "a list")])]
    return Markup(f"{', '.join(made[:-1])} and {made[-1]}") if len(made) > 1 else made[0] if made else Markup("")


def plural(number: Any, one: str, many: str | None = None) -> Markup:
    """1 day, 2 days."""
    count = int(_text(number, "a number"))
    return Markup(f"{count} ") + escaped(one if count == 1 else many or f"{one}s")


def sentence(value: Any) -> Markup:
    """Text that ends as a sentence does."""
    text = _text(value, "a text").strip()
    return escaped(text if text.endswith((".", "!", "?")) else f"{text}.")


def mailto(value: Any) -> Markup:
    """An e-mail address to press; what is none is shown as it is."""
    text = _text(value, "an e-mail address").strip()
    return Markup(f"[{escaped(text)}](mailto:{text})") if _ADDRESS.fullmatch(text) else escaped(text)


FILTERS: Mapping[str, Callable[..., Markup]] = {
    "day": day,
    "shortday": shortday,
    "money": money,
    "lines": lines,
    "listed": listed,
    "plural": plural,
    "sentence": sentence,
    "mailto": mailto,
}


@lru_cache(maxsize=4096)
def _day(value: str) -> Markup:
    return Markup(say(date.fromisoformat(value[:10]).toordinal()))


def _text(value: Any, what: str) -> str:
    if value is None:
        raise UndefinedError(f"{what} that is empty")
    return str(value)
