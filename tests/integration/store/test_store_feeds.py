"""Links to calendars and what they have told: every store keeps the same promises."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from caseflow.errors import KeyRefused
from caseflow.services.ports.feeds import Feed, FeedEvent
from caseflow.services.ports.people import Account, AccountChange
from tests.integration.store.conftest import MOMENT

LINK = Feed("f1", "d" * 64, "ann", "mine", MOMENT)
EVENT = FeedEvent("D-1.decision.end@caseflow", "D-1", "decision", date(2026, 12, 30), "D-1: last day", "Decide.", 0, MOMENT)


@pytest.fixture
def feeds(store: Any) -> Any:
    """The links of a store with two people."""
    if hasattr(store, "accounts"):
        for name in ("ann", "bo"):
            store.accounts.add(Account(name, name, "staff", "x", MOMENT, None), AccountChange(MOMENT, name, "test", "added"))
    return store.feeds


def test_a_link_is_found_by_its_digest_and_by_its_owner_the_newest_first(feeds: Any) -> None:
    later = replace(LINK, id="f2", digest="e" * 64, scope="team", created_at=MOMENT + timedelta(days=1))
    other = replace(LINK, id="f3", digest="f" * 64, account="bo")
    for one in (LINK, later, other):
        feeds.add(one)
    assert feeds.by_digest("d" * 64) == LINK and feeds.by_digest("0" * 64) is None
    assert list(feeds.of("ann")) == [later, LINK] and list(feeds.of("bo")) == [other] and list(feeds.of("cy")) == []


def test_a_digest_is_kept_once(feeds: Any) -> None:
    feeds.add(LINK)
    with pytest.raises(KeyRefused):
        feeds.add(replace(LINK, id="f2"))


def test_what_a_link_told_is_kept_changed_and_forgotten(feeds: Any) -> None:
    feeds.add(LINK)
    second = replace(EVENT, uid="D-2.decision.end@caseflow", case="D-2")
    assert feeds.keep("f1", 0, [EVENT, second], [])
    assert list(feeds.events("f1")) == [EVENT, second] and feeds.by_digest("d" * 64).revision == 1
    moved = replace(EVENT, day=date(2027, 1, 4), sequence=1, changed_at=MOMENT + timedelta(hours=1), gone=True)
    assert feeds.keep("f1", 1, [moved], [second.uid])
    assert list(feeds.events("f1")) == [moved] and list(feeds.events("f2")) == []


def test_of_two_readings_at_once_the_second_is_told_that_the_first_was_there(feeds: Any) -> None:
    feeds.add(LINK)
    assert feeds.keep("f1", 0, [EVENT], [])
    assert not feeds.keep("f1", 0, [replace(EVENT, day=date(2027, 1, 4))], [])
    assert list(feeds.events("f1")) == [EVENT]


def test_a_link_that_ended_forgets_what_it_told_and_keeps_nothing_more(feeds: Any) -> None:
    feeds.add(LINK)
    feeds.keep("f1", 0, [EVENT], [])
    feeds.end("f1", MOMENT + timedelta(hours=1))
    feeds.end("f1", MOMENT + timedelta(hours=9))
    ended = feeds.by_digest("d" * 64)
    assert ended.ended_at == MOMENT + timedelta(hours=1) and list(feeds.events("f1")) == []
    assert not feeds.keep("f1", ended.revision, [EVENT], []) and list(feeds.events("f1")) == []


def test_when_a_link_was_read_is_noted(feeds: Any) -> None:
    feeds.add(LINK)
    feeds.read("f1", MOMENT + timedelta(hours=2))
    assert feeds.by_digest("d" * 64).read_at == MOMENT + timedelta(hours=2)
