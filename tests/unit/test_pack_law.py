"""Tests, citations and circles: a slip is told once, at its place."""

from __future__ import annotations

import pytest

from tests.unit.pack_texts import FACTS, FLOW, PACK, Slip, faults_of, marked, slipped

SLIPS = [
    Slip(
        "a value that a choice never has",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {fact: requester_capacity, is: ¶ownr}")],
        "fact 'requester_capacity' can never be 'ownr'; its values: owner, tenant, other",
    ),
    Slip(
        "a value in a list that a choice never has",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {fact: requester_capacity, in: ¶[owner, tennant]}")],
        "fact 'requester_capacity' can never be 'tennant'; its values: owner, tenant, other",
    ),
    Slip("another unit than the fact's", [(FLOW, "at-least: 40, unit: cm", "at-least: 40, unit: ¶in")], "fact 'girth_cm' is in cm, the rule says in"),
    Slip(
        "an operator that the type can't answer",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {fact: reason, at-least: ¶4}")],
        "fact 'reason' is of type text, which 'at-least' can't compare",
    ),
    Slip("a number compared with a word", [(FLOW, "at-least: 40, unit: cm", "at-least: ¶thick, unit: cm")], "'girth_cm' must be a number in cm, not 'thick'"),
    Slip(
        "a question whether something is given",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {fact: girth_cm, given: ¶here}")],
        "'given' is asked with true or false",
    ),
    Slip(
        "one value where a list is asked",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {fact: requester_capacity, in: ¶owner}")],
        "'in' is asked with a list, such as [owner]",
    ),
    Slip(
        "a list where one value is asked",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {fact: reason, is: ¶[a, b]}")],
        "'is' is asked with one value; write 'in' to ask for one of several",
    ),
    Slip(
        "a condition without a citation",
        [
            (
                FLOW,
                "  thick-enough:\n    text: The tree has a girth of at least 40 cm.\n    cite: Oakville by-law 7\n",
                "  ¶thick-enough:\n    text: The tree has a girth of at least 40 cm.\n",
            )
        ],
        "condition 'thick-enough' has no cite; name the law, or write 'note' (or 'policy: true') to say why there is none",
    ),
    Slip(
        "an action without a citation",
        [
            (
                FLOW,
                "  hear: {title: Hear the owner, from: waiting, to: open, cite: Oakville by-law 7}",
                "  ¶hear: {title: Hear the owner, from: waiting, to: open}",
            )
        ],
        "action 'hear' has no cite; name the law, or write 'note' (or 'policy: true') to say why there is none",
    ),
    Slip(
        "a number without its unit",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: ¶{fact: girth_cm, at-least: 40}")],
        "fact 'girth_cm' is in cm, the rule says no unit",
    ),
    Slip(
        "a clock without a citation",
        [
            (FLOW, "  answer:\n    title: Time to answer", "  ¶answer:\n    title: Time to answer"),
            (FLOW, "    silence: fall-silent\n    cite: Oakville by-law 9\n", "    silence: fall-silent\n"),
        ],
        "clock 'answer' has no cite; name the law, or write 'note' (or 'policy: true') to say why there is none",
    ),
    Slip(
        "a limit without a citation",
        [(FLOW, "  one-question: {", "  ¶one-question: {"), (FLOW, "asked once., cite: Oakville by-law 7}", "asked once.}")],
        "limit 'one-question' has no cite; name the law, or write 'note' (or 'policy: true') to say why there is none",
    ),
    Slip(
        "an item without a citation",
        [(FLOW, "dispositions:", "items: {¶T-1: {title: Map}}\ndispositions:")],
        "item 'T-1' has no cite; name the law, or write 'note' (or 'policy: true') to say why there is none",
    ),
    Slip(
        "a count from a fact that may be missing",
        [
            (FACTS, "facts:\n", "facts:\n  came_on: {type: day}\n"),
            (FLOW, "takes: [reason]", "takes: [reason], may-take: [came_on]"),
            (FLOW, "from: ask, until", "from: {after: ask, counted-from: ¶{fact: came_on}}, until"),
        ],
        "the count begins from fact 'came_on', but 'ask' may be recorded without it; put it under 'takes', or say what then: 'or-else: this-act' or 'or-else: nothing'",
    ),
    Slip(
        "an extension to a day that may be missing",
        [
            (FACTS, "facts:\n", "facts:\n  came_on: {type: day}\n"),
            (FLOW, "takes: [reason]", "takes: [reason], may-take: [came_on]"),
            (FLOW, "met: decide", "extended: {by: ask, cite: x, to: ¶{fact: came_on}}\n    met: decide"),
        ],
        "the count begins from fact 'came_on', but 'ask' may be recorded without it; put it under 'takes', or say what then: 'or-else: this-act' or 'or-else: nothing'",
    ),
    Slip(
        "a day compared with a word",
        [
            (FACTS, "facts:\n", "facts:\n  came_on: {type: day}\n"),
            (FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {fact: came_on, is: ¶monday}"),
        ],
        "'came_on' must be a day such as 2027-01-15, not 'monday'",
    ),
    Slip(
        "a fact compared with an unknown setting",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {fact: girth_cm, at-least: {setting: ¶girth}, unit: cm}")],
        "no setting 'girth'",
    ),
    Slip(
        "a reading that a setting does not have",
        [
            (PACK, "agency:", "settings: {strict: {question: Q, readings: {a: A, b: B}, default: a, cite: x, why: w}}\nagency:"),
            (FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {setting: strict, is: ¶c}"),
        ],
        "setting 'strict' has no reading 'c'; its readings: a, b",
    ),
    Slip(
        "a word where a setting is true or false",
        [
            (PACK, "agency:", "settings: {strict: {question: Q, when-true: a, when-false: b, default: true, cite: x, why: w}}\nagency:"),
            (FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {setting: strict, is: ¶yes}"),
        ],
        "setting 'strict' is answered by true or false, not 'yes'",
    ),
    Slip(
        "conditions that ask each other",
        [(FLOW, "conditions:\n", "conditions:\n  ¶a: {text: A, cite: x, test: b}\n  b: {text: B, cite: x, test: {any: [{done: ask}, a]}}\n")],
        "condition 'a' leads back to itself (condition 'a' -> condition 'b' -> condition 'a'); break the chain",
    ),
    Slip(
        "a clock that asks itself through a condition",
        [
            (FLOW, "conditions:\n", "conditions:\n  ¶fresh: {text: F, cite: x, test: {clock: answer, is: not-started}}\n"),
            (FLOW, "starts: file", "starts: {after: file, when: fresh}"),
        ],
        "condition 'fresh' leads back to itself (condition 'fresh' -> clock 'answer' -> condition 'fresh'); break the chain",
    ),
    Slip(
        "a clock that is counted from itself",
        [
            (FLOW, "  answer:\n    title: Time", "  ¶answer:\n    title: Time"),
            (FLOW, "starts: file", "starts: [file, {after: hear, counted-from: {clock: answer, day: due}}]"),
        ],
        "clock 'answer' leads back to itself (clock 'answer' -> clock 'answer'); break the chain",
    ),
    Slip(
        "a group that contains itself",
        [(FLOW, "dispositions:", "groups: {¶all: [open, all]}\ndispositions:")],
        "group 'all' leads back to itself (group 'all' -> group 'all'); break the chain",
    ),
    Slip(
        "a clock that depends on a flag",
        [
            (FLOW, "dispositions:", "flags: {late: Late}\ndispositions:"),
            (FLOW, "takes: [reason],", "takes: [reason], raises: late,"),
            (FLOW, "starts: file", "starts: {after: file, when: {flag: ¶late}}"),
        ],
        "a clock may not depend on flag 'late'; a flag is what people see, name the action that raises it",
    ),
    Slip(
        "a clock that depends on a flag through a condition",
        [
            (FLOW, "conditions:\n", "flags: {late: Late}\nconditions:\n  fresh: {text: F, cite: x, test: {none: {flag: ¶late}}}\n"),
            (FLOW, "takes: [reason],", "takes: [reason], raises: late,"),
            (FLOW, "starts: file", "starts: {after: file, when: fresh}"),
        ],
        "a clock may not depend on flag 'late'; a flag is what people see, name the action that raises it",
    ),
]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.title)
def test_a_slip_is_told_once_at_its_place_with_what_to_write_instead(slip: Slip) -> None:
    files, place = marked(slipped(slip))

    assert [((fault.file, fault.line, fault.column), fault.text) for fault in faults_of(files)] == [(place, slip.said)]
