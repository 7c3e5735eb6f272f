"""The audit: what counted from when and was typed when, what the site showed meanwhile, and who did and saw what."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest

from caseflow.services import auditing
from caseflow.services.ports.people import Reading
from tests.web.conftest import SCRIPT, House, words
from tests.web.test_action_form import ASK

NOW = "2027-01-05T09:00"


def story(house: House) -> str:
    """Asked on December 11; an answer accepted on the 22nd and voided on the 23rd; the right one typed on January 4, of December 29."""
    case = house.file(moment="2026-11-30T16:47")
    house.app("2026-12-11T10:12").act(case, ASK, {"items": ["NAV-c", "NAV-e"]}, None, "wren:staff", None, None, False)
    done = house.app("2026-12-22T15:15").act(case, "accept-information", {"items": ["NAV-c", "NAV-e"]}, None, "wren:staff", None, None, False)
    house.app("2026-12-23T08:50").void(case, done["version"], "The heights are for the wrong reach.", "odell:supervisor")
    house.app("2027-01-04T09:05").act(case, "accept-information", {"items": ["NAV-c", "NAV-e"]}, "2026-12-29", "wren:staff", None, None, False)
    return case


def audit(house: House, case: str, moment: str = NOW, **more: Any) -> dict[str, Any]:
    return house.app(moment).auditing.case(case, **more)  # type: ignore[no-any-return]


def test_an_audit_tells_what_the_site_showed_after_each_entry(house: House) -> None:
    case = story(house)
    made = audit(house, case)
    shown = {
        one["action"] + str(one["seq"]): (one["shown"]["kind"], one["shown"]["due"], one["shown"]["kept"])
        for one in made["entries"]
        if one["action"] != "warn-deadline"
    }
    assert list(shown.values()) == [
        ("running", "2026-12-30", None),  # 30 days after November 30
        ("held", None, 19),  # 11 days are used on December 11
        ("running", "2027-01-11", None),  # 19 days after December 22 is Sunday the 10th, so Monday
        ("held", None, 19),
        ("running", "2027-01-19", None),  # 19 days after December 29 is Sunday the 17th; the 18th is a holiday
    ]
    pieces = [(piece["from"], piece["to"], piece["shown"]["due"], piece["voided"]) for piece in made["strip"]]
    assert pieces == [
        ("2026-11-30", "2026-12-10", "2026-12-30", False),
        ("2026-12-11", "2026-12-21", None, False),
        ("2026-12-22", "2026-12-22", "2027-01-11", True),
        ("2026-12-23", "2027-01-03", None, False),
        ("2027-01-04", "2027-01-05", "2027-01-19", False),
    ]


def test_what_the_strip_says_of_a_day_is_what_the_docket_showed_on_that_day(house: House) -> None:
    case = story(house)
    for piece in audit(house, case)["strip"]:
        for day in (piece["from"], piece["to"]):
            (row,) = house.app(NOW).overseeing.cases({"show": "open", "as_of": day})["rows"] if day != "2027-01-05" else house.app(NOW).docket_page({})["rows"]
            assert row["next"]["due"] == piece["shown"]["due"], day


def test_the_short_way_and_the_long_way_show_the_same(house: House) -> None:
    app, case = house.app(NOW), story(house)
    with app.store.read() as work:
        found, entries = work.case(case), work.entries(case)
    book = app.library.of(found)
    ordered = auditing._in_order(entries)
    assert 2 <= ordered < len(entries)
    for upto in range(1, len(entries) + 1):
        slow = auditing.shown(book, auditing.fold(book, entries[:upto]).case)
        assert auditing.shown_after(book, entries[:upto])[upto] == slow == auditing.shown_after(book, entries)[upto]


def test_corrections_without_end_leave_something_unsaid_and_the_last_is_told(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    case = story(house)
    monkeypatch.setattr(auditing, "MOST_REPLAYED", 0)
    told = [one["shown"] for one in audit(house, case)["entries"]]
    assert told[-1]["due"] == "2027-01-19" and None in told[:-1]
    assert "not computed" in words(house.client("odell", NOW).get(f"/cases/{case}/audit").text)


def test_the_page_shows_late_entries_and_voided_ones_struck_through(house: House) -> None:
    case = story(house)
    page = house.client("odell", NOW).get(f"/cases/{case}/audit").text
    said = words(page)
    assert "6 days after" in said and "3 days after" not in words(re.sub(r"<tr>(?:(?!</tr>).)*Scheduler.*?</tr>", "", page, flags=re.DOTALL))
    struck = [words(one) for one in re.findall(r"<s>(.*?)</s>", page)]
    assert struck == ["Accept the information as satisfying the request", "Mon, Jan 11, 2027"]
    assert re.search(r"voided by \d", said) and "Because: The heights are for the wrong reach." in said
    assert "Mon, Jan 11, 2027 for 1 day, then voided" in said
    assert "nothing differs" in said


def test_an_audit_as_known_on_a_day_knows_nothing_later(house: House) -> None:
    case = story(house)
    client = house.client("odell", NOW)
    page = words(client.get(f"/cases/{case}/audit?known_on=Dec+22").text)
    assert "as known on Tue, Dec 22, 2026" in page and "2 entries were recorded later and are left out" in page
    assert "voided by" not in page and "6 days after" not in page
    assert "The case has no entry recorded by Sunday, November 29, 2026" in words(client.get(f"/cases/{case}/audit?known_on=2026-11-29").text)


def test_by_effective_day_a_late_entry_stands_where_it_counts(house: House) -> None:
    case = story(house)
    note = house.app("2027-01-04T10:00").act(case, "add-note", {"note": "Seen."}, "2026-12-01", "wren:staff", None, None, False)["version"]
    orders = {by: [one["seq"] for one in audit(house, case, by=by)["entries"]] for by in ("recorded", "effective")}
    assert orders["recorded"] == sorted(orders["effective"]) and orders["effective"].index(note) < orders["recorded"].index(note)
    assert house.client("odell", NOW).get(f"/cases/{case}/audit?by=color").status_code == 400


def test_a_record_that_was_tampered_with_is_told_first(house: House) -> None:
    import sqlite3

    case = story(house)
    with sqlite3.connect(house.folder / "case.db") as other:
        for (name,) in other.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entry'").fetchall():
            other.execute(f'DROP TRIGGER "{name}"')
        other.execute("UPDATE entry SET because = 'Because.' WHERE seq = 2")
    assert "The record does not add up. Entry 2" in words(house.client("odell", NOW).get(f"/cases/{case}/audit").text)


@pytest.mark.parametrize(("who", "status"), [("wren", 403), ("max", 403), ("ada", 200), ("odell", 200), (None, 303)])
def test_audits_are_for_roles_that_oversee(house: House, who: str | None, status: int) -> None:
    case = house.file()
    client = house.client(who)
    assert [client.get(path).status_code for path in (f"/cases/{case}/audit", "/board/audit")] == [status, status]
    if who is not None:
        assert (f"/cases/{case}/audit" in client.get(f"/cases/{case}").text) is (status == 200)


def test_a_foreign_case_and_none_are_answered_alike(house: House) -> None:
    page = house.client("odell").get("/cases/NONE/audit")
    assert page.status_code == 404 and "There is no such case" in words(page.text)


def test_who_opened_a_case_is_told_and_the_audit_itself_is_noted(house: House) -> None:
    case, other = house.file(moment="2026-12-01T09:00"), house.file(moment="2026-12-01T09:00")
    at = datetime(2027, 1, 4, 15, 0, tzinfo=UTC)
    told = [
        Reading(at, "wren", case, "case"),
        Reading(at + timedelta(hours=1), "wren", case, "letter 1"),
        Reading(at - timedelta(days=40), "max", case, "case"),
    ]
    house.app().store.accounts.note_readings([*told, Reading(at, "ada", other, "case")])
    app = house.app(NOW)
    client = house.client("odell", NOW)
    page = words(client.get(f"/cases/{case}/audit").text)
    assert "In the last 30 days: Wren Halloway 2 times (last Mon, Jan 4, 10:00 am) ." in page
    assert "Max" not in page.split("Who opened this case")[1] and "Ada" not in page.split("Who opened this case")[1]
    rows = [(row["by"], row["what"], row["case"]) for row in app.auditing.office({"what": "reads"})["rows"]]
    assert rows == [("Ada Halloway", "case", other), ("Wren Halloway", "letter 1", case), ("Wren Halloway", "case", case)]


def test_the_office_is_summed_by_person_and_by_case_and_listed_one_by_one(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    case = story(house)
    other = house.file(moment="2027-01-04T11:00")
    app = house.app(NOW)
    made = app.auditing.office({"from": "2026-12-20"})
    acts = {row["name"]: row["acts"] for row in made["people"]}
    assert acts["Wren Halloway"] == 2 and acts["Odell Halloway"] == 1
    assert [row["at"] for row in made["rows"]] == sorted((row["at"] for row in made["rows"]), reverse=True)
    assert sum(acts.values()) == len(made["rows"])
    assert {row["id"]: row["acts"] for row in app.auditing.office({"by": "case", "from": "2026-12-20"})["people"]} == {case: len(made["rows"]) - 1, other: 1}
    assert {row["case"] for row in app.auditing.office({"who": "wren"})["rows"]} == {case}
    assert {row["late"] for row in app.auditing.office({"who": "wren"})["rows"]} == {6}

    monkeypatch.setattr("caseflow.web.pages.audit.SIZE", 2)
    client, address, seen = house.client("odell", NOW), "/board/audit?from=2026-11-30", []
    while address:
        page = client.get(address).text
        seen += re.findall(r'href="(/cases/[^"]+/entries/\d+)"', page)
        more = re.search(r'<a href="([^"]+)" rel="next"', page)
        address = unescape(more[1]) if more else ""
    assert len(seen) == len(set(seen)) == len(app.timeline(case, "recorded", None)) + len(app.timeline(other, "recorded", None))


@pytest.mark.parametrize(
    "address",
    [
        "from=2027-01-03&to=2027-01-01",
        "from=2020-01-01",
        "what=all",
        "by=day",
        "after=x",
        "after=2027-01-01|a|b",
        "what=reads&after=-1",
        "from=x",
        f"after=2026-12-01T00:00:00%2B00:00|x|{'9' * 25}",
        f"what=reads&after={'9' * 25}",
        f"what=reads&after={'9' * 5000}",
    ],
)
def test_a_period_that_is_none_is_refused_in_a_sentence(house: House, address: str) -> None:
    page = house.client("odell", NOW).get(f"/board/audit?{address}")
    assert page.status_code == 400 and "fault" not in words(page.text)


@pytest.mark.parametrize("address", ["to=0001-01-01", "to=Jan+1,+0001", "from=0001-01-01&to=0001-01-02"])
def test_a_period_at_the_beginning_of_days_is_empty(house: House, address: str) -> None:
    house.file()
    page = house.client("odell", NOW).get(f"/board/audit?{address}")
    assert page.status_code == 200 and "/entries/" not in page.text


def test_names_stay_names_in_audits(house: House) -> None:
    case = house.file(waterbodies=[{"name": SCRIPT, "county": "Dane"}], moment="2027-01-04T09:00")
    house.app(NOW).void(case, house.act(case, "add-note", NOW, note=SCRIPT)["version"], SCRIPT, "odell:supervisor")
    client = house.client("odell", NOW)
    for path in (f"/cases/{case}/audit", "/board/audit", f"/board/audit?by=case&case={case}", f"/board/audit?who={SCRIPT}"):
        page = client.get(path)
        assert page.status_code == 200 and "<script>alert" not in page.text, path
