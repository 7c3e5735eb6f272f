"""Documents in every store: each content once for an item, rows that nobody changes, and all of a transaction or nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from caseflow.adapters.store.sql import SqlStore
from caseflow.errors import NotFound, StoreFault
from caseflow.services.ports.documents import Document
from caseflow.services.ports.store import Store
from tests.integration.store.conftest import MOMENT


@pytest.fixture
def case(store: Store, make: Any) -> str:
    return str(make.keep(store, make.filed(make.case())).number)


def document(case: str, place: int = 1, **members: Any) -> Document:
    plain = Document(f"{case}-D{place}", case, 2, "a" * 64, "plan.pdf", "application/pdf", 12, MOMENT, "ann", "staff", None, "")
    return replace(plain, **members)


def added(store: Store, *documents: Document) -> None:
    with store.begin() as work:
        for one in documents:
            work.document_added(one)


def test_a_document_is_found_by_its_number_and_by_its_case_as_it_was_added(store: Store, case: str) -> None:
    made = [document(case, place, sha256=f"{place:064x}", sender="Ann Lee", item="M-1") for place in range(1, 12)]
    added(store, *made)
    with store.read() as work:
        assert list(work.documents(case)) == made, "the eleventh comes after the second"
        assert work.document(f"{case}-D3") == made[2] and work.documents("D-2026-99999-1") == ()


def test_a_number_that_nobody_gave_is_not_found(store: Store, case: str) -> None:
    with store.read() as work, pytest.raises(NotFound, match="not yours to see"):
        work.document(f"{case}-D1")


def test_the_same_content_for_the_same_item_of_a_case_is_there_once(store: Store, case: str) -> None:
    added(store, document(case), document(case, 2, item="M-1"))
    with pytest.raises(StoreFault):
        added(store, document(case, 3))
    with pytest.raises(StoreFault):
        added(store, document(case, 1, sha256="b" * 64))
    with store.read() as work:
        assert len(work.documents(case)) == 2


def test_a_transaction_that_fails_leaves_no_document(store: Store, case: str) -> None:
    with pytest.raises(RuntimeError), store.begin() as work:
        work.document_added(document(case))
        raise RuntimeError
    with store.read() as work:
        assert work.documents(case) == ()


@pytest.mark.parametrize("change", ["UPDATE document SET name = 'x'", "DELETE FROM document", "INSERT OR REPLACE INTO document SELECT * FROM document"])
def test_nobody_changes_or_removes_a_row_through_another_program(sqlite: SqlStore, make: Any, change: str) -> None:
    case = make.keep(sqlite, make.filed(make.case())).number
    added(sqlite, document(case))
    with pytest.raises(IntegrityError, match="append-only"), sqlite.engine.begin() as connection:
        connection.exec_driver_sql(change)
