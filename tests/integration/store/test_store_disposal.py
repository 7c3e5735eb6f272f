"""Disposal on every kind of store: all of one case goes behind its stub, and only of a case that has ended and that no hold keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from caseflow.adapters.store.sql import SqlStore
from caseflow.domain.case import Actor, Case, Entry
from caseflow.domain.journal import sealed
from caseflow.domain.retention import Stub
from caseflow.errors import Disposed, Refused, StoreFault
from caseflow.services.ports.documents import Document
from caseflow.services.ports.store import Store

MOMENT = datetime(2034, 1, 5, 16, 0, tzinfo=UTC)


def stub_of(case: Case, place: int = 1, before: str = "0" * 64) -> Stub:
    """A stub as a disposal makes it."""
    facts = {
        "workflow": case.workflow,
        "flags": [],
        "entries": case.version,
        "head": case.head,
        "place": place,
        "before": before,
        "schedule": "all",
        "title": "All",
    }
    members = (case.pack_version, case.calendar_version, "k" * 32, case.head, "")
    actor = Actor("person", "odell", "supervisor")
    return Stub(
        place,
        sealed(Entry(case.number, case.version + 1, MOMENT, MOMENT.date(), actor, "disposed", case.state, "disposed", facts, "Yearly.", (), *members)),
    )


@pytest.fixture
def store(store: Store) -> Iterator[Store]:
    """Each kind of store; on a server as the role that may dispose."""
    if not isinstance(store, SqlStore) or store.url.startswith("sqlite"):
        yield store
        return
    made = SqlStore(store.url.replace("caseflow_app", "caseflow_records"))
    yield made
    made.engine.dispose()


@pytest.fixture
def ended(store: Store, make: Any) -> Case:
    """A case that has ended, with a letter, a document that another case has too, and one of its own."""
    row = make.row(ends=True, decided_on=date(2026, 12, 1))
    case = make.case(aliases=("OLD-7",))
    make.keep(store, make.filed(case), letters=(make.written(case, number="L-1"),), row=row)
    other = make.case(2)
    make.keep(store, make.filed(other), row=row)
    with store.begin() as work:
        for holder, name, content in ((case, "D1", "a"), (case, "D2", "b"), (other, "D3", "a")):
            work.document_added(Document(name, holder.number, 1, content * 64, "plan.pdf", "application/pdf", 9, MOMENT, "ann", "staff", None, ""))
    return case


def test_all_of_the_case_goes_and_nothing_of_another(store: Store, make: Any, ended: Case) -> None:
    other = make.case(2)
    with store.begin() as work:
        assert work.last_disposal() == (0, "0" * 64)
        work.dispose(ended, stub_of(ended))
    assert list(store.numbers()) == [other.number] and store.disposals.count() == 1
    assert store.disposals.stub(ended.number) == stub_of(ended) and store.disposals.left() == {}
    with store.read() as work:
        assert (work.entries(ended.number), work.documents(ended.number), list(work.letters(ended.number))) == ((), (), [])
        assert len(work.entries(other.number)) == 1 and [one.id for one in work.documents(other.number)] == ["D3"]
        with pytest.raises(Disposed):
            work.case(ended.number)
    gone: list[str] = []
    assert [store.disposals.drop_content(name, gone.append) for name in list(store.disposals.contents())] == [True] and gone == ["b" * 64]
    assert store.disposals.rewrite(MOMENT) != store.disposals.residue()
    assert "postgresql" in getattr(store, "url", "") or not store.disposals.residue(), "on a server the owner does it"
    with store.begin() as work:
        assert work.last_disposal() == (1, stub_of(ended).entry.hash)


def test_a_case_under_legal_hold_or_read_before_it_changed_is_refused_and_stays_whole(store: Store, make: Any, ended: Case) -> None:
    row = make.row(ends=True, decided_on=date(2026, 12, 1))
    make.keep(store, make.acted(ended, "legal-hold-placed", {"flags": ("legal-hold",)}), row=row)
    with store.read() as work:
        held = work.case(ended.number)
    with pytest.raises(Refused, match="changed by somebody else"), store.begin() as work:
        work.dispose(ended, stub_of(ended))
    with pytest.raises(StoreFault), store.begin() as work:
        work.dispose(held, stub_of(held))
    with store.read() as work:
        assert len(work.entries(ended.number)) == 2 and len(work.documents(ended.number)) == 2
    assert store.disposals.count() == 0


def test_an_open_case_is_refused(store: Store, make: Any) -> None:
    case = make.case()
    make.keep(store, make.filed(case))
    with pytest.raises(StoreFault), store.begin() as work:
        work.dispose(case, stub_of(case))
    assert list(store.numbers()) == [case.number]


def test_the_number_of_a_stub_is_not_given_to_another_case(store: Store, make: Any, ended: Case) -> None:
    with store.begin() as work:
        work.dispose(ended, stub_of(ended))
    with pytest.raises(StoreFault):
        make.keep(store, make.filed(replace(ended, title="Another")))
    assert ended.number not in list(store.numbers())
