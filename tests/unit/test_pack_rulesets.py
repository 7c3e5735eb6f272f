"""Slips in rule sets: kinds and modes, borrowed rules, lists, allotments, seasons, what is covered, and what a workflow takes from them."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT
from tests.unit.pack_texts import FACTS, FLOW, PACK, Slip, faults_of, marked, slipped, sound, spoiled

SET = "rules/felling.yaml"
LATER = "rules/felling-2027.yaml"


def rule(old: str, new: str) -> list[tuple[str, str, str]]:
    return [(SET, old, new)]


SLIPS = [
    # --- how a rule is established ---
    Slip(
        "a rule without a test",
        rule("F-3: {text: It harms no neighbor., cite: Oakville by-law 7 (8), mode: judgment}", "¶F-3: {text: It harms no neighbor., cite: x}"),
        "rule 'F-3' has no test; write one, or 'mode: judgment' where only a person can say",
    ),
    Slip("a rule without words", rule("F-2: {text: It falls onto the lot., cite", "¶F-2: {cite"), "rule 'F-2' has no text; write what must hold, in words"),
    Slip(
        "a rule of judgment that asks stated facts",
        rule("(7), test: {fact: tall_m", "(7), ¶mode: judgment, test: {fact: tall_m"),
        "rule 'F-2' is of judgment, but every fact that it asks is stated or measured; write 'established: judgment' at the fact, or another mode",
    ),
    Slip(
        "an evaluation factor with a test",
        rule("considers: [street, the view]}", "considers: [street, the view], ¶test: {fact: sick, is: true}}"),
        "rule 'F-4' is an evaluation-factor, which has no test; leave it out, or write another kind",
    ),
    Slip(
        "an evaluation factor that weighs nothing",
        rule("F-4: {text: What is weighed., cite: Oakville by-law 7 (9), kind: evaluation-factor, considers: [street, the view]}", "¶F-4: {text: What is weighed., cite: x, kind: evaluation-factor}"),
        "rule 'F-4' is an evaluation-factor; name under 'considers' what is weighed",
    ),
    Slip(
        "a standard that considers",
        rule("(7), test: {fact: tall_m", "(7), ¶considers: street, test: {fact: tall_m"),
        "'considers' belongs to an evaluation-factor; rule 'F-2' is a standard",
    ),
    Slip(
        "a trigger that asks for nothing",
        rule("F-6: {text: A thick tree needs an inspection., cite: Oakville by-law 7 (11), kind: requirement-trigger, then: An inspection is needed., ", "¶F-6: {text: A thick tree needs an inspection., cite: x, kind: requirement-trigger, "),
        "rule 'F-6' is a requirement-trigger; say under 'then' what it asks for",
    ),
    Slip(
        "a standard that blocks",
        rule("(7), test: {fact: tall_m", "(7), ¶blocks: true, test: {fact: tall_m"),
        "'blocks' belongs to a requirement-trigger; rule 'F-2' is a standard",
    ),
    Slip(
        "a text not found that is read in no way",
        rule("(7), test: {fact: tall_m", "(7), ¶found: false, test: {fact: tall_m"),
        "the text of rule 'F-2' was not found, but it has a test; write under 'reading' how it is read",
    ),
    Slip(
        "a text not found and verified",
        rule("confidence: not-found}", "¶confidence: verified}"),
        "the text of rule 'F-8' was not found, so it can't be verified; write inferred, recalled or not-found",
    ),
    Slip("a kind that is none", rule("kind: procedure", "kind: ¶procedur"), "'kind': input should be 'standard', 'eligibility', 'condition', 'requirement-trigger', 'evaluation-factor' or 'procedure', not 'procedur'"),
    # --- steps and borrowed rules ---
    Slip("a step of no rule", rule("within: F-1, test", "within: ¶F-11, test"), "no other rule 'F-11' in this set; did you mean 'F-1'?"),
    Slip(
        "a step that its rule does not name",
        rule("within: F-1, test: {fact: girth_cm", "within: ¶F-2, test: {fact: girth_cm"),
        "rule 'F-1a' stands within 'F-2', whose test does not name it; name it there, or leave 'within' out",
    ),
    Slip("a rule of an unknown set", [(LATER, "ruleset: nesting", "ruleset: ¶nestin")], "no rule set 'nestin'; did you mean 'nesting'?"),
    Slip("a borrowed rule that is not there", [(LATER, "rule: N-1", "rule: ¶N-2")], "no rule 'N-2' in rule set 'nesting'; did you mean 'N-1'?"),
    Slip(
        "a borrowed rule that one version lacks",
        [("rules/nesting.yaml", "test: {days: [felling_from, felling_to], outside: {from: 03-01, to: 06-30}}", "test: {ruleset: felling, rule: ¶F-2}")],
        "no rule 'F-2' in rule set 'felling' 2027; did you mean 'F-9'?",
    ),
    Slip(
        "a borrowed rule with a test of its own",
        [(LATER, "same-as: {ruleset: nesting, rule: N-1}", "same-as: {ruleset: nesting, rule: N-1}, ¶test: {fact: sick, is: false}")],
        "rule 'A-1' borrows its test; leave 'test' out, or 'same-as'",
    ),
    Slip("a rule of this very set", rule("test: {any: [F-1a, F-1b]}", "test: {any: [F-1a, F-1b, {ruleset: ¶felling, rule: A-1}]}"), "'felling' is this set; name the rule itself in the test"),
    Slip(
        "a borrowed rule about its own whole",
        [("rules/nesting.yaml", "test: {days: [felling_from, felling_to], outside: {from: 03-01, to: 06-30}}", "test: {ruleset: whole, rule: ¶W-1}"),
         ("rules/whole.yaml", "", "ruleset: whole\nversion: a\nin-force: {}\nparts: {p: {title: P, rules: {W-1: {text: T, cite: x, kind: requirement-trigger, then: X, test: {whole: failed}}}}}\n")],
        "rule 'W-1' asks about its own set as a whole and can't be borrowed",
    ),
    Slip(
        "rules of two sets that lead back",
        [
         ("rules/nesting.yaml", "test: {days: [felling_from, felling_to], outside: {from: 03-01, to: 06-30}}", "test: {ruleset: back, rule: B-1}"),
         ("rules/back.yaml", "", "ruleset: back\nversion: a\nin-force: {}\nparts: {p: {title: P, rules: {¶B-1: {cite: x, same-as: {ruleset: nesting, rule: N-1}}}}}\n")],
        "rule 'B-1' leads back to itself; break the chain",
    ),
    Slip("one id in two parts", rule("P-1: {text", "¶F-1: {text"), "rule 'F-1' stands in part 'fell' too; give one of them another id"),
    Slip(
        "a standard about the whole",
        rule("kind: requirement-trigger, then: A permit is needed., test: {whole: failed}", "test: {whole: ¶failed}"),
        "only a requirement-trigger that blocks nothing asks about the whole, for it is found last; write 'kind: requirement-trigger' without 'blocks'",
    ),
    # --- lists ---
    Slip("a list that is not there", rule("{list: avenues}", "{list: ¶avenue}"), "no list 'avenue' in this set; did you mean 'avenues'?"),
    Slip("a list compared with is", rule("not-in: {list: avenues}", "is: ¶{list: avenues}"), "a list is asked with in, not-in or within, not with 'is'"),
    Slip("a column that is not there", rule("{ward: wards}", "{ward: ¶ward}"), "no column 'ward' in list 'avenues'; did you mean 'wards'?"),
    Slip("a column that nobody asks", rule("wards: south}", "wards: south, ¶zone: a}"), "no rule asks the column 'zone' of list 'avenues'; ask it under 'where', or take it away"),
    Slip("a fact of a column that is not there", rule("{ward: wards}", "{¶warden: wards}"), "no fact 'warden'; did you mean 'ward'?"),
    Slip("columns without a list", rule("not-in: {list: avenues}, where", "is: High Street, ¶where"), "'where' asks the columns of a list; compare with one: 'in: {list: L}'"),
    Slip("a name twice on a list", rule("High Street]", "High Street, {name: ¶Elm Row}]"), "'Elm Row' stands here a second time; keep one of them"),
    Slip("a list that nobody asks", rule("lists:\n", "lists:\n  ¶lanes: {cite: x, entries: [a]}\n"), "list 'lanes' is never asked; ask it in a rule or take it away"),
    Slip("a name of a list without a citation", rule("    cite: Oakville by-law 7 annex\n    entries: [{name: Long Avenue", "    entries: [¶{name: Long Avenue"), "'Long Avenue' has no cite; name the law here or at the list, or write 'note'"),
    Slip("a name that the fact can't have", [(FACTS, "street: {type: text", "street: {type: choice, values: [Long Avenue, Elm Row]"), (SET, "wards: south}, High Street]", "wards: south}, ¶High Street]")], "fact 'street' can never be 'High Street'; add it to the values of the fact"),
    # --- allotments ---
    Slip("an allotment that is not there", rule("{allotment: cuts", "{allotment: ¶cut"), "no allotment 'cut' in this set; did you mean 'cuts'?"),
    Slip("an allotment that grows with text", rule("of: lot_m\n", "of: ¶street\n"), "fact 'street' is of type text; an allotment grows with a number"),
    Slip("an allotment that grows with an unknown fact", rule("of: lot_m\n", "of: ¶lot\n"), "no fact 'lot'; did you mean 'lot_m'?"),
    Slip("an allotment in another unit", rule("unit: m\n    counts", "unit: ¶ft\n    counts"), "fact 'lot_m' is in m, the allotment says ft"),
    Slip("a base of too few numbers", rule("base: [[1, 1], [0, 2]]", "base: [[1, 1], ¶[0]]"), "write 2 numbers of 0 or more, one each for felled, pruned"),
    Slip("a swap that takes too few", rule("takes: [0, 2]", "takes: ¶[2]"), "write 2 numbers of 0 or more, one each for felled, pruned"),
    Slip("a step of nothing", rule("adds: {each: 50", "adds: {each: ¶0"), "'each': input should be greater than 0"),
    Slip("steps that take", rule("gives: [0, 1]}", "gives: [0, 1], ¶takes: [1, 0]}"), "what is added takes nothing away; write 'takes' under 'swaps'"),
    Slip("a swap of nothing added", rule("    adds: {each: 50, beyond: 100, gives: [0, 1]}\n    swaps:", "    ¶swaps:"), "a swap takes from what was added; write 'adds' too"),
    Slip("too few facts for an allotment", rule("asks: [felled, pruned]", "asks: ¶[felled]"), "name 2 facts, one each for felled, pruned"),
    Slip("a fact of an allotment that is no number", rule("asks: [felled, pruned]", "asks: [felled, ¶street]"), "fact 'street' is of type text; what is asked for is a number"),
    Slip("an allotment without a citation", rule("  cuts:\n", "  ¶cuts:\n") + rule("    cite: Oakville by-law 7 (4)\n", ""), "allotment 'cuts' has no cite; name the law, or write 'note'"),
    Slip("an allotment that decides whether a rule applies", rule("(7), test: {fact: tall_m", "(7), applies: {allotment: ¶cuts}, test: {fact: tall_m"), "an allotment is a test; it can't say whether a rule applies"),
    # --- seasons and comparisons ---
    Slip("a season of no day", rule("from: 11-15", "from: ¶11-31"), "'11-31' is no day of every year; write it as 09-15"),
    Slip("a season that begins on a leap day", rule("to: 02-10", "to: ¶02-29"), "'02-29' is no day of every year; write it as 09-15"),
    Slip("a season of three days", rule("days: [felling_from, felling_to]", "days: ¶[felling_from, felling_to, felling_to]"), "a season is asked with the first and the last day of a period, or with one day"),
    Slip("a season of text", rule("days: [felling_from, felling_to]", "days: [felling_from, ¶street]"), "fact 'street' is of type text; a season is asked with facts of type day"),
    Slip("a season of an unknown fact", rule("days: [felling_from, felling_to]", "days: [felling_from, ¶felling_til]"), "no fact 'felling_til'; did you mean 'felling_to'?"),
    Slip("a fact against an unknown one", rule("at-most: {fact: lot_m}", "at-most: {fact: ¶lot}"), "no fact 'lot'; did you mean 'lot_m'?"),
    Slip("a fact against one in another unit", rule("at-most: {fact: lot_m}", "at-most: ¶{fact: girth_cm}"), "fact 'girth_cm' is of type number in cm, 'tall_m' of type number in m; two facts are compared in one type and unit"),
    Slip("a fact among another", rule("within: [saw, shears]", "within: ¶{fact: street}"), "'within' is asked with values; two facts are compared with is, is-not, at-least, at-most, more-than or less-than"),
    Slip("one thing within others", rule("{fact: tools, within: [saw, shears]}", "{fact: street, within: ¶[saw, shears]}"), "fact 'street' is of type text, which 'within' can't compare"),
    Slip("a comparison with an unknown setting", rule("at-most: {fact: lot_m}", "at-most: {setting: ¶tallest}, unit: m"), "no setting 'tallest'"),
    # --- the set ---
    Slip("a set that covers an unknown fact", rule("covers: work", "covers: ¶works"), "no fact 'works'; did you mean 'work'?"),
    Slip("a part that the covering fact does not pick", rule("activity: true\n    applies: {fact: work, is: prune}", "activity: ¶true\n    applies: {fact: sick, is: false}"), "part 'prune' is an activity, but its 'applies' does not ask fact 'work'; ask it there"),
    Slip("a set that covers no part", [(LATER, "parts:", "¶covers: work\nparts:")], "no part says which activities are covered; write 'activity: true' in at least one"),
    Slip("an activity of a set that covers nothing", [(LATER, "title: All work", "title: All work\n    activity: ¶true")], "part 'every' is one of the activities that the set covers; name the fact that says which at the top: 'covers: activity'"),
    Slip("words after an end that is none", [(LATER, "parts:", "¶after-end: {note: gone, text: Gone.}\nparts:")], "the set has no last day; write 'until' under 'in-force', or leave 'after-end' out"),
    Slip("an unknown setting after the end", rule("cite: Oakville by-law 12}", "cite: Oakville by-law 12, setting: ¶old_law}"), "no setting 'old_law'"),
    Slip(
        "a setting after the end with other readings",
        [(SET, "cite: Oakville by-law 12}", "cite: Oakville by-law 12, setting: ¶old_law}"),
         (PACK, "prefix: OAK", "prefix: OAK\nsettings:\n  old_law: {question: Q, readings: {advise: A, deny: B}, default: advise, cite: x, why: y}")],
        "setting 'old_law' must have exactly the readings advise and refuse",
    ),
    # --- workflows ---
    Slip("a screen of an unknown set", [(FLOW, "filed-on: answer", "filed-on: answer\nscreens: ¶fellings")], "no rule set 'fellings'; did you mean 'felling'?"),
    Slip("a standard that is no rule", [(FLOW, "filed-on: answer", "filed-on: answer\nscreens: nesting\nstandards: [¶N-2]")], "no rule 'N-2'; did you mean 'N-1'?"),
    Slip("standards that are asked but not named", [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {standards: ¶found}")], "the workflow names no standards; write 'standards' with the rules that a decision must find"),
    Slip(
        "standards asked of an act without findings",
        [(FLOW, "filed-on: answer", "filed-on: answer\nrules: nesting\nstandards: [N-1]"), (FLOW, "  decide: {title: Decide,", "  ¶decide: {title: Decide, needs: [{standards: found}],")],
        "'decide' needs the standards found but does not take the fact 'findings'; put it under 'takes'",
    ),
    Slip("an allotment in a workflow", [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {allotment: ¶cuts}")], "'allotment' belongs to a rule set; write the rule there and name it here"),
    Slip("a list in a workflow", [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {fact: street, in: ¶{list: avenues}}")], "a list belongs to a rule set; write the rule there and name it here"),
    Slip("a season of an unknown fact in a workflow", [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {days: [¶felling_form], outside: {from: 01-01, to: 02-01}}")], "no fact 'felling_form'; did you mean 'felling_from'?"),
]  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.title)
def test_a_slip_is_told_once_at_its_place_with_what_to_write_instead(slip: Slip) -> None:
    files, place = marked(slipped(slip))

    assert [((fault.file, fault.line, fault.column), fault.text) for fault in faults_of(files)] == [(place, slip.said)]


@pytest.mark.parametrize(
    "changes",
    [
        [(FLOW, "filed-on: answer", "filed-on: answer\nrules: nesting"), (FLOW, "needs: [thick-enough]", "needs: [thick-enough, N-1]")],
        [
            (
                FLOW,
                "test: {fact: girth_cm, at-least: 40, unit: cm}",
                "test: [{fact: girth_cm, at-least: 40, unit: cm}, {days: felling_from, outside: {from: 03-01, to: 06-30}}]",
            )
        ],
        [
            (
                FLOW,
                "test: {fact: girth_cm, at-least: 40, unit: cm}",
                "test: {fact: girth_cm, at-least: 40, unit: cm}\n    applies: {fact: tall_m, at-least: {fact: lot_m}}",
            )
        ],
    ],
)
def test_a_workflow_may_ask_rules_seasons_and_other_facts(changes: list[tuple[str, str, str]]) -> None:
    assert faults_of(slipped(Slip("", changes, ""))) == []


def test_the_pack_without_slips_has_no_fault() -> None:
    assert faults_of(sound()) == []


def test_the_rule_set_in_the_docs_loads() -> None:
    found = re.search(r"```yaml\n(ruleset: .*?)```", (ROOT / "docs" / "how-a-pack-works.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    text = found[1].replace("ruleset: felling", "ruleset: shown").replace("work_from", "felling_from").replace("work_to", "felling_to")
    setting = "settings:\n  old_law: {question: Q, readings: {advise: A, refuse: B}, default: advise, cite: x, why: y}"

    assert faults_of(spoiled(PACK, "prefix: OAK", f"prefix: OAK\n{setting}", {**sound(), "rules/shown.yaml": text})) == []
