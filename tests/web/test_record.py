"""Corrections, approvals, and who looked at what."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from caseflow.errors import StoreFault
from caseflow.services.watching import ReadLog
from tests.web.conftest import SCRIPT, House, token, words
from tests.web.test_action_form import ASK, filed


def correct(client: TestClient, case: str, seq: int, intent: str, because: str, **more: str) -> Any:
    page = client.get(f"/cases/{case}/entries/{seq}").text
    return client.post(f"/cases/{case}/entries/{seq}", data={"form_token": token(page), "intent": intent, "because": because, **more})


def test_a_voided_entry_stays_struck_through_with_who_and_why(house: House) -> None:
    case, client = filed(house), house.client("wren")
    house.act(case, "add-note", "2026-12-01T09:00", note="Wrong reach.")
    done = correct(client, case, 2, "void", "Bank heights are for the wrong reach.")
    assert done.status_code == 303
    page = client.get(done.headers["location"]).text
    assert "Recorded: Void an entry" in words(page) and 'id="entry-2" class=" voided"' in page and "voided by 3" in words(page)
    assert "Because: Bank heights are for the wrong reach." in words(page)
    assert "A voided entry stays as it is." in words(client.get(f"/cases/{case}/entries/2").text)


def test_a_corrected_day_moves_the_dates_that_follow_from_it(house: House) -> None:
    case = filed(house, ())
    house.act(case, ASK, "2026-12-07T09:00", items=["NAV-e"])
    house.act(case, "accept-information", "2026-12-18T09:00")
    client = house.client("wren", "2026-12-18T10:00")
    assert correct(client, case, 3, "amend", "It lay in the mail room.", on="12/14/26").status_code == 303
    made = next(one for one in house.app("2026-12-18T10:00").show(case)["clocks"] if one["id"] == "determination")
    assert made["holds"][0]["to"] == "2026-12-14" and "day corrected" in words(client.get(f"/cases/{case}").text)


@pytest.mark.parametrize(
    ("intent", "because", "more"),
    [("void", "  ", {}), ("amend", "x", {"on": "soon"}), ("amend", "x", {"on": ""}), ("amend", "x", {"on": "1/1/40"}), ("void", "x" * 30_000, {})],
)
def test_a_correction_that_can_not_be_is_said_and_keeps_what_was_written(house: House, intent: str, because: str, more: dict[str, str]) -> None:
    case = filed(house)
    house.act(case, "add-note", "2026-12-01T09:00", note="x")
    sent = correct(house.client("wren"), case, 2, intent, because, **more)
    assert sent.status_code == 422 and "Nothing was recorded" in sent.text and house.app().show(case)["version"] == 2


@pytest.mark.parametrize("who", ["ada", "max"])
def test_a_role_that_only_reads_corrects_nothing(house: House, who: str) -> None:
    case = filed(house)
    house.act(case, "add-note", "2026-12-01T09:00", note="x")
    client = house.client(who)
    assert "Your role only reads." in words(client.get(f"/cases/{case}/entries/2").text)
    sent = client.post(f"/cases/{case}/entries/2", data={"form_token": token(client.get("/me").text), "intent": "void", "because": "x"})
    assert sent.status_code == 422 and "only reads" in words(sent.text) and house.app().show(case)["version"] == 2


@pytest.mark.parametrize("seq", ["99", "0", "-1", "x", "1e3", "99999999999999999999999"])
def test_an_entry_that_is_none_is_not_found(house: House, seq: str) -> None:
    assert house.client("wren").get(f"/cases/{filed(house)}/entries/{seq}").status_code in (400, 404)


def test_a_letter_that_waits_for_a_person_is_approved_by_one_who_may_and_by_no_other(house: House) -> None:
    case = filed(house)
    letter = f"{case}-L1"
    with house.app().store.begin() as work:
        work.letter_status(letter, "draft")
    reader = house.client("ada")
    refused = reader.post(f"/letters/{letter}/approve", data={"form_token": token(reader.get("/me").text)})
    assert refused.status_code == 409 and "a staff approves this letter" in words(refused.text)
    assert house.app().letter(letter)["status"] == "draft"
    chief = house.client("odell")
    page = chief.get(f"/letters/{letter}").text
    assert "Approve the letter" in page
    assert chief.post(f"/letters/{letter}/approve", data={"form_token": token(page)}).status_code == 303
    assert house.app().letter(letter)["status"] == "approved" and "Approve the letter" not in chief.get(f"/letters/{letter}").text
    again = chief.post(f"/letters/{letter}/approve", data={"form_token": token(page)})
    assert again.status_code == 409 and "only a draft is approved" in words(again.text)


def test_whoever_looks_at_a_case_is_noted(house: House) -> None:
    case = filed(house)
    app = house.app()
    from caseflow.web.app import create_app
    from caseflow.web.site import Site
    from tests.web.conftest import sign_in

    client = TestClient(create_app(Site(app, ("testserver",), scheduler=False)), follow_redirects=False)
    sign_in(client, "ada")
    for path in (f"/cases/{case}", f"/cases/{case}/why/determination", f"/letters/{case}-L1", f"/cases/{case}/entries/1", f"/cases/{case}/do/{ASK}"):
        assert client.get(path).status_code == 200
    client.get("/cases/WD-2026-99999-1")
    app.reads.flush()
    read = [one for _, one in app.store.accounts.readings(case=case)]
    assert [one.what for one in read] == [f"form {ASK}", "entry 1", f"letter {case}-L1", "why determination", "case"]
    assert {one.account for one in read} == {"ada"} and len(app.store.accounts.readings()) == 5


def test_reads_that_could_not_be_written_are_kept_and_written_later() -> None:
    class Shelf:
        locked, kept = True, []  # noqa: RUF012

        def note_readings(self, readings: Any) -> None:
            if self.locked:
                raise StoreFault("locked")
            self.kept += readings

    shelf = Shelf()
    log = ReadLog(shelf, lambda: None, within=60)  # type: ignore[arg-type, return-value]
    log.note("ada", "A", "case")
    log.flush()
    log.note("ada", "B", "case")
    shelf.locked = False
    log.flush()
    assert [one.case for one in shelf.kept] == ["A", "B"]


def test_a_look_at_a_case_is_written_within_a_second(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[float, Any]] = []

    class Waiting:
        daemon = False

        def __init__(self, seconds: float, what: Any) -> None:
            begun.append((seconds, what))

        def start(self) -> None: ...

        def cancel(self) -> None: ...

    monkeypatch.setattr("caseflow.services.watching.Timer", Waiting)
    case, app = filed(house), house.app()
    for _ in range(3):
        app.reads.note("ada", case, "case")
    ((seconds, write),) = begun
    assert seconds <= 1 and app.store.accounts.readings(case=case) == []
    write()
    assert len(app.store.accounts.readings(case=case)) == 3, "in one batch"


def test_a_hostile_reason_is_text_in_the_record(house: House) -> None:
    case, client = filed(house), house.client("wren")
    house.act(case, "add-note", "2026-12-01T09:00", note="x")
    assert correct(client, case, 2, "void", SCRIPT).status_code == 303
    assert "<script>alert" not in client.get(f"/cases/{case}").text
