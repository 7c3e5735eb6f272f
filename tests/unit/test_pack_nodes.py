"""YAML is read as its author wrote it, and what could mislead is refused at its line."""

from __future__ import annotations

import pytest

from caseflow.adapters.packs.nodes import MAX_BYTES, read, read_map, read_plain
from caseflow.errors import BadInput, PackFaults


def fault(text: str) -> str:
    with pytest.raises(PackFaults) as found:
        read_map(text, "x.yaml")
    return str(found.value)


@pytest.mark.parametrize(
    "text", ["on", "no", "yes", "off", "y", "01-05", "16:30", "010", "2026.1", "0.5", "1e3", "0x1F", "1_000", "+5", "-0", "2026-11-30", "True", "NULL", ".inf"]
)
def test_a_plain_word_stays_the_text_that_was_written(text: str) -> None:
    assert read(f"a: {text}", "x.yaml").plain() == {"a": text}


@pytest.mark.parametrize(("text", "value"), [("true", True), ("false", False), ("null", None), ("~", None), ("", None), ("0", 0), ("30", 30), ("-7", -7)])
def test_only_true_false_null_and_whole_numbers_are_more_than_text(text: str, value: object) -> None:
    made = read(f"a: {text}", "x.yaml").plain()["a"]

    assert made == value
    assert type(made) is type(value)


def test_what_is_quoted_is_text() -> None:
    assert read("a: '30'\nb: \"true\"\nc: |\n  30\n", "x.yaml").plain() == {"a": "30", "b": "true", "c": "30\n"}


def test_a_key_is_text_whatever_it_looks_like() -> None:
    assert read("on: 1\n2: 2\ntrue: 3", "x.yaml").plain() == {"on": 1, "2": 2, "true": 3}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: 2\na: 3", "x.yaml:3:1: 'a' stands here a second time (first on line 1); keep one of them"),
        ("a: {b: 1, b: 2}", "x.yaml:1:11: 'b' stands here a second time (first on line 1); keep one of them"),
        ('a: 1\n"a": 2', "x.yaml:2:1: 'a' stands here a second time (first on line 1); keep one of them"),
        ("a: &x 1", "x.yaml:1:4: '&x' names a part to be repeated; write the part out where it is needed"),
        ("&x a: 1", "x.yaml:1:1: '&x' names a part to be repeated; write the part out where it is needed"),
        ("a:\n  - *x", "x.yaml:2:5: '*x' repeats another part; write the part out again"),
        ("a:\n  <<: {b: 1}", "x.yaml:2:3: '<<' merges another part; write the part out, or use 'extends'"),
        ("a: !!str 5", "x.yaml:1:4: the tag 'tag:yaml.org,2002:str' is not allowed; leave it out"),
        ("a: ! 5", "x.yaml:1:4: the tag '!' is not allowed; leave it out"),
        ("!!str a: 5", "x.yaml:1:1: the tag 'tag:yaml.org,2002:str' is not allowed; leave it out"),
        ("a: 1\n---\nb: 2", "x.yaml:2:1: a second document begins here; put it into a file of its own"),
        ("", "x.yaml:1:1: the file is empty; write names and values, such as 'title: ...'"),
        ("- a", "x.yaml:1:1: the file must consist of names and values, such as 'title: ...'"),
        ("[a]: 1", "x.yaml:1:1: a name must be plain text, not a list or map"),
        ("a: b: c", "x.yaml:1:5: mapping values are not allowed in this context; check indentation (spaces, no tabs), colons and quotes here"),
        ("a: [1, 2", "x.yaml:2:1: did not find expected ',' or ']'; check indentation (spaces, no tabs), colons and quotes here"),
        ("é: \x07", "x.yaml:1:4: the character U+0007 has no place in a text file; remove it"),
        ("a: 1\nb: x\u2028y", "x.yaml:2:5: the character U+2028 has no place in a text file; remove it"),
        ("a: \ud800", "x.yaml:1:4: the character U+D800 has no place in a text file; remove it"),
    ],
)
def test_what_could_mislead_is_refused_at_its_place_with_what_to_write_instead(text: str, said: str) -> None:
    assert fault(text) == said


def test_a_byte_order_mark_at_the_beginning_is_no_fault() -> None:
    assert read("\ufeffa: 1", "x.yaml").plain() == {"a": 1}


@pytest.mark.parametrize("depth", [41, 100_000])
def test_deep_nesting_is_refused_however_deep(depth: int) -> None:
    assert "nested deeper than 40 levels; write it flat" in fault("a: " + "[" * depth)


def test_forty_levels_are_read() -> None:
    assert read("a: " + "[" * 39 + "]" * 39, "x.yaml").plain()["a"] is not None


def test_a_file_of_more_than_a_mebibyte_is_refused_before_it_is_read() -> None:
    assert fault("a: " + "é" * (MAX_BYTES // 2)) == "x.yaml: the file has more than 1024 KiB; split it"


def test_every_part_knows_its_line_and_column_and_the_nearest_known_one_answers_for_what_is_missing() -> None:
    node = read("a:\n  b: [x, {c: y}]\n", "x.yaml")

    assert node.find(("a", "b", 1, "c")) == ("x.yaml", 2, 14)
    assert node.find(("a", "b", 1, "c"), key=True) == ("x.yaml", 2, 11)
    assert node.find(("a", "b", 1, "d")) == ("x.yaml", 2, 10)
    assert node.find(("a", 0, "b")) == ("x.yaml", 2, 6)


def test_a_request_or_scenario_that_is_no_yaml_is_bad_input_in_one_sentence() -> None:
    with pytest.raises(BadInput, match=r"r\.yaml:1:5: mapping values"):
        read_plain("a: b: c", "r.yaml")
