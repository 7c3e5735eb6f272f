"""serve and people on the command line: what is refused before anything listens, first accounts, and a site that stops in order."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from caseflow.bootstrap import App
from caseflow.cli.main import cli
from caseflow.errors import BadInput

ROOT = Path(__file__).resolve().parents[2]


def serving(app: App, **more: Any) -> Any:
    return app.serving(lambda *_: None, **{"host": "127.0.0.1", "port": 0, "demo": False, "names": (), "https": False, **more})


def test_a_database_that_is_not_live_is_served_only_as_a_sample_and_a_live_one_never_as_one(tmp_path: Path) -> None:
    plain, live = App(str(tmp_path / "plain.db")), App(str(tmp_path / "live.db"))
    plain.store.upgrade()
    live.init(live=True)
    with pytest.raises(BadInput, match="caseflow init --live"):
        serving(plain)
    with pytest.raises(BadInput, match="holds a real record; leave --demo out"):
        serving(live, demo=True)
    with pytest.raises(BadInput, match="caseflow init --live"):
        serving(App(str(tmp_path / "none.db")))
    assert not (tmp_path / "none.db").exists()


def test_an_address_that_is_taken_is_said_before_anything_is_made(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(BadInput, match="name another with --host or --port"):
            serving(App(str(tmp_path / "new.db")), demo=True, port=other.getsockname()[1])
    assert not (tmp_path / "new.db").exists()


def test_the_first_start_of_a_real_record_makes_one_account_that_manages_and_the_second_none(tmp_path: Path) -> None:
    app = App(str(tmp_path / "live.db"))
    app.init(live=True)
    first = serving(app)
    first.taken.close()
    assert [(one["name"], one["role"]) for one in first.accounts] == [("admin", "administrator")]
    again = serving(app)
    again.taken.close()
    assert again.accounts == [] and again.site.hosts[:2] == ("localhost", "127.0.0.1")


def people(tmp_path: Path, *words: str) -> Any:
    return CliRunner().invoke(cli, ["--database", str(tmp_path / "p.db"), "people", *words, "--json"])


def test_people_are_added_listed_given_a_password_and_closed(tmp_path: Path) -> None:
    made = json.loads(people(tmp_path, "add", "R.Vang", "--role", "staff", "--title", "Rae Vang").output)
    assert made["name"] == "r.vang" and len(made["password"]) == 23
    assert json.loads(people(tmp_path, "password", "r.vang").output)["password"] != made["password"]
    assert people(tmp_path, "close", "r.vang").exit_code == 0
    assert json.loads(people(tmp_path, "list").output) == [{"name": "r.vang", "title": "Rae Vang", "role": "staff", "closed": True}]
    with pytest.raises(BadInput, match="There is no role 'boss'"):
        people_raises(tmp_path, "add", "pat", "--role", "boss")
    with pytest.raises(BadInput, match="There is no account 'pat'"):
        people_raises(tmp_path, "close", "pat")


def people_raises(tmp_path: Path, *words: str) -> None:
    raised = people(tmp_path, *words).exception
    assert raised is not None
    raise raised


def test_the_site_serves_answers_its_health_and_stops_with_its_work_done(tmp_path: Path) -> None:
    app = App(str(tmp_path / "live.db"))
    app.init(live=True)
    command = [
        sys.executable,
        "-m",
        "caseflow",
        "--database",
        str(tmp_path / "live.db"),
        "--maildrop",
        str(tmp_path / "mail"),
        "serve",
        "--port",
        "0",
        "--json",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=tmp_path) as process:
        try:
            assert process.stdout is not None and process.stderr is not None
            said = json.loads(process.stdout.readline())
            assert said["accounts"][0]["name"] == "admin" and said["address"].startswith("http://localhost:")
            with urlopen(said["address"].replace("localhost", "127.0.0.1") + "/sign-in", timeout=20) as answer:
                assert answer.status == 200 and "server" not in {name.lower() for name in answer.headers}
            with pytest.raises(HTTPError) as foreign:
                urlopen(Request(said["address"].replace("localhost", "127.0.0.1") + "/health", headers={"Host": "evil.example"}), timeout=20)
            assert foreign.value.code == 400
            foreign.value.close()
        finally:
            process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
        assert process.returncode == 0, process.stderr.read()
        assert "Traceback" not in process.stderr.read()


def test_for_some_seconds_it_ends_by_itself_and_says_whether_it_was_well(tmp_path: Path) -> None:
    app = App(str(tmp_path / "live.db"), maildrop=str(tmp_path / "mail"))
    app.init(live=True)
    assert app.serve(serving(app), lambda: None, scheduler=False, proxy=None, seconds=0.3) is True
    ready = serving(app)
    ready.site.hosts = ("elsewhere",)
    assert app.serve(ready, lambda: None, scheduler=False, proxy=None, seconds=0.3) is False
