"""caseflow pack prove on the command line: what it answers, how it ends, what it writes and what it keeps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from caseflow.cli.main import cli
from caseflow.errors import BadInput
from tests.unit.pack_texts import FLOW, spoiled
from tests.unit.planted import CLAIMS
from tests.unit.small_office import written


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), standalone_mode=False)


def proofs(*words: str) -> list[dict[str, Any]]:
    made = run("pack", "prove", *words, "--json")
    return list(json.loads(made.stdout)["proofs"])


@pytest.fixture
def broken(tmp_path: Path) -> str:
    """A pack that lets the owner be asked twice, and claims that this never happens."""
    files = spoiled(FLOW, "times: 1", "times: 2")
    claim = CLAIMS.splitlines()[1]
    return str(written(tmp_path, spoiled(FLOW, "limits:\n", f"claims:\n{claim}\nlimits:\n", files)))


def test_a_broken_claim_ends_with_one_and_writes_a_scenario_that_fails(broken: str, tmp_path: Path) -> None:
    made = run("--packs", broken, "pack", "prove", "tree-permit", "--write", str(tmp_path / "breaks"))

    assert made.exit_code == 1
    assert "BROKEN asked-once" in made.stdout
    [path] = (tmp_path / "breaks").iterdir()
    played = run("--packs", broken, "scenario", "run", str(path), "--json")
    [fault] = json.loads(played.stdout)[0]["faults"]
    assert (fault["step"], fault["expected"], fault["got"]) == (3, "refused: limit-reached", "it was done")


def test_a_walk_is_kept_until_the_pack_changes(broken: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first, again, anew = proofs_of(broken), proofs_of(broken), proofs_of(broken, "--anew")
    flow = Path(broken) / "oakville" / FLOW
    flow.write_text(flow.read_text() + "# changed\n")

    assert [one["kept"] for one in (first, again, anew, proofs_of(broken))] == [False, True, False, False]
    assert {key: first[key] for key in ("states", "edges", "claims")} == {key: again[key] for key in ("states", "edges", "claims")}


def proofs_of(packs: str, *words: str) -> dict[str, Any]:
    [one] = json.loads(run("--packs", packs, "pack", "prove", *words, "--json").stdout)["proofs"]
    return dict(one)


def test_what_is_no_workflow_is_one_clear_sentence() -> None:
    made = run("pack", "prove", "navigability-in-fat")

    assert isinstance(made.exception, BadInput)
    assert "did you mean 'navigability-in-fact'?" in str(made.exception)


@pytest.mark.parametrize("workflow", ["navigability-in-fact", "navigability-determination", "ohwm-determination"])
def test_the_claims_of_determinations_hold_within_seconds(workflow: str) -> None:
    [one] = proofs(workflow)

    assert [claim["id"] for claim in one["claims"] if not claim["holds"]] == []
    assert one["states"] > 100
    assert one["seconds"] < 10
