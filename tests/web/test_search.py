"""Search: numbers, people, waters, facts and letters; the best first; what is typed is words and nothing else."""

from __future__ import annotations

import re

import pytest

from caseflow.adapters.store.searching import SqlSearch
from caseflow.services import searching
from tests.web.conftest import PACK, SCRIPT, House


def found(house: House, words: str, **more: str) -> list[str]:
    page = house.client("wren").get("/docket", params={"q": words, "show": "all", **more})
    assert page.status_code == 200, page.text[:300]
    return re.findall(r'class="row-link" href="/cases/([^"]+)"', page.text)


def sample(house: House) -> dict[str, object]:
    return house.app().read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml"))


@pytest.fixture
def three(house: House) -> list[str]:
    """Three cases: one of Ines Quillfeather, one on Otter Slough, one with an old number."""
    base = sample(house)
    return [
        house.file(requester={**base["requester"], "name": "Ines Quillfeather"}),  # type: ignore[dict-item]
        house.file(waterbodies=[{"name": "Otter Slough", "county": "Vilas", "wbic": "1600000"}]),
        house.file(aliases=["3-NE-2000-71-0403UF"]),
    ]


@pytest.mark.parametrize(
    ("words", "which"),
    [
        ("Quillfeather", [0]),
        ("ines quillfeather", [0]),
        ("quillf", [0]),
        ("otter slough", [1]),
        ("Otters", [1]),
        ("Vilas", [1]),
        ("1600000", [1]),
        ("3-NE-2000-71-0403UF", [2]),
        ("0403", [2]),
        ("otter quillfeather", []),
        ("nowhere", []),
        ("telephones", [0, 1, 2]),
    ],
)
def test_a_case_is_found_by_its_people_waters_numbers_and_letters(house: House, three: list[str], words: str, which: list[int]) -> None:
    assert sorted(found(house, words)) == sorted(three[at] for at in which)


def test_a_number_finds_its_case_first(house: House, three: list[str]) -> None:
    assert found(house, three[1])[0] == three[1] and found(house, "00002")[0] == three[1]


def test_what_an_act_states_is_found_at_once_and_what_it_replaced_no_more(house: House, three: list[str]) -> None:
    assert found(house, "m.olson") == []
    house.act(three[0], "assign", "2026-12-01T09:00", assignee="m.olson")
    assert found(house, "olson") == [three[0]]
    house.act(three[0], "assign", "2026-12-01T09:00", assignee="t.ruiz")
    assert found(house, "olson") == [] and found(house, "ruiz") == [three[0]]


def test_a_search_is_narrowed_by_the_filters(house: House, three: list[str]) -> None:
    assert len(found(house, "mill", workflow="navigability-confirmation")) == 2 and found(house, "mill", workflow="ohwm-confirmation") == []


def test_what_is_found_goes_on_by_key(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caseflow.web.pages.docket.SIZE", 2)
    filed = {house.file() for _ in range(5)}
    client, path, seen = house.client("wren"), "/docket?q=mill", []
    while path:
        page = client.get(path).text
        seen += re.findall(r'class="row-link" href="/cases/([^"]+)"', page)
        path = page.partition('" rel="next"')[0].rpartition('href="')[2].replace("&amp;", "&") if 'rel="next"' in page else ""
    assert sorted(seen) == sorted(filed) and len(seen) == 5


@pytest.mark.parametrize(
    "words",
    ['"', "'", "mill OR otter", "NEAR(mill otter)", "mill*", "-mill", "numbers:WD", "{people}:x", "^mill", "(", "mill AND", "%", "_", "\\", ";--", SCRIPT, "\x00", "ж" * 300, "a " * 90, "*", "🦦", "mill & | ! <-> otter:*"],
)  # fmt: skip
def test_what_is_typed_never_reaches_the_language_of_the_index(house: House, three: list[str], words: str) -> None:
    found(house, words)


def test_a_case_that_went_meanwhile_hinders_no_search(house: House, three: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    real = SqlSearch.due
    monkeypatch.setattr(SqlSearch, "due", lambda search, limit: ["WD-1999-00001-1", *real(search, limit)])
    assert searching.refresh(house.app().office, 10) == 3


def test_the_index_is_the_records_whole_and_taken_in_once(house: House, three: list[str]) -> None:
    office = house.app().office
    assert sorted(office.store.search.due(10)) == sorted(three)
    assert searching.refresh(office, 2) == 2 and searching.refresh(office, 10) == 1 and searching.refresh(office, 10) == 0
    assert office.store.search.due(10) == []
    house.act(three[1], "add-note", "2026-12-01T09:00", note="Seen.")
    assert office.store.search.due(10) == [three[1]]
