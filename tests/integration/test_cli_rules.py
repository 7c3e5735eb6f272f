"""`rules evaluate` and `rules list`: what facts files may say, how bad ones are told, and the picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from caseflow.bootstrap import App
from caseflow.cli.main import cli
from caseflow.errors import BadInput, Refused
from tests.unit.pack_texts import sound, spoiled
from tests.unit.small_office import written

GOOD = """
work: fell
felling_from: 2026-03-01
felling_to: 2026-03-05
street: Low Road
lot_m: 120 m
felled: 1
pruned: {value: 1}
tools: [saw]
girth_cm: {value: "45.50", unit: cm}
tall_m: 20.0
sick: false
judgments:
  F-3: {outcome: pass, who: ann, when: 2026-02-01, why: I was there.}
  F-8: pass
"""


@pytest.fixture
def app(tmp_path: Path) -> App:
    return App(packs=str(written(tmp_path, sound())), at="2026-04-01")


@pytest.fixture
def told(app: App, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    def evaluated(text: str, on: str = "2026-04-01", ruleset: str = "felling", **readings: str) -> dict[str, Any]:
        path = tmp_path / "facts.yaml"
        path.write_text(text)
        return app.rules_evaluate(ruleset, app.read_yaml(str(path)), on, readings)

    return evaluated


def test_a_whole_facts_file_is_evaluated(told: Callable[..., dict[str, Any]]) -> None:
    made = told(GOOD)

    assert (made["ruleset"], made["version"], made["in_force"], made["result"], made["notes"]) == ("felling", "2020", True, "pass", [])
    girth = next(one for one in made["findings"] if one["rule"] == "F-1a")
    assert girth["leaves"] == [
        {"field": "girth_cm", "op": "at-least", "value": 40, "unit": "cm", "got": "45.50", "outcome": "pass", "title": "Girth of the tree", "decides": True}
    ]
    judged = next(one for one in made["findings"] if one["rule"] == "F-3")
    assert (judged["outcome"], judged["judgment"]["why"]) == ("pass", "I was there.")
    assert not any(isinstance(value, float) for one in made["findings"] for leaf in one["leaves"] for value in leaf.values())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("lot_m: 120 m", "lot_m: 120 ft", "'lot_m' is in m, not in ft; write it as 'lot_m: 6', the number of m."),
        ("lot_m: 120 m", "lot_m: {value: 6, unit: in}", "'lot_m' is in m, not in in; write it as 'lot_m: 6', the number of m."),
        ("felled: 1", "felled: 1 tree", "'felled' has no unit, not in tree; write it as 'felled: 6'."),
        ("pruned: {value: 1}", "pruned: {number: 1}", "'pruned' is a number; write it as 'pruned: 6', or as {value: 6, unit: count}."),
        ("lot_m: 120 m", "lot_m: 1,5", "'lot_m' must be a number in m, not '1,5'."),
        ("lot_m: 120 m", "lot_m: 1e400000000", "'lot_m' has too many digits; write at most 30."),
        ("lot_m: 120 m", "lot_m: 1e-400000000", "'lot_m' has too many digits; write at most 30."),
        ("lot_m: 120 m", "lot_m: wide", "'lot_m' must be a number in m, not 'wide'."),
        ("lot_m: 120 m", "lot_m: [1]", "'lot_m' must be a number in m, not a list."),
        ("sick: false", "sick: no", "'sick' must be true or false, not 'no'."),
        ("work: fell", "work: fel", "'work' can't be 'fel'; did you mean 'fell'? write one of fell, prune, plant."),
        ("work: fell", "work: dig", "'work' can't be 'dig'; write one of fell, prune, plant."),
        ("street: Low Road", "street: Lon Avenue", "'street' says 'Lon Avenue', which no rule knows; did you mean 'Long Avenue'? If it is another one, write more of its name."),
        ("girth_cm:", "girth:", "There is no fact 'girth'; did you mean 'girth_cm'?"),
        ("girth_cm:", "xyz:", "There is no fact 'xyz'; leave it out."),
        ("2026-03-05", "2026-02-28", "'felling_to' (2026-02-28) lies before 'felling_from' (2026-03-01); exchange the days."),
        ("2026-03-05", "March 5", "'felling_to' must be a day such as 2027-01-15, not 'March 5'."),
        ("F-8: pass", "F-88: pass", "There is no rule 'F-88' to judge; did you mean 'F-8'?"),
        ("F-8: pass", "F-8: yes", "The judgment of 'F-8' needs an outcome, pass or fail: {outcome: pass, who: ..., when: ..., why: ...}."),
        ("F-8: pass", "F-6: pass", "The judgment of 'F-6' needs an outcome, raised or not-raised: {outcome: raised, who: ..., when: ..., why: ...}."),
        ("F-8: pass", "F-8: {outcome: pass, whom: x}", "The judgment of 'F-8' has no part 'whom'; did you mean 'who'?"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_by_name_with_what_to_write_instead(told: Callable[..., dict[str, Any]], old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(BadInput) as refusal:
        told(GOOD.replace(old, new))

    assert str(refusal.value) == said


def test_every_fact_that_does_not_fit_is_told_at_once(told: Callable[..., dict[str, Any]]) -> None:
    with pytest.raises(BadInput, match=r"'sick' must be true or false, not 'no'\. .*There is no rule 'F-88'"):
        told(GOOD.replace("sick: false", "sick: no").replace("F-8:", "F-88:"))


def test_an_unknown_rule_set_is_told_with_the_nearest(told: Callable[..., dict[str, Any]]) -> None:
    with pytest.raises(BadInput, match="There is no rule set 'feling'; did you mean 'felling'"):
        told(GOOD, ruleset="feling")


def test_an_unknown_setting_or_reading_is_told(told: Callable[..., dict[str, Any]]) -> None:
    with pytest.raises(BadInput, match="There is no setting 'strict'"):
        told(GOOD, strict="true")


SETTING = (
    "settings:\n  old_law: {question: Is the old text used?, readings: {advise: With a note., refuse: No.}, "
    "default: advise, cite: Oakville by-law 12, why: People ask.}\n"
)


def test_after_its_end_a_set_answers_with_its_note_or_is_refused_as_the_reading_says(tmp_path: Path) -> None:
    files = spoiled("pack.yaml", "prefix: OAK", f"prefix: OAK\n{SETTING}")
    files = spoiled("rules/felling.yaml", "cite: Oakville by-law 12}", "cite: Oakville by-law 12, setting: old_law}", files)
    del files["rules/felling-2027.yaml"]
    app = App(packs=str(written(tmp_path, files)))

    made = app.rules_evaluate("felling", {"work": "fell"}, "2027-01-01", {})
    assert (made["in_force"], made["notes"]) == (False, ["replaced"])
    assert made["explanations"]["replaced"]["text"] == "The by-law of 2027 replaced this text."
    with pytest.raises(Refused, match="felling is not used for 2027-01-01"):
        app.rules_evaluate("felling", {"work": "fell"}, "2027-01-01", {"old_law": "refuse"})
    with pytest.raises(BadInput, match=r"has no reading 'refus'; did you mean 'refuse'\?"):
        app.rules_evaluate("felling", {"work": "fell"}, "2027-01-01", {"old_law": "refus"})


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Any]:
    packs = str(written(tmp_path, sound()))

    def command(*words: str, facts: str = GOOD) -> Any:
        path = tmp_path / "facts.yaml"
        path.write_text(facts)
        told = [str(path) if word == "FACTS" else word for word in words]
        return CliRunner().invoke(cli, ["--packs", packs, "--at", "2026-04-01", "rules", *told], standalone_mode=False)

    return command


def test_the_picture_shows_the_failing_rule_first_with_what_was_found_beside_what_is_allowed(run: Callable[..., Any]) -> None:
    shown = run("evaluate", "felling", "FACTS", facts=GOOD.replace("tall_m: 20.0", "tall_m: 121").replace("sick: false\n", "")).output
    words = " ".join(shown.split())

    assert words.index("FAILS") < words.index("F-2") < words.index("F-1 ") < words.index("A-1")
    assert "Height of the tree: 121 m; allowed: at most 120 m" in words
    assert "Oakville by-law 7 (7)" in words
    assert "✗ fails" in words and "✓ passes" in words
    assert "Judged pass by ann, 2026-02-01: I was there." in words
    assert "2 rules do not apply to these facts." in words


def test_the_command_prints_the_contract_as_json(run: Callable[..., Any]) -> None:
    made = json.loads(run("evaluate", "felling", "FACTS", "--on", "2027-01-01", "--json").output)

    assert set(made) >= {"ruleset", "version", "in_force", "result", "findings", "notes"}
    assert made["version"] == "2027"
    for one in made["findings"]:
        assert set(one) >= {"rule", "cite", "kind", "mode", "outcome", "leaves", "text"}


def test_the_rule_sets_are_listed_with_their_versions_and_the_rules_of_one(run: Callable[..., Any]) -> None:
    made = json.loads(run("list", "--json").output)["rulesets"]

    assert {(one["ruleset"], one["version"], one["in_force"]) for one in made} == {
        ("felling", "2020", True),
        ("felling", "2027", False),
        ("nesting", "2027", False),
    }
    rules = json.loads(run("list", "felling", "--on", "2027-01-01", "--json").output)
    assert [one["rule"] for one in rules["rules"]] == ["A-1", "F-1", "F-9"]
    assert "No work while birds nest." in " ".join(run("list", "felling").output.split())
