"""Words of the pack language that read free text, restate facts and know how a requester is reached."""

from __future__ import annotations

import pytest

from caseflow.domain.conditions import compare
from caseflow.services.trying import sample_acts


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (["s. 227.42"], True),
        (["ss. 30.209 (1m) and 227.42 (1)"], True),
        ("227.42", True),
        (["s. 227.421"], False),
        (["s. 1227.42"], False),
        (["s. 227.4"], False),
        (["s. 30.209"], False),
        ([], False),
    ],
)
def test_free_text_names_a_statute_as_a_whole(text: object, named: bool) -> None:
    assert compare("mentions", text, "227.42") is named


def test_a_workflow_s_own_example_acts_go_before_those_of_all() -> None:
    text = {"acts": {"hear": {"a": 1}, "ask": {"b": 2}}, "acts-for": [{"for": ["one"], "acts": {"hear": {"a": 3}}}, {"for": ["two"], "acts": {"ask": {}}}]}

    assert sample_acts(text, "one") == {"hear": {"a": 3}, "ask": {"b": 2}}
    assert sample_acts(text, "two") == {"hear": {"a": 1}, "ask": {}}
