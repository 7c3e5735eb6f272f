"""The walk of a small workflow: every state is there, and each planted break of a claim is found with a path that shows it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from caseflow.domain import casework
from caseflow.domain.pack import DEFAULT
from tests.unit.pack_texts import FLOW, LETTERS, sound
from tests.unit.planted import CLAIMS, Plant, Trial, changed

LIMIT = "limits:\n  one-question: {title: One question, action: ask, times: 1, text: The owner may be asked once., cite: Oakville by-law 7}\n"
DECIDE = "  decide: {title: Decide, from: open,"
ONE = "cite: Oakville by-law 7"

PLANTS = (
    Plant("the limit is taken away", [(FLOW, LIMIT, "")], ["asked-once"]),
    Plant("the limit allows two", [(FLOW, "times: 1", "times: 2")], ["asked-once"]),
    Plant("the limit has an exception that always holds", [(FLOW, "times: 1,", "times: 1, unless: thick-enough,")], ["asked-once"]),
    Plant("the answer does not end the time", [(FLOW, "    met: decide\n", "")], ["no-clock-outlives"]),
    Plant(
        "a second time of the office is not ended by silence",
        [(FLOW, "clocks:\n", f"clocks:\n  visit: {{title: Visit, length: {{days: 5}}, starts: file, met: decide, alert: true, {ONE}}}\n")],
        ["no-clock-outlives"],
    ),
    Plant("the answer has no letter", [(FLOW, "letters: answer,", "")], ["closing-letter", "rights"]),
    Plant("silence has no letter", [(FLOW, "letters: granted-by-silence, ", "")], ["closing-letter", "rights"]),
    Plant("the letter hangs on what may not be so", [(FLOW, "letters: answer,", "letters: [{letter: answer, when: {done: hear}}],")], ["closing-letter"]),
    Plant("the answer no longer states the rights", [(LETTERS, "[the answer, rights of appeal]", "[the answer]")], ["rights"]),
    Plant("silence no longer states the rights", [(LETTERS, "[that silence grants, rights of appeal]", "[that silence grants]")], ["rights"]),
    Plant("hearing the owner leads nowhere", [(FLOW, "from: waiting, to: open", "from: waiting, to: same")], ["end-in-reach"]),
    Plant(
        "hearing needs what can't be so",
        [(FLOW, "from: waiting, to: open,", "from: waiting, to: open, needs: [{fact: girth_cm, at-most: 20, unit: cm}],")],
        ["end-in-reach"],
    ),
    Plant("hearing needs what only comes later", [(FLOW, "from: waiting, to: open,", "from: waiting, to: open, needs: [{done: decide}],")], ["end-in-reach"]),
    Plant(
        "another time brings the silence early",
        [(FLOW, "clocks:\n", "clocks:\n  soon: {title: Soon, policy: true, length: {days: 3}, starts: file, stopped: [decide, ask], overdue: fall-silent}\n")],
        ["silence-not-early"],
    ),
    Plant("silence comes on the last day itself", [(FLOW, "silence: fall-silent\n", "silence: fall-silent\n    remind: fall-silent\n")], ["silence-not-early"]),
    Plant(
        "after the hold the time begins anew and is short",
        [(FLOW, "starts: file\n", "starts: [file, {after: hear, length: {days: 2}}]\n    take: latest\n")],
        ["hold-never-shortens"],
    ),
    Plant(
        "the hold takes the start away",
        [(FLOW, "starts: file\n", "starts: [file, {after: hear, length: {days: 1}}]\n    canceled: hear\n")],
        ["hold-never-shortens"],
    ),
    Plant("silence is possible only where nobody waits for it", [(FLOW, "by: scheduler, from: open,", "by: scheduler, from: waiting,")], ["timer-has-exit"]),
    Plant("the time runs on while the owner is asked", [(FLOW, "    holds: [{from: ask, until: hear, cite: Oakville by-law 7}]\n", "")], ["timer-has-exit"]),
    Plant("filing is refused without a citation", [(FLOW, "    cite: Oakville by-law 7\n    test:", "    test:")], ["refusal-cites"]),
    Plant("the limit has no citation", [(FLOW, "The owner may be asked once., cite: Oakville by-law 7}", "The owner may be asked once.}")], ["refusal-cites"]),
    Plant("an answer is refused without a citation", [(FLOW, DECIDE, f"{DECIDE} needs: [{{done: hear}}],")], ["refusal-cites"]),
    Plant(
        "two outcomes hold at once",
        [
            (
                FLOW,
                "from: open, to: closed, disposition: granted,",
                "from: open, to: closed, disposition: granted, outcomes: [{when: thick-enough}, {when: {done: hear}, disposition: granted-by-silence}, {otherwise: true}],",
            )
        ],
        ["one-outcome"],
    ),
    Plant("whoever was asked is answered unheard", [(FLOW, DECIDE, "  decide: {title: Decide, from: [open, waiting],")], ["heard"]),
    Plant("the hurry outlives the answer", [(FLOW, "takes: [answer], lowers: hurried,", "takes: [answer],")], ["not-hurried"]),
    Plant("silence forgets the hurry", [(FLOW, "lowers: hurried, disposition: granted-by-silence", "disposition: granted-by-silence")], ["not-hurried"]),
)


@pytest.mark.parametrize("plant", PLANTS, ids=[plant.title for plant in PLANTS])
def test_a_planted_break_is_found_and_its_path_replayed_shows_it_at_its_last_step(plant: Plant, tmp_path: Path) -> None:
    trial = Trial(tmp_path, changed(plant.changes))

    proof = trial.proof()

    broken = [claim["id"] for claim in proof["claims"] if not claim["holds"]]
    assert set(plant.breaks) <= set(broken)
    for path, claim in zip(proof["written"], (one for one in proof["claims"] if not one["holds"]), strict=True):
        played = trial.played(path)
        steps = len(claim["scenario"].get("steps", ()))
        assert not played["passed"], claim["id"]
        assert {fault["step"] for fault in played["faults"]} == {steps if "expect" not in claim["scenario"] else 0}, played["faults"]


def test_the_small_pack_has_eleven_states_and_its_claims_hold(tmp_path: Path) -> None:
    """Open (before the last day, on it, past it) unasked or asked: 6. Waiting (asked earlier or on the last day; on the
    day itself or later): 4. Closed: 1."""
    proof = Trial(tmp_path, sound()).proof()

    assert (proof["states"], proof["depth"], proof["never_done"]) == (11, 4, [])
    assert [claim["id"] for claim in proof["claims"]] == list(DEFAULT)
    assert all(claim["holds"] and claim["asked"] for claim in proof["claims"])


def test_claims_of_a_workflow_stand_beside_those_asked_of_every_one_and_hold(tmp_path: Path) -> None:
    proof = Trial(tmp_path, changed([])).proof()

    assert Counter(claim["everywhere"] for claim in proof["claims"]) == {True: len(DEFAULT), False: CLAIMS.count("text:")}
    assert [claim["id"] for claim in proof["claims"] if not claim["holds"]] == []


def test_a_workflow_may_put_its_own_claim_in_the_place_of_one_asked_of_all(tmp_path: Path) -> None:
    silent = (FLOW, "letters: granted-by-silence, ", "")
    own = (
        FLOW,
        "claims:\n",
        "claims:\n  closing-letter: {text: Told., note: Silence is told at the door., letter-on-entering: closed, excepted: fall-silent}\n",
    )
    proof = Trial(tmp_path, changed([silent, own])).proof()

    told = {claim["id"]: claim for claim in proof["claims"]}
    assert (told["closing-letter"]["holds"], told["closing-letter"]["everywhere"]) == (True, False)
    assert not told["rights"]["holds"]


def test_an_engine_that_forgets_limits_is_caught_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(casework, "_limits", lambda *_: [])
    proof = Trial(tmp_path, sound()).proof()

    [broken] = [claim for claim in proof["claims"] if not claim["holds"]]
    assert (broken["id"], broken["path"]) == ("limits-hold", ["2027-03-01 file", "2027-03-01 ask", "2027-03-01 hear", "2027-03-01 ask"])
