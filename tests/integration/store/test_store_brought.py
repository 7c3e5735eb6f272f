"""What comes with a case from another record: letters with their copies and attempts, and documents, after the case and with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from caseflow.adapters.store.mapping import registered
from caseflow.domain.mailing import Attempt
from caseflow.errors import StoreFault
from caseflow.services.ports.documents import Document
from caseflow.services.ports.store import Store
from caseflow.services.ports.work import Brought
from tests.integration.store.conftest import FILES, MOMENT, PACK, Make


def brought(make: Make) -> Brought:
    """A letter that was corrected, with an attempt at one of its copies, and a document."""
    case = make.case()
    letter = registered(make.written(case), PACK.hash)
    letter = replace(letter, status="handed-over", corrected_by="L-9", sent_on=MOMENT.date(), copies=tuple(replace(copy, attempts=1) for copy in letter.copies))
    attempt = Attempt(letter.copies[0].id, 1, "token", MOMENT, MOMENT, "accepted", "250 ok")
    document = Document("D-1", case.number, 1, "d" * 64, "map.pdf", "application/pdf", 9, MOMENT, "ann", "staff", None, "")
    return Brought((letter,), (attempt,), (document,))


def test_what_comes_with_a_case_is_there_with_it(store: Store, make: Make) -> None:
    case, made = make.case(), brought(make)
    with store.begin() as work:
        work.keep_pack(PACK, FILES)
        work.save(make.filed(case), make.row(), (), "import:1")
        work.bring(made)

    with store.read() as work:
        assert tuple(work.letters(case.number)) == (replace(made.letters[0], recipients=work.letters(case.number)[0].recipients),)
        assert (work.attempts(made.letters[0].number), work.documents(case.number)) == (made.attempts, made.documents)


def test_a_letter_whose_number_is_taken_undoes_all_of_it(store: Store, make: Make) -> None:
    make.keep(store, make.filed(make.case()), letters=(make.written(make.case()),))
    other = make.case(2)
    with pytest.raises(StoreFault), store.begin() as work:
        work.save(make.filed(other), make.row())
        work.bring(Brought((replace(registered(make.written(make.case()), PACK.hash), case=other.number),)))

    assert list(store.numbers()) == [make.case().number]


def test_no_number_is_given_up_to_one_that_came_from_elsewhere(store: Store) -> None:
    with store.begin() as work:
        work.count_from("D", 2026, 7)
        work.count_from("D", 2026, 3)
    with store.begin() as work:
        assert (work.next_number("D", 2026), work.next_number("D", 2027)) == (8, 1)
        work.count_from("D", 2027, 1)
        assert work.next_number("D", 2027) == 2


def test_the_packs_that_are_kept_are_named(store: Store, make: Make) -> None:
    assert list(store.pack_versions()) == []
    make.keep(store, make.filed(make.case()))
    assert [one.version for one in store.pack_versions()] == [PACK.hash]
