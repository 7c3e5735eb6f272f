"""The sections of a case's page: findings, notes, money, people and lists of them, tasks with their act."""

from __future__ import annotations

import re

import pytest

from tests.web.conftest import SCRIPT, House, token, words
from tests.web.test_action_form import ASK, filed


def test_a_note_is_written_on_the_page_and_moves_no_date(house: House) -> None:
    case, client = filed(house), house.client("wren")
    before = house.app().show(case)
    page = client.get(f"/cases/{case}").text
    assert "Nobody has written a note." in words(page)
    command = re.search(r'name="command_id" value="([0-9a-f]{32})"', page)
    assert command is not None
    given = {"form_token": token(page), "command_id": command[1], "intent": "do", "f.note": f"Ann called.\n{SCRIPT}"}
    for _ in range(2):  # sent twice, it is there once
        assert client.post(f"/cases/{case}/do/add-note", data=given).status_code == 303
    page = client.get(f"/cases/{case}").text
    said = words(page)
    assert "Ann called." in said and re.search(r"wren, Tue, Dec 1, 2026 · entry \d", said) and "<script>alert" not in page
    after = house.app().show(case)
    assert after["version"] == before["version"] + 1 and after["state"] == before["state"]
    assert [clock["due"] for clock in after["clocks"]] == [clock["due"] for clock in before["clocks"]]


def test_an_empty_note_is_refused_beside_its_field(house: House) -> None:
    case, client = filed(house), house.client("wren")
    page = client.get(f"/cases/{case}").text
    answer = client.post(f"/cases/{case}/do/add-note", data={"form_token": token(page), "intent": "do", "f.note": " "})
    assert answer.status_code == 422 and "State this; the action needs it." in words(answer.text)


def test_an_act_that_merely_may_take_a_note_is_not_the_one_that_writes_notes(house: House) -> None:
    case = house.file("general-permit")
    assert f'action="/cases/{case}/do/add-note"' in house.client("wren").get(f"/cases/{case}").text


def test_who_only_reads_sees_notes_and_no_form(house: House) -> None:
    case = filed(house)
    house.act(case, "add-note", "2026-12-01T09:00", note="Seen from the bridge.")
    said = words(house.client("ada").get(f"/cases/{case}").text)
    assert "Seen from the bridge." in said and "A new note" not in said


def test_findings_say_what_passes_what_fails_and_what_a_person_must_judge(house: House) -> None:
    case = house.file("general-permit")
    page = house.client("wren").get(f"/cases/{case}").text
    said = words(page)
    assert "Findings" in said and "General permits: fords, boat landings" in said
    assert re.search(r"GP-C1 The conditions on erosion control.{0,160}For a person to judge record", said)
    link = re.search(r'href="(/cases/[^"]+/do/([a-z-]+))#f-judgments"', page)
    assert link is not None and house.client("wren").get(link[1]).status_code == 200
    assert 'id="findings"' not in house.client("wren").get(f"/cases/{filed(house)}").text, "a workflow without rules has none"


def test_money_that_moved_is_listed_with_its_day_and_way(house: House) -> None:
    said = words(house.client("wren").get(f"/cases/{filed(house)}").text)
    assert "Mon, Nov 30: $100.00 received by check" in said


def test_a_task_links_to_the_act_that_settles_it_and_says_when_a_supervisor_is_told(house: House) -> None:
    case = house.file(exclusions={"X-a1": True, "X-a2": False, "X-a3": False, "X-a4": False, "X-a5": False, "X-b": False, "X-c": False})
    page = house.client("wren").get(f"/cases/{case}").text
    assert re.search(rf'<ul class="duties">.*?href="/cases/{case}/do/exclude"', page, re.S) and "a supervisor is told" in words(page)


def test_everyone_of_a_case_is_listed_with_how_letters_reach_them(house: House) -> None:
    case = filed(house)
    said = words(house.client("wren").get(f"/cases/{case}/people").text)
    assert "Ann Larsen owner requester by e-mail, ann.larsen@example.org W5680 Example Road, Sample Falls WI 54000" in said


def test_a_list_of_people_is_checked_and_taken_in_whole(house: House) -> None:
    case, client = filed(house), house.client("wren")
    page = client.get(f"/cases/{case}/people").text
    listed = f"name,email,address\nBo Berg,bo@example.org,\n{SCRIPT.replace(',', '')},,1 Example Road; Larkfield WI 54000\n"
    checked = client.post(f"/cases/{case}/people", data={"form_token": token(page), "intent": "check", "list": listed})
    assert "2 people can be taken in: Bo Berg" in words(checked.text) and house.app().show(case)["version"] == 1
    command = re.search(r'name="command_id" value="([0-9a-f]{32})"', checked.text)
    assert command is not None
    given = {"form_token": token(checked.text), "intent": "do", "list": listed, "command_id": command[1]}
    for _ in range(2):
        assert client.post(f"/cases/{case}/people", data=given).status_code == 303
    parties = house.app().show(case)["parties"]
    assert [party["name"] for party in parties if party["role"] == "interested-person"] == ["Bo Berg", SCRIPT]
    assert client.post(f"/cases/{case}/people", data={**given, "list": "name,email\nAnn Hill,ann@example.org"}).status_code == 303, "back, and another list"
    assert "Ann Hill" in [party["name"] for party in house.app().show(case)["parties"]]
    assert "<script>alert" not in client.get(f"/cases/{case}/people").text


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("name,email\nBo Berg,\n", "row 2: neither email nor address"),
        ("nome,email\nBo,bo@example.org", "no column 'nome'; did you mean 'name'?"),
        ("", "the column 'name' is missing"),
        ("name,email\nBo,bo@example.org\nAl,al at example", "row 3: email"),
    ],
)
def test_a_list_with_a_fault_takes_nobody_in_and_stays_in_the_form(house: House, listed: str, said: str) -> None:
    case, client = filed(house), house.client("wren")
    answer = client.post(f"/cases/{case}/people", data={"form_token": token(client.get(f"/cases/{case}/people").text), "intent": "do", "list": listed})
    assert answer.status_code == 422 and said in words(answer.text) and house.app().show(case)["version"] == 1


def test_who_only_reads_takes_no_list_in(house: House) -> None:
    case, client = filed(house), house.client("ada")
    assert "Take a list in" not in client.get(f"/cases/{case}/people").text
    sent = {"form_token": token(client.get("/me").text), "intent": "do", "list": "name,email\nBo,bo@example.org"}
    assert client.post(f"/cases/{case}/people", data=sent).status_code == 403 and house.app().show(case)["version"] == 1


def test_every_entry_is_on_the_page_though_five_are_shown(house: House) -> None:
    case = filed(house, ())
    house.act(case, ASK, "2026-12-01T09:00", items=["NAV-e"])
    for number in range(6):
        house.act(case, "add-note", "2026-12-01T09:00", note=f"Note {number}.")
    page = house.client("wren").get(f"/cases/{case}").text
    assert "Show all 8 entries" in words(page) and all(f'id="entry-{number}"' in page for number in range(1, 9))
    assert "printed Tue, Dec 1, 2026 by Wren Halloway" in words(page)
