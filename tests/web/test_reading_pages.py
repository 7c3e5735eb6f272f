"""The docket and the case as they are read: dates with weekdays, reasons, the record, and who may see what."""

from __future__ import annotations

import pytest

from tests.web.conftest import House, words


def test_the_docket_shows_the_soonest_target_first_with_weekday_and_office_days(house: House) -> None:
    later = house.file(moment="2026-11-30T09:00")
    sooner = house.file(moment="2026-11-23T09:00")
    page = house.client("wren").get("/docket").text
    assert page.index(sooner) < page.index(later)
    assert "Wed, Dec 23" in page and "16 office days" in words(page), (
        "filed on November 23: 30 days end on December 23, 3 + 5 + 5 + 3 office days from December 1"
    )


def test_the_docket_goes_on_by_key_and_shows_every_case_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caseflow.web.pages.docket.SIZE", 2)
    filed = {house.file(moment=f"2026-11-{day}T09:00") for day in (20, 23, 24, 25, 27)}
    held = next(iter(filed))
    house.act(held, "request-information", "2026-11-30T09:00", items=["NAV-e"], reason="It is missing.")
    client, path, seen = house.client("wren"), "/docket", []
    while path:
        page = client.get(path).text
        seen += [one for one in filed if f'href="/cases/{one}"' in page]
        path = page.partition('" rel="next"')[0].rpartition('href="')[2].replace("&amp;", "&") if 'rel="next"' in page else ""
    assert sorted(seen) == sorted(filed) and seen[-1] == held, "a case without a date stands after those with one"


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", 2),
        ("?q=mill+creek", 2),
        ("?q=nowhere", 0),
        ("?workflow=ohwm-confirmation", 1),
        ("?phase=submitted", 2),
        ("?phase=decided&show=all", 0),
        ("?turn=department", 2),
        ("?turn=requester", 0),
        ("?with=nobody", 2),
        ("?with=wren", 0),
        ("?show=overdue", 0),
        ("?show=week", 0),
    ],
)
def test_the_docket_is_narrowed(house: House, query: str, count: int) -> None:
    cases = (house.file(), house.file("ohwm-confirmation"))
    page = house.client("wren").get(f"/docket{query}").text
    assert sum(f'href="/cases/{case}"' in page for case in cases) == count


def test_the_overdue_are_found_by_the_day_at_the_office(house: House) -> None:
    case = house.file()
    assert f"/cases/{case}" not in house.client("wren", "2026-12-30T09:00").get("/docket?show=overdue").text
    page = house.client("wren", "2027-01-05T09:00").get("/docket?show=overdue").text
    assert f"/cases/{case}" in page and "past the law’s date, Wed, Dec 30" in words(page)


def test_a_case_says_what_now_and_by_when_and_why(house: House) -> None:
    page = words(house.client("wren").get(f"/cases/{house.file()}").text)
    assert "the department’s turn" in page and "Target Wed, Dec 30, 2026" in page and "Last day in law Wed, Dec 30, 2026" in page
    assert "Why Wednesday, December 30, 2026?" in page and "the day of the event is not counted" in page and "NR 300.17 (7) (a) 2." in page


def test_a_held_case_has_words_in_place_of_a_date(house: House) -> None:
    case = house.file()
    house.act(case, "request-information", "2026-12-07T09:00", items=["NAV-e"], reason="It is missing.")
    page = words(house.client("wren", "2026-12-08T09:00").get(f"/cases/{case}").text)
    assert "No date while held" in page and "23 of 30 days kept" in page


def test_what_is_not_possible_stands_with_its_reason_and_citation(house: House) -> None:
    case = house.file()
    house.act(case, "request-information", "2026-12-07T09:00", items=["NAV-e"], reason="It is missing.")
    page = words(house.client("wren", "2026-12-08T09:00").get(f"/cases/{case}").text)
    refused = page.partition("Not possible now")[2]
    assert "may not ask for additional information more than once" in refused and "NR 300.17 (7) (d)" in refused and "disabled" not in page


def test_the_record_shows_every_entry_with_who_and_when(house: House) -> None:
    case = house.file()
    house.act(case, "add-note", "2026-12-01T09:00", note="Bank heights are for the wrong reach.")
    page = words(house.client("wren").get(f"/cases/{case}").text)
    assert "Add a note" in page and "wren, staff · entry" in page and "Bank heights are for the wrong reach." in page


def test_other_readings_are_shown_as_a_page_and_as_a_part_of_one(house: House) -> None:
    case = house.file()
    client = house.client("wren")
    whole = client.get(f"/cases/{case}/why/determination").text
    part = client.get(f"/cases/{case}/why/determination", headers={"hx-request": "true"}).text
    assert "<html" in whole and "<html" not in part and part.strip() and part.strip() in whole
    assert client.get(f"/cases/{case}/why/nonsense").status_code == 404


def test_a_case_is_found_by_another_number_of_it(house: House) -> None:
    case = house.file(aliases=["3-NE-2000-71-0403UF"])
    assert case in house.client("wren").get("/cases/3-NE-2000-71-0403UF").text


@pytest.mark.parametrize("who", ["ada", "max"])
def test_an_auditor_and_an_administrator_read_a_case_and_may_do_nothing_on_it(house: House, who: str) -> None:
    page = words(house.client(who).get(f"/cases/{house.file()}").text)
    assert "Nothing is possible for your role now." in page and "more belong to another state or role" in page


def test_health_says_whether_the_database_answers_and_names_nothing(house: House) -> None:
    answer = house.client(None).get("/health")
    assert answer.status_code == 200 and answer.json() == {"status": "ok", "database": "ok", "scheduler": "not seen"}
    waiting = house.client(None, scheduler=True).get("/health")
    assert waiting.status_code == 503 and waiting.json()["status"] == "failing"
