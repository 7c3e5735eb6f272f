"""Versions of the rules on the site: which there are, how they differ, what each case would see, moving in parts, undoing; and who may."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from caseflow.web import wholedocket
from tests.acceptance.test_versions import changed
from tests.web.conftest import PASSWORD as SECRET
from tests.web.conftest import PEOPLE, House, token, words

NOW = "2026-12-07T09:00"


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Three open cases filed by the version that comes with the program; the site is since run with a later one."""
    made = House(tmp_path)
    app = made.app(NOW)
    app.store.upgrade()
    for name, role in PEOPLE.items():
        app.people.add(name, f"{name.capitalize()} Halloway", role, SECRET)
    for day in ("2026-11-30", "2026-12-04", "2026-12-04"):
        made.file(moment=f"{day}T09:00")
    made.packs = str(changed(tmp_path / "later").parent)
    return made


def compare_address(page: str) -> str:
    """Where the form that compares leads."""
    chosen = re.findall(r'<option value="([0-9a-f]{64})" selected', page)
    assert len(chosen) == 2
    return f"/workflows/versions/compare?from={chosen[0]}&to={chosen[1]}"


def test_a_supervisor_reads_the_difference_sees_each_case_moves_them_and_takes_it_back(house: House) -> None:
    client = house.client("odell", NOW)
    listed = client.get("/workflows/versions").text
    assert "3 open cases run by an older version of the rules" in words(listed)

    address = compare_address(listed)
    shown = words(client.get(address).text)
    assert "3 open cases would move" in shown and "Monday, January 4, 2027 (Day of Rest) is now a legal holiday." in shown
    assert "is 20 days instead of 30 days" in shown and "2 cases" not in shown.partition("What open cases")[0]
    assert "Time to provide the confirmation: Mon, Jan 4 Tue, Jan 5" in shown

    form = client.get(address).text
    moved = client.post(address, data={"form_token": token(form), "because": "2026 Act 9"})
    assert moved.status_code == 303
    done = client.get(moved.headers["location"]).text
    assert "3 cases moved to 2026.2" in words(done) and "2026 Act 9" in words(done)
    assert "Every open case runs by the version in force" in words(client.get("/workflows/versions").text)

    back = client.post(moved.headers["location"], data={"form_token": token(done), "intent": "undo", "because": "Not yet in force."})
    assert "3 cases moved back to 2026.1" in words(client.get(back.headers["location"]).text)
    assert house.app(NOW).verify(None)["faults"] == []


def test_a_move_goes_on_a_part_at_a_time_and_says_how_far_it_is(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wholedocket, "A_MOMENT", -1)
    monkeypatch.setattr(wholedocket, "A_PART", 1)
    client = house.client("odell", NOW)
    address = compare_address(client.get("/workflows/versions").text)
    form = client.get(address).text
    assert "1 of 3 open cases looked at here" in words(form) and "Look at the next of 2 open cases" in words(form)

    place = client.post(address, data={"form_token": token(form), "because": "2026 Act 9"}).headers["location"]
    for left in ("2 still", "1 still", "0 still"):
        told = client.get(place).text
        assert left in words(told) and "not finished" in words(told)
        assert client.post(place, data={"form_token": token(told), "intent": "go-on"}).headers["location"] == place
    assert "3 cases moved to 2026.2" in words(client.get(place).text) and "Finished" in words(client.get(place).text)


def test_without_a_reason_nothing_is_moved_and_the_page_says_so(house: House) -> None:
    client = house.client("odell", NOW)
    address = compare_address(client.get("/workflows/versions").text)
    answer = client.post(address, data={"form_token": token(client.get(address).text), "because": "  "})

    assert answer.status_code == 422 and "Nothing was moved" in words(answer.text)
    assert house.app(NOW).migrating.all() == []


def test_who_does_not_oversee_opens_none_of_it_and_an_auditor_only_reads(house: House) -> None:
    assert house.client("wren", NOW).get("/workflows/versions").status_code == 403
    assert "Versions of the rules" not in words(house.client("wren", NOW).get("/workflows").text)
    ada = house.client("ada", NOW)
    address = compare_address(ada.get("/workflows/versions").text)
    form = ada.get(address).text
    assert "Move the cases" not in form
    assert ada.post(address, data={"form_token": token(ada.get("/me").text), "because": "2026 Act 9"}).status_code == 403


def test_only_versions_that_are_listed_are_compared_and_no_folder_is_looked_for(house: House) -> None:
    client = house.client("odell", NOW)
    for asked in ("?from=/etc&to=/tmp", "", f"?from={'a' * 64}&to={'b' * 64}"):
        answer = client.get(f"/workflows/versions/compare{asked}")
        assert answer.status_code == 404 and "There is no such version of the rules" in words(answer.text)
    assert client.get("/workflows/versions/moves/7").status_code == 404
