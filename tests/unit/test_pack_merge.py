"""A workflow that extends another: what merges, what is replaced, and where each part was written."""

from __future__ import annotations

import pytest

from caseflow.adapters.packs.loader import Loaded, load
from caseflow.adapters.packs.nodes import read
from caseflow.adapters.packs.shown import shown
from caseflow.errors import NotFound
from tests.unit.pack_texts import faults_of, marked, sound, spoiled

CHILD = "workflow: hedge-permit\nextends: tree-permit\ntitle: Permit to cut a hedge\n"
BASE = "tree-permit.yaml"


def loaded(child: str) -> Loaded:
    return load({**sound(), "hedge.yaml": CHILD + child})


def only(child: str) -> str:
    """The text of the one fault, which stands at the mark."""
    files, place = marked({**sound(), "hedge.yaml": CHILD + child})
    [fault] = faults_of(files)
    assert (fault.file, fault.line, fault.column) == place
    return fault.text


def test_a_child_without_a_word_of_its_own_is_its_base_under_another_name() -> None:
    made = loaded("").pack
    base, child = made.workflow("tree-permit"), made.workflow("hedge-permit")

    assert base is not None
    assert child is not None
    assert (child.states, child.actions, child.clocks, child.in_force) == (base.states, base.actions, base.clocks, base.in_force)


def test_a_named_thing_merges_key_by_key_and_any_other_value_is_replaced() -> None:
    parts = "actions: {file: {title: File a hedge}}\nconditions: {thick-enough: {text: Thick.}}\nwithout: {limits: one-question}\n"
    flow = loaded(parts).pack.workflow("hedge-permit")

    assert flow is not None
    assert flow.actions["file"].title == "File a hedge"
    assert flow.actions["file"].cite == "Oakville by-law 7"
    assert flow.conditions["thick-enough"].text == "Thick."
    assert flow.conditions["thick-enough"].cite == "Oakville by-law 7"
    assert list(flow.limits) == []


def test_also_adds_to_a_list_of_the_base_even_where_a_single_item_stood_alone() -> None:
    flow = loaded("actions: {file: {also-may-take: reason}, decide: {also-letters: [receipt]}}\n").pack.workflow("hedge-permit")

    assert flow is not None
    assert flow.actions["file"].may_take == ("girth_cm", "reason")
    assert [ref.letter for ref in flow.actions["decide"].letters] == ["answer", "receipt"]


def test_an_abstract_base_is_checked_but_nobody_files_under_it() -> None:
    base = spoiled(BASE, "title: Permit", "abstract: true\ntitle: Permit")
    made = load({**base, "hedge.yaml": CHILD})

    assert [flow.workflow for flow in made.pack.workflows] == ["hedge-permit"]
    assert [flow.workflow for flow, _ in made.bases] == ["tree-permit"]
    files, (file, line, column) = marked(spoiled(BASE, "letters: receipt", "letters: ¶reciept", base))
    assert [str(fault) for fault in faults_of(files)] == [f"{file}:{line}:{column}: no letter 'reciept'; did you mean 'receipt'?"]


def test_a_fault_of_the_base_is_told_once_at_the_line_of_the_base() -> None:
    files, (file, line, column) = marked({**spoiled(BASE, "times: 1", "times: ¶once"), "hedge.yaml": CHILD})

    assert [str(fault) for fault in faults_of(files)] == [f"{file}:{line}:{column}: 'times': write a whole number, not 'once'"]


def test_a_part_that_one_of_two_children_uses_is_used() -> None:
    base = spoiled(BASE, "dispositions: {", "dispositions: {denied: Denied, ")

    assert faults_of({**base, "hedge.yaml": CHILD + "actions: {decide: {disposition: denied}}\n"}) == []


@pytest.mark.parametrize(
    ("child", "said"),
    [
        ("actions: {file: {¶also-task: x}}\n", "the base has no 'task' to add to; write 'task'"),
        ("¶also-fees: [F]\n", "the base has no 'fees' to add to; write 'fees'"),
        ("without: {actions: [¶heer]}\n", "the base has no actions 'heer' to take away; did you mean 'hear'?"),
        (
            "without: {¶action: [hear]}\n",
            "'without' takes away states, groups, dispositions, flags, facts, items, petition-items, exclusions, "
            "conditions, limits, claims, clocks, actions, not 'action'; did you mean 'actions'?",
        ),
        ("without: ¶[hear]\n", "'without' names what is taken away by kind, such as {actions: [x]}"),
        ("in-force: {from: ¶2019-01-01}\n", "the base applies only from 2020-01-01; begin on that day or later"),
        ("actions: {file: {¶tittle: x}}\n", "there is no word 'tittle' here; did you mean 'title'?"),
    ],
)
def test_a_child_that_does_not_fit_its_base_is_told_so(child: str, said: str) -> None:
    assert only(child) == said


def test_a_rename_in_the_base_is_told_once_at_the_line_of_the_base_however_many_workflows_change_it() -> None:
    base = spoiled(BASE, "  hear: {title: Hear the owner", "  ¶hearr: {title: Hear the owner")
    files, (file, line, column) = marked({**base, "hedge.yaml": CHILD + "actions: {hear: {title: Listen}}\n"})
    files["fence.yaml"] = files["hedge.yaml"].replace("hedge", "fence").replace("Listen", "Lend an ear").replace("title: Lend", "hint: Lend")
    files["hedge.yaml"] = files["hedge.yaml"].replace("title: Listen", "hint: Listen")
    said = "workflows that extend this one change action 'hear', which is not in it; is it this one, 'hearr'? Give it one name in all of them"

    assert [str(fault) for fault in faults_of(files)] == [f"{file}:{line}:{column}: {said}"]


def test_a_change_to_what_the_base_does_not_have_is_told_at_the_child() -> None:
    assert only("conditions: {¶watered: {cite: x}}\n") == "the base has no condition 'watered' to change; write 'text' if this one is new"
    assert only("actions: {¶heer: {hint: x}}\n") == "the base has no action 'heer' to change; did you mean 'hear'? Or write 'title' if this one is new"


@pytest.mark.parametrize(
    ("child", "said"),
    [
        ("clocks: {answer: {¶met: []}}\n", "nothing ends clock 'answer'; say what the clock asks for under 'met'"),
        ("clocks: {answer: {¶met: fall-silent}}\n", "clock 'answer' still runs in 'closed' after 'decide'; put 'decide' under 'met' or 'stopped'"),
        (
            "clocks: {answer: {holds: [], also-met: ¶[hear]}}\n",
            "clock 'answer' can run out in waiting (after 'ask'), where 'fall-silent' is not allowed; "
            "stop the clock on the way there, allow the action there, or say waits-in: [waiting]",
        ),
        (
            "clocks: {answer: {¶holds: []}}\n",
            "clock 'answer' can run out in waiting (after 'ask'), where 'fall-silent' is not allowed; "
            "stop the clock on the way there, allow the action there, or say waits-in: [waiting]",
        ),
    ],
)
def test_a_clock_that_a_child_leaves_running_is_told_where_the_child_changed_it(child: str, said: str) -> None:
    assert only(child) == said


def test_a_number_that_a_child_changes_needs_the_law_of_that_number() -> None:
    assert only("clocks: {answer: {¶length: {business-days: 20}}}\n") == (
        "the length of clock 'answer' is this workflow's own and its cite is that of the base; name the law of this length, or write 'note'"
    )
    assert only("limits: {one-question: {¶times: 2}}\n").startswith("the times of limit 'one-question' is this workflow's own")
    assert faults_of({**sound(), "hedge.yaml": CHILD + "clocks: {answer: {length: {business-days: 20}, cite: Oakville by-law 10}}\n"}) == []


def test_a_missing_base_is_named_with_the_nearest_known_one() -> None:
    files, (file, line, column) = marked({**sound(), "hedge.yaml": CHILD.replace("extends: tree-permit", "extends: ¶tree-permits")})

    assert [str(fault) for fault in faults_of(files)] == [f"{file}:{line}:{column}: no workflow 'tree-permits' to extend; did you mean 'tree-permit'?"]


def test_a_chain_of_bases_that_leads_back_to_itself_is_refused() -> None:
    files = {**sound(), "a.yaml": "workflow: a\nextends: b\n", "b.yaml": "workflow: b\nextends: a\n"}

    assert [str(fault) for fault in faults_of(files)] == [
        "a.yaml:2:10: 'b' leads back to itself; name another base",
        "b.yaml:2:10: 'a' leads back to itself; name another base",
    ]


def test_taking_away_from_no_base_is_refused() -> None:
    files, (file, line, column) = marked(spoiled(BASE, "filed-on: answer", "filed-on: answer\n¶without: {limits: one-question}"))

    assert str(faults_of(files)[0]) == f"{file}:{line}:{column}: 'without' takes parts of a base away, but this workflow extends none; leave it out"


def test_a_child_lives_within_one_version_of_its_base() -> None:
    first = sound()[BASE]
    versions = {
        BASE: first.replace("2020-01-01}", "2020-01-01, until: 2026-12-31}"),
        "second.yaml": first.replace("2020-01-01", "2027-01-01").replace("times: 1", "times: 2"),
    }

    def child(force: str) -> dict[str, str]:
        return {**sound(), **versions, "hedge.yaml": f"{CHILD}{force}"}

    later = load(child("in-force: {from: 2027-06-01}\n")).pack.workflow("hedge-permit")
    assert later is not None
    assert later.limits["one-question"].times == 2
    assert [str(fault) for fault in faults_of(child(""))] == [
        "hedge.yaml:2:10: 'tree-permit' has 2 versions; say under 'in-force' from which day this workflow applies, within one of them"
    ]
    assert [str(fault) for fault in faults_of(child("in-force: {from: 2026-06-01}\n"))] == [
        "hedge.yaml:4:11: the base applies only until 2026-12-31; end by that day, and write the time after it as a version"
    ]


def test_the_merged_text_says_of_each_part_who_wrote_it_and_reads_back_the_same() -> None:
    made = loaded("actions: {hear: {title: Listen}}\n")
    text = shown(made, "hedge-permit")
    lines = {line.split("  # ")[0].strip(): line.split("  # ")[1] for line in text.splitlines()}

    assert lines["title: Listen"] == "hedge.yaml:4"
    assert lines["to: waiting"] == "tree-permit.yaml:37"
    assert lines["title: Permit to cut a hedge"] == "hedge.yaml:3"
    flow = made.pack.workflow("hedge-permit")
    assert flow is not None
    assert read(text, "x").plain() == made.node_of(flow).plain()


def test_a_part_can_be_asked_for_its_place() -> None:
    made = loaded("actions: {hear: {title: Listen}}\n")

    assert made.place("hedge-permit", ("actions", "hear", "title")) == ("hedge.yaml", 4, 25)
    assert made.place("hedge-permit", ("clocks", "answer"), key=True) == ("tree-permit.yaml", 20, 3)
    assert made.place("fence-permit", ()) is None


def test_an_unknown_workflow_has_no_merged_text() -> None:
    with pytest.raises(NotFound, match="did you mean 'hedge-permit'"):
        shown(loaded(""), "hedges-permit")
