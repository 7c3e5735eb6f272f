"""The record: canonical JSON, salted facts, and a chain that shows every change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import sha256

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from caseflow.domain.case import NO_HASH, Actor, Entry
from caseflow.domain.journal import canonical, chain_faults, entry_hash, fact_hash, fact_salt, facts_digest, sealed

NAMES = st.text(st.characters(max_codepoint=0xD7FF), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_canonical_json_is_that_of_rfc_8785(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)  # type: ignore[arg-type]


def test_a_float_has_no_place_in_the_record() -> None:
    with pytest.raises(TypeError):
        canonical({"girth": 1.5})


def entry(seq: int, prev: str, facts: dict[str, object]) -> Entry:
    made = Entry(
        "C-1",
        seq,
        datetime(2026, 12, 1, 16, tzinfo=UTC),
        date(2026, 12, 1),
        Actor("person", "ann", "staff"),
        "add-note",
        "open",
        "open",
        facts,
        None,
        ("by-law 7",),
        "p" * 64,
        "1",
        f"{seq:032x}",
        prev,
        "",
    )
    return sealed(made)


def chain() -> list[Entry]:
    first = entry(1, NO_HASH, {"note": "a"})
    second = entry(2, first.hash, {"note": "b"})
    return [first, second, entry(3, second.hash, {})]


def test_a_sound_chain_has_no_fault() -> None:
    entries = chain()

    assert chain_faults("C-1", entries, entries[-1].hash) == []


@pytest.mark.parametrize("damage", ["fact", "drop", "swap", "cut", "because"])
def test_every_damage_to_a_chain_is_found(damage: str) -> None:
    entries = chain()
    head = entries[-1].hash
    if damage == "fact":
        entries[1] = replace(entries[1], facts={"note": "c"})
    elif damage == "drop":
        del entries[1]
    elif damage == "swap":
        entries[0], entries[1] = entries[1], entries[0]
    elif damage == "cut":
        entries.pop()
    else:
        entries[2] = replace(entries[2], because="no reason")

    assert chain_faults("C-1", entries, head)


def test_a_fact_may_be_withheld_and_the_entry_still_verifies() -> None:
    made = entry(1, NO_HASH, {"note": "secret", "day": "2026-12-01"})
    hashes = {"note": fact_hash(fact_salt(made.key, "note"), "secret"), "day": fact_hash(fact_salt(made.key, "day"), "2026-12-01")}

    assert facts_digest(made.key, made.facts) == sha256(canonical(hashes)).hexdigest()
    assert entry_hash(made) == made.hash


def test_equal_facts_of_two_entries_have_different_hashes() -> None:
    assert fact_hash(fact_salt("a" * 32, "note"), "x") != fact_hash(fact_salt("b" * 32, "note"), "x")
