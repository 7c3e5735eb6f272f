"""What the rules of a case come to: the versions that its day picks, and the list of what only a person can judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from caseflow.domain.binding import facts_asked, leaves_of
from caseflow.domain.case import Case, Entry
from caseflow.domain.replay import standing
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.rules import ASIDE, COMPUTED, FAIL, JUDGMENT, PASS, Evaluation, Finding, evaluate, law_on, rule_book
from caseflow.domain.screening import of_judgment
from caseflow.errors import Refused


def rules_json(book: Rulebook, case: Case, entries: Sequence[Entry] = ()) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rule sets of a case as its day received picks them, and the checklist of what is to be judged."""
    sets: list[dict[str, Any]] = []
    checklist: list[dict[str, Any]] = []
    for name in dict.fromkeys((*book.workflow.rules, *book.workflow.screens)):
        made = _evaluated(book, case, name)
        if isinstance(made, str):
            version = book.pack.ruleset(name, case.received_on)
            law = law_on(version, case.received_on) if version is not None else None
            sets.append(
                {
                    "ruleset": name,
                    "version": version.version if version is not None else None,
                    "in_force": False,
                    "law": law,
                    "result": None,
                    "notes": [made],
                }
            )
            continue
        sets.append(_set(made))
        told = {item["rule"] for item in checklist}
        checklist += [_item(book, case, found, entries) for found in made.findings if found.rule not in told and _judged(book, found)]
    return sets, checklist


def _evaluated(book: Rulebook, case: Case, name: str) -> Evaluation | str:
    rules = rule_book(book.pack, name, case.received_on)
    assert rules is not None
    facts = {**{fact: value for fact, value in book.defaults.items() if value is not None}, **case.facts}
    judgments = facts.get("judgments") or {}
    try:
        return evaluate(rules, facts, judgments, case.settings, case.received_on)
    except Refused as refused:
        return refused.reasons[0].text


def _set(made: Evaluation) -> dict[str, Any]:
    return {
        "ruleset": made.ruleset,
        "version": made.version,
        "title": made.title,
        "in_force": made.in_force,
        "law": made.law,
        "result": made.result,
        "notes": [note.id for note in made.notes],
        "explanations": {note.id: {"text": note.text, "cite": note.cite} for note in made.notes},
    }


def _judged(book: Rulebook, found: Finding) -> bool:
    """Whether a finding is one that a person judges, wholly or in part."""
    if found.outcome == ASIDE or found.kind == "procedure":
        return False
    return found.outcome == JUDGMENT or found.judgment is not None or found.mode == "judgment" or bool(_facts_of(book, found.rule) & book.of_judgment)


def _facts_of(book: Rulebook, rule: str) -> set[str]:
    """The facts that a rule asks itself."""
    test = book.rules[rule].test if rule in book.rules else None
    return {name for leaf in leaves_of(test) for name in facts_asked(leaf)}


def _item(book: Rulebook, case: Case, found: Finding, entries: Sequence[Entry]) -> dict[str, Any]:
    said: Mapping[str, Any] = found.judgment if found.judgment is not None else _stated(book, case, found, entries)
    return {
        "rule": found.rule,
        "part": found.title,
        "text": found.text,
        "cite": found.cite,
        "kind": found.kind,
        "within": found.within,
        "outcome": _outcome(found),
        "who": said.get("who"),
        "when": said.get("when"),
        "why": said.get("why"),
        "facts": sorted(name for name in _facts_of(book, found.rule) & book.of_judgment if case.facts.get(name) is None),
    }


def _outcome(found: Finding) -> str:
    """As section 5 of the contract; of a trigger, raised or not-raised once it is known."""
    raised = found.value.get("raised") if found.outcome == COMPUTED and isinstance(found.value, Mapping) else None
    if raised is not None:
        return "raised" if raised else "not-raised"
    return JUDGMENT if found.outcome == COMPUTED and of_judgment(found) else found.outcome


def _stated(book: Rulebook, case: Case, found: Finding, entries: Sequence[Entry]) -> dict[str, Any]:
    """Who stated what settles a rule, and when: the last standing entry that did. Nothing while it is open."""
    if _outcome(found) not in (PASS, FAIL, "raised", "not-raised"):
        return {}
    wanted = _facts_of(book, found.rule) & book.of_judgment & case.facts.keys()
    if not wanted or not entries:
        return {}
    stands = standing(entries)
    stating = [(stands.days[entry.seq], entry.seq, entry) for entry in entries if entry.seq not in stands.closed and wanted & entry.facts.keys()]
    if not stating:
        return {}
    day, _, last = max(stating)
    return {"who": last.actor.id, "when": day.isoformat(), "why": last.because}
