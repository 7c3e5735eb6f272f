"""The text of each letter, word for word, as somebody has read it (tests/letters/golden; written by `python -m tests.letters.golden`)."""

from __future__ import annotations

import pytest

from caseflow.adapters.packs.nodes import read_plain
from tests.letters.golden import FOLDER, texts, whole_samples
from tests.unit.test_letters_pack import FILES

LETTERS = sorted(read_plain(FILES["letters.yaml"], "letters.yaml")["letters"])


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return texts(whole_samples())


def test_every_letter_of_both_sides_is_there_and_no_other(made: dict[str, str]) -> None:
    assert sorted(made) == LETTERS == sorted(path.stem for path in FOLDER.glob("*.txt"))


@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_says_word_for_word_what_was_read(letter: str, made: dict[str, str]) -> None:
    assert made[letter] == (FOLDER / f"{letter}.txt").read_text(encoding="utf-8")
