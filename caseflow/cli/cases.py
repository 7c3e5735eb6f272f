"""file, act, void, amend, case, docket, board: what people do with cases and how they look at them."""

from __future__ import annotations

from typing import Any

import click

from caseflow.cli import pictures
from caseflow.cli.context import REFUSED, Context, as_json, as_user
from caseflow.errors import Disposed


@click.command("file")
@click.argument("request", metavar="REQUEST.yaml")
@as_user
@as_json
@click.pass_obj
def file_request(context: Context, request: str, actor: str | None) -> None:
    """File a request; opens a case for each service and waterbody."""
    context.show(context.app.file(context.app.read_yaml(request), actor), pictures.filed)


@click.command()
@click.argument("case")
@click.argument("action")
@click.option("--facts", metavar="FILE.yaml", help="The facts of the act; - reads standard input.")
@click.option("--on", metavar="DATE", help="The effective date (of a document: the day it arrived).")
@as_user
@click.option("--seen-version", type=int, metavar="N", help="The version you decided on; refused if it has moved on.")
@click.option("--command-id", metavar="ID", help="Makes a repeated command harmless.")
@click.option("--dry-run", is_flag=True, help="Show what would happen; do nothing.")
@as_json
@click.pass_obj
def act(
    context: Context,
    case: str,
    action: str,
    facts: str | None,
    on: str | None,
    actor: str | None,
    seen_version: int | None,
    command_id: str | None,
    dry_run: bool,
) -> None:
    """Take one action on a case."""
    done = context.app.act(case, action, context.facts(facts), on, actor, seen_version, command_id, dry_run)
    context.show(done, pictures.dry_run if dry_run else pictures.case)
    if dry_run and not done["allowed"]:
        raise SystemExit(REFUSED)


@click.command()
@click.argument("case")
@click.argument("seq", type=click.IntRange(min=1))
@click.option("--because", required=True, metavar="TEXT")
@as_user
@as_json
@click.pass_obj
def void(context: Context, case: str, seq: int, because: str, actor: str | None) -> None:
    """Void an entry; it stays visible with the reason."""
    context.show(context.app.void(case, seq, because, actor), pictures.corrected)


@click.command()
@click.argument("case")
@click.argument("seq", type=click.IntRange(min=1))
@click.option("--on", required=True, metavar="DATE")
@click.option("--because", required=True, metavar="TEXT")
@as_user
@as_json
@click.pass_obj
def amend(context: Context, case: str, seq: int, on: str, because: str, actor: str | None) -> None:
    """Correct the effective date of an entry."""
    context.show(context.app.amend(case, seq, on, because, actor), pictures.corrected)


@click.group("case")
def case_group() -> None:
    """What now and by when, the record, and why the dates are what they are."""


@case_group.command("show")
@click.argument("case")
@as_json
@click.pass_obj
def case_show(context: Context, case: str) -> None:
    """The case as it stands; of one that was disposed of, its stub."""
    try:
        found = context.app.show(case)
    except Disposed as gone:
        context.show({"disposed": gone.stub}, lambda made: pictures.stub(made["disposed"]))
        return
    context.show(found, pictures.case)


@case_group.command("timeline")
@click.argument("case")
@click.option("--by", type=click.Choice(["effective", "recorded"]), default="effective")
@click.option("--known-on", metavar="DATE", help="Only what was recorded by that day.")
@as_json
@click.pass_obj
def case_timeline(context: Context, case: str, by: str, known_on: str | None) -> None:
    """Its entries."""
    context.show(context.app.timeline(case, by, known_on), pictures.timeline)


@case_group.command("why")
@click.argument("case")
@click.argument("clock", required=False)
@as_json
@click.pass_obj
def case_why(context: Context, case: str, clock: str | None) -> None:
    """How its dates come about, line by line."""
    context.show(context.app.why(case, clock), pictures.why)


@case_group.command("people")
@click.argument("case")
@click.argument("file", metavar="FILE.csv")
@click.option("--action", metavar="ACTION", help="The act that records them, where the workflow has several.")
@as_user
@as_json
@click.pass_obj
def case_people(context: Context, case: str, file: str, action: str | None, actor: str | None) -> None:
    """Take the people of a list into the case: interested persons and who gets copies."""
    context.show(context.app.take_people(case, file, action, actor), pictures.case)


@click.command()
@click.option("--state")
@click.option("--workflow")
@click.option("--assigned", metavar="USER")
@click.option("--flag")
@click.option("--search", "--text", "text", metavar="TEXT", help="Part of a title, or of any number that the case has or had.")
@click.option("--overdue", is_flag=True)
@click.option("--due-within", type=int, metavar="N", help="Office days to the target.")
@click.option("--after", metavar="CASE", help="Go on after this case.")
@click.option("--limit", type=click.IntRange(1, 10000))
@as_json
@click.pass_obj
def docket(context: Context, /, **wanted: Any) -> None:
    """List cases."""
    context.show(context.app.docket(**wanted), pictures.docket)


@click.command()
@click.option("--as-of", metavar="DATE")
@as_json
@click.pass_obj
def board(context: Context, as_of: str | None) -> None:
    """What a supervisor watches."""
    found = context.app.board(as_of)
    rows = {} if context.json else {row["case"]: row for row in context.app.docket(False, None, None, None)}
    context.show(found, lambda sheet: pictures.board(sheet, rows))
