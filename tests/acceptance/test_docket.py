"""The docket as people look for cases: old and new numbers, places, and everyone who takes part."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.packs.nodes import read_plain
from caseflow.bootstrap import App
from caseflow.errors import BadInput, Refused
from tests.conftest import PACK

At = Callable[[str], App]
SAMPLE = PACK / "samples/navigability-confirmation/complete.yaml"


def request(**more: Any) -> dict[str, Any]:
    return {**read_plain(SAMPLE.read_text(), "complete.yaml"), **more}


def test_a_case_keeps_all_its_numbers_and_search_finds_each(app: At) -> None:
    numbers = ["WP-IP-NO-2021-49-X01-26T16-04-02", "IP-NO-2021-7-01229", "3-NE-2000-71-0403UF"]
    made = app("2026-12-01").file(request(aliases=numbers))["cases"][0]
    other = app("2026-12-01").file(request(aliases=["IP-NO-2021-7-01230"]))["cases"][0]

    assert made["aliases"] == numbers
    for number in numbers:
        assert app("2026-12-01").show(number)["case"] == made["case"]
        assert [row["case"] for row in app("2026-12-01").docket(False, None, None, None, text=number.lower())] == [made["case"]]
    found = app("2026-12-01").docket(False, None, None, None, text="2021-7-0123")
    assert [row["case"] for row in found] == [other["case"]]
    assert app("2026-12-01").docket(False, None, None, None, text="%") == []  # a sign of the database is only a sign


def test_a_place_is_shown_with_its_code_and_the_parts_of_the_survey(app: At) -> None:
    water = [{"name": "Mill Creek", "wbic": 1234500, "county": "dane county"}]

    made = app("2026-12-01").file(request(waterbodies=water))["cases"][0]

    place = made["place"]
    assert (place["county"], place["county_code"], place["wbic"]) == ("Dane", "13", "1234500")
    assert place["plss"] == "NE 1/4 of SW 1/4, Section 12, T7N, R9E"
    assert place["plss_parts"] == {"quarters": ["NE", "SW"], "lot": None, "section": 12, "township": "7N", "range": "9E"}
    assert (place["latitude"], place["longitude"]) == ("43.0731", "-89.4012")
    assert made["title"] == "Mill Creek, Town of Sample Falls"


def test_everyone_who_takes_part_is_a_party(app: At) -> None:
    people = {
        "agent": {"name": "Ridgeline Survey", "email": "office@ridgeline.example"},
        "co_applicants": [{"name": "Bo Larsen", "address": "W5682 Example Road"}, "Cy Larsen"],
        "interested_persons": ["Lake Friends"],
        "copies": [{"name": "City of Sample Falls", "email": "clerk@city.example"}],
    }

    parties = app("2026-12-01").file(request(**people))["cases"][0]["parties"]

    assert parties == [
        {"role": "requester", "name": "Ann Larsen", "channel": "email"},
        {"role": "agent", "name": "Ridgeline Survey", "channel": "email"},
        {"role": "third-party", "name": "Kettle Moraine Environmental", "channel": "email"},
        {"role": "co-applicant", "name": "Bo Larsen", "channel": "post"},
        {"role": "co-applicant", "name": "Cy Larsen", "channel": "post"},
        {"role": "interested-person", "name": "Lake Friends", "channel": "post"},
        {"role": "copy", "name": "City of Sample Falls", "channel": "email"},
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"waterbodies": [{"name": "Mill Creek", "wbic": "12-A", "county": "Dane"}]}, "'wbic' must be the waterbody's number"),
        ({"waterbodies": [{"name": "Mill Creek", "county": "Dain"}]}, "there is no county 'Dain'; did you mean 'Dane'?"),
        ({"boundary": {"plss": "NE of SW, Section 40, T7N, R9E"}}, "a township has the sections 1 to 36"),
        ({"boundary": {"latitude": "43.07"}}, "'boundary' has a latitude and no longitude; a point needs both"),
        ({"boundary": {"latitude": "-89.4", "longitude": "43.07"}}, "check the sign and the order"),
        ({"boundary": {"lattitude": "43.07"}}, "'boundary' has no part 'lattitude'; did you mean 'latitude'?"),
        ({"aliases": ["x" * 81]}, "is longer than 80 characters"),
        ({"copies": [{"email": "a@b.example"}]}, "'copy' needs a name"),
    ],
)
def test_a_place_or_number_that_can_not_be_is_refused_and_nothing_is_filed(app: At, change: dict[str, Any], said: str) -> None:
    app("2026-12-01").init(live=False)

    with pytest.raises(BadInput) as refused:
        app("2026-12-01").file(request(**change))

    assert said in str(refused.value)
    assert app("2026-12-01").docket(False, None, None, None) == []


def test_docket_search_is_an_option_of_the_command(app: At, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from caseflow.cli.main import cli

    made = app("2026-12-01").file(request(aliases=["OLD-77"]))["cases"][0]
    line = ["--database", f"sqlite:///{tmp_path / 'case.db'}", "--at", "2026-12-01", "docket", "--json"]

    assert f'"{made["case"]}"' in CliRunner().invoke(cli, [*line, "--search", "old-7"]).output
    assert CliRunner().invoke(cli, [*line, "--search", "old-8"]).output.strip() == "[]"


def test_a_time_that_silence_has_answered_is_at_an_end(app: At) -> None:
    made = read_plain((PACK / "samples/individual-permit/complete.yaml").read_text(), "complete.yaml")
    case = app("2026-04-06T09:00").file(made)["cases"][0]["case"]
    app("2026-05-12").sweep(None)

    row = app("2026-05-12").docket(False, None, None, None)[0]
    assert row["next"] == {"clock": "public-notice", "target": "2026-05-21", "due": "2026-05-21"}
    assert [task["text"] for task in app("2026-05-07").show(case)["tasks"] if "completeness" in task["text"]] == []
    for day in ("2026-05-12", "2026-12-01"):  # late by the day on which silence closed the application, and no later
        clock = next(one for one in app(day).show(case)["clocks"] if one["id"] == "completeness")
        assert (clock["status"], clock["missed_by"], clock["ended_on"]) == ("missed", 1, "2026-05-07")


@pytest.mark.parametrize(("alias", "words"), [("9" * 81, "longer than 80 characters"), ("IP\u202e-NO", "U+202E"), ("IP\x9b-NO", "U+009B")])
def test_a_number_that_nobody_could_read_is_refused(app: At, alias: str, words: str) -> None:
    made = read_plain((PACK / "samples/individual-permit/complete.yaml").read_text(), "complete.yaml")
    case = app("2026-04-06T09:00").file(made)["cases"][0]["case"]

    with pytest.raises(Refused, match="add-alias") as refused:
        app("2026-04-07").act(case, "add-alias", {"alias": alias}, None, "pat:staff", None, None, False)
    assert words in refused.value.reasons[0].text
    assert app("2026-04-07").show(case)["version"] == 1
