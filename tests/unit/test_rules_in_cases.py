"""Rule sets on cases: a workflow asks rules, the case keeps the version of its day, and what a person judged is on record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from caseflow.errors import Refused
from tests.unit.pack_texts import FACTS, FLOW, faults_of, sound, spoiled
from tests.unit.small_office import Desk

RECORD = "  record: {title: Record, from: [open, waiting], to: same, may-take: [judgments, sick, work], cite: Oakville by-law 7}\n"


def desk_of(folder: Path, needs: str, takes: str = "[answer]", more: str = "") -> Desk:
    """The small office whose answer needs rules of a set."""
    files = spoiled(FLOW, "filed-on: answer\n", f"filed-on: answer\nrules: felling\n{more}", sound())
    files = spoiled(FLOW, "may-take: [girth_cm]", "may-take: [girth_cm, work]", files)
    files = spoiled(FLOW, "takes: [answer]", f"takes: {takes}, needs: {needs}", files)
    files = spoiled(FLOW, "actions:\n", f"actions:\n{RECORD}", files)
    facts = "  judgments: {type: record, title: Judgments}\n" + ("  findings: {type: record, title: Findings}\n" if "findings" in takes else "")
    files = spoiled(FACTS, "facts:\n", f"facts:\n{facts}", files)
    assert faults_of(files) == []
    return Desk(folder, files)


def filed(desk: Desk, day: str, **facts: Any) -> str:
    number: str = desk.file(day, facts={"girth_cm": 120, **facts})["cases"][0]["case"]
    return number


def refused(desk: Desk, day: str, case: str, **facts: Any) -> Sequence[str]:
    with pytest.raises(Refused) as refusal:
        desk.act(day, case, "decide", answer="Yes", **facts)
    return [reason.id for reason in refusal.value.reasons]


def state(desk: Desk, day: str, case: str, **facts: Any) -> str:
    made: str = desk.act(day, case, "decide", answer="Yes", **facts)["state"]
    return made


def test_a_rule_is_asked_with_the_part_that_it_stands_in(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, "[F-1]")
    thin, plant = filed(desk, "2026-04-06", girth_cm=50, work="fell"), filed(desk, "2026-04-06", girth_cm=50, work="plant")
    unsaid = filed(desk, "2026-04-06", girth_cm=50)

    assert (state(desk, "2026-04-07", thin), state(desk, "2026-04-07", plant)) == ("closed", "closed")
    assert refused(desk, "2026-04-07", unsaid) == ["F-1"]


def test_a_case_keeps_the_version_of_the_day_it_was_received(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, "[F-1]")
    before, after = filed(desk, "2026-12-30", girth_cm=50, work="fell"), filed(desk, "2027-01-04", girth_cm=50, work="fell")

    assert refused(desk, "2027-01-05", after) == ["F-1"]
    assert state(desk, "2027-01-05", before) == "closed"


def test_one_library_has_a_rulebook_for_each_version_of_the_rules(tmp_path: Path) -> None:
    library = desk_of(tmp_path, "[F-1]").app("2027-01-04").library

    texts = [library.rulebook("tree-permit", date.fromisoformat(day)).conditions["F-1"].text for day in ("2026-12-31", "2027-01-01", "2026-12-30")]

    assert texts == ["The tree is thick enough or sick.", "It has a girth of at least 60 cm.", "The tree is thick enough or sick."]


def test_what_only_a_person_can_say_refuses_until_it_is_judged(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, "[F-3]")
    case = filed(desk, "2026-04-06", work="fell")

    assert refused(desk, "2026-04-07", case) == ["F-3"]
    desk.act("2026-04-07", case, "record", judgments={"F-3": {"outcome": "fail", "who": "ann", "why": "It harms one."}})
    assert refused(desk, "2026-04-08", case) == ["F-3"]
    desk.act("2026-04-08", case, "record", judgments={"F-3": {"outcome": "pass", "who": "ann", "why": "It harms nobody."}})
    assert state(desk, "2026-04-09", case) == "closed"


def test_a_judgment_of_a_step_settles_the_rule_and_never_what_is_computed(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, "[F-2]")
    case = filed(desk, "2026-04-06", work="fell")
    desk.act("2026-04-07", case, "record", judgments={"F-2": {"outcome": "pass", "why": "It looks so."}})

    assert refused(desk, "2026-04-08", case) == ["F-2"]


def test_a_decision_finds_each_standard_that_applies_met_with_its_because(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, "[{standards: found}]", "[answer, findings]", "standards: [F-1, F-3, P-1]\n")
    case = filed(desk, "2026-04-06", work="fell")
    found = {"F-1": {"met": True, "because": "It is thick."}, "F-3": {"met": True, "because": "No neighbor is near."}}

    for wrong in ({"F-1": found["F-1"]}, {**found, "F-3": {"met": False, "because": "x"}}, {**found, "F-3": {"met": True, "because": " "}}):
        with pytest.raises(Refused):
            desk.act("2026-04-07", case, "decide", answer="Yes", findings=wrong)
    assert state(desk, "2026-04-07", case, findings=found) == "closed"


def test_a_standard_of_which_nobody_knows_whether_it_applies_must_be_found(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, "[{standards: found}]", "[answer, findings]", "standards: [P-1]\n")
    case, fell = filed(desk, "2026-04-06"), filed(desk, "2026-04-06", work="fell")

    with pytest.raises(Refused):
        desk.act("2026-04-07", case, "decide", answer="Yes", findings={"F-3": {"met": True, "because": "No neighbor is near."}})
    assert state(desk, "2026-04-07", fell, findings={"F-3": {"met": True, "because": "No neighbor is near."}}) == "closed"
