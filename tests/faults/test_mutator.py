"""A planted fault does not pass: the check or a scenario refuses nine in ten of a seeded sample."""

from __future__ import annotations

from caseflow.adapters.packs.library import pack_files
from tests.conftest import PACK, ROOT
from tests.faults.mutator import Mutant, judge, mutants, sample

KINDS = {
    "edge removed",
    "guard inverted",
    "clock unstopped",
    "hold unended",
    "letter dropped",
    "days changed",
    "fact misspelt",
    "cite removed",
    "action renamed",
    "unit changed",
}


def test_faults_of_every_kind_can_be_planted_more_than_three_hundred_in_all() -> None:
    found = list(mutants(pack_files(PACK, ROOT / "templates" / "letters")))

    assert {mutant.kind for mutant in found} == KINDS
    assert len(found) >= 300


def test_nine_in_ten_planted_faults_are_refused_and_the_check_names_their_line() -> None:
    verdicts = [judge(mutant) for mutant in sample(20, 17)]

    survivors = [verdict.mutant for verdict in verdicts if verdict.by == "survived"]
    astray = [verdict for verdict in verdicts if verdict.by == "check" and not verdict.line_right]
    assert len(survivors) <= 2, survivors
    assert len(astray) <= 2, astray


def test_a_change_that_is_no_fault_is_not_refused() -> None:
    harmless = Mutant("none", "pack.yaml", 1, "pack: wisconsin-dnr", "pack: wisconsin-dnr  # the first")

    assert judge(harmless, PACK / "scenarios" / "disputes").by == "survived"
