"""A clock that stands far ahead of the last sweep fires nothing by itself; a person who sweeps says that it is right."""

from __future__ import annotations

import pytest

from caseflow.adapters.scheduler import Clerk
from caseflow.bootstrap import App
from tests.unit.dockets import Office

FILED, JUMPED = "2027-01-05", "2027-02-20"
"""Forty-six days lie between; the last day of the case is in January."""


@pytest.fixture
def office() -> Office:
    made = Office()
    made.case = made.file(FILED)  # type: ignore[attr-defined]
    tick(made.on(FILED))
    return made


def tick(app: App, **more: int) -> None:
    Clerk(app.office, background=True, **more).tick()


def signs(office: Office) -> list[str]:
    return sorted(name.partition("-")[0] for name, *_ in office.store.heartbeats())


def test_nothing_is_fired_until_a_person_has_swept_and_then_all_of_it_with_its_own_dates(office: Office) -> None:
    case = office.case  # type: ignore[attr-defined]
    before = office.on(JUMPED).show(case)
    tick(office.on(JUMPED))
    assert office.on(JUMPED).show(case) == before
    assert "clock" in signs(office)

    office.on(JUMPED).sweep(None)
    tick(office.on(JUMPED))

    assert office.on(JUMPED).show(case)["state"] != before["state"]
    (ended,) = [one for one in office.on(JUMPED).timeline(case, "recorded", None) if one["action"] == "fall-silent"]
    assert ended["effective_on"] < "2027-01-25", "the day of the rule, not that of the sweep"


@pytest.mark.parametrize(("limit", "fires"), [(45, False), (46, True)])
def test_how_far_ahead_it_may_stand_is_a_setting(office: Office, limit: int, fires: bool) -> None:
    before = office.on(JUMPED).show(office.case)["version"]  # type: ignore[attr-defined]
    tick(office.on(JUMPED), limit=limit)
    assert (office.on(JUMPED).show(office.case)["version"] > before) == fires  # type: ignore[attr-defined]


def test_a_first_scheduler_has_nothing_to_doubt() -> None:
    office = Office()
    case = office.file(FILED)
    before = office.on(JUMPED).show(case)["version"]
    tick(office.on(JUMPED))
    assert office.on(JUMPED).show(case)["version"] > before
