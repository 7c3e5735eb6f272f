"""Bad input gets one clear sentence and the right exit code; nothing is half done and no traceback is seen."""

from __future__ import annotations

import json
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import PACK, ROOT

CASE = "WD-2026-00001-1"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """The command, in a folder and on a database of its own."""

    def command(*words: str, at: str | None = "2026-12-03", **more: object) -> subprocess.CompletedProcess[str]:
        moment = ["--at", at] if at else []
        line = [sys.executable, "-m", "caseflow", "--database", "case.db", *moment, *words]
        return subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=60, **more)  # type: ignore[call-overload,no-any-return]

    return command


@pytest.fixture
def filed(run: Run) -> Run:
    """A confirmation that was filed on November 30."""
    made = run("file", str(PACK / "samples/navigability-confirmation/complete.yaml"), at="2026-11-30")
    assert made.returncode == 0, made.stderr
    return run


def facts(tmp_path: Path, text: str) -> str:
    path = tmp_path / "facts.yaml"
    path.write_text(text)
    return str(path)


def version(run: Run) -> int:
    return int(json.loads(run("case", "show", CASE, "--json").stdout)["version"])


def refused(made: subprocess.CompletedProcess[str], *words: str, code: int = 2) -> None:
    assert made.returncode == code, (made.returncode, made.stderr)
    assert "Traceback" not in made.stderr
    assert made.stderr.strip().count("\n") <= 12
    said = " ".join(f"{made.stdout} {made.stderr}".split())
    for word in words:
        assert word in said, said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{itmes: [NAV-e]}", ("itmes", "did you mean 'items'")),
        ("{items: [NAV-z]}", ("NAV-z", "did you mean")),
        ("{items: [NAV-e], request_received_on: tomorrow}", ("request_received_on", "2027-01-15")),
        ("{items: [NAV-e], request_received_on: 2027-02-30}", ("request_received_on", "2027-02-30")),
        ("{items: [NAV-e], basis: [1, 2]}", ("basis",)),
        ("{}", ("items", "not stated")),
        ("{items: [NAV-e], elsewhere: {paid: 900}}", ("elsewhere",)),
    ],
)
def test_a_fact_that_does_not_fit_is_named(filed: Run, tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    before = version(filed)

    refused(filed("act", CASE, "request-information", "--facts", facts(tmp_path, text)), *words)

    assert version(filed) == before


def test_a_fact_of_ten_megabytes_is_refused(filed: Run, tmp_path: Path) -> None:
    refused(filed("act", CASE, "add-note", "--facts", facts(tmp_path, "note: " + "x" * 10_000_000)), "KiB")
    refused(filed("act", CASE, "add-note", "--facts", facts(tmp_path, "note: " + "x" * 500_000)), "500,000 characters")


def test_broken_yaml_names_line_and_column(filed: Run, tmp_path: Path) -> None:
    refused(filed("act", CASE, "add-note", "--facts", facts(tmp_path, "note: [a\nb: c")), "facts.yaml:2")
    refused(filed("act", CASE, "add-note", "--facts", facts(tmp_path, "note: a\nnote: b")), "a second time")
    refused(filed("file", str(tmp_path / "missing.yaml")), "can't be read")


def test_a_wrong_state_and_a_second_request_are_refused_with_their_law(filed: Run, tmp_path: Path) -> None:
    ask = facts(tmp_path, "{items: [NAV-e]}")
    assert filed("act", CASE, "request-information", "--facts", ask).returncode == 0

    made = filed("act", CASE, "request-information", "--facts", ask, "--json")

    refused(made, "not possible while", "more than once")
    codes = {reason["code"] for reason in json.loads(made.stdout)["because"]}
    assert codes == {"wrong-state", "limit-reached"}


@pytest.mark.parametrize(
    ("on", "words"),
    [("2026-11-29", "before the request was received"), ("2027-01-01", "after today"), ("2026-02-30", "2027-01-15"), ("soon", "2027-01-15")],
)
def test_an_effective_date_that_can_not_be_is_refused(filed: Run, tmp_path: Path, on: str, words: str) -> None:
    refused(filed("act", CASE, "add-note", "--on", on, "--facts", facts(tmp_path, "note: x")), words)

    assert version(filed) == 1


@pytest.mark.parametrize(
    ("because", "words"), [(" ", "Say why you leave the entry out"), ("x" * 2001, "2,001 characters; at most 2,000"), ("a\x07b", "control character")]
)
def test_a_reason_is_stated_plain_and_of_a_length_that_is_read(filed: Run, tmp_path: Path, because: str, words: str) -> None:
    noted = filed("act", CASE, "add-note", "--facts", facts(tmp_path, "{note: Called the county}"), "--as", "wren:staff")
    assert noted.returncode == 0, noted.stderr
    before = version(filed)
    refused(filed("void", CASE, "2", "--because", because, "--as", "odell:supervisor"), words)
    assert version(filed) == before


def test_an_unknown_action_case_role_or_moment_is_refused(filed: Run) -> None:
    refused(filed("act", CASE, "request-informatoin"), "did you mean 'request-information'")
    refused(filed("act", "WD-2026-99999-1", "add-note"), "no case")
    refused(filed("act", CASE, "assign", "--as", "ann:emperor"), "emperor")
    refused(filed("case", "show", CASE, at="2026-13-01"), "--at")


def test_a_stale_form_is_refused_and_a_repeated_command_is_harmless(filed: Run, tmp_path: Path) -> None:
    ask = facts(tmp_path, "{items: [NAV-e]}")
    assert filed("act", CASE, "request-information", "--facts", ask, "--command-id", "c1").returncode == 0

    again = filed("act", CASE, "request-information", "--facts", ask, "--command-id", "c1", "--json")
    stale = filed("act", CASE, "take-over", "--seen-version", "1")

    assert json.loads(again.stdout)["version"] == 2
    refused(stale, "changed since version 1")


def test_a_real_record_takes_no_given_moment(run: Run) -> None:
    assert run("init", "--live", at=None).returncode == 0

    refused(run("file", str(PACK / "samples/navigability-confirmation/complete.yaml")), "real record")
    refused(run("sweep", "--until", "2999-01-01", at=None), "real record")
    assert run("docket", "--json").stdout.strip() == "[]"


def test_a_database_beneath_a_regular_file_is_a_store_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    line = [sys.executable, "-m", "caseflow", "--database", "file/case.db", "init"]

    refused(subprocess.run(line, cwd=tmp_path, capture_output=True, text=True), "can't be opened", code=3)


def test_a_file_that_is_no_database_is_a_store_fault(run: Run, tmp_path: Path) -> None:
    (tmp_path / "case.db").write_text("this is a letter to my aunt " * 100)

    refused(run("docket"), "database", code=3)


def test_a_locked_database_is_a_store_fault_and_changes_nothing(filed: Run, tmp_path: Path) -> None:
    lock = sqlite3.connect(tmp_path / "case.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    try:
        made = filed("act", CASE, "add-note", "--facts", facts(tmp_path, "note: x"))
    finally:
        lock.execute("ROLLBACK")
        lock.close()

    refused(made, "locked", code=3)
    assert version(filed) == 1


def test_a_full_disk_is_a_store_fault_and_changes_nothing(filed: Run, tmp_path: Path) -> None:
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    made = filed("act", CASE, "add-note", "--facts", facts(tmp_path, "note: x"), preexec_fn=full)

    refused(made, code=3)
    assert version(filed) == 1
    assert filed("verify").returncode == 0


def test_a_mail_drop_that_can_not_be_written_keeps_the_letter_in_the_outbox(filed: Run, tmp_path: Path) -> None:
    (tmp_path / "maildrop").write_text("a file where the folder should be")

    made = filed("dispatch", "--now", "--json")

    assert json.loads(made.stdout) == {"sent": 0, "failed": 1, "copies": 0, "waiting": 2, "unknown": 0, "refused": 0, "resting": None}
    assert json.loads(filed("letters", "list", "--json").stdout)[0]["status"] == "owed"


def test_a_missing_template_is_a_fault_of_the_pack_with_its_line(run: Run, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "workflows", tmp_path / "workflows")
    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    (tmp_path / "templates/letters/wisconsin-dnr/refund.md").unlink()

    made = run("pack", "check", "workflows/wisconsin-dnr", "--no-scenarios")

    refused(made, "letters.yaml:", "refund", "has no template", code=1)


def test_every_fault_of_a_pack_is_told_at_once(run: Run, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "workflows", tmp_path / "workflows")
    path = tmp_path / "workflows/wisconsin-dnr/navigability-confirmation.yaml"
    text = path.read_text()
    path.write_text(text.replace("needs: [exact-location,", "needs: [exact-locaton,").replace("takes: [exact_location", "takes: [exact_locatoin"))

    made = run("pack", "check", "workflows/wisconsin-dnr", "--no-scenarios", "--json")

    faults = json.loads(made.stdout)["faults"]
    assert made.returncode == 1
    assert any("did you mean 'exact-location'" in fault["text"] for fault in faults)
    lines = path.read_text().splitlines()
    assert all("exact" in lines[fault["line"] - 1] for fault in faults if "exact" in fault["text"])


def test_a_database_of_an_older_version_is_not_taken_for_a_missing_one(filed: Run, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "case.db") as other:
        other.execute("UPDATE alembic_version SET version_num = '0001'")
    other.close()
    answer = filed("case", "show", CASE)

    assert answer.returncode == 2
    assert "set up by another version" in answer.stderr and "'caseflow init' brings it up to date" in " ".join(answer.stderr.split())
