"""The letters of a pack rendered with its samples: what can't be written is told at the line that can't be."""

from __future__ import annotations

from caseflow.adapters.packs.library import PackLibrary
from caseflow.adapters.packs.rendering import rendered_faults
from caseflow.errors import Fault
from tests.unit.pack_texts import HOME, sound

TEMPLATE, ACTS = "templates/answer.md", "samples/acts.yaml"


def faults_of(files: dict[str, str]) -> list[Fault]:
    library = PackLibrary(HOME / "workflows", HOME / "templates" / "letters")
    return rendered_faults(library.load(files), files, library)


def test_a_sound_pack_renders() -> None:
    assert faults_of(sound()) == []


def test_a_hole_in_a_letter_is_told_at_the_line_of_the_template() -> None:
    files = sound()
    files[TEMPLATE] += "\nSigned by {{ facts.signer }}.\n"

    [fault] = faults_of(files)
    assert (fault.file, fault.line) == (TEMPLATE, files[TEMPLATE].count("\n"))
    assert "decide of tree-permit with samples/tree-permit/complete.yaml: The letter 'answer' needs signer" in fault.text


def test_a_template_that_can_not_be_read_is_told_at_its_line() -> None:
    files = sound()
    files[TEMPLATE] += "\n{% if %}\n"

    [fault] = faults_of(files)
    assert (fault.file, fault.line) == (TEMPLATE, files[TEMPLATE].count("\n"))


def test_example_facts_that_do_not_fit_are_told_at_the_act() -> None:
    files = sound()
    files[ACTS] = "acts:\n  ask: {reason: x}\n  decide: {answer: [a, b]}\n"

    [fault] = faults_of(files)
    assert (fault.file, fault.line, fault.column) == (ACTS, 3, 3)
    assert "'answer' must be text" in fault.text
