"""verify: whether the record holds."""

from __future__ import annotations

import click

from caseflow.cli import pictures
from caseflow.cli.context import FAULTS, Context, as_json


@click.command()
@click.argument("case", required=False)
@click.option("--chain", is_flag=True, help="Only recompute the hashes; replay nothing.")
@as_json
@click.pass_obj
def verify(context: Context, case: str | None, chain: bool) -> None:
    """Recompute the hash chain and replay every case."""
    with pictures.progress() as tell:
        made = context.app.verify(case, tell, chain)
    context.show(made, pictures.verified)
    if made["faults"]:
        raise SystemExit(FAULTS)
