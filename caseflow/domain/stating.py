"""What a pack's tests, moments and days say, as words for a reader of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.clock import length_text
from caseflow.domain.rulebook import Rulebook

_OPS = {
    "is": "is",
    "is-not": "is not",
    "in": "is one of",
    "not-in": "is none of",
    "at-least": "is at least",
    "at-most": "is at most",
    "more-than": "is more than",
    "less-than": "is less than",
    "includes": "includes",
    "includes-any": "includes one of",
    "within": "lies within",
    "mentions": "mentions",
}
_DAYS = {"on-or-before": "is on or before", "before": "is before", "on-or-after": "is on or after", "after": "is after", "on": "is"}


def titled(book: Rulebook, action: str | None) -> str:
    """The title of an action; its name where there is none."""
    found = book.workflow.actions.get(action or "")
    return found.title if found is not None else (action or "")


def test_said(book: Rulebook, test: Any) -> str:
    """A test in words, without a full stop; empty where there is none."""
    match test:
        case None:
            return ""
        case p.Named():
            found = book.conditions.get(test.name)
            return _lower(found.text.rstrip(".")) if found is not None and found.text else test.name.replace("-", " ")
        case p.AllOf():
            return " and ".join(test_said(book, one) for one in test.all)
        case p.AnyOf():
            return " or ".join(test_said(book, one) for one in test.any)
        case p.NoneOf():
            return "none of this is so: " + "; ".join(test_said(book, one) for one in test.none)
        case p.FactTest():
            return _fact(book, test)
        case p.DayTest():
            apart = f" by {length_text(test.at_least, {})} or more" if test.at_least is not None else ""
            return f"{day_said(book, test.day)} {_DAYS[test.op]} {day_said(book, test.value)}{apart}"
        case p.DoneTest():
            return f"“{titled(book, test.done)}” was done" + (f" since “{titled(book, test.since)}”" if test.since else "")
        case p.ClockTest():
            clock = book.workflow.clocks.get(test.clock)
            return f"“{clock.title if clock is not None else test.clock}” is {' or '.join(one.replace('-', ' ') for one in test.is_)}"
        case p.FlagTest():
            return f"marked “{book.workflow.flags.get(test.flag, test.flag)}”"
        case p.SettingTest():
            return f"the setting {test.setting.replace('_', ' ')} is {_value(test.is_)}"
        case p.ItemsTest():
            return "everything that a filing must contain is there" if test.items == "all" else f"{test.items} is there"
        case p.FeesTest():
            return "what is owed is paid"
        case p.StandardsTest():
            return "every standard that applies is found met"
        case p.SeasonTest():
            return f"no day of {' to '.join(_title(book, one) for one in test.days)} lies from {test.outside.from_} to {test.outside.to}"
        case p.RuleRef():
            return f"rule {test.rule} of {test.ruleset} is met"
        case p.WholeTest():
            return "the counted rules of the set are not met"
        case _:
            return "the rule’s own measure is kept"


def moment_said(book: Rulebook, moment: p.Moment, settings: Mapping[str, Any]) -> dict[str, Any]:
    """A moment as {text, cite}: after which acts, if what, counted from where."""
    acts = " or ".join(f"“{titled(book, one)}”" for one in moment.after) or " or ".join(f"before “{titled(book, one)}”" for one in moment.before)
    parts = [acts]
    if moment.when is not None:
        parts.append(f"if {test_said(book, moment.when)}")
    if moment.counted_from is not None:
        parts.append(f"counted from {day_said(book, moment.counted_from)}")
    if isinstance(moment, p.Start) and moment.length is not None:
        parts.append(f"for {length_text(moment.length, settings)}")
    if isinstance(moment, p.Extension):
        if moment.adds is not None:
            parts.append(f"by {length_text(moment.adds, settings)}")
        if moment.to is not None:
            parts.append(f"to {day_said(book, moment.to)}")
    return {"text": ", ".join(part for part in parts if part), "cite": moment.cite, "note": moment.note}


def day_said(book: Rulebook, day: Any) -> str:
    """A day in words."""
    match day:
        case p.ThisAct():
            return "the day of the act"
        case p.Filing():
            return "the day of filing"
        case p.FactDay():
            return f"the day stated as “{_title(book, day.fact)}”"
        case p.LastDay():
            return f"the day of “{titled(book, day.last)}”"
        case p.ClockDay():
            clock = book.workflow.clocks.get(day.clock)
            which = {"start": "the start", "unrolled": "the end before any roll", "due": "the last day"}[day.day]
            return f"{which} of “{clock.title if clock is not None else day.clock}”"
        case p.SentDay():
            letter = book.pack.letters.get(day.sent)
            return f"the day on which {'its letter' if letter is None else f'“{letter.title}”'} was sent"
        case _:
            return str(day)


def _fact(book: Rulebook, test: p.FactTest) -> str:
    title = f"“{_title(book, test.fact)}”"
    if test.op == "given":
        return f"{title} is stated" if test.value else f"{title} is not stated"
    if isinstance(test.value, bool):
        return f"{title} is {'yes' if test.value == (test.op != 'is-not') else 'no'}"
    value = test.value
    if isinstance(value, Mapping):
        value = _title(book, str(value["fact"])) if "fact" in value else str(value.get("list", "a value")).replace("-", " ")
    unit = f" {test.unit}" if test.unit else ""
    return f"{title} {_OPS.get(test.op, test.op)} {_value(value)}{unit}"


def _title(book: Rulebook, fact: str) -> str:
    found = book.facts.get(fact)
    return found.title if found is not None and found.title else fact.replace("_", " ")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(_value(one) for one in value)
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return str(value).replace("-", " ") if isinstance(value, str) else str(value)


def _lower(text: str) -> str:
    """A sentence within another: its first word small, unless it is an abbreviation or a name in capitals."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text
