"""A dry run answers what the act would do, for the case as it stands once what is due has fired, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable

from caseflow.bootstrap import App
from tests.conftest import PACK

CASE = "WD-2026-00001-1"
ASK = {"items": ["NAV-e"]}


def filed(app: Callable[[str], App]) -> None:
    at = app("2026-11-30T09:00")
    at.file(at.read_yaml(str(PACK / "samples/navigability-confirmation/complete.yaml")))


def test_the_answer_is_dated_once_for_each_day_and_nothing_is_written(app: Callable[[str], App]) -> None:
    filed(app)

    tried = app("2026-12-03").act(CASE, "request-information", ASK, None, None, None, None, True)

    # Asked on day 3: 27 days are left after the answer, 2026-12-10 + 27 = 2027-01-06, a Wednesday.
    assert [(one["answered_on"], one["due"]) for one in tried["if_answered_on"]][0] == ("2026-12-10", "2027-01-06")
    assert len({one["answered_on"] for one in tried["if_answered_on"]}) == len(tried["if_answered_on"])
    assert app("2026-12-03").show(CASE)["version"] == 1


def test_a_request_that_holds_nothing_promises_no_later_day(app: Callable[[str], App]) -> None:
    filed(app)

    # The last day was December 30; a request on January 4 comes after it and tolls nothing.
    tried = app("2027-01-04").act(CASE, "request-information", ASK, None, None, None, None, True)

    assert tried["allowed"]
    assert tried["before"]["flags"] == ["overdue"]
    assert tried["if_answered_on"] == []


def test_a_dry_run_of_late_typing_sees_what_is_due_in_its_place(app: Callable[[str], App]) -> None:
    filed(app)
    given = {"exact_location": "From the bridge to the lake", "information_summary": "Survey of 2026"}

    tried = app("2027-01-04").act(CASE, "concur", given, "2026-12-30", None, None, None, True)
    done = app("2027-01-04").act(CASE, "concur", given, "2026-12-30", None, None, None, False)

    clock = {one["id"]: one for one in tried["after"]["clocks"]}["determination"]
    assert (clock["status"], tried["after"]["state"]) == ("met", "decided")
    assert done["flags"] == tried["after"]["flags"] == []
