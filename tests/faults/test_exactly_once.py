"""Three schedulers on one database, killed at any moment: what is fired is journaled and has its letter, each once; frozen, they are refused.

With CASEFLOW_FULL=1: 10,000 timers, and at least 50 kills that hit a process at work. `python -m tests.faults.sweeping` does the same and
more on either database.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from caseflow.bootstrap import App
from caseflow.services.sweeping import sweep
from tests.conftest import ROOT
from tests.faults.sweeper import IDLE, PLACES
from tests.faults.sweeping import OUTSIDE, OVERDUE, SLOTS, Kills, overdue_cases, read, sweep_under_fire

FULL = os.environ.get("CASEFLOW_FULL") == "1"
TIMERS, BATCH, HITS = (10_000, 50, 50) if FULL else (600, 20, 4)
LEASE = 0.5
"""Seconds for which the frozen hold their run."""


def fire_and_count(database: Path, say: Callable[[str], None]) -> list[str]:
    """Schedulers are killed at every place until enough kills have hit; the answer is each case that was not fired just once."""
    url = f"sqlite:///{database}"
    cases = overdue_cases(url, TIMERS)
    kills = sweep_under_fire(url, database.parent, Kills(HITS, random.Random(4)), BATCH)
    tally = read(url)
    say(f"{SLOTS} schedulers, {sum(kills.places.values())} kills {dict(kills.places)}, {kills.busy} of them hit a busy process")
    say(f"fired {tally.fired.total()} = journaled {tally.journaled.total()} = letters {tally.lettered.total()} of {len(cases)} due")
    assert kills.busy >= HITS
    assert set(kills.places) == {*PLACES, OUTSIDE}
    return tally.faults(cases)


def test_on_a_server_three_schedulers_under_kills_lose_nothing_and_double_nothing(postgres_url: str, tmp_path: Path) -> None:
    cases = overdue_cases(postgres_url, 200)
    kills = sweep_under_fire(postgres_url, tmp_path, Kills(3, random.Random(4)), BATCH)
    assert kills.busy >= 3
    assert read(postgres_url).faults(cases) == []


def test_letters_written_in_a_second_transaction_are_caught_by_the_same_check(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'case.db'}"
    cases = overdue_cases(url, 100)
    # Each process dies right after a commit, so that the fault shows in every run and not by luck.
    kills = sweep_under_fire(url, tmp_path, Kills(1, random.Random(5), ("committed",)), BATCH, defect=True)
    faults = read(url).faults(cases)
    assert kills.places["committed"] >= 2
    assert len(faults) >= 2
    assert all(fault.endswith("fired 1, journaled 1, letters 0") for fault in faults)


def test_a_scheduler_that_was_frozen_past_its_time_and_resumed_writes_nothing_of_what_another_did(postgres_url: str, tmp_path: Path) -> None:
    """The server ends the transaction of the frozen, another fires what is due, and the frozen one finds nothing left to do."""
    cases = overdue_cases(postgres_url, 20, 20)
    frozen = freeze(postgres_url, tmp_path, "half-written", "1")
    try:
        app, until = App(postgres_url, at=OVERDUE), time.monotonic() + 20
        while app.store.next_due() is not None and time.monotonic() < until:
            sweep(app.office, pause=lambda _: None)
            time.sleep(0.05)
        assert read(postgres_url).faults(cases) == []
    finally:
        frozen.send_signal(signal.SIGCONT)
        said, _ = frozen.communicate(timeout=60)
    assert said.split()[0] == "0", "it fired nothing"
    assert said.split()[1] >= "1", "and was refused"
    assert read(postgres_url).faults(cases) == []
    app.store.engine.dispose()


@pytest.mark.parametrize("place", ["decided", "half-written"])
def test_one_that_was_frozen_on_a_file_records_nothing_of_what_it_had_decided_and_begins_anew(tmp_path: Path, place: str) -> None:
    """Of SQLite the frozen process holds the one lock there is, so that nobody else could do anything meanwhile."""
    url = f"sqlite:///{tmp_path / 'case.db'}"
    cases = overdue_cases(url, 20, 20)
    frozen = freeze(url, tmp_path, place, str(LEASE))
    time.sleep(LEASE)
    frozen.send_signal(signal.SIGCONT)
    said, _ = frozen.communicate(timeout=60)
    assert said.split()[0] == "20"
    assert said.split()[1] >= "1", "it was refused"
    assert read(url).faults(cases) == []


def freeze(url: str, folder: Path, place: str, lease: str) -> subprocess.Popen[str]:
    """A scheduler that stands still at a place."""
    flag = folder / "flag"
    flag.write_bytes(IDLE)
    command = [sys.executable, "-m", "tests.faults.freezing", url, OVERDUE, str(flag), place, lease]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    return process
