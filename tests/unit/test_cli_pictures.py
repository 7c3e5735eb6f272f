"""Pictures say in words and signs what the data says: at 80 columns, without color, whatever the data holds."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console, RenderableType

from caseflow.cli import pictures
from caseflow.cli.door import error_json, sentence
from caseflow.cli.pictures.clockbar import kinds
from caseflow.cli.pictures.words import day, moment, visible
from caseflow.errors import NotFound, Reason, Refused

HOLD = {"from": "2026-12-11", "to": "2026-12-23", "days": 12, "cause": "request-information", "seq": 3}


def drawn(picture: RenderableType) -> str:
    """What a plain terminal of 80 columns shows."""
    out = io.StringIO()
    Console(file=out, width=80, markup=False, highlight=False, emoji=False).print(picture)
    text = out.getvalue()
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "\x1b" not in text
    return text


def words(picture: RenderableType) -> str:
    """The same in one line, whatever was folded."""
    return " ".join(drawn(picture).split())


def clock(**more: Any) -> dict[str, Any]:
    """A period of 30 days from December 1, 2026: its last day is December 31, on which the office is closed."""
    made: dict[str, Any] = {
        "id": "determination",
        "title": "Time to decide",
        "actor": "department",
        "status": "running",
        "start": "2026-12-01",
        "length": {"days": 30, "text": "30 days"},
        "unrolled": "2026-12-31",
        "due": "2026-12-31",
        "target": "2026-12-30",
        "used": 4,
        "left": 26,
        "missed_by": None,
        "holds": [],
        "displaced_on": None,
        "ended_on": None,
        "policy": False,
    }
    return {**made, **more}


def case(*clocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "case": "C-2026-00001-1",
        "title": "Mill Creek, Dane County",
        "workflow": "survey",
        "state": "submitted",
        "say": {"staff": "Decide the request.", "public": "We are working on it."},
        "turn": "department",
        "disposition": None,
        "as_of": "2026-12-05",
        "flags": [],
        "clocks": list(clocks),
        "limits": [],
        "items": [],
        "actions": [],
        "tasks": [],
        "timers": [],
        "letters": [],
        "fees": {"lines": [], "paid": "0.00", "due": "0.00", "refunded": "0.00"},
    }
    return {**made, **more}


def entry(seq: int, on: str, **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "seq": seq,
        "effective_on": on,
        "recorded_on": on,
        "actor": {"kind": "person", "id": "pat", "role": "staff"},
        "action": "note",
        "title": "Add a note",
        "from": "submitted",
        "to": "submitted",
        "because": None,
        "cites": [],
        "amended": False,
        "voids": None,
        "voided_by": None,
        "due_after": {},
    }
    return {**made, **more}


# --- dates and words ----------------------------------------------------------------------------------------------


def test_a_date_is_never_without_its_weekday_and_year() -> None:
    assert day("2027-01-19") == "Tue, Jan 19, 2027"
    assert moment("2027-01-09T00:00:00-06:00") == "Sat, Jan 9, 2027, 12:00 am"
    assert moment("2026-11-30T16:47:00-06:00") == "Mon, Nov 30, 2026, 4:47 pm"


def test_data_can_not_write_over_the_terminal() -> None:
    hostile = "\x1b[2J[red]Mill\u202eCreek\x07[/red]"

    shown = drawn(pictures.case(case(clock(), title=hostile)))

    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[red]Mill\ufffdCreek" in shown
    assert visible("a\nb\x9bc") == "a\nb\ufffdc"


# --- a case -------------------------------------------------------------------------------------------------------


def test_the_verdict_names_target_and_last_day_in_law_though_they_differ() -> None:
    shown = words(pictures.case(case(clock())))

    assert "target Wed, Dec 30, 2026; last day in law Thu, Dec 31, 2026 (26 days left)" in shown


def test_a_held_clock_shows_no_date_but_what_is_kept() -> None:
    held = clock(status="tolled", due=None, target=None, unrolled=None, left=20, holds=[{**HOLD, "to": None}])

    shown = words(pictures.case(case(held, turn="requester")))

    assert "no last day while held; 20 days kept" in shown
    assert "the requester's turn" in shown
    assert "‖ held" in shown


def test_a_displaced_clock_says_as_soon_as_possible() -> None:
    displaced = clock(status="displaced", due=None, target=None, unrolled=None, displaced_on="2026-12-10")

    shown = words(pictures.case(case(displaced)))

    assert "as soon as possible, since Thu, Dec 10, 2026" in shown


def test_a_missed_clock_decides_the_verdict_before_one_that_runs() -> None:
    late = clock(id="second", title="Time to answer", status="missed", due="2026-12-01", missed_by=4)

    shown = words(pictures.case(case(clock(), late)))

    assert "Time to answer: the last day in law was Tue, Dec 1, 2026, 4 days late." in shown
    assert "▲ missed by 4 days" in shown


def test_a_clock_of_the_requester_or_of_policy_never_decides_the_verdict() -> None:
    theirs = clock(title="Their time", actor="requester", due="2026-12-06")
    wish = clock(title="Our wish", policy=True, due="2026-12-07")

    shown = words(pictures.case(case(theirs, wish)))

    assert "No period of the agency is running." in shown


def test_days_left_of_a_period_in_business_days_are_called_so() -> None:
    shown = words(pictures.case(case(clock(length={"business_days": 45, "text": "45 business days"}, left=1))))

    assert "(1 business day left)" in shown


def test_what_a_spent_limit_bars_is_told_with_citation_entry_and_what_to_do_instead() -> None:
    barred = {
        "id": "ask",
        "title": "Ask",
        "order": 1,
        "allowed": False,
        "because": [
            {"code": "wrong-state", "text": "Not from here", "cite": None, "entries": [], "instead": None},
            {"code": "limit-reached", "text": "Asked once.", "cite": "s. 1 (2)", "entries": [3], "instead": "Decide."},
        ],
    }
    elsewhere = {**barred, "id": "rule", "because": barred["because"][:1]}

    shown = words(pictures.case(case(clock(), actions=[barred, elsewhere])))

    assert "x ask Asked once. (s. 1 (2)) [entry 3] Decide." in shown
    assert "Not from here" not in shown
    assert "x rule" not in shown


# --- the clock bar ------------------------------------------------------------------------------------------------


def test_the_bar_counts_from_the_day_after_the_start_and_today_is_used() -> None:
    days = kinds(clock(), "2026-12-05")

    assert len(days) == 30
    assert days == ["used"] * 4 + ["left"] * 26


def test_the_first_day_of_a_hold_is_used_and_its_last_day_is_held() -> None:
    """30 days from December 1, held after the 11th through the 23rd: the last day is January 12."""
    held = clock(due="2027-01-12", unrolled="2027-01-12", holds=[HOLD])

    days = kinds(held, "2027-01-05")

    assert days == ["used"] * 10 + ["held"] * 12 + ["used"] * 13 + ["left"] * 7
    assert sum(kind != "held" for kind in days) == 30


def test_days_after_the_last_day_are_late_until_the_act_that_came() -> None:
    days = kinds(clock(status="missed", ended_on="2027-01-04", missed_by=4), "2027-02-01")

    assert days[30:] == ["late"] * 4


def test_a_roll_is_told_apart_from_counted_days() -> None:
    """January 3, 2027 is a Sunday: the last day moves to Monday."""
    days = kinds(clock(start="2026-12-04", unrolled="2027-01-03", due="2027-01-04"), "2026-12-04")

    assert days[-2:] == ["left", "roll"]


def test_an_open_hold_is_drawn_up_to_today_and_no_further() -> None:
    held = clock(status="tolled", due=None, unrolled=None, holds=[{**HOLD, "to": None}])

    assert kinds(held, "2026-12-15") == ["used"] * 10 + ["held"] * 4


def test_a_long_period_is_drawn_in_steps_that_are_named() -> None:
    shown = words(pictures.case(case(clock(due="2027-05-30", unrolled="2027-05-30"))))

    assert "1 sign = 5 days" in shown


def test_a_clock_that_has_not_begun_has_no_bar() -> None:
    assert kinds(clock(status="not-started", start=None, due=None), "2026-12-05") == []


# --- the record ---------------------------------------------------------------------------------------------------


def test_late_typing_shows_as_days_after() -> None:
    shown = words(pictures.timeline([entry(1, "2026-12-23", recorded_on="2026-12-29")]))

    assert "typed Tue, Dec 29, 2026, 6 days after" in shown


def test_a_voided_entry_stays_visible_with_what_voided_it() -> None:
    shown = drawn(pictures.timeline([entry(3, "2026-12-11", title="Ask", voided_by=4), entry(4, "2026-12-12", voids=3)]))

    assert "x Ask" in shown
    assert "voided by entry 4" in shown
    assert "voids entry 3" in shown


def test_people_and_machines_have_different_marks() -> None:
    machine = {"kind": "scheduler", "id": "scheduler", "role": "scheduler"}

    shown = drawn(pictures.timeline([entry(1, "2026-12-01"), entry(2, "2026-12-08", title="Warn", actor=machine)]))

    assert "● Add a note" in shown
    assert "■ Warn" in shown


def test_an_entry_tells_only_the_last_days_that_it_moved() -> None:
    entries = [
        entry(1, "2026-12-01", due_after={"determination": "2026-12-31"}),
        entry(2, "2026-12-08", due_after={"determination": "2026-12-31"}),
        entry(3, "2026-12-11", due_after={"determination": None}),
    ]

    shown = drawn(pictures.timeline(entries))

    assert shown.count("last day in law") == 2
    assert "last day in law, determination: Thu, Dec 31, 2026" in shown
    assert "last day in law, determination: none" in shown


# --- why ----------------------------------------------------------------------------------------------------------


def step(kind: str, days: int | None, text: str) -> dict[str, Any]:
    return {"kind": kind, "from": "2026-12-01", "to": None, "days": days, "text": text, "cite": "s. 1", "reading": None, "reading_says": None}


def why(**more: Any) -> dict[str, Any]:
    steps = [step("event", 0, "Filed."), step("count", 30, "Counted."), step("hold", 12, "Held."), step("roll", 1, "Moved.")]
    return {**clock(), "clock": "determination", "why": steps, "shadows": [], **more}


def sums(text: str) -> list[str]:
    """The last column of the lines that have one."""
    lines = [line for line in text.splitlines() if any(word in line for word in ("Counted.", "Held.", "Moved."))]
    return [line.split()[-1] for line in lines]


def test_the_ledger_of_calendar_days_adds_up_to_the_last_day() -> None:
    """December 1 and 43 days more: 30 counted, 12 held, 1 rolled."""
    assert sums(drawn(pictures.why([why()]))) == ["30", "42", "43"]


def test_the_lines_of_business_days_are_calendar_days_and_add_up_too() -> None:
    shown = sums(drawn(pictures.why([why(length={"business_days": 21, "text": "21 business days"})])))

    assert shown == ["30", "42", "43"]


def test_each_line_has_its_citation_and_each_other_reading_its_date() -> None:
    taken = {"text": "Does a hold count? It does.", "because": "The cautious answer.", "cite": "s. 8"}
    other = {"text": "Does a hold count? If it were read as \u201cIt does not\u201d, the last day would be Thursday, December 31, 2026.", "cite": "s. 9"}

    shown = words(pictures.why([why(readings=[taken], shadows=[other])]))

    assert shown.count("s. 1") == 4
    assert "Does a hold count? It does. The cautious answer. (s. 8)" in shown
    assert "the last day would be Thursday, December 31, 2026. (s. 9)" in shown
    assert "Last day in law: Thu, Dec 31, 2026. Target: Wed, Dec 30, 2026." in shown


# --- lists --------------------------------------------------------------------------------------------------------


def row(**more: Any) -> dict[str, Any]:
    made = {
        "case": "C-2026-00001-1",
        "title": "Mill Creek",
        "state": "submitted",
        "turn": "department",
        "assigned_to": None,
        "flags": [],
        "next": {"clock": "determination", "target": "2026-12-30", "due": "2026-12-31"},
    }
    return {**made, **more}


def test_a_row_of_the_docket_begins_with_its_target_and_names_another_last_day() -> None:
    shown = drawn(pictures.docket([row(flags=["overdue"]), row(next={"clock": None, "target": None, "due": None})]))

    assert re.search("^Wed, Dec 30, 2026 +C-2026-00001-1", shown, re.MULTILINE)
    assert "law: Thu, Dec 31, 2026" in shown
    assert "! overdue" in shown
    assert "no date" in shown
    assert "2 cases." in shown


def test_an_empty_docket_says_what_to_do() -> None:
    assert "No case fits." in words(pictures.docket([]))


def test_the_board_names_the_cases_of_a_group_who_has_them_and_how_many_more() -> None:
    numbers = [f"C-2026-{number:05d}-1" for number in range(1, 11)]
    board = {
        "as_of": "2026-12-05",
        "groups": [{"id": "overdue", "count": 10, "cases": numbers}, {"id": "open", "count": 10, "cases": numbers}],
        "workload": [{"user": None, "open": 10, "overdue": 10}],
        "on_time": [{"month": "2026-11", "decided": 4, "on_time": 3, "held": 1}],
    }

    shown = words(pictures.board(board, {numbers[0]: row(assigned_to="pat")}))

    assert "The docket on Sat, Dec 5, 2026" in shown
    assert f"{numbers[0]} Mill Creek; submitted; target Wed, Dec 30, 2026; pat" in shown
    assert "and 2 more" in shown
    assert numbers[8] not in shown
    assert "3 of 4" in shown


def test_a_letter_shows_when_it_leaves_and_what_it_lacks() -> None:
    letter = {
        "number": "C-1-L1",
        "title": "Answer",
        "status": "owed",
        "owed_on": "2026-12-01",
        "sent_on": None,
        "leaves_at": "2026-12-01T10:15:00-06:00",
        "recipients": [{"role": "requester", "name": "Ann", "channel": "email"}],
        "missing": ["facts.result"],
    }

    shown = words(pictures.letters([letter]))

    assert "leaves Tue, Dec 1, 2026," in shown
    assert "10:15 am" in shown
    assert "missing: facts.result" in shown
    assert "to Ann (email)" in shown


# --- trials, rehearsals, refusals ---------------------------------------------------------------------------------


def test_a_trial_shows_only_what_changes() -> None:
    limit = {"id": "one", "title": "The one request", "used": 0, "allowed": 1}
    before = {"state": "submitted", "clocks": [clock(), clock(id="b", title="Other")], "limits": [limit]}
    held = clock(status="tolled", due=None)
    after = {"state": "asked", "clocks": [held, clock(id="b", title="Other")], "limits": [{**limit, "used": 1}]}
    answered = {"answered_on": "2026-12-18", "clock": "determination", "due": "2027-01-07", "target": "2027-01-07"}
    trial = {"allowed": True, "because": [], "before": before, "after": after, "letters": [], "if_answered_on": [answered] * 2}

    shown = words(pictures.dry_run(trial))

    assert "State submitted asked" in shown
    assert "0 of 1 1 of 1" in shown
    assert "Other" not in shown
    assert shown.count("Fri, Dec 18, 2026") == 1


def test_a_trial_that_is_refused_says_why_and_that_nothing_changed() -> None:
    reason = {"code": "guard-failed", "text": "No inspection.", "cite": "s. 3", "entries": [], "instead": None}

    shown = words(pictures.dry_run({"allowed": False, "because": [reason]}))

    assert "Not possible; nothing was changed. - No inspection. (s. 3)" in shown


def test_a_failed_scenario_shows_what_was_expected_and_what_came() -> None:
    fault = {"step": 2, "expected": {"due": "2027-01-04"}, "got": {"due": None}}
    failed = {"scenario": "a held case", "file": "a.yaml", "passed": False, "faults": [fault]}
    passed = {"scenario": "a plain case", "file": "b.yaml", "passed": True, "faults": []}

    shown = words(pictures.rehearsed({"results": [failed, passed], "coverage": {}, "missing": []}))

    assert "FAIL a held case" in shown
    assert 'at step 2: expected {"due": "2027-01-04"}' in shown
    assert 'but got {"due": null}' in shown
    assert "2 scenarios, 1 failed." in shown


def test_coverage_names_what_no_scenario_reached() -> None:
    found = {"results": [], "coverage": {"survey/letter/a": 1}, "missing": ["survey/letter/b"]}

    assert "1 things reached, 1 not. survey, letter - b" in words(pictures.rehearsed(found, True))
    assert "survey" not in words(pictures.rehearsed(found, False))


@pytest.mark.parametrize(
    ("faults", "says"),
    [([], "The record holds: 2 cases, 9 entries"), ([{"case": "C-1", "seq": 3, "text": "hash"}], "C-1 entry 3: hash")],
)
def test_verifying_says_that_the_record_holds_or_where_it_breaks(faults: list[dict[str, Any]], says: str) -> None:
    assert says in words(pictures.verified({"cases": 2, "entries": 9, "faults": faults}))


def test_a_refusal_is_one_sentence_with_each_reason_its_law_and_what_to_do() -> None:
    state = Reason("wrong-state", "asked", "Not from here")
    limit = Reason("limit-reached", "one-request", "Asked once.", "s. 1 (2)", (3,), None, "Decide.")

    assert sentence(Refused([state, limit], "'ask' is refused on C-1")).splitlines() == [
        "caseflow: 'ask' is refused on C-1, for 2 reasons.",
        "  asked: Not from here.",
        "  one-request: Asked once. (s. 1 (2); entry 3)",
        "    Instead: Decide.",
    ]


def test_an_error_as_json_has_a_code_a_text_and_its_reasons() -> None:
    refused = error_json(Refused([Reason("limit-reached", "one-request", "Asked once.", entries=(3,))], "No"))

    assert refused["error"] == "limit-reached"
    assert refused["because"][0]["condition"] == "one-request"
    assert refused["because"][0]["entries"] == [3]
    assert error_json(NotFound("no case")) == {"error": "not-found", "text": "no case", "because": []}


def test_every_picture_of_the_table_is_there_and_is_called_as_no_module_is() -> None:
    modules = {path.stem for path in Path(str(pictures.__file__)).parent.glob("*.py")}
    assert set(pictures.PICTURES) <= modules
    names = [name.partition("=")[0] for names in pictures.PICTURES.values() for name in names]
    assert len(names) == len(set(names)) and not set(names) & modules
    assert all(callable(getattr(pictures, name)) for name in names)
    with pytest.raises(AttributeError, match="there is no picture 'nothing'"):
        _ = pictures.nothing
