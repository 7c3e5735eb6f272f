"""The page of a case as plain data: which clock decides, what stands first, what is possible and what is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Case = Mapping[str, Any]
OUTSIDE = ("requester", "public")
GOING_ON = ("running", "tolled", "displaced", "missed")
NEWEST = 5
JUST_NOW = 3
"""An act is among so many last entries of its case when its result is told."""
MOST_ENDED = 2
"""More ended clocks than these are folded away."""
QUIET_CODES = {"wrong-state", "not-permitted"}
NOTE = "note"
"""The fact under which a workflow keeps a note."""
ALWAYS_FROM = 90
"""Actions with this order or a later one stand in one line beneath the others."""


def view(case: Case, record: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the template shows."""
    actions = sorted(case["actions"], key=lambda one: (one["order"] is None, one["order"] or 0))
    possible = [one for one in actions if one["allowed"]]
    waiting = [one for one in actions if not one["allowed"]]
    newest = sorted(record, key=lambda one: one["seq"], reverse=True)
    begun = sorted((clock for clock in case["clocks"] if clock["status"] != "not-started"), key=lambda clock: clock["actor"] in OUTSIDE)
    over = [clock for clock in begun if clock["ended_on"] or clock["status"] not in GOING_ON]
    folded = over if len(over) > MOST_ENDED else []
    return {
        "case": case,
        "main": deciding(case),
        "going_on": [*(clock for clock in begun if clock not in over), *([] if folded else over)],
        "ended": folded,
        "sleeping": [clock for clock in case["clocks"] if clock["status"] == "not-started"],
        "possible": [one for one in possible if (one["order"] or 0) < ALWAYS_FROM],
        "beside": [one for one in possible if (one["order"] or 0) >= ALWAYS_FROM],
        "impossible": [one for one in waiting if worth_saying(one)],
        "elsewhere": [one for one in waiting if not worth_saying(one)],
        "newest": newest[:NEWEST],
        "older": newest[NEWEST:],
        "entries": by_number(record),
        "judging": next((one for one in possible if "judgments" in one["facts"]["properties"]), None),
        "to_judge": [one for one in case["checklist"] if one["outcome"] == "judgment"],
        "noting": noting(possible),
        "notes": [one for one in newest if one["action"] in {act["id"] for act in case["actions"] if _notes(act)}],
        "able": {one["id"]: one for one in possible},
        "missing": [item for item in case["items"] if item["status"] in ("missing", "asked")],
    }


def just_done(case: Case, record: Sequence[Mapping[str, Any]], action: str | None) -> Mapping[str, Any] | None:
    """The last entry of an action that a person has just taken."""
    if not action:
        return None
    newest = sorted(record, key=lambda one: one["seq"], reverse=True)
    return next((one for one in newest if one["action"] == action and one["seq"] > case["version"] - JUST_NOW), None)


def noting(possible: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The act that takes a note and nothing else."""
    return next((one for one in possible if _notes(one)), None)


def _notes(action: Mapping[str, Any]) -> bool:
    return action["facts"]["required"] == [NOTE] and list(action["facts"]["properties"]) == [NOTE] and not action["letters"]


def deciding(case: Case) -> Mapping[str, Any] | None:
    """The clock that matters now: a missed one, else the earliest last day, else one without a date; of the agency first."""
    going_on = [clock for clock in case["clocks"] if clock["status"] in GOING_ON and not clock.get("policy") and not clock.get("ended_on")]
    own = [clock for clock in going_on if clock["actor"] not in OUTSIDE]
    return min(own or going_on, key=lambda clock: (clock["status"] != "missed", clock["due"] or "9999"), default=None)


def worth_saying(action: Mapping[str, Any]) -> bool:
    """Whether a refusal needs its reason in the first list: a spent limit or a condition does; an act of another state does not."""
    codes = {reason["code"] for reason in action["because"]}
    return "limit-reached" in codes or not codes & QUIET_CODES


def by_number(record: Sequence[Mapping[str, Any]]) -> dict[int, Mapping[str, Any]]:
    """The entries by number, for those that name another."""
    return {one["seq"]: one for one in record}
