"""Two who write the same row of a server at the same moment: the second waits for the first, and neither fails nor is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from time import monotonic
from typing import Any

import pytest

from caseflow.adapters.store.sql import SqlStore
from caseflow.domain.moving import Adoption
from caseflow.domain.packmoves import PackMove
from caseflow.errors import KeyRefused
from tests.integration.store.conftest import FILES, MOMENT, PACK
from tests.server import Server

ADOPTION = Adoption(1, "agency", "2@" + "b" * 64, ("c" * 64,), MOMENT, "odell", "supervisor", "Act 9")
MOVE = PackMove(1, "agency", PACK.hash, PACK.hash, MOMENT, "odell", "supervisor", "Act 9")
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@pytest.fixture
def store(postgres_url: str) -> Iterator[SqlStore]:
    """A store whose transactions wait for one another."""
    made = SqlStore(postgres_url, busy=20)
    yield made
    made.engine.dispose()


def at_once(store: SqlStore, server: Server, url: str, first: Callable[[Any], None], second: Callable[[Any], None]) -> None:
    """Does the first, and before it is committed begins the second."""

    def later() -> None:
        with store.begin() as work:
            second(work)

    with ThreadPoolExecutor(1) as pool:
        with store.begin() as work:
            first(work)
            done: Future[None] = pool.submit(later)
            until = monotonic() + 20
            while not done.done() and server.run(WAITS, database=server.name_of(url))[0][0] == 0:
                assert monotonic() < until
        done.result(20)


@pytest.mark.parametrize("lasts", [(5, 9), (9, 5)])
def test_of_two_counts_the_higher_one_stands(store: SqlStore, server: Server, postgres_url: str, lasts: tuple[int, int]) -> None:
    first, second = lasts

    at_once(store, server, postgres_url, lambda work: work.count_from("D", 2026, first), lambda work: work.count_from("D", 2026, second))

    with store.begin() as work:
        assert work.next_number("D", 2026) == 10


def test_a_calendar_that_two_hand_in_is_kept_once(store: SqlStore, server: Server, postgres_url: str) -> None:
    def keeps(work: Any) -> None:
        work.keep_calendar("b" * 64, "calendar: agency\n")

    at_once(store, server, postgres_url, keeps, keeps)

    assert store.calendar_text("b" * 64) == "calendar: agency\n"


def test_what_two_keep_of_the_same_adoption_or_move_is_what_the_later_one_keeps(store: SqlStore, server: Server, postgres_url: str, make: Any) -> None:
    with store.begin() as work:
        work.keep_pack(PACK, FILES)

    at_once(store, server, postgres_url, lambda work: work.keep_adoption(ADOPTION), lambda work: work.keep_adoption(replace(ADOPTION, moved=3)))
    at_once(store, server, postgres_url, lambda work: work.keep_pack_move(MOVE), lambda work: work.keep_pack_move(replace(MOVE, moved=3)))

    assert [one.moved for one in (*store.adoptions(), *store.pack_moves())] == [3, 3]


def test_another_adoption_of_the_same_number_is_refused_and_the_first_one_stands(store: SqlStore, server: Server, postgres_url: str) -> None:
    other = replace(ADOPTION, by="reed")

    with pytest.raises(KeyRefused, match="an adoption 1"):
        at_once(store, server, postgres_url, lambda work: work.keep_adoption(ADOPTION), lambda work: work.keep_adoption(other))

    assert store.adoptions() == [ADOPTION]
