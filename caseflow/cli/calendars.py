"""calendar preview, adopt, undo, adoptions: a changed calendar and what it does to the open cases."""

from __future__ import annotations

import click

from caseflow.cli import pictures
from caseflow.cli.context import Context, as_json, as_user
from caseflow.cli.rules import calendar

__all__ = ["calendar"]


@calendar.command("preview")
@click.argument("file", metavar="FILE")
@as_json
@click.pass_obj
def preview(context: Context, file: str) -> None:
    """Every open case that a changed calendar would move, before and after, with the letters whose dates change. Changes nothing."""
    with pictures.progress() as tell:
        made = context.app.calendars.preview(file, tell)
    context.show(made, pictures.previewed)


@calendar.command("adopt")
@click.argument("file", metavar="FILE")
@click.option("--because", required=True, metavar="TEXT", help="Why; it stands on every entry.")
@as_user
@as_json
@click.pass_obj
def adopt(context: Context, file: str, because: str, actor: str | None) -> None:
    """Adopt a changed calendar: one entry for each open case that it moves. Repeat it with the same file to go on after an interruption."""
    with pictures.progress() as tell:
        made = context.app.calendars.adopt(file, because, actor, tell)
    context.show(made, pictures.adopted)


@calendar.command("undo")
@click.option("--because", required=True, metavar="TEXT", help="Why; it stands on every entry.")
@as_user
@as_json
@click.pass_obj
def undo(context: Context, because: str, actor: str | None) -> None:
    """Undo the last adoption that stands: another entry for each case that it moved."""
    with pictures.progress() as tell:
        made = context.app.calendars.undo(because, actor, tell)
    context.show(made, pictures.adopted)


@calendar.command("adoptions")
@as_json
@click.pass_obj
def adoptions(context: Context) -> None:
    """Every adoption of a changed calendar, the last first."""
    context.show(context.app.calendars.all(), pictures.adoptions)
