"""What a template may do: read, choose, repeat a little. Whatever could run, escape or grow without end is refused."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from typing import Any

import pytest

from caseflow.adapters.letters.escaping import escaped
from caseflow.adapters.letters.shown import listed, money, plural, shortday
from caseflow.adapters.letters.templates import MAX_LETTER
from caseflow.adapters.letters.writer import LetterWriter
from caseflow.domain.case import LetterOwed, Party
from caseflow.domain.pack import MailWaits, Pack, PackText
from caseflow.errors import LetterFault
from caseflow.services.ports.letters import Written

RULES = Pack.model_construct(text=PackText.model_construct(pack="p", mail_waits=MailWaits(minutes=15)), hash="h")


def write(files: dict[str, str], approval: str | None = None, **view: Any) -> Written:
    full = {"letter": {"id": "x", "title": "A letter"}, "case": {"number": "C-1"}, **view}
    owed = LetterOwed("C-1", 1, "x", "L-1", date(2027, 1, 4), full, (Party("requester", "A"),), (), approval, False)
    sources = {f"templates/{name}": text for name, text in files.items()}
    return LetterWriter(lambda _: sources).write(owed, RULES, datetime(2027, 1, 4, 16, tzinfo=UTC))


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ facts.update({'a': 1}) }}",
        "{{ 'x'.join(names) }}",
        "{{ '{:>999999999}'.format(1) }}",
        "{{ '%999999999d' % 1 }}",
        "{{ 'x' * 999999999 }}",
        "{{ 9 ** 9 ** 9 }}",
        "{% set a = 'x' + 'x' %}{{ a }}",
        "{{ 'a' ~ names[0] }}",
        "{% macro m() %}{{ m() }}{% endmacro %}",
        "{% for a in names %}{% for b in names %}{% for c in names %}{% endfor %}{% endfor %}{% endfor %}",
        "{% for a in names recursive %}{{ a }}{% endfor %}",
        "{% include facts.x %}",
        "{% include 'nowhere.md' %}",
        "{% include 'x.md' %}",
        "{% import 'part.md' as part %}",
        "{% extends 'part.md' %}",
        "{{ names | safe }}",
        "{{ names | map('upper') | list }}",
        "{% for i in range(9) %}x{% endfor %}",
    ],
)
def test_what_has_no_place_in_a_letter_is_refused_at_once(template: str) -> None:
    begun = time.monotonic()
    with pytest.raises(LetterFault, match="'x'|x.md|nowhere.md"):
        write({"x.md": template, "part.md": "part"}, facts={"x": "part.md"}, names=["a", "b"])
    assert time.monotonic() - begun < 5


def test_an_include_in_a_circle_is_named() -> None:
    with pytest.raises(LetterFault, match="includes itself"):
        write({"x.md": '{% include "y.md" %}', "y.md": '{% include "x.md" %}'})


def test_a_fault_of_a_shared_part_names_that_part_and_its_line() -> None:
    with pytest.raises(LetterFault, match=r"part\.md.*line 2"):
        write({"x.md": 'one\n{% include "part.md" %}', "part.md": "two\n{% if %}"})


@pytest.mark.parametrize(
    ("template", "part", "at"),
    [
        ("one\n\n{{ facts.gone }}\n", "", ("templates/x.md", 3)),
        ("---\nsubject: S\n---\none\n{% for a in names %}\n{{ a }}\n{{ facts.gone }}\n{% endfor %}\n", "", ("templates/x.md", 7)),
        ('one\n{% include "part.md" %}\nthree\n', "a\nb\n{{ facts.gone }}\n", ("templates/part.md", 3)),
        ('one\n{% include "part.md" %}\nthree\n{{ facts.gone }}', "a\nb\n", ("templates/x.md", 4)),
        ('one {% include "part.md" %} two\n{{ facts.gone }}', "a\nb", ("templates/x.md", 2)),
        ("---\nsubject: S\n---\none\n{{ 2 * 2 }}\n", "", ("templates/x.md", 5)),
        ('one\n{% include "part.md" %}\n', "a\n{% import 'x.md' as x %}\n", ("templates/part.md", 2)),
        ('one\n{% include "nowhere.md" %}\n', "", ("templates/x.md", 2)),
        ("---\nsubject: '{{ facts.gone }}'\n---\none\n", "", ("templates/x.md", 1)),
    ],
)
def test_a_letter_that_can_not_be_written_names_the_template_and_its_line(template: str, part: str, at: tuple[str, int]) -> None:
    with pytest.raises(LetterFault) as caught:
        write({"x.md": template, "part.md": part}, facts={}, names=["a"])

    assert caught.value.at == at


def test_a_letter_grows_to_its_limit_and_no_further() -> None:
    page = "x" * 1000
    template = {"x.md": "{% for a in rows %}{% for b in rows %}{{ page }}{% endfor %}{% endfor %}"}

    assert len(write(template, rows=["r"] * 15, page=page).markdown) == 225_001
    with pytest.raises(LetterFault, match=f"longer than {MAX_LETTER // 1024} KiB"):
        write(template, rows=["r"] * 100, page=page)


def test_many_empty_values_in_a_row_cut_nothing_off() -> None:
    assert write({"x.md": "{% for a in rows %}{{ a }}{% endfor %}end"}, rows=[""] * 2000).markdown == "end\n"


def test_a_value_without_end_is_refused() -> None:
    with pytest.raises(LetterFault, match="a value is longer than"):
        write({"x.md": "{{ a }}"}, a="x" * 1_000_000)


def test_data_is_never_read_as_a_template() -> None:
    assert write({"x.md": "{{ a }}"}, a="{{ case.number }} {% include 'x.md' %}").markdown == "{{ case.number }} {% include 'x.md' %}\n"


def test_a_member_named_like_a_method_is_the_member() -> None:
    assert write({"x.md": "{{ facts.items }} {{ facts.keys is defined }}"}, facts={"items": "NAV-c"}).markdown == "NAV-c no\n"


def test_an_empty_member_is_false_and_can_not_be_printed() -> None:
    place: dict[str, Any] = {"address": None}

    assert write({"x.md": "{% if place.address %}at{% else %}nowhere{% endif %}"}, place=place).markdown == "nowhere\n"
    for printed in ("{{ place.address }}", "{{ place.address | day }}", "{{ place.address | sentence }}", "{{ place.address | money }}"):
        with pytest.raises(LetterFault, match="needs address, which is not stated") as caught:
            write({"x.md": printed}, place=place)
        assert caught.value.missing == ("address",)


@pytest.mark.parametrize(("template", "value"), [("{{ a | day }}", "soon"), ("{{ a | money }}", "much"), ("{{ a | money }}", "NaN"), ("{{ a }}", {"b": 1})])
def test_what_has_no_such_form_is_a_fault_of_one_sentence(template: str, value: Any) -> None:
    with pytest.raises(LetterFault) as caught:
        write({"x.md": template}, a=value)

    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("The letter 'x' ")


def test_two_values_side_by_side_make_no_markup_either() -> None:
    assert write({"x.md": "{{ a }}{{ b }}"}, a="1", b=". one").markdown == "1\\. one\n"
    assert write({"x.md": "{{ a }}{{ b }}"}, a="[x]", b="(javascript:y)").markdown == "\\[x\\](javascript:y)\n"


def test_a_template_version_covers_every_part_that_it_takes_in() -> None:
    files = {"x.md": 'a {% include "y.md" %}', "y.md": 'b {% include "z.md" %}', "z.md": "c", "other.md": "d"}
    first = write(files).template_hash

    assert write({**files, "z.md": "changed"}).template_hash != first
    assert write({**files, "other.md": "changed"}).template_hash == first


def test_a_letter_leaves_after_the_waiting_time_of_its_pack_and_a_draft_waits_for_approval() -> None:
    owed, draft = write({"x.md": "Hello"}), write({"x.md": "Hello"}, approval="supervisor")

    assert (owed.status, draft.status) == ("owed", "draft")
    assert owed.leaves_at == datetime(2027, 1, 4, 16, 15, tzinfo=UTC)
    assert owed.subject == "A letter, C-1"


def test_values_have_the_forms_of_letters() -> None:
    assert money("1203") == "$1,203.00"
    assert money("-3.5") == "-$3.50"
    assert shortday("2027-01-04") == "Mon, Jan 4, 2027"
    assert [plural(count, "day") for count in (0, 1, 2)] == ["0 days", "1 day", "2 days"]
    assert [listed(names) for names in ([], ["a*"], ["a", "b"], ["a", "b", "c"])] == ["", "a\\*", "a and b", "a, b and c"]
    assert escaped("a\n\tb") == "a b"
