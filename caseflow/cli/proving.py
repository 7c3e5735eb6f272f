"""pack prove: every claim of a workflow decided on its whole state space."""

from __future__ import annotations

import click

from caseflow.cli import pictures
from caseflow.cli.context import FAULTS, Context, as_json


@click.command("prove")
@click.argument("target", metavar="WORKFLOW", required=False)
@click.option("--write", "folder", metavar="DIR", help="Write the path to each broken claim there, as a scenario file.")
@click.option("--reading", "readings", multiple=True, metavar="SETTING=READING", help="Take another reading of a setting; may be repeated.")
@click.option("--anew", is_flag=True, help="Walk anew, whatever is kept of an earlier walk.")
@as_json
@click.pass_obj
def pack_prove(context: Context, target: str | None, folder: str | None, readings: tuple[str, ...], anew: bool) -> None:
    """Walk the whole state space of a workflow (or of every workflow of a pack) and decide its claims."""
    chosen = {}
    for text in readings:
        name, sign, value = text.partition("=")
        if not sign:
            raise click.BadParameter(f"'{text}' is no SETTING=READING")
        chosen[name.strip()] = value.strip()
    with pictures.progress() as tell:
        made = context.app.pack_prove(target, chosen, anew, tell, folder)
    context.show(made, pictures.proofs)
    if made["broken"]:
        raise SystemExit(FAULTS)
