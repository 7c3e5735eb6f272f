"""A pack loads whole or not at all: every fault at once, in the order of what follows from what; its version is its content."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from caseflow.adapters.packs.content import content_hash
from caseflow.adapters.packs.loader import load, load_pack
from caseflow.adapters.packs.nodes import read_map
from caseflow.errors import PackFaults
from tests.unit.pack_texts import FACTS, FLOW, LETTERS, PACK, faults_of, sound, spoiled


def test_a_sound_pack_has_no_fault() -> None:
    assert faults_of(sound()) == []


def test_all_faults_of_the_first_order_are_told_at_once_and_by_line() -> None:
    files = spoiled(FLOW, "starts: file", "starts: fil", spoiled(FLOW, "letters: receipt", "letters: reciept", spoiled(PACK, "also: [staff]", "also: [stuff]")))

    assert [str(fault) for fault in faults_of(files)] == [
        "pack.yaml:8:23: no role 'stuff'; did you mean 'staff'?",
        "tree-permit.yaml:23:13: no action 'fil'; did you mean 'file'?",
        "tree-permit.yaml:35:14: no letter 'reciept'; did you mean 'receipt'?",
    ]


def test_what_only_follows_from_a_slip_is_not_told_with_it() -> None:
    # The letter would be owed, the clock would start and the condition would be asked, were the names right.
    files = spoiled(FLOW, "needs: [thick-enough]", "needs: [thick-enouh]", spoiled(FLOW, "letters: receipt", "letters: reciept"))

    assert len(faults_of(files)) == 2


def test_faults_of_several_files_that_can_not_be_read_are_told_together() -> None:
    files = {**sound(), FACTS: "facts: {a: &x 1}\n", LETTERS: "letters: [\n"}

    assert {fault.file for fault in faults_of(files)} == {FACTS, LETTERS}


@pytest.mark.parametrize("file", [PACK, "calendar.yaml", FACTS, LETTERS])
def test_a_pack_without_one_of_its_files_says_which(file: str) -> None:
    files = {path: text for path, text in sound().items() if path != file}

    assert str(faults_of(files)[0]) == f"{file}: the pack has no {file}; write one that begins with '{file.removesuffix('.yaml')}:'"


def test_a_pack_without_a_workflow_says_so() -> None:
    files = {path: text for path, text in sound().items() if path != FLOW}

    assert [str(fault) for fault in faults_of(files)] == ["pack.yaml: the pack has no workflow; write a file that begins with 'workflow:'"]


def test_a_template_without_a_letter_is_told() -> None:
    files = {**sound(), "templates/more.md": "x", "templates/_part.md": "x", "templates/shared/closing.md": "x"}

    assert [str(fault) for fault in faults_of(files)] == ["templates/more.md: no letter 'more' in letters.yaml; declare it or take the template away"]


def test_rules_and_templates_make_the_version_and_samples_and_scenarios_do_not() -> None:
    files = sound()
    version = content_hash(files)

    assert load_pack(files).hash == version
    for path in ("samples/x.yaml", "scenarios/x.yaml"):
        assert content_hash({**files, path: "x"}) == version
    for path in (FLOW, "templates/receipt.md", "rules/x.yaml"):
        assert content_hash({**files, path: files.get(path, "") + " "}) != version


def test_two_texts_that_share_their_letters_are_not_one_version() -> None:
    assert content_hash({"a": "bc"}) != content_hash({"ab": "c"}) != content_hash({"a": "b", "c": ""})


def test_the_order_in_which_files_are_given_makes_no_difference() -> None:
    files = sound()

    assert load_pack(dict(reversed(files.items()))) == load_pack(files)


def test_facts_that_filing_and_payment_state_need_no_declaration() -> None:
    flow = spoiled(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: [{fact: girth_cm, at-least: 40, unit: cm}, {fact: in_form, is: true}]")
    money = spoiled(FLOW, "takes: [reason],", "takes: [reason, amount, method], may-take: [paid_on, reference], money: received,", flow)

    assert faults_of(money) == []


def test_a_timer_that_waits_in_a_state_may_run_out_there() -> None:
    files = spoiled(FLOW, "    holds: [{from: ask, until: hear, cite: Oakville by-law 7}]\n", "    waits-in: [waiting]\n")

    assert faults_of(files) == []


def test_a_clock_that_starts_on_what_an_outcome_asks_runs_only_where_that_outcome_leads() -> None:
    # The clock runs out in `open` alone; were both ways walked for `file`, it would run out in `waiting` too.
    outcomes = "    outcomes: [{when: thick-enough, to: open}, {otherwise: true, to: waiting}]\n"
    hear = "  hear: {title: Hear the owner, from: waiting, to: closed, disposition: granted, cite: Oakville by-law 7}\n"
    files = spoiled(FLOW, "    needs: [thick-enough]\n    to: open\n", outcomes)
    files = spoiled(FLOW, "  hear: {title: Hear the owner, from: waiting, to: open, cite: Oakville by-law 7}\n", hear, files)
    files = spoiled(FLOW, "    holds: [{from: ask, until: hear, cite: Oakville by-law 7}]\n    met: decide\n", "    met: [decide, ask]\n", files)

    assert faults_of(spoiled(FLOW, "starts: file", "starts: {after: file, when: thick-enough}", files)) == []
    assert [fault.text.split(", ")[0] for fault in faults_of(files)] == [
        "clock 'answer' still runs in 'closed' after 'hear'; put 'hear' under 'met' or 'stopped'",
        "clock 'answer' can run out in waiting (after 'file')",
    ]


def test_a_fact_that_only_a_rule_asks_is_used() -> None:
    rules = "ruleset: r\nversion: a\nin-force: {}\nparts: {p: {title: P, rules: {R-1: {text: T, cite: x, test: [{fact: height_m, at-most: 9, unit: m}, {day: {fact: seen_on}, after: filing}]}}}}\n"
    files = spoiled(FACTS, "facts:\n", "facts:\n  height_m: {type: number, unit: m}\n  seen_on: {type: day}\n")

    assert len(faults_of(files)) == 2
    assert faults_of({**files, "rules/r.yaml": rules}) == []


def test_a_hold_that_ends_under_both_readings_is_sound() -> None:
    setting = "settings: {strict: {question: Q, when-true: a, when-false: b, default: true, cite: x, why: w}}\nagency:"
    ends = "until: [{after: hear, when: {setting: strict, is: true}}, {after: hear, when: {setting: strict, is: false}}],"

    assert faults_of(spoiled(FLOW, "until: hear,", ends, spoiled(PACK, "agency:", setting))) == []


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a plain value but its top."""
    for step, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, step)
        yield from places(inner, (*path, step))


def planted(value: Any, path: tuple[Any, ...], what: Any) -> str:
    """The value as YAML with something else at a place."""
    copied = json.loads(json.dumps(value))
    parent = copied
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = what
    return json.dumps(copied)


@pytest.mark.parametrize("file", [FLOW, PACK, "calendar.yaml", FACTS, LETTERS])
@pytest.mark.parametrize("what", [None, 7, "x", [[]], {"setting": {"a": 1}}, {"fact": "girth_cm", "in": [{}], "unit": "cm"}], ids=repr)
def test_whatever_stands_at_whatever_place_is_answered_with_faults_and_never_with_a_traceback(file: str, what: Any) -> None:
    files = sound()
    value = read_map(files[file], file).plain()

    answers = [faults_of({**files, file: planted(value, path, what)}) for path in places(value)]

    assert sum(bool(faults) for faults in answers) > len(answers) / 4


def test_an_odd_name_to_take_away_is_a_fault() -> None:
    child = "workflow: hedge-permit\nextends: tree-permit\nwithout: {actions: [{a: 1}]}\n"

    assert [str(fault) for fault in faults_of({**sound(), "hedge.yaml": child})] == ["hedge.yaml:3:21: the base has no actions '{'a': 1}' to take away"]


def test_a_setting_that_only_a_comparison_takes_as_its_value_is_used() -> None:
    setting = "settings: {girth: {question: Q, number: 40, default: 40, cite: x, why: w}}\nagency:"

    assert faults_of(spoiled(FLOW, "at-least: 40", "at-least: {setting: girth}", spoiled(PACK, "agency:", setting))) == []


def test_a_fault_in_a_pack_is_one_error_with_every_line() -> None:
    with pytest.raises(PackFaults) as found:
        load(spoiled(FLOW, "times: 1", "times: once"))

    assert str(found.value) == "tree-permit.yaml:18:59: 'times': write a whole number, not 'once'"
