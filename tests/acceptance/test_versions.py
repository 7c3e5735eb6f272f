"""Two versions of the Wisconsin rules, one with an added holiday and another response target: compared, moved to and taken back over a sample docket."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from caseflow.bootstrap import App
from caseflow.demo import seed
from caseflow.domain.case import Case
from caseflow.domain.consequences import UNSAID
from tests.conftest import PACK, ROOT

SEEDED, TODAY = date(2026, 12, 22), "2026-12-22T08:00"
HOLIDAY = "      - {name: Day of Rest, once: 2027-01-04, source: 2026 Act 9}\n"


def changed(folder: Path) -> Path:
    """The second version: January 4, 2027 is a legal holiday, and an answer is expected within 20 days instead of the 30 of a setting."""
    home = folder / "workflows" / PACK.name
    shutil.copytree(PACK, home, ignore=shutil.ignore_patterns("scenarios", "samples"))
    shutil.copytree(ROOT / "templates", folder / "templates")
    for file, old, new in (
        ("calendar.yaml", "      - {name: Veterans Day", f"{HOLIDAY}      - {{name: Veterans Day"),
        ("calendar.yaml", 'version: "2026.1"', 'version: "2026.2"'),
        ("determination-service.yaml", "length: {days: {setting: info_response_target_days}}", "length: {days: 20}"),
        ("pack.yaml", 'version: "2026.1"', 'version: "2026.2"'),
    ):
        path = home / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
    pack = home / "pack.yaml"
    pack.write_text(re.sub(r"  info_response_target_days:\n(?:    .*\n)+", "", pack.read_text()))
    return home


class Docket:
    """A sample docket with what it was before and after, and what was said of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.later = changed(folder / "later")
        self.app = App(str(folder / "case.db"), at=TODAY, maildrop=str(folder / "mail"))
        seed(App(str(folder / "case.db"), maildrop=str(folder / "mail")), SEEDED, 45, 36)
        self.app.sweep(None)
        self.old = self.app.library.all()[0].hash
        self.before = self.cases()
        self.rows_before = self.timers()
        self.preview = self.app.pack_migrate(self.old[:12], str(self.later), "", None, True, 25)[0]
        self.untouched = self.cases() == self.before
        self.move = self.app.pack_migrate(self.old[:12], str(self.later), "2026 Act 9", "odell:supervisor", False, 7)[0]
        self.after = self.cases()
        self.rows_after = self.timers()
        self.faults_after = self.app.verify(None)["faults"]
        self.back = self.app.pack_migrate_back("Not yet in force.", "odell:supervisor", 10)
        self.again = self.cases()
        self.rows_again = self.timers()

    def cases(self) -> dict[str, Case]:
        with self.app.store.read() as work:
            return {number: work.case(number) for number in self.app.store.numbers()}

    def timers(self) -> set[tuple[str, str]]:
        """Every open timer of the database."""
        with self.app.store.read() as work:
            rows = work.due(self.app.now().replace(year=2040), 100_000)
        found = [(row.case, row.timer.id) for row in rows]
        assert len(found) == len(set(found)), "a timer stands twice"
        return set(found)


@pytest.fixture(scope="module")
def docket(tmp_path_factory: pytest.TempPathFactory) -> Docket:
    return Docket(tmp_path_factory.mktemp("versions"))


def members(before: Case, after: Case) -> set[str]:
    return {one.name for one in fields(Case) if one.name not in UNSAID and getattr(before, one.name) != getattr(after, one.name)}


def without_entries(case: Case) -> Case:
    """The case without the letters that the entries of a move owed and its undoing called off."""
    return case.revised(letters=tuple(one for one in case.letters if (one.id, one.status) != ("dates-changed", "canceled")))


def test_the_difference_of_the_two_versions_is_said_in_words_a_lawyer_reads(docket: Docket) -> None:
    made = docket.app.pack_diff(docket.old[:12], str(docket.later))
    texts = [change["text"] for group in made["groups"] for change in group["changes"]]

    assert any(text == "Monday, January 4, 2027 (Day of Rest) is now a legal holiday." for text in texts)
    assert any(text.startswith("The length of the clock “Suggested time for the answer” is 20 days instead of 30 days (by the setting") for text in texts)
    assert any(text.startswith("Gone: the setting “How many days are suggested") for text in texts)
    assert sorted(text for text in texts if "2026.2" in text) == [
        "The label of the calendar wisconsin-dnr is “2026.2” instead of “2026.1”.",
        "The label of the pack “Wisconsin Department of Natural Resources, waterway rules” is “2026.2” instead of “2026.1”.",
    ]
    assert made["changes"] == 5


def test_the_preview_names_every_open_case_with_its_dates_before_and_after_and_changes_nothing(docket: Docket) -> None:
    dates = [(one["case"], change) for one in docket.preview["cases"] for change in one["changes"] if change["part"] == "date"]
    holiday = [change for _, change in dates if change["was"] == "2027-01-04" and change["is"] == "2027-01-05"]
    target = [change for _, change in dates if change["id"] == "response-target"]

    assert docket.untouched and docket.preview["open"] == docket.preview["moves"] + docket.preview["blocked"] > 15
    assert holiday and target
    assert all((date.fromisoformat(one["was"]) - date.fromisoformat(one["is"])).days in (9, 10, 11) for one in target if one["is"])


def test_nothing_changes_that_the_preview_did_not_list(docket: Docket) -> None:
    told: Mapping[str, Any] = {one["case"]: one for one in docket.preview["cases"]}

    for number, case in docket.after.items():
        listed = set(told[number]["members"]) if number in told and not told[number]["blocked"] else set()
        assert members(docket.before[number], case) == listed, number
        for change in told[number]["changes"] if listed else ():
            if change["part"] == "timer" and change["is"] is not None:
                assert any(timer.id == change["id"] for timer in case.timers), number
    moved = {number for number, case in docket.after.items() if case.pack_version != docket.old}
    assert moved == {number for number, one in told.items() if not one["blocked"]}
    assert docket.faults_after == []


def test_no_timer_is_lost_or_doubled_and_those_on_record_are_those_of_the_cases(docket: Docket) -> None:
    for rows, cases in ((docket.rows_before, docket.before), (docket.rows_after, docket.after), (docket.rows_again, docket.again)):
        assert rows == {(number, timer.id) for number, case in cases.items() for timer in case.timers}


def test_taken_back_every_case_is_what_it_was_but_for_its_entries(docket: Docket) -> None:
    assert (docket.back["moved"], docket.back["blocked"]) == (docket.move["moved"], []) and docket.move["moved"] > 15
    assert {number: left for number, case in docket.again.items() if (left := members(docket.before[number], without_entries(case)))} == {}
    assert all(case.pack_version == docket.old for case in docket.again.values())
    assert docket.app.verify(None)["faults"] == []
