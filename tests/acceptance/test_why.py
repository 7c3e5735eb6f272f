"""Why a date is so: lines that add up, the readings chosen by their questions, and the days that the other readings give."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.mail import NoMail
from caseflow.adapters.packs.nodes import read_plain
from caseflow.adapters.store.memory import MemoryStore
from caseflow.bootstrap import App, scenario_files
from caseflow.domain import clock as engine
from caseflow.errors import StoreFault
from caseflow.services.explaining import why
from caseflow.services.office import Office
from caseflow.services.rehearsing import rehearse
from tests.conftest import PACK
from tests.explained import unexplained

APP = App()
SETTINGS = APP.library.all()[0].text.settings
EVERY = 25
"""Of so many scenarios one is explained here; the lines of all of them are summed where they are run, in tests/packs."""
SAMPLED = list(scenario_files([str(PACK / "scenarios")]))[::EVERY]


def explained(text: dict[str, Any], until: str | None = None) -> list[dict[str, Any]]:
    """`case why` of the case that a scenario leaves, on the day of its last step or a later one."""
    keys = count(1)
    office = Office(MemoryStore(), APP.library, LetterWriter(APP.library.files), NoMail(), APP.now, lambda: f"{next(keys):032x}")
    made = rehearse(office, APP._sample(APP.library, ""), text, "scenario")
    if made.case is None:
        return []
    last = datetime.fromisoformat(f"{until or str((text.get('steps') or [{'at': text['filed']}])[-1]['at'])[:10]}T10:00-06:00")
    return why(office, made.case["case"], None, last)


def confirmation(filed: str, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"scenario": "why", "workflow": "navigability-confirmation", "filed": filed, "steps": list(steps), **more}


def of(found: list[dict[str, Any]], clock: str = "determination") -> dict[str, Any]:
    return next(one for one in found if one["clock"] == clock)


def otherwise(clock: dict[str, Any]) -> dict[str, str | None]:
    """The days under other readings, by setting or kind."""
    return {one["setting"] or one["kind"]: one["due"] for one in clock["shadows"]}


@pytest.mark.parametrize("path", SAMPLED, ids=lambda path: Path(path).stem)
def test_the_lines_add_up_and_every_reading_is_named_by_its_question(path: str) -> None:
    found = explained(read_plain(Path(path).read_text(encoding="utf-8"), path))

    assert unexplained(found) == []
    for clock in found:
        for one in (*clock["readings"], *clock["shadows"]):
            assert not any(name in one["text"] for name in SETTINGS), one["text"]
        for one in clock["shadows"]:
            assert one["due"] != clock["due"] or one["kind"] == "no-hold"
            assert one["question"] == (SETTINGS[one["setting"]].question if one["setting"] else None)
        taken = {one["setting"] for one in clock["readings"]}
        assert {name for one in clock["shadows"] for name in one["settings"]} <= taken, "what a date rests on is named with what was chosen"


def test_a_saturday_is_the_last_day_and_the_other_reading_moves_it_to_monday() -> None:
    """Filed on December 3, 2026: thirty days on is Saturday, January 2, 2027, and Monday is January 4."""
    clock = of(explained(confirmation("2026-12-03T09:00")))

    assert (clock["due"], otherwise(clock)) == ("2027-01-02", {"department_deadline_saturday_roll": "2027-01-04"})
    (taken,) = clock["readings"]
    assert taken["question"] == "Does a department deadline that falls on a Saturday move to Monday?"
    assert taken["says"].startswith("Only filings")
    assert taken["because"] == "The cautious answer (DC-4); finishing earlier is never wrong."
    assert clock["shadows"][0]["text"].endswith("the last day would be Monday, January 4, 2027.")


def test_all_rolls_together_give_a_day_that_no_single_reading_gives() -> None:
    """Thirty days after December 1, 2026 is Thursday, December 31, when the office is closed; January 1 is a holiday, the 2nd a Saturday."""
    clock = of(explained(confirmation("2026-12-01T09:00")))

    assert clock["due"] == "2026-12-31"
    assert otherwise(clock) == {"state_closings_as_holidays": "2027-01-02", "all-rolls": "2027-01-04"}


def test_the_day_without_the_hold_is_shown_beside_the_day_with_it() -> None:
    """Eight days on hold, from December 2 through the 10th: January 7 instead of December 30."""
    ask = {"at": "2026-12-02", "do": "request-information", "facts": {"items": ["NAV-e"]}}
    clock = of(explained(confirmation("2026-11-30T09:00", ask, {"at": "2026-12-10", "do": "accept-information"})))

    assert (clock["due"], otherwise(clock)["no-hold"]) == ("2027-01-07", "2026-12-30")
    assert clock["shadows"][-1]["text"] == "If no hold stopped the time, the last day would be Wednesday, December 30, 2026."


def test_the_hour_of_an_electronic_filing_is_a_reading_too() -> None:
    """Filed on Monday, November 30, 2026 at 20:00: under the office's hours it counts on Tuesday, and the last day is a day later."""
    clock = of(explained(confirmation("2026-11-30T20:00")))

    assert (clock["due"], otherwise(clock)["efile_cutoff_local"]) == ("2026-12-30", "2026-12-31")


def test_a_roll_names_the_reading_only_where_the_reading_rolls_it() -> None:
    """Filed on December 4, 2026: thirty days on is Sunday, January 3, which moves under every reading."""
    rolls = [step for step in of(explained(confirmation("2026-12-04T09:00")))["why"] if step["kind"] == "roll"]
    assert [(step["from"], step["reading"]) for step in rolls] == [("2027-01-03", None)]

    read = confirmation("2026-12-03T09:00", settings={"department_deadline_saturday_roll": True})
    rolls = [step for step in of(explained(read))["why"] if step["kind"] == "roll"]
    assert [(step["from"], step["reading"]) for step in rolls] == [("2027-01-02", "department_deadline_saturday_roll"), ("2027-01-03", None)]
    assert rolls[0]["reading_says"] == "Does a department deadline that falls on a Saturday move to Monday? It moves as every other deadline does."


def test_a_day_that_its_lines_do_not_lead_to_is_not_shown(monkeypatch: pytest.MonkeyPatch, app: Callable[[str], App]) -> None:
    made = app("2026-12-04T09:00")
    made.file({**made.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml")), "filed": "2026-12-04T09:00"})
    assert of(made.why("WD-2026-00001-1", None))["due"] == "2027-01-04"
    monkeypatch.setattr(engine, "_roll", lambda calendar, actor, table, day, settings, why: day + 1)

    for show in (lambda: made.why("WD-2026-00001-1", None), lambda: made.show("WD-2026-00001-1")):
        with pytest.raises(StoreFault, match="do not lead to its last day"):
            show()
