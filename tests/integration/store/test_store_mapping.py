"""A case as bytes: whole, and the same bytes for equal cases, since replay is compared byte for byte."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caseflow.adapters.store.mapping import decode_case, encode_case
from caseflow.adapters.store.types import UtcDateTime
from caseflow.domain import case as c

DAY = date(2026, 12, 1)


@pytest.fixture
def full(make: Any) -> c.Case:
    """A case in which no member is empty."""
    party = c.Party("agent", "Bo Berg", "agent-of-owner", "bo@example.org", ("1 Main St", "Madison"), "post", "es", "owner by deed")
    place = c.Place("Mill Creek", "Dane", "800100", "Oregon", "T5N R9E", "0509-1", "43.10", "-89.40", "1 Main St")
    members: dict[str, Any] = {
        "received_at": datetime(2026, 11, 30, 9, 0, tzinfo=timezone(timedelta(hours=-6))),
        "came_from": "asked",
        "dispositions": ("issued", "denied"),
        "flags": ("late",),
        "facts": {"depth": "1.50", "yes": True, "count": 3, "items": ["a", {"b": None}], "text": 'weit "über" der\nWehrkrone'},
        "settings": {"warnings": [10, 5], "reading": "strict"},
        "done": {"decide": c.Done(3, DAY, 2)},
        "spent": {"one-request": (2,)},
        "items": {"NAV-e": c.ItemState("asked", 2, "blurred", "ann")},
        "marks": (c.Mark("decision", "start", DAY, 1, None, 1, "notice"),),
        "timers": (c.Timer("decision", "overdue", "lapse", DAY, datetime(2026, 12, 31, 6, tzinfo=UTC), 1),),
        "tasks": (c.Task("t", "Call her", ("decide",), "staff", DAY, 2, True),),
        "letters": (c.LetterMade("notice", 1, "L-1", "owed", DAY, DAY),),
        "fees": (c.FeeLine("base", "Base fee", "50.00", 1, "s. 1", 1, "per case"),),
        "refunds": (c.RefundDue("whole", True, "50.00", "In time", "It was in time.", "s. 2", 2),),
        "legal_holds": (c.LegalHold(3, DAY, "odell", "A lawsuit.", "2027CV0042"),),
        "payments": (c.Payment("received", "50.00", "check", DAY, 1, "4711"),),
        "parties": (party,),
        "place": place,
        "aliases": ("OLD-7",),
        "assigned_to": "bo",
        "fired": ("decision:warn-5:2026-12-30:0",),
        "refired": {"decision:overdue:2026-12-30": 1},
        "closed_on": DAY,
        "quiet_until": datetime(2026, 12, 31, 6, tzinfo=UTC),
    }
    case: c.Case = make.case(**members)
    empty = [one.name for one in fields(case) if getattr(case, one.name) in (None, (), {}, "", 0)]
    assert not empty, "the test must fill every member"
    return case


def test_a_case_with_every_member_filled_comes_back_equal(full: c.Case) -> None:
    again = decode_case(encode_case(full))
    assert again == full
    assert [type(again.marks[0]), type(again.timers[0]), type(again.place)] == [c.Mark, c.Timer, c.Place]
    assert encode_case(again) == encode_case(full)


def test_an_empty_case_comes_back_equal(make: Any) -> None:
    assert decode_case(encode_case(make.case())) == make.case()


def test_the_order_in_which_facts_were_given_does_not_change_the_bytes(full: c.Case) -> None:
    turned = replace(full, facts=dict(reversed(full.facts.items())))
    assert list(turned.facts) != list(full.facts)
    assert encode_case(turned) == encode_case(full)


_plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)
_facts = st.dictionaries(st.text(), _plain, max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(facts=_facts)
def test_any_plain_facts_come_back_equal_and_with_the_same_bytes(make: Any, facts: dict[str, Any]) -> None:
    case = make.case(facts=facts)
    again = decode_case(encode_case(case))
    assert again == case
    assert encode_case(again) == encode_case(case)


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        UtcDateTime().process_bind_param(datetime(2026, 12, 1, 9, 0), None)  # type: ignore[arg-type]  # noqa: DTZ001


def test_a_moment_is_stored_in_utc_and_comes_back_aware() -> None:
    kind, moment = UtcDateTime(), datetime(2026, 12, 1, 9, 0, tzinfo=timezone(timedelta(hours=-6)))
    stored = kind.process_bind_param(moment, None)  # type: ignore[arg-type]
    assert (stored.hour, stored.utcoffset()) == (15, timedelta(0))
    assert kind.process_result_value(stored.replace(tzinfo=None), None) == moment  # type: ignore[arg-type]
