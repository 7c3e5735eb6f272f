"""What a rule set finds: every comparison at its edge, the tables of three values, judgments, triggers, the whole and its version."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caseflow.adapters.packs.loader import load_pack
from caseflow.domain import pack as p
from caseflow.domain.rules import Asking, Evaluation, FactsView, RuleBook, evaluate, rule_book
from caseflow.errors import Refused
from tests.unit.pack_texts import sound, spoiled

OLD, NEW = date(2026, 12, 31), date(2027, 1, 1)
FELL: Mapping[str, Any] = {
    "work": "fell",
    "felling_from": "2026-03-01",
    "felling_to": "2026-03-05",
    "street": "Low Road",
    "lot_m": 120,
    "felled": 1,
    "pruned": 1,
    "tools": ["saw"],
    "girth_cm": 40,
    "tall_m": 20,
    "sick": False,
}
JUDGED: Mapping[str, Any] = {"F-3": {"outcome": "pass", "who": "ann", "when": "2026-02-01", "why": "seen"}, "F-8": {"outcome": "pass"}}


@cache
def pack() -> p.Pack:
    return load_pack(sound())


@cache
def book(day: date = OLD, name: str = "felling") -> RuleBook:
    found = rule_book(pack(), name, day)
    assert found is not None
    return found


def found(facts: Mapping[str, Any], judgments: Mapping[str, Any] = JUDGED, day: date = OLD) -> Evaluation:
    return evaluate(book(day), facts, judgments, {}, day)


def outcome(rule: str, /, judgments: Mapping[str, Any] = JUDGED, **facts: Any) -> str:
    """The outcome of one rule; None as a fact takes it away."""
    made = found({name: value for name, value in {**FELL, **facts}.items() if value is not None}, judgments).finding(rule)
    assert made is not None
    return made.outcome


# --- comparisons --------------------------------------------------------------------------------------------------


def test_the_facts_of_these_tests_meet_every_rule() -> None:
    made = found(FELL)

    assert made.result == "pass"
    assert {one.rule: one.outcome for one in made.findings if one.outcome not in ("pass", "not-applicable")} == {
        "F-4": "judgment",
        "F-1b": "fail",
        "F-6": "computed",
        "F-6a": "fail",
        "F-6b": "fail",
        "F-7": "computed",
    }


@pytest.mark.parametrize(("girth", "said"), [("39.9", "fail"), (40, "pass"), ("40.0", "pass"), ("40.1", "pass"), (None, "unknown")])
def test_a_number_is_compared_exactly(girth: Any, said: str) -> None:
    assert outcome("F-1a", girth_cm=girth) == said


@pytest.mark.parametrize(("tall", "said"), [(119, "pass"), (120, "pass"), ("120.01", "fail"), (None, "unknown")])
def test_a_fact_is_compared_with_another(tall: Any, said: str) -> None:
    assert outcome("F-2", tall_m=tall) == said


def test_a_comparison_with_a_fact_that_is_missing_is_unknown() -> None:
    assert outcome("F-2", lot_m=None) == "unknown"


@pytest.mark.parametrize(
    ("street", "ward", "said"),
    [
        ("Low Road", None, "pass"),
        ("Long Avenue", None, "fail"),
        ("long  AVENUE", None, "fail"),
        ("Long Avenue", "north", "fail"),
        ("Long Avenue", "West", "fail"),
        ("Long Avenue", "south", "pass"),
        ("Elm Row", "south", "fail"),
        ("High Street", "south", "fail"),
        (None, "south", "unknown"),
    ],
)
def test_a_name_is_on_a_list_in_any_letters_where_its_column_has_the_fact_or_nothing(street: str | None, ward: str | None, said: str) -> None:
    assert outcome("A-2", street=street, ward=ward) == said


@pytest.mark.parametrize(("tools", "said"), [(["saw"], "pass"), (["saw", "shears"], "pass"), (["saw", "chainsaw"], "fail"), ([], "pass"), (None, "unknown")])
def test_every_item_of_a_list_is_one_of_these(tools: Any, said: str) -> None:
    assert outcome("A-4", tools=tools) == said


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("2026-11-14", "2026-11-14", "pass"),
        ("2026-11-15", "2026-11-15", "fail"),
        ("2026-11-01", "2026-11-15", "fail"),
        ("2026-11-16", "2026-11-17", "fail"),
        ("2026-12-31", "2027-01-01", "fail"),
        ("2027-02-09", "2027-02-09", "fail"),
        ("2027-02-10", "2027-02-10", "fail"),
        ("2027-02-11", "2027-11-14", "pass"),
        ("2027-02-10", "2027-02-20", "fail"),
        ("2027-02-11", "2029-02-11", "fail"),
        ("2027-02-11", None, "unknown"),
        ("2027-02-10", None, "fail"),
        (None, "2026-11-15", "fail"),
        (None, None, "unknown"),
        ("2027-06-02", "2027-06-01", "unknown"),
    ],
)
def test_a_season_blocks_both_its_end_days_over_the_new_year(first: str | None, last: str | None, said: str) -> None:
    assert outcome("A-1", felling_from=first, felling_to=last) == said


@pytest.mark.parametrize(
    ("first", "last", "before", "after"),
    [
        ("2026-12-24", "2026-12-24", "2026-11-14", "2027-02-11"),
        ("2027-01-02", "2027-01-03", "2026-11-14", "2027-02-11"),
        ("2026-10-01", "2028-01-01", "2026-11-14", "2028-02-11"),
    ],
)
def test_a_blocked_period_is_told_the_free_days_beside_the_season(first: str, last: str, before: str, after: str) -> None:
    made = found({**FELL, "felling_from": first, "felling_to": last}).finding("A-1")

    assert made is not None
    assert made.leaves[0].allowed == {"before": before, "after": after}


@pytest.mark.parametrize(
    ("lot", "rows"),
    [
        (0, []),
        ("0.5", [[1, 1], [0, 2]]),
        ("149.99", [[1, 1], [0, 2]]),
        (150, [[1, 2], [0, 3]]),
        (199, [[1, 2], [0, 3]]),
        (200, [[1, 3], [0, 4], [2, 1], [1, 2]]),
        (300, [[1, 5], [0, 6], [2, 3], [1, 4], [3, 1], [2, 2]]),
    ],
)
def test_an_allotment_grows_by_whole_steps_and_is_computed_where_nothing_is_asked(lot: Any, rows: list[list[int]]) -> None:
    made = found({**FELL, "lot_m": lot, "felled": None, "pruned": None})
    finding = made.finding("A-3")

    assert finding is not None
    assert (finding.outcome, finding.value) == ("computed", rows)
    assert made.result in ("undetermined", "fail")


@pytest.mark.parametrize(
    ("felled", "pruned", "said"),
    [(1, 3, "pass"), (1, 4, "fail"), (2, 1, "pass"), (2, 2, "fail"), (0, 4, "pass"), (3, None, "fail"), (None, 5, "fail"), (2, None, "computed")],
)
def test_what_is_asked_must_lie_within_one_combination(felled: int | None, pruned: int | None, said: str) -> None:
    assert outcome("A-3", lot_m=200, felled=felled, pruned=pruned) == said


def test_an_allotment_of_an_unknown_measure_is_unknown() -> None:
    assert outcome("A-3", lot_m=None) == "unknown"


def test_a_measure_too_large_to_be_true_computes_nothing() -> None:
    made = found({**FELL, "lot_m": 10**14, "felled": None, "pruned": None}).finding("A-3")

    assert made is not None
    assert (made.outcome, made.value, made.leaves[0].got) == ("unknown", None, 10**14)


@pytest.mark.parametrize(("first", "last"), [("0001-01-01", "0001-01-02"), ("9999-12-30", "9999-12-31"), ("0001-01-01", "9999-12-31")])
def test_the_first_and_the_last_day_of_the_calendar_break_nothing(first: str, last: str) -> None:
    assert outcome("A-1", felling_from=first, felling_to=last) in ("pass", "fail")


def test_no_lot_allows_nothing_but_nothing() -> None:
    assert outcome("A-3", lot_m=0, felled=0, pruned=0) == "pass"
    assert outcome("A-3", lot_m=0, felled=1, pruned=0) == "fail"


# --- three values -------------------------------------------------------------------------------------------------


def leaf(fact: str) -> p.FactTest:
    return p.FactTest(fact=fact, op="is", value=True)


# `a` and `b` are statements; `j` and `k` are of judgment. A fact that is not there is open.
VALUES: Mapping[str, tuple[str, bool | None]] = {"pass": ("a", True), "fail": ("b", False), "unknown": ("c", None), "judgment": ("j", None)}


def weighed(test: Any, facts: Mapping[str, Any], settles: bool | None = None) -> str:
    view = FactsView(book(), {name: value for name, value in facts.items() if value is not None}, {}, OLD)
    return Asking(view, {}, frozenset("jk")).weigh(test, settles, [])[0]


TABLE = {
    ("pass", "pass"): ("pass", "pass", "fail"),
    ("pass", "fail"): ("fail", "pass", "fail"),
    ("pass", "unknown"): ("unknown", "pass", "fail"),
    ("pass", "judgment"): ("judgment", "pass", "fail"),
    ("fail", "fail"): ("fail", "fail", "pass"),
    ("fail", "unknown"): ("fail", "unknown", "unknown"),
    ("fail", "judgment"): ("fail", "judgment", "judgment"),
    ("unknown", "unknown"): ("unknown", "unknown", "unknown"),
    ("unknown", "judgment"): ("unknown", "unknown", "unknown"),
    ("judgment", "judgment"): ("judgment", "judgment", "judgment"),
}


@pytest.mark.parametrize("pair", TABLE, ids="-".join)
def test_all_any_and_none_over_what_passes_fails_is_unknown_or_of_judgment(pair: tuple[str, str]) -> None:
    facts = dict(VALUES[one] for one in pair)
    for ordered in (pair, pair[::-1]):
        tests = tuple(leaf(VALUES[one][0]) for one in ordered)
        made = (weighed(p.AllOf(all=tests), facts), weighed(p.AnyOf(any=tests), facts), weighed(p.NoneOf(none=tests), facts))

        assert made == TABLE[pair]


NAMES = ("a", "b", "c", "j", "k")
TESTS = st.recursive(
    st.sampled_from(NAMES).map(leaf),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(lambda made: p.AllOf(all=tuple(made)))
        | st.lists(inner, min_size=1, max_size=3).map(lambda made: p.AnyOf(any=tuple(made)))
        | st.lists(inner, min_size=1, max_size=3).map(lambda made: p.NoneOf(none=tuple(made)))
    ),
    max_leaves=8,
)
FACTS = st.dictionaries(st.sampled_from(NAMES), st.booleans())


@given(TESTS, FACTS, st.dictionaries(st.sampled_from(NAMES), st.booleans()))
def test_what_is_decided_stays_decided_whatever_is_learned_later(test: Any, facts: dict[str, bool], later: dict[str, bool]) -> None:
    before = weighed(test, facts)
    after = weighed(test, {**later, **facts})

    assert before not in ("pass", "fail") or after == before


@given(TESTS, FACTS, st.booleans())
def test_a_judgment_gives_its_outcome_to_what_is_open_to_judgment_and_changes_nothing_computed(test: Any, facts: dict[str, bool], said: bool) -> None:
    before = weighed(test, facts)
    after = weighed(test, facts, said)

    if before == "judgment":
        assert after == ("pass" if said else "fail")
    elif before in ("pass", "fail"):
        assert after == before
    elif said:
        assert after != "fail"


# --- judgments ----------------------------------------------------------------------------------------------------


def test_a_rule_that_only_a_person_can_judge_is_open_until_judged() -> None:
    assert outcome("F-3", {}) == "judgment"
    assert outcome("F-3", {"F-3": {"outcome": "fail"}}) == "fail"


def test_a_judgment_settles_the_open_step_and_through_it_the_rule() -> None:
    assert outcome("F-1", JUDGED, girth_cm=30, sick=None) == "judgment"
    assert outcome("F-1", {"F-1b": {"outcome": "pass"}}, girth_cm=30, sick=None) == "pass"
    assert outcome("F-1", {"F-1": {"outcome": "fail"}}, girth_cm=30, sick=None) == "fail"
    assert outcome("F-1", {"F-1": {"outcome": "fail"}, "F-1b": {"outcome": "pass"}}, girth_cm=30, sick=None) == "pass"


def test_a_judgment_never_overrules_what_is_computed_and_is_told_to_be_idle() -> None:
    made = found({**FELL, "tall_m": 500}, {**JUDGED, "F-2": {"outcome": "pass", "who": "ann"}}).finding("F-2")

    assert made is not None
    assert (made.outcome, made.idle) == ("fail", True)
    settled = found(FELL).finding("F-3")
    assert settled is not None and not settled.idle


def test_a_judgment_does_not_stand_for_a_fact_that_is_not_stated() -> None:
    assert outcome("F-2", {"F-2": {"outcome": "pass"}}, tall_m=None) == "unknown"


def test_under_none_a_judgment_that_a_rule_is_kept_says_that_the_fact_is_not_so() -> None:
    facts = {**FELL, "work": "prune", "sick": None}

    assert found(facts, {}).finding("P-1").outcome == "judgment"  # type: ignore[union-attr]
    assert found(facts, {"P-1": {"outcome": "pass"}}).finding("P-1").outcome == "pass"  # type: ignore[union-attr]
    assert found(facts, {"P-1": {"outcome": "fail"}}).finding("P-1").outcome == "fail"  # type: ignore[union-attr]


def test_a_rule_whose_text_was_not_found_counts_as_judgment() -> None:
    assert outcome("F-8", {}) == "judgment"


# --- triggers and the whole ---------------------------------------------------------------------------------------


def value(rule: str, judgments: Mapping[str, Any] = JUDGED, day: date = OLD, **facts: Any) -> Any:
    made = found({name: one for name, one in {**FELL, **facts}.items() if one is not None}, judgments, day).finding(rule)
    assert made is not None and made.outcome == "computed"
    return made.value


def test_a_requirement_is_raised_by_the_steps_that_hold_and_unknown_where_one_might() -> None:
    assert value("F-6") == {"raised": False, "then": "An inspection is needed.", "by": []}
    assert value("F-6", girth_cm=201)["by"] == ["F-6a"]
    assert value("F-6", girth_cm=201, tall_m=31)["by"] == ["F-6a", "F-6b"]
    assert value("F-6", girth_cm=None)["raised"] is None
    assert value("F-6", girth_cm=None, tall_m=31) == {"raised": True, "then": "An inspection is needed.", "by": ["F-6b"]}


def test_a_raised_requirement_decides_the_whole_only_where_it_blocks() -> None:
    assert found({**FELL, "girth_cm": 201}).result == "pass"
    late = {"felling_from": "2027-08-01", "felling_to": "2027-08-02", "girth_cm": 60, "work": "fell"}

    assert found({**late, "lot_m": 10}, {}, NEW).result == "pass"
    assert found({**late, "lot_m": "9.9"}, {}, NEW).result == "fail"
    assert found(late, {}, NEW).result == "undetermined"


def test_the_whole_is_asked_last() -> None:
    assert value("F-7")["raised"] is False
    assert value("F-7", tall_m=500)["raised"] is True
    assert value("F-7", tall_m=None)["raised"] is None


def test_one_fail_decides_the_whole_though_others_are_unknown() -> None:
    assert found({"work": "fell", "girth_cm": 3, "sick": False}, {}).result == "fail"


def test_one_unknown_leaves_the_whole_undetermined() -> None:
    for fact in FELL:
        assert found({name: one for name, one in FELL.items() if name != fact}).result in (("pass",) if fact == "sick" else ("undetermined",)), fact


def test_factors_procedure_and_steps_within_a_rule_do_not_count() -> None:
    made = found(FELL)

    assert {one.rule for one in made.findings if not one.counted} == {"F-1a", "F-1b", "F-4", "F-5", "F-6", "F-6a", "F-6b", "F-7"}
    assert found(FELL, {**JUDGED, "F-4": {"outcome": "fail"}}).result == "pass"


def test_a_set_says_that_it_does_not_cover_another_activity() -> None:
    made = found({**FELL, "work": "plant"})

    assert made.result == "fail"
    assert made.findings[0].outcome == "fail"
    assert (made.findings[0].leaves[0].value, made.findings[0].cite) == (["fell", "prune"], "Oakville by-law 7")
    assert found({name: one for name, one in FELL.items() if name != "work"}).result == "undetermined"


def test_a_part_that_does_not_apply_is_not_asked() -> None:
    made = found({**FELL, "work": "prune", "girth_cm": 3})

    assert {one.outcome for one in made.findings if one.rule.startswith("F-")} == {"not-applicable"}
    assert made.result == "pass"


def test_the_comparisons_that_decide_are_marked_and_those_under_none_are_barred() -> None:
    made = found({**FELL, "work": "prune", "tools": ["saw", "chainsaw"], "sick": True})
    steps = made.finding("P-1")

    assert steps is not None
    assert [(one.field, one.decides, one.barred) for one in steps.leaves] == [("tools", True, True), ("sick", True, True)]
    girth = found({**FELL, "girth_cm": 30}).finding("F-1")
    assert girth is not None
    assert [(one.field, one.rule, one.outcome, one.decides) for one in girth.leaves] == [("girth_cm", "F-1a", "fail", True), ("sick", "F-1b", "fail", True)]
    thick = found(FELL).finding("F-1")
    assert thick is not None
    assert [one.decides for one in thick.leaves] == [True, False]


def test_what_keeps_the_whole_from_passing_is_named_with_the_failing_rules_first() -> None:
    made = found({**FELL, "girth_cm": 3, "street": None}, {})

    assert [one.rule for one in made.deciding()] == ["F-1", "A-2", "F-3", "F-8"]


@given(st.dictionaries(st.sampled_from(sorted(FELL)), st.booleans()), st.sets(st.sampled_from(["F-1", "F-1b", "F-3", "F-8", "F-2", "A-3"])))
def test_turning_what_is_open_into_a_pass_never_fails_the_whole(left_out: dict[str, bool], passed: set[str]) -> None:
    facts = {name: one for name, one in FELL.items() if not left_out.get(name, False)}
    before = found(facts, {}).result
    after = found(facts, {name: {"outcome": "pass"} for name in passed}).result
    known = found({**FELL, **facts}, {}).result

    assert before == "fail" or (after != "fail" and known != "fail")


# --- versions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "version", "in_force", "notes"),
    [
        ("2019-12-31", "2020", False, ["not-yet-in-force"]),
        ("2020-01-01", "2020", True, []),
        ("2026-12-31", "2020", True, []),
        ("2027-01-01", "2027", True, []),
    ],
)
def test_the_day_received_picks_the_version(day: str, version: str, in_force: bool, notes: list[str]) -> None:
    made = evaluate(book(date.fromisoformat(day)), FELL, JUDGED, {}, date.fromisoformat(day))

    assert (made.version, made.in_force, [note.id for note in made.notes]) == (version, in_force, notes)


def test_the_same_facts_pass_one_day_and_fail_the_next() -> None:
    facts = {**FELL, "girth_cm": 50}

    assert (found(facts).result, found(facts, JUDGED, NEW).result) == ("pass", "fail")


def test_a_borrowed_rule_has_its_own_citation_and_the_words_and_test_of_the_lender() -> None:
    made = found({**FELL, "felling_from": "2027-06-30", "felling_to": "2027-07-04"}, {}, NEW).finding("A-1")

    assert made is not None
    assert (made.outcome, made.text, made.cite, made.kind) == ("fail", "No work while birds nest.", "Oakville by-law 12 (1)", "condition")
    assert outcome_of({"felling_from": "2027-07-01", "felling_to": "2027-07-04", "work": "fell"}) == "pass"
    assert outcome_of({"felling_from": "2027-06-30", "felling_to": "2027-07-04"}) == "not-applicable"


def outcome_of(facts: Mapping[str, Any]) -> str:
    made = found(facts, {}, NEW).finding("A-1")
    assert made is not None
    return made.outcome


SETTING = (
    "settings:\n  old_law: {question: Is the old text used?, readings: {advise: With a note., refuse: No.}, "
    "default: advise, cite: Oakville by-law 12, why: People ask.}\n"
)


def after_its_end(reading: str) -> Evaluation:
    files = spoiled("pack.yaml", "prefix: OAK", f"prefix: OAK\n{SETTING}")
    files = spoiled("rules/felling.yaml", "cite: Oakville by-law 12}", "cite: Oakville by-law 12, setting: old_law}", files)
    del files["rules/felling-2027.yaml"]
    made = rule_book(load_pack(files), "felling", NEW)
    assert made is not None
    return evaluate(made, FELL, JUDGED, {"old_law": reading}, NEW)


def test_after_its_end_a_set_still_answers_and_says_so() -> None:
    made = after_its_end("advise")

    assert (made.version, made.in_force, made.result) == ("2020", False, "pass")
    assert [(note.id, note.text) for note in made.notes] == [("replaced", "The by-law of 2027 replaced this text.")]


def test_an_agency_may_refuse_a_text_after_its_end() -> None:
    with pytest.raises(Refused) as refusal:
        after_its_end("refuse")

    assert refusal.value.reasons[0].id == "replaced"
    assert refusal.value.reasons[0].cite == "Oakville by-law 12"
    assert "old_law" in str(refusal.value) and "2026-12-31" in str(refusal.value)


# --- rules that name rules ----------------------------------------------------------------------------------------

LEND = """
ruleset: lend
version: a
in-force: {}
parts:
  p:
    title: P
    rules:
      L-1a: {text: Sick., cite: x, within: L-1, mode: judgment, test: {fact: sick, is: true}}
      L-1: {text: Sick and thick., cite: x, test: [L-1a, L-1b]}
      L-1b: {text: Thick., cite: x, within: L-1, applies: {fact: work, is: fell}, test: {fact: girth_cm, at-least: 40, unit: cm}}
      L-2: {text: Neither., cite: x, test: {none: [L-2a, {fact: girth_cm, more-than: 200, unit: cm}]}}
      L-2a: {text: No saw., cite: x, within: L-2, test: {none: {fact: tools, includes: saw}}}
      L-3: {text: Of a sick tree., cite: x, applies: {fact: sick, is: true}, test: {fact: girth_cm, at-least: 40, unit: cm}}
      L-4: {text: As tall as asked., cite: x, test: {fact: tall_m, at-least: {fact: wanted_m}}}
      L-6: {text: Thick or tall., cite: x, test: {any: [L-1b, {fact: tall_m, more-than: 30, unit: m}]}}
      L-5: {text: As many as allowed on this street., cite: x, test: [{fact: street, is: Low Road}, {allotment: cuts, asks: [felled]}]}
allotments: {cuts: {title: Cuts, of: lot_m, unit: m, counts: [felled], base: [[2]], cite: x}}
"""
BORROW = """
ruleset: borrow
version: a
in-force: {}
parts: {p: {title: P, rules: {B-1: {cite: y, same-as: {ruleset: lend, rule: L-1}}, B-2: {text: Not so., cite: y, test: {none: {ruleset: lend, rule: L-1}}}}}}
"""


@cache
def lending() -> p.Pack:
    files = {**sound(), "rules/lend.yaml": LEND.lstrip(), "rules/borrow.yaml": BORROW.lstrip()}
    facts = "facts:\n  wanted_m: {type: number, unit: m, established: judgment, cite: x}\n"
    return load_pack(spoiled("facts.yaml", "facts:\n", facts, files))


def asked(ruleset: str, rule: str, judgments: Mapping[str, Any] | None = None, **facts: Any) -> Any:
    made = rule_book(lending(), ruleset, OLD)
    assert made is not None
    return evaluate(made, facts, judgments or {}, {}, OLD).finding(rule)


def test_a_judgment_of_a_rule_reaches_its_steps_whatever_was_asked_before() -> None:
    facts = {"girth_cm": 50, "work": "fell"}

    assert asked("lend", "L-1", **facts).outcome == "judgment"
    assert asked("lend", "L-1", {"L-1": {"outcome": "pass"}}, **facts).outcome == "pass"
    assert asked("lend", "L-1a", {"L-1": {"outcome": "pass"}}, **facts).outcome == "judgment"
    assert asked("lend", "L-1", {"L-1": {"outcome": "fail"}, "L-1a": {"outcome": "pass"}}, **facts).outcome == "pass"


def test_a_step_that_does_not_apply_stands_in_nobodys_way() -> None:
    assert asked("lend", "L-1", sick=True, girth_cm=3, work="prune").outcome == "pass"
    assert asked("lend", "L-1", sick=True, girth_cm=3, work="fell").outcome == "fail"
    assert asked("lend", "L-1", sick=True, girth_cm=50).outcome == "unknown"
    assert asked("lend", "L-6", tall_m=3, work="prune").outcome == "pass"


def test_a_borrowed_rule_brings_its_steps_and_the_judgments_of_the_lender() -> None:
    facts = {"girth_cm": 50, "work": "fell"}

    assert asked("borrow", "B-1", sick=True, **facts).outcome == "pass"
    assert asked("borrow", "B-2", sick=True, **facts).outcome == "fail"
    assert asked("borrow", "B-1", sick=False, **facts).outcome == "fail"
    assert asked("borrow", "B-1", {"L-1": {"outcome": "pass"}}, **facts).outcome == "pass"
    assert asked("borrow", "B-1", {"L-1a": {"outcome": "fail"}}, **facts).outcome == "fail"
    assert asked("borrow", "B-1", {"B-1": {"outcome": "fail"}, "L-1": {"outcome": "pass"}}, **facts).outcome == "fail"


def test_what_stands_under_none_twice_must_hold() -> None:
    made = asked("lend", "L-2", tools=["axe"], girth_cm=10)

    assert made.outcome == "fail"
    assert [(one.field, one.rule, one.barred, one.decides) for one in made.leaves] == [("tools", "L-2a", False, True), ("girth_cm", None, True, False)]


def test_who_judges_a_rule_has_judged_that_it_applies_and_nothing_computed() -> None:
    said = {"L-3": {"outcome": "pass"}}

    assert asked("lend", "L-3", girth_cm=50).outcome == "judgment"
    assert asked("lend", "L-3", said, girth_cm=50).outcome == "pass"
    assert asked("lend", "L-3", said, girth_cm=3).outcome == "fail"
    assert asked("lend", "L-3", said, girth_cm=3, sick=False).outcome == "not-applicable"


def test_a_comparison_is_of_judgment_only_where_everything_missing_is() -> None:
    assert asked("lend", "L-4", tall_m=3).outcome == "judgment"
    assert asked("lend", "L-4", wanted_m=3).outcome == "unknown"
    assert asked("lend", "L-4").outcome == "unknown"


def test_an_allotment_is_computed_only_where_nothing_else_is_open() -> None:
    assert (asked("lend", "L-5", street="Low Road", lot_m=10).outcome, asked("lend", "L-5", street="Low Road", lot_m=10).value) == ("computed", [[2]])
    assert asked("lend", "L-5", lot_m=10).outcome == "unknown"
    assert asked("lend", "L-5", street="High Street", lot_m=10).outcome == "fail"
    assert asked("lend", "L-5", street="Low Road", lot_m=10, felled=2).outcome == "pass"
