"""scenario and demo: what would happen, on a virtual clock and in memory."""

from __future__ import annotations

from typing import Any

import click

from caseflow.cli.door import FAULTS, Door, progress
from caseflow.cli.options import with_json
from caseflow.cli.pictures import answers
from caseflow.cli.pictures.scenarios import results


@click.group()
def scenario() -> None:
    """Rehearse scenarios on a virtual clock."""


@scenario.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--coverage", is_flag=True, help="Say what of the pack no scenario reached.")
@with_json
@click.pass_obj
def run(door: Door, files: tuple[str, ...], coverage: bool, as_json: bool) -> None:
    """Rehearse scenario files, or folders of them. Exit code 1 if one does not end as it says."""
    with progress() as told:
        found = door.app.rehearse(files, coverage, told)
    door.exit_code = door.exit_code if all(one["passed"] for one in _each(found)) else FAULTS
    door.answer(found, as_json, results)


def _each(found: list[dict[str, Any]] | dict[str, Any]) -> list[dict[str, Any]]:
    each: list[dict[str, Any]] = found["scenarios"] if isinstance(found, dict) else found
    return each


@click.command()
@click.option("--folder", default="demo", show_default=True, help="Where letters, timelines and the board appear.")
@with_json
@click.pass_obj
def demo(door: Door, folder: str, as_json: bool) -> None:
    """Rehearse a sample docket from October to June, and write its letters, timelines and board."""
    with progress() as told:
        made = door.app.demo(folder, told)
    door.answer(made, as_json, answers.rehearsed)
