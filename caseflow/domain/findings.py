"""What people find and judge of rules: whether it is said well, who said it and when, and in which order it is told.

`findings` are what a decision stands on: {RULE: {met, because}}, of that act alone. `judgments` settle what only a person
can say: {RULE: {outcome, why, who, when}}; they stay with the case, the latest of each rule counting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.case import Actor
from caseflow.domain.facts import nearest, readable
from caseflow.domain.rules import RAISES, SETTLES

JUDGMENT_PARTS = ("outcome", "why", "who", "when")
FINDING_PARTS = ("met", "because")


def finding_faults(rules: Mapping[str, p.Rule], findings: Any) -> Iterator[str]:
    """What is wrong with findings: rules that are none, and findings that do not say both whether and because of what."""
    if not isinstance(findings, Mapping):
        return
    for name, said in findings.items():
        if name not in rules:
            yield f"there is no standard '{name}' to find{nearest(str(name), rules)}"
        elif not isinstance(said, Mapping) or not isinstance(said.get("met"), bool):
            yield f"the finding on '{name}' does not say whether it is met: write {{met: true, because: ...}}, or met: false"
        elif _empty(said.get("because")):
            yield f"the finding on '{name}' gives no reason; write its own 'because'"
        else:
            yield from (f"the finding on '{name}' has no part '{key}'{nearest(str(key), FINDING_PARTS)}" for key in said if key not in FINDING_PARTS)


def judgment_faults(rules: Mapping[str, p.Rule], judgments: Any) -> Iterator[str]:
    """What is wrong with judgments that are recorded on a case: each needs an outcome and why."""
    if not isinstance(judgments, Mapping):
        return
    for name, said in judgments.items():
        if name not in rules:
            yield f"there is no rule '{name}' to judge{nearest(str(name), rules)}"
            continue
        allowed = tuple(RAISES if rules[name].kind == "requirement-trigger" else SETTLES)
        example = f"{{outcome: {allowed[0]}, why: ...}}"
        if not isinstance(said, Mapping) or said.get("outcome") not in allowed:
            yield f"the judgment of '{name}' needs an outcome, {' or '.join(allowed)}: {example}"
        elif _empty(said.get("why")):
            yield f"the judgment of '{name}' does not say why: {example}"
        else:
            yield from (f"the judgment of '{name}' has no part '{key}'{nearest(str(key), JUDGMENT_PARTS)}" for key in said if key not in JUDGMENT_PARTS)
            if said.get("when") is not None and not _is_day(said["when"]):
                yield f"the judgment of '{name}' was made on a day such as 2027-01-15, not on '{said['when']}'"


def _empty(value: Any) -> bool:
    return not readable(str(value if value is not None else ""))


def _is_day(value: Any) -> bool:
    try:
        return len(str(value)) == 10 and date.fromisoformat(str(value)) is not None
    except ValueError:
        return False


def signed(facts: dict[str, Any], actor: Actor, on: date) -> dict[str, Any]:
    """The facts of an act, its judgments with who made them and when: the person and the day of the act where none is named."""
    judgments = facts.get("judgments")
    if not isinstance(judgments, Mapping):
        return facts
    made = {
        name: {**said, "who": said.get("who") or actor.id, "when": str(said.get("when") or on.isoformat())} if isinstance(said, Mapping) else said
        for name, said in judgments.items()
    }
    return {**facts, "judgments": made}


def joined(before: Any, now: Mapping[str, Any]) -> dict[str, Any]:
    """The judgments of a case after more were recorded."""
    return {**before, **now} if isinstance(before, Mapping) else dict(now)


def told(standards: tuple[str, ...], rules: Mapping[str, p.Rule], findings: Any) -> list[dict[str, Any]]:
    """Findings as a letter prints them: the standards of the workflow in their order, then whatever else was found."""
    if not isinstance(findings, Mapping):
        return []
    order = [name for name in standards if name in findings] + [name for name in findings if name not in standards]
    return [
        {
            "number": place,
            "rule": name,
            "text": rules[name].text if name in rules else None,
            "cite": rules[name].cite if name in rules else None,
            "met": findings[name].get("met"),
            "because": findings[name].get("because"),
        }
        for place, name in enumerate(order, 1)
        if isinstance(findings[name], Mapping)
    ]


def lacking(rules: Mapping[str, p.Rule], open_: tuple[str, ...] | list[str], findings: Any) -> list[str]:
    """Each standard that keeps a decision from being made, with what is wrong about it."""
    found = findings if isinstance(findings, Mapping) else {}
    lines = []
    for name in open_:
        said = found.get(name)
        wrong = "no finding" if not isinstance(said, Mapping) else "found not met" if said.get("met") is not True else "no because"
        law = f" ({rules[name].cite})" if name in rules and rules[name].cite else ""
        lines.append(f"{name}{law}: {wrong}")
    return lines
