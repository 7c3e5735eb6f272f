"""The sample docket is put in place whole: nothing that an earlier database left beside it is played into it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from caseflow.bootstrap import App


def test_a_journal_left_by_a_database_that_is_gone_does_not_spoil_the_sample_docket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "site.db"
    for name in ("site.db", "site.db.making"):
        old = sqlite3.connect(tmp_path / name)
        old.execute("PRAGMA journal_mode=WAL")
        old.execute("CREATE TABLE other (text)")
        old.executemany("INSERT INTO other VALUES (?)", [("x" * 500,)] * 200)
        old.commit()
        kept = (tmp_path / f"{name}-wal").read_bytes()
        old.close()
        (tmp_path / name).unlink()
        (tmp_path / f"{name}-wal").write_bytes(kept)
    monkeypatch.setattr("caseflow.demo.seed", lambda app, *_given, **_more: app.store.upgrade())
    app = App(str(path), maildrop=str(tmp_path / "mail"))
    app._sample_docket(lambda *_: None)
    with sqlite3.connect(path) as made:
        assert made.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        names = {row[0] for row in made.execute("SELECT name FROM sqlite_master")}
    assert "other" not in names and "letter" in names


def test_a_database_of_an_older_version_is_brought_up_and_not_replaced_by_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, replaced = tmp_path / "site.db", list[str]()
    App(str(path), maildrop=str(tmp_path / "mail")).store.upgrade()
    monkeypatch.setattr(App, "_sample_docket", lambda *_: replaced.append("sample"))
    app = App(str(path), maildrop=str(tmp_path / "mail"))
    monkeypatch.setattr(app.store, "exists", lambda: False)
    monkeypatch.setattr(app.store, "is_older", lambda: True)
    served = app.serving(lambda *_: None, "127.0.0.1", 0, True, (), False)
    served.taken.close()
    assert replaced == [], "its accounts and cases are still there"
