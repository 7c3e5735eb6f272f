"""A key that the database refuses when a batch is written stops its own timer and no other."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from caseflow.bootstrap import App
from caseflow.errors import StoreFault
from caseflow.services import sweeping
from caseflow.services.ports.store import Store
from caseflow.services.ports.work import Work
from tests.conftest import PACK

MISSED = "2027-01-04T09:00"


@pytest.fixture
def broken(app: Callable[[str], App], tmp_path: Path) -> str:
    """Three requests that miss December 30; where the second one's next entry would go stands an entry already."""
    at = app("2026-11-30T09:00")
    request = at.read_yaml(str(PACK / "samples/navigability-confirmation/complete.yaml"))
    numbers = [at.file(request)["request"] + "-1" for _ in range(3)]
    with sqlite3.connect(tmp_path / "case.db") as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(entry)")]
        taken = ", ".join("seq + 1" if name == "seq" else f'"{name}"' for name in columns)
        database.execute(f'INSERT INTO entry SELECT {taken} FROM entry WHERE "case" = ? AND seq = 1', (numbers[1],))
    return str(numbers[1])


def statuses(tmp_path: Path) -> dict[tuple[str, str], str]:
    with sqlite3.connect(tmp_path / "case.db") as database:
        return {(row[0], row[1]): row[2] for row in database.execute('SELECT "case", kind, status FROM timer')}


@pytest.mark.parametrize("batch", [1, 2, 100])
def test_the_others_of_the_batch_fire_and_the_one_at_fault_is_parked_with_the_reason(
    app: Callable[[str], App], broken: str, tmp_path: Path, batch: int
) -> None:
    swept = sweeping.sweep(app(MISSED).office, pause=lambda _: None, batch=batch)

    overdue = {case: status for (case, kind), status in statuses(tmp_path).items() if kind == "overdue"}
    assert overdue == {case: "parked" if case == broken else "fired" for case in overdue}
    assert len(overdue) == 3
    assert swept.parked >= 1
    assert swept.fired == sum(status == "fired" for status in statuses(tmp_path).values())
    with sqlite3.connect(tmp_path / "case.db") as database:
        notes = [row[0] for row in database.execute("SELECT note FROM timer WHERE status = 'parked'")]
    assert notes
    assert set(notes) == {"The record can't be changed or removed; nothing was changed."}


def test_a_database_that_fails_as_a_whole_parks_nothing(app: Callable[[str], App], broken: str, tmp_path: Path) -> None:
    office = app(MISSED).office
    before = statuses(tmp_path)

    with pytest.raises(StoreFault, match="full"):
        sweeping.sweep(replace(office, store=Full(office.store)), pause=lambda _: None)
    assert statuses(tmp_path) == before


class Full:
    """A store whose disk is full whenever something is to be written."""

    def __init__(self, store: Store) -> None:
        self._store, self.runs, self.next_due, self.one_writer = store, store.runs, store.next_due, store.one_writer

    @contextmanager
    def begin(self) -> Iterator[Work]:
        with self._store.begin() as work:
            yield work
            raise StoreFault("The disk is full.")
