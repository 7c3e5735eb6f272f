"""A gallery to read every letter in, a letter written to a file, and a pack's pictures and page checked with the pack."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from caseflow.adapters.letters import gallery
from caseflow.adapters.letters.pdf import PdfMaker
from caseflow.adapters.letters.press import Press
from caseflow.adapters.packs.library import PackLibrary
from caseflow.adapters.packs.rendering import Sampled, rendered_faults
from caseflow.bootstrap import App
from caseflow.cli.main import cli
from caseflow.errors import BadInput, CaseflowError, Fault
from tests.conftest import PACK
from tests.letters.making import facts, picture, text
from tests.unit.pack_texts import HOME, sound

SECOND = Path(__file__).parents[1] / "packs" / "workflows" / "oakville"
At = Callable[[str], App]


def test_the_gallery_shows_each_letter_of_a_pack_once_in_each_workflow_with_its_pages(tmp_path: Path) -> None:
    seen: list[tuple[int, int | None, str]] = []
    made = App().gallery(str(tmp_path / "g"), str(SECOND), progress=lambda *told: seen.append(told))
    page = Path(made["index"]).read_text()

    assert (made["workflows"], made["letters"], made["drawn"]) == (1, 3, 3)
    assert seen == [(1, 3, "letters"), (2, 3, "letters"), (3, 3, "letters")]
    for letter in ("answer", "granted-by-silence", "receipt"):
        assert page.count(f'<article id="tree-permit.{letter}">') == 1
        assert facts((tmp_path / "g" / "letters" / f"tree-permit-{letter}.pdf").read_bytes())["part"] == "1"
    for source in re.findall(r'(?:src|href)="([^"#]+)"', page):
        assert (tmp_path / "g" / source).is_file(), source
    assert (tmp_path / "g" / "pages" / "tree-permit-answer-1.png").read_bytes().startswith(b"\x89PNG")
    assert "<script" not in page
    assert page.count("alt=") == page.count("<img ") == made["pages"]


def test_of_other_samples_the_lines_that_differ_stand_there_unless_every_one_is_drawn(press: Press, tmp_path: Path) -> None:
    pack = App(packs=str(SECOND.parent)).library.all()[0]
    first = Sampled(
        "tree-permit", "file", "receipt", "O-1-L1", "O-1", "complete", True, "2026-12-01", "Receipt O-1", "# Receipt\n\nDocket O-1.\n\nAll is <b>here</b>.\n"
    )
    same = replace(first, number="O-2-L1", case="O-2", sample="paper", markdown=first.markdown.replace("O-1", "O-2"))
    other = replace(first, sample="smallest", whole=False, markdown="# Receipt\n\nDocket O-1.\n\nPart.\n")
    maker = PdfMaker(lambda _: {}, press)
    one, every = (gallery.make(tmp_path / f"{every}", pack, [first, same, other], maker, every) for every in (False, True))
    page = Path(one["index"]).read_text()

    assert (one["texts"], one["drawn"], every["drawn"]) == (2, 1, 2)
    assert "<del>- All is &lt;b&gt;here&lt;/b&gt;.</del><ins>+ Part.</ins>" in page
    assert "<dd>complete, paper</dd>" in page
    assert "smallest with the least facts; by file" in page
    assert (tmp_path / "True" / "letters" / "tree-permit-receipt-2.pdf").is_file()


def test_a_letter_that_no_act_owes_is_shown_with_what_owes_it(press: Press, tmp_path: Path) -> None:
    pack = App(packs=str(SECOND.parent)).library.all()[0]
    owed = Sampled("tree-permit", "calendar-adopted", "receipt", "O-1-L1", "O-1", "complete", True, "2026-12-01", "Dates", "# Dates\n\nThey changed.\n")
    page = Path(gallery.make(tmp_path, pack, [owed], PdfMaker(lambda _: {}, press))["index"]).read_text()

    assert "The case was put under a changed calendar (calendar-adopted)" in page


def test_the_gallery_says_where_it_cannot_write_which_packs_there_are_and_that_a_pack_is_not_whole(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="can't be written"):
        App().gallery(str(tmp_path / "file" / "g"), str(SECOND))
    with pytest.raises(BadInput, match="no pack 'nowhere'; name one of"):
        App().gallery(str(tmp_path / "g"), "nowhere")
    with pytest.raises(CaseflowError, match="before the pack is whole: letters.yaml:3:1: a hole"):
        list(gallery.all_of([Fault("letters.yaml", 3, 1, "a hole")]))


def test_a_letter_of_the_register_is_written_to_a_file(app: At, tmp_path: Path) -> None:
    made = app("2026-11-30T09:00")
    sample = {**made.read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml")), "filed": "2026-11-30T09:00"}
    number = made.file(sample)["cases"][0]["letters"][0]["number"]
    line = ["--database", made.database, "letters", "show", number, "--pdf", str(tmp_path / "letter.pdf"), "--json"]
    said = json.loads(CliRunner().invoke(cli, line).stdout)
    data = (tmp_path / "letter.pdf").read_bytes()

    assert said == {"number": number, "file": str(tmp_path / "letter.pdf"), "bytes": len(data), "sha256": sha256(data).hexdigest()}
    assert "Docket" in text(data)
    assert f"Letter {number}" in text(data)
    with pytest.raises(BadInput, match="can't be written"):
        made.letter_pdf(number, str(tmp_path / "nowhere" / "letter.pdf"))


# --- pack check ---------------------------------------------------------------------------------------------------


def faults_of(**more: str) -> list[Fault]:
    files = {**sound(), **more}
    library = PackLibrary(HOME / "workflows", HOME / "templates" / "letters")
    return rendered_faults(library.load(files), files, library)


def test_a_picture_that_is_not_there_or_has_no_words_is_told_at_its_place() -> None:
    template = sound()["templates/answer.md"]
    shown = {"templates/answer.md": f"{template}\n![](map.png)\n"}
    place = ("templates/answer.md", template.count("\n") + 2, 1)

    assert [(*fault_place(fault), fault.text[:30]) for fault in faults_of(**shown)] == [
        (*place, "there is no picture 'map.png' "),
        (*place, "the picture map.png has no wor"),
    ]
    assert faults_of(**{"templates/answer.md": f"{template}\n![A map](map.png)\n", "templates/map.png": base64.b64encode(picture()).decode()}) == []


def fault_place(fault: Fault) -> tuple[str, int, int]:
    return fault.file, fault.line, fault.column


def test_a_page_of_a_pack_that_sets_no_letter_is_told() -> None:
    (fault,) = faults_of(**{"templates/page.typ": "#nothing\n"})

    assert (fault.file, "unknown variable: nothing (page.typ, line 1)" in fault.text) == ("templates/page.typ", True)
    page = "#let it = json(bytes(sys.inputs.letter))\n#set document(title: it.title)\nWords"
    assert faults_of(**{"templates/page.typ": page}) == []
