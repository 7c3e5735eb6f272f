"""What every store says of the pack versions that it keeps."""

from __future__ import annotations

from typing import Any

from caseflow.domain.pack import Pack, PackText
from caseflow.services.ports.store import KeptPack, Store

LATER = Pack.model_construct(hash="b" * 64, text=PackText.model_construct(pack="agency", version="2"))


def test_kept_versions_are_listed_with_their_cases_and_those_that_are_open(store: Store, make: Any) -> None:
    make.keep(store, make.filed(make.case(1)))
    make.keep(store, make.filed(make.case(2)), row=make.row(ends=True))
    with store.begin() as work:
        work.keep_pack(LATER, {"pack.yaml": "pack: agency\n"})

    assert list(store.pack_versions()) == [KeptPack("a" * 64, "agency", "1", 2, 1), KeptPack("b" * 64, "agency", "2", 0, 0)]


def test_the_open_cases_of_a_version_come_by_number_a_part_at_a_time_and_follow_a_case_that_moves(store: Store, make: Any) -> None:
    cases = [make.keep(store, make.filed(make.case(number))) for number in (3, 1, 2)]
    make.keep(store, make.filed(make.case(4)), row=make.row(ends=True))
    numbers = sorted(case.number for case in cases)

    assert list(store.cases_under("a" * 64, limit=2)) == numbers[:2]
    assert len(store.cases_under("a" * 64, is_open=False)) == 4
    assert list(store.cases_under("a" * 64, after=numbers[1])) == numbers[2:]

    with store.begin() as work:
        work.keep_pack(LATER, {"pack.yaml": "pack: agency\n"})
        work.save(make.acted(cases[0], "pack-moved", {"pack_version": "b" * 64}), make.row())
    assert list(store.cases_under("b" * 64)) == [cases[0].number]
    assert list(store.cases_under("a" * 64)) == [number for number in numbers if number != cases[0].number]
