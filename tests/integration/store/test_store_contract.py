"""What every store promises, whatever it is made of: the port's contract, run against each of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from caseflow.domain.case import Actor, Task
from caseflow.domain.moving import Adoption
from caseflow.domain.pack import Pack, PackText
from caseflow.domain.packmoves import PackMove
from caseflow.errors import KeyRefused, NotFound, StaleCase, StoreFault
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.ports.doings import Period
from caseflow.services.ports.store import Store
from caseflow.services.sight import Part, Sight

MOMENT = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
ADOPTION = Adoption(1, "agency", "2@" + "b" * 64, ("c" * 64,), MOMENT, "odell", "supervisor", "Act 9")
LATER = MOMENT + timedelta(hours=1)
MOVE = PackMove(1, "agency", "a" * 64, "a" * 64, MOMENT, "odell", "supervisor", "Act 9")
PACK = Pack.model_construct(hash="a" * 64, text=PackText.model_construct(pack="agency", version="1"))


class TestCases:
    def test_a_case_comes_back_as_it_was_saved(self, store: Store, make: Any) -> None:
        case = make.keep(store, make.filed(make.case(facts={"depth": "1.50"}, flags=("late",))))
        with store.read() as work:
            assert work.case(case.number) == case

    def test_the_journal_comes_back_in_order_with_every_member(self, store: Store, make: Any) -> None:
        first = make.filed(make.case())
        second = make.acted(first.case)
        said = replace(second.entries[0], because="by phone", effective_on=date(2026, 11, 25))
        make.keep(store, first)
        make.keep(store, replace(second, entries=(said,)))
        with store.read() as work:
            entries = work.entries(first.case.number)
        assert entries == (first.entries[0], said)

    def test_moments_come_back_aware_and_in_utc(self, store: Store, make: Any) -> None:
        case = make.keep(store, make.filed(make.case(timers=(make.timer(at=LATER),))))
        with store.read() as work:
            moments = [work.entries(case.number)[0].recorded_at, work.due(LATER, 1)[0].timer.at, store.next_due()]
        assert all(moment is not None and moment.utcoffset() == timedelta(0) for moment in moments)

    def test_an_outcome_decided_on_an_older_case_is_refused_and_writes_nothing(self, store: Store, make: Any) -> None:
        case = make.keep(store, make.filed(make.case()))
        other = make.keep(store, make.filed(make.case(2)))
        make.keep(store, make.acted(case, "decide"))
        with pytest.raises(StaleCase) as refused:
            make.keep(store, make.acted(other), make.acted(case, "deny", {"head": make.digest("else")}))
        assert [reason.code for reason in refused.value.reasons] == ["stale"]
        assert case.number in str(refused.value)
        with store.read() as work:
            assert [entry.action for entry in work.entries(case.number)] == ["file", "decide"]
            assert work.case(other.number).version == 1

    def test_two_outcomes_of_one_version_are_refused_in_one_transaction_too(self, store: Store, make: Any) -> None:
        case = make.keep(store, make.filed(make.case()))
        with pytest.raises(StaleCase):
            make.keep(store, make.acted(case, "decide"), make.acted(case, "deny"))

    def test_outcomes_that_build_on_each_other_are_kept_in_one_transaction(self, store: Store, make: Any) -> None:
        filed = make.filed(make.case())
        once = make.acted(filed.case, "ask")
        case = make.keep(store, filed, once, make.acted(once.case, "decide"))
        with store.read() as work:
            assert work.case(case.number) == case
            assert [entry.action for entry in work.entries(case.number)] == ["file", "ask", "decide"]

    def test_a_case_is_filed_once(self, store: Store, make: Any) -> None:
        make.keep(store, make.filed(make.case()))
        with pytest.raises(StoreFault):
            make.keep(store, make.filed(make.case()))

    def test_a_case_without_its_pack_is_refused(self, store: Store, make: Any) -> None:
        with pytest.raises(StoreFault), store.begin() as work:
            work.save(make.filed(make.case()), make.row())

    @pytest.mark.parametrize("asked", ["D-2026-00001-1", "OLD-7"])
    def test_what_was_adopted_is_known_with_the_first_case_that_is_read(self, store: Store, make: Any, asked: str) -> None:
        make.keep(store, make.filed(make.case(aliases=("OLD-7",))))
        with store.begin() as work:
            assert work.case(asked).number == "D-2026-00001-1"
            assert not work.adoptions()
            work.keep_adoption(ADOPTION)
            assert list(work.adoptions()) == [ADOPTION]
        with store.begin() as work:
            assert work.case(asked).number == "D-2026-00001-1"
            assert list(work.adoptions()) == [ADOPTION]

    def test_what_is_saved_is_seen_before_the_transaction_ends(self, store: Store, make: Any) -> None:
        first = make.keep(store, make.filed(make.case(aliases=("OLD-7",))))
        with store.begin() as work:
            work.keep_pack(PACK, {})
            work.save(make.filed(make.case(1, 2)), make.row())
            acted = make.acted(work.case("OLD-7"))
            work.save(acted, make.row(), command_id="c-1")
            assert work.case("OLD-7") == work.case(first.number) == acted.case
            assert [case.version for case in work.request(first.request)] == [2, 1]
            assert [case.number for case in work.siblings(first)] == ["D-2026-00001-2"]
            assert [entry.seq for entry in work.entries(first.number)] == [1, 2]
            assert work.command("c-1") == (first.number, 2)

    def test_a_transaction_that_fails_leaves_nothing(self, store: Store, make: Any) -> None:
        case = make.case(timers=(make.timer(),))
        with pytest.raises(RuntimeError), store.begin() as work:
            assert work.next_number("D", 2026) == 1
            work.keep_pack(PACK, {})
            work.beat("scheduler", MOMENT)
            work.save(make.filed(case), make.row(), [make.written(case)], "c-1")
            raise RuntimeError
        with store.begin() as work:
            assert work.next_number("D", 2026) == 1
            assert work.command("c-1") is None
            assert not work.due(LATER, 1)
            assert not work.letters()
            with pytest.raises(NotFound):
                work.case(case.number)
        assert store.pack_files(PACK.hash) is None
        assert not store.heartbeats()

    def test_a_savepoint_that_fails_drops_its_own_part_alone(self, store: Store, make: Any) -> None:
        first, second = make.keep(store, make.filed(make.case(1))), make.keep(store, make.filed(make.case(2)))
        with store.begin() as work:
            work.save(make.acted(first), make.row())
            with pytest.raises(RuntimeError), work.savepoint():
                work.save(make.acted(second), make.row())
                raise RuntimeError
            assert work.case(second.number).version == 1
        with store.read() as work:
            assert [work.case(case.number).version for case in (first, second)] == [2, 1]

    def test_an_unknown_name_is_not_found(self, store: Store) -> None:
        with store.read() as work:
            for ask in (work.case, work.request, work.letter):
                with pytest.raises(NotFound, match="D-9"):
                    ask("D-9")
            assert work.command("c-9") is None

    def test_a_docket_number_of_several_cases_names_the_first(self, store: Store, make: Any) -> None:
        make.keep(store, make.filed(make.case(1, 2, aliases=("OLD-7",))), make.filed(make.case(1, 1, aliases=("OLD-7",))))
        with store.read() as work:
            assert work.case("OLD-7").number == "D-2026-00001-1"

    def test_a_docket_is_searched_by_every_number_of_a_case(self, store: Store, make: Any) -> None:
        make.keep(store, make.filed(make.case(1, 1, aliases=("OLD-7", "WP-2021-49"))), make.filed(make.case(1, 2, aliases=("OLD-8",))))
        found = {text: [line.number for line in store.docket(DocketFilter(text=text))] for text in ("old-7", "2021", "OLD", "%", "D-2026")}
        both = ["D-2026-00001-1", "D-2026-00001-2"]
        assert found == {"old-7": both[:1], "2021": both[:1], "OLD": both, "%": [], "D-2026": both}


class TestOnce:
    def test_a_repeated_command_has_its_first_answer_and_no_second(self, store: Store, make: Any) -> None:
        case = make.keep(store, make.filed(make.case()))
        acted = make.acted(case)
        with store.begin() as work:
            work.save(acted, make.row(), command_id="c-1")
        with store.begin() as work:
            assert work.command("c-1") == (case.number, 2)
        with pytest.raises(StoreFault), store.begin() as work:
            work.save(make.acted(acted.case), make.row(), command_id="c-1")
        with store.read() as work:
            assert work.case(case.number).version == 2

    def test_a_limit_is_used_once(self, store: Store, make: Any) -> None:
        case = make.keep(store, make.filed(make.case()))
        case = make.keep(store, make.acted(case, limits=(("one-request", 1, 2),)))
        with pytest.raises(StoreFault):
            make.keep(store, make.acted(case, limits=(("one-request", 1, 3),)))
        make.keep(store, make.acted(case, limits=(("one-request", 2, 3),)))

    def test_a_limit_is_used_once_in_one_transaction_too(self, store: Store, make: Any) -> None:
        case = make.keep(store, make.filed(make.case()))
        once = make.acted(case, limits=(("one-request", 1, 2),))
        with pytest.raises(StoreFault):
            make.keep(store, once, make.acted(once.case, limits=(("one-request", 1, 3),)))

    def test_a_limit_given_back_may_be_used_again(self, store: Store, make: Any) -> None:
        case = make.keep(store, make.filed(make.case()))
        case = make.keep(store, make.acted(case, limits=(("one-request", 1, 2),)))
        case = make.keep(store, make.acted(case, released=(("one-request", 1, 2),)))
        case = make.keep(store, make.acted(case, limits=(("one-request", 1, 4),)))
        with pytest.raises(StoreFault):
            make.keep(store, make.acted(case, limits=(("one-request", 1, 5),)))

    def test_a_limit_used_and_given_back_in_one_transaction_is_free(self, store: Store, make: Any) -> None:
        case = make.keep(store, make.filed(make.case()))
        once = make.acted(case, limits=(("one-request", 1, 2),))
        case = make.keep(store, once, make.acted(once.case, released=(("one-request", 1, 2),)))
        make.keep(store, make.acted(case, limits=(("one-request", 1, 4),)))

    def test_numbers_never_repeat_and_each_year_and_prefix_counts_alone(self, store: Store) -> None:
        given = []
        for prefix, year in (("D", 2026), ("D", 2026), ("D", 2027), ("P", 2026), ("D", 2026)):
            with store.begin() as work:
                given.append(work.next_number(prefix, year))
        assert given == [1, 2, 1, 1, 3]

    def test_a_second_letter_of_an_entry_is_impossible(self, store: Store, make: Any) -> None:
        filed = make.filed(make.case())
        make.keep(store, filed, letters=(make.written(filed.case),))
        acted = make.acted(filed.case)
        again = make.written(filed.case, number="L-2")
        with pytest.raises(StoreFault):
            make.keep(store, acted, letters=(again,))
        with store.read() as work:
            assert len(work.letters()) == 1
            assert work.case(filed.case.number).version == 1

    def test_a_letter_number_is_given_once(self, store: Store, make: Any) -> None:
        filed = make.filed(make.case())
        make.keep(store, filed, letters=(make.written(filed.case, number="L-1"),))
        with pytest.raises(StoreFault):
            make.keep(store, make.acted(filed.case), letters=(make.written(make.acted(filed.case).case, number="L-1"),))


class TestKept:
    @pytest.mark.parametrize("other", [{"by": "reed"}, {"at": LATER}, {"pack": "county"}])
    def test_another_adoption_or_move_of_the_same_number_is_refused_and_the_first_one_stands(self, store: Store, other: dict[str, Any]) -> None:
        with store.begin() as work:
            work.keep_pack(PACK, {})
            work.keep_adoption(ADOPTION)
            work.keep_pack_move(MOVE)
        with pytest.raises(KeyRefused, match="an adoption 1"), store.begin() as work:
            work.keep_adoption(replace(ADOPTION, **other))
        with pytest.raises(KeyRefused, match="a move 1"), store.begin() as work:
            work.keep_pack_move(replace(MOVE, **other))
        with store.begin() as work:
            work.keep_adoption(replace(ADOPTION, moved=3))
            work.keep_pack_move(replace(MOVE, moved=3))
        assert (*store.adoptions(), *store.pack_moves()) == (replace(ADOPTION, moved=3), replace(MOVE, moved=3))

    def test_a_pack_is_kept_whole_once(self, store: Store, make: Any) -> None:
        make.keep(store, make.filed(make.case()))
        make.keep(store, make.filed(make.case(2)))
        assert store.pack_files(PACK.hash) == {"pack.yaml": "pack: agency\n"}
        assert store.pack_files("b" * 64) is None

    def test_the_last_heartbeat_of_each_scheduler_is_kept(self, store: Store) -> None:
        for name, at, note in (("one", MOMENT, "started"), ("two", MOMENT, ""), ("one", LATER, "swept 3")):
            with store.begin() as work:
                work.beat(name, at, note)
        assert sorted(store.heartbeats()) == [("one", LATER, "swept 3"), ("two", MOMENT, "")]

    def test_a_live_record_stays_live_and_preparing_it_again_keeps_all(self, store: Store, make: Any) -> None:
        assert store.exists()
        assert not store.is_live()
        case = make.keep(store, make.filed(make.case()))
        for live in (True, None, False, True):
            store.upgrade(live=live)
            assert store.is_live()
        assert list(store.numbers()) == [case.number]

    def test_numbers_come_in_order_after_a_key(self, store: Store, make: Any) -> None:
        make.keep(store, *(make.filed(make.case(request)) for request in (3, 1, 2)))
        assert list(store.numbers()) == ["D-2026-00001-1", "D-2026-00002-1", "D-2026-00003-1"]
        assert list(store.numbers("D-2026-00001-1")) == ["D-2026-00002-1", "D-2026-00003-1"]


class TestDocket:
    def test_a_line_says_what_the_case_and_its_row_say(self, store: Store, make: Any) -> None:
        target = date(2026, 12, 29)
        row = make.row(next_clock="decision", next_due=date(2026, 12, 30), next_target=target, decided_on=target, on_time=True, held=True)
        timers = (make.timer("warn-5"), make.timer(at=LATER))
        task = Task("t", "Call her", (), "staff", target, 1)
        case = make.case(flags=("late", "held"), timers=timers, assigned_to="bo", tasks=(task,))
        make.keep(store, make.filed(case), row=row)
        (line,) = store.docket(DocketFilter())
        assert line.row == row
        assert (line.number, line.request, line.title, line.workflow) == (case.number, case.request, case.title, case.workflow)
        assert (line.state, line.assigned_to, line.flags, line.tasks) == (case.state, "bo", ("late", "held"), 1)
        assert (line.version, line.received_on, line.last_on, line.next_at) == (1, case.received_on, case.last_on, MOMENT)

    def test_a_list_goes_on_after_a_key_and_misses_nothing(self, store: Store, make: Any) -> None:
        make.keep(store, *(make.filed(make.case(request)) for request in range(7, 0, -1)))
        seen: list[str] = []
        while page := [line.number for line in store.docket(DocketFilter(), seen[-1] if seen else None, 3)]:
            assert len(page) <= 3
            seen += page
        assert seen == sorted(seen) == list(store.numbers())
        assert len(seen) == 7

    @pytest.mark.parametrize(
        "wanted",
        [
            DocketFilter(state="decided"),
            DocketFilter(workflow="license"),
            DocketFilter(assigned="bo"),
            DocketFilter(flag="late"),
            DocketFilter(due_by=date(2026, 12, 15)),
            DocketFilter(text="pike"),
            DocketFilter(text="d-2026-00002"),
            DocketFilter(open_only=True),
        ],
        ids=lambda wanted: next(name for name in DocketFilter.__dataclass_fields__ if getattr(wanted, name)),
    )
    def test_a_filter_keeps_the_cases_that_fit_it(self, store: Store, make: Any, wanted: DocketFilter) -> None:
        ended = make.row(ends=True, next_target=date(2026, 12, 16))
        make.keep(store, make.filed(make.case(1, title="100% Creek", flags=("latest",))), row=ended)
        members = {"state": "decided", "workflow": "license", "assigned_to": "bo", "flags": ("held", "late"), "title": "Pike Lake"}
        make.keep(store, make.filed(make.case(2, **members)), row=make.row(next_target=date(2026, 12, 15)))
        assert [line.number for line in store.docket(wanted)] == ["D-2026-00002-1"]

    def test_signs_in_a_searched_text_stand_for_themselves(self, store: Store, make: Any) -> None:
        make.keep(store, make.filed(make.case(1, title="100% Creek")), make.filed(make.case(2, title="100 Creek")))
        assert [line.title for line in store.docket(DocketFilter(text="0% c"))] == ["100% Creek"]


DAY = date(2026, 12, 15)


def busy(store: Store, make: Any) -> None:
    """Cases 1 to 7, each of which is alone in something; the eighth has a letter that has left."""
    rows = [
        {"next_due": DAY, "next_target": DAY},
        {"next_due": DAY - timedelta(days=1), "next_target": DAY - timedelta(days=4), "silent_on": DAY - timedelta(days=1)},
        {"stands_since": DAY, "held": True},
        {"ends": True, "phase": "decided", "decided_on": DAY, "on_time": True, "held": True},
        {"ends": True, "phase": "decided", "decided_on": DAY + timedelta(days=20), "on_time": False},
        {"next_due": DAY + timedelta(days=30), "next_target": DAY + timedelta(days=30), "silent_on": DAY + timedelta(days=9)},
        {"turn": "requester"},
        {"next_due": DAY + timedelta(days=60), "next_target": DAY + timedelta(days=60)},
    ]
    for at, row in enumerate(rows, 1):
        members = {"assigned_to": "bo" if at % 2 else None, "last_on": DAY - timedelta(days=40 if at == 7 else 1), "timers": (make.timer(),) if at != 3 else ()}
        case = make.case(at, **members)
        letters = (make.written(case),) if at in (1, 8) else ()
        make.keep(store, make.filed(case), letters=letters, row=make.row(**row))
    with store.begin() as work:
        work.letter_status(f"L-{number(8)}-1-notice", "handed-over", DAY)


def number(request: int) -> str:
    return f"D-2026-{request:05}-1"


SLICES = {
    "overdue": (DocketFilter(open_only=True, overdue_on=DAY), (2,)),
    "not overdue and near": (DocketFilter(open_only=True, not_overdue_on=DAY, due_by=DAY + timedelta(days=7)), (1,)),
    "target in a span": (DocketFilter(target_from=DAY, target_to=DAY + timedelta(days=30)), (1, 6)),
    "silent by": (DocketFilter(silent_by=DAY + timedelta(days=14)), (2, 6)),
    "silent on its last day": (DocketFilter(silent=True), (2,)),
    "standing": (DocketFilter(stands=True), (3,)),
    "standing since": (DocketFilter(stands_from=DAY, stands_to=DAY), (3,)),
    "standing too short": (DocketFilter(stands_to=DAY - timedelta(days=1)), ()),
    "other phases": (DocketFilter(phases_not=("open",)), (4, 5)),
    "letters waiting": (DocketFilter(letters_waiting=True), (1,)),
    "stuck": (DocketFilter(open_only=True, quiet_before=DAY - timedelta(days=30)), (3, 7)),
    "decided in a month": (DocketFilter(decided_from=date(2026, 12, 1), decided_to=date(2026, 12, 31)), (4,)),
    "late": (DocketFilter(on_time=False), (5,)),
    "in time with held days": (DocketFilter(on_time=True, held=True), (4,)),
    "nobody's, never held": (DocketFilter(unassigned=True, held=False, open_only=True), (2, 6, 8)),
}


class TestOverview:
    @pytest.mark.parametrize("name", SLICES)
    def test_a_figure_is_as_long_as_its_list(self, store: Store, make: Any, name: str) -> None:
        busy(store, make)
        wanted, expected = SLICES[name]
        listed = [line.number for line in store.docket(wanted)]
        assert listed == [number(at) for at in expected]
        assert store.count(wanted, (DocketFilter(),)) == {None: (len(expected),)}
        assert store.count(DocketFilter(), (wanted,)) == {None: (len(expected),)}
        assert sorted(line.number for line in store.soonest(wanted, None, 100)) == listed

    def test_a_case_whose_timer_could_not_fire_is_among_the_stuck(self, store: Store, make: Any) -> None:
        busy(store, make)
        stuck = DocketFilter(open_only=True, quiet_before=DAY - timedelta(days=30))
        before = {line.number for line in store.docket(stuck)}
        with store.begin() as work:
            due = next(one for one in work.due(MOMENT + timedelta(days=3650), 100) if one.case not in before)
            work.settle(due.row, "parked", "why")
        assert {line.number for line in store.docket(stuck)} == before | {due.case}
        assert store.count(stuck, (DocketFilter(),)) == {None: (len(before) + 1,)}

    def test_several_figures_are_counted_at_once_by_person_and_by_day(self, store: Store, make: Any) -> None:
        busy(store, make)
        each = (DocketFilter(), DocketFilter(overdue_on=DAY), DocketFilter(stands=True))
        assert dict(store.count(DocketFilter(open_only=True), each, "assigned_to")) == {"bo": (3, 0, 1), None: (3, 1, 0)}
        assert dict(store.count(DocketFilter(on_time=True), (DocketFilter(),), "decided_on")) == {DAY: (1,)}
        assert dict(store.count(DocketFilter(stands=True), (DocketFilter(),), "stands_since")) == {DAY: (1,)}
        with store.read() as work:
            flow = work.case(number(1)).workflow
        assert dict(store.count(DocketFilter(open_only=True), each, "workflow")) == {flow: (6, 1, 1)}

    def test_nothing_is_counted_as_zero_and_by_no_column_that_is_not_offered(self, store: Store, make: Any) -> None:
        assert dict(store.count(DocketFilter(), (DocketFilter(), DocketFilter(stands=True)))) == {None: (0, 0)}
        assert dict(store.count(DocketFilter(), (DocketFilter(),), "assigned_to")) == {}
        with pytest.raises(ValueError, match="not counted by title"):
            store.count(DocketFilter(), (DocketFilter(),), "title")

    def test_cases_that_have_changed_since_are_named_and_new_ones_are_not(self, store: Store, make: Any) -> None:
        old, changed = make.filed(make.case(1)), make.filed(make.case(2))
        make.keep(store, old, changed)
        cut = MOMENT + timedelta(days=1)
        later = make.acted(changed.case)
        make.keep(store, replace(later, entries=(replace(later.entries[0], recorded_at=cut),)))
        new = make.filed(make.case(3))
        make.keep(store, replace(new, entries=(replace(new.entries[0], recorded_at=cut),)))
        assert list(store.changed_since(cut)) == [number(2)]
        assert list(store.changed_since(cut + timedelta(microseconds=1))) == []
        assert list(store.changed_since(cut, 0)) == []
        assert [line.number for line in store.docket(DocketFilter(recorded_before=cut))] == [number(1)]
        assert dict(store.count(DocketFilter(recorded_before=cut), (DocketFilter(),))) == {None: (1,)}

    def test_who_recorded_what_in_a_period_the_newest_first(self, store: Store, make: Any) -> None:
        for at in (1, 2, 3):
            filed = make.filed(make.case(at))
            made = replace(filed.entries[0], recorded_at=MOMENT + timedelta(hours=at), actor=Actor("person", "bo" if at < 3 else "cy", "staff"))
            make.keep(store, replace(filed, entries=(made,)))
        period = Period(MOMENT, MOMENT + timedelta(hours=4))
        first, *rest = store.doings(period, None, 2)
        assert (first.case, first.actor.id, first.workflow, first.title) == (number(3), "cy", filed.case.workflow, filed.case.title)
        assert [one.case for one in rest] == [number(2)]
        assert [one.case for one in store.doings(period, (rest[0].recorded_at, rest[0].case, rest[0].seq))] == [number(1)]
        assert [one.case for one in store.doings(replace(period, actor="bo", until=MOMENT + timedelta(hours=2)))] == [number(1)], "the end itself is outside"
        assert [one.case for one in store.doings(replace(period, case=number(2)))] == [number(2)]
        assert [(one.id, one.times, one.cases, one.last_at) for one in store.doers(period)] == [
            ("bo", 2, 2, MOMENT + timedelta(hours=2)),
            ("cy", 1, 1, MOMENT + timedelta(hours=3)),
        ]

    def test_cases_by_another_day_come_the_earliest_first_and_those_without_it_last(self, store: Store, make: Any) -> None:
        for at, day in enumerate((None, DAY, DAY - timedelta(days=1), DAY, None), 1):
            make.keep(store, make.filed(make.case(at)), row=make.row(stands_since=day))
        expected = [number(at) for at in (3, 2, 4, 1, 5)]
        assert [line.number for line in store.by_day(DocketFilter(), "stands_since", None, 10)] == expected
        for at, after in enumerate([(DAY - timedelta(days=1), number(3)), (DAY, number(2)), (DAY, number(4)), (None, number(1))], 1):
            assert [line.number for line in store.by_day(DocketFilter(), "stands_since", after, 2)] == expected[at : at + 2]
        assert [line.number for line in store.by_day(DocketFilter(stands=True), "stands_since", None, 10)] == expected[:3]

    def test_what_has_changed_is_named_only_as_far_as_it_is_seen(self, store: Store, make: Any) -> None:
        for at, who in enumerate(("bo", "cy"), 1):
            filed = make.filed(make.case(at, assigned_to=who))
            make.keep(store, filed)
            make.keep(store, replace(later := make.acted(filed.case), entries=(replace(later.entries[0], recorded_at=LATER),)))
        assert list(store.changed_since(LATER, 10, Sight((Part(assigned=True),), "cy"))) == [number(2)]
        assert list(store.changed_since(LATER, 10, Sight(()))) == []


def test_every_promise_of_the_port_is_tried_on_each_store(request: pytest.FixtureRequest, store: Store) -> None:
    kinds = {"memory": "MemoryStore", "sqlite": "SqlStore", "postgres": "SqlStore"}
    name = request.node.callspec.params["store"]
    assert type(store).__name__ == kinds[name]
    if name == "postgres":
        assert store.engine.dialect.name == "postgresql"  # type: ignore[attr-defined]
        with store.engine.connect() as connection:  # type: ignore[attr-defined]
            assert connection.exec_driver_sql("SELECT current_user").scalar() == "caseflow_app"
