"""A slice of the fault matrix: few trials of every row, each with its planted defect. `make faults` runs all of it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT

PARTS = 4


@pytest.mark.parametrize("part", range(1, PARTS + 1))
def test_no_fault_breaks_a_promise_and_every_planted_defect_is_caught(part: int) -> None:
    """In processes of their own, which copy themselves for each trial: a test process has threads, and can't."""
    seed = os.environ.get("CASEFLOW_FAULTS_SEED", "1")
    command = [sys.executable, "-m", "tests.faults.matrix", "--slice", "--part", f"{part}/{PARTS}", "--seed", seed]

    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)

    assert made.returncode == 0, made.stdout + made.stderr[-4000:]
    assert " 0 failed" in made.stdout
