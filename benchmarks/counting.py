"""What is counted and not timed: transactions of an action that schedules a deadline, and what is made of a letter within it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import event

from benchmarks.dockets import REQUEST, Docket, new_docket
from benchmarks.measure import Line, seconds
from caseflow.adapters.letters.pdf import PdfMaker
from caseflow.services import acting
from caseflow.services.dispatching import dispatch

FILED = datetime(2026, 12, 1, 15, tzinfo=UTC)
ACTED = FILED + timedelta(days=1)


def run(folder: Path, number: int = 20) -> list[Line]:
    """S6: one commit for an action with its deadlines. L3: the letter stands in the outbox by that commit, and no PDF was made."""
    docket = new_docket(folder, "counting")
    cases = [docket.file(FILED) for _ in range(number)]
    dispatch(docket.office(FILED), FILED, at_once=True)
    commits, made = _Counted(docket), _Made()
    with made:
        with commits:
            took = seconds(lambda: [acting.act(docket.office(ACTED), case, REQUEST) for case in cases]) / number
        within = made.number
        printing = seconds(lambda: dispatch(docket.office(ACTED), ACTED, at_once=True)) / number
    deadlines, owed, later = _rows(docket.path)
    scheduled = deadlines >= number
    extra = commits.number - number
    return [
        Line(
            "extra commits of an action that schedules a deadline",
            "0",
            f"{extra} in {number} actions that scheduled {deadlines} timers",
            extra == 0 and scheduled,
            id="S6",
        ),
        Line(
            "PDF files made within a case's transaction",
            "0",
            f"{within} in {number} actions that owed {owed} letters; {later} were made by the dispatcher"
            f" ({took * 1e3:.1f} ms an action, {printing * 1e3:.0f} ms a letter later)",
            within == 0 and owed == number and later >= number,
            id="L3",
        ),
    ]


def _rows(path: Path) -> tuple[int, int, int]:
    """Timers that the actions opened, letters that they owe, and copies of these that have left since."""
    with closing(sqlite3.connect(path)) as connection:
        ask = connection.execute
        timers = ask("SELECT count(*) FROM timer WHERE clock = 'response-target'").fetchone()[0]
        letters = ask("SELECT count(*) FROM letter WHERE letter = 'information-request'").fetchone()[0]
        left = ask("SELECT count(*) FROM letter_copy WHERE template = 'information-request' AND status = 'handed-over' AND kind = 'to'").fetchone()[0]
    return timers, letters, left


class _Counted:
    """Counts, at the driver, the writing transactions that are committed while it is entered."""

    def __init__(self, docket: Docket) -> None:
        self._engine, self.number, self._writes = docket.app.store.engine, 0, False

    def _note(self, statement: str) -> None:
        word = statement.strip().upper()
        self._writes = True if word.startswith("BEGIN") and "IMMEDIATE" in word else self._writes
        if word.startswith("COMMIT"):
            self.number, self._writes = self.number + self._writes, False

    def _watch(self, connection: Any, *_: Any) -> None:
        connection.set_trace_callback(self._note)

    def __enter__(self) -> None:
        self._engine.dispose()
        event.listen(self._engine, "checkout", self._watch)

    def __exit__(self, *_: object) -> None:
        event.remove(self._engine, "checkout", self._watch)
        self._engine.dispose()


class _Made:
    """Counts the PDF files that are made."""

    def __init__(self) -> None:
        self.number, self._make = 0, PdfMaker.make

    def __enter__(self) -> None:
        make = self._make

        def counted(maker: PdfMaker, *given: Any, **more: Any) -> bytes:
            self.number += 1
            return make(maker, *given, **more)

        PdfMaker.make = counted  # type: ignore[method-assign]

    def __exit__(self, *_: object) -> None:
        PdfMaker.make = self._make  # type: ignore[method-assign]
