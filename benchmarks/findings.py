"""Rule sets: processor milliseconds to evaluate every set of the pack on the facts of one request, as a stream of requests would."""

from __future__ import annotations

import time
from datetime import date
from statistics import median
from typing import Any

from benchmarks.measure import Line
from caseflow.bootstrap import App
from caseflow.domain.rulebook import settings_of
from caseflow.domain.rules import evaluate, rule_book
from caseflow.services.ruling import read_facts

DAYS = (date(2026, 3, 31), date(2026, 4, 1))
GOAL_MS = 5.0
FACTS: dict[str, Any] = {
    "applicant": "riparian",
    "water_type": "stream",
    "water_class": ["trout"],
    "water_name": "Lake Winnebago",
    "county": "Winnebago",
    "work_from": "2026-05-01",
    "work_to": "2026-06-20",
    "piles": 6,
    "adjacent_and_bound": True,
    "deposit_cu_yd": "1.5",
    "disturbed_sq_ft": 400,
    "frontage_ft": 230,
    "judgments": {"PL-2": {"outcome": "pass", "who": "ann", "when": "2026-03-01", "why": "seen"}},
}


def run(rounds: int, requests: int = 50) -> list[Line]:
    """One line: reading the facts and asking all sets, per request; each round takes other activities and both texts."""
    pack = App().library.all()[0]
    activities = pack.facts["activity"].values or ()
    took = [_milliseconds(pack, activities, requests) for _ in range(rounds + 1)][1:]
    per = median(took)
    sets = len({one.ruleset for one in pack.rulesets})
    return [Line(f"all {sets} rule sets on one request", f"< {GOAL_MS:.0f} ms", f"{per:.1f} ms CPU", per < GOAL_MS, id="I3")]


def _milliseconds(pack: Any, activities: tuple[str, ...], requests: int) -> float:
    names = list(dict.fromkeys(one.ruleset for one in pack.rulesets))
    settings = settings_of(pack, {})
    begin = time.process_time()
    for number in range(requests):
        on = DAYS[number % 2]
        facts, judgments = read_facts(pack, {**FACTS, "activity": activities[number % len(activities)]})
        for name in names:
            book = rule_book(pack, name, on)
            assert book is not None
            evaluate(book, facts, judgments, settings, on)
    return (time.process_time() - begin) * 1000 / requests
