"""The doctor finds each fault that is planted, says what to do, changes nothing, and lets no check keep the others from looking."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest

from caseflow.adapters.store import embedded
from caseflow.adapters.surroundings import Surroundings
from caseflow.bootstrap import App
from caseflow.cli import pictures
from caseflow.errors import StoreFault
from caseflow.services import doctor
from tests.conftest import ROOT
from tests.faults.damage import docket_of, owner

NOW = datetime(2026, 12, 5, 16, 0, tzinfo=UTC)
AT = "2026-12-05T10:00"
OLD = "2026-11-01 12:00:00.000000"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of two cases."""
    path = docket_of(tmp_path_factory.mktemp("sound"), 2)
    path.chmod(0o600)
    return path


@pytest.fixture
def app(sound: Path, tmp_path: Path) -> Iterator[App]:
    path = tmp_path / "case.db"
    shutil.copy(sound, path)
    made = App(f"sqlite:///{path}", at=AT, maildrop=str(tmp_path / "mail"))
    yield made
    made.store.engine.dispose()


def sql(app: App, *statements: str) -> None:
    """What somebody with the file does to it, with nothing refused."""
    with closing(owner(Path(app.store.where))) as connection:
        for statement in statements:
            connection.execute(statement)


PLANTED: dict[Any, tuple[str, str]] = {
    doctor.version: ("UPDATE alembic_version SET version_num = '0003'", "of version 0003"),
    doctor.parked_timers: ("UPDATE timer SET status = 'parked'", "could not fire"),
    doctor.late_timers: (f"UPDATE timer SET at = '{OLD}', status = 'open'", "due for more than an hour"),
    doctor.blocked_letters: ("UPDATE letter SET status = 'blocked' WHERE number LIKE '%L1'", "A letter is blocked, it is WD-2026-00001-1-L1"),
    doctor.outbox: (f"UPDATE letter_copy SET next_at = '{OLD}', status = 'owed'", "should have left more than an hour ago"),
    doctor.resting: ("INSERT INTO meta VALUES ('resting', '2026-12-04T10:00:00+00:00')", "Nothing leaves since 2026-12-04"),
    doctor.scheduler: (f"INSERT INTO heartbeat VALUES ('scheduler-7', '{OLD}', '')", "silent since 2026-11-01 12:00 UTC"),
    doctor.kept_packs: ("UPDATE pack_version SET files = replace(files, 'days: 30', 'days: 31')", "rules that are not whole"),
    doctor.replay: ("UPDATE entry SET because = 'as agreed' WHERE seq = 2", "entry 2: the entry was changed"),
    doctor.clock: ("UPDATE entry SET recorded_at = '2027-03-01 12:00:00.000000' WHERE seq = 6", "lies ahead of now"),
    doctor.backup: ("INSERT INTO meta VALUES ('backed-up', '2026-11-20T10:00:00+00:00')", "The last backup is of 2026-11-20"),
}
LOOKED: dict[Any, tuple[str, str]] = {
    doctor.claims: (f"UPDATE letter_copy SET claim = 'x', claimed_until = '{OLD}'", "died while"),
    doctor.idle_cases: ("UPDATE case_file SET next_at = NULL, ends = 0", "Nothing will wake 2 open cases"),
}


@pytest.mark.parametrize("check", PLANTED, ids=lambda check: check.__name__)
def test_a_fault_that_is_planted_is_found_and_what_to_do_is_said(app: App, check: Any) -> None:
    change, said = PLANTED[check]
    sql(app, change)
    found = check(app.patient)
    assert found.state == "wrong" and said in found.text and found.do, found


@pytest.mark.parametrize("check", [one for one in PLANTED if one not in (doctor.scheduler, doctor.backup)], ids=lambda check: check.__name__)
def test_where_nothing_is_wrong_it_is_well(app: App, check: Any) -> None:
    if check is doctor.outbox:
        app.dispatch(True)
    assert check(app.patient).state == "well"


@pytest.mark.parametrize("check", LOOKED, ids=lambda check: check.__name__)
def test_what_may_be_right_is_told_and_is_no_fault(app: App, check: Any) -> None:
    change, said = LOOKED[check]
    assert check(app.patient).state == "well"
    sql(app, change)
    found = check(app.patient)
    assert found.state == "look" and said in found.text and found.do, found


def test_a_trigger_that_is_missing_or_altered_is_named(app: App) -> None:
    assert doctor.guards(app.patient).state == "well"
    with closing(sqlite3.connect(app.store.where)) as connection:
        connection.execute("DROP TRIGGER entry_no_delete")
        connection.execute("DROP TRIGGER entry_no_update")
        connection.execute("CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry BEGIN SELECT 1; END")
    found = doctor.guards(app.patient)
    assert found.state == "wrong" and "altered: entry_no_delete, entry_no_update." in found.text


def test_a_scheduler_that_was_never_there_is_a_fault_of_a_real_record_and_one_that_beats_is_well(app: App) -> None:
    assert doctor.scheduler(app.patient).state == "look"
    app.store.upgrade(live=True)
    assert doctor.scheduler(app.patient).state == "wrong"
    with app.store.begin() as work:
        work.beat("scheduler-7", NOW - timedelta(seconds=30), "fired 0")
    assert doctor.scheduler(app.patient).state == "well"
    with app.store.begin() as work:
        work.beat("scheduler-7", NOW, "failed: the disk is full")
    assert "the disk is full" in doctor.scheduler(app.patient).text


def test_a_document_whose_content_is_missing_is_named(app: App) -> None:
    sql(
        app,
        "INSERT INTO document VALUES ('D1', 'WD-2026-00001-1', 2, '" + "a" * 64 + f"', 'plan.pdf', 'application/pdf', 9, '{OLD}', 'ann', 'staff', NULL, '')",
    )
    found = doctor.documents(app.patient)
    assert found.state == "wrong" and "D1 of WD-2026-00001-1 is missing" in found.text


def test_files_that_others_may_read_are_named(app: App) -> None:
    assert doctor.permissions(app.patient).state == "well"
    Path(app.store.where).chmod(0o644)
    found = doctor.permissions(app.patient)
    assert found.state == "wrong" and "The database can be read by others" in found.text and f"chmod 600 {app.store.where}" in found.do


@pytest.mark.parametrize(("free", "state"), [(50 << 30, "well"), (2 << 30, "wrong"), (500 << 20, "wrong")])
def test_a_disk_that_is_nearly_full_is_told(app: App, monkeypatch: pytest.MonkeyPatch, free: int, state: str) -> None:
    monkeypatch.setattr(Surroundings, "room", lambda _: (free, 100 << 30))
    assert doctor.room(app.patient).state == state


def test_checkpoints_that_are_missing_old_altered_or_refused_are_told(app: App) -> None:
    assert doctor.checkpoint(app.patient).state == "look"
    app.make_checkpoint(None)
    assert doctor.checkpoint(app.patient).state == "well"
    later = App(app.database, at="2026-12-20T10:00")
    assert "The last checkpoint is of 2026-12-05" in doctor.checkpoint(later.patient).text
    with app.store.begin() as work:
        work.beat("daily", NOW, "in time; checkpoint failed: the record is not what checkpoint 1 says")
    assert "checkpoint failed: the record is not" in doctor.checkpoint(app.patient).text
    sql(app, "UPDATE checkpoint SET line = replace(line, 'cases 2', 'cases 3')")
    assert "Checkpoint 1: the signature does not fit" in doctor.checkpoint(app.patient).text
    later.store.engine.dispose()


def test_a_backup_is_known_once_it_was_made(app: App, tmp_path: Path) -> None:
    assert doctor.backup(app.patient).state == "look"
    app.backup(str(tmp_path / "backup"))
    assert doctor.backup(app.patient).state == "well"


def test_a_pack_that_does_not_load_is_told_and_keeps_no_other_check_from_looking(app: App, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "workflows" / "wisconsin-dnr", tmp_path / "workflows" / "office", ignore=shutil.ignore_patterns("scenarios"))
    (tmp_path / "workflows" / "office" / "pack.yaml").write_text("pack: [")
    broken = App(app.database, packs=str(tmp_path / "workflows"), at=f"{AT}:00-06:00")
    found = {one["check"]: one for one in broken.doctor()["findings"]}
    assert found["packs"]["state"] == "wrong" and found["packs"]["do"]
    assert found["guards"]["state"] == "well" and found["clock"]["state"] == "well"
    broken.store.engine.dispose()


def test_the_daily_work_signs_where_there_is_a_key_and_keeps_it_in_the_folder_that_is_named(app: App, tmp_path: Path) -> None:
    assert app.daily_checkpoint() == "no checkpoint, since there is no signing key"
    assert app.signer.public
    (tmp_path / "elsewhere").mkdir()
    keeps = App(app.database, at=AT, checkpoints=str(tmp_path / "elsewhere"))
    assert keeps.daily_checkpoint() == "checkpoint 1"
    kept = tmp_path / "elsewhere" / "checkpoint-000001-2026-12-05.txt"
    assert keeps.verify(None, chain=True, checkpoint=str(kept))["faults"] == []
    sql(
        app,
        "UPDATE case_file SET head = '" + "a" * 64 + "', version = 7 WHERE number LIKE '%00001-1'",
        "UPDATE entry SET hash = '" + "a" * 64 + "' WHERE seq = 6",
    )
    assert keeps.daily_checkpoint().startswith("checkpoint failed: No checkpoint was signed, since the record is not what checkpoint 1 says.")
    keeps.store.engine.dispose()


@pytest.fixture
def only_read(sound: Path, tmp_path: Path) -> Iterator[Path]:
    """A database in a folder in which nobody may write."""
    path = tmp_path / "only" / "case.db"
    path.parent.mkdir()
    shutil.copy(sound, path)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    yield path
    path.parent.chmod(0o755)


def test_a_database_that_may_only_be_read_is_looked_at_too(only_read: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_writable", lambda _: False)  # to root everything may be written
    app = App(f"sqlite:///{only_read}", at=AT)
    found = app.doctor()
    assert {one["check"] for one in found["findings"] if one["state"] == "wrong"} == {"outbox", "permissions"}
    assert os.listdir(only_read.parent) == ["case.db"], "nothing was written beside it"
    with pytest.raises(StoreFault, match="may only be read"):
        app.store.health.note("a", "b")
    app.store.engine.dispose()


def test_whoever_may_not_write_reads_it(only_read: Path) -> None:
    for folder in only_read.parent.parents:
        if folder.is_relative_to(Path(gettempdir())) and folder != Path(gettempdir()):
            folder.chmod(0o755)
    root = os.geteuid() == 0  # who may do everything; anybody else may not write as it is
    if root:
        os.seteuid(65534)
    try:
        store = App(f"sqlite:///{only_read}", at=AT).store
        assert len(list(store.record.heads())) == 2
        store.engine.dispose()
    finally:
        if root:
            os.seteuid(0)


def test_the_verdict_comes_first_and_what_is_wrong_before_what_is_well() -> None:
    from tests.unit.test_cli_pictures import words

    wrong = {"check": "outbox", "state": "wrong", "text": "A copy waits.", "do": "Send it."}
    well = {"check": "clock", "state": "well", "text": "It fits.", "do": ""}
    shown = words(pictures.examined({"sound": False, "wrong": 1, "look": 0, "well": 1, "findings": [well, wrong]}))
    assert shown.startswith("1 thing is wrong; 1 well.") and shown.index("WRONG outbox") < shown.index("Send it.") < shown.index("well clock")
    assert words(pictures.examined({"sound": True, "wrong": 0, "look": 1, "well": 1, "findings": []})).startswith(
        "Nothing is wrong; 1 thing to look at, 1 well."
    )


def test_without_a_database_that_is_said_and_none_is_made(tmp_path: Path) -> None:
    found = App(f"sqlite:///{tmp_path / 'none.db'}", at=AT).doctor()
    assert not found["sound"] and found["findings"][0]["text"] == "There is no caseflow database there."
    assert not (tmp_path / "none.db").exists()
