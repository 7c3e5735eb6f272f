"""A backup is of one moment and whole; a broken one is refused; a restored database sends nothing until somebody says so."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest

from caseflow.adapters.archive import MANIFEST, read_archive, write_archive
from caseflow.bootstrap import App
from caseflow.errors import BadInput
from tests.conftest import PACK

CASE = "WD-2026-00001-1"


def app(database: Path, at: str) -> App:
    return App(f"sqlite:///{database}", at=at, maildrop=str(database.parent / "mail"))


@pytest.fixture
def filed(tmp_path: Path) -> Path:
    """A database with a case whose first letter has not left yet."""
    database = tmp_path / "case.db"
    first = app(database, "2026-11-30T09:00")
    first.file(first.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml")))
    return database


def test_what_was_backed_up_comes_back_and_verifies(filed: Path, tmp_path: Path) -> None:
    app(filed, "2026-12-01T09:00").backup(str(tmp_path / "one.backup"))
    app(filed, "2026-12-02T09:00").act(CASE, "add-note", {"note": "After the backup"}, None, "wren:staff", None, None, False)
    back = tmp_path / "back.db"
    made = app(back, "2026-12-03T09:00").restore(str(tmp_path / "one.backup"))
    assert made["made_at"] == "2026-12-01T15:00:00+00:00"
    again = app(back, "2026-12-03T09:00")
    assert again.verify(None)["faults"] == []
    assert again.show(CASE)["version"] == app(filed, "2026-12-03T09:00").show(CASE)["version"] - 1


def test_a_restored_database_sends_nothing_until_told_and_then_the_same_bytes(filed: Path, tmp_path: Path) -> None:
    app(filed, "2026-12-01T09:00").backup(str(tmp_path / "one.backup"))
    back = tmp_path / "back" / "case.db"
    app(back, "2026-12-02T09:00").restore(str(tmp_path / "one.backup"))
    for _ in range(2):
        sent = app(back, "2026-12-02T10:00").dispatch(True)
        assert (sent["sent"], sent["copies"], bool(sent["resting"])) == (0, 0, True)
    with pytest.raises(BadInput, match="caseflow resume"):
        app(back, "2026-12-02T10:00").print_batch(str(tmp_path / "post"), None, True)
    waiting = app(back, "2026-12-02T10:00").resume(True)
    assert waiting["copies"]
    assert not waiting["resumed"]
    assert app(back, "2026-12-02T10:00").dispatch(True)["sent"] == 0, "looking alone lets nothing leave"
    assert app(back, "2026-12-02T10:00").resume(False)["resumed"]
    assert app(back, "2026-12-02T10:00").dispatch(True)["sent"] == 1
    app(filed, "2026-12-02T10:00").dispatch(True)
    one, other = (sorted(folder.rglob("*.md")) for folder in (tmp_path / "mail", tmp_path / "back" / "mail"))
    assert one
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]


def test_a_backup_is_of_one_moment_while_others_write(tmp_path: Path) -> None:
    database = tmp_path / "busy.db"
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE pair (left INTEGER, right INTEGER)")
    connection.execute("CREATE TABLE filler (text TEXT)")
    connection.executemany("INSERT INTO filler VALUES (?)", [("x" * 900,) for _ in range(20_000)])
    begun, over = Event(), Event()

    def write() -> None:
        mine = sqlite3.connect(database, isolation_level=None, timeout=30)
        number = 0
        while not over.is_set():
            number += 1
            mine.execute("BEGIN IMMEDIATE")
            mine.execute("INSERT INTO pair VALUES (?, ?)", (number, -number))
            mine.execute("COMMIT")
            begun.set()
        mine.close()

    writer = Thread(target=write)
    writer.start()
    assert begun.wait(30)
    told: list[tuple[int, int | None, str]] = []
    moment = app(database, "2026-12-01T09:00").now()
    write_archive(tmp_path / "busy.backup", database, {}, moment, lambda done, total, what: told.append((done, total, what)))
    over.set()
    writer.join()
    read_archive(tmp_path / "busy.backup", tmp_path / "back.db", {})
    copied = sqlite3.connect(tmp_path / "back.db")
    count, low, high, total = copied.execute("SELECT count(*), min(left), max(left), sum(left + right) FROM pair").fetchone()
    assert (low, high, total) == (1, count, 0)
    assert copied.execute("SELECT count(*) FROM filler").fetchone() == (20_000,)
    assert count <= connection.execute("SELECT count(*) FROM pair").fetchone()[0]
    assert sum(what == "pages" for _, _, what in told) >= 2, "long work shows how far it is"


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flipped(data: bytes) -> bytes:
    at = len(data) // 3
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize("harm", [_cut, _flipped, lambda data: data[:-5], lambda _: b"", lambda _: b"PK\x05\x06" + bytes(18), lambda data: data[7:]])
def test_a_broken_backup_is_refused_and_nothing_is_put_there(filed: Path, tmp_path: Path, harm: Callable[[bytes], bytes]) -> None:
    app(filed, "2026-12-01T09:00").backup(str(tmp_path / "one.backup"))
    (tmp_path / "harmed.backup").write_bytes(harm((tmp_path / "one.backup").read_bytes()))
    before = sorted(tmp_path.iterdir())
    with pytest.raises(BadInput, match="nothing was restored"):
        app(tmp_path / "back.db", "2026-12-02T09:00").restore(str(tmp_path / "harmed.backup"))
    assert sorted(tmp_path.iterdir()) == before


def _rewritten(source: Path, target: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    with zipfile.ZipFile(source) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def _stranger(files: dict[str, bytes]) -> None:
    files["documents/extra"] = b"x"


def _outside(files: dict[str, bytes]) -> None:
    manifest = json.loads(files[MANIFEST])
    manifest["files"]["../outside"] = "0" * 64
    files[MANIFEST] = json.dumps(manifest).encode()
    files["../outside"] = b"x"


def _other_database(files: dict[str, bytes]) -> None:
    files["caseflow.db"] = files["caseflow.db"].replace(b"Mill Creek", b"Mall Creek")


def _no_manifest(files: dict[str, bytes]) -> None:
    files[MANIFEST] = b"[]"


@pytest.mark.parametrize("change", [_stranger, _outside, _other_database, _no_manifest])
def test_an_archive_that_was_changed_is_refused(filed: Path, tmp_path: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    app(filed, "2026-12-01T09:00").backup(str(tmp_path / "one.backup"))
    _rewritten(tmp_path / "one.backup", tmp_path / "changed.backup", change)
    with pytest.raises(BadInput, match="nothing was restored"):
        app(tmp_path / "sub" / "back.db", "2026-12-02T09:00").restore(str(tmp_path / "changed.backup"))
    assert not (tmp_path / "outside").exists()
    assert not (tmp_path / "sub" / "back.db").exists()


def test_nothing_is_overwritten_and_what_is_missing_is_named(filed: Path, tmp_path: Path) -> None:
    app(filed, "2026-12-01T09:00").backup(str(tmp_path / "one.backup"))
    with pytest.raises(BadInput, match="no older backup is lost"):
        app(filed, "2026-12-01T09:00").backup(str(tmp_path / "one.backup"))
    with pytest.raises(BadInput, match="nothing is overwritten"):
        app(filed, "2026-12-01T09:00").restore(str(tmp_path / "one.backup"))
    with pytest.raises(BadInput, match="There is no database"):
        app(tmp_path / "none.db", "2026-12-01T09:00").backup(str(tmp_path / "two.backup"))
    with pytest.raises(BadInput, match="can't be read"):
        app(tmp_path / "none.db", "2026-12-01T09:00").restore(str(tmp_path / "none.backup"))
    with pytest.raises(BadInput, match="can't be written"):
        app(filed, "2026-12-01T09:00").backup(str(tmp_path / "no" / "two.backup"))
    assert not (tmp_path / "none.db").exists()


def test_files_beside_the_database_come_along(filed: Path, tmp_path: Path) -> None:
    documents = tmp_path / "documents" / "ab"
    documents.mkdir(parents=True)
    (documents / "abcd").write_bytes(b"a plan")
    write_archive(tmp_path / "one.backup", filed, {"documents": tmp_path / "documents"}, app(filed, "2026-12-01T09:00").now())
    read_archive(tmp_path / "one.backup", tmp_path / "back" / "case.db", {"documents": tmp_path / "back" / "documents"})
    assert (tmp_path / "back" / "documents" / "ab" / "abcd").read_bytes() == b"a plan"


def test_a_database_and_its_backup_are_for_their_owner_alone(filed: Path, tmp_path: Path) -> None:
    app(filed, "2026-12-01T09:00").backup(str(tmp_path / "one.backup"))
    app(tmp_path / "back.db", "2026-12-02T09:00").restore(str(tmp_path / "one.backup"))
    for path in (filed, tmp_path / "one.backup", tmp_path / "back.db"):
        assert path.stat().st_mode & 0o777 == 0o600, path
