"""Disposal on a database: what goes, what is left, what a hold keeps, and that nobody gets by the narrow door."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from caseflow.bootstrap import App
from caseflow.domain.case import Actor
from caseflow.domain.journal import sealed
from caseflow.domain.retention import Stub
from caseflow.errors import Disposed, StoreFault
from caseflow.services.documents import Given
from caseflow.services.searching import find
from tests.unit.pack_texts import PACK, sound, spoiled
from tests.unit.small_office import Desk

SCHEDULES = "retention: {schedules: {trees: {title: Trees, keep: {years: 7}, cite: Oakville by-law 12}}}\nagency:"
NOW, ANN, WHY = "2034-01-05", "ann:supervisor", "Yearly disposal."
NAME, STREET, MAIL = "Philippa Quarterstaff", "17 Wolfhound Terrace", "pippa.q@example.org"
PLAN = b"%PDF-1.7\nthe plan of Philippa Quarterstaff\n%%EOF\n"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two trees decided on December 1, 2026, with a plan each that is the same, and one still open; everything was sent."""
    folder = tmp_path_factory.mktemp("office")
    desk = Desk(folder, spoiled(PACK, "agency:", SCHEDULES, sound()))
    owner = {"name": NAME, "capacity": "owner", "email": MAIL, "address": [STREET, "Oakville"]}
    numbers = [desk.file("2026-11-30", requester=owner)["cases"][0]["case"] for _ in range(3)]
    app = desk.app("2026-12-01")
    for number in numbers:
        app.documents.take_in(number, [Given("plan.pdf", io.BytesIO(PLAN))], Actor("person", "ann", "staff"), None, app.now())
    app.documents.take_in(numbers[0], [Given("more.pdf", io.BytesIO(PLAN + b"more\n"))], Actor("person", "ann", "staff"), None, app.now())
    for number in numbers[:2]:
        desk.act("2026-12-01", number, "decide", answer=f"{NAME} may fell it.")
    app = desk.app("2026-12-02")
    app.dispatch(True)
    assert set(find(app.office, "Quarterstaff", 10)) == set(numbers), "its words are in the index"
    app.store.close()
    return folder


@pytest.fixture
def desk(office: Path, tmp_path: Path) -> Iterator[Callable[[str], App]]:
    """The same office for one test; call it with a day."""
    shutil.copytree(office, tmp_path / "office")
    made: list[App] = []

    def at(day: str = NOW) -> App:
        app = App(
            database=f"sqlite:///{tmp_path / 'office' / 'case.db'}",
            packs=str(tmp_path / "office" / "workflows"),
            at=f"{day}T10:00",
            maildrop=str(tmp_path / "office" / "mail"),
        )
        made.append(app)
        return app

    yield at
    for app in made:
        app.store.engine.dispose()


def numbers(app: App) -> list[str]:
    return list(app.store.numbers())


def dispose(app: App) -> dict[str, Any]:
    made: dict[str, Any] = app.retention.dispose(None, None, ANN, WHY, None)
    return made


def test_the_record_goes_and_a_stub_is_left_that_verifies(desk: Callable[..., App]) -> None:
    app = desk()
    one, two, still = numbers(app)
    with app.store.read() as work:
        entries = work.entries(one)
    made = dispose(app)
    assert [stub["case"] for stub in made["disposed"]] == [one, two] and made["cleared"]
    stub = app.retention.stub(one)
    assert stub is not None
    assert (stub["entries"], stub["first"], stub["head"]) == (len(entries), entries[0].hash, entries[-1].hash)
    assert (stub["kept_through"], stub["disposed_on"], stub["cites"]) == ("2033-12-01", NOW, ["Oakville by-law 12"])
    found = app.verify(None)
    assert (found["faults"], found["stubs"], found["cases"]) == ([], 2, 1)
    assert numbers(app) == [still]
    with pytest.raises(Disposed, match=f"The record of {one} was disposed of on {NOW}, under the schedule 'trees' \\(Trees; Oakville by-law 12\\)"):
        app.show(one)


def test_nothing_personal_is_left_in_the_bytes_of_the_files(desk: Callable[..., App], tmp_path: Path) -> None:
    app = desk()
    one, two, still = numbers(app)
    for kept in (NAME, STREET, MAIL):
        assert kept.encode() in (tmp_path / "office" / "case.db").read_bytes(), "the test must find what it looks for"
    app.sweep(None)  # nobody answered: the third is granted by silence
    app.dispatch(True)
    assert [stub["case"] for stub in dispose(app)["disposed"]] == [one, two, still]
    left = b"".join(path.read_bytes() for path in (tmp_path / "office").glob("case.db*"))
    words = [word for kept in (NAME, STREET, MAIL) for word in kept.replace("@", " ").replace(".", " ").split() if len(word) > 4 and word != "example"]
    assert words == ["Philippa", "Quarterstaff", "Wolfhound", "Terrace", "pippa"]
    assert [word for word in words if word.lower().encode() in left.lower()] == []
    assert one.encode() in left and two.encode() in left


def test_a_content_that_another_case_has_too_stays_and_the_rest_is_unlinked(desk: Callable[..., App], tmp_path: Path) -> None:
    app, folder = desk(), tmp_path / "office" / "documents"
    still = numbers(app)[2]
    assert len([path for path in folder.rglob("*") if path.is_file()]) == 2
    dispose(app)
    [left] = [path for path in folder.rglob("*") if path.is_file()]
    assert left.read_bytes() == PLAN
    with app.store.read() as work:
        [document] = work.documents(still)
    with app.documents.content(document) as file:
        assert file.read() == PLAN


def test_a_case_is_kept_while_its_letters_wait(desk: Callable[..., App]) -> None:
    app = desk()
    still = numbers(app)[2]
    app.sweep(None)
    [line] = app.retention.due(None, None)["kept_back"]
    assert line["case"] == still and line["kept_back"][0]["condition"] == "letters-waiting"
    assert still not in [stub["case"] for stub in dispose(app)["disposed"]] and app.show(still)["case"] == still


def test_a_number_is_never_given_anew(desk: Callable[..., App], tmp_path: Path) -> None:
    app = desk()
    dispose(app)
    sample = {"requester": {"name": "Pat Reed", "capacity": "owner", "email": "pat@example.org"}, "services": ["tree-permit"]}
    fresh = app.file({**sample, "waterbodies": [{"name": "the elm"}], "facts": {"girth_cm": 120}})["cases"][0]["case"]
    assert fresh not in ("C-2026-00001-1", "C-2026-00002-1", "C-2026-00003-1")
    with closing(sqlite3.connect(tmp_path / "office" / "case.db")) as other, pytest.raises(sqlite3.IntegrityError, match="not given again"), other:
        gone = other.execute('SELECT "case" FROM disposal').fetchone()[0]
        names = [row[1] for row in other.execute("PRAGMA table_info(case_file)") if row[1] != "number"]
        columns = ", ".join(f'"{name}"' for name in names)
        other.execute(f"INSERT INTO case_file (number, {columns}) SELECT ?, {columns} FROM case_file LIMIT 1", (gone,))  # noqa: S608


def test_a_hold_beats_the_schedule(desk: Callable[..., App]) -> None:
    app = desk()
    one, two, _ = numbers(app)
    app.retention.hold([one], None, {}, "A lawsuit.", "2033CV0042", ANN)
    made = dispose(app)
    assert [stub["case"] for stub in made["disposed"]] == [two]
    assert [line["case"] for line in made["kept_back"]] == [one]
    assert "2033CV0042" in made["kept_back"][0]["kept_back"][0]["text"]
    app.retention.lift([one], None, "Settled.", None, ANN)
    assert [stub["case"] for stub in dispose(app)["disposed"]] == [one]


def test_a_hold_placed_between_the_list_and_the_transaction_still_beats_it(desk: Callable[..., App], monkeypatch: pytest.MonkeyPatch) -> None:
    app = desk()
    one = numbers(app)[0]
    disposal = app.retention.disposal
    found = disposal._transferred

    def late(number: str, *given: Any) -> Any:
        if number == one:
            desk().retention.hold([one], None, {}, "A lawsuit.", None, ANN)
        return found(number, *given)

    monkeypatch.setattr(disposal, "_transferred", late)
    made = dispose(app)
    assert one not in [stub["case"] for stub in made["disposed"]] and [line["case"] for line in made["kept_back"]] == [one]


def test_the_database_itself_refuses_a_stub_for_a_case_under_hold(desk: Callable[..., App]) -> None:
    app = desk()
    one = numbers(app)[0]
    stub = _stub_of(app, one)
    app.retention.hold([one], None, {}, "A lawsuit.", None, ANN)
    with app.store.read() as work:
        case = work.case(one)
    with pytest.raises(StoreFault, match="can't be changed or removed"), app.store.begin() as work:
        work.dispose(case, Stub(1, sealed(replace(stub.entry, seq=case.version + 1, prev_hash=case.head))))
    assert app.verify(one)["faults"] == [] and app.show(one)["flags"] == ["legal-hold"]


@pytest.mark.parametrize("turn", range(4))
def test_whoever_comes_first_a_held_case_is_whole(desk: Callable[..., App], turn: int) -> None:
    one, gate = numbers(desk())[0], Barrier(2)

    def hold() -> bool:
        app = desk()
        gate.wait()
        try:
            app.retention.hold([one], None, {}, "A lawsuit.", None, ANN)
        except Disposed:
            return False
        return True

    def go() -> list[str]:
        app = desk()
        gate.wait()
        return [stub["case"] for stub in dispose(app)["disposed"]]

    with ThreadPoolExecutor(2) as pool:
        first, second = (hold, go) if turn % 2 else (go, hold)
        made = [pool.submit(first), pool.submit(second)]
        held, gone = (made[0].result(), made[1].result()) if turn % 2 else (made[1].result(), made[0].result())
    app = desk()
    assert held != (one in gone), "either the hold came in time and the case is whole, or it was told that the record is gone"
    assert (app.retention.stub(one) is None) == held
    assert app.verify(None)["faults"] == []


def _stub_of(app: App, number: str) -> Stub:
    """A sound stub of a case that is made and not kept."""
    from caseflow.domain.retention import stub_of

    disposal = app.retention.disposal
    with app.store.read() as work:
        made = disposal._judged(work, work.case(number))
        first = work.entries(number)[0].hash
    return stub_of(made.book, made.case, first, made.term, 1, "0" * 64, WHY, Actor("person", "ann", "supervisor"), app.now(), "k" * 32, made.pack.hash)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE disposal SET because = 'No reason.' WHERE place = 1", "the stub was changed after the disposal"),
        ("UPDATE disposal SET actor_id = 'bo' WHERE place = 2", "the stub was changed after the disposal"),
        ("UPDATE disposal SET prev_hash = hash WHERE place = 1", "the stub was changed after the disposal"),
        ("DELETE FROM disposal WHERE place = 1", "the disposal number 1 is missing; 2 stands in its place"),
    ],
)
def test_verify_finds_a_stub_that_was_changed_or_taken_away(desk: Callable[..., App], tmp_path: Path, change: str, said: str) -> None:
    dispose(desk())
    with closing(sqlite3.connect(tmp_path / "office" / "case.db")) as owner, owner:
        for name in ("disposal_no_update", "disposal_no_delete"):
            owner.execute(f"DROP TRIGGER {name}")
        owner.execute(change)
    assert said in [fault["text"] for fault in desk().verify(None)["faults"]]


def test_verify_finds_a_forged_stub_sealed_anew(desk: Callable[..., App], tmp_path: Path) -> None:
    app = desk()
    dispose(app)
    [first, _] = app.store.disposals.stubs()
    forged = sealed(replace(first.entry, facts={**first.entry.facts, "head": "f" * 64}))
    with closing(sqlite3.connect(tmp_path / "office" / "case.db")) as owner, owner:
        owner.execute("DROP TRIGGER disposal_no_update")
        owner.execute("UPDATE disposal SET facts = ?, hash = ? WHERE place = 1", (json.dumps(forged.facts), forged.hash))
    said = [fault["text"] for fault in desk().verify(None)["faults"]]
    assert "the stub contradicts itself" in said and "the link to the disposal before does not fit" in said


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM entry",
        "UPDATE entry SET facts = '{}'",
        "DELETE FROM letter",
        "DELETE FROM letter_copy",
        "DELETE FROM letter_attempt",
        "DELETE FROM document",
        "DELETE FROM case_file",
        "DELETE FROM disposal",
        "UPDATE disposal SET because = ''",
        "INSERT OR REPLACE INTO disposal SELECT * FROM disposal",
    ],
)
def test_the_record_of_every_other_case_and_the_stubs_refuse_change_as_before(desk: Callable[..., App], tmp_path: Path, change: str) -> None:
    dispose(desk())
    with closing(sqlite3.connect(tmp_path / "office" / "case.db")) as other, pytest.raises(sqlite3.IntegrityError, match="append-only"), other:
        other.execute(change)
    assert desk().verify(None)["faults"] == []


def test_a_docket_with_stubs_is_backed_up_and_restored_as_it_is(desk: Callable[..., App], tmp_path: Path) -> None:
    app = desk()
    one = numbers(app)[0]
    dispose(app)
    app.backup(str(tmp_path / "b.zip"))
    back = App(database=f"sqlite:///{tmp_path / 'back' / 'case.db'}", packs=str(tmp_path / "office" / "workflows"), at=f"{NOW}T11:00")
    back.restore(str(tmp_path / "b.zip"))
    assert back.retention.stub(one) == app.retention.stub(one)
    assert back.verify(None)["faults"] == [] and back.verify(one)["stubs"] == 1


def test_what_goes_to_the_archive_is_written_there_first_and_kept_back_without_it(tmp_path: Path) -> None:
    text = SCHEDULES.replace("cite:", "then: archive, cite:")
    office = Desk(tmp_path, spoiled(PACK, "agency:", text, sound()))
    number = office.file("2026-11-30")["cases"][0]["case"]
    office.act("2026-12-01", number, "decide", answer="Yes.")
    office.app("2026-12-02").dispatch(True)
    app = office.app(NOW)
    assert dispose(app)["kept_back"][0]["kept_back"][0]["condition"] == "archive"
    made = app.retention.dispose(None, None, ANN, WHY, str(tmp_path / "archive"))
    assert [stub["case"] for stub in made["disposed"]] == [number]
    checkpoint = json.loads((tmp_path / "archive" / number / "checkpoint.json").read_text())
    assert checkpoint["head"] == made["disposed"][0]["head"]


def test_a_day_that_lies_ahead_is_only_for_looking(desk: Callable[..., App]) -> None:
    app = desk("2033-11-30")
    assert len(app.retention.due(None, "2033-12-02")["due"]) == 2 and app.retention.due(None, "2033-12-01")["due"] == []
    with pytest.raises(Exception, match="lies after today"):
        app.retention.dispose(None, "2033-12-02", ANN, WHY, None)
    assert dispose(app)["disposed"] == [] and date.fromisoformat(NOW) > date(2033, 12, 2)
