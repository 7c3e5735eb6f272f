"""What every store promises to lists of work: groups by urgency, counts, filters and saved views; and that SQL reads them by index."""

from __future__ import annotations

import itertools
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from caseflow.adapters.store.sql import SqlStore
from caseflow.domain.case import Place, Task
from caseflow.services.ports.docket import GROUPS, DocketFilter, Urgency, group_of
from caseflow.services.ports.lines import JAMMED, asks_of
from caseflow.services.ports.store import Store
from caseflow.services.ports.views import SavedView

TODAY = date(2027, 1, 5)
BY = Urgency(TODAY, TODAY + timedelta(days=1), TODAY + timedelta(days=15), ("staff",), ("department",))
ANN = DocketFilter(live=True, assigned="ann")
AT = datetime(2027, 1, 5, 15, tzinfo=UTC)


def task(name: str = "look", role: str = "staff") -> Task:
    return Task(name, "Look at it.", (), role, TODAY, 1)


def many(store: Store, make: Any) -> int:
    """A case of every kind that matters to the groups, for ann, bo and nobody."""
    days = (None, -3, 0, 1, 2, 15, 16, 90)
    tasks = ((), (task(),), (task(role="supervisor"),), (task("letter-failed:L1-1"),))
    number = 0
    for days_left, due, mine, turn, who in itertools.product((*days, "ended"), (0, 5), tasks, ("department", "requester"), ("ann", None)):
        if days_left in (None, "ended") and due:
            continue
        number += 1
        target = TODAY + timedelta(days=days_left) if isinstance(days_left, int) else None
        row = make.row(
            ends=days_left == "ended", turn=turn, next_target=target, next_due=target + timedelta(days=due) if target else None, next_clock="decision"
        )
        case = replace(make.case(number, tasks=mine, assigned_to=who), place=Place(county="Iron" if number % 3 == 0 else "Dane"))
        make.keep(store, make.filed(case), row=row)
    return number


def test_every_live_case_is_in_one_group_and_the_store_tells_the_same_as_the_rule(store: Store, make: Any) -> None:
    count = many(store, make)
    lines = {line.number: line for line in store.docket(DocketFilter(live=True))}
    assert len(lines) == count - sum(line.row.ends and not line.tasks for line in store.docket(DocketFilter()))
    for who in (DocketFilter(live=True), DocketFilter(live=True, assigned="ann"), DocketFilter(live=True, unassigned=True)):
        found: dict[str, str] = {}
        for group in GROUPS:
            wanted = DocketFilter(live=True, assigned=who.assigned, unassigned=who.unassigned, group=(group, BY))
            for line in store.soonest(wanted, None, 1000):
                assert line.number not in found, (group, found[line.number])
                found[line.number] = group
        expected = {number for number, line in lines.items() if who.assigned in (None, line.assigned_to) and not (who.unassigned and line.assigned_to)}
        assert found == {number: group_of(lines[number], False, BY) for number in expected}


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_is_read_page_by_page_with_nothing_left_out(store: Store, make: Any, group: str) -> None:
    many(store, make)
    wanted, seen, after = DocketFilter(live=True, group=(group, BY)), [], None
    while page := store.soonest(wanted, after, 7):
        seen += page
        after = (page[-1].row.next_target, page[-1].number)
    assert seen == list(store.soonest(wanted, None, 1000)) and seen


def test_the_groups_of_a_person_are_counted_at_once(store: Store, make: Any) -> None:
    many(store, make)
    counted = store.group_counts(ANN, BY, 1000)
    assert counted == {name: len(store.soonest(DocketFilter(live=True, assigned="ann", group=(name, BY)), None, 1000)) for name in GROUPS}
    assert sum(store.group_counts(ANN, BY, 10).values()) == 10 and not store.group_counts(replace(ANN, assigned="nobody.here"), BY, 1000)


def test_an_ended_case_is_nobodys_work_but_what_it_left_to_do_is(store: Store, make: Any) -> None:
    for number, left in enumerate(((task(),), (task(role="supervisor"),), (task("letter-failed:L1-1"),)), 2):
        make.keep(store, make.filed(make.case(number, assigned_to="bo", tasks=left)), row=make.row(ends=True))
    assert store.group_counts(replace(ANN, assigned="bo"), BY, 10) == {"arrived": 1, "waiting": 1, "stuck": 1}
    make.keep(store, make.filed(make.case(assigned_to="ann")), row=make.row(ends=True))
    assert not store.group_counts(ANN, BY, 10) and store.how_many(DocketFilter(live=True), 9) == 3
    assert all(not store.soonest(DocketFilter(live=True, assigned="ann", group=(name, BY)), None, 9) for name in GROUPS)


def test_a_case_with_a_timer_that_could_not_fire_is_stuck_whatever_its_target(store: Store, make: Any) -> None:
    row = make.row(next_target=TODAY + timedelta(days=90), next_due=TODAY + timedelta(days=90))
    case = make.keep(store, make.filed(make.case(assigned_to="ann", timers=(make.timer(),))), row=row)
    assert store.group_counts(ANN, BY, 10) == {"later": 1} and not store.parked((case.number,))
    with store.begin() as work:
        work.settle(work.due(AT, 1)[0].row, "parked", "It broke.")
    assert store.group_counts(ANN, BY, 10) == {"stuck": 1} and list(store.parked((case.number, "D-9"))) == [case.number]
    for narrow in ({"assigned": "ann"}, {}):
        assert [line.number for line in store.soonest(DocketFilter(live=True, group=("stuck", BY), **narrow), None, 9)] == [case.number]


def test_open_cases_are_counted_by_person_and_counting_stops_at_a_limit(store: Store, make: Any) -> None:
    count = many(store, make)
    by = store.count(DocketFilter(), (DocketFilter(),), "assigned_to")
    assert by == {"ann": (count // 2,), None: (count // 2,)}
    assert store.how_many(DocketFilter(assigned="ann"), 1000) == count // 2 and store.how_many(DocketFilter(), 10) == 10


def test_the_filters_of_work_narrow_alike_in_every_store(store: Store, make: Any) -> None:
    many(store, make)
    lines = list(store.docket(DocketFilter()))

    def found(**asked: Any) -> set[str]:
        by_number = {line.number for line in store.docket(DocketFilter(**asked))}
        assert by_number == {line.number for line in store.soonest(DocketFilter(**asked), None, 1000)}
        assert 0 < len(by_number) < len(lines)
        return by_number

    assert found(county="Iron") == {line.number for line in lines if line.county == "Iron"}
    assert found(target_from=TODAY) == {line.number for line in lines if line.row.next_target and line.row.next_target >= TODAY}
    assert found(target_from=TODAY, due_by=TODAY) == {line.number for line in lines if line.row.next_target == TODAY}
    assert found(dated=False) == {line.number for line in lines if line.row.next_target is None}
    assert found(not_turns=("department",)) == {line.number for line in lines if line.row.turn == "requester"}
    assert found(asking=("supervisor", "letter-failed")) == {line.number for line in lines if {"supervisor", "letter-failed"} & set(line.asks)}
    assert found(not_assigned="ann") == {line.number for line in lines if line.assigned_to is None}


def test_a_word_of_tasks_is_a_whole_word(store: Store, make: Any) -> None:
    make.keep(store, make.filed(make.case(tasks=(task(role="staff-lead"), task("letter-failed:L1-1", "staff-lead")))))
    (line,) = store.docket(DocketFilter(asking=("letter-failed",)))
    assert line.asks == (JAMMED, "letter-failed", "staff-lead") == asks_of((task(role="staff-lead"), task("letter-failed:L1-1", "staff-lead")))
    assert not list(store.docket(DocketFilter(asking=("staff",)))) and not list(store.docket(DocketFilter(asking=("lead",))))


def test_cases_are_read_together_and_what_does_not_exist_is_left_out(store: Store, make: Any) -> None:
    first, second = (make.keep(store, make.filed(make.case(number))) for number in (1, 2))
    with store.read() as work:
        assert work.cases((second.number, "D-9", first.number)) == {first.number: first, second.number: second} and work.cases(()) == {}


def test_a_saved_view_is_its_owners_alone(store: Store) -> None:
    first = SavedView("ann", "Iron County", "/docket?county=Iron", AT)
    for view in (first, SavedView("ann", "Mine", "/my-work", AT), SavedView("bo", "Iron County", "/docket?county=Iron&turn=requester", AT)):
        store.views.keep(view)
    store.views.keep(SavedView("ann", "Mine", "/my-work?view=all", AT))
    assert [(view.name, view.address) for view in store.views.of("ann")] == [("Iron County", "/docket?county=Iron"), ("Mine", "/my-work?view=all")]
    assert not store.views.drop("bo", "Mine") and store.views.drop("ann", "Mine") and store.views.of("ann") == [first] and len(store.views.of("bo")) == 1


class TestOnSqlite:
    def test_each_group_is_read_from_an_index_and_never_sorted(self, sqlite: SqlStore, make: Any) -> None:
        many(sqlite, make)
        asked: list[tuple[str, Any]] = []
        event.listen(sqlite.engine, "before_cursor_execute", lambda *given: asked.append((given[2], given[3])))
        for group in GROUPS:
            for scope in ({}, {"assigned": "ann"}, {"unassigned": True}):
                sqlite.soonest(DocketFilter(live=True, group=(group, BY), **scope), None, 1000)
                sqlite.soonest(DocketFilter(live=True, group=(group, BY), **scope), (TODAY, "D-1"), 1000)
        with closing(sqlite3.connect(sqlite.where)) as other:
            for sql, values in list(asked):
                plan = [str(step[3]) for step in other.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
                assert not any(step.startswith("SCAN case_file") and "USING" not in step for step in plan), (sql, plan)
                if "UNION ALL" not in sql:
                    assert not any("TEMP B-TREE" in step for step in plan), (sql[sql.index("FROM") :], values, plan)

    @pytest.mark.parametrize("narrow", [{"workflow": "none"}, {"turn": "none"}, {"phase": "none"}, {"flag": "none"}, {"asking": ("none",)}])
    def test_a_list_that_few_cases_fit_passes_over_the_others_in_an_index_that_holds_what_it_asks(
        self, sqlite: SqlStore, make: Any, narrow: dict[str, Any]
    ) -> None:
        many(sqlite, make)
        asked: list[tuple[str, Any]] = []
        event.listen(sqlite.engine, "before_cursor_execute", lambda *given: asked.append((given[2], given[3])))
        assert not sqlite.standings(DocketFilter(open_only=True, **narrow), None, 51)
        assert not sqlite.standings(DocketFilter(open_only=True, stands=True, dated=False, **narrow), None, 51)
        with closing(sqlite3.connect(sqlite.where)) as other:
            for (sql, values), index in zip(asked, ("ix_case_target", "ix_case_undated", "ix_case_undated"), strict=True):
                (plan,) = [str(step[3]) for step in other.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
                assert f"USING INDEX {index} " in plan, (sql, plan)
                # All that the list is narrowed by stands in the index: where it is asked for nothing else, no case is read.
                only = "SELECT case_file.next_target " + sql[sql.index("FROM") :].replace("\n", " ")
                assert f"USING COVERING INDEX {index} " in str(other.execute(f"EXPLAIN QUERY PLAN {only}", values).fetchall()), only

    def test_what_is_read_together_is_of_one_moment_and_what_is_written_meanwhile_is_seen_after_it(self, sqlite: SqlStore, make: Any) -> None:
        make.keep(sqlite, make.filed(make.case(1)))
        with sqlite.together(), sqlite.together():
            before = sqlite.how_many(DocketFilter(), 9)
            make.keep(sqlite, make.filed(make.case(2)))
            assert sqlite.how_many(DocketFilter(), 9) == before == 1
            with sqlite.apart():
                assert sqlite.how_many(DocketFilter(), 9) == 2
            assert sqlite.how_many(DocketFilter(), 9) == 1
        assert sqlite.how_many(DocketFilter(), 9) == 2

    def test_the_columns_of_cases_from_before_are_filled_by_the_migration(self, sqlite: SqlStore, path: Path, make: Any) -> None:
        many(sqlite, make)
        made = {line.number: (line.asks, line.county) for line in sqlite.docket(DocketFilter())}
        from importlib import import_module

        module = import_module("caseflow.adapters.store.migrations.versions.v0006_work")
        with closing(sqlite3.connect(path)) as other:
            for number, body in other.execute("SELECT number, body FROM case_file"):
                words = module._words(number, json.loads(body))
                assert (tuple(words["to_asks"].split()), words["to_county"]) == made[number]
