"""`rules evaluate` and `rules list`: facts as people write them, fitted to their types and units; what a rule set finds on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.binding import leaves_of, plain
from caseflow.domain.conditions import Leaf
from caseflow.domain.facts import Misfit, fit, nearest
from caseflow.domain.rulebook import settings_of
from caseflow.domain.rules import RAISES, SETTLES, Evaluation, Finding, RuleBook, evaluate, rule_book
from caseflow.errors import BadInput, NotFound

_MEASURE = re.compile(r"\s*([-+]?[0-9][0-9.]*)\s*([^\W\d_].*?|%)\s*\Z")
_JUDGED = ("outcome", "who", "when", "why")
_LIKE = 0.88
"""How alike two names are of which one is taken for a slip of the other."""


def ruled(packs: Iterable[p.Pack], name: str, given: Mapping[str, Any], on: date, readings: Mapping[str, str]) -> dict[str, Any]:
    """The findings of a rule set on a facts file, for the day received. Raises BadInput, NotFound or Refused."""
    pack = pack_of(packs, name)
    book = rule_book(pack, name, on)
    assert book is not None
    facts, judgments = read_facts(pack, given)
    in_order(book, facts)
    return evaluation_json(evaluate(book, facts, judgments, read_readings(pack, readings), on), pack)


def pack_of(packs: Iterable[p.Pack], name: str) -> p.Pack:
    """The pack that has a rule set. Raises NotFound."""
    known: dict[str, p.Pack] = {}
    for pack in packs:
        for one in pack.rulesets:
            known.setdefault(one.ruleset, pack)
    if name not in known:
        there = f"; the rule sets: {', '.join(known)}" if known else "; no pack has any"
        raise NotFound(f"There is no rule set '{name}'{nearest(name, known) or there}")
    return known[name]


def listed(packs: Iterable[p.Pack], name: str | None, on: date) -> dict[str, Any]:
    """Every version of every rule set, or the rules of one for the day received. Raises NotFound."""
    if name is None:
        return {"on": on.isoformat(), "rulesets": [_version(pack, one, on) for pack in packs for one in pack.rulesets]}
    pack = pack_of(packs, name)
    found = pack.ruleset(name, on)
    assert found is not None
    rules = [
        {
            "rule": rule,
            "part": part.title,
            "text": one.text,
            "cite": one.cite,
            "kind": one.kind,
            "mode": one.mode,
            "confidence": one.confidence,
            "found": one.found,
            "reading": one.reading,
            "note": one.note,
        }
        for part in found.parts.values()
        for rule, one in part.rules.items()
    ]
    return {"on": on.isoformat(), **_version(pack, found, on), "rules": rules}


def _version(pack: p.Pack, one: p.RuleSet, on: date) -> dict[str, Any]:
    force = one.in_force
    return {
        "ruleset": one.ruleset,
        "version": one.version,
        "title": one.title or one.ruleset,
        "pack": pack.text.pack,
        "cite": one.cite,
        "from": force.from_.isoformat() if force.from_ is not None else None,
        "until": force.until.isoformat() if force.until is not None else None,
        "in_force": force.covers(on),
        "count": len(one.rules()),
    }


# --- reading ------------------------------------------------------------------------------------------------------


def read_facts(pack: p.Pack, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Facts fitted to their types, and the judgments among them. Raises BadInput naming every fact that does not fit."""
    facts: dict[str, Any] = {}
    wrong: list[str] = []
    names = _names(pack)
    for name, value in given.items():
        fact = pack.facts.get(name)
        if name == "judgments":
            continue
        if fact is None:
            wrong.append(f"there is no fact '{name}'{nearest(name, pack.facts) or '; leave it out'}")
            continue
        try:
            facts[name] = fit(name, fact, _measured(name, fact, value)) if value is not None else None
            wrong += _slip(name, facts[name], names)
        except Misfit as misfit:
            wrong.append(str(misfit))
    judgments, refused = _judgments(pack, given.get("judgments"))
    if wrong or refused:
        raise BadInput(" ".join(_sentence(text) for text in (*wrong, *refused)))
    return {name: value for name, value in facts.items() if value is not None}, judgments


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")


def _measured(name: str, fact: p.Fact, value: Any) -> Any:
    """The bare number of a measure with its unit: `6 ft` or {value: 6, unit: ft}. Raises Misfit where the unit is another."""
    if fact.type != "number":
        return value
    if isinstance(value, Mapping):
        unknown = [str(key) for key in value if key not in ("value", "unit")]
        if unknown or "value" not in value:
            raise Misfit(f"'{name}' is a number{_in(fact)}; write it as {_example(name, fact)}, or as {{value: 6, unit: {fact.unit or 'count'}}}")
        number, unit = value["value"], value.get("unit")
    elif isinstance(value, str) and (found := _MEASURE.match(value)) is not None and _number(value) is None:
        number, unit = found[1], found[2]
    else:
        return value
    if unit is not None and "_".join(str(unit).split()) != fact.unit:
        here = f"is in {fact.unit}" if fact.unit else "has no unit"
        raise Misfit(f"'{name}' {here}, not in {unit}; write it as {_example(name, fact)}")
    return number


def _in(fact: p.Fact) -> str:
    return f" in {fact.unit}" if fact.unit else ""


def _example(name: str, fact: p.Fact) -> str:
    return f"'{name}: 6'" + (f", the number of {fact.unit}" if fact.unit else "")


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _names(pack: p.Pack) -> dict[str, dict[str, str]]:
    """The names that the rules compare a text with, by fact: each as it is written, under its small letters."""
    found: dict[str, dict[str, str]] = {}
    for ruleset in pack.rulesets:
        for part in ruleset.parts.values():
            for test in (part.applies, *(test for rule in part.rules.values() for test in (rule.applies, rule.test))):
                for leaf in leaves_of(test):
                    if isinstance(leaf, p.FactTest) and leaf.fact in pack.facts and pack.facts[leaf.fact].type == "text":
                        found.setdefault(leaf.fact, {}).update((plain(name), name) for name in _compared(leaf, ruleset))
    return found


def _compared(leaf: p.FactTest, ruleset: p.RuleSet) -> Sequence[str]:
    if isinstance(leaf.value, Mapping):
        one = ruleset.lists.get(str(leaf.value.get("list")))
        return [entry.name for entry in one.entries] if one is not None else ()
    return [str(item) for item in leaf.value] if isinstance(leaf.value, (list, tuple)) else [str(leaf.value)] if leaf.op.startswith("is") else ()


def _slip(name: str, value: Any, names: Mapping[str, Mapping[str, str]]) -> list[str]:
    """A name that is nearly one of those that rules ask: taken as it stands it would pass for another."""
    known = names.get(name, {})
    if not isinstance(value, str) or plain(value) in known:
        return []
    close = get_close_matches(plain(value), known, 1, _LIKE)
    return [f"'{name}' says '{value}', which no rule knows; did you mean '{known[close[0]]}'? If it is another one, write more of its name"] if close else []


def _judgments(pack: p.Pack, given: Any) -> tuple[dict[str, Any], list[str]]:
    """The judgments of a facts file, and what is wrong with them."""
    if given is None:
        return {}, []
    if not isinstance(given, Mapping):
        return {}, ["'judgments' names rules, each with its outcome: {RULE: {outcome: pass, who: ..., when: ..., why: ...}}"]
    rules = {name: rule for one in pack.rulesets for name, rule in one.rules().items()}
    made: dict[str, Any] = {}
    wrong: list[str] = []
    for name, said in given.items():
        if name not in rules:
            wrong.append(f"there is no rule '{name}' to judge{nearest(name, rules)}")
            continue
        allowed = tuple(RAISES if rules[name].kind == "requirement-trigger" else SETTLES)
        said = {"outcome": said} if isinstance(said, str) else said
        if not isinstance(said, Mapping) or said.get("outcome") not in allowed:
            wrong.append(f"the judgment of '{name}' needs an outcome, {' or '.join(allowed)}: {{outcome: {allowed[0]}, who: ..., when: ..., why: ...}}")
            continue
        wrong += [f"the judgment of '{name}' has no part '{key}'{nearest(str(key), _JUDGED)}" for key in said if key not in _JUDGED]
        made[name] = {key: str(said[key]) for key in _JUDGED if said.get(key) is not None}
    return made, wrong


def read_readings(pack: p.Pack, readings: Mapping[str, str]) -> dict[str, Any]:
    """The pack's settings with the readings asked for. Raises BadInput."""
    made = settings_of(pack, {})
    for name, value in readings.items():
        setting = pack.text.settings.get(name)
        if setting is None:
            raise BadInput(f"There is no setting '{name}'{nearest(name, pack.text.settings)}")
        known: Mapping[str, Any] = dict.fromkeys(setting.readings) if setting.readings is not None else {"true": True, "false": False}
        if value not in known or (setting.readings is None and setting.when_true is None):
            raise BadInput(f"The setting '{name}' has no reading '{value}'{nearest(value, known)}; its readings: {', '.join(known)}")
        made[name] = value if setting.readings is not None else known[value]
    return made


def in_order(book: RuleBook, facts: Mapping[str, Any]) -> None:
    """A period that a season is asked with ends no earlier than it begins. Raises BadInput."""
    for rule in book.rules.values():
        for leaf in leaves_of(rule.test):
            if isinstance(leaf, p.SeasonTest) and len(leaf.days) == 2:
                first, last = (facts.get(name) for name in leaf.days)
                if first is not None and last is not None and last < first:
                    raise BadInput(f"'{leaf.days[1]}' ({last}) lies before '{leaf.days[0]}' ({first}); exchange the days.")


# --- writing ------------------------------------------------------------------------------------------------------


def evaluation_json(made: Evaluation, pack: p.Pack) -> dict[str, Any]:
    """An evaluation as CONTRACT section 5 has it. `explanations` holds the words of each note."""
    return {
        "ruleset": made.ruleset,
        "version": made.version,
        "title": made.title,
        "received": made.received.isoformat(),
        "in_force": made.in_force,
        "law": made.law,
        "result": made.result,
        "findings": [finding_json(one, pack) for one in made.findings],
        "notes": [note.id for note in made.notes],
        "explanations": {note.id: {"text": note.text, "cite": note.cite} for note in made.notes},
    }


def finding_json(one: Finding, pack: p.Pack) -> dict[str, Any]:
    """One finding; members that have nothing to say are left out, but for those that a reader always asks."""
    made = {
        "rule": one.rule,
        "part": one.title,
        "cite": one.cite,
        "kind": one.kind,
        "mode": one.mode,
        "confidence": one.confidence,
        "outcome": one.outcome,
        "leaves": [_leaf(leaf, pack) for leaf in one.leaves],
        "text": one.text,
        "counted": one.counted,
        "decides": "fails" if one.counted and one.failed else "open" if one.counted and one.open else None,
    }
    also = {
        "value": one.value,
        "reading": one.reading,
        "note": one.note,
        "instead": one.instead,
        "within": one.within,
        "considers": [{"field": name, "title": _title(name, pack), "got": got} for name, got in one.considers] or None,
        "judgment": dict(one.judgment) if one.judgment is not None else None,
        "judgment_idle": True if one.idle else None,
        "text_found": None if one.found else False,
    }
    return {**made, **{key: value for key, value in also.items() if value is not None}}


def _leaf(leaf: Leaf, pack: p.Pack) -> dict[str, Any]:
    # A fact that is compared with another one has its unit from its declaration.
    unit = leaf.unit or (pack.facts[leaf.field].unit if leaf.field in pack.facts else None)
    made = {"field": leaf.field, "op": leaf.op, "value": leaf.value, "unit": unit, "got": leaf.got, "outcome": leaf.outcome}
    also = {"title": _title(leaf.field, pack), "allowed": leaf.allowed, "rule": leaf.rule, "decides": leaf.decides or None, "barred": leaf.barred or None}
    return {**made, **{key: value for key, value in also.items() if value is not None}}


def _title(name: str, pack: p.Pack) -> str | None:
    return pack.facts[name].title if name in pack.facts else None
