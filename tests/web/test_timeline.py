"""The drawn timeline: pieces that add up, the same bytes each time, an equal table, and nothing that the policy would drop."""

from __future__ import annotations

import re
from datetime import date
from typing import Any
from xml.etree import ElementTree

import pytest

from caseflow.web import timeline
from tests.web.conftest import SCRIPT, House

ASK, HEAR = "request-information", "accept-information"


def held(house: House) -> str:
    """Asked on December 11, answered on December 14: three held days."""
    case = house.file(moment="2026-12-01T09:00")
    house.act(case, ASK, "2026-12-11T09:00", items=["NAV-e"])
    house.act(case, HEAR, "2026-12-14T09:00")
    return case


def lane(made: dict[str, Any], clock: str = "determination") -> dict[str, Any]:
    return next(one for one in made["lanes"] if one["id"] == clock)


def test_the_pieces_of_a_bar_add_up_to_the_period_and_its_holds(house: House) -> None:
    made = lane(house.app("2026-12-18T09:00").drawing(held(house)))
    assert [(one["kind"], one["days"]) for one in made["pieces"]] == [("used", 10), ("held", 3), ("used", 4), ("left", 16), ("roll", 1)]
    assert sum(one["days"] for one in made["pieces"] if one["kind"] in ("used", "left")) == 30 and made["due"] == "2027-01-04"
    days = [day for one in made["pieces"] for day in (one["from"], one["to"])]
    assert days[0] == "2026-12-02" and days[-1] == "2027-01-04" and days == sorted(days), "the day of the event is not in the bar"


def test_an_open_hold_ends_today_and_has_no_flag(house: House) -> None:
    case = house.file(moment="2026-12-01T09:00")
    house.act(case, ASK, "2026-12-11T09:00", items=["NAV-e"])
    made = lane(house.app("2026-12-20T09:00").drawing(case))
    assert made["pieces"][-1]["kind"] == "held" and made["pieces"][-1]["to"] == "2026-12-20" and made["pieces"][-1]["open"] and made["due"] is None
    assert timeline.label(made["pieces"][-1], made) == "held 9 days so far"


def test_a_displaced_period_has_no_end_and_a_missed_one_says_by_how_much(house: House) -> None:
    case = house.file(moment="2026-12-01T09:00")
    late = lane(house.app("2027-01-05T09:00").drawing(case))
    assert [one["kind"] for one in late["pieces"]] == ["used", "late"] and timeline.label(late["pieces"][-1], late) == "5 days late"
    frozen = house.file("navigability-determination", moment="2026-12-01T09:00")
    house.act(frozen, "give-weather-notice", "2026-12-21T09:00", condition="Ice on the creek.", expected_window="After ice-out.", inspection_needed=True)
    gone = lane(house.app("2027-01-05T09:00").drawing(frozen))
    assert [one["kind"] for one in gone["pieces"]] == ["used", "displaced"] and gone["due"] is None


def test_the_same_case_gives_the_same_bytes_and_well_formed_drawings(house: House) -> None:
    case = held(house)
    pages = [house.client("wren", "2026-12-18T09:00").get(f"/cases/{case}").text for _ in range(2)]
    drawings = [re.findall(r"<svg class=\"draw.*?</svg>", page) for page in pages]
    assert drawings[0] == drawings[1] and len(drawings[0]) == 2
    for drawn in drawings[0]:
        tree = ElementTree.fromstring(drawn)  # noqa: S314 - our own
        assert tree.attrib["role"] == "img" and "held 3 days" in tree.attrib["aria-label"] and "style" not in drawn
    ids = re.findall(r' id="([^"]+)"', pages[0])
    assert len(ids) == len(set(ids)), "pattern ids and anchors are unique on the page"


def test_the_table_says_everything_that_the_drawing_shows(house: House) -> None:
    made = house.app("2026-12-18T09:00").drawing(held(house))
    rows = timeline.table(made)
    assert len(rows) == sum(len(one["pieces"]) for one in made["lanes"]) + len(made["events"]) + sum(
        (one["due"] is not None) + (one["target"] is not None and one["target"] != one["due"]) for one in made["lanes"]
    )
    assert [row["days"] for row in rows if row["what"].endswith(": held")] == [3] and next(
        row["cite"] for row in rows if row["what"].endswith(": held")
    ) == "NR 300.17 (7) (d)"


def test_a_hostile_title_in_a_drawing_is_text(house: House) -> None:
    made = house.app().drawing(house.file())
    made["lanes"][0]["title"] = made["events"][0]["title"] = f'{SCRIPT}"onload="x'
    for drawn in (timeline.wide(made), timeline.tall(made, None)):
        assert "<script>" not in drawn and 'onload="x"' not in drawn
        ElementTree.fromstring(str(drawn))  # noqa: S314 - our own


@pytest.mark.parametrize("busy", [["2026-01-05"], ["2026-01-05", "2026-06-10"], []])
def test_weeks_in_which_nothing_happens_are_folded_and_the_scale_never_runs_backwards(busy: list[str]) -> None:
    made: dict[str, Any] = {"from": "2026-01-01", "to": "2026-12-31", "today": "2026-12-20", "lanes": [], "closed": []}
    made["events"] = [{"on": day, "kind": "act", "title": "Something", "seq": 1, "coming": False} for day in busy]
    pieces = timeline.pieces_of(made)
    days = [day for piece in pieces for day in range(piece.first, piece.last + 1)]
    assert days == list(range(date(2026, 1, 1).toordinal(), date(2026, 12, 31).toordinal() + 1)), "each day once, in order"
    assert any(piece.folded for piece in pieces) and all((piece.last - piece.first + 1) % 7 == 0 for piece in pieces if piece.folded)
    folded = [day for piece in pieces if piece.folded for day in range(piece.first, piece.last + 1)]
    assert not any(date.fromisoformat(day).toordinal() in folded for day in [*busy, made["today"]])
    scale = timeline.Scale(pieces, 156, 1000)
    places = [scale.x(day) for day in days]
    assert places == sorted(places) and places[0] == 156 and scale.x(days[-1] + 1) == pytest.approx(1156, abs=0.2)


def test_labels_do_not_touch_each_other_or_the_line_of_today(house: House) -> None:
    case = held(house)
    made = house.app("2026-12-18T09:00").drawing(case)
    made["events"] = [{**made["events"][0], "on": f"2026-12-{1 + at // 2:02}", "title": f"Something that happened, number {at}"} for at in range(24)]
    drawn = str(timeline.wide(made))
    boxes: dict[float, list[tuple[float, float]]] = {}
    for x, y, end, text in re.findall(r'<text class="label" x="([\d.]+)" y="([\d.]+)"( text-anchor="end")?>([^<]*)<', drawn):
        width = len(text) * 6.3
        boxes.setdefault(float(y), []).append((float(x) - width, float(x)) if end else (float(x), float(x) + width))
    assert boxes and len(boxes) <= timeline.ROWS and "more in the table" in drawn
    for row in boxes.values():
        ordered = sorted(row)
        assert all(one[1] < other[0] for one, other in zip(ordered, ordered[1:], strict=False))
