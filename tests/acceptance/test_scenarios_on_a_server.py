"""Every scenario of the first pack leaves the same journal on PostgreSQL, byte for byte, as in memory, where tests/packs runs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.mail import NoMail
from caseflow.adapters.store.memory import MemoryStore
from caseflow.adapters.store.sql import SqlStore
from caseflow.bootstrap import App, scenario_files
from caseflow.bootstrap.joining import Keys
from caseflow.domain.case import Entry
from caseflow.services.office import Office
from caseflow.services.ports.store import Store
from caseflow.services.rehearsing import rehearse
from tests.conftest import PACK
from tests.server import Server

APP = App()
PATHS = list(scenario_files([str(PACK / "scenarios")]))
PARTS = 24
"""So many tests share the scenarios, so that processes that run tests side by side share them too."""


def played(store: Store, writer: LetterWriter, scenario: Mapping[str, Any], path: str) -> tuple[list[Any], list[tuple[Entry, ...]], list[Any]]:
    """What is wrong with a scenario, the journal of each case, and the register of letters."""
    office = Office(store, APP.library, writer, NoMail(), APP.now, Keys())
    made = rehearse(office, APP._sample(APP.library, path), scenario, path)
    with store.read() as work:
        return made.faults, [work.entries(number) for number in store.numbers()], list(work.letters())


@pytest.fixture(scope="module")
def writer() -> LetterWriter:
    return LetterWriter(APP.library.files)


@pytest.fixture
def kept(postgres_url: str) -> Iterator[SqlStore]:
    made = SqlStore(postgres_url)
    with made.engine.begin() as connection:  # the codes in letters are made of it; in memory it is always the same
        connection.execute(text("UPDATE meta SET value = :value WHERE key = 'secret:access-code'"), {"value": sha256(b"access-code").hexdigest()})
    yield made
    made.close()


@pytest.mark.parametrize("part", range(PARTS))
def test_the_journal_is_the_same(part: int, server: Server, kept: SqlStore, writer: LetterWriter) -> None:
    for path in PATHS[part::PARTS]:
        scenario = APP.read_yaml(path)
        server.clear()
        faults, journal, letters = played(kept, writer, scenario, path)
        assert faults == [], Path(path).stem
        assert (journal, letters) == played(MemoryStore(), writer, scenario, path)[1:], Path(path).stem
