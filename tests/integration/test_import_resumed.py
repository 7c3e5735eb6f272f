"""An import that was killed goes on where it was; the command line says what came in, and what is wrong, with its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from caseflow.bootstrap import App
from tests.conftest import ROOT
from tests.unit.dockets import PACKS, Office, act, file_of, older

KILLED = """
import os
from caseflow.bootstrap import App
from caseflow.services import importing
importing.BATCH = 2
def tell(done, total, what):
    if what == "lines written" and done >= 4:
        os._exit(9)
App(database="case.db", packs=PACKS, at="2027-01-12T10:00").take_in("older.jsonl", "mo:staff", False, tell)
"""


def caseflow(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "caseflow", "--database", "case.db", "--packs", PACKS, *words]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "160"}, capture_output=True, text=True, timeout=60, check=False
    )


def numbers(folder: Path) -> list[Any]:
    app = App(database=str(folder / "case.db"), packs=PACKS)
    return [app.show(number)["aliases"] for number in app.store.numbers()]


def test_a_killed_import_goes_on_where_it_was_and_no_case_is_there_twice(tmp_path: Path) -> None:
    file_of(tmp_path / "older.jsonl", *(older(f"A-{n}", act("2027-01-06", "ask", reason="r")) for n in range(7)))
    App(database=str(tmp_path / "case.db"), packs=PACKS).init(False)

    dead = subprocess.run(
        [sys.executable, "-c", KILLED.replace("PACKS", repr(PACKS))], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=60, check=False
    )
    assert dead.returncode == 9 and len(numbers(tmp_path)) == 4

    made = caseflow(tmp_path, "--at", "2027-01-12", "import", "older.jsonl")

    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout == "3 cases came in with 12 entries and 3 letters; 4 cases are here already.\n"
    assert numbers(tmp_path) == [[f"A-{n}"] for n in range(7)]


def test_the_command_line_tells_faults_by_line_and_writes_nothing(tmp_path: Path) -> None:
    file_of(tmp_path / "older.jsonl", older("A-1"), older("A-2", act("2027-01-06", "hear")), b"\xff")

    made = caseflow(tmp_path, "--at", "2027-01-12", "import", "older.jsonl")
    as_json = caseflow(tmp_path, "--at", "2027-01-12", "import", "older.jsonl", "--json")

    assert (made.returncode, made.stderr, as_json.returncode) == (1, "", 1)
    assert made.stdout.splitlines()[0] == "Nothing was imported: 2 faults in 3 lines."
    assert [(one["line"], one["case"]) for one in json.loads(as_json.stdout)["faults"]] == [(2, "A-2"), (3, "")]
    assert numbers(tmp_path) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("export", "--docket", "d.jsonl", "A-1"), "leave CASE, DIR and --withhold out"),
        (("export", "A-1", "record", "--open"), "name its file with --docket"),
        (("export",), "Name a case and a new folder"),
        (("import", "none.jsonl"), "can't be read"),
    ],
)
def test_a_command_that_names_too_much_or_too_little_says_what_to_write(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    made = caseflow(tmp_path, *words)
    assert made.returncode == 2 and said in made.stderr and "Traceback" not in made.stderr


def test_a_docket_goes_from_one_kind_of_database_to_the_other_and_back_unchanged(tmp_path: Path, postgres_url: str) -> None:
    there = Office()
    there.take_in(file_of(tmp_path / "older.jsonl", older("A-1", act("2027-01-06", "decide", answer="yes"))))
    case = there.file("2027-01-13", "B")
    there.on("2027-01-13").dispatch(True)
    there.act("2027-01-14", case, "ask", reason="the ward")
    written = there.docket(tmp_path / "docket.jsonl", "2027-01-15")
    server = App(database=postgres_url, packs=PACKS, at="2027-01-15T10:00")

    made = server.take_in(str(tmp_path / "docket.jsonl"), "mo:staff", False)
    server.export_docket(str(tmp_path / "again.jsonl"), {})
    server.store.engine.dispose()

    assert (made["cases"], made["faults"]) == (2, [])
    assert (tmp_path / "again.jsonl").read_bytes() == written
