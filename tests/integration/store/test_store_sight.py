"""What a person sees is the same in every list of every store as the rule says of each case, and counts and pages agree with it."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caseflow.domain.case import Case
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.ports.doings import Period
from caseflow.services.ports.search import SearchText
from caseflow.services.ports.store import Store
from caseflow.services.sight import EVERYTHING, Part, Sight
from tests.integration.store.conftest import MOMENT

WORKFLOWS, PEOPLE, FLAGS = ("permit", "ruling", "permit-fast"), (None, "ann", "bo"), ((), ("sealed",), ("sealed-off",), ("late", "sealed"), ("se_led",))
ALL = list(product(WORKFLOWS, PEOPLE, FLAGS))

parts = st.builds(
    Part,
    workflows=st.none() | st.lists(st.sampled_from([*WORKFLOWS, "gone", "%"]), max_size=2).map(tuple),
    assigned=st.booleans(),
    not_flagged=st.lists(st.sampled_from(["sealed", "late", "sea%", "se_led"]), max_size=2).map(tuple),
)
sights = st.builds(Sight, st.none() | st.lists(parts, max_size=3).map(tuple), st.sampled_from(["", "ann", "bo", "cy"]))


class Kept(list[Case]):
    """Cases that a failing example does not print."""

    def __repr__(self) -> str:
        return f"{len(self)} cases"


@pytest.fixture
def cases(store: Store, make: Any) -> Kept:
    """A case of each kind, some with a target and some without, all with one word."""
    made = Kept()
    for place, (workflow, person, flags) in enumerate(ALL, 1):
        case = make.case(place, workflow=workflow, assigned_to=person, flags=flags, aliases=(f"OLD-{place}",))
        target = None if place % 4 == 0 else date(2026, 12, 1) + timedelta(days=place % 5)
        made.append(make.keep(store, make.filed(case), letters=(make.written(case),), row=make.row(next_target=target, next_due=target)))
    store.search.keep([SearchText(case.number, case.version, case.number, "", case.title, "", "") for case in made])
    return made


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(seen=sights)
def test_lists_pages_search_and_single_cases_show_exactly_what_the_rule_covers(store: Store, cases: Kept, seen: Sight) -> None:
    wanted = sorted(case.number for case in cases if seen.covers(case.workflow, case.assigned_to, case.flags))

    assert [line.number for line in store.docket(DocketFilter(seen=seen))] == wanted
    assert sorted(store.search.find("Mill Creek", 500, seen)) == wanted
    assert len(store.search.find("Mill Creek", 3, seen)) == min(3, len(wanted)), "what is hidden takes no place of what is found"
    assert store.count(DocketFilter(seen=seen), [DocketFilter()])[None] == (len(wanted),)
    assert store.count(DocketFilter(), [DocketFilter(seen=seen)])[None] == (len(wanted),)
    period = Period(MOMENT, MOMENT + timedelta(days=1), seen=seen)
    assert sorted(one.case for one in store.doings(period)) == wanted
    assert sum(one.times for one in store.doers(period)) == len(wanted)
    paged: list[str] = []
    after: tuple[date | None, str] | None = None
    while page := store.soonest(DocketFilter(seen=seen), after, 7):
        assert len(page) == 7 or len(paged) + len(page) == len(wanted), "a page is short only at the end"
        paged += [line.number for line in page]
        after = (page[-1].row.next_target, page[-1].number)
    assert sorted(paged) == wanted and len(paged) == len(wanted)
    assert [case.number for case in cases if store.seen(case.number, seen)] == wanted
    assert [case.number for case in cases if store.seen(case.aliases[0], seen) == case.number] == wanted


def test_a_letter_leads_to_its_case_and_an_unknown_one_to_none(store: Store, cases: Kept) -> None:
    with store.read() as work:
        letters = work.letters()
    assert {store.case_of(letter.number) for letter in letters} == {case.number for case in cases}
    assert store.case_of("L-0") is None and store.seen("D-0", EVERYTHING) is None
