"""docs/coverage.md says which test shows which promise: each test it names is there, is run, and stands beside a promise."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "coverage.md"
ID = re.compile(r"`(tests/[^`]+)`")
LEFT_OUT = {"skip", "skipif", "skipIf", "skipUnless", "xfail", "importorskip", "SkipTest"}
CONDITIONAL = "skipif(True, reason='x')"
SECTIONS = 15
OF_THE_RECORD = (
    "Why, everywhere",
    "Calendars that change",
    "Pack versions",
    "Proof of the claims of a pack",
    "Rehearsal of a rule change",
    "Export and verification on the site",
    "Verifying and checkpoints",
    "Import, and the docket as a file",
    "Backup and restore",
    "Retention",
    "Quality of the record",
)
"""What a record that stands up promises: none of these parts may go."""


def rows(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each promise of the page with the tests that stand beside it."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if len(cells) == 2 and cells != ["Promise", "Shown by"] and set(cells[0]) - {"-", " "}:
            yield cells[0], ID.findall(cells[1])


@cache
def found_in(file: Path) -> dict[str, bool]:
    """The tests of a file by name, each with whether it is run: neither it, its class nor its module is marked as left out."""
    module = ast.parse(file.read_text(encoding="utf-8"))
    marks = {name.id: left_out(one) for one in module.body if isinstance(one, ast.Assign) for name in one.targets if isinstance(name, ast.Name)}
    bare = any(left_out(one) for one in module.body if isinstance(one, ast.Expr | ast.If | ast.Try))
    whole = not bare and not marks.get("pytestmark", False)
    return {
        one.name: whole and not left_out(one) and not any(isinstance(mark, ast.Name) and marks.get(mark.id, False) for mark in one.decorator_list)
        for one in module.body
        if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")
    }


def left_out(tree: ast.AST) -> bool:
    """Whether something in it leaves tests out: a mark, or a word said while they run."""
    return any(getattr(one, "attr", getattr(one, "id", "")) in LEFT_OUT for one in ast.walk(tree) if isinstance(one, ast.Attribute | ast.Name))


def fault(test: str) -> str | None:
    """What is wrong with an id."""
    path, _, name = test.partition("::")
    file = ROOT / path
    if not file.is_file():
        return f"there is no file {path}"
    if name not in found_in(file):
        return f"{path} has no test {name}"
    return None if found_in(file)[name] else f"{test} is left out of the run"


def test_each_promise_has_a_test_that_is_there_and_is_run() -> None:
    found = list(rows(PAGE.read_text(encoding="utf-8")))
    assert len(found) > 90
    assert [promise for promise, tests in found if not tests] == []
    assert [said for _, tests in found for test in tests if (said := fault(test))] == []


def test_no_promise_is_made_twice_and_every_part_of_the_page_has_some() -> None:
    text = PAGE.read_text(encoding="utf-8")
    promises = [promise for promise, _ in rows(text)]
    assert len(promises) == len(set(promises))
    parts = text.split("\n## ")[1:]
    assert len(parts) >= SECTIONS and all(list(rows(part)) for part in parts)
    assert set(OF_THE_RECORD) <= {part.partition("\n")[0] for part in parts}


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("tests/web/test_nowhere.py::test_a", "there is no file"),
        ("tests/web/test_board.py::test_every_figure_is_right", "has no test"),
        ("tests/web/test_board.py", "has no test"),
        ("tests/web/test_board.py::figures", "has no test"),
    ],
)
def test_an_id_that_names_no_test_is_a_fault(test: str, said: str) -> None:
    assert said in (fault(test) or "")


@pytest.mark.parametrize("mark", ["skip", CONDITIONAL, "xfail(strict=True)"])
def test_a_test_that_is_left_out_shows_nothing(tmp_path: Path, mark: str) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(f"import pytest\n@pytest.mark.{mark}\ndef test_a(): ...\ndef test_b(): ...\n")
    assert found_in(file) == {"test_a": False, "test_b": True}
    file = tmp_path / "test_all.py"
    file.write_text(f"import pytest\npytestmark = [pytest.mark.{mark}]\ndef test_a(): ...\n")
    assert found_in(file) == {"test_a": False}


@pytest.mark.parametrize(
    "text",
    [
        "def test_a(): pytest.skip('later')",
        "def test_a():\n    if not here:\n        pytest.skip('later')",
        "def test_a(): pytest.importorskip('x')",
        "def test_a(): raise unittest.SkipTest",
        "from pytest import skip\ndef test_a(): skip('later')",
        f"later = pytest.mark.{CONDITIONAL}\n@later\ndef test_a(): ...",
        "pytest.importorskip('x')\ndef test_a(): ...",
        "if True:\n    pytest.skip('x', allow_module_level=True)\ndef test_a(): ...",
    ],
)
def test_a_test_that_leaves_itself_out_while_it_runs_shows_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(f"import pytest\n{text}\n")
    assert found_in(file) == {"test_a": False}


def test_every_page_of_docs_is_reached_from_the_readme() -> None:
    def links(page: Path) -> set[Path]:
        return {(page.parent / name).resolve() for name in re.findall(r"\]\(([^)#:]+\.md)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))}

    first = links(ROOT / "README.md")
    reached = first | {other for page in first for other in links(page)}
    assert {page.name for page in (ROOT / "docs").glob("*.md") if page not in reached} == set()
    assert [page for page in reached if not page.is_file()] == []


def test_a_row_without_a_test_is_seen() -> None:
    assert list(rows("| Promise | Shown by |\n| --- | --- |\n| It works. | nothing |\n| It flies. | `tests/a.py::test_a` |")) == [
        ("It works.", []),
        ("It flies.", ["tests/a.py::test_a"]),
    ]
