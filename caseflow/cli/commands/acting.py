"""act, void and amend: what a person does to a case."""

from __future__ import annotations

from datetime import date

import click

from caseflow.cli.door import Door
from caseflow.cli.options import SEQ, day_option, with_actor, with_json
from caseflow.cli.pictures import acts, case


@click.command()
@click.argument("number", metavar="CASE")
@click.argument("action")
@click.option("--facts", "facts_file", metavar="F.yaml", help="What the action takes.")
@click.option(
    "--on", type=DAY, help="The effective date; of a document, the day on which it arrived.  [default: today]"
)
@with_actor
@click.option("--seen-version", type=click.IntRange(min=0), help="Refuse if the case has changed since this version.")
@click.option("--command-id", help="The same id twice is one act, with the first answer.")
@click.option("--dry-run", is_flag=True, help="Say what it would change, and change nothing.")
@with_json
@click.pass_obj
def act(
    door: Door,
    number: str,
    action: str,
    facts_file: str | None,
    on: date | None,
    actor: str | None,
    seen_version: int | None,
    command_id: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Do one action on a case. 'caseflow case show CASE' lists what is possible now."""
    facts = door.read(facts_file)
    done = door.app.act(number, action, facts, on, door.actor(actor), seen_version, command_id, dry_run)
    door.answer(done, as_json, acts.consequences if dry_run else case.overview)


@click.command()
@click.argument("number", metavar="CASE")
@click.argument("seq", type=SEQ)
@click.option("--because", required=True, metavar="TEXT", help="Why; it is kept in the record.")
@with_actor
@with_json
@click.pass_obj
def void(door: Door, number: str, seq: int, because: str, actor: str | None, as_json: bool) -> None:
    """Leave entry SEQ out, as if it had not been made. It stays visible, with who left it out and why."""
    door.answer(door.app.void(number, seq, because, door.actor(actor)), as_json, acts.corrected)


@click.command()
@click.argument("number", metavar="CASE")
@click.argument("seq", type=SEQ)
@day_option("--on", required=True, help="The effective date that is right.")
@click.option("--because", required=True, metavar="TEXT", help="Why; it is kept in the record.")
@with_actor
@with_json
@click.pass_obj
def amend(door: Door, number: str, seq: int, on: date, because: str, actor: str | None, as_json: bool) -> None:
    """Correct the effective date of entry SEQ; everything after it is counted anew."""
    door.answer(door.app.amend(number, seq, on, because, door.actor(actor)), as_json, acts.corrected)
