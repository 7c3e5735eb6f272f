"""What writes is tried again where the database did nothing of it: every transaction here fails at its end for the first time, and each
effect is there once."""

from __future__ import annotations

import io
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.documents import Folder
from caseflow.adapters.store.memory import MemoryStore, MemoryWork
from caseflow.bootstrap import App
from caseflow.domain.case import Actor
from caseflow.errors import TryAgain
from caseflow.services import again, legalholds
from caseflow.services.documents import Documents, Given, Limits
from tests.unit.dockets import act, file_of, older
from tests.unit.pack_texts import CALENDAR, FLOW, PACK, sound, spoiled
from tests.unit.small_office import REQUEST, written

ODELL = "odell:supervisor"
ANN, BO = Actor("person", "ann", "staff"), Actor("person", "odell", "supervisor")
PLAN = b"%PDF-1.7\nthe plan\n%%EOF\n"
KEPT = "retention: {schedules: {trees: {title: Trees, keep: {years: 7}, cite: Oakville by-law 12}}}\nagency:"


class Office:
    """The small pack on a database in memory. `failed` counts the transactions that came to nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store, self.failed = folder, MemoryStore(), 0
        self.packs = written(folder, spoiled(PACK, "agency:", KEPT, sound()))

    def on(self, day: str) -> App:
        return App(store=self.store, packs=str(self.packs), at=f"{day}T10:00", maildrop=str(self.folder / "mail"), documents=str(self.folder / "documents"))

    def file(self, day: str) -> str:
        return str(self.on(day).file(REQUEST)["cases"][0]["case"])

    def actions(self, case: str) -> list[str]:
        return [entry["action"] for entry in self.on("2034-12-31").timeline(case, "recorded", None)]


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


@pytest.fixture
def failing(office: Office, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when it is called, the end of every transaction fails once."""
    monkeypatch.setattr(again, "PAUSES", (0.0, 0.0))
    real, ends = MemoryWork.flush, [0]

    def flush(work: MemoryWork) -> None:
        ends[0] += 1
        if ends[0] % 2:
            office.failed += 1
            raise TryAgain("crossed")
        real(work)

    return lambda: monkeypatch.setattr(MemoryWork, "flush", flush)


def documents(office: Office, day: str) -> Documents:
    return Documents(office.on(day).office, Folder(office.folder / "documents"), Limits())


def test_a_document_is_taken_in_once(office: Office, failing: Callable[[], None]) -> None:
    case = office.file("2026-11-30")
    failing()

    receipt = documents(office, "2026-12-01").take_in(case, [Given("a.pdf", io.BytesIO(PLAN)), Given("b.pdf", io.BytesIO(PLAN + b" "))], ANN)

    assert office.failed == 1
    assert [one.id for one in receipt.taken] == [f"{case}-D1", f"{case}-D2"]
    assert office.actions(case) == ["file", "documents-received"]
    with documents(office, "2026-12-01").content(receipt.taken[0]) as file:
        assert file.read() == PLAN
    assert office.on("2026-12-01").verify(None)["faults"] == []


def test_a_content_that_went_between_two_tries_is_kept_again(tmp_path: Path) -> None:
    folder, digest = Folder(tmp_path), sha256(PLAN).hexdigest()
    with folder.batch() as batch:
        batch.take(io.BytesIO(PLAN), 1000)
        batch.keep()
        folder.remove(digest)
        batch.keep()

    assert folder.fault(digest) is None
    assert list((tmp_path / "arriving").iterdir()) == []


def test_an_import_brings_each_case_once(office: Office, failing: Callable[[], None], tmp_path: Path) -> None:
    lines = [older(f"A-{number}", act("2027-01-06", "ask", reason="the ward")) for number in range(3)]
    failing()

    made = office.on("2027-01-12").take_in(str(file_of(tmp_path / "older.jsonl", *lines)), "mo:staff", False)

    assert (office.failed, made["cases"], made["written"]) == (1, 3, True)
    assert len(list(office.store.numbers())) == 3
    assert office.on("2027-01-12").take_in(str(tmp_path / "older.jsonl"), "mo:staff", False)["known"] == 3


def test_an_adoption_and_its_undoing_move_each_case_once(office: Office, failing: Callable[[], None], tmp_path: Path) -> None:
    case = office.file("2026-11-30")
    holiday = "      - {name: Day of the Oak, once: 2026-12-09, source: Oakville order 9}\n      - {name: Tree Day"
    changed = spoiled(CALENDAR, "      - {name: Tree Day", holiday)[CALENDAR].replace('version: "1"', 'version: "2"')
    (tmp_path / "changed.yaml").write_text(changed)
    failing()

    adopted = office.on("2026-12-01").calendars.adopt(str(tmp_path / "changed.yaml"), "Order 9.", ODELL)
    undone = office.on("2026-12-02").calendars.undo("Too early.", ODELL)

    assert (adopted["moved"], undone["moved"]) == (1, 1)
    assert office.failed == 4, "each began and went on"
    assert office.actions(case).count("calendar-adopted") == 2
    assert [one["id"] for one in office.on("2026-12-02").calendars.all()] == [2, 1]
    assert office.on("2026-12-02").verify(None)["faults"] == []


def test_a_move_of_cases_and_its_undoing_move_each_case_once(office: Office, failing: Callable[[], None]) -> None:
    case = office.file("2026-03-02")
    later = spoiled(FLOW, "length: {business-days: 10}", "length: {business-days: 7}")
    written(office.folder, {**later, PACK: later[PACK].replace('version: "1"', 'version: "2"')})
    failing()

    [made] = office.on("2026-03-03").pack_migrate("1", "2", "Shorter.", ODELL, False, 25)
    back = office.on("2026-03-04").pack_migrate_back("Too early.", ODELL, 25)

    assert (made["moved"], back["moved"]) == (1, 1)
    assert office.failed == 4
    assert office.actions(case).count("pack-moved") == 2
    assert office.on("2026-03-04").verify(None)["faults"] == []


def test_a_record_is_disposed_of_once(office: Office, failing: Callable[[], None]) -> None:
    case = office.file("2026-11-30")
    documents(office, "2026-12-01").take_in(case, [Given("a.pdf", io.BytesIO(PLAN))], ANN)
    office.on("2026-12-01").act(case, "decide", {"answer": "It may fall."}, None, ODELL, None, None, False)
    office.on("2026-12-02").dispatch(True)
    failing()

    made = office.on("2034-01-05").retention.dispose(None, None, ODELL, "Yearly disposal.", None)

    assert [one["case"] for one in made["disposed"]] == [case]
    assert office.failed == 1
    assert office.store.disposals.count() == 1
    assert not any((office.folder / "documents").rglob(sha256(PLAN).hexdigest()[2:]))
    assert office.on("2034-01-05").verify(None)["faults"] == []


def test_a_legal_hold_is_placed_once_and_lifted_once(office: Office, failing: Callable[[], None]) -> None:
    case = office.file("2026-11-30")
    failing()

    legalholds.place(office.on("2026-12-01").office, [case], "A suit.", "Oak v. Elm", BO)
    legalholds.lift(office.on("2026-12-02").office, [case], "It is over.", "Oak v. Elm", None, BO)

    assert office.failed == 2
    assert [name for name in office.actions(case) if "hold" in name] == ["legal-hold-placed", "legal-hold-lifted"]


def test_what_never_succeeds_ends_with_the_fault_and_leaves_nothing(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    case = office.file("2026-11-30")
    monkeypatch.setattr(again, "PAUSES", (0.0, 0.0))
    tries = []

    def fails(_: Any) -> None:
        tries.append(1)
        raise TryAgain("lost")

    monkeypatch.setattr(MemoryWork, "flush", fails)
    with pytest.raises(TryAgain):
        documents(office, "2026-12-01").take_in(case, [Given("a.pdf", io.BytesIO(PLAN))], ANN)
    monkeypatch.undo()

    assert len(tries) == 3
    assert office.actions(case) == ["file"]
