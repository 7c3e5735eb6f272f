"""Documents, imports, adoptions, moves and disposals on PostgreSQL whose wire breaks: in the middle of the work, and after COMMIT before
its answer. Each is done once, and is told as done; the disposal under the role that may remove records, and under no other."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from caseflow.bootstrap import App
from caseflow.domain.case import Actor
from caseflow.errors import StoreFault
from caseflow.services.documents import Given
from caseflow.services.searching import find
from tests.relay import Relay
from tests.server import Server
from tests.unit.dockets import act, file_of, older
from tests.unit.pack_texts import CALENDAR, FLOW, PACK, sound, spoiled
from tests.unit.small_office import REQUEST, written

ODELL, ANN = "odell:supervisor", Actor("person", "ann", "staff")
PLAN = b"%PDF-1.7\nthe plan\n%%EOF\n"
KEPT = "retention: {schedules: {trees: {title: Trees, keep: {years: 7}, cite: Oakville by-law 12}}}\nagency:"
HOLIDAY = "      - {name: Day of the Oak, once: 2026-12-09, source: Oakville order 9}\n      - {name: Tree Day"
Do = Callable[["Office"], None]


class Office:
    """The small pack on a database of the server, for whom it is reached as which role."""

    def __init__(self, folder: Path, server: Server, url: str, relay: Relay) -> None:
        self.folder, self.server, self.name, self.relay = folder, server, server.name_of(url), relay
        self.packs = written(folder, spoiled(PACK, "agency:", KEPT, sound()))
        self.case = ""

    def on(self, day: str, role: str = "caseflow_app", far: bool = True) -> App:
        address = self.server.address(self.name, role)
        folders = {"maildrop": str(self.folder / "mail"), "documents": str(self.folder / "documents")}
        return App(self.relay.address(address) if far else address, packs=str(self.packs), at=f"{day}T10:00", **folders)

    def near(self, day: str = "2034-12-31") -> App:
        return self.on(day, far=False)

    def actions(self) -> list[str]:
        return [entry["action"] for entry in self.near().timeline(self.case, "recorded", None)]


@pytest.fixture
def office(ours: Server, postgres_url: str, tmp_path: Path) -> Iterator[Office]:
    relay = Relay(ours.folder)
    made = Office(tmp_path, ours, postgres_url, relay)
    made.case = str(made.near("2026-11-30").file(REQUEST)["cases"][0]["case"])
    yield made
    relay.close()


def document(office: Office) -> None:
    app = office.on("2026-12-01")
    made = app.documents.take_in(office.case, [Given("plan.pdf", io.BytesIO(PLAN))], ANN)
    assert [one.id for one in made.taken] == [f"{office.case}-D1"]
    assert office.actions() == ["file", "documents-received"]


def imports(office: Office) -> None:
    lines = [older(f"A-{number}", act("2027-01-06", "ask", reason="the ward"), filed="2027-01-04T09:00") for number in range(3)]
    made = office.on("2027-01-12").take_in(str(file_of(office.folder / "older.jsonl", *lines)), "mo:staff", False)
    assert (made["cases"], made["written"], len(list(office.near().store.numbers()))) == (3, True, 4)


def adoption(office: Office) -> None:
    file = office.folder / "changed.yaml"
    file.write_text(spoiled(CALENDAR, "      - {name: Tree Day", HOLIDAY)[CALENDAR].replace('version: "1"', 'version: "2"'))
    assert office.on("2026-12-01").calendars.adopt(str(file), "Order 9.", ODELL)["moved"] == 1
    assert office.actions().count("calendar-adopted") == 1
    assert [one["id"] for one in office.near().calendars.all()] == [1]


def move(office: Office) -> None:
    later = spoiled(FLOW, "length: {business-days: 10}", "length: {business-days: 12}")
    written(office.folder, {**later, PACK: later[PACK].replace('version: "1"', 'version: "2"')})
    [made] = office.on("2026-12-01").pack_migrate("1", "2", "Longer.", ODELL, False, 25)
    assert (made["moved"], office.actions().count("pack-moved"), len(office.near().migrating.all())) == (1, 1, 1)


def disposal(office: Office) -> None:
    before = office.near("2026-12-01")
    before.documents.take_in(office.case, [Given("plan.pdf", io.BytesIO(PLAN))], ANN)
    before.act(office.case, "decide", {"answer": "It may fall."}, None, ODELL, None, None, False)
    office.near("2026-12-02").dispatch(True)
    assert find(office.near().office, "Reed", 10) == [office.case]

    made = office.on("2034-01-05", "caseflow_records").retention.dispose(None, None, ODELL, "Yearly disposal.", None)

    assert [one["case"] for one in made["disposed"]] == [office.case]
    assert made["cleared"] is False, "only the owner of the tables writes them anew"
    near = office.near()
    assert (near.store.disposals.count(), list(near.store.numbers()), find(near.office, "Reed", 10)) == (1, [], [])
    assert [one for one in (office.folder / "documents").rglob("*") if one.is_file()] == []
    owner = office.on("2034-01-06", "caseflow_owner", far=False)
    assert owner.retention.dispose(None, None, ODELL, "Yearly disposal.", None)["cleared"] is True


WORK: dict[str, tuple[Do, bytes]] = {
    "a document": (document, b"INSERT INTO document "),
    "an import": (imports, b"INSERT INTO case_file "),
    "an adoption": (adoption, b"INSERT INTO calendar_adoption "),
    "a move of cases": (move, b"INSERT INTO pack_move "),
    "a disposal": (disposal, b"DELETE FROM case_file "),
}


@pytest.mark.parametrize("name", WORK)
@pytest.mark.parametrize("when", ["in the middle", "after COMMIT"])
def test_work_whose_wire_breaks_is_done_once_and_told_as_done(office: Office, name: str, when: str) -> None:
    do, marker = WORK[name]

    def cut(sent: bytes) -> bool:
        if when == "after COMMIT":
            return b"COMMIT\0" in sent  # and not where a transaction begins as READ COMMITTED
        return marker in sent and office.relay.cuts == 0

    office.relay.cut = cut
    do(office)
    office.relay.cut = lambda sent: False

    assert office.relay.cuts >= 1
    assert office.near().verify(None)["faults"] == []


@pytest.mark.parametrize("role", ["caseflow_app", "caseflow_reader"])
def test_no_other_role_than_that_of_records_disposes_of_one(office: Office, role: str) -> None:
    office.near("2026-12-01").act(office.case, "decide", {"answer": "It may fall."}, None, ODELL, None, None, False)
    office.near("2026-12-02").dispatch(True)

    with pytest.raises(StoreFault, match="may not do this; nothing was changed"):
        office.on("2034-01-05", role).retention.dispose(None, None, ODELL, "Yearly disposal.", None)

    near = office.near()
    assert (list(near.store.numbers()), near.store.disposals.count(), near.verify(None)["faults"]) == ([office.case], 0, [])
