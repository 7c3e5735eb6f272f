"""The tests on a server that was named in CASEFLOW_TEST_POSTGRES: what they make on it they take away, and it needs no server of a wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from caseflow.adapters.store.sql import SqlStore
from tests import server as module
from tests.server import ROLES, Server


@pytest.mark.parametrize("with_wheel", [True, False])
def test_a_server_that_was_named_is_used_and_left_as_it_was(ours: Server, with_wheel: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = ours.run("SELECT datname FROM pg_database ORDER BY 1")
    monkeypatch.setattr(module, "GIVEN", ours.address("postgres"))
    if not with_wheel:
        monkeypatch.setattr(module, "find_spec", lambda _: None)
        monkeypatch.setattr(module.shutil, "which", lambda _: str(ours._bin / "psql"))

    named = Server()
    address = named.empty()
    store = SqlStore(address)
    assert list(store.numbers()) == []
    store.close()
    assert f"{ROLES[1]}:{ROLES[1]}@" in address, "each role has a password"
    assert named.empty() == address
    named.end()

    assert named.process is None and ours.run("SELECT 1") == [(1,)], "it goes on"
    assert ours.run("SELECT datname FROM pg_database ORDER BY 1") == before
