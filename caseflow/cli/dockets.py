"""import, and the docket as a file: what comes in whole, or not at all, and what a docket would be under other rules."""

from __future__ import annotations

import click

from caseflow.cli import pictures
from caseflow.cli.context import FAULTS, Context, as_json
from caseflow.errors import BadInput


@click.command("import")
@click.argument("file", metavar="FILE.jsonl")
@click.option("--dry-run", "try_only", is_flag=True, help="Check everything and say what would come in; nothing is written.")
@click.option("--as", "actor", metavar="USER[:ROLE]", help="Who imports; default import:staff.")
@as_json
@click.pass_obj
def take_in(context: Context, file: str, try_only: bool, actor: str | None) -> None:
    """Files of an older system, or a docket that 'export --docket' wrote: history in, nothing sent. Exit 1 names every fault by its line."""
    with pictures.progress() as tell:
        made = context.app.take_in(file, actor, try_only, tell)
    context.show(made, pictures.taken_in)
    if made["faults"]:
        raise SystemExit(FAULTS)


def export_docket(context: Context, file: str, wanted: dict[str, str | bool | None], more: tuple[str | None, ...]) -> None:
    """The docket, or what a filter leaves of it, as one file."""
    if any(more):
        raise BadInput("--docket exports whole cases into one file; leave CASE, DIR and --withhold out, or leave --docket out.")
    with pictures.progress() as tell:
        made = context.app.export_docket(file, {name: value for name, value in wanted.items() if value}, tell)
    context.show(made, pictures.docket_exported)


@click.command("rehearse")
@click.option("--docket", "docket", metavar="FILE.jsonl", required=True, help="A docket, as 'export --docket' writes it.")
@click.option("--with", "folder", metavar="DIR", required=True, help="The folder of the changed pack.")
@click.option("--as-of", "as_of", metavar="DATE", help="Through which day both are played; default the day of the export.")
@as_json
@click.pass_obj
def rehearse(context: Context, docket: str, folder: str, as_of: str | None) -> None:
    """Which cases of a docket would have had other dates, outcomes, refusals or letters under changed rules. Exit 0 whether any would or not."""
    with pictures.progress() as tell:
        made = context.app.rehearse_docket(docket, folder, as_of, tell)
    context.show(made, pictures.otherwise)
