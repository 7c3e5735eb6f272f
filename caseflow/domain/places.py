"""Where a request is: section, township and range, coordinates, county and waterbody id, as text that has been checked.

Only the form is the engine's; how far townships, coordinates and the list of counties reach is the pack's (`places`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from caseflow.domain.facts import Misfit, nearest
from caseflow.domain.pack import Places

EXAMPLE = "NE 1/4 of SW 1/4, Section 12, T7N, R9E"
_SECTION = re.compile(r"\b(?:SECTION|SEC\.?|S)\s*(\d{1,3})\b(?!\s*/)")
_TOWNSHIP = re.compile(r"\b(?:TOWNSHIP|TOWN|TWP\.?|T\.?)\s*(\d{1,3})\s*(NORTH|SOUTH|N|S)\b\.?")
_RANGE = re.compile(r"\b(?:RANGE|RNG\.?|R\.?)\s*(\d{1,3})\s*(EAST|WEST|E|W)\b\.?")
_LOT = re.compile(r"\b(?:GOVERNMENT|GOV'?T\.?)\s+LOT\s*(\d{1,2})\b|\bGL\s*(\d{1,2})\b")
_QUARTER = re.compile(r"(NE|NW|SE|SW|N|S|E|W)\s*(1/4|1/2|QUARTER|HALF)?")
_SHORT = {f"{one}{two}": f"{one[0]}{two[0]}" for one in ("NORTH", "SOUTH") for two in ("EAST", "WEST")}
_WORDS = re.compile("|".join(_SHORT))
_ANYWHERE = Places.model_construct()
"""Land of which the pack does not say how far it reaches."""
_FILLERS = re.compile(r"\b(?:OF|THE|IN|AND)\b|[,;.]")


@dataclass(frozen=True, slots=True)
class Plss:
    """A place of the public land survey. `quarters` from the smallest to the largest, such as ("NE", "SW")."""

    quarters: tuple[str, ...]
    lot: int | None
    section: int
    township: str
    range: str

    def __str__(self) -> str:
        parts = " of ".join(f"{one} 1/4" if len(one) == 2 else f"{one} 1/2" for one in self.quarters)
        lot = f"Government Lot {self.lot}" if self.lot is not None else ""
        return ", ".join(part for part in (lot, parts, f"Section {self.section}", f"T{self.township}", f"R{self.range}") if part)


def read_plss(text: str, places: Places | None = None) -> Plss:
    """Reads a place as people write it: `NE 1/4 of SW 1/4, Section 12, T7N, R9E` or `NESW S12 T7N R9E`. Raises Misfit."""
    left = _WORDS.sub(lambda word: _SHORT[word.group(0)], text.upper().replace("¼", " 1/4").replace("½", " 1/2"))
    township, left = _one(_TOWNSHIP, left, text, "township", "T7N")
    range_, left = _one(_RANGE, left, text, "range", "R9E")
    section, left = _one(_SECTION, left, text, "section", "Section 12")
    lot = _LOT.search(left)
    left = _LOT.sub(" ", left)
    if not 1 <= int(section[0]) <= 36:
        raise Misfit(f"'plss' names section {int(section[0])}; a township has the sections 1 to 36")
    places = places or _ANYWHERE
    north, east = f"{int(township[0])}{township[1][0]}", f"{int(range_[0])}{range_[1][0]}"
    _reaches("township", north, places.townships, text)
    _reaches("range", east, places.ranges, text)
    number = int(lot.group(1) or lot.group(2)) if lot is not None else None
    return Plss(_quarters(left, text), number, int(section[0]), north, east)


def _one(pattern: re.Pattern[str], left: str, text: str, what: str, example: str) -> tuple[Sequence[str], str]:
    found = list(pattern.finditer(left))
    if len(found) != 1:
        how = f"has no {what}" if not found else f"names {len(found)} of what can only be one {what}"
        raise Misfit(f"'plss' '{text[:60]}' {how}, such as {example}; write it as {EXAMPLE}")
    return found[0].groups(), left[: found[0].start()] + " " + left[found[0].end() :]


def _reaches(what: str, value: str, known: Mapping[str, int], text: str) -> None:
    number, side = int(value[:-1]), value[-1]
    if number < 1:
        raise Misfit(f"'plss' '{text[:60]}' names {what} {value}; the numbers begin with 1")
    if known and (side not in known or number > known[side]):
        reach = " and ".join(f"1{letter} to {last}{letter}" for letter, last in known.items())
        raise Misfit(f"'plss' '{text[:60]}' names {what} {value}, which is not in this land; there are {reach}")


def _quarters(left: str, text: str) -> tuple[str, ...]:
    found = []
    for word in _FILLERS.sub(" , ", left).replace(",", " , ").split(","):
        rest = word.strip()
        while rest:
            part = _QUARTER.match(rest)
            name, share = (part.group(1), part.group(2)) if part is not None else ("", None)
            if part is None or (len(name) == 1) != (share in ("1/2", "HALF")):
                raise Misfit(f"'plss' '{text[:60]}' has '{rest[:20]}', which is no quarter; write NE, NW, SE or SW, as in {EXAMPLE}")
            found.append(name)
            rest = rest[part.end() :].strip()
    if len(found) > 4:
        raise Misfit(f"'plss' '{text[:60]}' divides a section more than four times; write the quarter and the quarter of it")
    return tuple(found)


def read_degrees(name: str, text: str, places: Places | None = None) -> str:
    """A latitude or longitude in decimal degrees, as text with the digits given. Raises Misfit."""
    places = places or _ANYWHERE
    world = (Decimal(-90), Decimal(90)) if name == "latitude" else (Decimal(-180), Decimal(180))
    example = "43.0731" if name == "latitude" else "-89.4012"
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        raise Misfit(f"'{name}' must be decimal degrees such as {example}, not '{text[:40]}'") from None
    if not value.is_finite() or not world[0] <= value <= world[1]:
        raise Misfit(f"'{name}' {text[:40]} lies outside {world[0]} to {world[1]} degrees; write decimal degrees such as {example}")
    known = places.latitude if name == "latitude" else places.longitude
    if known is not None and not known[0] <= value <= known[1]:
        raise Misfit(f"'{name}' {text[:40]} lies outside this land, which reaches from {known[0]} to {known[1]}; check the sign and the order")
    return text.strip()


def read_waterbody_id(text: str) -> str:
    """A waterbody id: 1 to 10 digits. Raises Misfit."""
    if not re.fullmatch(r"\d{1,10}", text.strip(), re.ASCII):
        raise Misfit(f"'wbic' must be the waterbody's number, 1 to 10 digits such as 1234500, not '{text[:40]}'")
    return text.strip()


def read_county(text: str, places: Places | None = None) -> str:
    """A county by its name or code, as the pack spells it; any text where the pack lists none. Raises Misfit."""
    known = (places or _ANYWHERE).counties
    if not known:
        return text.strip()
    plain = re.sub(r"\s+COUNTY$", "", " ".join(text.upper().split()))
    for name, code in known.items():
        if plain == name.upper() or (plain.isdecimal() and plain.lstrip("0") == code.lstrip("0")):
            return name
    names = {name.upper(): name for name in known}
    hint = next((name for upper, name in names.items() if f"'{upper}'" in nearest(plain, names)), None)
    raise Misfit(f"there is no county '{text[:40]}'" + (f"; did you mean '{hint}'?" if hint else "; write its name or its code"))


def county_code(county: str | None, places: Places | None) -> str | None:
    """The code of a county, where the pack lists it."""
    return (places or _ANYWHERE).counties.get(county or "")
