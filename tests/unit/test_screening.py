"""Screening on the small pack: three answers, the nearest miss in words, what to state, and lines by the thousand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caseflow.adapters.packs.loader import load_pack
from caseflow.domain import pack as p
from caseflow.domain.conditions import Leaf
from caseflow.domain.screening import FITS, FITS_IF, NOT, Track, best, closest, gap, phrase, screen
from caseflow.errors import BadInput, NotFound
from caseflow.services.screening import screen_lines, screened
from tests.unit.pack_texts import FLOW, sound, spoiled
from tests.unit.test_rules import FELL, JUDGED

OLD = date(2026, 12, 31)


@cache
def pack(setting: str = "advise") -> p.Pack:
    text = "law: Oakville by-law 7\nscreens: [felling]"
    files = spoiled(FLOW, "law: Oakville by-law 7", text)
    if setting != "none":
        asked = f"settings: {{old_text: {{question: Q, readings: {{advise: A, refuse: R}}, default: {setting}, cite: x, why: w}}}}\nagency:"
        files = spoiled("pack.yaml", "agency:", asked, files)
        files = spoiled("rules/felling.yaml", "cite: Oakville by-law 12}\nlists", "cite: Oakville by-law 12, setting: old_text}\nlists", files)
    return load_pack(files)


def track(facts: Mapping[str, Any], judgments: Mapping[str, Any] = JUDGED, day: date = OLD, setting: str = "advise") -> Track:
    from caseflow.domain.rulebook import settings_of

    [made] = screen(pack(setting), {key: value for key, value in facts.items() if value is not None}, judgments, settings_of(pack(setting), {}), day)
    return made


def test_a_track_fits_where_every_standard_passes() -> None:
    made = track(FELL)

    assert (made.result, made.nearest_miss, made.missing) == (FITS, None, ())


def test_a_track_fits_if_where_only_judgments_are_open_and_lists_them() -> None:
    made = track(FELL, {})

    assert made.result == FITS_IF
    assert [one.rule for one in made.judgments] == ["F-3", "F-8"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"girth_cm": 39, "sick": False}, "Girth of the tree 39 cm; at least 40 cm needed, Oakville by-law 7 (6) a."),
        ({"felled": 3}, "3 felled and 1 pruned asked; 1 felled and 1 pruned or 0 felled and 2 pruned allowed"),
        ({"felling_from": "2026-11-20"}, None),
        ({"tall_m": 150}, "150"),
        ({"street": "High Street"}, "none of Long Avenue, Elm Row, High Street allowed, Oakville by-law 7 (2)."),
        ({"tools": ["saw", "chainsaw"]}, "saw, chainsaw; only saw, shears allowed, Oakville by-law 7 (5)."),
    ],
)
def test_a_failing_standard_says_what_was_found_and_what_is_allowed(change: dict[str, Any], words: str | None) -> None:
    if words is None:
        change["felling_to"] = "2026-12-01"
        words = "Work from Friday, November 20, 2026 to Tuesday, December 1, 2026; not allowed from November 15 to February 10"
    made = track({**FELL, **change})

    assert made.result == NOT
    assert words in (made.nearest_miss or ""), made.nearest_miss


def test_the_nearest_miss_is_the_measure_closest_to_its_limit() -> None:
    made = track({**FELL, "girth_cm": 20, "tall_m": 121, "tools": ["chainsaw"]})

    assert len(made.misses) >= 3
    assert "121" in (made.nearest_miss or "")  # 1 over 120 is nearer than 20 under 40


def test_what_is_not_stated_never_fits_and_is_named_with_the_rules_that_wait() -> None:
    made = track({**FELL, "girth_cm": None, "tall_m": None})

    assert made.result == NOT
    assert not made.fails_for_sure
    assert {one.fact: one.rules for one in made.missing} == {"girth_cm": ("F-1",), "tall_m": ("F-2",)}
    assert closest([made]) is made
    assert best([made]) is None


def test_a_failure_is_told_though_other_facts_are_missing() -> None:
    made = track({**FELL, "tall_m": 150, "girth_cm": None})

    assert made.fails_for_sure
    assert [one.fact for one in made.missing] == ["girth_cm"]


def test_an_activity_that_the_set_does_not_cover_does_not_fit() -> None:
    made = track({**FELL, "work": "dig"})

    assert made.result == NOT
    assert "Oakville by-law 7" in (made.nearest_miss or "")


def test_no_facts_at_all_fit_nothing() -> None:
    assert track({}, {}).result == NOT


def test_a_text_that_may_not_be_used_refuses_its_track_with_the_words_of_the_pack() -> None:
    files = spoiled("rules/felling-2027.yaml", "ruleset: felling", "ruleset: felling-new", {**sound()})
    files = spoiled(FLOW, "law: Oakville by-law 7", "law: Oakville by-law 7\nscreens: [felling]", files)
    asked = "settings: {old_text: {question: Q, readings: {advise: A, refuse: R}, default: refuse, cite: x, why: w}}\nagency:"
    files = spoiled("pack.yaml", "agency:", asked, files)
    files = spoiled("rules/felling.yaml", "cite: Oakville by-law 12}\nlists", "cite: Oakville by-law 12, setting: old_text}\nlists", files)
    [made] = screen(load_pack(files), FELL, JUDGED, {"old_text": "refuse"}, date(2027, 1, 1))
    [advised] = screen(load_pack(files), FELL, JUDGED, {"old_text": "advise"}, date(2027, 1, 1))

    assert (made.result, made.nearest_miss) == (NOT, "The by-law of 2027 replaced this text.")
    assert advised.result == FITS
    assert [note.id for note in advised.evaluations[0].notes] == ["replaced"]


# --- words --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leaf", "fact", "words"),
    [
        (Leaf("piles", "at-most", 5, "count", 6, "fail"), p.Fact(type="number", unit="count", title="Piles"), "6 piles; 5 allowed"),
        (Leaf("piles", "at-least", 1, "count", 0, "fail"), p.Fact(type="number", unit="count", title="Piles"), "0 piles; at least 1 needed"),
        (Leaf("depth_ft", "less-than", 2, "ft", "2.5", "fail"), p.Fact(type="number", unit="ft", title="Depth"), "Depth 2.5 ft; less than 2 ft allowed"),
        (Leaf("area_sq_ft", "more-than", 9, "sq_ft", 9, "fail"), None, "Area sq ft 9 sq ft; more than 9 sq ft needed"),
        (Leaf("mooring", "is", False, None, True, "fail"), p.Fact(type="yes-no", title="Used for mooring"), "Used for mooring: yes; must be no"),
        (Leaf("water_type", "in", ["lake", "pond"], None, "stream", "fail"), None, "Water type: stream; one of lake, pond allowed"),
        (Leaf("x", "is", 3, None, None, "unknown"), None, None),
    ],
)
def test_words_say_what_was_found_beside_what_is_allowed(leaf: Leaf, fact: p.Fact | None, words: str | None) -> None:
    assert phrase(leaf, fact) == words


def test_a_gap_is_a_share_of_the_limit_and_endless_where_nothing_is_measured() -> None:
    assert gap(Leaf("piles", "at-most", 5, "count", 6, "fail")) == Decimal("0.2")
    assert gap(Leaf("piles", "at-most", 0, "count", 2, "fail")) == 2
    assert gap(Leaf("mooring", "is", False, None, True, "fail")) == Decimal("Infinity")


# --- properties ---------------------------------------------------------------------------------------------------

VALUES: dict[str, list[Any]] = {
    "work": ["fell", "prune", "dig"],
    "felling_from": ["2026-02-10", "2026-02-11", "2026-03-01"],
    "felling_to": ["2026-03-05", "2026-11-14", "2026-11-15"],
    "street": ["Low Road", "High Street", "Long Avenue"],
    "lot_m": [0, 120, 200],
    "felled": [0, 1, 2],
    "pruned": [0, 1, 3],
    "tools": [["saw"], ["chainsaw"], []],
    "girth_cm": [39, 40, 201],
    "tall_m": [20, 31, 400],
    "sick": [True, False],
}
FACTS = st.fixed_dictionaries({name: st.sampled_from([None, *values]) for name, values in VALUES.items()})
JUDGMENTS = st.dictionaries(st.sampled_from(["F-1b", "F-3", "F-8", "P-1"]), st.sampled_from([{"outcome": "pass"}, {"outcome": "fail"}]), max_size=4)


@given(FACTS, JUDGMENTS)
def test_no_track_fits_where_a_counted_standard_fails_or_is_not_known(facts: dict[str, Any], judgments: dict[str, Any]) -> None:
    made = track(facts, judgments)
    counted = [one for evaluation in made.evaluations for one in evaluation.findings if one.counted]

    if made.result == FITS:
        assert not any(one.failed or one.open for one in counted)
        assert all(evaluation.result == "pass" for evaluation in made.evaluations)
    if made.result == FITS_IF:
        assert not any(one.failed or one.outcome == "unknown" for one in counted)
        assert made.judgments
    if made.result == NOT:
        assert made.fails_for_sure or made.missing
        assert made.nearest_miss or made.missing


# --- lines --------------------------------------------------------------------------------------------------------


def answers(*lines: Any) -> list[dict[str, Any]]:
    given = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return [json.loads(answer) for answer in screen_lines([pack()], given, OLD)]


def test_a_line_is_facts_or_names_an_id_and_a_day() -> None:
    bare, named = answers({**FELL, "judgments": JUDGED}, {"id": 7, "on": "2027-01-01", "facts": {"girth_cm": 59, "work": "fell"}})

    assert (bare["best"], bare["tracks"][0]["result"]) == ("tree-permit", "fits")
    assert (named["id"], named["best"]) == (7, None)
    assert named["tracks"][0]["nearest_miss"] == "Girth of the tree 59 cm; at least 60 cm needed, Oakville by-law 12 (2)."


def test_a_bad_line_gets_an_error_and_the_rest_go_on() -> None:
    made = answers(b"{", b"[]", {"girht_cm": 3}, {"girth_cm": "wide"}, {"facts": {}, "on": "soon"}, {"facts": {}, "at": 1}, b"x" * 300_000, FELL)

    assert [next(iter(one)) for one in made] == ["error"] * 7 + ["best"]
    assert "not JSON" in made[0]["error"]
    assert "did you mean 'girth_cm'?" in made[2]["error"]
    assert "must be a number in cm" in made[3]["error"]
    assert "'on' 'soon' is not a day" in made[4]["error"]
    assert "there is no 'at'" in made[5]["error"]
    assert "300,000 bytes" in made[6]["error"]


def test_lines_are_read_one_by_one_and_none_is_kept() -> None:
    read = 0

    def lines() -> Any:
        nonlocal read
        for _ in range(1000):
            read += 1
            yield b'{"work": "fell"}'

    told: list[int] = []
    out = screen_lines([pack()], lines(), OLD, lambda done, _total, _what: told.append(done))

    next(out)
    next(out)
    assert (read, told) == (2, [1])  # the second is told when the third is asked for
    assert sum(1 for _ in out) == 998
    assert told[-1] == 1000


# --- bad input ----------------------------------------------------------------------------------------------------


def test_a_fact_that_does_not_fit_is_told_with_a_suggestion() -> None:
    with pytest.raises(BadInput, match="did you mean 'girth_cm'"):
        screened([pack()], {"girht_cm": 3}, OLD)
    with pytest.raises(BadInput, match="is in cm, not in in"):
        screened([pack()], {"girth_cm": "3 in"}, OLD)


def test_a_pack_that_screens_nothing_says_so() -> None:
    with pytest.raises(NotFound, match="screens rule sets"):
        screened([load_pack(sound())], {}, OLD)
