"""The diagram of a workflow: all of the machine is in it, its lines are right-angled and pass no box, and its words stand apart."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cache
from xml.etree import ElementTree

import pytest

from caseflow.adapters.diagram import _laid, draw, draw_chart, story
from caseflow.adapters.diagram.chart import MANY, Box, Chart, Line, Said, chart_of
from caseflow.adapters.diagram.routing import BOX_H, BOX_W, Rect
from caseflow.bootstrap import App
from caseflow.domain.machine import NEW
from caseflow.domain.rulebook import Rulebook

NAMES = (
    "exemption-determination",
    "general-permit",
    "individual-permit",
    "municipal-breakwater-permit",
    "navigability-confirmation",
    "navigability-determination",
    "navigability-in-fact",
    "ohwm-confirmation",
    "ohwm-determination",
)


@cache
def book(name: str) -> Rulebook:
    return App().library.rulebook(name, date(2026, 12, 1))


def texts(svg: str) -> str:
    return " ".join("".join(one.itertext()) for one in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))  # noqa: S314 - made here


@pytest.mark.parametrize("name", NAMES)
def test_every_move_of_the_machine_is_drawn_or_named_beneath(name: str) -> None:
    chart, flow = chart_of(book(name)), book(name).workflow
    drawn = {(line.source, line.target, one.title.partition(" (")[0]) for line in chart.lines for one in line.said}
    beneath = {one.action for one in chart.beneath}
    for action, source, to in book(name).machine.edges():
        if source != to:
            assert action in beneath or (source, to, flow.actions[action].title.partition(" (")[0]) in drawn
    for action in beneath:
        ends = [{edge[side] for edge in book(name).machine.edges() if edge[0] == action and edge[1] != edge[2]} for side in (1, 2)]
        assert max(map(len, ends)) >= MANY, "only what leads from or to many is not drawn"


@pytest.mark.parametrize("name", NAMES)
def test_every_line_is_right_angled_and_passes_no_box(name: str) -> None:
    chart = chart_of(book(name))
    laid = _laid(chart)
    for line, route in zip(chart.lines, laid.routes, strict=True):
        assert len(route) >= 2, (line.source, line.target)
        for (x1, y1), (x2, y2) in zip(route, route[1:], strict=False):
            assert (x1 == x2) != (y1 == y2)
            for box in laid.spots.values():
                assert not (min(x1, x2) < box.x + box.w - 1 and box.x + 1 < max(x1, x2) and box.y + 1 < y1 == y2 < box.y + box.h - 1), line
                assert not (min(y1, y2) < box.y + box.h - 1 and box.y + 1 < max(y1, y2) and box.x + 1 < x1 == x2 < box.x + box.w - 1), line
        for (x, y), state in ((route[0], line.source), (route[-1], line.target)):
            box = laid.spots[state]
            assert (x in (box.x, box.x + box.w) and box.y <= y <= box.y + box.h) or (y in (box.y, box.y + box.h) and box.x <= x <= box.x + box.w)


@pytest.mark.parametrize("name", NAMES)
def test_no_two_lines_share_a_way(name: str) -> None:
    taken: dict[tuple[int, int, str], int] = {}
    for number, route in enumerate(_laid(chart_of(book(name))).routes):
        for (x1, y1), (x2, y2) in zip(route, route[1:], strict=False):
            way = [(x, y1, "-") for x in range(min(x1, x2) + 1, max(x1, x2))] if y1 == y2 else [(x1, y, "|") for y in range(min(y1, y2) + 1, max(y1, y2))]
            for point in way:
                assert taken.setdefault(point, number) == number, point


@pytest.mark.parametrize("name", NAMES)
def test_words_stand_on_no_box_and_on_no_other_words(name: str) -> None:
    laid = _laid(chart_of(book(name)))
    places = [place for place in laid.words if place is not None]
    assert len(places) == len(laid.routes)
    for at, place in enumerate(places):
        assert place.x >= 0 and place.y >= 0 and place.x + place.w <= laid.width and place.y + place.h <= laid.height
        assert not [box for box in laid.spots.values() if place.meets(box.x, box.y, box.w, box.h)], place.lines
        assert not [other for other in places[at + 1 :] if place.meets(other.x, other.y, other.w, other.h)], place.lines


@pytest.mark.parametrize("name", NAMES)
def test_few_words_stand_across_a_line_of_others(name: str) -> None:
    laid = _laid(chart_of(book(name)))
    across = 0
    for at, place in enumerate(laid.words):
        for number, route in enumerate(laid.routes):
            for (x1, y1), (x2, y2) in zip(route, route[1:], strict=False):
                across += number != at and place is not None and place.meets(min(x1, x2), min(y1, y2), abs(x1 - x2) + 1, abs(y1 - y2) + 1)
    assert across <= 3


def test_what_time_does_is_dashed_and_what_people_do_is_not() -> None:
    chart = chart_of(book("navigability-confirmation"))
    lines = {(line.source, line.target, line.time): [one.title for one in line.said] for line in chart.lines}
    assert lines["info-requested-once", "on-hold", True] == ["No answer within the suggested time"]
    assert lines["info-requested-once", "on-hold", False] == ["Record a response that does not satisfy the request"]
    assert lines["weather-delayed", "weather-delayed", True] == ["Look at the site again"], "a reminder that begins anew is a loop"
    assert draw_chart(chart).count("stroke-dasharray") == sum(line.time for line in chart.lines)


def test_a_limit_stands_in_brick_beside_its_action_and_a_supervisors_act_says_so() -> None:
    svg = draw(book("navigability-confirmation"))
    assert re.search(r'fill="#9c2a1c"[^>]*>once only<', svg) and "Rescind the decision (supervisor)" in texts(svg)


def test_states_in_which_a_clock_stands_carry_its_pattern() -> None:
    stands = {box.name: box.stands for box in chart_of(book("navigability-confirmation")).boxes}
    assert stands["info-requested-once"] == stands["on-hold"] == "held", "no answer does not end the hold"
    assert stands["weather-delayed"] == "displaced"
    assert not stands["submitted"] and not stands["decided"] and not stands["incomplete"]


def test_the_state_of_a_case_is_filled_with_ink() -> None:
    plain, marked = draw(book("general-permit")), draw(book("general-permit"), "submitted")
    assert 'fill="#17242b" stroke="#17242b"' in marked and 'fill="#17242b" stroke="#17242b"' not in plain and "the case is here" in texts(marked)


def test_the_drawing_is_a_picture_with_its_story_and_the_same_bytes_each_time() -> None:
    svg = draw(book("exemption-determination"))
    root = ElementTree.fromstring(svg)  # noqa: S314 - made here
    assert root.get("role") == "img" and "Submitted to Decided: Record the withdrawal" in str(root.get("aria-label"))
    assert "style=" not in svg and "<script" not in svg and "id=" not in svg, "the policy drops styles, and an id could be there twice"
    _laid.cache_clear()
    assert draw(book("exemption-determination")) == svg


def test_hostile_titles_stay_words() -> None:
    evil = '</text><script>alert("x")</script>&'
    boxes = (Box("a", evil, evil, 0, 0), Box("b", "B", "", 0, 1, "held", True))
    svg = draw_chart(Chart(evil, boxes, (Line(NEW, "a", False, (Said(evil),)), Line("a", "b", True, (Said(evil, evil),)))))
    assert "<script" not in svg and 'alert("x")' in story(Chart(evil, boxes, ()))
    assert ElementTree.fromstring(svg) is not None  # noqa: S314 - made here


def test_a_pack_that_places_nothing_and_has_many_columns_is_still_drawn() -> None:
    boxes = tuple(Box(f"s{at}", f"State {at}", "", at % 4, at // 4) for at in range(16))
    lines = tuple(Line(f"s{at}", f"s{(at * 5 + 3) % 16}", bool(at % 3), (Said(f"Act {at} with a title of some length"),)) for at in range(16))
    laid = _laid(Chart("Many", boxes, lines))
    assert all(laid.routes) and all(place is not None for place in laid.words)
    assert all(isinstance(box, Rect) and (box.w, box.h) == (BOX_W, BOX_H) for box in laid.spots.values())
    assert draw_chart(replace(Chart("Many", boxes, lines), title="Many")).endswith("</svg>")
