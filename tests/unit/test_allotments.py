"""How an allotment grows with its measure: full steps, swaps of what was added, and the reading that does not mix them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from caseflow.domain.measures import combinations
from caseflow.domain.pack import Allotment
from tests.unit.pack_texts import Slip, faults_of, marked, slipped

ALLOTMENT = Allotment.model_validate(
    {
        "title": "Boats",
        "of": "frontage",
        "counts": ["large", "small"],
        "base": [[1, 1], [0, 2]],
        "adds": {"each": 50, "beyond": 100, "gives": [0, 1]},
        "swaps": {"each": 100, "beyond": 100, "gives": [1, 0], "takes": [0, 2]},
    }
)


@pytest.mark.parametrize(
    ("measure", "mixed", "unmixed"),
    [
        ("0", [], []),
        ("0.01", [[1, 1], [0, 2]], [[1, 1], [0, 2]]),
        ("199.99", [[1, 2], [0, 3]], [[1, 2], [0, 3]]),
        ("250", [[1, 4], [0, 5], [2, 2], [1, 3]], [[1, 4], [0, 5], [2, 1], [1, 2]]),
        ("300", [[1, 5], [0, 6], [2, 3], [1, 4], [3, 1], [2, 2]], [[1, 5], [0, 6], [3, 1], [2, 2]]),
    ],
)
def test_only_full_steps_count_and_unmixed_keeps_or_swaps_all_that_was_added(measure: str, mixed: list[list[int]], unmixed: list[list[int]]) -> None:
    assert combinations(ALLOTMENT, Decimal(measure)) == mixed
    assert combinations(ALLOTMENT, Decimal(measure), unmixed=True) == unmixed


def test_an_allotment_that_asks_an_unknown_setting_is_told_at_its_place() -> None:
    text = (
        'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\n'
        "allotments:\n  trees:\n    title: Trees\n    of: girth_cm\n    unit: cm\n    counts: [large]\n    base: [[1]]\n    cite: by-law 7\n"
        "    unmixed: {setting: ¶mixing, is: never}\n"
        "parts:\n  size:\n    title: Size\n    rules:\n      T-1: {text: Few enough., cite: by-law 7, test: {allotment: trees}}\n"
    )
    slip = Slip("an allotment that asks an unknown setting", [("rules/trees.yaml", "", text)], "no setting 'mixing'")
    files, place = marked(slipped(slip))

    assert [((fault.file, fault.line, fault.column), fault.text) for fault in faults_of(files)] == [(place, slip.said)]
