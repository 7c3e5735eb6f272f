"""A letter on paper: a tagged file that says what it is, an address in the window, and nothing torn apart."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest

from caseflow.adapters.letters.pdf import PdfMaker
from caseflow.adapters.letters.press import Press
from caseflow.adapters.packs.library import pack_files
from caseflow.errors import LetterFault
from tests.conftest import PACK, ROOT
from tests.letters.making import META, facts, pages, picture, structure, text, words

FILES = pack_files(PACK, ROOT / "templates" / "letters")
HEAD = """::: letterhead
**The Agency**\\
The unit\\
1 Example Plaza

Office of the Head -
Office of the Deputy

*Telephone* 000-555-0100 -
*TTY:* 000-555-0102
:::

---

::: dateline
Sunday, December 20, 2026 -
Docket WD-2026-00001-1 -
Letter WD-2026-00001-1-L2
:::

::: addressee
Cedar Association\\
Attention: the President\\
Second floor\\
100 Landing Road\\
Pike Bluff WI 00000

Blue Rod Survey\\
7 Mill Lane\\
Pike Bluff WI 00000
:::

# RE: A request - Cedar Flowage, City of Pike Bluff, Alder County

To the Association:

"""
END = """
Questions? Ask us.

::: signature
Sincerely,

The Agency\\
The unit
:::

::: copies
Copies:
The City, by post;
The Contractor, by e-mail
:::
"""


@pytest.fixture
def maker(press: Press) -> PdfMaker:
    return PdfMaker(lambda _: FILES, press)


def test_a_letter_is_a_tagged_file_with_language_title_and_fonts_of_its_own(maker: PdfMaker) -> None:
    said = facts(maker.make(HEAD + "Text.\n" + END, "A request", "en-US", META))

    assert (said["language"], said["title"], said["part"], said["marked"], said["shows_title"]) == ("en-US", "A request", "1", True, True)
    assert said["made"].startswith("D:20261220000000")
    assert said["fonts"]
    assert all(said["fonts"].values())


def test_the_same_letter_is_the_same_file_byte_for_byte_in_any_worker(maker: PdfMaker) -> None:
    other = Press(1)
    again = PdfMaker(lambda _: FILES, other)
    try:
        one, two, three = (made.make(HEAD + END, "A request", "en-US", META) for made in (maker, maker, again))
    finally:
        other.close()

    assert one == two == three
    assert maker.make(HEAD + END, "A request", "en-US", {**META, "date": "2026-12-21"}) != one


def test_headings_lists_and_tables_are_tagged_as_what_they_are(maker: PdfMaker) -> None:
    body = "## Findings\n\n7. one\n8. two\n\n| Day | Days used |\n| --- | --- |\n| Monday | 15 |\n\n- a\n"
    made = maker.make(HEAD + body + END, "t", "en-US", META)
    tags = structure(made)

    assert (tags.count("H1"), tags.count("H2"), tags.count("L"), tags.count("LI")) == (1, 1, 2, 3)
    assert (tags.count("Table"), tags.count("THead"), tags.count("TH"), tags.count("TD")) == (1, 1, 2, 2)
    assert "7. one 8. two" in text(made)


def test_a_heading_level_that_is_left_out_leaves_no_hole(maker: PdfMaker) -> None:
    tags = structure(maker.make("# One\n\n### Three\n\ntext\n\n##### Five\n\ntext\n", "t", "en-US", META))

    assert [tag for tag in tags if tag.startswith("H")] == ["H1", "H2", "H3"]


def test_the_address_stands_in_the_window_of_the_envelope_and_nothing_else_does(maker: PdfMaker) -> None:
    made = maker.make(HEAD + END, "t", "en-US", META)
    # A #10 window shows 2.04 to 3.17 in from the top of a page that lies on the envelope's lower edge, 0.875 to 4.375 in from the left.
    seen = [word for (left, top, _, bottom), word in words(made) if bottom > 2.04 and top < 3.17 and left < 4.375]
    places = {word: box for box, word in words(made)}

    assert " ".join(seen) == "Cedar Association Attention: the President Second floor 100 Landing Road Pike Bluff WI 00000"
    assert all(box[0] >= 0.95 and box[1] >= 2.1 and box[3] <= 3.2 for word, box in places.items() if word in ("Cedar", "Attention:", "00000") and box[1] < 3.2)


def test_a_letterhead_of_many_lines_pushes_the_address_down_and_never_over_it(maker: PdfMaker) -> None:
    tall = HEAD.replace("1 Example Plaza\n", "".join(f"Line {number}\\\n" for number in range(20)) + "1 Example Plaza\n", 1)
    made = words(maker.make(tall + END, "t", "en-US", META))

    assert next(box[1] for box, word in made if word == "Cedar") > next(box[3] for box, word in made if word == "Docket")


def test_who_gets_a_copy_has_the_own_address_in_the_window_and_reads_to_whom_the_letter_goes(maker: PdfMaker) -> None:
    copy = maker.make(HEAD + END, "t", "en-US", {**META, "window": "City of Pike Bluff\n1 Hall Street"})
    second = maker.make(HEAD + END, "t", "en-US", {**META, "window": "Blue Rod Survey\n7 Mill Lane\nPike Bluff WI 00000"})

    by_mail = maker.make(HEAD + END, "t", "en-US", {**META, "window": "Blue Rod Survey"})

    assert by_mail == second
    assert "City of Pike Bluff 1 Hall Street Copy of a letter to Cedar Association" in text(copy)
    assert "Blue Rod Survey 7 Mill Lane Pike Bluff WI 00000 Also to Cedar Association" in text(second)
    assert text(second).count("Blue Rod Survey") == 1


def test_the_day_and_the_docket_stand_on_one_line(maker: PdfMaker) -> None:
    places = {word: round(box[3], 2) for box, word in reversed(words(maker.make(HEAD + END, "t", "en-US", META)))}

    assert places["Sunday,"] == places["Docket"]


def test_a_long_letter_has_its_page_of_pages_and_from_the_second_on_a_running_head(maker: PdfMaker) -> None:
    items = "".join(f"{number}. Item number {number} of the list is asked for, {'because it is needed, ' * 12}in full.\n" for number in range(1, 32))
    findings = "".join(f"{number}. Finding {number} is made, {'since it was seen there, ' * 20}on the day.\n" for number in range(1, 13))
    made = pages(maker.make(f"{HEAD}## Items\n\n{items}\n## Findings of fact\n\n{findings}{END}", "t", "en-US", META))

    assert len(made) >= 4
    for number, said in enumerate(made, 1):
        assert f"Page {number} of {len(made)}" in said
        assert said.startswith("WD-2026-00001-1 Sunday, December 20, 2026 A request - Cedar Flowage") == (number > 1)
    whole = " ".join(made)
    assert all(f"{number}. Item number {number} of" in whole for number in range(1, 32))
    assert all(f"{number}. Finding {number} is made" in whole for number in range(1, 13))


def test_a_signature_is_kept_whole_with_the_words_before_it_wherever_the_page_ends(maker: PdfMaker) -> None:
    for lines in range(20, 40, 2):
        made = pages(maker.make(HEAD + "A line.\n\n" * lines + END, "t", "en-US", META))
        signed = next(said for said in made if "Sincerely," in said)

        assert "Questions? Ask us. Sincerely, The Agency The unit Copies: The City, by post The Contractor, by e-mail" in signed, lines


def test_a_long_list_of_copies_goes_over_the_page_and_loses_nobody(maker: PdfMaker) -> None:
    others = ";\n".join(f"Neighbor number {number}, by post" for number in range(60))
    made = pages(maker.make(HEAD + END.replace("The City, by post;\nThe Contractor, by e-mail", others), "t", "en-US", META))

    assert len(made) > 1
    assert all(f"Neighbor number {number}, by post" in " ".join(made) for number in range(60))


def test_a_heading_never_ends_a_page_and_a_short_table_is_never_split(maker: PdfMaker) -> None:
    table = "## When\n\n| Day | What |\n| --- | --- |\n" + "".join(f"| Day {number} | What happened |\n" for number in range(8))
    for lines in range(14, 36, 2):
        made = pages(maker.make(HEAD + "A line.\n\n" * lines + table + END, "t", "en-US", META))
        page = next(said for said in made if "Day 0" in said)

        assert all(f"Day {number} " in page for number in range(8)), lines
        assert "When Day What" in page, lines


def test_a_long_table_goes_on_with_its_head(maker: PdfMaker) -> None:
    table = "| Day | What |\n| --- | --- |\n" + "".join(f"| Day {number} | What happened |\n" for number in range(80))
    made = pages(maker.make(HEAD + table + END, "t", "en-US", META))

    assert sum("Day What" in said for said in made) >= 2


def test_amounts_stand_to_the_right_and_words_to_the_left(maker: PdfMaker) -> None:
    body = "| Fee | Amount | Law |\n| --- | --- | --- |\n| One | $1,203.00 | s. 1 |\n| Other | $3.00 | s. 20 |\n"
    places = {word: box for box, word in words(maker.make(HEAD + body, "t", "en-US", META))}

    assert places["$1,203.00"][2] == pytest.approx(places["$3.00"][2], abs=0.01)
    assert places["One"][0] == pytest.approx(places["Other"][0], abs=0.01)


def test_a_name_without_a_place_to_break_stays_on_the_page(maker: PdfMaker) -> None:
    for name in ("N" * 200, "e\u0301" * 100, "a/b-c_d." * 25):
        made = maker.make(f"# RE: {name}\n\n{name}\n\n| Name | {name} |\n| --- | --- |\n| {name} | b |\n", "t", "en-US", META)

        assert max(box[2] for box, _ in words(made)) <= 7.55
        assert "".join(text(made).split()).count("N" * 200) == (4 if name[0] == "N" else 0)


def test_copies_and_the_letters_particulars_stand_line_by_line(maker: PdfMaker) -> None:
    made = text(maker.make(HEAD + END, "t", "en-US", META))

    assert "Copies: The City, by post The Contractor, by e-mail" in made
    assert "Office of the Head Office of the Deputy Telephone 000-555-0100 TTY 000-555-0102" in made


def test_the_code_of_a_recipient_is_printed_once_and_only_where_it_is_given(maker: PdfMaker) -> None:
    box = "::: box\nAnswer by\n**Thursday, February 4, 2027**\n:::\n"
    with_code = {**META, "code": "H7RK-2MQT-49XD"}

    assert text(maker.make(HEAD + END, "t", "en-US", with_code)).count("Your code for the status page H7RK-2MQT-49XD") == 1
    assert "Answer by Thursday, February 4, 2027 Code H7RK-2MQT-49XD" in text(maker.make(HEAD + box + END, "t", "en-US", with_code))
    assert text(maker.make(HEAD + "Type H7RK-2MQT-49XD there.\n" + END, "t", "en-US", with_code)).count("H7RK-2MQT-49XD") == 1
    assert "ode H" not in text(maker.make(HEAD + box + END, "t", "en-US", META))


# --- a pack's own page, pictures and fonts ------------------------------------------------------------------------


def test_a_pack_brings_its_own_page(press: Press) -> None:
    page = "#let it = json(bytes(sys.inputs.letter))\n#set document(title: it.title)\nOur own page: #it.blocks.first().c.join()\n"
    own = PdfMaker(lambda _: {**FILES, "templates/page.typ": page}, press)

    assert text(own.make("Words.", "t", "en-US", META)) == "Our own page: Words."


def test_a_version_from_before_there_were_pages_has_the_house_page(press: Press) -> None:
    old = PdfMaker(lambda _: {"pack.yaml": "pack: p\n"}, press)

    assert "Sincerely" in text(old.make(HEAD + END, "t", "en-US", META))


def test_a_letter_shows_a_picture_of_its_pack_with_words_for_who_cannot_see_it(press: Press) -> None:
    files = {**FILES, "templates/map.png": base64.b64encode(picture()).decode()}
    made = PdfMaker(lambda _: files, press).make("Above.\n\n![The reach on a map](map.png)\n\nBelow.\n", "t", "en-US", META)

    assert "Figure" in structure(made)
    assert b"The reach on a map" in made or "The reach on a map".encode("utf-16-be") in made


@pytest.mark.parametrize(
    ("shown", "what"),
    [
        ("![A map](other.png)", "other.png"),
        ("![A map](../map.png)", "pictures of its pack alone"),
        ("![A map](/etc/passwd)", "pictures of its pack alone"),
        ("![A map](https://x.example/map.png)", "pictures of its pack alone"),
        ("![](map.png)", "no words"),
    ],
)
def test_a_picture_from_elsewhere_or_without_words_is_refused(press: Press, shown: str, what: str) -> None:
    files = {**FILES, "templates/map.png": base64.b64encode(picture()).decode()}
    maker = PdfMaker(lambda _: files, press)

    with pytest.raises(LetterFault, match=what):
        maker.make(f"{shown}\n", "t", "en-US", META)
    assert "Words." in text(maker.make("Words.", "t", "en-US", META))


def test_the_pictures_and_pages_of_a_pack_belong_to_its_version(tmp_path: Path) -> None:
    (tmp_path / "letters" / "p").mkdir(parents=True)
    (tmp_path / "p").mkdir()
    (tmp_path / "letters" / "p" / "map.png").write_bytes(picture())
    (tmp_path / "letters" / "p" / "page.typ").write_text("#page")
    files = pack_files(tmp_path / "p", tmp_path / "letters")

    assert files == {"templates/map.png": base64.b64encode(picture()).decode(), "templates/page.typ": "#page"}


def test_a_font_of_the_pack_gives_a_shape_to_what_the_others_lack(press: Press) -> None:
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for point in ((500, 0), (500, 700), (0, 700)):
        pen.lineTo(point)
    pen.closePath()
    shape = pen.glyph()
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder([".notdef", "king"])
    font.setupCharacterMap({0x738B: "king"})
    font.setupGlyf({".notdef": shape, "king": shape})
    font.setupHorizontalMetrics({".notdef": (600, 0), "king": (600, 0)})
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": "One Sign", "styleName": "Regular", "fullName": "One Sign", "psName": "OneSign", "uniqueFontIdentifier": "1"})
    font.setupOS2(sTypoAscender=800, usWinAscent=800, usWinDescent=200)
    font.setupPost()
    data = io.BytesIO()
    font.save(data)
    files = {**FILES, "templates/one.ttf": base64.b64encode(data.getvalue()).decode()}

    assert "Name 王 [U+660E]" in text(PdfMaker(lambda _: files, press).make("Name 王 明.\n", "t", "en-US", META))
    assert "Name [U+738B] [U+660E]" in text(PdfMaker(lambda _: FILES, press).make("Name 王 明.\n", "t", "en-US", META))
