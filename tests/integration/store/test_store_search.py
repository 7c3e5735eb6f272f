"""The index of words follows the record: whatever happens between reading a case and keeping its words, no change is lost to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from caseflow.adapters.store.sql import SqlStore
from caseflow.domain.case import Case
from caseflow.services.ports.search import SearchText


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> SqlStore:
    found: SqlStore = request.getfixturevalue(request.param)
    return found


def words(case: Case, said: str) -> SearchText:
    return SearchText(case.number, case.version, case.number, "", case.title, said, "")


def found(store: SqlStore, said: str) -> list[str]:
    return list(store.search.find(said, 10))


def test_a_case_that_changed_since_it_was_read_stays_due_and_its_old_words_are_not_kept(store: SqlStore, make: Any) -> None:
    case = make.keep(store, make.filed(make.case()))
    read = words(case, "heron")
    make.keep(store, make.acted(case))

    assert store.search.keep([read]) == 0

    assert (store.search.due(10), found(store, "heron")) == ([case.number], [])


def test_old_words_do_not_come_after_the_new_ones(store: SqlStore, make: Any) -> None:
    case = make.keep(store, make.filed(make.case()))
    slow = words(case, "heron")
    now = make.keep(store, make.acted(case))
    assert store.search.keep([words(now, "otter")]) == 1

    store.search.keep([slow])

    assert (found(store, "otter"), found(store, "heron"), store.search.due(10)) == ([case.number], [], [])


def test_words_of_a_case_that_is_gone_do_not_come_back(store: SqlStore, make: Any) -> None:
    case = make.case()

    assert store.search.keep([words(case, "heron")]) == 0

    assert found(store, "heron") == []


def test_a_case_that_somebody_acts_on_at_this_moment_stays_due_and_nobody_waits(postgres: SqlStore, make: Any) -> None:
    busy, idle = (make.keep(postgres, make.filed(make.case(number))) for number in (1, 2))
    with postgres.engine.begin() as other:
        other.execute(text("UPDATE case_file SET version = 2 WHERE number = :case"), {"case": busy.number})

        assert postgres.search.keep([words(busy, "heron"), words(idle, "heron")]) == 1

    assert (postgres.search.due(10), found(postgres, "heron")) == ([busy.number], [idle.number])
    assert postgres.search.keep([words(replace(busy, version=2), "heron")]) == 1
