"""The docket as a list to narrow, sort and take away: filters, CSV that carries no formula, and who took it."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest

from caseflow.services import docket as service
from caseflow.web.export import COLUMNS, SIGNS, lines, safe
from tests.web.conftest import PACK, SCRIPT, House, words

NOW = "2027-01-05T09:00"


def base(house: House) -> dict[str, Any]:
    return dict(house.app().read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml")))


def place(house: House, name: str, county: str = "Dane") -> list[dict[str, Any]]:
    return [{**base(house)["waterbodies"][0], "name": name, "county": county}]


def listed(client: Any, **asked: str) -> list[str]:
    page = client.get("/docket", params=asked)
    assert page.status_code == 200, words(page.text)
    return re.findall(r'class="row-link" href="/cases/([^"]+)"', page.text)


def taken(client: Any, **asked: str) -> list[dict[str, str]]:
    answer = client.get("/docket.csv", params=asked)
    assert answer.status_code == 200, answer.text[:300]
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


@pytest.fixture
def four(house: House) -> list[str]:
    """A late case of wren's in Dane, one of nobody's in Iron, a held one, and one with a formula for a name."""
    made = [
        house.file(moment="2026-11-23T09:00", waterbodies=place(house, "Mill Creek")),
        house.file(moment="2026-12-14T09:00", waterbodies=place(house, "Otter Slough", "Iron")),
        house.file("ohwm-confirmation", moment="2026-12-14T10:00"),
        house.file(moment="2026-12-15T09:00", waterbodies=place(house, '=HYPERLINK("http://evil.example","x")')),
    ]
    house.act(made[2], "request-information", "2026-12-21T09:00", items=["OHWM-c"])
    app = house.app("2026-12-22T09:00")
    app.assigning.assign(app.people.person("wren"), [made[0]], "wren")
    return made


def test_the_docket_is_narrowed_by_whose_work_county_hold_and_target(house: House, four: list[str]) -> None:
    client = house.client("wren", NOW)
    assert listed(client, **{"with": "wren"}) == [four[0]] and four[0] not in listed(client, **{"with": "nobody"})
    assert listed(client, county="Iron") == [four[1]] and listed(client, show="hold") == [four[2]]
    assert listed(client, **{"from": "2027-01-13", "to": "2027-01-13"}) == [four[1]]
    assert listed(client, **{"from": "2027-01-14"}) == [four[3]] and listed(client, to="1/13/27") == [four[0], four[1]]
    assert listed(client, county="Iron", show="overdue") == []


def test_what_narrows_and_sorts_stays_visible_in_the_form(house: House, four: list[str]) -> None:
    page = house.client("wren", NOW).get("/docket?with=wren&sort=number&from=2026-12-01&county=Dane").text
    for chosen in ('value="wren" selected', 'value="number" selected', 'value="2026-12-01"', 'value="Dane" selected'):
        assert chosen in page
    assert "By docket number." in words(page) and 'href="/docket.csv?with=wren&amp;county=Dane' in page


def test_the_docket_is_sorted_by_target_or_by_number_and_read_by_key_in_both_orders(house: House, four: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    client = house.client("wren", NOW)
    assert listed(client) == [four[0], four[1], four[3], four[2]] and listed(client, sort="number") == sorted(four)
    monkeypatch.setattr("caseflow.web.pages.docket.SIZE", 1)
    for sort in ("", "number"):
        seen, path = [], f"/docket?sort={sort}"
        while path:
            page = client.get(path).text
            seen += re.findall(r'class="row-link" href="/cases/([^"]+)"', page)
            more = re.search(r'href="(/docket[^"]*)" rel="next"', page)
            path = more[1].replace("&amp;", "&") if more else ""
        assert seen == (sorted(four) if sort else [four[0], four[1], four[3], four[2]])


@pytest.mark.parametrize("wrong", ["2027-02-30", "soon", "0000-00-00", SCRIPT, "99999999999"])
def test_a_day_that_is_none_is_told_in_one_sentence(house: House, wrong: str) -> None:
    for path in ("/docket", "/docket.csv"):
        answer = house.client("wren", NOW).get(path, params={"from": wrong})
        assert answer.status_code == 400 and SCRIPT not in answer.text and "The first day of the targets" in words(answer.text)


def test_the_export_is_the_list_as_it_is_narrowed_whole_and_in_its_order(house: House, four: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "EXPORTED", 1)
    client = house.client("wren", NOW)
    for asked in ({}, {"with": "wren"}, {"county": "Iron"}, {"show": "hold"}, {"sort": "number"}, {"q": "otter"}, {"q": "nowhere"}, {"show": "all"}):
        assert [row["Case"] for row in taken(client, **asked)] == listed(client, **asked), asked
    first = taken(client, **{"with": "wren"})[0]
    assert first["Target"] == first["Last day in law"] == "2026-12-23" and first["Past the law's date"] == "yes"
    assert (first["Whose work"], first["County"], first["State"], first["Decided"]) == ("wren", "Dane", "Submitted", "")


def test_the_export_is_a_file_to_save_under_the_guards_headers(house: House, four: list[str]) -> None:
    answer = house.client("wren", NOW).get("/docket.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8" and answer.content.startswith(b"\xef\xbb\xbf")
    assert answer.headers["content-disposition"] == 'attachment; filename="docket-2027-01-05.csv"'
    assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["cache-control"] == "no-store"


def test_a_name_that_is_a_formula_is_text_in_the_export(house: House, four: list[str]) -> None:
    row = next(row for row in taken(house.client("wren", NOW)) if row["Case"] == four[3])
    assert row["Title"].startswith("'=HYPERLINK(") and '"x"' in row["Title"]


@pytest.mark.parametrize("begin", [*SIGNS, " =", "  @"])
def test_no_cell_begins_as_a_formula(begin: str) -> None:
    assert safe(f"{begin}1+1|cmd") == f"'{begin}1+1|cmd" and safe("1=1") == "1=1" and safe("") == safe(None) == ""
    row = {**dict.fromkeys(COLUMNS, f'{begin}A1,"x"\r\n;y'), "next": {"target": None, "due": None}, "flag_titles": [f"{begin}z"]}
    (_, got) = list(csv.reader(io.StringIO(b"".join(lines([row])).decode("utf-8-sig"), newline="")))
    assert len(got) == len(COLUMNS) and not any(cell.lstrip(" ").startswith(SIGNS) for cell in got) and got[2][1:] == f'{begin}A1,"x"\r\n;y'


def test_a_long_list_is_handed_on_in_parts_and_never_held_whole() -> None:
    row = {**dict.fromkeys(COLUMNS, "x" * 50), "next": {"target": None, "due": None}, "flag_titles": []}
    given = [0]

    def rows() -> Any:
        for _ in range(1000):
            given[0] += 1
            yield row

    parts = lines(rows())
    assert len(next(parts)) < 20_000 and given[0] < 50
    assert sum(part.count(b"\r\n") for part in parts) > 900


def test_taking_a_list_is_noted_with_who_what_and_how_many(house: House, four: list[str]) -> None:
    client = house.client("ada", NOW)
    assert len(taken(client, county="Iron")) == 1
    client.app._site.desk.reads.flush()  # type: ignore[attr-defined]
    (noted,) = [one for _, one in house.app(NOW).store.accounts.readings(account="ada")]
    assert (noted.case, noted.what) == ("docket", "docket.csv, 1 cases of county=Iron")


def test_a_stranger_takes_nothing(house: House, four: list[str]) -> None:
    answer = house.client(None).get("/docket.csv")
    assert answer.status_code == 303 and answer.headers["location"] == "/sign-in?next=/docket.csv" and four[0] not in answer.text
