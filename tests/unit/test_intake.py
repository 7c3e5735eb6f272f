"""At intake: the longest path of clocks to the last possible decision day, the day to file by, and warnings that refuse nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.unit.pack_texts import FACTS, FLOW, Slip, faults_of, marked, spoiled
from tests.unit.small_office import Desk

# The lengths of a permit with and without a hearing (law/permits.yaml F12a, F12b), as clocks of the small pack.
CLOCKS = """
  whole: {title: Whole, actor: owner, length: {days: 30}, starts: file, cite: by-law 1}
  notice: {title: Notice, actor: owner, length: {days: 15}, starts: file, cite: by-law 2}
  ask-hearing: {title: Ask for a hearing, actor: owner, length: {days: 20}, starts: file, cite: by-law 3}
  call-hearing: {title: Call the hearing, actor: owner, length: {days: 15}, starts: file, cite: by-law 3}
  hearing: {title: Hearing, actor: owner, length: {days: 30}, starts: file, cite: by-law 3}
  comment:
    title: Comments
    actor: owner
    starts: [{after: file, length: {days: 30}, cite: by-law 4}, {after: hear, length: {days: 10}, cite: by-law 5}]
    cite: by-law 4
  decision: {title: Decision, actor: owner, length: {days: 30}, starts: [file, {after: hear, length: {days: 20}, cite: by-law 6a}], cite: by-law 6}
"""
INTAKE = """intake:
  work-begins: work_from
  longest-path:
    - {title: no hearing, clocks: [whole, notice, comment, decision]}
    - title: with a hearing
      clocks: [whole, notice, ask-hearing, call-hearing, hearing, {clock: comment, after: hear}, {clock: decision, after: hear}]
  lead: {length: {days: 30}, cite: by-law 12}
states:"""


def files() -> dict[str, str]:
    made = spoiled(FLOW, "states:", INTAKE)
    made = spoiled(FLOW, "clocks:\n", "clocks:" + CLOCKS, made)
    made = spoiled(FLOW, "may-take: [girth_cm]", "may-take: [girth_cm, work_from]", made)
    return spoiled(FACTS, "facts:\n", "facts:\n  work_from: {type: day, title: Start of work}\n", made)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, files())


def told(desk: Desk, day: str, work_from: str | None = None) -> dict[str, Any]:
    facts = {"girth_cm": 120, **({"work_from": work_from} if work_from else {})}
    made = desk.file(day, facts=facts)
    shown: dict[str, Any] = made["cases"][0]["intake"]
    assert made["warnings"] == shown["warnings"]
    return shown


def test_the_longest_path_is_the_sum_of_its_clocks_each_from_the_unrolled_day_before(desk: Desk) -> None:
    shown = told(desk, "2026-04-06")

    # 30 + 15 + 30 + 30 = 105 days to Monday, July 20; 30 + 15 + 20 + 15 + 30 + 10 + 20 = 140 days to Monday, August 24.
    assert [(way["title"], way["days"], way["due"]) for way in shown["paths"]] == [("no hearing", 105, "2026-07-20"), ("with a hearing", 140, "2026-08-24")]
    assert shown["latest_decision"] == {"unrolled": "2026-08-24", "due": "2026-08-24", "days": 140}
    legs = shown["paths"][1]["clocks"]
    assert [leg["length"] for leg in legs] == ["30 days", "15 days", "20 days", "15 days", "30 days", "10 days", "20 days"]
    assert (legs[5]["cite"], legs[6]["cite"]) == ("by-law 5", "by-law 6a")
    assert (legs[0]["cite"], shown["paths"][0]["clocks"][3]["cite"]) == ("by-law 1", "by-law 6")
    assert all(one["to"] == other["from"] for one, other in zip(legs, legs[1:], strict=False))
    assert (shown["work_begins"], shown["file_by"], shown["warnings"]) == (None, None, [])


def test_the_last_day_alone_is_rolled(desk: Desk) -> None:
    shown = told(desk, "2026-04-05")  # one day earlier everything ends on Sunday, August 23

    assert (shown["latest_decision"]["unrolled"], shown["latest_decision"]["due"]) == ("2026-08-23", "2026-08-24")


@pytest.mark.parametrize(("work_from", "warned"), [("2026-08-23", True), ("2026-08-24", False), ("2026-08-25", False)])
def test_work_before_the_last_possible_day_draws_a_warning_and_no_refusal(desk: Desk, work_from: str, warned: bool) -> None:
    warnings = told(desk, "2026-04-06", work_from)["warnings"]

    assert bool(warnings) == warned
    if warned:
        assert warnings == [
            "Work is to begin on Sunday, August 23, 2026, but the decision may come as late as Monday, August 24, 2026 "
            "(with a hearing: 140 days from Monday, April 6, 2026)."
        ]


def test_a_minimum_lead_gives_the_day_to_file_by(desk: Desk) -> None:
    # Thirty days before October 15 is September 15 (F17); before October 13 it is Sunday the 13th: the open day before is Friday the 11th.
    assert told(desk, "2026-04-06", "2026-10-15")["file_by"] == "2026-09-15"
    assert told(desk, "2026-04-06", "2026-10-13")["file_by"] == "2026-09-11"


def test_a_filing_after_that_day_is_warned_with_the_law(desk: Desk) -> None:
    in_time, late = told(desk, "2026-09-15", "2026-10-15")["warnings"], told(desk, "2026-09-16", "2026-10-15")["warnings"]

    assert [text for text in in_time if "by-law 12" in text] == []
    assert "had to be filed by Tuesday, September 15, 2026 (30 days before; by-law 12); it was filed on Wednesday, September 16, 2026." in late[1]


def test_a_closed_case_warns_no_more_and_a_workflow_without_intake_says_nothing(desk: Desk, tmp_path: Path) -> None:
    case = desk.file("2026-04-06", facts={"girth_cm": 120, "work_from": "2026-05-01"})["cases"][0]["case"]
    shown = desk.act("2026-04-07", case, "decide", answer="Yes")

    assert shown["intake"]["warnings"] == []
    assert Desk(tmp_path / "plain", {}).file("2026-04-06")["cases"][0]["intake"] is None


SLIPS = [
    Slip("a clock that is not there", [(FLOW, "[whole, notice, comment", "[¶whale, notice, comment")], "no clock 'whale'; did you mean 'whole'?"),
    Slip("a start that the clock has not", [(FLOW, "{clock: comment, after: hear}", "{clock: comment, after: ¶ask}")], "no start of clock 'comment' by 'ask'"),
    Slip("a start of work that is no day", [(FLOW, "work-begins: work_from", "work-begins: ¶reason")], "fact 'reason' is of type text; the start of work is a day: write 'type: day'"),
    Slip("a start of work that is no fact", [(FLOW, "work-begins: work_from", "work-begins: ¶work_form")], "no fact 'work_form'; did you mean 'work_from'?"),
    Slip("a lead from nowhere", [(FLOW, "  work-begins: work_from\n", ""), (FLOW, "  lead:", "  ¶lead:")], "a lead is counted back from the start of work; name its fact under 'work-begins'"),
    Slip("a lead without law", [(FLOW, "  lead: {length: {days: 30}, cite: by-law 12}", "  ¶lead: {length: {days: 30}}")], "the lead has no cite"),
    Slip("a lead of no days", [(FLOW, "lead: {length: {days: 30}", "lead: {length: {days: ¶0}")], "a period of 0 days can't run"),
]  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.title)
def test_a_slip_in_the_intake_is_told_at_its_place(slip: Slip) -> None:
    made = files()
    for file, old, new in slip.changes:
        made = spoiled(file, old, new, made)
    texts, place = marked(made)

    found = faults_of(texts)

    assert [(one.file, one.line, one.column) for one in found if slip.said in one.text] == [place], found


def test_the_pack_with_an_intake_has_no_fault() -> None:
    assert faults_of(files()) == []
