"""Dockets for measuring: cases written again under other numbers are as sound as those that the services made, or are not written."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest

from benchmarks import loading
from benchmarks.dockets import Docket, new_docket
from benchmarks.visitors import _answer

NOW = datetime(2026, 12, 20, 16, tzinfo=UTC)
CASES, DUE, OWED = 40, 6, 5


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Docket, loading.Docketful]]:
    docket = new_docket(tmp_path_factory.mktemp("loaded"), "loaded")
    found = loading.fill(docket, CASES, NOW, due=DUE, owed=OWED)
    yield docket, found
    docket.app.store.close()


def test_every_copy_has_its_six_entries_and_verifies_by_hash_and_replay(loaded: tuple[Docket, loading.Docketful]) -> None:
    docket, _ = loaded
    found = docket.app.verify(None)
    assert (found["cases"], found["entries"], found["faults"]) == (CASES, CASES * loading.ENTRIES, [])
    with closing(sqlite3.connect(docket.path)) as connection:
        assert connection.execute('SELECT DISTINCT count(*) FROM entry GROUP BY "case"').fetchall() == [(loading.ENTRIES,)]
        assert connection.execute("SELECT count(DISTINCT hash) FROM entry").fetchone() == (CASES * loading.ENTRIES,)


def test_as_many_answers_are_overdue_and_as_many_letters_may_leave_as_were_asked_for(loaded: tuple[Docket, loading.Docketful]) -> None:
    docket, found = loaded
    assert (len(found.due), len(found.owed), len(found.waiting)) == (DUE, OWED, CASES - DUE - OWED)
    with docket.app.store.read() as work:
        due = work.due(NOW, CASES)
        letters = work.letters(status=("owed",), until=NOW)
    assert {one.case for one in due} == set(found.due)
    assert {one.case for one in letters} == set(found.owed) and {one.letter for one in letters} == {"acknowledgement"}


def test_a_copy_whose_links_do_not_fit_is_not_written(loaded: tuple[Docket, loading.Docketful], monkeypatch: pytest.MonkeyPatch) -> None:
    docket, found = loaded
    with docket.app.store.read() as work:
        entries = work.entries(found.due[0])
    docket.close()
    hash_of = loading.Link.hash
    with closing(loading.Raw(docket)) as raw:
        model = raw.model(found.due[0], entries)
        loading.Copier(model)
        monkeypatch.setattr(loading.Link, "hash", lambda link, request, _previous: hash_of(link, request, "0" * 64))
        with pytest.raises(AssertionError, match="was not copied as it is"):
            loading.Copier(model)


def test_a_visitor_reads_pages_of_a_stated_length_and_those_that_come_in_pieces() -> None:
    async def read(data: bytes) -> tuple[int, str]:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        found = await _answer(reader)
        return found.status, found.body

    whole = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nWords"
    pieces = b"HTTP/1.1 303 See Other\r\ntransfer-encoding: chunked\r\n\r\n3\r\nWor\r\n2\r\nds\r\n0\r\n\r\n"
    assert asyncio.run(read(whole)) == (200, "Words")
    assert asyncio.run(read(pieces)) == (303, "Words")
