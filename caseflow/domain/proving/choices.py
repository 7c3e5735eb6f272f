"""What an adversary may state with an act: for each question that turns on the act's facts, an answer that makes it a
yes, one that makes it a no, and silence where the law allows it.

Days are stated in relation to the case (today, a clock's last day, the day after it), so that both sides of every
comparison of days are tried. Statements that no question can tell apart are made once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import product
from typing import Any, NamedTuple

from caseflow.domain import pack as p
from caseflow.domain.binding import facts_asked, group_of
from caseflow.domain.conditions import answer, day_of
from caseflow.domain.fees import ZERO, total
from caseflow.domain.proving.cone import Cone
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import CaseView

MOST = 4096
"""So many statements of one act are weighed at most; beyond, the later facts keep their first value."""


class On(NamedTuple):
    """A day to be stated: so many days after a day of the case; None stands for today."""

    day: Any
    shift: int


class Pays(NamedTuple):
    """Money to be stated: so many cents less than what covers everything owed."""

    short: int


class Missing(NamedTuple):
    """Items to be stated: those that are missing."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One statement of an act: its facts, days and sums still relative to the case."""

    facts: Mapping[str, Any]

    def made(self, book: Rulebook, case: Any, name: str, today: date) -> dict[str, Any]:
        """The facts as the record would keep them on a day."""
        made = {}
        for fact, value in self.facts.items():
            if isinstance(value, (On, Pays, Missing)):
                value = _resolved(value, book, case, name, self.facts, today)
                if value is None:
                    continue
            made[fact] = value
        return made


def _resolved(value: Any, book: Rulebook, case: Any, name: str, facts: Mapping[str, Any], today: date) -> Any:
    view = CaseView(book, case, "", {}, today, case.settings)
    if isinstance(value, On):
        day = today if value.day is None else day_of(value.day, view)
        return None if day is None else date.fromordinal(day.toordinal() + value.shift).isoformat()
    if isinstance(value, Missing):
        return list(view.items_missing()) or None
    plain = {fact: one for fact, one in facts.items() if not isinstance(one, (On, Pays, Missing, Mapping))}
    act = CaseView(book, case, name, plain, today, case.settings)
    owed = total(act.owed_now()) + max(ZERO, total(case.fees) - act.paid_before())
    return f"{max(Decimal(0), owed - Decimal(value.short) / 100):.2f}"


class Choices:
    """Every statement worth making with each act of a workflow."""

    def __init__(self, cone: Cone, settings: Mapping[str, Any]) -> None:
        self.cone, self.book, self.settings = cone, cone.book, settings
        self.refused: dict[str, list[Choice]] = {name: [] for name in cone.flow.actions}
        """Statements with which an act is refused wherever it is made, one for each need that they miss."""
        self.of = {name: tuple(self._choices(name)) for name in cone.flow.actions if name != "file"}

    def _choices(self, name: str) -> Iterator[Choice]:
        action = self.cone.flow.actions[name]
        if action.by == ("scheduler",):
            yield Choice({})
            return
        offered = self._offered(name, action)
        known: dict[Any, None] = {}
        names = list(offered)
        ways = product(*offered.values())
        for number, values in enumerate(ways):
            if number >= MOST:
                break
            facts = {fact: value for fact, value in zip(names, values, strict=True) if value is not None}
            if any(facts.get(fact) is None for fact in action.takes):
                continue
            sign = self._sign(name, facts)
            if isinstance(sign, int):
                if ("missed", sign) not in known:
                    known[("missed", sign)] = None
                    self.refused[name].append(Choice(facts))
            elif sign not in known:
                known[sign] = None
                yield Choice(facts)
        for facts in self._findings(name, action):
            yield Choice({**facts, **{fact: self.filler(fact) for fact in action.takes if fact not in facts}})

    def _findings(self, name: str, action: p.Action) -> Iterator[dict[str, Any]]:
        """What an act that establishes facts for the rules may state: what makes the rules an act needs hold, and what does not."""
        if action.establishes is None:
            return
        for asked in self.cone.rules.values():
            for wanted in (True, False):
                found = satisfying(self.book, asked, wanted)
                if found is not None:
                    yield {fact: value for fact, value in found.items() if fact in self.book.own[name]}

    def _offered(self, name: str, action: p.Action) -> dict[str, list[Any]]:
        own = self.book.own[name]
        tests = [*self.cone.local[name].values(), *(leaf for leaf in self.cone.leaves if set(facts_asked(leaf)) & own)]
        tests += [day for day in self.cone.days if isinstance(day, p.FactDay) and day.fact in own]
        must = dict.fromkeys([*action.takes, *(fact for fact in self._in_letters(action) if fact in own)])
        found: dict[str, list[Any]] = {fact: [] for fact in must}
        for test in tests:
            for fact, values in self._answers(name, test):
                if fact in own and action.establishes is None:
                    found.setdefault(fact, []).extend(values)
        if action.money == "received" or any(isinstance(leaf, p.FeesTest) for leaf in self.cone.leaves):
            self._money(name, action, found)
        if action.items is not None and "items" in own:
            found["items"] = self._items(action)
        for fact, values in found.items():
            if fact in must:
                values[:] = [value for value in values if value is not None] or [self.filler(fact)]
            elif None not in values:
                values.insert(0, None)
            found[fact] = list({repr(value): value for value in values}.values())
        return found

    def _in_letters(self, action: p.Action) -> Iterator[str]:
        """What the letters of an act must state of it: without that they can't be written."""
        for ref in p.letters_named(action):
            letter = self.book.pack.letters.get(ref.letter)
            yield from letter.facts if letter is not None else ()

    def _money(self, name: str, action: p.Action, found: dict[str, list[Any]]) -> None:
        own = self.book.own[name]
        if action.money == "received":
            found["amount"], found["method"] = [Pays(0), Pays(1)], ["check"]
        elif action.money is not None:
            found["amount"] = ["1.00"]
            if "method" in own:
                found["method"] = ["check"]
        elif "payment" in own:
            found["payment"] = [None, {"method": "waived", "amount": "0.00"}]

    def _items(self, action: p.Action) -> list[Any]:
        some = list(self.cone.flow.items if action.items != "lists" else self.cone.flow.petition_items or self.cone.flow.items)[:1]
        if action.items == "receives":
            return [Missing(), some]
        return [some or ["x"], None]

    def _answers(self, name: str, test: Any) -> Iterator[tuple[str, list[Any]]]:
        """For each fact that a question asks, values that answer it in every way."""
        if isinstance(test, p.FactTest):
            yield test.fact, self.answers(test)
        elif isinstance(test, p.FactDay):
            yield test.fact, [On(None, 0)]
            for move in self.book.moves.get(name, ()):
                if isinstance(move.moment, p.Extension) and move.moment.to == test:
                    yield test.fact, [On(p.ClockDay(clock=move.clock, day="unrolled"), 7)]
        elif isinstance(test, p.DayTest):
            yield from self._days(test)
        elif isinstance(test, p.StandardsTest):
            yield "findings", [None, {rule: {"met": True, "because": "so found"} for rule in self.cone.flow.standards}]

    def answers(self, test: p.FactTest) -> list[Any]:
        """Values of a fact that answer a question with yes, with no and, where nothing is stated, with neither."""
        fact = self.book.facts.get(test.fact, p.TEXT)
        wanted = test.value
        if isinstance(wanted, Mapping):
            wanted = self.settings.get(str(wanted.get("setting")), wanted.get("fact"))
        if test.op == "given":
            return [None, self.filler(test.fact)]
        if isinstance(wanted, bool) or fact.type == "yes-no":
            return [None, True, False]
        values = list(wanted) if isinstance(wanted, (list, tuple)) else [wanted]
        if test.op in ("includes", "includes-any", "mentions"):
            listed = fact.type == "list"
            return [None, *([[str(value)] for value in values] if listed else [str(value) for value in values]), ["x"] if listed else "x"]
        if test.op in ("at-least", "at-most", "more-than", "less-than"):
            number = Decimal(str(values[0]))
            return [None, *(str(number + step) for step in (0, 1, -1))]
        other = next((value for value in fact.values or () if value not in values), "another")
        return [None, values[0], other]

    def _days(self, test: p.DayTest) -> Iterator[tuple[str, list[Any]]]:
        far = test.at_least.number if test.at_least is not None and isinstance(test.at_least.number, int) else 0
        far *= 7 if test.at_least is not None and test.at_least.unit == "weeks" else 1
        for fact, other, sign in ((test.day, test.value, 1), (test.value, test.day, -1)):
            if isinstance(fact, p.FactDay):
                later = sign if test.op in ("after", "on-or-after") else -sign
                base = None if isinstance(other, p.ThisAct) else other
                steps = {0, 1, -1} if not far else {later * far, later * (far - 1)}
                yield fact.fact, [None, *(On(base, step) for step in sorted(steps))]

    def _sign(self, name: str, facts: Mapping[str, Any]) -> Any:
        """What questions can tell of a statement; the place of the first need that its own facts miss."""
        plain = {fact: value for fact, value in facts.items() if not isinstance(value, (On, Pays, Missing))}
        stated = {fact: ["x"] if isinstance(value, Missing) else "2000-01-01" for fact, value in facts.items() if fact not in plain}
        view = CaseView(self.book, None, name, {**plain, **stated}, date(2000, 1, 1), self.settings)
        own = self.book.own[name]
        tests = [test for test in (*self.cone.local[name].values(), *self.cone.leaves) if isinstance(test, p.FactTest) and set(facts_asked(test)) <= own]
        for place, need in enumerate(self.cone.flow.actions[name].needs):
            if self._local(name, need) and answer(need, view) is not True:
                return place
        days = tuple((fact, facts[fact]) for fact in facts if fact in stated)
        rest = tuple(repr(plain.get(fact)) for fact in ("findings", "payment", "items"))
        return tuple(answer(test, view) or (False if self.cone.blunt(test) else answer(test, view)) for test in tests), days, rest

    def _local(self, name: str, test: Any) -> bool:
        """Whether a question turns on nothing but plain facts of the act."""
        if isinstance(test, p.Named):
            condition = self.book.conditions[test.name]
            return not isinstance(condition, p.Rule) and all(self._local(name, part) for part in (condition.applies, condition.test) if part is not None)
        group = group_of(test)
        if group is not None:
            return all(self._local(name, member) for member in group[1])
        return isinstance(test, p.FactTest) and set(facts_asked(test)) <= self.book.reads[name] or isinstance(test, p.SettingTest)

    def filler(self, name: str) -> Any:
        """Some value of a fact."""
        fact = self.book.facts.get(name, p.TEXT)
        some: dict[str, Any] = {"yes-no": True, "number": "1", "money": "1.00", "day": On(None, 0), "moment": "2026-01-01T10:00:00+00:00"}
        if fact.type == "choice":
            return (fact.values or ("x",))[0]
        if fact.type == "list":
            return [(fact.values or ("x",))[0]] if fact.columns is None else [dict.fromkeys(fact.columns, "x")]
        if fact.type == "record":
            return dict.fromkeys(fact.columns or ("note",), "x")
        return some.get(fact.type, "x")


def satisfying(book: Rulebook, test: Any, wanted: bool) -> dict[str, Any] | None:
    """Facts under which a question of rules is answered so, as far as its words give them; judgments where a person judges."""
    if isinstance(test, p.Named):
        rule = book.conditions[test.name]
        if rule.applies is not None:
            aside = satisfying(book, rule.applies, not wanted) if wanted else None
            if wanted and aside is not None:
                return aside
            applies = satisfying(book, rule.applies, True)
            rest = satisfying(book, rule.test, wanted) if rule.test is not None else _judged(test.name, wanted)
            return None if applies is None or rest is None else _together(applies, rest)
        return satisfying(book, rule.test, wanted) if rule.test is not None else _judged(test.name, wanted)
    group = group_of(test)
    if group is None:
        return _leaf(book, test, wanted)
    word, members = group
    each = (word == "all") == wanted if word != "none" else wanted
    inner = wanted if word != "none" else not wanted
    parts = [satisfying(book, member, inner) for member in members]
    if each:
        made: dict[str, Any] = {}
        for part in parts:
            if part is None:
                return None
            made = _together(made, part)
        return made
    return next((part for part in parts if part is not None), None)


def _together(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    made = {**one, **other}
    if "judgments" in one and "judgments" in other:
        made["judgments"] = {**one["judgments"], **other["judgments"]}
    return made


def _judged(name: str, wanted: bool) -> dict[str, Any]:
    return {"judgments": {name.rpartition("/")[2]: {"outcome": "pass" if wanted else "fail", "why": "so found"}}}


def _leaf(book: Rulebook, test: Any, wanted: bool) -> dict[str, Any] | None:
    if not isinstance(test, p.FactTest) or isinstance(test.value, Mapping):
        return None
    values = test.value if isinstance(test.value, (list, tuple)) else [test.value]
    fact = book.facts.get(test.fact, p.TEXT)
    if test.op == "given":
        return {test.fact: "x"} if bool(test.value) is wanted else {}
    holds = wanted if test.op not in ("is-not", "not-in") else not wanted
    if test.op in ("is", "is-not", "in", "not-in"):
        if holds:
            return {test.fact: values[0]}
        if fact.type == "yes-no":
            return {test.fact: not values[0]}
        other = next((value for value in fact.values or () if value not in values), None)
        return {test.fact: other} if other is not None else None
    if test.op in ("at-least", "at-most", "more-than", "less-than"):
        step = 1 if test.op in ("at-least", "more-than") else -1
        return {test.fact: str(Decimal(str(values[0])) + (step if wanted else -step))}
    return {test.fact: list(values) if fact.type == "list" else str(values[0])} if wanted else None
