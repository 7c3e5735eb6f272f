"""The quick way over the chain finds the same hashes as the exact one, and suspects every case in which a link does not fit."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caseflow.adapters.store.mapping import entry_values
from caseflow.adapters.store.pooled import Pool
from caseflow.adapters.store.scanning import _links
from caseflow.adapters.store.sql import SqlStore
from caseflow.domain.case import NO_HASH, Actor, Entry
from caseflow.domain.chain import Head, Link, part_of
from caseflow.domain.journal import entry_hash, sealed
from tests.faults.damage import docket_of

TEXT = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=("Cs",)), max_size=12)
NAME = st.text(st.characters(max_codepoint=0xD7FF), max_size=8)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAME, inner, max_size=4)
)
MOMENT = datetime(2026, 12, 1, 15, 0, 0, tzinfo=UTC)


def entry(**members: Any) -> Entry:
    plain: dict[str, Any] = {
        "case": "C-1",
        "seq": 1,
        "recorded_at": MOMENT,
        "effective_on": date(2026, 12, 1),
        "actor": Actor("person", "ann", "staff"),
        "action": "file",
        "from_state": None,
        "to_state": "submitted",
        "facts": {},
        "because": None,
        "cites": (),
        "pack_version": "a" * 64,
        "calendar_version": "2026.1",
        "key": "k" * 32,
        "prev_hash": NO_HASH,
        "hash": "",
    }
    return sealed(Entry(**{**plain, **members}))


def row(one: Entry) -> tuple[Any, ...]:
    """An entry as the embedded database gives it."""
    kept = entry_values(one)
    first = ("case", "seq", "prev_hash", "hash", "key", "facts", "recorded_at", "effective_on", "because", "action", "actor_kind", "actor_id", "actor_role")
    made = {**kept, "facts": kept["facts"].encode(), "recorded_at": one.recorded_at.strftime("%Y-%m-%d %H:%M:%S.%f"), "effective_on": str(one.effective_on)}
    return tuple(made[name] for name in (*first, "from_state", "to_state", "pack_version", "calendar_version", "cites"))


@given(st.dictionaries(NAME, VALUE, max_size=5), TEXT | st.none(), st.lists(TEXT, max_size=2), TEXT, st.integers(0, 999_999))
def test_the_hash_made_of_the_kept_texts_is_the_hash_of_the_entry(facts: dict[str, Any], because: str | None, cites: list[str], actor: str, micro: int) -> None:
    one = entry(facts=facts, because=because, cites=tuple(cites), actor=Actor("person", actor, "staff"), recorded_at=MOMENT.replace(microsecond=micro))
    ((_, _, _, kept, made),) = _links([row(one)])
    assert made == kept == entry_hash(one)


@pytest.mark.parametrize(
    ("place", "value"), [(5, b'{"a":1'), (6, "2026-12-01x15:00:00.000000"), (6, "soon"), (17, "[1"), (17, "{}"), (4, None), (5, b"[]"), (0, "C\udc80")]
)
def test_what_cant_be_read_gets_no_hash_and_ends_nothing(place: int, value: Any) -> None:
    damaged = (*row(entry(facts={"a": 1}))[:place], value, *row(entry(facts={"a": 1}))[place + 1 :])
    first, second = _links([damaged, row(entry())])
    assert first[4] != first[3]
    assert second[4] == second[3]


def chain(case: str, length: int) -> list[Link]:
    made, previous = [], NO_HASH
    for seq in range(1, length + 1):
        kept = f"{case}{seq}".ljust(64, "0")
        made.append(Link(case, seq, previous, kept, kept))
        previous = kept
    return made


A, B = chain("A", 3), chain("B", 2)
HEADS = [Head("A", 3, A[-1].kept), Head("B", 2, B[-1].kept)]


def test_a_sound_stretch_has_no_suspect() -> None:
    assert part_of(HEADS, [*A, *B]) == (2, 5, ())


@pytest.mark.parametrize(
    ("links", "suspects"),
    [
        ([A[0], A[2], *B], ("A",)),
        ([*A[:2], *B], ("A",)),
        ([*A], ("B",)),
        ([*A, B[1], B[0]], ("B",)),
        ([A[0], A[1]._replace(made="0" * 64), A[2], *B], ("A",)),
        ([A[0], A[1]._replace(made=None), A[2], *B], ("A",)),
        ([A[0]._replace(previous="1" * 64), *A[1:], *B], ("A",)),
        ([*A, *B, *chain("C", 1)], ("C",)),
        ([*A, *chain("B", 3)], ("B",)),
    ],
    ids=["row deleted", "tail cut", "all entries gone", "reordered", "changed", "unreadable", "wrong link", "entries of no case", "one too many"],
)
def test_a_case_in_which_a_link_does_not_fit_is_suspected_by_its_number(links: list[Link], suspects: tuple[str, ...]) -> None:
    assert part_of(HEADS, links).suspects == suspects


def test_a_case_that_was_disposed_of_stands_by_its_stub() -> None:
    assert part_of([HEADS[0]._replace(stub=True), HEADS[1]], B).suspects == ()
    assert part_of(HEADS, B).suspects == ("A",), "without a stub its entries are missing"


def test_several_processes_read_the_same_as_one(tmp_path: Path) -> None:
    path = docket_of(tmp_path, 12)
    store = SqlStore(f"sqlite:///{path}")
    ranges = list(store.record.ranges(2))
    alone = [store.record.part(one) for one in ranges]
    assert list(Pool(f"sqlite:///{path}", store.record, workers=2, alone=1)(ranges)) == alone
    assert sum(part.cases for part in alone) == 12 and sum(part.entries for part in alone) == 72
    assert not any(part.suspects for part in alone)
    store.engine.dispose()


def test_a_changed_entry_with_its_own_hash_made_anew_breaks_the_link_after_it() -> None:
    one = entry(facts={"a": 1})
    two = sealed(replace(entry(facts={}), seq=2, prev_hash=one.hash))
    forged = sealed(replace(one, facts={"a": 2}))
    head = [Head("C-1", 2, two.hash)]
    assert part_of(head, _links([row(one), row(two)])).suspects == ()
    assert part_of(head, _links([row(forged), row(two)])).suspects == ("C-1",)
