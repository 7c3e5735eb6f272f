"""A case of an older system on the site: its pages, its letters and its record read like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import PACK
from tests.unit.dockets import act, file_of
from tests.web.conftest import SCRIPT, House, words

NUMBER = "WD-2026-00001-1"


@pytest.fixture
def imported(house: House, tmp_path: Path) -> House:
    """A confirmation of 2026 whose requester was asked once by an older system, on November 10, and answered on the 16th."""
    sample = house.app().read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml"))
    line = {
        "request": {**sample, "aliases": ["B-114"], "filed": "2026-11-02T09:00"},
        "history": [act("2026-11-10", "request-information", items=["NAV-e"], by=f"jo {SCRIPT}", because="see B-114"), act("2026-11-16", "accept-information")],
    }
    assert house.app().take_in(str(file_of(tmp_path / "older.jsonl", line)), "mo:staff", False)["faults"] == []
    return house


def test_the_page_of_a_case_from_an_older_system_shows_its_days_and_who_told_of_them(imported: House) -> None:
    page = imported.client().get(f"/cases/{NUMBER}").text

    told = words(page)
    assert "B-114" in told and "The file came in from an older system" in told and SCRIPT not in page
    assert "Tuesday, December 8, 2026" in told, "30 days from November 2, and six days on hold"


def test_every_page_of_it_opens(imported: House) -> None:
    client = imported.client("odell")
    for address in (f"/cases/{NUMBER}", f"/cases/{NUMBER}/record", f"/cases/{NUMBER}/audit", "/docket", "/board"):
        assert client.get(address).status_code in (200, 303), address


def test_a_letter_of_the_older_system_says_where_its_words_are(imported: House) -> None:
    client = imported.client()
    page = client.get(f"/letters/{NUMBER}-L2")

    assert page.status_code == 200
    assert "This letter was written by an older system, which keeps its words. It was sent on November 10, 2026." in words(page.text)


def test_its_record_leaves_like_any_other(imported: House, tmp_path: Path) -> None:
    made = imported.app().export(NUMBER, str(tmp_path / "bundle"), {})
    assert made["entries"] == 7 and made["letters"] == 3
