"""pack diff, versions, migrate: how two versions of the rules differ, and moving open cases from one to the other."""

from __future__ import annotations

import click

from caseflow.cli import pictures
from caseflow.cli.context import Context, as_json, as_user
from caseflow.errors import BadInput


@click.command("diff")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--cases", is_flag=True, help="Also what each open case of A would see under B.")
@as_json
@click.pass_obj
def diff(context: Context, before: str, after: str, cases: bool) -> None:
    """How version B differs from A, in words: dates and refusals first. A and B are folders, or versions that the database keeps."""
    with pictures.progress() as tell:
        made = context.app.pack_diff(before, after, cases, tell)
    context.show(made, pictures.differences)


@click.command("versions")
@as_json
@click.pass_obj
def versions(context: Context) -> None:
    """The versions that the database keeps, and how many open cases run by each."""
    context.show({"versions": context.app.pack_versions()}, pictures.versions)


@click.command("migrate")
@click.argument("before", metavar="[A", required=False)
@click.argument("after", metavar="B]", required=False)
@click.option("--to", "to", metavar="B", help="Move the open cases of every other version of the pack to this one.")
@click.option("--because", metavar="TEXT", help="Why; it stands on every entry.")
@click.option("--dry-run", "dry", is_flag=True, help="Say exactly what would change, and change nothing.")
@click.option("--undo", is_flag=True, help="Take the last move back, by another entry on each case.")
@click.option("--batch", type=click.IntRange(1, 1000), default=25, show_default=True, help="So many cases in one transaction.")
@as_user
@as_json
@click.pass_obj
def migrate(
    context: Context,
    before: str | None,
    after: str | None,
    to: str | None,
    because: str | None,
    dry: bool,
    undo: bool,
    batch: int,
    actor: str | None,
) -> None:
    """Move the open cases of version A to version B, one entry each. Repeat the command to go on after an interruption.

    A case that can't move stays as it is and is named with the reasons. A case that is over keeps its rules."""
    if undo:
        if before or to or dry:
            raise BadInput("--undo takes the last move back; leave the versions, --to and --dry-run out")
        with pictures.progress() as tell:
            made = context.app.pack_migrate_back(because or "", actor, batch, tell)
        context.show(made, pictures.moved)
        return
    if (to is None) == (before is None) or (before is not None and after is None):
        raise BadInput("name the two versions, as in caseflow pack migrate A B, or the new one alone, as in caseflow pack migrate --to B")
    with pictures.progress() as tell:
        found = context.app.pack_migrate(before, to or after or "", because or "", actor, dry, batch, tell)
    context.show({"previews" if dry else "moves": found}, pictures.previews if dry else pictures.moves)
