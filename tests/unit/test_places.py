"""Section, township and range, degrees, counties and waterbody ids: what is read, and what is refused in one sentence."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caseflow.domain.facts import Misfit
from caseflow.domain.pack import Places
from caseflow.domain.places import Plss, county_code, read_county, read_degrees, read_plss, read_waterbody_id
from tests.unit.pack_texts import PACK, Slip, faults_of, marked, slipped

LAND = Places(
    counties={"Dane": "13", "Fond du Lac": "20", "Vilas": "64", "Ashland": "02"},
    latitude=(Decimal("42.4"), Decimal("47.4")),
    longitude=(Decimal("-93"), Decimal("-86.2")),
    townships={"N": 53},
    ranges={"E": 30, "W": 20},
    note="for tests",
)


@pytest.mark.parametrize(
    ("text", "quarters", "lot", "where"),
    [
        ("NE 1/4 of SW 1/4, Section 12, T7N, R9E", ("NE", "SW"), None, (12, "7N", "9E")),
        ("NESW S12 T07N R09E", ("NE", "SW"), None, (12, "7N", "9E")),
        ("the NE¼ of the SW¼ of Sec. 36, T. 7 N., R. 20 W.", ("NE", "SW"), None, (36, "7N", "20W")),
        ("Northeast quarter of southwest quarter, section 1, town 53 north, range 30 east", ("NE", "SW"), None, (1, "53N", "30E")),
        ("N 1/2 of NE 1/4, Section 12, T7N, R9E", ("N", "NE"), None, (12, "7N", "9E")),
        ("Government Lot 3, Section 12, T7N R9E", (), 3, (12, "7N", "9E")),
        ("Section 12, T7N, R9E", (), None, (12, "7N", "9E")),
    ],
)
def test_a_place_is_read_as_people_write_it(text: str, quarters: tuple[str, ...], lot: int | None, where: tuple[int, str, str]) -> None:
    assert read_plss(text, LAND) == Plss(quarters, lot, *where)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("NX 1/4 of SW 1/4, Section 12, T7N, R9E", "has 'NX 1/4', which is no quarter; write NE, NW, SE or SW"),
        ("N of SW 1/4, Section 12, T7N, R9E", "has 'N', which is no quarter"),
        ("NE 1/2 of SW 1/4, Section 12, T7N, R9E", "has 'NE 1/2', which is no quarter"),
        ("NE 1/4, Section 37, T7N, R9E", "section 37; a township has the sections 1 to 36"),
        ("NE 1/4, Section 0, T7N, R9E", "section 0; a township has the sections 1 to 36"),
        ("NE 1/4, Section 12, T54N, R9E", "township 54N, which is not in this land; there are 1N to 53N"),
        ("NE 1/4, Section 12, T7S, R9E", "township 7S, which is not in this land"),
        ("NE 1/4, Section 12, T7N, R31E", "range 31E, which is not in this land; there are 1E to 30E and 1W to 20W"),
        ("NE 1/4, Section 12, T0N, R9E", "township 0N; the numbers begin with 1"),
        ("NE 1/4, T7N, R9E", "has no section, such as Section 12"),
        ("NE 1/4, Section 12, R9E", "has no township, such as T7N"),
        ("NE 1/4, Section 12, T7N", "has no range, such as R9E"),
        ("Sections 12 and Section 13, T7N, R9E", "no quarter"),
        ("Section 12, Section 13, T7N, R9E", "names 2 of what can only be one section"),
        ("behind the mill", "has no township"),
    ],
)
def test_a_place_that_can_not_be_is_refused_with_what_to_write(text: str, said: str) -> None:
    with pytest.raises(Misfit) as refused:
        read_plss(text, LAND)

    assert said in str(refused.value)


@given(
    st.lists(st.sampled_from(["NE", "NW", "SE", "SW"]), max_size=3),
    st.integers(1, 36),
    st.integers(1, 53),
    st.sampled_from([f"{n}E" for n in range(1, 31)] + [f"{n}W" for n in range(1, 21)]),
)
def test_what_a_place_prints_is_read_again(quarters: list[str], section: int, north: int, east: str) -> None:
    place = Plss(tuple(quarters), None, section, f"{north}N", east)

    assert read_plss(str(place), LAND) == place


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(Misfit):
        assert 1 <= read_plss(text).section <= 36


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("latitude", "91", "lies outside -90 to 90 degrees"),
        ("longitude", "-181", "lies outside -180 to 180 degrees"),
        ("latitude", "89.4", "lies outside this land, which reaches from 42.4 to 47.4; check the sign and the order"),
        ("longitude", "89.4012", "check the sign"),
        ("latitude", "43d04m", "must be decimal degrees such as 43.0731"),
        ("latitude", "nan", "lies outside"),
    ],
)
def test_degrees_outside_the_land_are_refused(name: str, text: str, said: str) -> None:
    with pytest.raises(Misfit) as refused:
        read_degrees(name, text, LAND)

    assert said in str(refused.value)


def test_degrees_keep_the_digits_given_to_the_very_edge() -> None:
    assert [read_degrees("latitude", text, LAND) for text in ("42.4", "47.40", "43.073100")] == ["42.4", "47.40", "43.073100"]
    assert read_degrees("latitude", "-33.9") == "-33.9"  # where a pack says nothing, the whole earth


def test_a_county_is_known_by_name_and_code_and_kept_as_the_pack_spells_it() -> None:
    for text in ("Dane", "dane county", "13", "DANE"):
        assert read_county(text, LAND) == "Dane"
    assert (read_county("fond  du lac", LAND), read_county("2", LAND), county_code("Dane", LAND)) == ("Fond du Lac", "Ashland", "13")
    assert (read_county("Kent"), county_code("Kent", None)) == ("Kent", None)
    for text, said in (("Dan", "did you mean 'Dane'?"), ("Zzyzx", "write its name or its code"), ("99", "write its name or its code")):
        with pytest.raises(Misfit, match="there is no county") as refused:
            read_county(text, LAND)
        assert said in str(refused.value)


def test_a_waterbody_id_is_digits() -> None:
    assert read_waterbody_id(" 1234500 ") == "1234500"
    for text in ("12a", "", "12345678901", "١٢"):
        with pytest.raises(Misfit, match="1 to 10 digits"):
            read_waterbody_id(text)


_AT = "agency:"
SLIPS = [
    Slip("a code twice", [(PACK, _AT, 'places: {counties: {Oak: "1", Elm: ¶"1"}, note: n}\nagency:')], "code '1' is that of Oak too; each county has its own"),
    Slip("degrees upside down", [(PACK, _AT, "places: {latitude: ¶[47, 42], note: n}\nagency:")], "a latitude reaches from a lower to a higher degree within -90 to 90"),
    Slip("a township to the east", [(PACK, _AT, "places: {townships: {E: ¶3}, note: n}\nagency:")], "townships are counted from 1 in the directions N and S, such as {N: 53}"),
    Slip("places without a source", [(PACK, _AT, "¶places: {townships: {N: 3}}\nagency:")], "the places have no cite; name the source, or write 'note'"),
]  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.title)
def test_a_slip_in_the_places_is_told_at_its_place(slip: Slip) -> None:
    files, place = marked(slipped(slip))

    assert [((fault.file, fault.line, fault.column), fault.text) for fault in faults_of(files)] == [(place, slip.said)]
