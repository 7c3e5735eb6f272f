"""One text explains a date: on the page, in the API, on the command line, in the letter and in the record that leaves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from caseflow.cli import pictures
from tests.web.conftest import House, words


@pytest.fixture
def held(house: House) -> str:
    """A case that was on hold for eight days."""
    case = house.file()
    house.act(case, "request-information", "2026-12-02T09:00", items=["NAV-e"])
    house.act(case, "accept-information", "2026-12-10T09:00")
    return case


def test_the_same_words_stand_on_page_command_letter_api_and_in_the_record_that_leaves(house: House, held: str, tmp_path: Path) -> None:
    app = house.app("2026-12-11T09:00")
    (told,) = app.why(held, "determination")
    letter = next(one["number"] for one in app.show(held)["letters"] if one["id"] == "hold-ended")
    app.export(held, str(tmp_path / "bundle"), {})
    drawn = Console(width=1000)
    with drawn.capture() as command:
        drawn.print(pictures.why([told]))
    places = {
        "page": words(house.client("wren", "2026-12-11T09:00").get(f"/cases/{held}/why/determination").text),
        "api": json.dumps(house.program(moment="2026-12-11T09:00").get(f"/api/v1/cases/{held}/why").json(), ensure_ascii=False),
        "command": " ".join(command.get().split()),
        "record": words((tmp_path / "bundle" / "index.html").read_text(encoding="utf-8")),
    }
    lines = [step["text"] for step in told["why"]]

    for place, text in places.items():
        for line in (*lines, *(one["text"] for one in (*told["readings"], *told["shadows"]))):
            assert line in text, (place, line)
    written = " ".join(app.letter(letter)["text"].split())
    assert len(lines) == 3
    for line in lines:
        assert line in written


def test_the_page_names_no_setting_by_its_id(house: House, held: str) -> None:
    shown = words(house.client("wren", "2026-12-11T09:00").get(f"/cases/{held}/why/determination").text)

    assert "hold_target_clock" not in shown
    assert "hold target clock" not in shown
    assert "Which clock does the request for information hold?" in shown
    assert "The last day under other readings" in shown
