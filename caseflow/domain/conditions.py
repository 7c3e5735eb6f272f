"""One kind of yes-or-no question over facts, days, acts, clocks, flags and settings, asked of a view.

Three-valued (Kleene): a leaf whose fact or day is missing is unknown. `answer` gives the bare value and is fast;
`leaves` says what each leaf compared, with what it found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, Protocol

from caseflow.domain import pack as p
from caseflow.domain.binding import Allotted, Listed, group_of, plain
from caseflow.domain.calendar import say
from caseflow.domain.clock import Run, value_of
from caseflow.domain.measures import around, believable, combinations

Value = bool | None
"""Yes, no, or unknown."""


class View(Protocol):
    """What a condition may see: this act's facts and day, and the case before the act."""

    @property
    def day(self) -> date: ...
    @property
    def settings(self) -> Mapping[str, Any]: ...
    def fact(self, name: str) -> Any: ...
    def given(self, name: str) -> bool: ...
    def condition(self, name: str) -> p.Condition | p.Rule: ...
    def filed_on(self) -> date | None: ...
    def last(self, action: str) -> tuple[date, int] | None: ...
    def clock(self, name: str) -> Run: ...
    def flag(self, name: str) -> bool: ...
    def sent_on(self, letter: str) -> date | None: ...
    def items_missing(self) -> Sequence[str]: ...
    def fees_covered(self) -> Value: ...
    def standards_open(self) -> Sequence[str]: ...
    def judged(self, name: str) -> Value: ...


@dataclass(frozen=True, slots=True)
class Leaf:
    """One comparison: the field, how it was compared with what, what was found, and pass, fail, unknown or judgment.

    `allowed` says what would do: of a season the last day before it and the first after it, of an allotment its
    combinations. `rule` is the named rule that the comparison belongs to, where it is another than the one asked.
    `decides` marks, among the leaves of a finding, those that its outcome rests on; `barred` those that must not hold.
    """

    field: str
    op: str
    value: Any
    unit: str | None
    got: Any
    outcome: str
    allowed: Any = None
    rule: str | None = None
    decides: bool = False
    barred: bool = False


def holds(name: str, view: View) -> Value:
    """Whether a named condition holds; one that does not apply holds."""
    condition = view.condition(name)
    if condition.applies is not None:
        asked = answer(condition.applies, view)
        if asked is False:
            return True
        if asked is None:
            return view.judged(name) if isinstance(condition, p.Rule) else None
    value = answer(condition.test, view) if condition.test is not None else None
    return view.judged(name) if value is None and isinstance(condition, p.Rule) else value


def answer(test: Any, view: View) -> Value:
    """Yes, no or unknown."""
    return _ANSWERS[type(test)](test, view)


def leaves(test: Any, view: View) -> list[Leaf]:
    """Every comparison under a test, in the order written."""
    if isinstance(test, p.Named):
        condition = view.condition(test.name)
        applies = leaves(condition.applies, view) if condition.applies is not None else []
        if condition.test is None:
            return [*applies, Leaf(test.name, "is", "judged", None, None, _OUTCOMES[holds(test.name, view)])]
        return [*applies, *leaves(condition.test, view)]
    group = group_of(test)
    if group is not None:
        return [leaf for item in group[1] for leaf in leaves(item, view)]
    return [describe(test, view, _OUTCOMES[answer(test, view)])]


def day_of(day: Any, view: View) -> date | None:
    """The date that a day of the pack language stands for, or None where it is not known."""
    if isinstance(day, p.ThisAct):
        return view.day
    if isinstance(day, p.Filing):
        return view.filed_on()
    if isinstance(day, p.FactDay):
        return _as_date(view.fact(day.fact)) or (view.day if day.or_else == "this-act" else None)
    if isinstance(day, p.LastDay):
        last = view.last(day.last)
        return last[0] if last else None
    if isinstance(day, p.SentDay):
        return view.sent_on(day.sent) or (view.day if day.or_else == "this-act" else None)
    run = view.clock(day.clock)
    ordinal = {"start": run.start, "unrolled": run.unrolled, "due": run.due}[day.day]
    return None if ordinal is None else date.fromordinal(ordinal)


def _as_date(value: Any) -> date | None:
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value[:10]) if isinstance(value, str) else None
    except ValueError:
        return None


# --- leaves -------------------------------------------------------------------------------------------------------


def _fact(test: p.FactTest, view: View) -> Value:
    if test.op == "given":
        return view.given(test.fact) is bool(test.value)
    got = view.fact(test.fact)
    if got is None or got == "":
        return None
    wanted = _settled(test.value, view)
    return compare(test.op, got, wanted) if wanted is not None else None


def _listed(test: Listed, view: View) -> Value:
    got = view.fact(test.fact)
    if got is None or got == "":
        return None
    if test.op == "within":
        return all(_row(test, item, view) for item in (got if isinstance(got, (list, tuple)) else [got]))
    return _row(test, got, view) == (test.op == "in")


def _row(test: Listed, got: Any, view: View) -> bool:
    """Whether a name is on a list, and every column asked, where the entry has it and the fact is known, has the fact."""
    row = test.rows.get(plain(str(got)))
    if row is None:
        return False
    for fact, column in test.where:
        there, names = view.fact(fact), row.get(column)
        if names and there not in (None, "") and plain(str(there)) not in names:
            return False
    return True


def _measure(test: Allotted, view: View) -> Decimal | None:
    """What an allotment grows with; nothing where it is not known or too large to be true."""
    measure = _ordered(view.fact(test.allotment.of))
    return measure if measure is not None and believable(test.allotment, measure) else None


def _allotted(test: Allotted, view: View) -> Value:
    measure = _measure(test, view)
    if measure is None:
        return None
    asked = [_ordered(view.fact(name)) for name in test.asks]
    given = _combinations(test, measure, view) or [[0] * len(test.allotment.counts)]
    if not any(all(number is None or number <= most for number, most in zip(asked, row, strict=False)) for row in given):
        return False
    return None if None in asked else True


def _combinations(test: Allotted, measure: Decimal, view: View) -> list[list[int]]:
    unmixed = test.allotment.unmixed
    return combinations(test.allotment, measure, unmixed is not None and _setting(unmixed, view) is True)


def _settled(value: Any, view: View) -> Any:
    if isinstance(value, Mapping) and set(value) == {"setting"}:
        return view.settings.get(value["setting"])
    if isinstance(value, Mapping) and set(value) == {"fact"}:
        return view.fact(value["fact"])
    return value


def compare(op: str, got: Any, wanted: Any) -> Value:
    """Compares two values; None where they can't be compared."""
    if op in ("is", "is-not"):
        return bool(_same(got, wanted) == (op == "is"))
    if op in ("in", "not-in"):
        return bool(any(_same(got, item) for item in wanted) == (op == "in"))
    if op == "within":
        return all(any(_same(item, one) for one in wanted) for item in (got if isinstance(got, (list, tuple)) else [got]))
    if op in ("includes", "includes-any"):
        found = got if isinstance(got, (list, tuple)) else [got]
        wanted_all = wanted if isinstance(wanted, (list, tuple)) else [wanted]
        hits = [any(_same(item, one) for item in found) for one in wanted_all]
        return all(hits) if op == "includes" else any(hits)
    if op == "mentions":
        return any(mentions(str(item), str(wanted)) for item in (got if isinstance(got, (list, tuple)) else [got]))
    left, right = _ordered(got), _ordered(wanted)
    if left is None or right is None:
        return None
    orders = {"at-least": left >= right, "at-most": left <= right, "more-than": left > right, "less-than": left < right}
    return bool(orders[op])


def mentions(text: str, wanted: str) -> bool:
    """Whether free text names a thing as a whole: "s. 227.42 (1)" mentions 227.42, and 227.421 and 1227.42 do not."""
    at = text.find(wanted)
    while at >= 0:
        before, after = text[:at][-1:], text[at + len(wanted) :][:1]
        if not before.isalnum() and not after.isalnum():
            return True
        at = text.find(wanted, at + 1)
    return False


def _same(got: Any, wanted: Any) -> bool:
    if isinstance(got, bool) or isinstance(wanted, bool):
        return got is wanted
    if type(got) is type(wanted):
        return bool(got == wanted)
    left, right = _ordered(got), _ordered(wanted)
    return left == right if left is not None and right is not None else str(got) == str(wanted)


def _ordered(value: Any) -> Decimal | None:
    try:
        return None if isinstance(value, bool) else Decimal(str(value))
    except InvalidOperation:
        return None


def _day(test: p.DayTest, view: View) -> Value:
    left, right = day_of(test.day, view), day_of(test.value, view)
    if left is None or right is None:
        return None
    distance = (left - right).days
    if test.at_least is not None:
        need = value_of(test.at_least.number, view.settings) * (7 if test.at_least.unit == "weeks" else 1)
        return distance >= need if test.op in ("after", "on-or-after") else -distance >= need
    return {
        "on": distance == 0,
        "before": distance < 0,
        "after": distance > 0,
        "on-or-before": distance <= 0,
        "on-or-after": distance >= 0,
    }[test.op]


def season(test: p.SeasonTest, view: View) -> tuple[Value, date | None, date | None]:
    """Whether no day between two days lies in a season; where one does, the last day before it and the first after it.

    With one of two days known, a no is certain once that day lies in the season. Days out of order are not known.
    """
    days = [_as_date(view.fact(name)) for name in test.days]
    known = [day for day in days if day is not None]
    if not known or known[0] > known[-1]:
        return None, None, None
    before, after = around(test.outside, known[0], known[-1])
    if before is not None:
        return False, before, after
    return (True if len(known) == len(days) else None), None, None


def _done(test: p.DoneTest, view: View) -> Value:
    last = view.last(test.done)
    if last is None or test.since is None:
        return last is not None
    since = view.last(test.since)
    return since is not None and last > since


def _clock(test: p.ClockTest, view: View) -> Value:
    return view.clock(test.clock).status in test.is_


def _setting(test: p.SettingTest, view: View) -> Value:
    got = view.settings.get(test.setting)
    return _same(got, test.is_) if not isinstance(test.is_, (list, tuple)) else got in test.is_


def _items(test: p.ItemsTest, view: View) -> Value:
    missing = view.items_missing()
    return not missing if test.items == "all" else test.items not in missing


def _all(test: p.AllOf, view: View) -> Value:
    result: Value = True
    for inner in test.all:
        value = answer(inner, view)
        if value is False:
            return False
        if value is None:
            result = None
    return result


def _any(test: p.AnyOf, view: View) -> Value:
    result: Value = False
    for inner in test.any:
        value = answer(inner, view)
        if value is True:
            return True
        if value is None:
            result = None
    return result


def _none(test: p.NoneOf, view: View) -> Value:
    result: Value = True
    for inner in test.none:
        value = answer(inner, view)
        if value is True:
            return False
        if value is None:
            result = None
    return result


_ANSWERS: dict[type, Callable[[Any, View], Value]] = {
    p.Named: lambda test, view: holds(test.name, view),
    p.FactTest: _fact,
    p.DayTest: _day,
    p.DoneTest: _done,
    p.ClockTest: _clock,
    p.FlagTest: lambda test, view: view.flag(test.flag),
    p.SettingTest: _setting,
    p.ItemsTest: _items,
    p.FeesTest: lambda _test, view: view.fees_covered(),
    p.StandardsTest: lambda _test, view: not view.standards_open(),
    p.SeasonTest: lambda test, view: season(test, view)[0],
    Listed: _listed,
    Allotted: _allotted,
    p.AllOf: _all,
    p.AnyOf: _any,
    p.NoneOf: _none,
}


_OUTCOMES: Mapping[Value, str] = {True: "pass", False: "fail", None: "unknown"}


def describe(test: Any, view: View, outcome: str) -> Leaf:
    """What a leaf compared, with what was found."""
    if isinstance(test, p.FactTest):
        return Leaf(test.fact, test.op, _settled(test.value, view), test.unit, view.fact(test.fact), outcome)
    if isinstance(test, p.DayTest):
        left, right = day_of(test.day, view), day_of(test.value, view)
        return Leaf(_day_name(test.day), test.op, _day_text(right) or _day_name(test.value), None, _day_text(left), outcome)
    if isinstance(test, p.DoneTest):
        last = view.last(test.done)
        return Leaf(test.done, "done", True if test.since is None else f"since {test.since}", None, _day_text(last[0] if last else None), outcome)
    if isinstance(test, p.ClockTest):
        return Leaf(test.clock, "is", list(test.is_), None, view.clock(test.clock).status, outcome)
    if isinstance(test, p.FlagTest):
        return Leaf(test.flag, "is", True, None, view.flag(test.flag), outcome)
    if isinstance(test, p.SettingTest):
        return Leaf(test.setting, "is", test.is_, None, view.settings.get(test.setting), outcome)
    if isinstance(test, p.ItemsTest):
        return Leaf("items", "are", "present", None, list(view.items_missing()), outcome)
    if isinstance(test, p.StandardsTest):
        return Leaf("standards", "are", "found", None, list(view.standards_open()), outcome)
    if isinstance(test, p.SeasonTest):
        start, end = (_iso(_as_date(view.fact(name))) for name in (test.days[0], test.days[-1]))
        _, before, after = season(test, view)
        allowed = {"before": _iso(before), "after": _iso(after)} if before is not None else None
        got = [start, end] if start is not None or end is not None else None
        return Leaf(" to ".join(test.days), "outside", f"{test.outside.from_} to {test.outside.to}", None, got, outcome, allowed)
    if isinstance(test, Listed):
        return Leaf(test.fact, test.op, list(test.shown), None, view.fact(test.fact), outcome)
    if isinstance(test, Allotted):
        measure = _measure(test, view)
        given = _combinations(test, measure, view) if measure is not None else None
        got = [view.fact(name) for name in test.asks]
        return Leaf(
            test.allotment.of,
            "gives",
            given,
            test.allotment.unit,
            view.fact(test.allotment.of),
            outcome,
            {"counts": list(test.allotment.counts), "asks": list(test.asks), "asked": got},
        )
    return Leaf("fees", "are", "covered", None, view.fees_covered(), outcome)


def _day_name(day: Any) -> str:
    if isinstance(day, p.ThisAct):
        return "this act"
    if isinstance(day, p.Filing):
        return "filing"
    if isinstance(day, p.FactDay):
        return day.fact
    if isinstance(day, p.LastDay):
        return day.last
    return f"{day.clock} {day.day}" if isinstance(day, p.ClockDay) else f"sent {day.sent}"


def _day_text(day: date | None) -> str | None:
    return None if day is None else say(day.toordinal())


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
