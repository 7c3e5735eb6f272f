"""The tables of the traps: every trap has a row, every scenario and rule that a row names exists, and none is left out."""

from __future__ import annotations

import re

from caseflow.bootstrap import App
from tests.conftest import PACK, ROOT

TEXT = (ROOT / "docs" / "traps-of-the-text.md").read_text()
DETERMINATIONS, PERMITS = TEXT.split("\n## Permits\n")


def rows(text: str, prefix: str) -> dict[str, str]:
    return dict(re.findall(rf"^\| ({prefix}\d+) \|.*\| (.*?) \|$", text, re.M))


def test_every_trap_has_a_row() -> None:
    assert list(rows(DETERMINATIONS, "TR-")) == [f"TR-{number:02}" for number in range(1, 46)]
    assert list(rows(PERMITS, "T")) == [f"T{number}" for number in range(1, 31)]


def test_every_scenario_named_exists_and_none_is_left_out() -> None:
    for text, folder in ((DETERMINATIONS, PACK / "scenarios"), (PERMITS, PACK / "scenarios" / "permits")):
        named = set(re.findall(r"`(traps/[^`]+\.yaml)`", text))
        there = {path.relative_to(folder).as_posix() for path in (folder / "traps").glob("*.yaml")}

        assert named == there


def test_every_rule_named_exists_and_a_trap_without_a_showing_says_so() -> None:
    rules = {name for one in App().library.all()[0].rulesets for name in one.rules()}

    for trap, shown in rows(PERMITS, "T").items():
        named = re.findall(r"\b(?:[A-Z]{2}|GP-[A-Z]+)-\w+", shown.partition("rule tests")[2])
        assert set(named) <= rules, trap
        assert named or "traps/" in shown or shown.startswith("text only"), trap
