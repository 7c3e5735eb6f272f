"""Through a mail server that fails in every way, and with the dispatcher killed at any place: no letter is lost, and none
goes twice but under the same name with the same bytes after an answer that was lost.

With CASEFLOW_FULL=1: 500 letters through every kind of server, and 100 kills.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from shutil import copy

import pytest

from tests.faults.dispatcher import PLACES
from tests.faults.dispatching import SHARES, Kills, prepare, through, under_fire
from tests.faults.sink import Sink, mixed

FULL = os.environ.get("CASEFLOW_FULL") == "1"
LETTERS, KILLS = (500, 100) if FULL else (20, 5)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, int], None]:
    """A database with so many letters that wait; the same number is prepared once."""
    home = tmp_path_factory.mktemp("letters")

    def made(database: Path, letters: int) -> None:
        kept = home / f"{letters}.db"
        if not kept.exists():
            prepare(kept, letters)
        copy(kept, database)

    return made


@pytest.mark.parametrize("kind", SHARES)
def test_a_server_that_fails_loses_and_doubles_no_letter(prepared: Callable[[Path, int], None], tmp_path: Path, kind: str) -> None:
    database, sink = tmp_path / "letters.db", Sink(mixed(17, SHARES[kind]))
    prepared(database, LETTERS)

    made = through(database, sink, timeout=0.5, down_first=kind == "all")

    assert made.faults == []
    assert made.sent + made.bounced == made.letters == LETTERS
    assert sink.done.total() > sink.done["well"], "the server failed at least once"


def test_a_dispatcher_that_is_killed_at_any_place_loses_and_doubles_no_letter(prepared: Callable[[Path, int], None], tmp_path: Path) -> None:
    database, sink, kills = tmp_path / "letters.db", Sink(), Kills(KILLS, random.Random(17))
    prepared(database, 4 * KILLS)

    made = under_fire(database, sink, kills)

    assert made.faults == []
    assert made.sent == made.letters == 4 * KILLS
    assert kills.places.total() >= KILLS
    assert {*PLACES} <= {*kills.places} or not FULL


@pytest.mark.parametrize("defect", ["unnoted", "unnamed"])
def test_an_attempt_that_is_noted_late_or_named_anew_is_caught_by_the_same_check(prepared: Callable[[Path, int], None], tmp_path: Path, defect: str) -> None:
    database, sink = tmp_path / "letters.db", Sink()
    prepared(database, 20)

    made = under_fire(database, sink, Kills(6, random.Random(17)), defect)

    assert made.faults
