"""A changed calendar is previewed, adopted once for every open case that it moves, and undone, on the small pack.

It counts ten business days: a request of Monday, November 30, 2026, is answered by December 14; by December 15 once
December 9 is a holiday.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from caseflow.errors import BadInput, PackFaults, Refused
from tests.unit.pack_texts import CALENDAR, FLOW, LETTERS, PACK, sound, spoiled
from tests.unit.small_office import Desk

OAK_DAY = "      - {name: Day of the Oak, once: 2026-12-09, source: Oakville order 9}\n      - {name: Tree Day"
CHANGED = spoiled(CALENDAR, "      - {name: Tree Day", OAK_DAY)[CALENDAR].replace('version: "1"', 'version: "2"')
WHY = "The council made the Day of the Oak a holiday."
ODELL = "odell:supervisor"


class Office(Desk):
    """The desk with a changed calendar beside it."""

    def changed(self, text: str = CHANGED) -> str:
        file = self.folder / "changed.yaml"
        file.write_text(text)
        return str(file)

    def adopt(self, day: str, text: str = CHANGED, actor: str | None = ODELL) -> dict[str, Any]:
        made: dict[str, Any] = self.app(day).calendars.adopt(self.changed(text), WHY, actor)
        return made

    def due(self, day: str, number: str) -> str | None:
        found: str | None = self.app(day).show(number)["clocks"][0]["due"]
        return found

    def actions(self, day: str, number: str) -> list[str]:
        return [entry["action"] for entry in self.app(day).timeline(number, "recorded", None)]


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path, {})


def filed(office: Desk, *days: str) -> list[str]:
    return [office.file(day)["cases"][0]["case"] for day in days]


def test_the_preview_tells_each_case_that_would_move_before_and_after_and_changes_nothing(office: Office) -> None:
    late, early = filed(office, "2026-12-11", "2026-11-30")

    made = office.app("2026-12-11").calendars.preview(office.changed())

    assert [one["case"] for one in made["cases"]] == [early]
    days = {"due_was": "2026-12-14", "due": "2026-12-15", "target_was": "2026-12-14", "target": "2026-12-15"}
    assert made["cases"][0]["clocks"] == [{"clock": "answer", "title": "Time to answer", **days, "told": False}]
    assert (made["open"], made["moved"], made["blocked"], made["replaces"], made["version"]) == (2, 1, 0, "1", "2")
    added = {"date": "2026-12-09", "name": "Day of the Oak", "list": "holidays", "list_title": "Holiday", "source": "Oakville order 9"}
    assert made["days"] == {"added": [added], "removed": []}
    assert office.due("2026-12-11", early) == "2026-12-14"
    assert office.actions("2026-12-11", late) == ["file"]


def test_an_added_holiday_moves_every_affected_open_case_once_however_often_it_is_adopted(office: Office) -> None:
    early, other, late = filed(office, "2026-11-30", "2026-12-01", "2026-12-10")

    first = office.adopt("2026-12-10")
    again = office.adopt("2026-12-10")

    assert (first["moved"], first["looked"], first["ended"]) == (2, 3, True)
    assert (again["id"], again["moved"]) == (first["id"], 2)
    assert [office.due("2026-12-10", number) for number in (early, other, late)] == ["2026-12-15", "2026-12-16", "2026-12-24"]
    assert [office.actions("2026-12-10", number).count("calendar-adopted") for number in (early, other, late)] == [1, 1, 0]
    entry = next(one for one in office.app("2026-12-10").timeline(early, "recorded", None) if one["action"] == "calendar-adopted")
    assert (entry["actor"]["id"], entry["actor"]["role"], entry["because"]) == ("odell", "supervisor", WHY)
    assert office.app("2026-12-10").verify(None)["faults"] == []


def with_rights() -> dict[str, str]:
    """The pack with a role that acts, one that oversees as well, and one that oversees alone."""
    return spoiled(
        PACK,
        "  staff: {}\n  supervisor: {also: [staff]}",
        "  staff: {site: [read]}\n  supervisor: {also: [staff], site: [read, oversee]}\n  auditor: {site: [read, oversee]}",
    )


def test_only_whom_the_pack_lets_oversee_and_act_adopts_or_undoes(tmp_path: Path) -> None:
    office = Office(tmp_path, with_rights())
    [number] = filed(office, "2026-11-30")

    for who in (None, "ann:staff", "ada:auditor", "max:nobody"):
        with pytest.raises(Refused, match="a changed calendar is adopted by supervisor, not by"):
            office.adopt("2026-12-01", actor=who)
    office.adopt("2026-12-01")
    with pytest.raises(Refused, match="a changed calendar is adopted by supervisor, not by staff"):
        office.app("2026-12-01").calendars.undo("no", "ann:staff")

    assert office.due("2026-12-01", number) == "2026-12-15"


def test_a_decided_case_keeps_its_calendar(office: Office) -> None:
    [number] = filed(office, "2026-11-30")
    office.act("2026-12-01", number, "decide", answer="Yes.")

    assert office.adopt("2026-12-02")["moved"] == 0

    shown = office.app("2026-12-02").show(number)
    assert (shown["calendar"], shown["version"]) == ("1", 2)


def test_new_requests_count_by_the_adopted_calendar_and_it_stands_whole_in_the_database(office: Office, tmp_path: Path) -> None:
    office.file("2026-11-27")
    office.adopt("2026-11-30")

    [number] = filed(office, "2026-12-01")

    assert office.due("2026-12-01", number) == "2026-12-16"
    assert office.app("2026-12-01").show(number)["calendar"].startswith("2@")
    (tmp_path / "changed.yaml").unlink()
    assert office.app("2026-12-01").verify(number)["faults"] == []


def test_an_open_case_that_nothing_moved_takes_the_calendar_with_its_next_entry(office: Office) -> None:
    [number] = filed(office, "2026-11-26")
    office.act("2026-11-27", number, "ask", reason="the height")  # held: no last day, so that nothing moves
    assert office.adopt("2026-11-30")["moved"] == 0
    assert office.app("2026-11-30").show(number)["calendar"] == "1"

    office.act("2026-12-08", number, "hear")

    shown = office.app("2026-12-08").show(number)
    assert shown["calendar"].startswith("2@")
    assert shown["clocks"][0]["due"] == "2026-12-22", "nine days are left after December 8, and the 9th is none of them"
    assert office.app("2026-12-08").verify(None)["faults"] == []


def test_a_pack_whose_calendar_file_differs_wins_again(office: Office) -> None:
    office.file("2026-11-27")
    office.adopt("2026-11-30")
    file = office.packs / "oakville" / "calendar.yaml"
    file.write_text(file.read_text().replace('version: "1"', 'version: "3"'))

    [number] = filed(office, "2026-12-01")

    assert (office.app("2026-12-01").show(number)["calendar"], office.due("2026-12-01", number)) == ("3", "2026-12-15")


def test_an_undone_adoption_gives_every_case_the_dates_that_it_had_by_another_entry(office: Office) -> None:
    early, late = filed(office, "2026-11-30", "2026-12-10")
    before = office.app("2026-12-10").show(early)
    office.adopt("2026-12-10")
    [new] = filed(office, "2026-12-10")

    made = office.app("2026-12-11").calendars.undo("The council took it back.", ODELL)

    assert (made["undoes"], made["moved"]) == (1, 1)
    after = office.app("2026-12-10").show(early)
    same = ("clocks", "timers", "tasks", "limits", "state", "calendar", "flags", "items")
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert office.actions("2026-12-11", early) == ["file", "calendar-adopted", "letter-written", "calendar-adopted", "letter-written"]
    assert "December 14, 2026" in words(office, f"{early}-L1")
    assert office.actions("2026-12-11", late) == office.actions("2026-12-11", new) == ["file"]
    office.act("2026-12-11", new, "ask", reason="the height")
    assert office.app("2026-12-11").show(new)["calendar"] == "1", "and whoever had the new one takes the old one back with the next entry"
    with pytest.raises(BadInput, match="nothing to undo"):
        office.app("2026-12-11").calendars.undo("again", ODELL)
    assert office.app("2026-12-11").verify(None)["faults"] == []


def test_a_calendar_undone_can_be_adopted_again(office: Office) -> None:
    [number] = filed(office, "2026-11-30")
    office.adopt("2026-12-01")
    office.app("2026-12-01").calendars.undo("too early", ODELL)

    assert office.adopt("2026-12-02")["moved"] == 1
    assert [one["id"] for one in office.app("2026-12-02").calendars.all()] == [3, 2, 1]
    assert office.due("2026-12-02", number) == "2026-12-15"


# --- letters ------------------------------------------------------------------------------------------------------


def test_a_sent_letter_whose_date_changed_opens_a_task_and_is_told_before(office: Office) -> None:
    [number] = filed(office, "2026-11-30")
    office.app("2026-12-01").dispatch(False)

    [told] = office.app("2026-12-01").calendars.preview(office.changed())["cases"]
    office.adopt("2026-12-01")

    assert [(one["number"], one["sent_on"], one["then"]) for one in told["letters"]] == [(f"{number}-L1", "2026-12-01", "corrected")]
    assert [task["id"] for task in office.app("2026-12-01").show(number)["tasks"]] == [f"correct-letter:{number}-L1"]


def test_a_letter_that_has_not_left_is_written_anew_with_the_date_that_counts(office: Office) -> None:
    [number] = filed(office, "2026-11-30")
    assert "December 14, 2026" in words(office, f"{number}-L1")

    office.adopt("2026-11-30")

    assert "December 15, 2026" in words(office, f"{number}-L1")
    assert "December 14" not in words(office, f"{number}-L1")
    shown = office.app("2026-11-30").show(number)
    assert shown["tasks"] == []
    assert office.actions("2026-11-30", number) == ["file", "calendar-adopted", "letter-written"]
    office.app("2026-12-01").dispatch(False)
    assert office.app("2026-12-01").verify(None)["faults"] == []


def test_a_letter_that_states_no_date_that_moved_is_left_alone(tmp_path: Path) -> None:
    office = Office(
        tmp_path, spoiled("templates/receipt.md", 'We answer by {{ clocks["answer"].due | day }}.', "We answer{% if clocks['answer'].due %} soon{% endif %}.")
    )
    [number] = filed(office, "2026-11-30")
    office.app("2026-12-01").dispatch(False)

    office.adopt("2026-12-01")

    assert office.app("2026-12-01").show(number)["tasks"] == []


def words(office: Office, letter: str) -> str:
    app = office.app("2026-12-01")
    with app.store.read() as work:
        return str(work.letter(letter).markdown)


NOTICE = "  dates-moved: {title: Your date has changed, to: requester, states: [the new day], cite: Oakville by-law 7}\n"
NOTICE_TEXT = """{{ requester.name }}, a date that we told you has changed, since {{ act.because }}
{# states: the new day #}
{% for one in act.facts.moved %}{{ one.title }}: by {{ one.due | day }}, not by {{ one.due_was | day }}.{% endfor %}
"""


def with_notice() -> dict[str, str]:
    files = spoiled(LETTERS, "letters:\n", f"letters:\n{NOTICE}")
    files = spoiled(PACK, "title:", "letters-on-change: {calendar-adopted: dates-moved}\ntitle:", files)
    return {**files, "templates/dates-moved.md": NOTICE_TEXT}


def test_the_letter_that_the_pack_names_is_owed_where_a_date_that_was_told_changed_and_settles_the_task_when_it_goes(tmp_path: Path) -> None:
    office = Office(tmp_path, with_notice())
    sent, [unsent] = filed(office, "2026-11-30"), filed(office, "2026-12-01")
    app = office.app("2026-12-01")
    app.dispatch(False)
    [late] = filed(office, "2026-12-02")

    office.adopt("2026-12-02")

    notice = f"{sent[0]}-L2"
    assert "by Tuesday, December 15, 2026, not by Monday, December 14, 2026." in words(office, notice)
    assert f"since {WHY}" in words(office, notice)
    assert [letter["number"] for letter in office.app("2026-12-02").show(late)["letters"]] == [f"{late}-L1"], "whose letter had not left, is told nothing else"
    assert [task["id"] for task in office.app("2026-12-02").show(sent[0])["tasks"]] == [f"correct-letter:{sent[0]}-L1"]
    office.app("2026-12-03").dispatch(False)
    assert office.app("2026-12-03").show(sent[0])["tasks"] == []
    assert office.app("2026-12-03").verify(None)["faults"] == []
    assert unsent


def test_an_undoing_takes_back_a_notice_that_has_not_left_and_corrects_one_that_has(tmp_path: Path) -> None:
    office = Office(tmp_path, with_notice())
    first, second = filed(office, "2026-11-30", "2026-12-01")
    office.app("2026-12-02").dispatch(False)
    office.adopt("2026-12-03")
    with (app := office.app("2026-12-03")).store.begin() as work:
        work.letter_status(f"{second}-L2", "draft")  # waits for somebody
    app.office.store.close()
    office.app("2026-12-04").dispatch(False)

    office.app("2026-12-04").calendars.undo("taken back", ODELL)

    status = {letter["number"]: letter["status"] for number in (first, second) for letter in office.app("2026-12-04").show(number)["letters"]}
    assert (status[f"{first}-L2"], status[f"{second}-L2"]) == ("handed-over", "canceled")
    assert [task["id"] for task in office.app("2026-12-04").show(first)["tasks"]] == [f"correct-letter:{first}-L2"]
    assert office.app("2026-12-04").show(second)["tasks"] == []
    assert office.app("2026-12-04").verify(None)["faults"] == []


# --- what is refused ----------------------------------------------------------------------------------------------


def test_a_case_that_would_no_longer_be_legal_stays_as_it_is_and_is_named_with_the_reason(tmp_path: Path) -> None:
    files = spoiled(
        FLOW,
        "  thick-enough:",
        "  in-time:\n    text: It is answered by its last day.\n    cite: Oakville by-law 9\n    test: {day: this-act, on-or-before: {clock: answer, day: due}}\n  thick-enough:",
    )
    files = spoiled(FLOW, "hear: {title: Hear the owner,", "hear: {title: Hear the owner, needs: in-time,", files)
    files = spoiled(
        FLOW,
        "    holds: [{from: ask, until: hear, cite: Oakville by-law 7}]\n    met: decide\n    silence: fall-silent",
        "    met: decide\n    alert: true",
        files,
    )
    files = spoiled(
        FLOW,
        "  fall-silent: {title: Granted by silence, by: scheduler, from: open, to: closed, disposition: granted-by-silence, letters: granted-by-silence, cite: Oakville by-law 9}\n",
        "",
        files,
    )
    files = spoiled(FLOW, "dispositions: {granted: Granted, granted-by-silence: Granted by silence}", "dispositions: {granted: Granted}", files)
    files = spoiled(LETTERS, "  granted-by-silence: {title: Granted by silence, states: [that silence grants], cite: Oakville by-law 9}\n", "", files)
    del files["templates/granted-by-silence.md"]
    files[CALENDAR] = CHANGED.replace('version: "2"', 'version: "1"')
    office = Office(tmp_path, files)
    number, other = filed(office, "2026-11-30", "2026-12-01")
    office.act("2026-12-01", number, "ask", reason="the height")
    office.act("2026-12-15", number, "hear")
    without = sound()[CALENDAR].replace('version: "1"', 'version: "2"')

    [blocked, moved] = office.app("2026-12-15").calendars.preview(office.changed(without))["cases"]
    made = office.adopt("2026-12-15", without)

    assert (blocked["case"], blocked["clocks"], moved["case"]) == (number, [], other)
    assert "Entry 3 (hear, 2026-12-15) would no longer be legal: Not so: It is answered by its last day." in blocked["blocked"][0]
    assert [one["case"] for one in made["blocked"]] == [number]
    assert made["moved"] == 1
    assert office.app("2026-12-15").show(number)["calendar"] == "1"
    assert office.app("2026-12-15").verify(None)["faults"] == []


def test_a_calendar_that_does_not_fit_the_pack_is_refused_with_the_line(office: Office) -> None:
    filed(office, "2026-11-30")

    with pytest.raises(PackFaults, match=r"changed.yaml:\d+:\d+: .*sundays"):
        office.app("2026-12-01").calendars.preview(office.changed(CHANGED.replace("rolls-off: [sunday]", "rolls-off: [sundays]")))
    with pytest.raises(BadInput, match="which no pack counts by; write oakville"):
        office.app("2026-12-01").calendars.preview(office.changed(CHANGED.replace("calendar: oakville", "calendar: elm")))
    with pytest.raises(BadInput, match="is the calendar that the pack oakville has already"):
        office.app("2026-12-01").calendars.preview(office.changed(sound()[CALENDAR]))
    with pytest.raises(BadInput, match="says version '1', as a calendar does that differs from it"):
        office.app("2026-12-01").calendars.preview(office.changed(CHANGED.replace('version: "2"', 'version: "1"')))


@pytest.mark.parametrize("day", ["0001-01-01", "1949-12-31", "2151-01-01", "9999-12-31"])
def test_a_single_day_beyond_the_years_of_the_calendar_is_named_with_its_line(office: Office, day: str) -> None:
    filed(office, "2026-11-30")
    with pytest.raises(PackFaults, match=r"changed.yaml:\d+:\d+: 'once'"):
        office.app("2026-12-01").calendars.preview(office.changed(CHANGED.replace("once: 2026-12-09", f"once: {day}")))


def test_an_undoing_under_way_is_taken_up_by_whoever_may_undo_alone(tmp_path: Path) -> None:
    office = Office(tmp_path, with_rights())
    filed(office, "2026-11-30")
    office.adopt("2026-12-01")
    app = office.app("2026-12-01")
    app.open()
    begun = app.calendars.service.undo("no", actor())
    with pytest.raises(Refused, match="by supervisor, not by staff"):
        office.app("2026-12-01").calendars.undo("no", "ann:staff")
    assert not office.app("2026-12-01").calendars.all()[0]["ended"]
    assert office.app("2026-12-01").calendars.undo("no", ODELL)["id"] == begun.id


@pytest.mark.parametrize("number", [None, 2])
def test_of_two_who_undo_at_once_the_second_finds_it_done_and_nothing_else_is_taken_back(
    office: Office, number: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    [case] = filed(office, "2026-11-30")
    office.adopt("2026-12-01")
    office.adopt("2026-12-01", CHANGED.replace("once: 2026-12-09", "once: 2026-12-10").replace('version: "2"', 'version: "3"'))
    second = office.app("2026-12-01")
    second.open()
    known = second.store.adoptions

    def first() -> Any:
        found = known()
        monkeypatch.undo()
        office.app("2026-12-01").calendars.undo("taken back", ODELL)
        return found

    if number is None:
        monkeypatch.setattr(second.store, "adoptions", first)
    else:
        office.app("2026-12-01").calendars.undo("taken back", ODELL)

    with pytest.raises(BadInput, match=r"Adoption 2 is undone already, by odell \(3\); nothing more was changed"):
        second.calendars.service.undo("taken back", actor(), number)

    assert [one["undone_by"] for one in office.app("2026-12-01").calendars.all()] == [None, 3, None]
    assert office.due("2026-12-01", case) == "2026-12-15"


def test_an_adoption_needs_a_reason(office: Office) -> None:
    filed(office, "2026-11-30")
    with pytest.raises(BadInput):
        office.app("2026-12-01").calendars.adopt(office.changed(), " ", ODELL)


def test_an_adoption_killed_in_the_middle_goes_on_and_moves_each_case_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = filed(office, *["2026-11-30"] * 5)
    app = office.app("2026-12-01")
    app.open()
    begun = app.calendars.service.adopt(CHANGED, "changed.yaml", WHY, actor())
    part = app.calendars.service.go_on(begun.id, 2)
    assert (part.moved, part.ended_at) == (2, None)
    dies = iter([None, None])

    def fall(self: Any, *_: Any) -> None:
        if next(dies, "end") == "end":
            raise KeyboardInterrupt

    from caseflow.services import calendars

    real = calendars.Calendars._one

    def one(self: Any, *given: Any) -> Any:
        made = real(self, *given)
        fall(self)
        return made

    monkeypatch.setattr(calendars.Calendars, "_one", one)
    with pytest.raises(KeyboardInterrupt):
        app.calendars.service.go_on(begun.id, 50)
    monkeypatch.undo()
    assert [office.actions("2026-12-01", number).count("calendar-adopted") for number in numbers] == [1, 1, 0, 0, 0]
    with pytest.raises(BadInput, match="Adoption 1 is still under way; repeat 'caseflow calendar adopt' with the same file"):
        office.adopt("2026-12-01", CHANGED.replace('version: "2"', 'version: "3"'))

    made = office.adopt("2026-12-01")

    assert (made["id"], made["moved"], made["looked"], made["ended"]) == (begun.id, 5, 5, True)
    assert [office.actions("2026-12-01", number).count("calendar-adopted") for number in numbers] == [1] * 5


def actor() -> Any:
    from caseflow.bootstrap.joining import actor_of

    return actor_of(ODELL)
