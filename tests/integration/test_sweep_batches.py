"""How long a sweep keeps the database of a single file from others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from caseflow.bootstrap import App
from caseflow.services import sweeping
from tests.conftest import PACK


def test_a_batch_that_takes_long_ends_early_and_every_timer_is_fired_all_the_same(app: Callable[[str], App], monkeypatch: pytest.MonkeyPatch) -> None:
    at = app("2026-11-30T09:00")
    request = at.read_yaml(str(PACK / "samples/navigability-confirmation/complete.yaml"))
    for _ in range(3):
        at.file(request)
    office, rests = app("2027-01-04T09:00").office, list[float]()

    monkeypatch.setattr(sweeping, "HOLD", -1.0)
    swept = sweeping.sweep(office, pause=rests.append)
    assert swept.fired >= 3
    assert swept.parked == swept.refused == 0
    assert len(rests) >= swept.fired - 1, "one timer at a time, with a rest between two"
    due = office.store.next_due()
    assert due is None or due > office.now()
