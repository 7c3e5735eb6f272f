"""The two forms of a letter: plain text that fits a screen, and a page that a reader and a machine can read."""

from __future__ import annotations

from caseflow.adapters.letters.forms import WIDTH, to_html, to_text

DAY = "Wednesday, September 30, 2026"


def test_a_day_is_never_broken_across_lines() -> None:
    for length in range(WIDTH):
        assert DAY in to_text(f"{'x' * length} {DAY} and on.")
    assert f'<time datetime="2026-09-30">{DAY}</time>' in to_html(DAY, "t")


def test_a_word_is_never_broken_at_its_hyphens() -> None:
    for length in range(WIDTH):
        assert "navigability-in-fact" in to_text(f"{'x' * length} navigability-in-fact.")


def test_no_line_of_text_is_wider_than_a_screen() -> None:
    long = " ".join(["word"] * 60)
    text = to_text(f"# {long}\n\n{long}\n\n1. {long}\n\n| a | b | c |\n| - | - | - |\n| {long} | {long} | c |\n")

    assert max(map(len, text.splitlines())) <= WIDTH
    assert text.split().count("word") == 300


def test_a_list_keeps_its_numbers_and_hangs_under_them() -> None:
    text = to_text("".join(f"{number}. item {number} {'word ' * 20}\n" for number in range(1, 32)))

    assert "\n 9. item 9 " in text
    assert "\n10. item 10 " in text
    assert "\n    word" in text


def test_a_table_stands_in_columns_and_an_empty_cell_keeps_its_place() -> None:
    text = to_text("| Fee | Amount | Law |\n| --- | --- | --- |\n| One | $1.00 | |\n| Two and more | | x |\n")

    assert text == "Fee           Amount  Law\nOne           $1.00\nTwo and more          x\n"


def test_lines_of_an_address_stay_lines_and_a_rule_is_drawn() -> None:
    assert to_text("One\\\nTwo\n\n---\n\nThree") == f"One\nTwo\n\n{'-' * WIDTH}\n\nThree\n"


def test_a_page_has_headings_and_column_heads_in_their_order() -> None:
    html = to_html("# RE: x\n\n## Fees\n\n| Fee | Amount |\n| - | - |\n| a | b |\n", "t")

    assert html.index("<h1>RE: x</h1>") < html.index("<h2>Fees</h2>") < html.index('<th scope="col">Fee</th>')


def test_raw_markup_and_images_of_a_template_stay_text_too() -> None:
    html = to_html("<b>x</b> ![i](https://x.example/i.png) <https://x.example>", "t")

    assert "<b>" not in html
    assert "<img" not in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html


def test_both_forms_are_the_same_every_time() -> None:
    source = f"# A\n\n1. {DAY}\n\n| a | b |\n| - | - |\n| c | d |\n"

    assert to_text(source) == to_text(source)
    assert to_html(source, "t") == to_html(source, "t")
