"""A value of a pack in words, as one version of the pack calls things. Two values that differ may read alike; the walk sees to that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.calendar import say as day_text
from caseflow.domain.clock import length_text
from caseflow.domain.rulebook import Rulebook, settings_of
from caseflow.domain.stating import day_said, moment_said, test_said

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_TESTS = (
    *(p.Named, p.FactTest, p.DayTest, p.DoneTest, p.ClockTest, p.FlagTest, p.SettingTest, p.ItemsTest, p.FeesTest, p.StandardsTest),
    *(p.SeasonTest, p.AllotmentTest, p.WholeTest, p.AllOf, p.AnyOf, p.NoneOf),
)
_NTH = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth", 9: "ninth"}
_TO = {"same": "the same state", "previous": "the state before"}
SURE = {"verified": "read in the law", "inferred": "inferred", "recalled": "recalled, not read", "not-found": "no source found"}


def ordinal(number: int) -> str:
    """first, second ... ninth, 10th."""
    return _NTH.get(number) or f"{number}{'th' if number % 100 in (11, 12, 13) else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


class Names:
    """What one version of a pack calls its states, actions, facts and settings. Joined when first asked: most of a pack is the same."""

    def __init__(self, make: Callable[[], Rulebook]) -> None:
        self._make = make

    @cached_property
    def book(self) -> Rulebook:
        """The rules whose words are used."""
        return self._make()

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The readings that the pack chooses."""
        return settings_of(self.book.pack, {})

    def of(self, kind: str, name: str) -> str:
        """The words for a name of a kind; the name itself where there are none."""
        book, flow = self.book, self.book.workflow
        if kind == "state" and name in flow.groups:
            return f"{name.replace('-', ' ')} ({', '.join(self.of('state', one) for one in flow.states_of((name,)))})"
        known: Mapping[str, Mapping[str, Any]] = {
            "action": flow.actions,
            "state": flow.states,
            "clock": flow.clocks,
            "letter": book.pack.letters,
            "fact": book.facts,
            "fee": book.pack.fees,
            "role": book.pack.text.roles,
            "actor": book.pack.calendar.actors,
            "day list": book.pack.calendar.day_lists,
        }
        if kind in known:
            found = known[kind].get(name)
            title = getattr(found, "title", None)
            return _TO.get(name, f"“{title}”" if title else name.replace("-", " ").replace("_", " "))
        texts = {"flag": flow.flags, "disposition": flow.dispositions}.get(kind, {})
        if name in texts:
            return f"“{texts[name]}”"
        if kind == "rule set" and (ruleset := book.pack.ruleset(name)) is not None and ruleset.title:
            return f"“{ruleset.title}”"
        return name

    def say(self, value: Any, of: str = "") -> str:
        """A value in words, without a full stop."""
        match value:
            case None:
                return "nothing"
            case bool():
                return "yes" if value else "no"
            case str():
                return self.of(of, value) if of else (SURE.get(value, value) or "nothing")
            case date():
                return day_text(value.toordinal())
            case Decimal():
                return f"{value.normalize():f}"
            case int():
                return str(value)
            case p.Length():
                if isinstance(value.number, p.SettingRef) and value.number.setting not in self.settings:
                    return f"as many {value.unit} as {self.say(value.number)} says"
                chosen = f" (by {self.say(value.number)})" if isinstance(value.number, p.SettingRef) else ""
                return f"{length_text(value, self.settings)}{chosen}"
            case p.SettingRef():
                found = self.book.pack.text.settings.get(value.setting)
                return f"the setting “{found.question}”" if found is not None else f"the setting {value.setting}"
            case p.DayRule():
                return day_of_rule(value)
            case p.InForce():
                return _force(value)
            case tuple() | list():
                return ", ".join(self.say(one, of) for one in value) or "nothing"
            case Mapping():
                return "; ".join(f"{str(key).replace('_', ' ')}: {self.say(one)}" for key, one in value.items()) or "nothing"
        return self._compound(value)

    def _compound(self, value: Any) -> str:
        if isinstance(value, _TESTS):
            return test_said(self.book, value)
        match value:
            case p.Hold():
                return self._hold(value)
            case p.Moment():
                return self._moment(value)
            case p.Branch():
                return self._branch(value)
            case p.LetterRef():
                return self._when(self.of("letter", value.letter), value.when)
            case p.FeeRef():
                return self._when(self.of("fee", value.fee), value.when)
            case p.TaskRef():
                return self._task(value)
            case p.RollDay():
                return self._when(self.of("day list", value.day), value.when)
            case p.OtherAmount():
                return f"${value.amount:,.2f} if {test_said(self.book, value.when)}"
            case p.ListEntry():
                columns = "; ".join(f"{key}: {', '.join(names)}" for key, names in value.columns.items())
                return f"“{value.name}”" + (f" ({columns})" if columns else "")
            case p.RuleRef():
                return f"rule {value.rule} of {self.of('rule set', value.ruleset)}"
            case p.ThisAct() | p.Filing() | p.FactDay() | p.LastDay() | p.ClockDay() | p.SentDay():
                return day_said(self.book, value)
        return self._parts(value)

    def _parts(self, value: Any) -> str:
        """Any other model: what is said in it, word by word."""
        said = ((name, getattr(value, name)) for name in type(value).model_fields)
        return "; ".join(f"{name.rstrip('_').replace('_', ' ')}: {self.say(one)}" for name, one in said if one not in (None, (), {}, False)) or "nothing"

    def _when(self, said: str, when: Any) -> str:
        return f"{said}, if {test_said(self.book, when)}" if when is not None else said

    def _moment(self, value: p.Moment) -> str:
        text: str = moment_said(self.book, value, self.settings)["text"]
        promised = value.expected_after if isinstance(value, p.Start) else ()
        if promised:
            text += f", promised {' or '.join(self._moment(one) for one in promised)}"
        return text if value.before and not value.after else f"after {text}"

    def _hold(self, value: p.Hold) -> str:
        begins, ends = (" or ".join(self._moment(one) for one in moments) for moments in (value.from_, value.until))
        return f"{begins}, until {ends}" + (f" (cause: {value.cause})" if value.cause else "")

    def _branch(self, value: p.Branch) -> str:
        parts = [
            f"leads to {self.of('state', value.to)}" if value.to else "",
            f"ends as {self.of('disposition', value.disposition)}" if value.disposition else "",
            f"owes {self.say(value.letters)}" if value.letters else "",
            f"costs {self.say(value.fees)}" if value.fees else "",
            f"raises {self.say(value.raises, 'flag')}" if value.raises else "",
            f"takes down {self.say(value.lowers, 'flag')}" if value.lowers else "",
            f"leaves the task {self.say(value.task)}" if value.task else "",
        ]
        when = f"if {test_said(self.book, value.when)}" if value.when is not None else "otherwise" if value.otherwise else "always"
        return f"{when}: {', '.join(part for part in parts if part) or 'nothing further'}"

    def _task(self, value: p.TaskRef) -> str:
        told = f" for {self.of('role', value.for_)}" if value.for_ else ""
        settled = f", settled by {' or '.join(self.of('action', one) for one in value.action)}" if value.action else ""
        return self._when(f"“{value.text}”{f' ({value.id})' if value.id else ''}{told}{settled}", value.when)


def _force(value: p.InForce) -> str:
    ends = [f"from {day_text(value.from_.toordinal())}"] if value.from_ is not None else []
    ends += [f"until {day_text(value.until.toordinal())}"] if value.until is not None else []
    return " ".join(ends) or "always"


def day_of_rule(rule: p.DayRule) -> str:
    """The days that a rule of a day list stands for: January 2, 2027; the third Monday of January, from 2010."""
    if rule.once is not None:
        said = day_text(rule.once.toordinal())
    elif rule.nth is not None:
        which, weekday, month = rule.nth
        said = f"the {which if which == 'last' else ordinal(int(which))} {weekday.capitalize()} of {month.capitalize()}"
    elif rule.month_day is not None:
        month_number, _, day = rule.month_day.partition("-")
        said = f"{_MONTHS[int(month_number) - 1]} {int(day)} of each year"
    else:
        said = rule.name
    if rule.plus:
        said = f"{rule.plus} {'day' if rule.plus == 1 else 'days'} after {said}"
    said += f" in {rule.years} years" if rule.years else ""
    said += f", from {rule.from_}" if rule.from_ else ""
    return said + (f", until {rule.until}" if rule.until else "")
