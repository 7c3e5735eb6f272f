"""move: an embedded database goes over to a server, whole, and rests afterwards."""

from __future__ import annotations

from typing import Any

import click

from caseflow.cli import pictures
from caseflow.cli.context import Context, as_json
from caseflow.errors import BadInput


@click.command()
@click.option("--to", metavar="URL", help="A new and empty database on PostgreSQL, by its owner's address.")
@click.option("--give-up", "stays", is_flag=True, help="Let the embedded database be written again: the move is not wanted.")
@as_json
@click.pass_obj
def move(context: Context, to: str | None, stays: bool) -> None:
    """Carry the embedded database over to PostgreSQL: every row, counted and compared. From its first row on nothing is written into the old one.

    Stopped or killed, the same command goes on where it was. Documents and the signing key are files: copy them yourself.
    """
    if (to is None) != stays:
        raise BadInput("Name where it goes with --to postgresql+psycopg://OWNER@HOST/DATABASE, or --give-up to stay.")
    if to is None:
        made = context.app.stay()
        said = "is written again; nothing that arrived elsewhere counts." if made["rested"] else "was not at rest; nothing was changed."
        context.say(made, f"{made['database']} {said}")
        return
    with pictures.progress() as tell:
        made = context.app.move(to, tell)
    context.say(made, moved(made))


def moved(made: dict[str, Any]) -> str:
    """What went where, in words."""
    filled = sum(1 for one in made["tables"] if one["rows"])
    return (
        f"{made['rows']:,} rows of {filled} tables are in {made['to']}, each table compared by its rows and their SHA-256. "
        f"{made['from']} rests: nothing is written into it any more.\n"
        f"Copy the documents in {made['documents']} (--documents) and the key {made['signing_key']} (--signing-key) to where the program runs."
    )
