"""A slice of the fault matrix: few trials of every row, each with its planted defect. `make faults` runs all of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.acceptance.test_coverage_page import ID, fault
from tests.conftest import ROOT
from tests.faults.matrix.__main__ import rows

PARTS = 4


@pytest.mark.parametrize("part", range(1, PARTS + 1))
def test_no_fault_breaks_a_promise_and_every_planted_defect_is_caught(part: int) -> None:
    """In processes of their own, which copy themselves for each trial: a test process has threads, and can't."""
    seed = os.environ.get("CASEFLOW_FAULTS_SEED", "1")
    command = [sys.executable, "-m", "tests.faults.matrix", "--slice", "--part", f"{part}/{PARTS}", "--seed", seed, "--at-once", "1"]

    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)

    assert made.returncode == 0, made.stdout + made.stderr[-4000:]
    assert " 0 failed" in made.stdout


def test_every_promise_is_named_with_rows_and_tests_that_there_are() -> None:
    page = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    promised = {cells[1].strip(): cells[3] for line in page.splitlines() if len(cells := line.split("|")) == 5 and re.fullmatch(r" P\d+ ", cells[1])}
    named = {row: shown for row, shown in promised.items() if ID.findall(shown) or re.findall(r"\bF\d+-", shown)}
    known = {row.name for row in rows()}

    assert list(promised) == list(named) == [f"P{number}" for number in range(1, 27)]
    assert {name for shown in promised.values() for name in re.findall(r"\bF\d+-[a-z-]+", shown)} <= known
    assert [text for shown in promised.values() for one in ID.findall(shown) if (text := fault(one))] == []
    assert {f"F{number}" for number in range(1, 21)} == {name.partition("-")[0] for name in known}
