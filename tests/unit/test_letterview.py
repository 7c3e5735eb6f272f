"""What a letter may read is made when it is read; what was read is kept beside it, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from caseflow.adapters.letters.sandbox import sandbox, settled
from caseflow.domain.letterview import Sheet, snapshot


def sheet(asked: list[str]) -> Sheet:
    def part(name: str) -> Any:
        asked.append(name)
        return Sheet(("first", "second"), lambda clock: {"due": f"{clock} day"}) if name == "clocks" else name.upper()

    return Sheet(("case", "clocks", "fees"), part, {"letter": {"number": "L1"}})


def test_a_part_is_made_once_and_only_when_it_is_read() -> None:
    asked: list[str] = []
    view = sheet(asked)

    assert view["case"] == "CASE"
    assert view["case"] == "CASE"
    assert asked == ["case"]


def test_what_is_kept_is_what_was_read() -> None:
    view = sheet([])
    said = sandbox().from_string("{{ case }}, {{ clocks.second.due }}").render(view)

    assert said == "CASE, second day"
    assert snapshot(view)["clocks"] == {"second": {"due": "second day"}}


def test_a_letter_printed_from_what_was_kept_is_the_same_letter() -> None:
    view = sheet([])
    made = sandbox().from_string("{{ letter.number }} {{ clocks.first.due }}{% if fees %} {{ fees }}{% endif %}{% if clocks.third is defined %}!{% endif %}")
    context = made.new_context(view, shared=True)
    said = "".join(made.root_render_func(context))

    assert set(snapshot(view)) == {"letter", "clocks", "fees"}
    assert made.render(snapshot(view)) == said


def test_every_name_is_there_to_a_reader_who_asks_for_all() -> None:
    view = sheet([])

    assert set(view) == {"letter", "case", "clocks", "fees"}
    assert len(view["clocks"]) == 2
    assert dict(view["clocks"].items()) == {"first": {"due": "first day"}, "second": {"due": "second day"}}
    assert "other" not in view
    assert view.get("other", 7) == 7
    with pytest.raises(KeyError):
        view["other"]


def test_what_stands_for_good_is_written_into_the_template_and_still_escaped() -> None:
    environment = sandbox()
    tree = environment.parse("{{ agency.name }}, {{ agency.head | join(', ') }}{% if agency.unit %}, {{ agency.unit }}{% endif %}")
    made = environment.from_string(settled(tree, {"agency": {"name": "*Bureau*", "head": ["A"], "unit": None}}))

    assert made.render({"agency": {"name": "not asked", "head": ["B"], "unit": None}}) == "\\*Bureau\\*, B"


def test_a_name_that_the_template_gives_anew_is_left_alone() -> None:
    environment = sandbox()
    tree = environment.parse("{% for agency in others %}{{ agency.name }}{% endfor %}")
    made = environment.from_string(settled(tree, {"agency": {"name": "Bureau"}}))

    assert made.render({"others": [{"name": "City"}]}) == "City"
