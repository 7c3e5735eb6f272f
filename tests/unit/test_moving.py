"""A case goes under other rules by an entry: its journal is folded under the rules of its last entry, and back again.

The small pack counts ten business days: filed on Monday, November 30, 2026, the answer is due on December 14.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from caseflow.domain.case import Act, Actor, Case, Outcome
from caseflow.domain.moving import Adoption, in_force, ruled_by
from caseflow.domain.replay import fold, replay_faults
from caseflow.errors import Refused, StoreFault
from caseflow.services.moving import move
from tests.unit.pack_texts import CALENDAR, FLOW, spoiled
from tests.unit.small_office import Desk

CHANGED = spoiled(CALENDAR, "      - {name: Tree Day", "      - {name: Day of the Oak, once: 2026-12-09, source: Oakville order 9}\n      - {name: Tree Day")[
    CALENDAR
].replace('version: "1"', 'version: "2"')
VERSION = f"2@{sha256(CHANGED.encode()).hexdigest()}"
ODELL = Actor("person", "odell", "supervisor")


def moved(desk: Desk, day: str, number: str, version: str, facts: dict[str, Any] | None = None, pack: str | None = None) -> Outcome:
    """Puts a case under a calendar that is kept, and saves it."""
    app = desk.app(day)
    app.open()
    with app.store.begin() as work:
        work.keep_calendar(sha256(CHANGED.encode()).hexdigest(), CHANGED)
    with app.store.begin() as work:
        case = work.case(number)
        new = app.library.of(case.revised(calendar_version=version, pack_version=pack or case.pack_version))
        asked = Act("calendar-adopted" if pack is None else "pack-moved", ODELL, facts or {}, None, "The council added a holiday.")
        return move(app.office, work, case, new, asked, app.now())


def stored(desk: Desk, day: str, number: str) -> Case:
    app = desk.app(day)
    app.open(writes=False)
    with app.store.read() as work:
        found: Case = work.case(number)
    return found


def due(desk: Desk, day: str, number: str) -> str | None:
    found: str | None = desk.app(day).show(number)["clocks"][0]["due"]
    return found


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, {})


def test_an_added_holiday_moves_the_last_day_and_the_timers_by_one_entry_and_the_record_still_replays(desk: Desk) -> None:
    number = desk.file("2026-11-30")["cases"][0]["case"]

    outcome = moved(desk, "2026-12-02", number, VERSION)

    assert due(desk, "2026-12-02", number) == "2026-12-15"
    assert [timer.due for timer in outcome.timers_set] == [date(2026, 12, 15)]
    entry = outcome.entries[0]
    assert (entry.action, entry.calendar_version, entry.because) == ("calendar-adopted", VERSION, "The council added a holiday.")
    assert [(one["clock"], one["due_was"], one["due"]) for one in entry.facts["moved"]] == [("answer", "2026-12-14", "2026-12-15")]
    app = desk.app("2026-12-02")
    assert app.verify(None)["faults"] == []
    assert [one["due_after"].get("answer") for one in app.timeline(number, "recorded", None)] == ["2026-12-15"] * 3


def test_what_was_known_before_the_adoption_is_told_by_the_rules_of_that_day(desk: Desk) -> None:
    number = desk.file("2026-11-30")["cases"][0]["case"]
    moved(desk, "2026-12-02", number, VERSION)

    [filed] = desk.app("2026-12-03").timeline(number, "recorded", "2026-12-01")

    assert filed["due_after"] == {"answer": "2026-12-14"}


def test_a_move_that_is_undone_leaves_the_case_as_it_was_but_for_its_entries(desk: Desk) -> None:
    number = desk.file("2026-11-30")["cases"][0]["case"]
    desk.app("2026-12-01").dispatch(False)
    before = stored(desk, "2026-12-01", number)
    first = moved(desk, "2026-12-02", number, VERSION)
    assert [task.id for task in first.case.tasks] == [f"correct-letter:{number}-L1"]

    moved(desk, "2026-12-03", number, "1", {"entry": first.entries[0].seq})

    after = stored(desk, "2026-12-03", number)
    assert replace(after, version=before.version, head=before.head) == before
    assert desk.app("2026-12-03").verify(None)["faults"] == []
    told = desk.app("2026-12-03").timeline(number, "recorded", None)
    assert (told[-1]["voids"], told[-2]["voided_by"]) == (told[-2]["seq"], told[-1]["seq"])


def test_a_warning_that_no_longer_follows_is_withdrawn_and_comes_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path, spoiled(FLOW, "    silence: fall-silent", "    silence: fall-silent\n    warn-before: [2]"))
    number = desk.file("2026-11-30")["cases"][0]["case"]
    desk.app("2026-12-10").sweep(None)

    outcome = moved(desk, "2026-12-10", number, VERSION)

    assert [entry.action for entry in outcome.entries] == ["calendar-adopted", "withdrawn-by-correction"]
    assert [entry.calendar_version for entry in outcome.entries] == [VERSION, VERSION]
    assert [timer.kind for timer in outcome.case.timers] == ["warn-2", "silence"]
    assert desk.app("2026-12-11").verify(None)["faults"] == []


def test_an_act_that_would_no_longer_be_legal_blocks_the_move_and_is_named(desk: Desk, tmp_path: Path) -> None:
    number = desk.file("2026-11-30")["cases"][0]["case"]
    desk.act("2026-12-01", number, "ask", reason="the height")
    before = stored(desk, "2026-12-01", number)
    other = Desk(
        tmp_path / "other",
        spoiled(FLOW, "ask: {title: Ask the owner, from: open, to: waiting,", "ask: {title: Ask the owner, by: supervisor, from: open, to: waiting,"),
    )
    pack = other.app("2026-12-02").library.all()[0]
    app = desk.app("2026-12-02")
    app.open()
    with app.store.begin() as work:
        work.keep_pack(pack, other.app("2026-12-02").library.files(pack.hash))

    with pytest.raises(Refused, match="can't go under the other rules") as refused:
        moved(desk, "2026-12-02", number, "1", pack=pack.hash)

    assert [(reason.code, reason.entries) for reason in refused.value.reasons] == [("not-permitted", (2,))]
    assert stored(desk, "2026-12-02", number) == before


def test_the_rules_of_an_entry_are_asked_by_what_it_carries(desk: Desk) -> None:
    number = desk.file("2026-11-30")["cases"][0]["case"]
    outcome = moved(desk, "2026-12-02", number, VERSION)
    app = desk.app("2026-12-02")
    with app.store.read() as work:
        entries = work.entries(number)

    books = [app.library.of(ruled_by(outcome.case, entry)) for entry in entries]

    assert [book.calendar.version for book in books] == ["1", VERSION, VERSION]
    assert fold(books[1], entries).case == outcome.case
    assert fold(books[0], entries[:1]).case.calendar_version == "1"
    assert replay_faults(books[0], outcome.case, entries) != []


def test_a_kept_calendar_that_was_changed_afterwards_is_refused(desk: Desk) -> None:
    number = desk.file("2026-11-30")["cases"][0]["case"]
    moved(desk, "2026-12-02", number, VERSION)
    app = desk.app("2026-12-02")
    from sqlalchemy import text

    with app.store.engine.begin() as connection:
        connection.execute(text("UPDATE kept_calendar SET text = replace(text, '2026-12-09', '2026-12-10')"))

    with pytest.raises(StoreFault, match=r"The calendar 2@\w{12} that the database keeps was changed"):
        desk.app("2026-12-02").show(number)


def adoption(number: int, version: str | None, *replaces: str, undoes: int | None = None) -> Adoption:
    return Adoption(number, "oakville", version, replaces, datetime(2026, 12, 1, tzinfo=UTC), "odell", "supervisor", "because", undoes)


def test_the_last_adoption_that_replaced_a_calendar_file_and_was_not_undone_is_in_force() -> None:
    first, second = adoption(1, "2@a", "own"), adoption(2, "3@b", "own")

    def version(*adoptions: Adoption, own: str = "own") -> str | None:
        found = in_force(adoptions, "oakville", own)
        return found.version if found is not None else None

    assert version(first) == "2@a"
    assert version(first, second) == "3@b"
    assert version(first, second, adoption(3, None, undoes=2)) == "2@a"
    assert version(first, adoption(2, None, undoes=1)) is None
    assert version(first, own="another file") is None, "a pack whose calendar file differs wins again"
    assert in_force([first], "elsewhere", "own") is None
