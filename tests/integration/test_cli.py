"""The command line's frame: what loads when, where settings come from, and how a command ends."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from caseflow.bootstrap import App
from caseflow.cli.context import settings
from caseflow.cli.door import leave
from caseflow.cli.main import COMMANDS, MADE_BY_A_SHORT_ONE, _looked_through, cli
from caseflow.errors import BadInput, PackFaults, StoreFault
from tests.conftest import ROOT
from tests.unit.dockets import PACKS, request

HEAVY = ("sqlalchemy", "sqlmodel", "pydantic", "jinja2", "rich", "transitions", "apscheduler", "yaml", "alembic")


def command(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    line = [sys.executable, "-m", "caseflow", *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    return subprocess.run(line, cwd=folder, env=env, capture_output=True, text=True, timeout=60)


# --- loading ------------------------------------------------------------------------------------------------------


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; import caseflow.cli.main; print(*sorted(name for name in sys.modules if '.' not in name))"

    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert "click" in made.stdout.split()
    assert not set(made.stdout.split()) & set(HEAVY)


def test_an_act_without_a_letter_loads_no_template_language_no_scheduler_and_no_other_database(tmp_path: Path) -> None:
    app = App(str(tmp_path / "one.db"), packs=PACKS, at="2027-01-04T10:00")
    case = app.file(request("A"))["cases"][0]["case"]
    app.leave()
    words = ["--database", str(tmp_path / "one.db"), "--packs", PACKS, "--at", "2027-01-05T10:00", "act", case, "ask", "--facts", "-"]
    code = f"import sys; from caseflow.cli.main import cli; cli.main({words!r}, standalone_mode=False); print(*sys.modules)"

    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, input="reason: Which oak is it?\n", capture_output=True, text=True, check=True)

    loaded = set(made.stdout.splitlines()[-1].split())
    assert {"sqlmodel", "caseflow.adapters.store.tables.record"} <= loaded
    assert not loaded & {"jinja2", "apscheduler", "alembic", "sqlalchemy.dialects.postgresql"}
    assert not loaded & {f"caseflow.adapters.store.tables.{one}" for one in ("people", "programs", "keeping", "running")}
    assert not loaded & {f"caseflow.services.ports.{one}" for one in ("people", "programs", "feeds", "visits", "views", "search", "disposals")}


def test_a_command_that_prints_json_loads_no_pictures(tmp_path: Path) -> None:
    app = App(str(tmp_path / "one.db"), packs=PACKS, at="2027-01-04T10:00")
    case = app.file(request("A"))["cases"][0]["case"]
    app.leave()
    words = ["--database", str(tmp_path / "one.db"), "--packs", PACKS, "case", "show", case, "--json"]
    code = f"import sys; from caseflow.cli.main import cli; cli.main({words!r}, standalone_mode=False); print(*sys.modules)"

    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert not {"rich", "rich.console"} & set(made.stdout.splitlines()[-1].split())


def test_a_short_command_makes_no_validators_and_ends_before_anything_is_looked_through(tmp_path: Path) -> None:
    app = App(str(tmp_path / "one.db"), packs=PACKS, at="2027-01-04T10:00")
    case = app.file(request("A"))["cases"][0]["case"]
    app.leave()
    words = ["caseflow", "--database", str(tmp_path / "one.db"), "--packs", PACKS, "--at", "2027-01-05T10:00", "act", case, "ask", "--facts", "-"]
    code = f"""
import contextlib, gc, sys
from caseflow.cli.main import run
looks = []
gc.collect()
gc.callbacks.append(lambda *_: looks.append(1))
sys.argv = {words!r}
with contextlib.suppress(SystemExit):
    run()
from caseflow.adapters.store.tables import record
from caseflow.domain import pack
made = [one.__name__ for one in (pack.Workflow, pack.Claim, pack.Branch, pack.Fact, record.CaseFile) if one.__pydantic_complete__]
print(len(looks), made)
"""

    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, input="reason: Which oak is it?\n", capture_output=True, text=True, check=True)

    assert made.stdout.splitlines()[-1] == "0 []"


def test_long_work_is_looked_through_as_usual_after_the_first_look() -> None:
    was = gc.get_threshold()
    gc.callbacks.append(_looked_through)
    try:
        gc.set_threshold(MADE_BY_A_SHORT_ONE)
        gc.collect()

        assert gc.get_threshold() == (20_000, 20, 20)
        assert _looked_through not in gc.callbacks
    finally:
        gc.set_threshold(*was)


def leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from leaves(found, (*path, name))
        else:
            yield (*path, name)


@pytest.mark.parametrize("path", list(leaves(cli)), ids=" ".join)
def test_every_command_says_what_it_does_and_offers_json_where_it_prints(path: tuple[str, ...]) -> None:
    made = CliRunner().invoke(cli, [*path, "--help"])

    assert made.exit_code == 0
    assert made.output.split("\n\n")[1].strip()
    if path not in {("scheduler",), ("pack", "schema"), ("workflow", "draw"), ("clock", "compute"), ("forms", "show")}:
        assert "--json" in made.output


def test_the_help_page_lists_every_command_once() -> None:
    made = CliRunner().invoke(cli, ["--help"])

    for name in (name for section in COMMANDS.values() for name in section):
        assert made.output.count(f"\n  {name} ") == 1


def test_a_workflow_is_shown_whole_with_the_file_and_line_of_each_part() -> None:
    made = CliRunner().invoke(cli, ["pack", "show", "ohwm-confirmation", "--merged"])
    lines = made.output.splitlines()

    assert made.exit_code == 0
    assert any(line.startswith("title: Ordinary high water mark confirmation ") and "# ohwm-confirmation.yaml:4" in line for line in lines)
    assert any("# determination-service.yaml:" in line for line in lines)
    assert '"merged": "workflow: ohwm-confirmation' in CliRunner().invoke(cli, ["pack", "show", "ohwm-confirmation", "--merged", "--json"]).output


# --- settings -----------------------------------------------------------------------------------------------------


def test_what_is_given_goes_before_what_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("caseflow.toml").write_text('database = "written.db"\nat = "2026-12-01"\n')

    chosen = settings({"database": "given.db", "packs": None, "at": None})

    assert chosen == {"database": "given.db", "at": "2026-12-01"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("datbase = 'x'", "sets 'datbase', which is no setting; write one of database, at"),
        ("at = 2026-12-01", "sets 'at' to something that is not text"),
        ("at = ", "can't be read"),
    ],
)
def test_a_fault_of_caseflow_toml_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, says: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("caseflow.toml").write_text(text)

    with pytest.raises(BadInput, match=says):
        settings({"database": None, "at": None})


def test_a_variable_chooses_the_database_and_the_command_leaves_nothing_beside_it(tmp_path: Path) -> None:
    made = command(tmp_path, "init", "--json", CASEFLOW_DATABASE="mine.db")

    assert made.returncode == 0
    assert (tmp_path / "mine.db").exists()
    assert not (tmp_path / "caseflow.db").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.db"], "it is given back whole: nothing of it lies beside it"


# --- endings ------------------------------------------------------------------------------------------------------


def ending(fault: BaseException, as_json: bool = False) -> int:
    def fails() -> None:
        raise fault

    return leave(fails, as_json)


@pytest.mark.parametrize(
    ("fault", "code", "error"),
    [
        (BadInput("No such day."), 2, "bad-input"),
        (PackFaults([]), 2, "pack-faults"),
        (StoreFault("The disk is full."), 3, "store-failed"),
        (click.UsageError("No such option."), 2, "bad-input"),
        (RuntimeError("oh"), 3, "internal"),
    ],
)
def test_each_error_has_its_exit_code_and_its_json(fault: Exception, code: int, error: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ending(fault, as_json=True) == code

    shown = capsys.readouterr()
    assert json.loads(shown.out)["error"] == error
    assert shown.err.startswith("caseflow: ")
    assert "Traceback" not in shown.err


def test_without_json_an_error_leaves_standard_output_alone(capsys: pytest.CaptureFixture[str]) -> None:
    ending(BadInput("No such day."))

    assert capsys.readouterr() == ("", "caseflow: No such day.\n")


def test_a_check_that_found_faults_keeps_its_exit_code() -> None:
    assert ending(SystemExit(1)) == 1


def test_an_interrupt_ends_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert ending(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == "caseflow: stopped; what was finished before stays.\n"


def test_a_traceback_is_printed_only_when_asked_for(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASEFLOW_DEBUG", "1")

    ending(RuntimeError("oh"))

    assert "Traceback" in capsys.readouterr().err


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    code = "import sys; from caseflow.cli.door import leave; sys.exit(leave(lambda: print('x' * 10**7), False))"
    line = f'{sys.executable} -c "{code}" | head -c 1; echo " ${{PIPESTATUS[0]}}"'

    made = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, timeout=60)

    assert made.stdout == "x 0\n"
    assert made.stderr == ""


def test_a_full_output_is_told_and_ends_with_3(tmp_path: Path) -> None:
    line = f"{sys.executable} -m caseflow --help > /dev/full; echo $?"

    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    made = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60)

    assert made.stdout == "3\n"
    assert "the output can't be read or written" in made.stderr


def test_without_a_command_the_help_is_shown_and_the_code_is_2(tmp_path: Path) -> None:
    made = command(tmp_path)

    assert made.returncode == 2
    assert "Cases:" in made.stderr


@pytest.mark.parametrize("kind", ["pack", "calendar", "facts", "letters", "fees", "workflow", "ruleset"])
def test_each_kind_of_pack_file_has_a_schema(kind: str) -> None:
    made = CliRunner().invoke(cli, ["pack", "schema", kind])

    assert made.exit_code == 0
    assert json.loads(made.output)["type"] == "object"


# --- a letter before anything is done -----------------------------------------------------------------------------


def test_a_preview_shows_the_letter_of_an_act_with_the_data_of_a_case_or_names_all_that_is_missing(tmp_path: Path) -> None:
    base = ["--database", f"sqlite:///{tmp_path / 'case.db'}", "--at", "2026-11-30T09:00"]
    sample = ROOT / "workflows/wisconsin-dnr/samples/navigability-confirmation/complete.yaml"
    runner = CliRunner()
    assert runner.invoke(cli, [*base, "init"]).exit_code == 0
    case = json.loads(runner.invoke(cli, [*base, "file", str(sample), "--json"]).stdout)["cases"][0]["case"]
    ask = [*base, "letters", "preview", case, "navigability-confirmation", "--if", "concur"]

    refused = runner.invoke(cli, ask)
    facts = tmp_path / "facts.yaml"
    facts.write_text("exact_location: From the road bridge\ninformation_summary: Survey of 2026\n")
    shown = runner.invoke(cli, [*ask, "--facts", str(facts)])

    assert refused.exit_code == 1
    assert "exact_location and information_summary, which are not stated" in str(refused.exception)
    assert shown.exit_code == 0
    assert "Exact location: From the road bridge." in shown.stdout
    assert json.loads(runner.invoke(cli, [*base, "case", "show", case, "--json"]).stdout)["version"] == 1
