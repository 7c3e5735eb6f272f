"""A path of the walk as a scenario (CONTRACT section 4), whose last step expects what the claim wants and so fails."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from caseflow.domain.proving.deciding import Asked, Break
from caseflow.domain.proving.walk import DAYS_PASS, Step, Walked

STAFF = "staff"


def scenario_of(asked: Asked, walked: Walked) -> dict[str, Any]:
    """The shortest path that breaks a claim, as the members of a scenario file. The claim must be broken."""
    broken = asked.broken
    assert broken is not None
    path = walked.path(broken.at) if broken.at >= 0 else []
    last = broken.step
    begun = path[0] if path else last
    opening = begun.opening if begun is not None else broken.tries[1]["opening"] if broken.tries is not None else None
    assert opening is not None
    told: dict[str, Any] = {
        "scenario": f"{asked.claim.text} Broken: {broken.said}",
        "workflow": asked.book.workflow.workflow,
        **opening.told,
    }
    if begun is None:
        return told  # the filing itself is refused
    steps = [_step(one) for one in path[1:] if one.act != DAYS_PASS and one.timer is None]
    wanted: dict[str, Any] = {}
    if broken.expect is not None:
        wanted["expect"] = dict(broken.expect)
    if broken.refused is not None:
        wanted["refused"] = broken.refused
    told["steps"] = [*steps, *_end(broken, walked, wanted)]
    if last is begun and broken.expect is not None:
        told["steps"], told["expect"] = [], dict(broken.expect)
    return told


def _end(broken: Break, walked: Walked, wanted: dict[str, Any]) -> list[dict[str, Any]]:
    """The last step: the act itself, or letting the days pass until what breaks the claim has happened."""
    step = broken.step
    if step is not None and step.timer is None and step.opening is None:
        return [{**_step(step), **wanted}]
    day = (step.on if step is not None else walked.positions[broken.at].today).isoformat()
    if broken.tries is None:
        return [{"at": day, "do": "sweep", **wanted}]
    act, facts, role = broken.tries
    if wanted:  # the act is only tried, as the page shows it
        return [{"at": day, "do": "sweep", **wanted}]
    return [{"at": day, "do": "sweep"}, {"at": day, "do": act, "as": role, **({"facts": dict(facts)} if facts else {})}]


def _step(step: Step) -> dict[str, Any]:
    """An act as a step of a scenario."""
    made: dict[str, Any] = {"at": step.on.isoformat(), "do": step.act}
    if step.role != STAFF:
        made["as"] = step.role
    if step.facts:
        made["facts"] = dict(step.facts)
    return made


def text_of(scenario: Mapping[str, Any]) -> str:
    """A scenario as the text of its file: each step on a line of its own."""
    lines = []
    for key, value in scenario.items():
        if key == "steps" and value:
            lines += ["steps:", *(f"  - {_flow(step)}" for step in value)]
        else:
            lines.append(f"{key}: {_flow(value)}")
    return "\n".join(lines) + "\n"


def _flow(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def words_of(path: Sequence[Step]) -> list[str]:
    """A path in words, one line for each step that is more than days passing."""
    return [f"{step.on.isoformat()} {step.act}" + (f" (clock {step.timer.clock})" if step.timer is not None else "") for step in path if step.act != DAYS_PASS]
