"""Every letter of the pack as a PDF that a checker of accessible files passes, and what is typed shown as it was typed."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from caseflow.adapters.letters.pdf import PdfMaker
from caseflow.adapters.letters.press import Press
from caseflow.adapters.packs.library import PackLibrary, pack_files
from caseflow.adapters.packs.rendering import Sampled, rendered
from tests.conftest import PACK, ROOT
from tests.letters.aloud import checked, longest, made_of
from tests.letters.making import META, facts, structure, text
from tests.unit.test_letters_pack import HIDDEN, HOSTILE, full, write

FILES = pack_files(PACK, ROOT / "templates" / "letters")
MARKUP_OF_THE_PAGE = '#eval("1+1") #let x = 1; $x^2$ @label <label> \\u{1F} // note /* note */ `raw` ```rust x``` = head #read("/etc/hostname")'
COMBINING = "Z\u0351\u036b\u0343a\u0337l\u0322g\u0321o " + "e" + "\u0301" * 40
ARABIC_AND_HEBREW = "\u202bמרים כהן\u202c, محمد بن علي, 12"
TYPED = [*HOSTILE, MARKUP_OF_THE_PAGE, COMBINING, ARABIC_AND_HEBREW]


@pytest.fixture(scope="module")
def samples() -> list[Sampled]:
    """With the whole samples alone, which owe every letter; `python -m tests.letters.aloud` takes all."""
    library = PackLibrary(PACK.parent, ROOT / "templates" / "letters")
    files = {path: text for path, text in FILES.items() if path.endswith(("/complete.yaml", "acts.yaml")) or not path.startswith("samples/")}
    return [made for made in rendered(library.load(FILES), files, library) if isinstance(made, Sampled)]


@pytest.fixture
def maker(press: Press) -> PdfMaker:
    return PdfMaker(lambda _: FILES, press)


def test_the_checker_finds_no_error_in_the_longest_sample_of_any_letter(samples: list[Sampled], maker: PdfMaker, tmp_path: Path) -> None:
    chosen = longest(samples)

    assert len(chosen) == FILES["letters.yaml"].count("\n    title:")
    faults = {made.letter: found for made in chosen if (found := checked(made_of(maker, made), tmp_path)[0])}
    assert faults == {}


def spoiled(pdf: bytes, how: Callable[[pikepdf.Pdf], None]) -> bytes:
    with pikepdf.open(io.BytesIO(pdf)) as made:
        how(made)
        out = io.BytesIO()
        made.save(out)
        return out.getvalue()


def no_tags(made: pikepdf.Pdf) -> None:
    del made.Root.StructTreeRoot
    del made.Root.MarkInfo


def no_language(made: pikepdf.Pdf) -> None:
    del made.Root.Lang


def no_title(made: pikepdf.Pdf) -> None:
    with made.open_metadata() as about:
        del about["dc:title"]


@pytest.mark.parametrize("how", [no_tags, no_language, no_title])
def test_the_checker_catches_a_file_that_cannot_be_read_aloud(how: Callable[[pikepdf.Pdf], None], maker: PdfMaker, tmp_path: Path) -> None:
    good = maker.make("# RE: A title\n\nText that is read aloud.\n", "t", "en-US", META)

    assert checked(good, tmp_path)[0] == []
    assert checked(spoiled(good, how), tmp_path)[0] != []


@pytest.mark.parametrize("typed", TYPED, ids=range(len(TYPED)))
def test_whatever_was_typed_is_shown_and_obeyed_by_no_part_of_the_file(typed: str, maker: PdfMaker, tmp_path: Path) -> None:
    def written(what: str) -> bytes:
        view = full("information-request", lambda _: what)
        view["agency"] = full("information-request")["agency"]
        return maker.make(write("information-request", view).markdown, "t", "en-US", META)

    plain, made = written("Zword"), written(typed)
    seen = "".join(HIDDEN.sub("", typed).split())
    signs = "".join(f"[{code}]" for code in ("U+738B U+5C0F U+660E",))
    if "王小明" in seen:
        seen = seen.replace("王小明", "".join(signs.split()))
    shown = "".join(text(made).split())

    if not re.search("[\u0590-\u06ff\u0300-\u036f]", typed):  # what runs from right to left, or is stacked, is read back in another order
        assert seen in shown
    assert [tag for tag in structure(made) if tag not in ("Span", "Lbl")] == [tag for tag in structure(plain) if tag not in ("Span", "Lbl")]
    assert checked(made, tmp_path)[0] == []
    assert all(facts(made)["fonts"].values())
    assert not re.search(rb"/(JavaScript|JS|Launch|EmbeddedFile|GoToR|SubmitForm)\b", made)
    assert links(made) == links(plain)


def links(pdf: bytes) -> set[str]:
    with pikepdf.open(io.BytesIO(pdf)) as made:
        return {str(note.A.URI) for page in made.pages for note in page.get("/Annots", []) if "/A" in note}


def test_five_scripts_stand_in_a_letter_and_a_sign_without_a_shape_is_named_by_its_number(maker: PdfMaker) -> None:
    made = text(maker.make("Łukasz, Αλέξης, Иван, שרה, محمد, 王小明 and 김 \U0001f600.\n", "t", "en-US", META))

    for name in ("Łukasz", "Αλέξης", "Иван"):
        assert name in made
    assert {"ש", "ר", "ה"} <= set(made)
    assert "[U+738B U+5C0F U+660E] and [U+AE40 U+1F600]" in " ".join(made.split()) or "[U+738B U+5C0F U+660E] and [U+AE40] [U+1F600]" in made
