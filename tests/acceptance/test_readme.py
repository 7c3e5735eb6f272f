"""What the README and the pages of docs/ show is what the program prints: each tour is run, command by command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

SHELL = f'set -o pipefail; caseflow() {{ "{sys.executable}" -m caseflow "$@"; }}; '


PAGES = {
    "README.md": 8,
    "docs/the-record.md": 6,
    "docs/import-and-rehearse.md": 12,
    "docs/verify.md": 18,
    "docs/retention.md": 12,
    "docs/versions-of-the-rules.md": 15,
    "docs/how-a-date-is-computed.md": 5,
    "docs/calendars-that-change.md": 14,
    "docs/proof.md": 6,
    "docs/backup-and-restore.md": 12,
}
"""Pages with a tour, and the least number of its commands."""


def tour(page: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of the console blocks of a page with the lines shown under it."""
    command, shown, inside = "", [], False
    for line in (ROOT / page).read_text().splitlines():
        if line.startswith("```"):
            if command:
                yield command, shown
            command, shown, inside = "", [], line == "```console"
        elif inside and line.startswith("$ "):
            if command:
                yield command, shown
            command, shown = line[2:], []
        elif inside:
            shown.append(line.rstrip())


def agrees(shown: list[str], printed: list[str]) -> bool:
    """Whether the lines shown are those printed; a line `...` stands for any number of lines."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(agrees(shown[1:], printed[at:]) for at in range(len(printed) + 1))
    return bool(printed) and printed[0] == shown[0] and agrees(shown[1:], printed[1:])


@pytest.mark.parametrize("page", PAGES)
def test_the_tour_prints_what_it_shows(page: str, tmp_path: Path) -> None:
    (tmp_path / "workflows").symlink_to(ROOT / "workflows")
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    steps = list(tour(page))

    for command, shown in steps:
        made = subprocess.run(["bash", "-c", SHELL + command], cwd=tmp_path, env=settings, capture_output=True, text=True, timeout=60)
        printed = [line.rstrip() for line in (made.stdout + made.stderr).splitlines()]
        assert agrees(shown, printed), f"$ {command}\n{made.stdout}{made.stderr}"

    assert len(steps) >= PAGES[page]


def test_lines_that_are_not_shown_may_be_left_out_only_where_it_says_so() -> None:
    assert agrees(["a", "...", "c"], ["a", "b", "c"])
    assert agrees(["a", "..."], ["a"])
    assert not agrees(["a", "c"], ["a", "b", "c"])
    assert not agrees(["a"], ["a", "b"])
    assert not agrees(["a", "..."], ["b"])
