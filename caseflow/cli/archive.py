"""export: the record leaves the house, so that others can check and keep it."""

from __future__ import annotations

import click

from caseflow.cli import pictures
from caseflow.cli.context import Context, as_json
from caseflow.errors import BadInput


@click.command()
@click.argument("case")
@click.argument("folder", metavar="DIR")
@click.option("--withhold", "withhold", metavar="FACT=GROUND", multiple=True, help="Leave a fact out, on this ground; its hash stays. May be repeated.")
@as_json
@click.pass_obj
def export(context: Context, case: str, folder: str, withhold: tuple[str, ...]) -> None:
    """The record of a case as a new folder: pages to read, journal, letters, proof of mailing, a signed checkpoint, and verify.py to check it all."""
    grounds: dict[str, str] = {}
    for one in withhold:
        name, sign, ground = one.partition("=")
        if not sign or not name.strip():
            raise BadInput(f"--withhold {one}: write the fact and the ground, as --withhold 'parties=s. 19.36 (3)'.")
        grounds[name.strip()] = ground
    context.show(context.app.export(case, folder, grounds), pictures.exported)
