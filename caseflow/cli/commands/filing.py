"""init, file and verify: the record begins, grows by a request, and is checked."""

from __future__ import annotations

import click

from caseflow.cli.door import FAULTS, Door, progress
from caseflow.cli.options import with_actor, with_json
from caseflow.cli.pictures import answers


@click.command()
@click.option("--live", is_flag=True, help="Mark the database as a real record, for good: --at is refused there.")
@with_json
@click.pass_obj
def init(door: Door, live: bool, as_json: bool) -> None:
    """Create or migrate the database. Safe to repeat."""
    door.answer(door.app.init(live), as_json, answers.begun)


@click.command()
@click.argument("request_file", metavar="REQUEST.yaml")
@with_actor
@with_json
@click.pass_obj
def file(door: Door, request_file: str, actor: str | None, as_json: bool) -> None:
    """File a request; it opens a case for each service and waterbody."""
    request = door.read(request_file)
    door.answer(door.app.file(request, door.actor(actor)), as_json, answers.filed)


@click.command()
@click.argument("case", required=False)
@with_json
@click.pass_obj
def verify(door: Door, case: str | None, as_json: bool) -> None:
    """Recompute the hash chain and replay the record, of one case or of all. Exit code 1 says where it breaks."""
    with progress() as told:
        found = door.app.verify(case, told)
    door.exit_code = FAULTS if found["faults"] else door.exit_code
    door.answer(found, as_json, answers.verified)
