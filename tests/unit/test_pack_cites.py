"""Every part that gives a number, a day or a refusal of its own says which law it stands on, or why there is none."""

from __future__ import annotations

import pytest

from tests.unit.pack_texts import CALENDAR, FACTS, FLOW, LETTERS, PACK, Slip, faults_of, marked, slipped, sound, spoiled

SETTING = """settings:
  ¶gone_by_noon:
    question: Must it be gone by noon?
    when-true: By noon.
    when-false: By night.
    default: false
    why: The cautious answer.
"""

SLIPS = [
    Slip(
        "a setting without a citation",
        [(PACK, "agency: {name: Oakville Tree Office}", SETTING + "agency: {name: Oakville Tree Office}")],
        "setting 'gone_by_noon' has no cite; name the law that can be read in several ways, or write 'policy: true' or 'note'",
    ),
    Slip(
        "a judgment without a citation",
        [(FACTS, "  answer: {", "  ¶sound_wood: {type: yes-no, established: judgment, title: The wood is sound}\n  answer: {")],
        "fact 'sound_wood' is a judgment and has no cite; name the law that asks for it, or write 'note' to say why there is none",
    ),
    Slip(
        "a default without a citation",
        [(FACTS, "  reason: {type: text", "  ¶reason: {type: text, default: none given")],
        "fact 'reason' has a default and no cite; name the law that lets it be taken so, or write 'note' to say why there is none",
    ),
    Slip(
        "a default that a workflow gives without a citation",
        [(FLOW, "dispositions: {granted", "facts:\n  ¶reason: {default: none given}\ndispositions: {granted")],
        "fact 'reason' has a default and no cite; name the law that lets it be taken so, or write 'note' to say why there is none",
    ),
    Slip(
        "a letter without a citation",
        [(LETTERS, "  answer: {title: Our answer, states: [the answer], cite: Oakville by-law 8}", "  ¶answer: {title: Our answer, states: [the answer]}")],
        "letter 'answer' has no cite; name the law that it is written under, or write 'note' to say why there is none",
    ),
    Slip(
        "an extension without a citation",
        [(FLOW, "    met: decide\n", "    extended: [¶{by: hear, adds: {business-days: 5}}]\n    met: decide\n")],
        "an extension of clock 'answer' has no cite; name the law that lengthens the time, or write 'note'",
    ),
    Slip(
        "what displaces a clock without a citation",
        [(FLOW, "    met: decide\n", "    displaced: ¶hear\n    met: decide\n")],
        "what displaces clock 'answer' has no cite; name the law that takes the last day away, or write 'note'",
    ),
    Slip(
        "a start with a length of its own without a citation",
        [(FLOW, "    starts: file\n", "    starts: ¶{after: file, length: {business-days: 12}}\n")],
        "a start of clock 'answer' has a length of its own and no cite; name the law of that length, or write 'note'",
    ),
    Slip(
        "office hours without a citation",
        [(CALENDAR, 'office: {opens: "09:00", closes: "17:00", cite: Oakville order 1}', '¶office: {opens: "09:00", closes: "17:00"}')],
        "the office hours have no cite; name the law that sets them, or write 'note'",
    ),
    Slip(
        "an empty list of days without a citation",
        [(CALENDAR, "  holidays:\n", "  ¶strikes: {title: Strike}\n  holidays:\n")],
        "list 'strikes' has no cite; name the law that its days come from, or write 'note'",
    ),
    Slip(
        "a channel without a citation",
        [(CALENDAR, "  electronic: {counts: day-of-arrival, cite: Oakville order 4}", "  ¶electronic: {counts: day-of-arrival}")],
        "channel 'electronic' has no cite; name the law that says when its filings count, or write 'note'",
    ),
    Slip(
        "a silence that waits without a citation",
        [(CALENDAR, "channels:\n", "¶silence: {waits-when-due-on: [saturday]}\nchannels:\n")],
        "the outcome by silence waits and has no cite; name the law or the practice, or write 'note'",
    ),
]


RULES = """ruleset: trees
version: "1"
title: Trees
in-force: {from: 2020-01-01}
lists:
  kinds: {title: Kinds, cite: by-law 7, entries: [{name: Oak, cite: by-law 7 a}, {name: Ash, cite: by-law 7 c}, {name: Elm, cite: by-law 7 b}]}
parts:
  size:
    title: Size
    rules:
      T-1: {text: It is of a kind., cite: by-law 7, test: {fact: answer, in: {list: kinds}}}
"""


def test_a_name_of_a_list_without_its_paragraph_is_told_where_the_others_have_theirs() -> None:
    whole = {**sound(), "rules/trees.yaml": RULES}
    assert not [fault for fault in faults_of(whole) if "cite" in fault.text]
    files, place = marked(spoiled("rules/trees.yaml", "{name: Elm, cite: by-law 7 b}", "¶{name: Elm}", whole))
    said = "'Elm' has no cite, which most names of this list have; name its paragraph, or write 'note'"

    assert [((fault.file, fault.line, fault.column), fault.text) for fault in faults_of(files)] == [(place, said)]


@pytest.mark.parametrize("slip", SLIPS, ids=[slip.title.replace(" ", "-") for slip in SLIPS])
def test_what_stands_on_no_law_is_told_at_its_place(slip: Slip) -> None:
    files, place = marked(slipped(slip))

    assert [((fault.file, fault.line, fault.column), fault.text) for fault in faults_of(files) if "cite" in fault.text] == [(place, slip.said)]


@pytest.mark.parametrize("instead", ["cite: Oakville by-law 7", "note: Practice.", "policy: true"])
def test_a_note_or_a_policy_says_why_there_is_no_citation(instead: str) -> None:
    files, _ = marked(slipped(SLIPS[0]))
    files[PACK] = files[PACK].replace("    why: The cautious answer.", f"    why: The cautious answer.\n    {instead}")

    assert not [fault for fault in faults_of(files) if "cite" in fault.text]
