"""What the tests and the table of the rules share: the pack's rule sets, the facts of cases.yaml, and how they are asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from caseflow.adapters.packs.nodes import read_plain
from caseflow.bootstrap import App
from caseflow.domain.facts import fit
from caseflow.domain.pack import Pack, Rule, RuleSet
from caseflow.domain.rulebook import settings_of
from caseflow.domain.rules import Evaluation, Finding, evaluate, rule_book

HERE = Path(__file__).parent
OLD, NEW = date(2026, 3, 31), date(2026, 4, 1)
"""The last day of the old text and the first of the new one."""

OPS = ("at-least", "at-most", "less-than", "more-than", "is")
ON_UNDER_OVER = {
    "at-least": {"under": False, "on": True, "over": True},
    "at-most": {"under": True, "on": True, "over": False},
    "less-than": {"under": True, "on": False, "over": False},
    "more-than": {"under": False, "on": False, "over": True},
    "is": {"under": False, "on": True, "over": False},
}
"""Whether a limit holds just under it, on it and just over it."""


@cache
def pack() -> Pack:
    """The first pack."""
    return next(one for one in App().library.all() if one.text.pack == "wisconsin-dnr")


def read(name: str) -> dict[str, Any]:
    """A data file of this folder; numbers with a point stay text, so that none is rounded."""
    return read_plain((HERE / name).read_text(encoding="utf-8"), name)


@cache
def items() -> dict[str, dict[str, Any]]:
    """The rule items of the law by id."""
    return {one["id"]: one for one in read("items.yaml")["items"]}


def sets() -> dict[str, RuleSet]:
    """The rule sets by id."""
    return {one.ruleset: one for one in pack().rulesets}


def homes(rule: str) -> list[str]:
    """The sets that have a rule, the one that says it itself first."""
    found = [(one.rules()[rule].same_as is not None, name) for name, one in sets().items() if rule in one.rules()]
    return [name for _, name in sorted(found)]


def rules() -> Iterator[tuple[str, str, Rule]]:
    """Every rule of every set: set, id, rule."""
    for name, one in sets().items():
        for rule, said in one.rules().items():
            yield name, rule, said


@cache
def cases() -> dict[str, Any]:
    """The whole of cases.yaml."""
    return read("cases.yaml")


def base(name: str | list[str]) -> dict[str, Any]:
    """The facts of a base, with those that it begins with."""
    made: dict[str, Any] = {}
    for one in [name] if isinstance(name, str) else name:
        said = cases()["bases"][one]
        made |= base(said["like"]) if "like" in said else {}
        made |= {key: value for key, value in said.items() if key != "like"}
    return made


def ask(ruleset: str, facts: Mapping[str, Any], on: date | None = None, judgments: Mapping[str, Any] | None = None, **readings: Any) -> Evaluation:
    """A rule set on facts, on a day on which its text is in force unless another is named, under readings of settings."""
    day = on or (OLD if sets()[ruleset].in_force.until is not None else NEW)
    fitted = {name: fit(name, pack().facts[name], value) for name, value in facts.items() if value is not None}
    book = rule_book(pack(), ruleset, day)
    assert book is not None
    return evaluate(book, fitted, judgments or {}, settings_of(pack(), readings), day)


def finding(rule: str, facts: Mapping[str, Any], **readings: Any) -> Finding:
    """The finding on one rule, in the set that says it."""
    found = ask(homes(rule)[0], facts, **readings).finding(rule)
    assert found is not None
    return found


def outcome(found: Finding) -> str:
    """The outcome in one word; of a trigger raised, quiet or open."""
    if found.kind == "requirement-trigger" and found.outcome == "computed":
        return {True: "raised", False: "quiet", None: "open"}[found.value["raised"]]
    return found.outcome


@dataclass(frozen=True)
class Limit:
    """One number of a rule, and facts under which it decides."""

    rule: str
    fact: str
    op: str
    number: Decimal
    unit: str
    step: Decimal
    facts: Mapping[str, Any]
    leaf_of: str

    def at(self, place: str) -> str:
        """The number itself, one step under it or one step over it."""
        number = self.number + {"under": -self.step, "on": Decimal(0), "over": self.step}[place]
        return format(number.normalize(), "f")

    def holds(self, place: str) -> bool:
        """What the law says there."""
        return ON_UNDER_OVER[self.op][place]

    def found(self, place: str) -> Finding:
        """What is found there."""
        return finding(self.rule, {**self.facts, self.fact: self.at(place)})


@cache
def limits() -> list[Limit]:
    """Every number of cases.yaml."""
    made = []
    for rule, case in cases()["cases"].items():
        begin = base(case["base"]) | case.get("with", {})
        for one in case.get("limits", ()):
            op = next(op for op in OPS if op in one)
            made.append(
                Limit(
                    rule, one["fact"], op, Decimal(str(one[op])), one["unit"], Decimal(str(one["step"])), begin | one.get("with", {}), one.get("leaf-of", rule)
                )
            )
    return made


@dataclass(frozen=True)
class Change:
    """Facts changed from a base, and what must come of a rule under them."""

    rule: str
    changed: Mapping[str, Any]
    facts: Mapping[str, Any]
    wanted: str


_WANTED = {"fails": "fail", "passes": "pass", "outside": "not-applicable", "raises": "raised", "quiet": "quiet", "open": "open"}


@cache
def changes() -> list[Change]:
    """Every change of cases.yaml, and each base itself."""
    made = []
    for rule, case in cases()["cases"].items():
        begin = base(case["base"]) | case.get("with", {})
        made += [Change(rule, one, begin | one, wanted) for word, wanted in _WANTED.items() for one in case.get(word, ())]
        if not any(word in case for word in ("raises", "quiet")):
            made.append(Change(rule, {}, begin, case.get("starts", "pass")))
    return made


def without(facts: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Facts without one of them."""
    return {key: value for key, value in facts.items() if key != name}
