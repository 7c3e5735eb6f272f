"""What the loader says of claims that can't be decided."""

from __future__ import annotations

import pytest

from tests.unit.pack_texts import FLOW, faults_of, marked, spoiled


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("asked: {text: Once., cite: x, at-most-once: ¶asked}", "no action or limit 'asked'; did you mean 'ask'?"),
        ("ended: {text: Ends., cite: x, can-reach: ¶closd}", "no state, group or phase 'closd'; did you mean 'closed'?"),
        ("held: {text: Holds., cite: x, hold-never-shortens: ¶anser}", "no clock 'anser'; did you mean 'answer'?"),
        ("¶bare: {text: Nothing., at-most-once: ask}", "claim 'bare' has no cite; name the law that it guards, or write 'note' to say why it is asked"),
        (
            "told: {text: Told., cite: x, letter-on-entering: closed, stating: ¶the answers}",
            "no letter states 'the answers'; did you mean 'the answer'?; write it under 'states' of one",
        ),
    ],
)
def test_a_claim_that_can_not_be_decided_is_a_fault_with_its_line(claim: str, said: str) -> None:
    files, place = marked(spoiled(FLOW, "limits:\n", f"claims:\n  {claim}\nlimits:\n"))

    [fault] = faults_of(files)
    assert ((fault.file, fault.line, fault.column), fault.text) == (place, said)


def test_a_claim_says_exactly_one_thing() -> None:
    two = faults_of(spoiled(FLOW, "limits:\n", "claims:\n  both: {text: Two., cite: x, at-most-once: ask, can-reach: closed}\nlimits:\n"))
    none = faults_of(spoiled(FLOW, "limits:\n", "claims:\n  none: {text: Nothing., cite: x}\nlimits:\n"))

    assert all("a claim says exactly one thing" in fault.text for fault in (*two, *none))
    assert two
    assert none
