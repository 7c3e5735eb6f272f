"""The units for systemd that the documentation offers: their commands exist with those options, and what they start is confined."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import click
import pytest

from caseflow.cli.main import cli
from tests.conftest import ROOT

UNITS = sorted((ROOT / "docs" / "systemd").iterdir())
SERVICES = [path for path in UNITS if path.suffix == ".service"]
PROGRAM = "/opt/caseflow/.venv/bin/caseflow"
CONFINED = {"User": "caseflow", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "CapabilityBoundingSet": "", "UMask": "0077"}


def read(path: Path) -> RawConfigParser:
    made = RawConfigParser(strict=True)
    made.optionxform = str  # type: ignore[assignment,method-assign]
    made.read_string(path.read_text(encoding="utf-8"))
    return made


def words(path: Path) -> list[str]:
    """What the program is started with."""
    line = read(path)["Service"]["ExecStart"]
    given = shlex.split(line)
    if given[0] == "/bin/sh":
        given = shlex.split(given[2].removeprefix("exec "))
    assert given[0] == PROGRAM
    return [word.replace("%i", "8001") for word in given[1:]]


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_the_units_start_commands_that_exist(path: Path) -> None:
    outer = cli.make_context("caseflow", words(path))
    name, command, rest = cli.resolve_command(outer, [*outer._protected_args, *outer.args])
    assert name in ("serve", "scheduler", "backup") and isinstance(command, click.Command)
    command.make_context(name, rest, parent=outer)


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_the_services_are_confined(path: Path) -> None:
    service = read(path)["Service"]
    assert {name: service[name] for name in CONFINED} == CONFINED
    assert service["StateDirectoryMode"] == "0700"
    assert not re.search(r"(?i)(password|token|secret)=", path.read_text(encoding="utf-8").split("[Unit]")[1]), "secrets are in a file of their own"


def test_systemd_finds_no_fault_in_them_where_it_is_there(tmp_path: Path) -> None:
    for path in UNITS:
        name = path.name.replace("@.", "@1.")
        (tmp_path / name).write_text(path.read_text(encoding="utf-8").replace(PROGRAM, "/bin/true"), encoding="utf-8")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["caseflow-backup.service", "caseflow-backup.timer", "caseflow-scheduler@1.service", "caseflow-serve@1.service"]
    program = shutil.which("systemd-analyze")
    if program is not None:
        said = subprocess.run([program, "verify", *(str(tmp_path / name) for name in names)], capture_output=True, text=True, check=False)
        assert (said.returncode, said.stdout + said.stderr) == (0, "")
