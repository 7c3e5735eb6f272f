"""The program from end to end on PostgreSQL, as operators run it: commands, backup and restore, and the move from an embedded database."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from click.testing import CliRunner

from caseflow.adapters.store import relocating
from caseflow.adapters.store import statements as s
from caseflow.adapters.store.sql import SqlStore
from caseflow.bootstrap import App
from caseflow.cli.main import cli
from caseflow.domain.case import Actor
from caseflow.errors import BadInput, StoreFault
from caseflow.services.searching import find
from tests.acceptance.test_readme import SHELL, agrees, tour
from tests.conftest import PACK, ROOT
from tests.relay import Relay, before_commit
from tests.server import Server

CASE = "WD-2026-00001-1"
SAMPLE = str(PACK / "samples" / "navigability-confirmation" / "complete.yaml")


@pytest.fixture
def run(postgres_url: str, tmp_path: Path) -> Callable[..., str]:
    """Runs a command on the server's database at a moment; the answer is what it prints."""

    def command(at: str, *words: str) -> str:
        given = ["--database", postgres_url, "--maildrop", str(tmp_path / "mail"), "--documents", str(tmp_path / "documents"), "--at", at]
        given += ["--signing-key", str(tmp_path / "key")]
        done = CliRunner().invoke(cli, [*given, *words], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    return command


def test_a_case_goes_its_way_by_the_command_line(run: Callable[..., str], tmp_path: Path) -> None:
    assert "on" in run("2026-11-30T09:00", "init")
    run("2026-11-30T09:00", "file", SAMPLE)
    facts = tmp_path / "note.yaml"
    facts.write_text("note: A word.\n")
    run("2026-11-30T10:00", "act", CASE, "add-note", "--facts", str(facts), "--as", "wren:staff")
    assert json.loads(run("2026-12-01T09:00", "dispatch", "--json"))["sent"] == 1
    assert json.loads(run("2027-03-01T09:00", "sweep", "--json"))["fired"] >= 1
    assert CASE in run("2027-03-01T09:00", "docket", "--json")
    assert run("2027-03-01T09:00", "board")
    assert json.loads(run("2027-03-01T09:00", "verify", "--json"))["faults"] == []
    run("2027-03-01T09:00", "export", CASE, str(tmp_path / "record"))
    checked = subprocess.run([sys.executable, "verify.py"], cwd=tmp_path / "record", capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_two_who_adopt_a_calendar_at_once_move_each_case_once_and_no_count_is_lost(run: Callable[..., str], postgres_url: str, tmp_path: Path) -> None:
    for _ in range(3):
        run("2026-11-30T09:00", "file", SAMPLE)
    own = (PACK / "calendar.yaml").read_text().replace('version: "2026.1"', 'version: "2026.2"')
    changed = tmp_path / "changed.yaml"
    changed.write_text(own.replace("      - {name: New Year's Day", "      - {name: Rest, once: 2026-12-30, source: Act 9}\n      - {name: New Year's Day", 1))
    offices = [App(postgres_url, at="2026-12-01T09:00", maildrop=str(tmp_path / "mail")) for _ in range(2)]
    begun = [office.calendars for office in offices]
    for office in offices:
        office.open()
    number = begun[0].service.adopt(changed.read_text(), str(changed), "Act 9", Actor("person", "odell", "supervisor")).id
    together = Barrier(2)

    def finishes(calendars: Any) -> None:
        together.wait(30)
        calendars.service.finish(number)

    threads = [Thread(target=finishes, args=[one]) for one in begun]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert begun[0].service.one(number).moved == 3
    assert run("2026-12-01T09:00", "case", "timeline", CASE, "--json").count('"calendar-adopted"') == 1


@pytest.fixture
def embedded(tmp_path: Path) -> App:
    """An embedded database with a case that has lived, a letter sent, an account, and a note."""
    made = App(f"sqlite:///{tmp_path / 'case.db'}", at="2026-11-30T09:00", maildrop=str(tmp_path / "mail"))
    made.file(made.read_yaml(SAMPLE))
    made.act(CASE, "add-note", {"note": "Über die Wehrkrone: 100 % \N{SNOWMAN}"}, None, "wren:staff", None, None, False)
    made.add_person("wren", "Wren", "staff")
    made.dispatch(True)
    return made


@pytest.fixture
def empty(server: Server) -> Iterator[str]:
    """A database as roles.sql makes it, by its owner's address."""
    url = server.with_roles()
    yield server.address(server.name_of(url), "caseflow_owner")
    server.drop(url)


def state(url: str) -> dict[str, tuple[int, str]]:
    """What each table holds."""
    store = SqlStore(url)
    with store._transaction("BEGIN") as connection:
        found = {table.name: relocating._digest(connection, table) for table in relocating.tables()}
    store.close()
    return found


def test_everything_arrives_and_goes_on_there_and_the_old_one_rests(embedded: App, empty: str, tmp_path: Path) -> None:
    before = state(embedded.database)
    made = embedded.move(empty)
    assert {one["table"]: (one["rows"], one["sha256"]) for one in made["tables"]} == before == state(empty)
    there = App(empty, at="2026-12-07T09:00", maildrop=str(tmp_path / "mail"))
    assert there.verify(None)["faults"] == []
    there.act(CASE, "add-note", {"note": "Here."}, None, "wren:staff", None, None, False)
    assert there.file(there.read_yaml(SAMPLE))["request"] == "WD-2026-00002", "numbers go on"
    assert find(there.office, "Mill", 10) == [CASE, "WD-2026-00002-1"], "the index of words is made anew"
    with pytest.raises(StoreFault, match=r"was moved to '.*; nothing was changed. Name the other one"):
        embedded.act(CASE, "add-note", {"note": "Too late."}, None, "wren:staff", None, None, False)
    with pytest.raises(BadInput, match="holds something already"):
        embedded.move(empty)
    there.store.close()


def test_a_move_that_is_given_up_lets_the_old_one_go_on(embedded: App) -> None:
    relocating.put_to_rest(embedded.store, "elsewhere")
    assert embedded.stay()["rested"]
    embedded.act(CASE, "add-note", {"note": "Again."}, None, "wren:staff", None, None, False)
    assert not embedded.stay()["rested"]


def test_a_database_that_holds_something_else_is_refused_and_stays_as_it_is(embedded: App, empty: str, tmp_path: Path) -> None:
    other = App(empty, at="2026-11-30T09:00", maildrop=str(tmp_path / "mail"))
    other.file(other.read_yaml(SAMPLE))
    other.store.close()
    before = state(empty)
    with pytest.raises(BadInput, match="holds something already"):
        embedded.move(empty)
    assert state(empty) == before


def test_one_that_was_killed_goes_on_where_it_was(embedded: App, empty: str) -> None:
    """Killed at the n-th batch, for n = 1, 2, ... until it comes to its end."""
    code = (
        "import os, signal, sys\n"
        "from caseflow.adapters.store import relocating as r\n"
        "from caseflow.bootstrap import App\n"
        "left = [int(sys.argv[3])]\n"
        "def count(done, total, what):\n"
        "    left[0] -= 1\n"
        "    if left[0] < 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "App(sys.argv[1]).move(sys.argv[2], count)\n"
    )
    before, ended = state(embedded.database), []
    for place in (2, 9, 23, 48, 10_000):
        done = subprocess.run([sys.executable, "-c", code, embedded.database, empty, str(place)], capture_output=True, text=True, check=False)
        ended.append(done.returncode)
        if done.returncode != -signal.SIGKILL:
            assert done.returncode == 0, done.stderr
    assert ended.count(-signal.SIGKILL) >= 3
    assert state(empty) == before


def test_a_row_that_arrives_changed_ends_the_move(embedded: App, empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = relocating._carry

    def lossy(reading: Any, target: Any, table: Any) -> Any:
        yield from real(reading, target, table)
        if table is s.ENTRY:
            with target._transaction("BEGIN IMMEDIATE") as writing, relocating._unasked(writing, table):
                writing.execute(table.update().values(because="changed on the way"))

    monkeypatch.setattr(relocating, "_carry", lossy)
    with pytest.raises(StoreFault, match="entry did not arrive as it was"):
        embedded.move(empty)


def test_one_of_a_server_is_of_one_moment_and_comes_back_on_a_server_and_as_an_embedded_one(embedded: App, server: Server, empty: str, tmp_path: Path) -> None:
    embedded.move(empty)
    there = App(empty, at="2026-12-07T09:00", documents=str(tmp_path / "documents"))
    file = str(tmp_path / "one.backup")
    said: list[str] = []

    def meanwhile(done: int, total: int | None, what: str) -> None:
        if not said:
            said.append(what)
            there.act(CASE, "add-note", {"note": "While it is being copied."}, None, "wren:staff", None, None, False)

    before = state(empty)
    there.backup(file, meanwhile)
    assert os.stat(file).st_mode & 0o077 == 0
    second = server.with_roles()
    back = App(server.address(server.name_of(second), "caseflow_owner"), at="2026-12-08T09:00", documents=str(tmp_path / "again"))
    lite = App(f"sqlite:///{tmp_path / 'back.db'}", at="2026-12-08T09:00", documents=str(tmp_path / "third"))
    for app in (back, lite):
        made = app.restore(file)
        assert made["made_at"] == "2026-12-07T15:00:00+00:00"
        after = state(app.database)
        assert {name for name in before if before[name] != after[name]} == {"meta"}, "it rests, and is otherwise as it was"
        assert app.verify(None)["faults"] == []
        assert app.dispatch(True)["resting"]
        app.store.close()
    there.store.close()
    server.drop(second)


def test_an_archive_is_not_put_into_a_database_that_holds_something(embedded: App, empty: str, tmp_path: Path) -> None:
    embedded.backup(str(tmp_path / "one.backup"))
    other = App(empty, at="2026-11-30T09:00", documents=str(tmp_path / "again"))
    other.file(other.read_yaml(SAMPLE))
    before = state(empty)
    with pytest.raises(BadInput, match="holds something already"):
        other.restore(str(tmp_path / "one.backup"))
    other.store.close()
    assert state(empty) == before


def test_a_sweep_and_a_dispatch_whose_answers_are_lost_do_each_thing_once(ours: Server, postgres_url: str, tmp_path: Path) -> None:
    """The line breaks at every second COMMIT: each is done, and its answer never comes."""
    near = App(postgres_url, at="2026-11-30T09:00", maildrop=str(tmp_path / "mail"))
    for _ in range(3):
        near.file(near.read_yaml(SAMPLE))
    relay = Relay(ours.folder)
    seen = [0]

    def cut(sent: bytes) -> bool:
        seen[0] += before_commit(sent)
        return before_commit(sent) and seen[0] % 2 == 0

    relay.cut = cut
    far = App(relay.address(postgres_url), at="2026-12-01T09:00", maildrop=str(tmp_path / "mail"))
    sent = far.dispatch(True)
    late = App(relay.address(postgres_url), at="2027-03-01T09:00", maildrop=str(tmp_path / "mail"))
    swept = late.sweep(None)
    cuts, relay.cut = relay.cuts, lambda sent: False
    assert cuts >= 5
    assert sent["sent"] == 3
    assert swept["fired"] >= 3
    assert near.verify(None)["faults"] == []
    for number in ("WD-2026-00001-1", "WD-2026-00002-1", "WD-2026-00003-1"):
        acts = [one["action"] for one in near.timeline(number, "recorded", None)]
        assert acts.count("letter-sent") == 1
        with near.store.read() as work:
            (first, *_) = work.letters(number)
        assert [copy.attempts for copy in first.copies] == [1] * len(first.copies)
    for app in (near, far, late):
        app.store.close()
    relay.close()


def test_the_page_about_it_shows_what_is_printed(ours: Server, tmp_path: Path) -> None:
    (tmp_path / "workflows").symlink_to(ROOT / "workflows")
    psql = f'psql() {{ "{ours._bin}/psql" -h {ours.folder} -U postgres "$@"; }}; '
    steps = list(tour("docs/postgresql.md"))
    try:
        for command, shown in steps:
            made = re.sub(r"@db\.example\.gov/(\w+)", rf"@/\1?host={ours.folder}", command)
            settings = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "240"}
            done = subprocess.run(["bash", "-c", SHELL + psql + made], cwd=tmp_path, env=settings, capture_output=True, text=True, timeout=60, check=False)
            printed = [line.rstrip() for line in (done.stdout + done.stderr).replace(str(ours.folder), "db.example.gov").splitlines()]
            assert agrees(shown, printed), f"$ {command}\n{done.stdout}{done.stderr}"
    finally:
        for name in ("caseflow", "restored"):
            ours.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    assert len(steps) >= 10
