"""Rule sets, versions and fees: a slip is told once, at its place."""

from __future__ import annotations

import pytest

from tests.unit.pack_texts import FEES, FLOW, Slip, faults_of, marked, slipped, sound

SLIPS = [
    Slip(
        "a rule in another unit than the fact",
        [
            (
                "rules/trees.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\nparts:\n  size:\n    title: Size\n    rules:\n      T-1: {text: Thick enough., cite: by-law 7, test: {fact: girth_cm, at-least: 40, unit: ¶in}}\n',
            )
        ],
        "fact 'girth_cm' is in cm, the rule says in",
    ),
    Slip(
        "a rule about an unknown fact",
        [
            (
                "rules/trees.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\nparts:\n  size:\n    title: Size\n    rules:\n      T-1: {text: Thick enough., cite: by-law 7, test: {fact: ¶girth, at-least: 40, unit: cm}}\n',
            )
        ],
        "no fact 'girth'; did you mean 'girth_cm'?",
    ),
    Slip(
        "a rule counted from an unknown fact",
        [
            (
                "rules/trees.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\nparts:\n  size:\n    title: Size\n    rules:\n      T-1: {text: Thick enough., cite: by-law 7, test: {day: this-act, after: {fact: ¶girth}}}\n',
            )
        ],
        "no fact 'girth'; did you mean 'girth_cm'?",
    ),
    Slip(
        "a rule that asks what only a workflow knows",
        [
            (
                "rules/trees.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\nparts:\n  size:\n    title: Size\n    rules:\n      T-1: {text: Thick enough., cite: by-law 7, test: {done: ¶decide}}\n',
            )
        ],
        "a rule asks facts, days and settings; put 'done' into a condition of a workflow",
    ),
    Slip(
        "a rule that asks an unknown rule",
        [
            (
                "rules/trees.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\nparts:\n  size:\n    title: Size\n    rules:\n      T-1: {text: Thick enough., cite: by-law 7, test: ¶T-2}\n',
            )
        ],
        "no rule 'T-2' in this set; did you mean 'T-1'?",
    ),
    Slip(
        "a rule that asks itself",
        [
            (
                "rules/trees.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\nparts:\n  size:\n    title: Size\n    rules:\n      ¶T-1: {text: Thick enough., cite: by-law 7, test: T-1}\n',
            )
        ],
        "rule 'T-1' leads back to itself; break the chain",
    ),
    Slip(
        "a rule without a citation",
        [
            (
                "rules/trees.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\nparts:\n  size:\n    title: Size\n    rules:\n      ¶T-1: {text: Thick enough., test: {fact: girth_cm, at-least: 40, unit: cm}}\n',
            )
        ],
        "rule 'T-1' has no cite; name the law, or write 'note'",
    ),
    Slip(
        "a rule that asks an unknown setting",
        [
            (
                "rules/trees.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\nparts:\n  size:\n    title: Size\n    rules:\n      T-1: {text: Thick enough., cite: by-law 7, test: {setting: ¶strict, is: true}}\n',
            )
        ],
        "no setting 'strict'",
    ),
    Slip(
        "a part that applies to an unknown fact",
        [
            (
                "rules/trees.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\nparts:\n  size:\n    title: Size\n    applies: {fact: ¶girth, given: true}\n    rules:\n      T-1: {text: Thick enough., cite: by-law 7, test: {fact: girth_cm, at-least: 40, unit: cm}}\n',
            )
        ],
        "no fact 'girth'; did you mean 'girth_cm'?",
    ),
    Slip(
        "a rule that is a condition of the workflow too",
        [
            (
                "rules/trees.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\nparts:\n  size:\n    title: Size\n    rules:\n      thick-enough: {text: Thick enough., cite: by-law 7, test: {fact: girth_cm, at-least: 40, unit: cm}}\n',
            ),
            (FLOW, "filed-on: answer", "filed-on: answer\nrules: ¶trees"),
        ],
        "'thick-enough' stands in rule set 'trees' and in the workflow's own conditions; give one of them another id",
    ),
    Slip(
        "two versions of a rule set on one day",
        [
            (
                "rules/trees.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: 2020-01-01}\nparts:\n  size:\n    title: Size\n    rules:\n      T-1: {text: Thick enough., cite: by-law 7, test: {fact: girth_cm, at-least: 40, unit: cm}}\n',
            ),
            (
                "rules/trees-2.yaml",
                "",
                'ruleset: trees\nversion: "1"\nin-force: {from: ¶2026-01-01}\nparts:\n  size:\n    title: Size\n    rules:\n      T-1: {text: Thick enough., cite: by-law 7, test: {fact: girth_cm, at-least: 40, unit: cm}}\n',
            ),
        ],
        "two versions of rule set 'trees' are in force on 2026-01-01 (the other is in rules/trees.yaml); end the earlier one the day before",
    ),
    Slip(
        "two versions of a workflow on one day",
        [("later.yaml", "", sound()[FLOW].replace("{from: 2020-01-01}", "{from: ¶2026-01-01}"))],
        "two versions of workflow 'tree-permit' are in force on 2026-01-01 (the other is in tree-permit.yaml); end the earlier one the day before",
    ),
    Slip(
        "a version that ends before it begins",
        [(FLOW, "in-force: {from: 2020-01-01}", "in-force: {from: 2020-01-01, until: ¶2019-01-01}")],
        "the end lies before the beginning; exchange them",
    ),
    Slip("a fee without an amount", [(FEES, "", "fees:\n  ¶F-1: {title: Fee, per: request, cite: x}\n")], "fee 'F-1' has no amount; write one"),
    Slip("an amount below zero", [(FEES, "", "fees:\n  F-1: {title: Fee, amount: ¶-3, cite: x}\n")], "fee 'F-1' is below zero; write an amount of 0 or more"),
    Slip("a fee without a citation", [(FEES, "", "fees:\n  ¶F-1: {title: Fee, amount: 3}\n")], "fee 'F-1' has no cite; name the law, or write 'note'"),
    Slip(
        "a combined fee in place of an unknown one", [(FEES, "", "fees:\n  F-1: {title: Fee, amount: 3, in-place-of: [¶F-2], cite: x}\n")], "no other fee 'F-2'"
    ),
    Slip(
        "a fee that asks an unknown condition",
        [(FEES, "", "fees:\n  F-1: {title: Fee, amount: 3, in-place-of: F-3, only-if-cheaper: ¶thick, cite: x}\n  F-3: {title: x, amount: 1, cite: x}\n")],
        "no condition 'thick' in any workflow",
    ),
    Slip(
        "a multiple of nothing",
        [(FEES, "", "fees:\n  ¶F-1: {title: Fee, times: 2, cite: x, amount: 1}\n")],
        "fee 'F-1' is a multiple of others only with both 'times' and 'of'; write both",
    ),
    Slip(
        "a refund of an unknown fee",
        [(FEES, "", "fees:\n  F-1: {title: Fee, amount: 3, cite: x}\nrefunds:\n  R: {of: ¶F-2, on: decide, cite: x}\n")],
        "no fee 'F-2'; did you mean 'F-1'?",
    ),
    Slip(
        "a refund by an unknown act",
        [(FEES, "", "fees:\n  F-1: {title: Fee, amount: 3, cite: x}\nrefunds:\n  R: {of: F-1, on: ¶decline, cite: x}\n")],
        "no action 'decline'; did you mean 'decide'?",
    ),
    Slip(
        "a refund without a citation",
        [(FEES, "", "fees:\n  F-1: {title: Fee, amount: 3, cite: x}\nrefunds:\n  ¶R: {of: F-1, on: decide}\n")],
        "refund 'R' has no cite; name the law, or write 'note'",
    ),
    Slip(
        "a combined fee that asks an unknown fact",
        [
            (
                FEES,
                "",
                "fees:\n  F-1: {title: Fee, amount: 3, in-place-of: F-2, only-if-cheaper: {fact: ¶girth, given: true}, cite: x}\n  F-2: {title: x, amount: 1, cite: x}\n",
            )
        ],
        "no fact 'girth'; did you mean 'girth_cm'?",
    ),
    Slip(
        "a combined fee that asks a fact in another unit",
        [
            (
                FEES,
                "",
                "fees:\n  F-1: {title: Fee, amount: 3, in-place-of: F-2, only-if-cheaper: {fact: girth_cm, at-least: 3, unit: ¶in}, cite: x}\n  F-2: {title: x, amount: 1, cite: x}\n",
            )
        ],
        "fact 'girth_cm' is in cm, the rule says in",
    ),
    Slip(
        "a combined fee that asks an unknown setting",
        [
            (
                FEES,
                "",
                "fees:\n  F-1: {title: Fee, amount: 3, in-place-of: F-2, only-if-cheaper: {setting: ¶cheap, is: true}, cite: x}\n  F-2: {title: x, amount: 1, cite: x}\n",
            )
        ],
        "no setting 'cheap'",
    ),
]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.title)
def test_a_slip_is_told_once_at_its_place_with_what_to_write_instead(slip: Slip) -> None:
    files, place = marked(slipped(slip))

    assert [((fault.file, fault.line, fault.column), fault.text) for fault in faults_of(files)] == [(place, slip.said)]
