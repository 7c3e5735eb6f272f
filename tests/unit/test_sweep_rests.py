"""Between two batches of a sweep there is a rest: where one lock is everybody's, batches are short and the rest grows with them."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from caseflow.services import sweeping
from caseflow.services.sweeping import BATCH, PAUSE, SHARE, SHORT

NOW = datetime(2026, 12, 1, 15, tzinfo=UTC)
TOOK = 0.1
"""Seconds that each batch takes."""


def rests(monkeypatch: pytest.MonkeyPatch, one_writer: bool, found: list[float], took: float = TOOK) -> tuple[list[int], list[float]]:
    """How many timers each batch asked for, and the rests after them; `found` are the parts of what was asked for that were due."""
    asked: list[int] = []
    due = iter(found)

    def batch(_office: Any, _run: Any, _until: Any, _now: Any, most: int, _total: Any) -> tuple[int, int]:
        asked.append(most)
        taken = int(most * next(due))
        return taken, taken  # all that it knew to be due

    ticks = count()
    store = SimpleNamespace(one_writer=one_writer, next_due=lambda: NOW, runs=SimpleNamespace(end=lambda *_: None, crowd=lambda: 1))
    monkeypatch.setattr(sweeping, "_batch", batch)
    monkeypatch.setattr(sweeping, "sweeping", lambda *_: SimpleNamespace(name="sweep", token="t"))
    monkeypatch.setattr("time.perf_counter", lambda: next(ticks) * took)
    rested: list[float] = []
    done = sweeping.sweep(SimpleNamespace(store=store, now=lambda: NOW), pause=rested.append)  # type: ignore[arg-type]
    assert done.paused == pytest.approx(sum(rested))
    return asked, rested


def test_where_one_lock_is_everybodys_batches_are_short_and_half_their_time_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, rested = rests(monkeypatch, True, [1, 1, 0.5, 0])
    assert asked == [SHORT] * 4
    assert rested == pytest.approx([SHARE * TOOK] * 2)


def test_a_quick_batch_still_leaves_the_least_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rests(monkeypatch, True, [1, 0], took=PAUSE)[1] == [PAUSE]


def test_where_each_case_is_locked_apart_batches_are_long_and_the_rest_is_the_least(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, rested = rests(monkeypatch, False, [1, 1, 0])
    assert (asked, rested) == ([BATCH] * 3, [PAUSE] * 2)
