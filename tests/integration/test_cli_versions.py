"""`pack diff` and `pack versions`: two versions by folder, by content hash or by label, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from caseflow.cli.main import cli
from caseflow.errors import BadInput, NotFound
from tests.unit.pack_texts import FLOW, sound, spoiled
from tests.unit.small_office import Desk, written

LATER = {
    **spoiled(FLOW, "length: {business-days: 10}", "length: {business-days: 7}"),
    "pack.yaml": sound()["pack.yaml"].replace('version: "1"', 'version: "2"'),
}


def run(desk: Desk, *words: str) -> Any:
    """A command's answer as JSON."""
    options = ["--database", f"sqlite:///{desk.folder / 'case.db'}", "--packs", str(desk.packs), "--at", "2026-03-02T10:00"]
    made = CliRunner().invoke(cli, [*options, *words, "--json"], catch_exceptions=False)
    assert made.exit_code == 0
    return json.loads(made.stdout)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A docket of one case, whose pack has since got a later version; the files of the first are gone."""
    made = Desk(tmp_path_factory.mktemp("desk"), sound())
    made.file("2026-03-02")
    shutil.rmtree(made.packs)
    written(made.folder, LATER)
    return made


def test_the_versions_that_are_kept_and_loaded_are_listed_with_their_open_cases(desk: Desk) -> None:
    found = run(desk, "pack", "versions")["versions"]

    assert [(one["label"], one["open"], one["cases"], one["kept"], one["loaded"]) for one in found] == [("2", 0, 0, False, True), ("1", 1, 1, True, False)]


def test_versions_are_compared_by_hash_label_or_folder_also_when_the_files_of_one_are_gone(desk: Desk) -> None:
    old = run(desk, "pack", "versions")["versions"][1]["version"]
    by_hash = run(desk, "pack", "diff", old[:8], str(desk.packs / "oakville"))
    by_label = run(desk, "pack", "diff", "1", "2")

    assert by_hash == by_label and by_hash["from"]["version"] == old
    [whole, flow] = sorted(by_hash["groups"], key=lambda group: group["workflows"])
    assert [one["text"] for one in whole["changes"]] == ["The label of the pack “Oakville tree office” is “2” instead of “1”."]
    [change] = flow["changes"]
    text = "The length of the clock “Time to answer” is 7 business days instead of 10 business days."
    assert (change["text"], change["cite"], change["weight"]) == (text, "Oakville by-law 9", "dates")


def test_the_picture_says_it_in_words_under_the_title_of_the_workflow(desk: Desk) -> None:
    options = ["--database", f"sqlite:///{desk.folder / 'case.db'}", "--packs", str(desk.packs), "--at", "2026-03-02T10:00"]
    shown = CliRunner().invoke(cli, [*options, "pack", "diff", "1", "2"], catch_exceptions=False).stdout

    shown = " ".join(shown.split())
    assert "Permit to fell a tree dates: -" in shown and "10 business days. (Oakville by-law 9)" in shown


def test_what_is_no_version_is_refused_with_those_that_there_are(desk: Desk, tmp_path: Path) -> None:
    app = desk.app("2026-03-02")
    with pytest.raises(NotFound, match=r"There is no folder and no version 'abcd'.*oakville 1.*oakville 2|oakville 2.*oakville 1"):
        app.pack_diff("abcd", "1")
    with pytest.raises(BadInput, match="holds no pack.yaml"):
        app.pack_diff(str(tmp_path), "1")
    other = written(tmp_path / "other", {**sound(), "pack.yaml": sound()["pack.yaml"].replace("pack: oakville", "pack: elmville")})
    with pytest.raises(BadInput, match="'oakville'.*'elmville'"):
        app.pack_diff("1", str(other / "oakville"))


def test_a_copy_of_a_pack_in_a_folder_of_another_name_has_the_letters_of_the_pack(desk: Desk) -> None:
    copy = desk.packs / "draft"
    shutil.copytree(desk.packs / "oakville", copy)
    try:
        assert desk.app("2026-03-02").pack_diff(str(desk.packs / "oakville"), str(copy))["changes"] == 0
    finally:
        shutil.rmtree(copy)
