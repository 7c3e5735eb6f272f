"""Schedules of retention: slips are told at their place, and every day was counted by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from caseflow.errors import Refused
from tests.unit.pack_texts import FLOW, PACK, Slip, faults_of, marked, slipped, sound, spoiled
from tests.unit.small_office import Desk

TREES = "trees: {title: Trees, keep: {years: 7}, cite: Oakville by-law 12}"


def kept(text: str) -> list[tuple[str, str, str]]:
    """The pack with these schedules."""
    return [(PACK, "agency:", f"retention:\n  schedules:\n{text}agency:")]


SLIPS = [
    Slip(
        "a workflow that there is not",
        kept("    trees: {title: Trees, workflows: [¶tree-permitt], keep: {years: 7}, cite: x}\n"),
        "no workflow 'tree-permitt'; did you mean 'tree-permit'?",
    ),
    Slip(
        "a disposition of none of its workflows",
        kept("    trees: {title: Trees, dispositions: [¶grantd], keep: {years: 7}, cite: x}\n"),
        "no disposition 'grantd' in what the schedule covers; did you mean 'granted'?",
    ),
    Slip(
        "a clock of none of its workflows",
        kept("    trees: {title: Trees, counts-from: {clocks: [¶answr]}, keep: {years: 7}, cite: x}\n"),
        "no clock 'answr' in what the schedule covers; did you mean 'answer'?",
    ),
    Slip(
        "nobody's rule",
        kept("    ¶trees: {title: Trees, keep: {years: 7}}\n"),
        "schedule 'trees' has no cite; name the schedule of the agency that it stands on, or write 'policy: true' or 'note'",
    ),
    Slip("no time at all", kept("    trees: {title: Trees, keep: {years: ¶0}, cite: x}\n"), "a record is kept for 1 or more; write a number above 0"),
    Slip(
        "business days",
        kept("    trees: {title: Trees, keep: ¶{business-days: 7}, cite: x}\n"),
        "a record is kept for years, months, weeks or days, not for business-days",
    ),
    Slip(
        "a setting that there is not",
        kept("    trees: {title: Trees, keep: {years: {setting: ¶kept}}, cite: x}\n"),
        "no setting 'kept'",
    ),
    Slip(
        "a schedule behind one that takes all",
        kept(f"    {TREES}\n    ¶granted: {{title: Granted, dispositions: [granted], keep: {{years: 9}}, cite: x}}\n"),
        "schedule 'granted' never applies: 'trees' before it takes every case of it; put it first, or leave it out",
    ),
    Slip(
        "a role that there is not",
        [(PACK, "agency:", f"retention:\n  holds: [¶supervisr]\n  schedules: {{{TREES}}}\nagency:")],
        "no role 'supervisr'; did you mean 'supervisor'?",
    ),
    Slip(
        "the flag of a legal hold",
        [(FLOW, "conditions:\n", "flags: {¶legal-hold: Held}\nconditions:\n")],
        "flag 'legal-hold' belongs to the core, which raises it while a legal hold keeps a case; choose another id",
    ),
]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.title)
def test_a_slip_is_told_once_at_its_place(slip: Slip) -> None:
    files, place = marked(slipped(slip))
    assert [((fault.file, fault.line, fault.column), fault.text) for fault in faults_of(files)][:1] == [(place, slip.said)]


def test_an_unknown_event_is_told_with_those_that_there_are() -> None:
    files, place = marked(slipped(Slip("", kept("    trees: {title: Trees, counts-from: ¶endd, keep: {years: 7}, cite: x}\n"), "")))
    [fault] = faults_of(files)
    assert (fault.file, fault.line, fault.column) == place and "write one of ended, last-entry, or {clocks: [CLOCK]}" in fault.text


def files_with(schedule: str) -> dict[str, str]:
    """The small pack with one schedule."""
    return spoiled(PACK, "agency:", f"retention: {{schedules: {{trees: {schedule}}}}}\nagency:", sound())


def due(folder: Path, schedule: str, filed: str, decided: str, later: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What is due of a tree decided on a day, far ahead; `later` are acts after it."""
    desk = Desk(folder, files_with(schedule))
    number = desk.file(filed)["cases"][0]["case"]
    desk.act(decided, number, "decide", answer="Yes.")
    desk.app(decided.replace("10:00", "") if "T" in decided else decided).dispatch(True)
    for action, day in (later or {}).items():
        desk.act(day, number, action)
    made = desk.app("2046-01-02").retention.due(None, "2050-01-01")
    [line] = made["due"] + made["kept_back"]
    return dict(line)


# Counted by hand on a paper calendar; the day of the event is left out, and the record may go on the day after the last.


@pytest.mark.parametrize(
    ("length", "decided", "through", "from_"),
    [
        ("{years: 7}", "2026-12-01", "2033-12-01", "2033-12-02"),
        ("{years: 7}", "2028-02-29", "2035-02-28", "2035-03-01"),  # 2035 has no February 29
        ("{years: 4}", "2028-02-29", "2032-02-29", "2032-03-01"),
        ("{months: 18}", "2027-08-31", "2029-02-28", "2029-03-01"),
        ("{weeks: 3}", "2026-12-21", "2027-01-11", "2027-01-12"),
        ("{days: 30}", "2026-12-01", "2026-12-31", "2027-01-01"),
    ],
)
def test_a_period_ends_on_the_day_that_a_calendar_on_paper_shows(tmp_path: Path, length: str, decided: str, through: str, from_: str) -> None:
    line = due(tmp_path, f"{{title: Trees, keep: {length}, cite: By-law 12}}", decided, decided)
    assert (line["counted_from"], line["kept_through"], line["due_on"]) == (decided, through, from_)
    assert (line["cite"], line["counts_from"]) == ("By-law 12", "the end of the case")


def test_a_clock_that_is_over_after_the_end_is_what_the_period_counts_from(tmp_path: Path) -> None:
    # A petition may come within 30 days of the decision of December 1: to December 31.
    flow = {
        FLOW: sound()[FLOW].replace("clocks:\n", "clocks:\n  petition: {title: Time to petition, actor: owner, length: {days: 30}, starts: decide, cite: x}\n")
    }
    desk = Desk(tmp_path, {**files_with("{title: Trees, counts-from: {clocks: [petition]}, keep: {years: 1}, cite: x}"), **flow})
    number = desk.file("2026-11-30")["cases"][0]["case"]
    desk.act("2026-12-01", number, "decide", answer="Yes.")
    made = desk.app("2026-12-02").retention.due(None, "2030-01-01")
    [line] = made["due"] + made["kept_back"]
    assert (line["counted_from"], line["counts_from"], line["due_on"]) == ("2026-12-31", "the end of “Time to petition”", "2028-01-01")


def test_an_open_case_is_never_due(tmp_path: Path) -> None:
    desk = Desk(tmp_path, files_with("{title: Trees, keep: {days: 1}, cite: x}"))
    desk.file("2026-11-30")
    assert desk.app("2026-12-01").retention.due(None, "2050-01-01")["due"] == []


def test_a_hold_moves_no_date_and_is_no_last_entry(tmp_path: Path) -> None:
    desk = Desk(tmp_path, files_with("{title: Trees, counts-from: last-entry, keep: {years: 1}, cite: x}"))
    number = desk.file("2026-11-30")["cases"][0]["case"]
    before = desk.app("2026-12-01").show(number)
    app = desk.app("2026-12-01")
    app.retention.hold([number], None, {}, "A lawsuit.", None, "ann:supervisor")
    after = app.show(number)
    assert (after["clocks"], after["tasks"], after["timers"]) == (before["clocks"], before["tasks"], before["timers"])
    assert after["flags"] == ["legal-hold"] and after["legal_holds"][0]["because"] == "A lawsuit."
    with app.store.read() as work:
        assert work.case(number).last_on == date(2026, 11, 30)
    assert app.verify(number)["faults"] == []


def test_one_of_two_holds_lifted_leaves_the_other(tmp_path: Path) -> None:
    desk = Desk(tmp_path, sound())
    number, app = desk.file("2026-11-30")["cases"][0]["case"], desk.app("2026-12-01")
    for matter in ("2033CV0042", "Records request 7"):
        app.retention.hold([number], None, {}, "Keep it.", matter, "ann:supervisor")
    with pytest.raises(Refused, match="2 legal holds are in place: entry 2 \\(2033CV0042\\), entry 3"):
        app.retention.lift([number], None, "Settled.", None, "ann:supervisor")
    made = app.retention.lift([], None, "Settled.", "2033CV0042", "ann:supervisor")
    assert [hold["matter"] for hold in made["holds"]] == ["Records request 7"]
    assert app.show(number)["flags"] == ["legal-hold"]
    app.retention.lift([number], None, "Answered.", None, "ann:supervisor")
    assert app.show(number)["flags"] == [] and app.verify(number)["faults"] == []


def test_a_whole_request_or_a_list_is_held_at_once_or_not_at_all(tmp_path: Path) -> None:
    desk = Desk(tmp_path, sound())
    one, other = (desk.file("2026-11-30") for _ in range(2))
    app = desk.app("2026-12-01")
    nobody = {"workflow": None, "state": None, "county": None, "text": None}
    made = app.retention.hold([], one["request"], nobody, "Keep it.", "A", "ann:supervisor")
    assert made["cases"] == [one["cases"][0]["case"]]
    made = app.retention.hold([], None, {**nobody, "workflow": "tree-permit"}, "Keep it.", "B", "ann:supervisor")
    assert len(made["cases"]) == 2
    with pytest.raises(Refused, match="by a supervisor, not by a staff"):
        app.retention.hold([other["cases"][0]["case"]], None, nobody, "Keep it.", "C", "ann:staff")
    assert len(app.retention.holds()) == 3
