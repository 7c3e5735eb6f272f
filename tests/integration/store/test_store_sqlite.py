"""What SQLite adds: a record that refuses change, and a clear sentence for every way in which a file can fail."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event
from sqlalchemy.dialects import sqlite as dialect

from caseflow.adapters.store import statements
from caseflow.adapters.store.embedded import Embedded
from caseflow.adapters.store.sql import SqlStore
from caseflow.adapters.store.tables.whole import METADATA
from caseflow.errors import BadInput, StoreFault, TryAgain
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.ports.doings import Period
from caseflow.web.server import THREADS

NAIVE = datetime(2026, 12, 1, 9, 0)  # noqa: DTZ001
MOMENT = datetime(2026, 12, 1, 15, 0, tzinfo=UTC)


@pytest.fixture
def filed(sqlite: SqlStore, make: Any) -> SqlStore:
    """A live store that holds a case with a timer, a letter that went out, and a draft."""
    sqlite.upgrade(live=True)
    case = make.case(timers=(make.timer(),))
    make.keep(sqlite, make.filed(case), letters=(make.written(case, number="L-1"), make.written(case, "draft", "L-2", status="draft")))
    with sqlite.begin() as work:
        work.next_number("D", 2026)
        work.letter_status("L-1", "handed-over")
    return sqlite


class TestRecord:
    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE entry SET facts = '{}'",
            "UPDATE entry SET hash = hash",
            "DELETE FROM entry",
            "INSERT OR REPLACE INTO entry SELECT * FROM entry",
            "UPDATE letter SET markdown = 'Dear nobody' WHERE number = 'L-1'",
            "DELETE FROM letter",
            "DELETE FROM meta",
            "UPDATE meta SET value = 'no'",
            "INSERT OR REPLACE INTO meta VALUES ('live', 'no')",
        ],
    )
    def test_nobody_changes_or_removes_the_record_through_another_program(self, filed: SqlStore, path: Path, change: str) -> None:
        with closing(sqlite3.connect(path)) as other, pytest.raises(sqlite3.IntegrityError, match=r"append-only|ck_meta_live"), other:
            other.execute(change)
        with filed.read() as work:
            assert len(work.entries("D-2026-00001-1")) == 1
            assert work.letter("L-1").markdown == "Dear Ann Lee,\n"
        assert filed.is_live()

    def test_a_draft_may_still_be_rewritten(self, filed: SqlStore, path: Path) -> None:
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE letter SET markdown = 'Dear Ann,' WHERE number = 'L-2'")
        with filed.read() as work:
            assert work.letter("L-2").markdown == "Dear Ann,"

    @pytest.mark.parametrize(
        "change",
        [
            "UPDATE case_file SET version = 0",
            "UPDATE case_file SET head = 'short'",
            "UPDATE case_file SET turn = ''",
            "UPDATE timer SET status = 'forgotten'",
            "UPDATE timer SET round = -1",
            "UPDATE letter SET status = 'lost'",
            "UPDATE counter SET last = 0",
            "INSERT INTO limit_use VALUES ('D-2026-00001-1', 'one-request', 0, 1)",
            "INSERT INTO limit_use VALUES ('D-2026-00001-1', 'one-request', 1, 0)",
            "INSERT INTO pack_version VALUES ('short', 'agency', '1', '{}')",
            'INSERT INTO entry SELECT "case", 0, recorded_at, effective_on, actor_kind, actor_id, actor_role, action, from_state, to_state,'
            " facts, because, cites, pack_version, calendar_version, key, prev_hash, hash FROM entry",
        ],
    )
    def test_a_value_that_can_not_be_is_refused(self, filed: SqlStore, path: Path, change: str) -> None:
        with closing(sqlite3.connect(path)) as other, pytest.raises(sqlite3.IntegrityError, match="CHECK"), other:
            other.execute(change)

    def test_the_migrations_make_the_tables_that_the_code_describes(self, sqlite: SqlStore) -> None:
        with sqlite.engine.connect() as connection:
            settings = {"include_name": lambda name, kind, _: not (kind == "table" and name.startswith("search_text"))}  # FTS5 keeps tables of its own
            assert compare_metadata(MigrationContext.configure(connection, opts=settings), METADATA) == []

    def test_the_checks_of_the_migrations_are_those_that_the_code_describes(self, sqlite: SqlStore, path: Path) -> None:
        described = {str(check.name) for table in METADATA.tables.values() for check in table.constraints if str(check.name).startswith("ck_")}
        with closing(sqlite3.connect(path)) as other:
            made = " ".join(str(sql) for (sql,) in other.execute("SELECT sql FROM sqlite_master WHERE type = 'table'"))
        assert described
        assert {name for name in described if f"CONSTRAINT {name} " not in made} == set()

    def test_a_moment_without_a_zone_never_reaches_the_record(self, sqlite: SqlStore, make: Any) -> None:
        with pytest.raises(ValueError, match="zone"):
            make.keep(sqlite, make.filed(make.case(timers=(make.timer(at=NAIVE),))))
        assert list(sqlite.numbers()) == []


@pytest.mark.parametrize("url", ["sqlite:///", "sqlite:///:memory:"])
def test_a_database_without_a_file_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match="has no file"):
        SqlStore(url)


def test_what_was_tried_enough_on_one_connection_may_be_tried_again_as_a_whole(sqlite: SqlStore) -> None:
    fault = TryAgain("The connection is lost.")
    fault.spent = True
    with pytest.raises(TryAgain) as told, sqlite.together():
        raise fault
    assert told.value is fault
    assert not fault.spent


class TestDurability:
    def test_a_commit_is_on_the_disk_and_lines_belong_to_cases(self, sqlite: SqlStore) -> None:
        with sqlite.engine.connect() as connection:
            settings = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous", "foreign_keys")}
        assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}

    def test_a_connection_for_each_thread_that_makes_pages_stays_open(self, sqlite: SqlStore) -> None:
        opened: list[int] = []
        event.listen(sqlite.engine, "connect", lambda *_: opened.append(1))
        for _ in range(2):
            with ExitStack() as threads:
                for _ in range(THREADS):
                    threads.enter_context(sqlite.engine.connect())
        assert len(opened) <= THREADS

    def test_writers_wait_for_each_other_and_none_is_lost(self, sqlite: SqlStore, path: Path) -> None:
        def take(_: int) -> list[int]:
            store, given = SqlStore(f"sqlite:///{path}", busy=20), []
            for _ in range(10):
                with store.begin() as work:
                    given.append(work.next_number("D", 2026))
            store.engine.dispose()
            return given

        with ThreadPoolExecutor(3) as pool:
            given = sorted(number for numbers in pool.map(take, range(3)) for number in numbers)
        assert given == list(range(1, 31))

    def test_who_can_not_become_the_writer_is_told_so_and_waits_for_all_else_as_before(self, sqlite: SqlStore, path: Path) -> None:
        hasty = SqlStore(f"sqlite:///{path}", busy=0.02)
        with sqlite.begin():
            with pytest.raises(StoreFault, match="locked by another process; nothing was changed"), hasty.begin():
                pass
            with hasty.read() as work:
                assert work.letters() == []
        with hasty.begin() as work:
            assert work._connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 20
        hasty.engine.dispose()

    def test_whoever_listens_to_the_engine_hears_what_goes_to_the_driver_and_the_same_is_kept(self, sqlite: SqlStore, make: Any) -> None:
        heard: list[str] = []
        first = make.keep(sqlite, make.filed(make.case()))
        event.listen(sqlite.engine, "before_cursor_execute", lambda _c, _r, statement, *_: heard.append(statement))
        second = make.keep(sqlite, make.filed(make.case(2)))
        with sqlite.read() as work:
            assert (work.case(first.number), work.case(second.number)) == (first, second)
        assert [any(sql.startswith(start) for sql in heard) for start in ("INSERT INTO case_file", "INSERT INTO entry", "SELECT case_file.body")] == [True] * 3

    def test_an_update_of_a_case_names_what_changes_and_leaves_the_other_indexes_alone(self, sqlite: SqlStore, make: Any) -> None:
        case = make.keep(sqlite, make.filed(make.case()), row=make.row(next_due=date(2026, 12, 30), held=True))
        heard: list[str] = []
        event.listen(sqlite.engine, "before_cursor_execute", lambda _c, _r, statement, *_: heard.append(statement))
        with sqlite.begin() as work:
            outcome = make.acted(work.case(case.number), changes={"assigned_to": "ann"})
            work.save(outcome, make.row(next_due=date(2026, 12, 31), held=True))
        (update,) = [sql for sql in heard if sql.startswith("UPDATE case_file")]
        named = {
            name for name in ("assigned_to", "next_due", "held", "county", "phase", "ends", "received_on", "body", "head", "version") if f"{name}=?" in update
        }
        assert named == {"assigned_to", "next_due", "body", "head", "version"}
        (line,) = sqlite.docket(DocketFilter())
        assert (line.assigned_to, line.row.next_due, line.row.held, line.version, line.head) == ("ann", date(2026, 12, 31), True, 2, outcome.case.head)

    def test_what_is_due_is_found_by_the_index_of_open_timers_and_never_sorted(self, sqlite: SqlStore) -> None:
        with closing(sqlite3.connect(sqlite.where)) as other, other:
            other.execute("ANALYZE")
            kept = (("ix_timer_open", "25040 1002 1"), ("sqlite_autoindex_timer_1", "25040 5 5 1 1 1"))  # of 5,000 cases with five timers each
            other.executemany("INSERT INTO sqlite_stat1 VALUES ('timer', ?, ?)", kept)
        with closing(sqlite3.connect(sqlite.where)) as other:
            for statement, given in ((statements.read_due, ("2026", 50, 0)), (statements.read_next_due, (1, 0))):
                sql = str(statement.compile(dialect=dialect.dialect()))
                plan = other.execute(f"EXPLAIN QUERY PLAN {sql}", given).fetchall()
                assert [("ix_timer_open" in str(step), "TEMP B-TREE" in str(step)) for step in plan] == [(True, False)]

    def test_figures_are_counted_from_indexes_alone_and_no_case_is_read(self, sqlite: SqlStore) -> None:
        asked: list[tuple[str, Any]] = []
        event.listen(sqlite.engine, "before_cursor_execute", lambda _c, _r, statement, values, *_: asked.append((statement, values)))
        day = date(2026, 12, 15)
        each = (
            DocketFilter(overdue_on=day),
            DocketFilter(stands=True, phases_not=("away",)),
            DocketFilter(quiet_before=day),
            DocketFilter(letters_waiting=True),
        )
        for by in (None, "assigned_to", "next_target", "stands_since"):
            sqlite.count(DocketFilter(open_only=True), each, by)
        sqlite.count(DocketFilter(open_only=True, target_from=day, target_to=day + timedelta(days=41)), (DocketFilter(silent=True),), "next_target")
        sqlite.count(DocketFilter(decided_from=day), (DocketFilter(on_time=True, held=True),), "decided_on")
        sqlite.count(DocketFilter(letters_waiting=True), (DocketFilter(),))
        sqlite.doers(Period(MOMENT, MOMENT + timedelta(days=7), actor="bo"))
        sqlite.changed_since(MOMENT)
        with sqlite.engine.connect() as connection:
            plans = [" / ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values)) for text, values in list(asked)]
        assert len(plans) == 9
        for plan in plans:
            steps = [step for step in plan.split(" / ") if step.startswith(("SCAN", "SEARCH"))]
            assert steps, plan
            # The timers that could not fire are few, and an index of their own finds them.
            known = ("USING COVERING INDEX", "autoindex", "LIST SUBQUERY", "timer USING INDEX ix_timer_parked")
            assert all(any(one in step for one in known) for step in steps), plan

    def test_preparing_a_ready_database_needs_no_migration_tool(self, sqlite: SqlStore) -> None:
        program = (
            "import sys; from caseflow.adapters.store.sql import SqlStore; SqlStore(sys.argv[1]).upgrade(live=True); "
            "assert SqlStore(sys.argv[1]).is_live(); sys.exit('alembic' in sys.modules)"
        )
        assert subprocess.run([sys.executable, "-c", program, sqlite.url], check=False).returncode == 0


class TestFaults:
    def test_a_locked_database_is_refused_after_the_time_to_wait(self, filed: SqlStore, path: Path, make: Any) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            begun = time.monotonic()
            with pytest.raises(StoreFault, match="locked by another process; nothing was changed"):
                make.keep(filed, make.filed(make.case(2)))
            assert time.monotonic() - begun < 1
            assert list(filed.numbers()) == ["D-2026-00001-1"]
            other.execute("ROLLBACK")
        make.keep(filed, make.filed(make.case(2)))

    def test_a_path_beneath_a_regular_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        store = SqlStore(f"sqlite:///{tmp_path / 'file' / 'cases.db'}")
        with pytest.raises(StoreFault, match="can't be opened"):
            store.upgrade()
        assert not store.exists()

    def test_a_file_that_is_no_database_is_refused_and_left_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "notes.txt"
        path.write_text("Notes on a meeting. " * 100)
        store = SqlStore(f"sqlite:///{path}")
        for use in (store.upgrade, store.exists, store.is_live, store.next_due, lambda: list(store.numbers())):
            with pytest.raises(StoreFault, match="not a caseflow database"):
                use()
        assert path.read_text() == "Notes on a meeting. " * 100

    def test_a_missing_database_is_named_and_none_is_made(self, tmp_path: Path) -> None:
        store = SqlStore(f"sqlite:///{tmp_path / 'misspelt.db'}")
        assert not store.exists()
        assert not store.is_live()
        for use in (store.begin, store.read):
            with pytest.raises(StoreFault, match="no database .*misspelt.db.*caseflow init"), use():
                pass
        assert list(tmp_path.iterdir()) == []

    def test_a_database_that_was_never_set_up_is_told_apart(self, tmp_path: Path) -> None:
        path = tmp_path / "empty.db"
        path.touch()
        store = SqlStore(f"sqlite:///{path}")
        assert not store.exists()
        with pytest.raises(StoreFault, match="not set up"), store.read() as work:
            work.case("D-1")

    def test_a_database_of_another_version_is_refused_and_left_alone(self, filed: SqlStore, path: Path) -> None:
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE alembic_version SET version_num = '9999'")
        assert not filed.exists()
        with pytest.raises(StoreFault, match="another version of caseflow"):
            filed.upgrade()
        assert list(filed.numbers()) == ["D-2026-00001-1"]

    @pytest.mark.parametrize(("pragma", "said"), [("max_page_count = 1", "full"), ("query_only = ON", "may only be read")])
    def test_a_disk_that_is_full_or_read_only_undoes_all_of_it(self, filed: SqlStore, make: Any, pragma: str, said: str) -> None:
        filed.engine.dispose()
        with filed.engine.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA {pragma}")
        filed_again = make.filed(make.case(2, facts={"text": "x" * 50_000}))
        with pytest.raises(StoreFault, match=f"{said}.*nothing was changed"):
            make.keep(filed, filed_again)
        filed.engine.dispose()
        assert list(filed.numbers()) == ["D-2026-00001-1"]
        make.keep(filed, filed_again)

    def test_an_unknown_kind_of_database_is_named(self) -> None:
        with pytest.raises(BadInput, match="mysql"):
            SqlStore("mysql://localhost/cases")


def test_moments_of_the_record_are_utc_text_that_sorts(filed: SqlStore, path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        ((at,),) = other.execute("SELECT at FROM timer").fetchall()
    assert at == datetime(2026, 11, 30, 15, 0, tzinfo=UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


class TestConnections:
    def test_what_is_done_one_after_the_other_is_done_by_one_connection(self, filed: SqlStore) -> None:
        filed.engine.dispose()
        opened: list[str] = []
        event.listen(filed.engine, "connect", lambda *_: opened.append("one"))
        for _ in range(3):
            with filed.begin() as work:
                work.case("D-2026-00001-1")
            with filed.read() as work:
                work.case("D-2026-00001-1")
            filed.next_due()
        assert opened == ["one"]

    def test_a_connection_that_rests_holds_no_lock_and_sees_what_came_later(self, filed: SqlStore, path: Path) -> None:
        with pytest.raises(ZeroDivisionError), filed.begin():
            raise ZeroDivisionError
        filed.next_due()
        with closing(sqlite3.connect(path, timeout=0)) as other, other:
            other.execute("BEGIN IMMEDIATE")
            other.execute("UPDATE timer SET at = '2031-01-01 06:00:00.000000'")
        later = filed.next_due()
        assert later is not None and later.year == 2031

    def test_a_store_that_gives_its_connections_back_leaves_nothing_beside_the_file(self, filed: SqlStore, path: Path) -> None:
        filed.next_due()
        assert {one.name for one in path.parent.iterdir()} > {path.name}
        filed.engine.dispose()
        assert [one.name for one in path.parent.iterdir()] == [path.name]
        assert filed.next_due() is not None

    def test_a_child_uses_no_connection_of_its_parent(self, filed: SqlStore) -> None:
        kind = filed._kind
        assert isinstance(kind, Embedded)
        filed.next_due()
        mine = list(kind._resting)
        kind._process = -1
        assert filed.next_due() is not None
        assert mine and not set(mine) & set(kind._resting) and not any(one.closed for one in mine)

    @pytest.mark.parametrize("end", ["commit", "rollback"])
    def test_a_connection_whose_transaction_did_not_end_is_not_used_again(self, filed: SqlStore, path: Path, end: str) -> None:
        def failing(*_: Any) -> None:
            raise OSError("the disk is gone")

        event.listen(filed.engine, end, failing)
        with pytest.raises(OSError, match="gone"), filed.begin():
            if end == "rollback":
                raise ZeroDivisionError
        event.remove(filed.engine, end, failing)
        with closing(sqlite3.connect(path, timeout=0)) as other:
            other.execute("BEGIN IMMEDIATE")  # nobody holds the lock
            other.execute("ROLLBACK")
        with filed.begin() as work:
            work.case("D-2026-00001-1")
