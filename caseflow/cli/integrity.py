"""verify, checkpoint, doctor: whether the record holds, what was signed of it, and how the installation is."""

from __future__ import annotations

import click

from caseflow.cli import pictures
from caseflow.cli.context import FAULTS, Context, as_json


@click.command()
@click.argument("case", required=False)
@click.option("--chain", is_flag=True, help="Only recompute the hashes; replay nothing.")
@click.option("--checkpoint", "file", metavar="FILE", help="Also compare with a checkpoint that was kept elsewhere; the text of its e-mail will do.")
@click.option("--key", metavar="HEX", help="The public key that the checkpoint must be signed with.")
@as_json
@click.pass_obj
def verify(context: Context, case: str | None, chain: bool, file: str | None, key: str | None) -> None:
    """Recompute the hash chain and replay every case."""
    with pictures.progress() as tell:
        made = context.app.verify(case, tell, chain, file, key)
    context.show(made, pictures.verified)
    if made["faults"]:
        raise SystemExit(FAULTS)


@click.group()
def checkpoint() -> None:
    """Signed checkpoints over all cases: how far every chain went at a moment."""


@checkpoint.command("make")
@click.argument("file", required=False)
@as_json
@click.pass_obj
def checkpoint_make(context: Context, file: str | None) -> None:
    """Sign how far every chain goes; FILE gets the line and every head. Refused where the checkpoint before no longer stands."""
    with pictures.progress() as tell:
        made = context.app.make_checkpoint(file, tell)
    context.say(made, made["line"])


@checkpoint.command("list")
@as_json
@click.pass_obj
def checkpoint_list(context: Context) -> None:
    """Every checkpoint that the database keeps; exit 1 where one is not as it was signed."""
    found = context.app.list_checkpoints()
    context.show(found, pictures.checkpoints)
    if any(one["fault"] for one in found):
        raise SystemExit(FAULTS)


@checkpoint.command("show")
@click.argument("number", type=click.IntRange(min=1), required=False)
@click.option("--file", metavar="FILE", help="Write it there with every head, as make does.")
@as_json
@click.pass_obj
def checkpoint_show(context: Context, number: int | None, file: str | None) -> None:
    """A checkpoint as a text to send by e-mail or to print; the newest where no number is given."""
    made = context.app.show_checkpoint(number, file)
    context.say(made, made["text"].rstrip("\n"))


@click.command()
@as_json
@click.pass_obj
def doctor(context: Context) -> None:
    """What is wrong with this installation, in words, and what to do. Changes nothing; exit 1 where something is wrong."""
    with pictures.progress() as tell:
        found = context.app.doctor(tell)
    context.show(found, pictures.examined)
    if not found["sound"]:
        raise SystemExit(FAULTS)
