"""A planted fault does not pass: the check or a scenario refuses nineteen in twenty of a seeded sample."""

from __future__ import annotations

from caseflow.adapters.packs.library import pack_files
from tests.conftest import PACK, ROOT
from tests.faults.mutator import judge, mutants, sample

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


def test_planted_faults_are_refused() -> None:
    verdicts = [judge(mutant) for mutant in sample(30, 7)]

    survivors = [verdict.mutant for verdict in verdicts if verdict.by == "survived"]
    assert len(survivors) <= 2, survivors
