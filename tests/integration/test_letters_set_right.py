"""A correction of the record and the letters that it finds: one that waits says what is so then, one that goes is corrected.

The small pack counts ten business days: filed on Monday, November 30, 2026, the answer is due on December 14. Here the hearing
owes a letter of its own, which states the last day as the hold before it left it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.store.memory import MemoryStore
from caseflow.bootstrap import App
from caseflow.domain.case import Actor
from caseflow.services import acting, wording
from caseflow.services.ports.letters import RegisteredLetter
from tests.unit.pack_texts import FLOW, LETTERS, spoiled
from tests.unit.small_office import REQUEST, written

ANN = Actor("person", "ann", "staff")
HEAR = "  hear: {title: Hear the owner, from: waiting, to: open, cite: Oakville by-law 7}\n"
HEARD = """  hear: {title: Hear the owner, from: [open, waiting], to: open, letters: heard, may-take: [reason], cite: Oakville by-law 7}
  look: {title: Look, from: open, to: same, takes: [ward], cite: Oakville by-law 7}
  tell: {title: Tell what lives there, from: open, to: same, letters: lives, cite: Oakville by-law 7}
"""
DECLARED = """letters:
  heard: {title: Heard, to: requester, states: [last day], cite: Oakville by-law 7}
  lives: {title: What lives there, to: requester, states: [last day], cite: Oakville by-law 7}
"""
TEXT = """---
subject: Heard
---
{WORDS}
{# states: last day #}
{{ clocks["answer"].due | day }}.
{# place: remark #}
"""
TOLD = "We heard you{% if facts.reason is defined %} about {{ facts.reason }}{% endif %}."


def pack() -> dict[str, str]:
    files = spoiled(LETTERS, "letters:\n", DECLARED, spoiled(FLOW, HEAR, HEARD))
    lives = TEXT.replace("{WORDS}", "In {{ facts.ward }} they live.")
    return {**files, "templates/heard.md": TEXT.replace("{WORDS}", TOLD), "templates/lives.md": lives}


class Desk:
    """One database and one pack; every call says on which day it is made."""

    def __init__(self, packs: Path, **store: Any) -> None:
        self.packs, self.store = packs, store

    def on(self, day: str) -> App:
        return App(**self.store, packs=str(self.packs), at=f"{day}T10:00", maildrop=str(self.packs.parent / "mail"))

    def file(self, day: str) -> str:
        return str(self.on(day).file(REQUEST)["cases"][0]["case"])

    def act(self, day: str, case: str, action: str, on: str | None = None, **facts: Any) -> None:
        self.on(day).act(case, action, facts, on, "ann:staff", None, None, False)

    def letter(self, number: str) -> RegisteredLetter:
        with self.on("2026-12-20").store.read() as work:
            return work.letter(number)

    def actions(self, case: str) -> list[str]:
        return [entry["action"] for entry in self.on("2026-12-20").timeline(case, "recorded", None)]

    def tasks(self, day: str, case: str) -> list[str]:
        return [task["id"] for task in self.on(day).show(case)["tasks"]]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    packs = written(tmp_path, pack())
    if request.param == "memory":
        return Desk(packs, store=MemoryStore())
    return Desk(packs, database=request.getfixturevalue("postgres_url") if request.param == "postgres" else f"sqlite:///{tmp_path / 'case.db'}")


@pytest.fixture
def lite(tmp_path: Path) -> Desk:
    return Desk(written(tmp_path, pack()), store=MemoryStore())


def heard(desk: Desk) -> str:
    """A case held from December 1 to December 3 whose letter about it waits: ten days and two, December 16."""
    number = desk.file("2026-11-30")
    desk.act("2026-12-01", number, "ask", reason="the height")
    desk.on("2026-12-02").dispatch(True)
    desk.act("2026-12-03", number, "hear")
    assert "Wednesday, December 16, 2026." in desk.letter(f"{number}-L2").markdown
    return number


def test_a_letter_that_waits_states_the_day_that_counts_once_an_entry_is_amended(desk: Desk) -> None:
    number = heard(desk)

    desk.on("2026-12-03").amend(number, 2, "2026-12-02", "It went out a day later.", "ann:staff")

    made = desk.letter(f"{number}-L2")
    assert "Tuesday, December 15, 2026." in made.markdown
    assert made.view["clocks"]["answer"]["due"] == "2026-12-15"
    assert desk.actions(number)[-2:] == ["amend", "letter-written"]
    assert desk.tasks("2026-12-03", number) == []
    desk.on("2026-12-04").dispatch(True)
    assert desk.letter(f"{number}-L2").status == "handed-over"
    assert desk.on("2026-12-04").verify(None)["faults"] == []


def test_a_letter_that_waits_states_the_day_that_counts_once_an_entry_is_voided(desk: Desk) -> None:
    number = heard(desk)

    desk.on("2026-12-03").void(number, 2, "It was another case.", "ann:staff")

    assert "Monday, December 14, 2026." in desk.letter(f"{number}-L2").markdown
    assert desk.on("2026-12-03").verify(None)["faults"] == []


def test_a_letter_that_waits_states_the_day_that_counts_once_an_act_is_typed_late(lite: Desk) -> None:
    number = lite.file("2026-11-30")
    lite.act("2026-12-04", number, "hear")

    lite.act("2026-12-04", number, "ask", on="2026-12-01", reason="the height")

    assert "Thursday, December 17, 2026." in lite.letter(f"{number}-L2").markdown
    assert lite.on("2026-12-04").verify(None)["faults"] == []


def test_the_letter_of_an_act_whose_own_day_is_amended_bears_that_day(lite: Desk) -> None:
    number = lite.file("2026-12-01")

    lite.on("2026-12-02").amend(number, 1, "2026-11-30", "The stamp says the 30th.", "ann:staff")

    made = lite.letter(f"{number}-L1")
    assert "Monday, December 14, 2026" in made.markdown
    assert made.view["letter"]["date"] == "2026-11-30"


def test_a_letter_whose_words_stay_the_same_is_left_alone(lite: Desk) -> None:
    number = lite.file("2026-11-30")
    lite.act("2026-12-01", number, "ask", reason="the height")
    was = lite.letter(f"{number}-L1")

    lite.on("2026-12-02").void(number, 2, "It was another case.", "ann:staff")

    assert lite.letter(f"{number}-L1") == was
    assert lite.actions(number) == ["file", "ask", "void"]


def test_other_words_than_days_are_set_right_too(lite: Desk) -> None:
    number = lite.file("2026-11-30")
    lite.act("2026-12-01", number, "hear", reason="the height")
    lite.act("2026-12-02", number, "hear")
    assert "about the height" in lite.letter(f"{number}-L3").markdown

    lite.on("2026-12-02").void(number, 2, "It was another case.", "ann:staff")

    assert "We heard you." in lite.letter(f"{number}-L3").markdown
    assert lite.letter(f"{number}-L2").status == "canceled"


def test_a_letter_that_somebody_signed_is_signed_again(lite: Desk) -> None:
    number = heard(lite)
    office = lite.on("2026-12-03").office
    with office.store.begin() as work:
        work.letter_status(f"{number}-L2", "approved")

    lite.on("2026-12-03").amend(number, 2, "2026-12-02", "It went out a day later.", "ann:staff")

    assert lite.letter(f"{number}-L2").status == "draft"
    assert lite.tasks("2026-12-03", number) == [f"letter-approval:{number}-L2"]


def test_what_somebody_wrote_into_a_letter_stands_in_the_new_words_and_is_signed_again(lite: Desk) -> None:
    number = heard(lite)
    wording.edit(lite.on("2026-12-03").office, f"{number}-L2", "remark", "Mind the nest.", ANN)

    lite.on("2026-12-03").amend(number, 2, "2026-12-02", "It went out a day later.", "ann:staff")

    made = lite.letter(f"{number}-L2")
    assert "Tuesday, December 15, 2026." in made.markdown and "Mind the nest." in made.markdown
    assert made.status == "draft"
    assert lite.tasks("2026-12-03", number) == [f"letter-approval:{number}-L2"]


def test_a_letter_that_lacks_what_it_has_to_say_after_a_correction_is_blocked_until_somebody_states_it(desk: Desk) -> None:
    number = heard(desk)
    desk.act("2026-12-03", number, "look", ward="Elm")
    desk.act("2026-12-03", number, "tell")
    assert "In Elm they live." in desk.letter(f"{number}-L3").markdown
    wording.edit(desk.on("2026-12-03").office, f"{number}-L3", "remark", "Mind the nest.", ANN)

    desk.on("2026-12-03").void(number, 5, "It was another tree.", "ann:staff")

    made = desk.letter(f"{number}-L3")
    assert (made.status, made.markdown, made.missing) == ("blocked", "", ("ward",))
    assert f"letter-blocked:{number}-L3" in desk.tasks("2026-12-03", number)
    desk.on("2026-12-04").dispatch(True)
    assert desk.letter(f"{number}-L3").status == "blocked", "it does not leave"
    wording.retry(desk.on("2026-12-04").office, f"{number}-L3", {"ward": "Oak"}, ANN)
    made = desk.letter(f"{number}-L3")
    assert "In Oak they live." in made.markdown and "Mind the nest." in made.markdown
    assert made.status == "draft"
    assert desk.on("2026-12-04").verify(None)["faults"] == []
    desk.on("2026-12-04").amend(number, 2, "2026-12-02", "It went out a day later.", "ann:staff")
    made = desk.letter(f"{number}-L3")
    assert "Tuesday, December 15, 2026." in made.markdown and "In Oak they live." in made.markdown, "what was stated stays stated"


PATIENCE = """  patience:
    title: Time to be heard
    length: {days: 5}
    starts: ask
    met: hear
    overdue: go-on
    cite: Oakville by-law 7
actions:
  go-on: {title: Go on unheard, by: scheduler, from: waiting, to: open, cite: Oakville by-law 7}
"""


def patient(folder: Path) -> Path:
    """The pack whose hold ends by itself after five days, with a letter that may be owed meanwhile and says whether a last day runs."""
    files = spoiled(FLOW, "actions:\n", PATIENCE, pack())
    files = spoiled(FLOW, "{from: ask, until: hear,", "{from: ask, until: [hear, go-on],", files)
    files = spoiled(FLOW, "tell: {title: Tell what lives there, from: open,", "tell: {title: Tell what lives there, from: [open, waiting],", files)
    text = """{# states: last day #}\n{% if clocks["answer"].due %}{{ clocks["answer"].due | day }}{% else %}It rests{% endif %}.\n"""
    return written(folder, {**files, "templates/lives.md": text})


@pytest.mark.parametrize("by", ["the void itself", "a sweep"])
def test_a_letter_says_what_the_law_did_on_a_day_before_its_own(tmp_path: Path, by: str) -> None:
    desk = Desk(patient(tmp_path), store=MemoryStore())
    number = desk.file("2026-11-30")
    desk.act("2026-12-01", number, "ask", reason="the height")
    desk.act("2026-12-03", number, "hear")
    desk.act("2026-12-10", number, "tell")
    letter = f"{number}-L3"
    assert "Wednesday, December 16, 2026." in desk.letter(letter).markdown

    if by == "the void itself":
        desk.on("2026-12-10").void(number, 3, "It was another case.", "ann:staff")
    else:
        app = desk.on("2026-12-10")
        acting.void(app.office, number, 3, "It was another case.", ANN)
        assert "It rests." in desk.letter(letter).markdown
        app.sweep(None)

    # Five days from December 1 end on a Sunday, hence on Monday the 7th; unheard it goes on by itself on the 8th. Five business days
    # were held: from December 14 to the 21st.
    assert [entry["effective_on"] for entry in desk.on("2026-12-10").timeline(number, "recorded", None) if entry["action"] == "go-on"] == ["2026-12-08"]
    assert "Monday, December 21, 2026." in desk.letter(letter).markdown
    assert desk.on("2026-12-10").verify(None)["faults"] == []


@pytest.mark.parametrize("begun", ["claimed", "tried", "printed"])
def test_a_letter_that_is_just_being_handed_over_keeps_its_words_and_is_to_be_corrected(lite: Desk, begun: str) -> None:
    number = heard(lite)
    was = lite.letter(f"{number}-L2")
    app = lite.on("2026-12-03")
    with app.office.store.begin() as work:
        [copy] = work.letter(f"{number}-L2").copies
        until = app.now() + timedelta(minutes=5)
        change = {"claimed": {"claim": "run", "claimed_until": until}, "tried": {"attempts": 1}, "printed": {"batch": "B-1"}}[begun]
        work.copy_changed(replace(copy, **change), None)

    lite.on("2026-12-03").amend(number, 2, "2026-12-02", "It went out a day later.", "ann:staff")

    assert lite.letter(f"{number}-L2").markdown == was.markdown
    assert lite.actions(number)[-1] == "amend"
    assert lite.tasks("2026-12-03", number) == [f"correct-letter:{number}-L2"]
    assert lite.on("2026-12-03").verify(None)["faults"] == []
