"""Several writers at once on PostgreSQL: who holds a case holds all of it, nobody waits for what others hold, and nothing is done twice."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from caseflow.adapters.store.grants import KEPT, WRITTEN_ONCE
from caseflow.adapters.store.sql import SqlStore
from caseflow.errors import BadInput, KeyRefused, NotKnown, StaleCase, StoreFault, TryAgain
from caseflow.services.again import again
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.ports.programs import Answer
from tests.relay import Relay, before_commit
from tests.server import GIVEN, Server

MOMENT = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
LATER = MOMENT + timedelta(hours=1)


@pytest.fixture
def store(postgres_url: str) -> Iterator[SqlStore]:
    made = SqlStore(postgres_url)
    yield made
    made.close()


@pytest.fixture
def beside() -> Iterator[Callable[..., Future[Any]]]:
    """Does something in another thread."""
    with ThreadPoolExecutor(8) as pool:
        yield pool.submit


def waits(store: SqlStore, count: int = 1) -> None:
    """Until so many connections wait for a lock."""
    query = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
    for _ in range(2000):
        with store.engine.connect() as connection:
            if connection.execute(query).scalar() == count:
                return
        threading.Event().wait(0.005)
    raise AssertionError("nobody waits")


def test_who_acts_on_a_case_that_is_held_waits_and_then_sees_what_was_done(store: SqlStore, make: Any, beside: Any) -> None:
    case = make.keep(store, make.filed(make.case()))

    def second() -> tuple[int, int]:
        with store.begin() as work:
            return work.case(case.number).version, len(work.entries(case.number))

    with store.begin() as work:
        work.save(make.acted(work.case(case.number)), make.row())
        other = beside(second)
        waits(store)
    assert other.result(5) == (2, 2)


def test_the_other_cases_of_the_request_are_held_with_it(store: SqlStore, make: Any, beside: Any) -> None:
    one, two = make.filed(make.case(1, 1)), make.filed(make.case(1, 2))
    make.keep(store, one, two)

    def second() -> int:
        with store.begin() as work:
            case = work.case(two.case.number)
            return sum(other.version for other in work.siblings(case))

    with store.begin() as work:
        work.save(make.acted(work.case(one.case.number)), make.row())
        other = beside(second)
        waits(store)
    assert other.result(5) == 2


def test_a_letter_holds_its_case(store: SqlStore, make: Any, beside: Any) -> None:
    filed = make.filed(make.case())
    letter = make.written(filed.case)
    make.keep(store, filed, letters=(letter,))

    def second() -> str:
        with store.begin() as work:
            return work.letter(letter.owed.number).status

    with store.begin() as work:
        work.case(filed.case.number)
        other = beside(second)
        waits(store)
        work.letter_status(letter.owed.number, "handed-over")
    assert other.result(5) == "handed-over"


def test_a_reader_waits_for_nobody_and_sees_one_moment(store: SqlStore, make: Any) -> None:
    case = make.keep(store, make.filed(make.case()))
    with store.read() as reading:
        with store.begin() as work:
            work.save(make.acted(work.case(case.number)), make.row())
            assert reading.case(case.number).version == 1
        assert len(reading.entries(case.number)) == 1, "the journal is read as of the moment of the case"
    with store.read() as reading:
        assert len(reading.entries(case.number)) == 2


def test_what_is_read_together_is_of_one_moment(store: SqlStore, make: Any, beside: Any) -> None:
    make.keep(store, make.filed(make.case(1)))
    with store.together():
        assert len(list(store.docket(DocketFilter()))) == 1
        beside(make.keep, store, make.filed(make.case(2))).result(5)
        assert store.count(DocketFilter(), (DocketFilter(),)) == {None: (1,)}
    assert store.count(DocketFilter(), (DocketFilter(),)) == {None: (2,)}


def test_numbers_given_at_the_same_time_have_no_gap_and_none_twice_though_some_are_given_back(store: SqlStore, beside: Any) -> None:
    def take(place: int) -> int:
        with suppress(ZeroDivisionError), store.begin() as work:
            number = work.next_number("D", 2026)
            if place % 3 == 0:
                raise ZeroDivisionError
            return number
        return 0

    given = [one.result(20) for one in [beside(take, place) for place in range(60)]]
    assert sorted(number for number in given if number) == list(range(1, 41))


def test_one_secret_and_one_pack_for_all_who_ask_at_once(store: SqlStore, make: Any, beside: Any) -> None:
    start = threading.Barrier(6)

    def ask(place: int) -> str:
        start.wait(5)
        make.keep(store, make.filed(make.case(place)))
        with store.begin() as work:
            return work.secret("seal")

    assert len({one.result(10) for one in [beside(ask, place) for place in range(1, 7)]}) == 1


def test_a_call_of_a_program_that_comes_twice_at_once_is_done_by_one(store: SqlStore, beside: Any) -> None:
    answer, start = Answer("a" * 64, "b" * 64, MOMENT), threading.Barrier(6)

    def call() -> Any:
        start.wait(5)
        return store.programs.claim(answer, MOMENT - timedelta(days=1), MOMENT - timedelta(minutes=2))

    found = [one.result(10) for one in [beside(call) for _ in range(6)]]
    assert found.count(None) == 1
    assert all(one is None or one.status is None for one in found)


def test_wrong_guesses_at_the_same_time_are_all_counted(store: SqlStore, beside: Any) -> None:
    keys = {"name": 100, "address": 6}
    for one in [beside(store.accounts.guessed_wrong, keys, MOMENT, timedelta(minutes=5)) for _ in range(6)]:
        one.result(10)
    assert store.accounts.resting_until(["name"], MOMENT) is None
    assert store.accounts.resting_until(["address"], MOMENT) == MOMENT + timedelta(minutes=5)


def test_the_second_gets_the_answer_of_the_first(store: SqlStore, make: Any, beside: Any) -> None:
    case = make.keep(store, make.filed(make.case()))

    def second() -> Any:
        with store.begin() as work:
            return work.command("c-1")

    with store.begin() as work:
        assert work.command("c-1") is None
        work.save(make.acted(work.case(case.number)), make.row(), command_id="c-1")
        other = beside(second)
        waits(store)
    assert other.result(5) == (case.number, 2)


def test_what_another_run_holds_is_passed_over(store: SqlStore, make: Any) -> None:
    for request in (1, 2, 3):
        make.keep(store, make.filed(make.case(request, timers=(make.timer(), make.timer("warn-5")))))
    with store.begin() as one:
        first = one.due(LATER, 2)
        with store.begin() as two:
            second = two.due(LATER, 10)
    assert {found.case for found in first} == {"D-2026-00001-1"}, "the timers of a case stay together"
    assert [found.case for found in second] == ["D-2026-00002-1"] * 2 + ["D-2026-00003-1"] * 2


def test_a_case_that_somebody_acts_on_is_left_to_them(store: SqlStore, make: Any) -> None:
    case = make.keep(store, make.filed(make.case(timers=(make.timer(),))))
    with store.begin() as person:
        person.case(case.number)
        with store.begin() as run:
            assert not run.due(LATER, 10)
    with store.begin() as run:
        assert len(run.due(LATER, 10)) == 1


def test_a_timer_that_another_run_fired_meanwhile_is_not_due(store: SqlStore, make: Any) -> None:
    """The second run asks while the first holds its timers, and is answered when the first has ended."""
    timer = make.timer()
    for request in range(1, 40):
        make.keep(store, make.filed(make.case(request, timers=(timer,))))
    fired: list[str] = []
    start = threading.Barrier(3)

    def run() -> None:
        start.wait(5)
        while True:
            with store.begin() as work:
                found = work.due(LATER, 3)
                for due in found:
                    work.save(make.acted(work.case(due.case), "lapse", fired=due.timer), make.row())
            if not found:
                return
            fired.extend(due.case for due in found)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(fired) == list(store.numbers())


def two_letters(store: SqlStore, make: Any) -> list[str]:
    numbers = []
    for request in (1, 2):
        filed = make.filed(make.case(request))
        make.keep(store, filed, letters=(make.written(filed.case),))
        numbers.append(filed.case.number)
    return numbers


def test_two_runs_claim_two_letters(store: SqlStore, make: Any) -> None:
    numbers = two_letters(store, make)
    with store.begin() as one:
        first = one.claim(MOMENT, "one", LATER, ("email", "post"))
        with store.begin() as two:
            second = two.claim(MOMENT, "two", LATER, ("email", "post"))
            assert not two.claim(MOMENT, "two", LATER, ("email", "post"))
    assert [{copy.case for copy in found} for found in (first, second)] == [{numbers[0]}, {numbers[1]}]


def test_a_letter_whose_case_is_being_acted_on_is_not_claimed_so_that_it_can_be_called_back(store: SqlStore, make: Any) -> None:
    number = two_letters(store, make)[0]
    with store.begin() as person:
        case = person.case(number)
        with store.begin() as run:
            assert {copy.case for copy in run.claim(MOMENT, "one", LATER, ("email", "post"))} != {number}
        person.save(replace(make.acted(case), canceled_letters=(f"L-{number}-1-notice",)), make.row())
    with store.begin() as run:
        assert not run.claim(MOMENT, "one", LATER, ("email", "post"))


def test_a_copy_is_put_into_one_print_batch(store: SqlStore, make: Any) -> None:
    two_letters(store, make)
    with store.begin() as one:
        first = one.waiting_copies(MOMENT, ("post",))
        with store.begin() as two:
            assert not two.waiting_copies(MOMENT, ("post",))
    assert len(first) == 2


@pytest.fixture
def owner(server: Server, postgres_url: str) -> Iterator[SqlStore]:
    made = SqlStore(server.address(server.name_of(postgres_url), "caseflow_owner"))
    yield made
    made.close()


def test_nothing_of_it_is_removed_by_its_owner(owner: SqlStore, store: SqlStore, make: Any) -> None:
    filed = make.filed(make.case())
    make.keep(store, filed, letters=(make.written(filed.case),))
    kept = ("entry", "letter", "letter_copy", "letter_attempt", "document", "account_change", "disposal")
    changes = [f"TRUNCATE {table} CASCADE" for table in kept] + [f"DELETE FROM {table}" for table in ("entry", "letter", "letter_copy", "account_change")]
    for change in changes:
        with pytest.raises(DBAPIError, match="append-only"), owner.engine.begin() as connection:
            connection.execute(text(change))


def test_an_entry_is_not_changed_and_a_live_record_stays_live(owner: SqlStore, store: SqlStore, make: Any) -> None:
    make.keep(store, make.filed(make.case()))
    store.upgrade(live=True)
    for change in ("UPDATE entry SET because = 'x'", "UPDATE meta SET value = 'yes' WHERE key = 'live'", "DELETE FROM meta"):
        with pytest.raises(DBAPIError, match="append-only"), owner.engine.begin() as connection:
            connection.execute(text(change))


@pytest.mark.parametrize(
    ("role", "refused"),
    [
        (
            "caseflow_app",
            ("UPDATE entry SET because = 'x'", "DELETE FROM entry", "TRUNCATE entry", "DROP TABLE entry", "ALTER TABLE entry DISABLE TRIGGER ALL")
            + ("CREATE TABLE mine (a int)", "DELETE FROM letter", "UPDATE document SET name = 'x'", "UPDATE alembic_version SET version_num = 'x'")
            + ("SET session_replication_role = replica", "TRUNCATE case_file CASCADE", "DELETE FROM case_file"),
        ),
        ("caseflow_records", ("UPDATE entry SET because = 'x'", "TRUNCATE entry", "UPDATE disposal SET place = 2", "DELETE FROM account_change")),
        ("caseflow_reader", ("INSERT INTO command VALUES ('a', 'b', 1)", "SELECT * FROM account", "SELECT * FROM meta", "SELECT * FROM entry FOR UPDATE")),
    ],
)
def test_no_role_may_do_more_than_it_must(server: Server, store: SqlStore, make: Any, role: str, refused: tuple[str, ...]) -> None:
    make.keep(store, make.filed(make.case()))
    other = SqlStore(server.address(server.name_of(store.url), role))
    for change in refused:
        with pytest.raises(DBAPIError, match="permission denied|must be owner"), other.engine.begin() as connection:
            connection.execute(text(change))
    with other.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM entry")).scalar() == 1
    other.close()


def test_every_table_of_the_record_that_the_triggers_keep_is_kept_by_the_grants_too(server: Server, store: SqlStore) -> None:
    query = "SELECT DISTINCT event_object_table FROM information_schema.triggers WHERE event_manipulation = 'DELETE' AND event_object_table <> 'meta'"
    kept = {name for (name,) in server.run(query, database=server.name_of(store.url))}
    assert kept <= {*WRITTEN_ONCE, *KEPT}


def test_of_two_that_wait_for_each_other_one_is_told_to_try_again_and_has_done_nothing(store: SqlStore, make: Any, beside: Any) -> None:
    one, two = make.keep(store, make.filed(make.case(1))), make.keep(store, make.filed(make.case(2)))
    both = threading.Barrier(2)

    def across(first: Any, second: Any) -> str:
        try:
            with store.begin() as work:
                work.save(make.acted(work.case(first.number)), make.row())
                both.wait(5)
                work.case(second.number)
        except TryAgain as fault:
            return str(fault)
        return "done"

    found = sorted(one.result(10) for one in [beside(across, one, two), beside(across, two, one)])
    assert found[1] == "done"
    assert "nothing was changed. Try again in a moment" in found[0]
    with store.read() as work:
        assert sorted(work.case(case.number).version for case in (one, two)) == [1, 2]


def test_a_deadlock_is_tried_again_and_both_are_done(store: SqlStore, make: Any, beside: Any) -> None:
    one, two = make.keep(store, make.filed(make.case(1))), make.keep(store, make.filed(make.case(2)))
    both = threading.Barrier(2)

    @again
    def across(first: Any, second: Any) -> None:
        with store.begin() as work:
            work.save(make.acted(work.case(first.number)), make.row())
            with suppress(threading.BrokenBarrierError):
                both.wait(0.5)
            work.save(make.acted(work.case(second.number)), make.row())

    for done in [beside(across, one, two), beside(across, two, one)]:
        done.result(15)
    with store.read() as work:
        assert [work.case(case.number).version for case in (one, two)] == [3, 3]


def test_a_lock_that_is_not_given_up_is_waited_for_only_so_long(postgres_url: str, store: SqlStore, make: Any) -> None:
    case = make.keep(store, make.filed(make.case()))
    hasty = SqlStore(postgres_url, busy=0.05)
    with store.begin() as work:
        work.case(case.number)
        with pytest.raises(StoreFault, match="locked by another process; nothing was changed"), hasty.begin() as other:
            other.case(case.number)
    hasty.close()


def test_what_may_exist_once_and_what_belongs_to_nothing_are_told_as_on_the_embedded_database(store: SqlStore, make: Any) -> None:
    case = make.keep(store, make.filed(make.case()))
    with pytest.raises(KeyRefused, match="only once; nothing was changed"):
        make.keep(store, make.filed(make.case()))
    with pytest.raises(KeyRefused, match="belongs to nothing it holds"), store.begin() as work:
        work.save(make.filed(make.case(2, pack_version="f" * 64)), make.row())
    with pytest.raises(StaleCase):
        make.keep(store, replace(make.acted(replace(case, version=7)), before=replace(case, version=7)))


@pytest.mark.parametrize(("address", "said"), [("?host=/nowhere", "can't be reached"), ("", "there is no database 'nothing'")])
def test_a_server_that_is_away_and_a_database_that_is_not_there_are_told_apart(ours: Server, address: str, said: str) -> None:
    store = SqlStore(f"postgresql+psycopg://postgres@/nothing{address or f'?host={ours.folder}'}")
    with pytest.raises(StoreFault, match="(?i)" + said):
        store.exists()


def test_a_password_never_stands_in_a_sentence() -> None:
    store = SqlStore("postgresql+psycopg://ann:hush@localhost:1/cases")
    assert store.where == "'cases' on localhost"
    with pytest.raises(StoreFault) as fault:
        store.exists()
    assert "hush" not in str(fault.value)


def test_a_database_that_orders_text_by_a_language_is_refused_with_the_line_that_makes_a_right_one(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server of the wheel knows no language: its answer is turned round."""
    url = server.new()
    store = SqlStore(url)
    with monkeypatch.context() as turned:
        turned.setattr(f"{SqlStore.__module__.rpartition('.')[0]}.server.IN_ORDER", "SELECT 'Z' > 'a'")
        with pytest.raises(BadInput, match="CREATE DATABASE caseflow ENCODING 'UTF8' LC_COLLATE 'C'"):
            store.upgrade()
        assert not store.exists()
    store.upgrade()
    store.close()
    server.drop(url)


def test_two_processes_that_set_up_at_once_set_up_once(server: Server, beside: Any) -> None:
    url = server.new()
    stores = [SqlStore(url), SqlStore(url)]
    for done in [beside(store.upgrade) for store in stores]:
        done.result(30)
    assert all(store.exists() for store in stores)
    for store in stores:
        store.close()
    server.drop(url)


@pytest.fixture
def relay(ours: Server) -> Iterator[Relay]:
    made = Relay(ours.folder)
    yield made
    made.close()


@pytest.fixture
def far(relay: Relay, postgres_url: str) -> Iterator[SqlStore]:
    """A store at the far end of the wire."""
    made = SqlStore(relay.address(postgres_url))
    yield made
    made.close()


def once(relay: Relay, when: Callable[[bytes], bool]) -> None:
    relay.cut = lambda sent: when(sent) and relay.cuts == 0


def test_what_was_done_before_the_line_broke_is_told_as_done(far: SqlStore, relay: Relay, make: Any) -> None:
    case = make.keep(far, make.filed(make.case()))
    once(relay, before_commit)
    make.keep(far, make.acted(case))
    assert relay.cuts == 1
    with far.read() as work:
        assert [entry.action for entry in work.entries(case.number)] == ["file", "decide"]


def test_what_was_not_done_is_told_as_not_done_and_tried_again(far: SqlStore, relay: Relay, make: Any) -> None:
    case = make.keep(far, make.filed(make.case()))
    once(relay, lambda sent: b"INSERT INTO entry" in sent)
    with pytest.raises(TryAgain, match="can't be reached; nothing was changed"):
        make.keep(far, make.acted(case))
    relay.cuts = 0
    again(make.keep)(far, make.acted(case))
    assert relay.cuts == 1
    with far.read() as work:
        assert work.case(case.number).version == 2


def test_every_place_where_the_line_may_break_leaves_all_or_nothing(far: SqlStore, relay: Relay, make: Any) -> None:
    """At the n-th message, for n = 1, 2, ... until a whole act passes untouched."""
    case = make.keep(far, make.filed(make.case()))
    for place in range(1, 100):
        seen, relay.cuts = [0], 0

        def nth(sent: bytes, seen: list[int] = seen, place: int = place) -> bool:
            seen[0] += 1
            return seen[0] == place

        relay.cut = nth
        again(act)(far, make, case.number, f"c-{place}")
        relay.cut = lambda sent: False
        with far.read() as work:
            version = work.case(case.number).version
            assert (version, len(work.entries(case.number))) == (place + 1, place + 1)
        if not relay.cuts:
            break
    assert 5 < place < 99


def act(store: SqlStore, make: Any, number: str, command: str) -> None:
    with store.begin() as work:
        if work.command(command) is None:
            work.save(make.acted(work.case(number), "note"), make.row(), command_id=command)


def test_where_the_server_does_not_come_back_nobody_says_that_it_was_done_or_not(
    far: SqlStore, relay: Relay, make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("caseflow.adapters.store.server.ASKED", 0.2)
    case = make.keep(far, make.filed(make.case()))
    cut = [False]

    def forever(sent: bytes) -> bool:
        cut[0] = cut[0] or before_commit(sent)
        return cut[0]

    relay.cut = forever
    with pytest.raises(NotKnown, match="it may have been"):
        make.keep(far, make.acted(case))
    relay.cut = lambda sent: False


@pytest.fixture
def forgetful(make: Any) -> Iterator[tuple[Server, Relay, SqlStore, Any]]:
    """A server that loses in a crash what it did last, a wire to it, a store at its far end, and a case in that."""
    if GIVEN is not None:
        pytest.skip("the server is not ours to stop")
    server = Server(("max_connections=20", "shared_buffers=32MB", "listen_addresses=", "synchronous_commit=off", "wal_writer_delay=10s"))
    with ExitStack() as after:
        after.callback(server.end)
        relay = Relay(server.folder)
        after.callback(relay.close)
        store = SqlStore(relay.address(server.with_roles()))
        after.callback(store.close)
        case = make.keep(store, make.filed(make.case()))
        server.run("CHECKPOINT")
        yield server, relay, store, case


@pytest.mark.parametrize(("others", "told", "words"), [(0, TryAgain, "nothing was changed"), (200, NotKnown, "it may have been")])
def test_what_a_crash_took_back_is_never_told_as_done_though_another_transaction_bears_its_number(
    forgetful: tuple[Server, Relay, SqlStore, Any], make: Any, beside: Any, others: int, told: type[StoreFault], words: str
) -> None:
    server, relay, store, case = forgetful
    sending, crashed = threading.Event(), threading.Event()

    def crash(sent: bytes) -> bool:
        if relay.cuts or not before_commit(sent):
            return False
        sending.set()
        return crashed.wait(60)

    relay.cut = crash
    acting = beside(make.keep, store, make.acted(case))
    assert sending.wait(60)
    server.stop(signal.SIGQUIT)
    server.start()  # by this thread: with whoever starts it, it stops
    server.run(*["SELECT pg_current_xact_id()"] * others, "SELECT 1")
    crashed.set()
    with pytest.raises(told, match=words):
        acting.result(60)
    assert relay.cuts == 1
    with store.read() as work:
        assert work.case(case.number).version == 1


def test_connections_are_renewed_after_a_restart_and_what_was_done_is_there(ours: Server, store: SqlStore, make: Any) -> None:
    case = make.keep(store, make.filed(make.case()))
    ours.stop()
    with pytest.raises(TryAgain, match="can't be reached"):
        make.keep(store, make.acted(case))
    ours.start()
    make.keep(store, make.acted(case))
    with store.read() as work:
        assert work.case(case.number).version == 2
