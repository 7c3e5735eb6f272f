"""Every store gives the whole record in order, keeps checkpoints, and answers the doctor."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from caseflow.adapters.signing import Signer
from caseflow.adapters.store.sql import SqlStore
from caseflow.domain import case as c
from caseflow.domain.chain import Head
from caseflow.domain.checkpoints import Standing
from caseflow.domain.journal import sealed
from caseflow.services.checkpointing import Checkpoints
from caseflow.services.verifying import chain_of
from tests.integration.store.conftest import MOMENT, Make

FACTS = {"place": {"water": "Mühlbach", "county": "Dane"}, "items": ["a", {"z": 1, "b": None}], "count": 3, "late": False}


def recorded(store: Any, make: Make, request: int) -> c.Case:
    """A case of two entries whose hashes are those of their members."""
    case = make.case(request)
    first = sealed(make.entry(case, facts=FACTS, recorded_at=MOMENT + timedelta(microseconds=request), cites=("s. 1 (2)", "§ 3")))
    filed = replace(case, head=first.hash)
    second = sealed(make.entry(replace(case, version=2), "note", prev_hash=first.hash, because='so "it" is', facts={}))
    noted = replace(filed, version=2, head=second.hash)
    make.keep(store, c.Outcome(None, filed, (first,)), c.Outcome(filed, noted, (second,)))
    return noted


def test_the_record_is_read_in_order_and_its_chain_holds(store: Any, make: Make) -> None:
    made = [recorded(store, make, request) for request in (2, 1, 3)]
    found = chain_of(store.record)
    assert (found.cases, found.entries, found.faults) == (3, 6, [])
    assert list(store.record.heads()) == sorted(Head(case.number, 2, case.head) for case in made)
    (part,) = [store.record.part(one) for one in store.record.ranges()]
    assert part.suspects == ()
    head, entries, unreadable = store.record.exact(made[0].number)
    assert head == Head(made[0].number, 2, made[0].head) and len(entries) == 2 and unreadable == []
    assert entries[0].facts == FACTS and entries[1].because == 'so "it" is'


def test_a_chain_with_a_wrong_hash_is_suspected_and_named(store: Any, make: Make) -> None:
    recorded(store, make, 1)
    case = make.case(2)
    make.keep(store, make.filed(case))
    found = chain_of(store.record)
    assert [(fault.case, fault.seq) for fault in found.faults] == [(case.number, 1)]


def test_what_stands_at_an_entry_and_after_it_is_told(store: Any, make: Make) -> None:
    case = recorded(store, make, 1)
    _, entries, _ = store.record.exact(case.number)
    wanted = [(case.number, 0), (case.number, 1), (case.number, 2), ("nobody", 1)]
    first, second = entries
    assert list(store.record.standings(wanted)) == [
        Standing(None, first.recorded_at),
        Standing(first.hash, second.recorded_at),
        Standing(second.hash, None),
        Standing(None, None),
    ]


def test_checkpoints_are_made_and_compared_on_every_store(store: Any, make: Make, tmp_path: Any) -> None:
    recorded(store, make, 1)
    desk = Checkpoints(store, store.record, store.checkpoints, Signer(tmp_path / "key"))
    first = desk.make(MOMENT)
    recorded(store, make, 2)
    second = desk.make(MOMENT + timedelta(days=1))
    assert (first.cases, second.cases, second.entries) == (1, 2, 4)
    assert [desk.compare(one.line, ()).faults for one in (second,)] == [[]]
    assert [head.case for head in store.checkpoints.heads(1)] == ["D-2026-00001-1"]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_database_answers_the_doctor(request: pytest.FixtureRequest, make: Make, kind: str) -> None:
    store: SqlStore = request.getfixturevalue(kind)
    health = store.health
    assert health.latest() is None and list(health.sample(5)) == []
    case = recorded(store, make, 1)
    assert health.unguarded() == []
    assert health.parked() == (0, None) == health.late_timers(MOMENT) == health.blocked() == health.waiting(MOMENT, ("email",)) == health.lapsed(MOMENT)
    assert health.without_timer() == (1, case.number)
    assert health.sample(5) == [case.number] and health.documents(5) == [] and list(health.pack_versions()) == [case.pack_version]
    assert health.noted("x") is None
    health.note("x", "1")
    health.note("x", "2")
    assert health.noted("x") == "2"
    assert store.versions()[0] == store.versions()[1]
