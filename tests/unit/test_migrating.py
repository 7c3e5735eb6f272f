"""Open cases go from one version of the rules to another: what the preview lists happens and nothing else, each case once, and back again.

The small pack counts ten business days; its later version counts seven. Filed on Monday, March 2, 2026: March 16, then March 11.
"""

from __future__ import annotations

import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from caseflow.domain.case import Actor, Case
from caseflow.domain.consequences import UNSAID
from caseflow.errors import BadInput, Refused
from caseflow.services import migrating
from tests.unit.pack_texts import FLOW, PACK, sound, spoiled
from tests.unit.small_office import Desk, written

ODELL = Actor("person", "odell", "supervisor")
WHY = "The council shortened the time."


def later(**changes: str) -> dict[str, str]:
    """A later version of the small pack: one text for another in its workflow, and a label of its own."""
    files = spoiled(FLOW, "length: {business-days: 10}", "length: {business-days: 7}")
    for old, new in changes.items():
        files[FLOW] = files[FLOW].replace(old, new)
    return {**files, PACK: files[PACK].replace('version: "1"', 'version: "2"')}


def renew(desk: Desk, files: dict[str, str]) -> None:
    """The later version takes the place of the first, whose files are gone."""
    shutil.rmtree(desk.packs)
    written(desk.folder, files)


def cases(desk: Desk, day: str) -> dict[str, Case]:
    app = desk.app(day)
    with app.store.read() as work:
        return {number: work.case(number) for number in app.store.numbers()}


def members(before: Case, after: Case) -> set[str]:
    return {one.name for one in fields(Case) if one.name not in UNSAID and getattr(before, one.name) != getattr(after, one.name)}


def migrate(desk: Desk, day: str, **options: Any) -> dict[str, Any]:
    [made] = desk.app(day).pack_migrate("1", "2", WHY, "odell:supervisor", options.pop("dry", False), options.pop("batch", 25))
    return dict(made)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Three open cases and one that is decided, filed by the first version."""
    made = Desk(tmp_path, sound())
    numbers = [made.file("2026-03-02")["cases"][0]["case"] for _ in range(4)]
    made.act("2026-03-03", numbers[1], "ask", reason="the height")
    made.act("2026-03-03", numbers[3], "decide", answer="It may fall.")
    renew(made, later())
    return made


def test_running_cases_go_on_by_their_own_version_when_its_files_are_gone(desk: Desk) -> None:
    number = next(iter(cases(desk, "2026-03-04")))
    shown = desk.app("2026-03-04").show(number)

    assert shown["clocks"][0]["due"] == "2026-03-16" and shown["pack"]["version"] != desk.app("2026-03-04").library.all()[0].hash
    desk.act("2026-03-05", number, "decide", answer="It may fall.")
    assert desk.app("2026-03-05").verify(None)["faults"] == []


def test_the_preview_lists_every_part_that_changes_and_changes_nothing(desk: Desk) -> None:
    before = cases(desk, "2026-03-04")

    made = migrate(desk, "2026-03-04", dry=True)

    assert (made["open"], made["moves"], made["blocked"]) == (3, 3, 0) and cases(desk, "2026-03-04") == before
    dates = [change for change in made["cases"][0]["changes"] if change["part"] == "date"]
    assert dates == [
        {"part": "date", "id": "answer", "title": "Time to answer", "was": "2026-03-16", "is": "2026-03-11", "target_was": "2026-03-16", "target": "2026-03-11"}
    ]
    assert [(one["was"], one["is"], one["cases"]) for one in made["states"]] == [("Open", "Open", 2), ("Waiting for the owner", "Waiting for the owner", 1)]


def test_a_move_changes_what_the_preview_listed_and_nothing_else_and_decided_cases_keep_their_rules(desk: Desk) -> None:
    before = cases(desk, "2026-03-04")
    told = {one["case"]: one for one in migrate(desk, "2026-03-04", dry=True)["cases"]}

    made = migrate(desk, "2026-03-04")

    after = cases(desk, "2026-03-04")
    assert (made["moved"], made["blocked"], made["ended"]) == (3, [], True)
    for number, case in after.items():
        assert members(before[number], case) == set(told[number]["members"] if number in told else ())
    assert sorted({case.pack_version for case in after.values()}) == sorted({made["from"]["version"], made["to"]["version"]})
    assert desk.app("2026-03-04").verify(None)["faults"] == []
    [entry] = [one for one in desk.app("2026-03-04").timeline(next(iter(told)), "recorded", None) if one["action"] == "pack-moved"]
    assert (entry["because"], entry["actor"]["id"]) == (WHY, "odell")


def test_timers_and_limits_are_carried_and_none_is_lost_or_doubled(desk: Desk) -> None:
    migrate(desk, "2026-03-04")
    moved = cases(desk, "2026-03-04")
    numbers = list(moved)

    assert [(timer.kind, timer.due.isoformat()) for timer in moved[numbers[0]].timers] == [("silence", "2026-03-11")]
    assert moved[numbers[1]].spent == {"one-question": (2,)} and moved[numbers[1]].timers == ()
    desk.act("2026-03-05", numbers[1], "hear")
    with pytest.raises(Refused, match="once"):
        desk.act("2026-03-05", numbers[1], "ask", reason="again")
    assert desk.app("2026-03-12").sweep(None)["fired"] == 1 + 1  # the first and the third; the second was held for two days
    assert [desk.app("2026-03-12").show(number)["disposition"] for number in numbers[:3]].count("granted-by-silence") == 2


def test_undone_every_case_is_what_it_was_but_for_its_entries(desk: Desk) -> None:
    before = cases(desk, "2026-03-04")
    migrate(desk, "2026-03-04")

    made = desk.app("2026-03-05").pack_migrate_back("It was too early.", "odell:supervisor", 2)

    after = cases(desk, "2026-03-05")
    assert (made["moved"], made["undoes"], made["blocked"]) == (3, 1, [])
    for number, case in after.items():
        assert members(before[number], case) == set() and case.pack_version == before[number].pack_version
    assert desk.app("2026-03-05").verify(None)["faults"] == []
    with pytest.raises(BadInput, match="nothing to undo"):
        desk.app("2026-03-05").pack_migrate_back("Again.", "odell:supervisor", 2)


def test_of_two_who_take_a_move_back_at_once_the_second_finds_it_done_and_nothing_else_is_taken_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate(desk, "2026-03-04")
    third = later(**{"business-days: 7": "business-days: 8"})
    renew(desk, {**third, PACK: third[PACK].replace('version: "2"', 'version: "3"')})
    desk.app("2026-03-04").pack_migrate("2", "3", WHY, "odell:supervisor", False, 10)
    second = desk.app("2026-03-05")
    second.open()
    known = second.store.pack_moves

    def first() -> Any:
        found = known()
        monkeypatch.undo()
        desk.app("2026-03-05").pack_migrate_back("Too early.", "odell:supervisor", 10)
        return found

    monkeypatch.setattr(second.store, "pack_moves", first)
    with pytest.raises(BadInput, match=r"Move 2 is undone already, by odell \(3\); nothing more was changed"):
        second.migrating.undo("Too early.", ODELL)
    with pytest.raises(BadInput, match="Move 2 is undone already"):
        second.migrating.undo("Too early.", ODELL, 2)

    assert [(one["id"], one["undone_by"]) for one in desk.app("2026-03-05").migrating.all()] == [(3, None), (2, 3), (1, None)]


def test_killed_half_way_it_goes_on_and_each_case_moves_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    app = desk.app("2026-03-04")
    app.open()
    begun = app.migrating.begin("1", "2", WHY, ODELL)
    app.migrating.go_on(begun.id, 1)
    steps = 0

    def dies(*given: Any) -> Any:
        nonlocal steps
        steps += 1
        if steps == 2:
            raise KeyboardInterrupt
        return real(*given)

    real = migrating.move
    monkeypatch.setattr(migrating, "move", dies)
    with pytest.raises(KeyboardInterrupt):
        app.migrating.go_on(begun.id, 2)
    monkeypatch.undo()
    found = list(cases(desk, "2026-03-04").values())
    assert [case.pack_version == begun.after for case in found] == [True, False, False, False]  # the batch that died left nothing
    assert [case.version for case in found][1:] == [2, 1, 2]

    made = migrate(desk, "2026-03-05", batch=1)

    assert (made["id"], made["moved"], made["because"]) == (begun.id, 3, WHY)
    app = desk.app("2026-03-05")
    assert [sum(one["action"] == "pack-moved" for one in app.timeline(number, "recorded", None)) for number in cases(desk, "2026-03-05")] == [1, 1, 1, 0]
    assert app.verify(None)["faults"] == []


def test_a_case_whose_record_would_no_longer_be_legal_stays_and_is_named_with_the_entry(desk: Desk) -> None:
    renew(desk, later(**{"ask: {title: Ask the owner, from: open,": "ask: {title: Ask the owner, by: supervisor, from: open,"}))
    told = migrate(desk, "2026-03-04", dry=True)
    before = cases(desk, "2026-03-04")
    number = list(before)[1]

    made = migrate(desk, "2026-03-04")

    assert (told["blocked"], made["moved"]) == (1, 2)
    [stays] = made["blocked"]
    assert stays["case"] == number and "Entry 2 (ask, 2026-03-03) would no longer be legal" in stays["because"]
    assert [one["blocked"] for one in told["cases"] if one["case"] == number] == [[stays["because"]]]
    assert cases(desk, "2026-03-04")[number] == before[number]


def test_what_the_new_rules_make_due_at_once_is_in_the_preview_and_happens_with_the_move(desk: Desk) -> None:
    before = cases(desk, "2026-03-13")
    told = {one["case"]: one for one in migrate(desk, "2026-03-13", dry=True)["cases"]}
    number = next(iter(told))

    migrate(desk, "2026-03-13")

    after = cases(desk, "2026-03-13")
    assert told[number]["states"] == {"was": "Open", "is": "Closed"} and after[number].dispositions == ("granted-by-silence",)
    assert all(members(before[one], after[one]) == set(told[one]["members"]) for one in told)
    back = desk.app("2026-03-13").pack_migrate_back("It was too early.", "odell:supervisor", 25)
    assert back["moved"] == 3 and cases(desk, "2026-03-13")[number].state == "open"


def test_only_a_supervisor_moves_cases_and_a_reason_is_asked(desk: Desk) -> None:
    app = desk.app("2026-03-04")
    with pytest.raises(Refused, match="a supervisor does"):
        app.pack_migrate("1", "2", WHY, "ann:staff", False, 25)
    with pytest.raises((Refused, BadInput), match="because|reason|why"):
        app.pack_migrate("1", "2", "", "odell:supervisor", False, 25)
    with pytest.raises(BadInput, match="the same version"):
        app.pack_migrate("2", "2", WHY, "odell:supervisor", False, 25)
    assert {case.version for case in cases(desk, "2026-03-04").values()} == {1, 2}


def test_a_move_under_way_is_taken_up_by_a_supervisor_alone(desk: Desk) -> None:
    app = desk.app("2026-03-04")
    app.open()
    app.migrating.begin("1", "2", WHY, ODELL)
    with pytest.raises(Refused, match="a supervisor does"):
        app.pack_migrate("1", "2", WHY, "ann:staff", False, 25)
    app.migrating.undo(WHY, ODELL)
    with pytest.raises(Refused, match="a supervisor does"):
        app.pack_migrate_back(WHY, "ann:staff", 25)
    assert {case.version for case in cases(desk, "2026-03-04").values()} == {1, 2}


def test_to_one_version_moves_the_cases_of_every_other(desk: Desk) -> None:
    desk.file("2026-03-04")
    renew(desk, {**later(**{"title: Decide,": "title: Decide it,"}), PACK: later()[PACK].replace('version: "2"', 'version: "3"')})

    made = desk.app("2026-03-05").pack_migrate(None, "3", WHY, "odell:supervisor", False, 25)

    assert sorted((one["from"]["label"], one["to"]["label"], one["moved"]) for one in made) == [("1", "3", 3), ("2", "3", 1)]
    assert desk.app("2026-03-05").pack_migrate(None, "3", WHY, "odell:supervisor", False, 25) == []


def test_kie_issues_509_after_a_move_a_pending_timer_fires_once_on_its_day_and_a_held_case_fires_none(desk: Desk) -> None:
    """apache/incubator-kie-issues#509, camunda-bpm-platform#3062: after a migration the deadline's timer never fired, and suspended cases' timers did."""
    files = {**sound(), FLOW: sound()[FLOW].replace("title: Decide,", "title: Decide the request,")}
    renew(desk, {**files, PACK: files[PACK].replace('version: "1"', 'version: "2"')})
    before = cases(desk, "2026-03-04")
    running, held, other, _ = before

    assert migrate(desk, "2026-03-04")["moved"] == 3

    after = cases(desk, "2026-03-04")
    assert all(after[number].timers == before[number].timers for number in before) and before[running].timers and not before[held].timers
    assert desk.app("2026-03-16").sweep(None)["fired"] == 0
    assert desk.app("2026-04-20").sweep(None)["fired"] == 2
    entries = {number: desk.app("2026-04-20").timeline(number, "recorded", None) for number in (running, held, other)}
    fired = {number: [(one["action"], one["effective_on"]) for one in told if one["actor"]["kind"] == "scheduler"] for number, told in entries.items()}
    assert fired == {running: [("fall-silent", "2026-03-17")], held: [], other: [("fall-silent", "2026-03-17")]}
    assert desk.app("2026-04-20").sweep(None)["fired"] == 0


def test_what_the_scheduler_did_and_a_move_withdrew_stands_again_when_the_move_is_taken_back(tmp_path: Path) -> None:
    """A warning two office days before March 16 is given on March 12; with twelve days instead of ten it does not follow."""
    warned = spoiled(FLOW, "    silence: fall-silent", "    silence: fall-silent\n    warn-before: [2]")
    desk = Desk(tmp_path, warned)
    number = desk.file("2026-03-02")["cases"][0]["case"]
    assert desk.app("2026-03-12").sweep(None)["fired"] == 1
    before = cases(desk, "2026-03-12")[number]
    longer = {**warned, FLOW: warned[FLOW].replace("length: {business-days: 10}", "length: {business-days: 12}")}
    renew(desk, {**longer, PACK: sound()[PACK].replace('version: "1"', 'version: "2"')})

    migrate(desk, "2026-03-12")
    assert [timer.kind for timer in cases(desk, "2026-03-12")[number].timers] == ["warn-2", "silence"]
    desk.app("2026-03-12").pack_migrate_back("It was too early.", "odell:supervisor", 25)

    after = cases(desk, "2026-03-12")[number]
    assert members(before, after) == set() and [timer.kind for timer in after.timers] == ["silence"]
    assert desk.app("2026-03-12").verify(None)["faults"] == [] and desk.app("2026-03-13").sweep(None)["fired"] == 0
