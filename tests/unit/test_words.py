"""Words of the pack language: free text that names a statute, lists of records, and the example acts of a workflow."""

from __future__ import annotations

import re

import pytest

from caseflow.domain.conditions import compare
from caseflow.domain.facts import Misfit, fit
from caseflow.domain.pack import Fact
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


CONDITIONS = Fact(type="list", columns={"kind": ("timeline", "design"), "text": "text"})


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([{"kind": "colour", "text": "Green"}], "'conditions.kind' can't be 'colour'; write one of timeline, design"),
        ([{"kind": "design"}], "each of 'conditions' has kind and text; one of them has no text"),
        ([{"kind": "design", "text": "", "note": "x"}], "'conditions' has no part 'note'; its parts: kind, text"),
        (["Green"], "'conditions' must have named parts, such as {kind, text: ...}, not 'Green'"),
    ],
)
def test_each_record_of_a_list_has_its_parts_and_their_values(value: object, said: str) -> None:
    with pytest.raises(Misfit, match=re.escape(said)):
        fit("conditions", CONDITIONS, value)


def test_a_list_of_whole_records_is_kept() -> None:
    assert fit("conditions", CONDITIONS, {"kind": "design", "text": " Slope 2 to 1 "}) == [{"kind": "design", "text": "Slope 2 to 1"}]
