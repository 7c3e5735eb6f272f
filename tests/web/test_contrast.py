"""Every pair of colors that a page puts on top of one another, computed from the style sheet itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import caseflow.web

CSS = (Path(caseflow.web.__file__).parent / "static" / "caseflow.css").read_text()
PALETTE = dict(re.findall(r"--([a-z0-9-]+):(#[0-9a-f]{6})", CSS))
TEXT = [
    *((ink, ground) for ink in ("ink", "ink2", "water", "brick", "ochre", "iris", "moss") for ground in ("#ffffff", "ground")),
    *((kind, f"{kind}-tint") for kind in ("water", "brick", "ochre", "iris", "moss")),
    *(("ink", f"{kind}-tint") for kind in ("water", "brick", "ochre", "iris", "moss")),
    ("ink2", "water-tint"),
    ("ink3", "#ffffff"),
    ("ink3", "ground"),
    ("#50616a", "water-tint"),
    ("#ffffff", "bar"),
    ("#ffffff", "water"),
    ("#ffffff", "ink"),
    ("ochre", "#ffffff"),
    ("ink2", "#eff2f1"),
    ("ink", "#e3edf5"),
]
SIGNS = [
    ("bar", "#ffffff"),
    ("#a77d22", "#ffffff"),
    ("#7c6bb0", "#ffffff"),
    ("strong", "#ffffff"),
    ("focus", "#ffffff"),
    ("focus", "ground"),
    ("#5d6d76", "#ffffff"),
    ("#a77d22", "ochre-tint"),
]


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: str, other: str) -> float:
    high, low = sorted((luminance(PALETTE.get(one, one)), luminance(PALETTE.get(other, other))), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("text", "ground"), TEXT)
def test_text_stands_out_from_what_it_lies_on(text: str, ground: str) -> None:
    assert ratio(text, ground) >= 4.5


@pytest.mark.parametrize(("sign", "ground"), SIGNS)
def test_what_carries_meaning_without_words_stands_out(sign: str, ground: str) -> None:
    assert ratio(sign, ground) >= 3


def test_the_measure_knows_bad_from_good_and_every_color_written_out_is_in_use() -> None:
    assert ratio("#777777", "#ffffff") < 4.5 < ratio("#767676", "#ffffff") and ratio("#000000", "#ffffff") == pytest.approx(21)
    for pair in (*TEXT, *SIGNS):
        assert all(color in PALETTE or color == "#ffffff" or color in CSS for color in pair), pair
