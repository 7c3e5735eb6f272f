"""Every scenario of every pack passes, nothing of the first pack is left without one, and a second agency needs no Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from caseflow.bootstrap import App, scenario_files
from tests.conftest import PACK, ROOT
from tests.explained import unexplained

SECOND = Path(__file__).parent / "workflows"
APP = App()


@pytest.mark.parametrize("path", list(scenario_files([str(PACK / "scenarios")])), ids=lambda path: Path(path).stem)
def test_scenario(path: str) -> None:
    made = APP.rehearse([path])["results"][0]

    assert made["faults"] == [], made["scenario"]
    assert unexplained(made["case"]["clocks"] if made["case"] else []) == [], "the lines of each clock lead from its start to its last day"


def test_the_scenarios_leave_no_transition_condition_limit_timer_letter_or_fee_at_zero() -> None:
    assert APP.rehearse([str(PACK / "scenarios")])["missing"] == []


def test_a_scenario_that_expects_the_wrong_day_fails(tmp_path: Path) -> None:
    text = "scenario: wrong\nworkflow: navigability-confirmation\nfiled: 2026-11-30T09:00\nexpect: {clocks: {determination: {due: 2026-12-29}}}\n"
    path = tmp_path / "wrong.yaml"
    path.write_text(text)

    made = APP.rehearse([str(path)])["results"][0]

    assert not made["passed"]
    assert "2026-12-30" in made["faults"][0]["got"]


def test_the_first_pack_is_clean() -> None:
    made = APP.pack_check(str(PACK), scenarios=False)

    assert len(made["workflows"]) == 9


def test_a_second_agency_with_another_calendar_zone_and_states_needs_no_python() -> None:
    app = App(packs=str(SECOND))

    made = app.pack_check(str(SECOND / "oakville"))

    assert (made["scenarios"], made["failed"]) == (1, [])


def test_the_engine_knows_no_agency() -> None:
    import re

    words = re.compile(r"wisconsin|NR ?3[0-9]{2}|navigab|ohwm|info-requested|weather", re.I)
    files = [path for path in (ROOT / "caseflow").rglob("*") if path.is_file() and path.suffix != ".pyc"]

    assert [str(path) for path in files if words.search(path.read_text(errors="ignore"))] == []
