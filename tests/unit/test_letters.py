"""Letters: what a requester wrote is shown and never obeyed; a hole is named; the same data give the same words."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from caseflow.adapters.letters.escaping import escaped
from caseflow.adapters.letters.forms import to_html, to_text
from caseflow.adapters.letters.writer import LetterWriter
from caseflow.domain.case import LetterOwed, Party
from caseflow.domain.pack import Agency, MailWaits, Pack, PackText
from caseflow.errors import LetterFault

HOSTILE = [
    "{{ 7 * 7 }} {% for x in range(9) %}x{% endfor %}",
    "<script>alert(1)</script>",
    "![x](file:///etc/passwd) [y](javascript:alert(1))",
    "# heading\n\n- item\n\n> quote",
    "**bold** _em_ `code` ~~gone~~",
    "<https://example.org> &copy; &#60;b&#62;",
    "| a | b |\n| - | - |",
    "\u202etxet desrever\u202c",
    "Jos\u00e9 \u0141ukasz \u738b\u5c0f\u660e \u0391\u03bb\u03ad\u03be\u03b7\u03c2 \u0645\u062d\u0645\u062f",
    "x" * 200,
]
VISIBLE = {0: "{{ 7 * 7 }}", 1: "<script>alert(1)</script>", 2: "![x](file:///etc/passwd)", 4: "**bold** _em_ `code`", 5: "&copy;"}


def write(template: str, view: dict[str, Any], by_law: bool = False) -> Any:
    pack = Pack.model_construct(
        text=PackText.model_construct(pack="p", mail_waits=MailWaits(minutes=15)), hash="h", letters={}, workflows=(), fees={}, facts={}, refunds={}
    )
    full = {"letter": {"id": "x", "title": "A letter", "number": "L-1", "date": "2027-01-04"}, "case": {"number": "C-1"}, **view}
    owed = LetterOwed("C-1", 1, "x", "L-1", date(2027, 1, 4), full, (Party("requester", "A"),), (), None, by_law)
    return LetterWriter(lambda _: {"templates/x.md": template}).write(owed, pack, datetime(2027, 1, 4, 16, tzinfo=UTC))


@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_hostile_text_is_shown_as_text_in_both_forms(place: int) -> None:
    written = write("Dear {{ name }},\n\nwe read it.\n", {"name": HOSTILE[place]})
    html, text = to_html(written.markdown, "t"), to_text(written.markdown)

    body = html.split("<main>")[1]
    assert "<script" not in body
    assert "<a " not in body
    assert "<img" not in body
    assert "<h1" not in body
    assert "<li" not in body
    assert "<strong" not in body
    assert "\u202e" not in html + text
    assert VISIBLE.get(place, "we read it") in " ".join(text.split())


def test_the_writer_is_the_agency_of_the_pack_whatever_the_data_says() -> None:
    pack = Pack.model_construct(text=PackText.model_construct(pack="p", title="P", agency=Agency(name="*Bureau*"), mail_waits=MailWaits(minutes=15)), hash="h")
    view = {"letter": {"id": "x", "title": "A letter", "number": "L-1", "date": "2027-01-04"}, "case": {"number": "C-1"}, "agency": {"name": "Another"}}
    owed = LetterOwed("C-1", 1, "x", "L-1", date(2027, 1, 4), view, (Party("requester", "A"),), (), None, False)
    written = LetterWriter(lambda _: {"templates/x.md": "{{ agency.name }} writes."}).write(owed, pack, datetime(2027, 1, 4, 16, tzinfo=UTC))

    assert written.markdown == "\\*Bureau\\* writes.\n"


def test_a_value_that_is_not_stated_is_named() -> None:
    with pytest.raises(LetterFault, match="inspector") as caught:
        write("By {{ facts.inspector }}.", {"facts": {}})

    assert caught.value.missing == ("inspector",)


def test_an_empty_value_stops_the_letter_too() -> None:
    with pytest.raises(LetterFault):
        write("On {{ day_of | day }}.", {"day_of": None})


def test_a_letter_that_the_law_owes_is_blocked_instead() -> None:
    written = write("By {{ facts.inspector }}.", {"facts": {}}, by_law=True)

    assert (written.status, written.missing) == ("blocked", ("inspector",))


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__ }}",
        "{% for i in range(99999999) %}x{% endfor %}",
        "{{ 'x' * 999999999 }}",
        "{% include '../secret' %}",
        "{{ facts.update({'a': 1}) }}",
    ],
)
def test_a_template_can_not_leave_its_sandbox(template: str) -> None:
    with pytest.raises(LetterFault):
        write(template, {"facts": {}})


def test_the_same_data_give_the_same_letter_and_the_words_of_its_subject_are_plain() -> None:
    template = "---\nsubject: About {{ name }}\n---\nDear {{ name }}, by {{ '2027-01-04' | day }} {{ '1203' | money }}.\n"
    first, second = write(template, {"name": "A_B"}), write(template, {"name": "A_B"})

    assert first == second
    assert first.subject == "About A_B"
    assert to_text(first.markdown) == "Dear A_B, by Monday, January 4, 2027 $1,203.00.\n"


def test_a_page_names_its_language_and_title_and_loads_nothing() -> None:
    html = to_html("# Hello\n\n| a | b |\n| - | - |\n| 1 | 2 |\n", "Title <x>", "en-US")

    assert '<html lang="en-US">' in html
    assert "<title>Title &lt;x&gt;</title>" in html
    assert "default-src 'none'" in html
    assert "src=" not in html.replace("default-src", "").replace("style-src", "")


def test_what_is_escaped_stays_escaped_once() -> None:
    assert str(escaped(escaped("a*b"))) == "a\\*b"
