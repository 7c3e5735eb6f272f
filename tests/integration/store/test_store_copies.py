"""Copies of letters in every store: each key once, claimed by one run at a time, and carried over from the first schema."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config

from caseflow.adapters.store.sql import SqlStore
from caseflow.domain.mailing import Attempt, Copy
from caseflow.errors import StoreFault
from caseflow.services.ports.store import Store

NOW = datetime(2026, 11, 30, 15, 30, tzinfo=UTC)
LEASE = timedelta(minutes=10)
ALL = ("email", "post")


@pytest.fixture
def kept(store: Store, make: Any) -> Store:
    """A store with one letter: to the requester by e-mail, with a copy to the agent by post."""
    filed = make.filed(make.case())
    make.keep(store, filed, letters=(make.written(filed.case, number="L-1"),))
    return store


def claim(store: Store, token: str, moment: datetime = NOW, **more: Any) -> tuple[Copy, ...]:
    with store.begin() as work:
        return work.claim(moment, token, moment + LEASE, more.pop("channels", ALL), **more)


def copies(store: Store) -> tuple[Copy, ...]:
    with store.read() as work:
        return work.copies("L-1")


def test_a_letter_has_a_copy_for_each_recipient_with_the_address_of_then(kept: Store) -> None:
    to, copy = copies(kept)

    assert (to.id, to.kind, to.role, to.name, to.channel, to.address, to.status) == ("L-1-1", "to", "requester", "Ann Lee", "email", "ann@example.org", "owed")
    assert (copy.id, copy.kind, copy.channel, copy.address) == ("L-1-2", "copy", "post", "1 Main St\nMadison")


def test_a_claim_holds_the_copies_of_one_letter_and_no_other_run_gets_them(kept: Store) -> None:
    assert [copy.id for copy in claim(kept, "a")] == ["L-1-1", "L-1-2"]
    assert claim(kept, "b") == ()


def test_as_many_copies_are_counted_as_would_be_read(kept: Store) -> None:
    early = NOW - timedelta(hours=1)
    asked = [(NOW, ALL, False), (NOW, ("post",), False), (NOW, (), False), (early, ALL, False), (early, ALL, True)]
    with kept.read() as work:
        assert [work.how_many_wait(*one) for one in asked] == [2, 1, 0, 0, 2] == [len(work.waiting_copies(*one)) for one in asked]
    claim(kept, "a")
    with kept.begin() as work:
        assert work.how_many_wait(NOW, ALL) == 0, "what a run holds waits no more"


def test_only_channels_that_were_asked_for_are_claimed(kept: Store) -> None:
    assert [copy.id for copy in claim(kept, "a", channels=("post",))] == ["L-1-2"]


def test_mail_that_is_held_back_is_claimed_only_at_once_and_a_retry_not_even_then(kept: Store) -> None:
    early = NOW - timedelta(hours=1)
    assert claim(kept, "a", early) == ()
    held = claim(kept, "a", early, at_once=True)
    assert len(held) == 2
    with kept.begin() as work:
        for copy in held:
            work.copy_changed(replace(copy, attempts=1, next_at=NOW + LEASE, claim=None, claimed_until=None), "a")
    assert claim(kept, "b", at_once=True) == ()


def test_a_run_that_lost_its_claim_changes_nothing(kept: Store) -> None:
    late = claim(kept, "a")[0]
    with kept.begin() as work:
        assert [copy.id for copy in work.lapsed(NOW + 2 * LEASE)] == ["L-1-1", "L-1-2"]
        for copy in work.lapsed(NOW + 2 * LEASE):
            assert work.copy_changed(replace(copy, claim=None, claimed_until=None), copy.claim)
    claim(kept, "b")
    with kept.begin() as work:
        assert not work.copy_changed(replace(late, status="handed-over"), "a")
    assert copies(kept)[0].status == "owed"
    assert copies(kept)[0].claim == "b"


def test_the_same_copy_can_not_be_added_twice_and_a_corrected_address_can(kept: Store) -> None:
    first = copies(kept)[0]
    with pytest.raises(StoreFault, match="only once"), kept.begin() as work:
        work.copy_added(replace(first, id="L-1-3"))
    with kept.begin() as work:
        work.copy_added(replace(first, id="L-1-3", address="ann@example.net", recipient="other", replaces="L-1-1"))
    assert [copy.id for copy in copies(kept)] == ["L-1-1", "L-1-3", "L-1-2"]


def test_a_letter_that_is_being_handed_over_is_not_canceled_and_one_that_waits_is(kept: Store, make: Any) -> None:
    case = make.case()
    claim(kept, "a")
    make.keep(kept, make.acted(case, canceled_letters=("L-1",)))
    with kept.read() as work:
        assert work.letter("L-1").status == "owed"
    with kept.begin() as work:
        for copy in work.copies("L-1"):
            work.copy_changed(replace(copy, claim=None, claimed_until=None), "a")
    second = make.acted(make.acted(case).case, canceled_letters=("L-1",))
    make.keep(kept, second)
    with kept.read() as work:
        assert {work.letter("L-1").status, *(copy.status for copy in work.copies("L-1"))} == {"canceled"}


def test_an_attempt_is_noted_before_it_is_made_and_ended_after(kept: Store) -> None:
    begun = Attempt("L-1-1", 1, "a", NOW, None, "begun", "")
    with kept.begin() as work:
        work.attempt(begun)
    with kept.begin() as work:
        work.attempt(replace(begun, ended_at=NOW, outcome="accepted", text="250 ok"))
    with kept.read() as work:
        assert work.attempts("L-1") == (Attempt("L-1-1", 1, "a", NOW, NOW, "accepted", "250 ok"),)


def test_a_transaction_that_fails_leaves_no_claim_and_no_attempt(kept: Store) -> None:
    with pytest.raises(RuntimeError), kept.begin() as work:
        work.claim(NOW, "a", NOW + LEASE, ALL)
        work.attempt(Attempt("L-1-1", 1, "a", NOW, None, "begun", ""))
        raise RuntimeError
    with kept.read() as work:
        assert work.attempts("L-1") == ()
    assert len(claim(kept, "b")) == 2


def test_a_secret_is_made_once(kept: Store) -> None:
    with kept.begin() as work:
        made = work.secret("access-code")
    with kept.begin() as work:
        assert work.secret("access-code") == made
    assert len(made) == 64


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE letter_copy SET address = 'eve@example.org'",
        "UPDATE letter_copy SET name = 'Eve'",
        "DELETE FROM letter_copy",
        "DELETE FROM letter_attempt",
        "UPDATE letter_attempt SET outcome = 'accepted'",
    ],
)
def test_nobody_changes_to_whom_a_copy_went_or_how_an_attempt_ended(sqlite: SqlStore, make: Any, path: Path, change: str) -> None:
    filed = make.filed(make.case())
    make.keep(sqlite, filed, letters=(make.written(filed.case, number="L-1"),))
    with sqlite.begin() as work:
        work.attempt(Attempt("L-1-1", 1, "a", NOW, NOW, "refused", "550 no"))
    with closing(sqlite3.connect(path)) as other, pytest.raises(sqlite3.IntegrityError, match="append-only"), other:
        other.execute(change)


# --- carried over from the first schema -----------------------------------------------------------------------------


def first_schema(url: str) -> SqlStore:
    """A database as the first migration made it."""
    store = SqlStore(url)
    config = Config()
    config.set_main_option("script_location", "caseflow/adapters/store/migrations")
    store._seen = True
    with store._transaction("BEGIN IMMEDIATE") as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    return store


PEOPLE = [
    {"kind": "to", "role": "requester", "name": "Ann Lee", "channel": "email", "address": "ann@example.org", "status": "owed"},
    {"kind": "copy", "role": "agent", "name": "Bo Berg", "channel": "post", "address": "1 Main St\nMadison", "status": "owed"},
    {"kind": "copy", "role": "agent", "name": "Bo Berg", "channel": "post", "address": "1 Main St\nMadison", "status": "owed"},
]


def test_letters_of_the_first_schema_keep_their_recipients_days_and_proofs(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.db'}"
    store = first_schema(url)
    store.engine.dispose()
    with closing(sqlite3.connect(tmp_path / "old.db")) as other, other:
        for number, status, sent, proof in (("L-1", "handed-over", "2026-12-01", "a.txt sha256:1; b.txt sha256:2"), ("L-2", "owed", None, "")):
            other.execute(
                "INSERT INTO letter VALUES (?, 'D-1', ?, 'notice', 'T', 'S', ?, 'Dear', '{}', 't', 'c', 'p', '2026-11-30', '2026-11-30 15:15:00', ?, ?, '[]', ?)",
                (number, int(number[-1]), status, sent, json.dumps(PEOPLE).encode(), proof),
            )
    SqlStore(url).upgrade()

    with SqlStore(url).read() as work:
        sent, waits = work.letters()
    assert [(copy.id, copy.kind, copy.role, copy.address, copy.status, copy.sent_on, copy.proof) for copy in sent.copies] == [
        ("L-1-1", "to", "requester", "ann@example.org", "handed-over", date(2026, 12, 1), "a.txt sha256:1"),
        ("L-1-2", "copy", "agent", "1 Main St\nMadison", "handed-over", date(2026, 12, 1), "b.txt sha256:2"),
    ]
    assert [(copy.status, copy.sent_on, copy.next_at) for copy in waits.copies] == [("owed", None, datetime(2026, 11, 30, 15, 15, tzinfo=UTC))] * 2
    with SqlStore(url).begin() as work:
        assert [copy.id for copy in work.claim(NOW, "a", NOW + LEASE, ALL)] == ["L-2-1", "L-2-2"]
