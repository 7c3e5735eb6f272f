"""docket and board: many cases at once."""

from __future__ import annotations

from datetime import date
from typing import Any

import click

from caseflow.cli.door import Door
from caseflow.cli.options import day_option, with_json
from caseflow.cli.pictures import board as board_picture
from caseflow.cli.pictures import docket as docket_picture


@click.command()
@click.option("--state", help="Cases in this state.")
@click.option("--workflow", help="Cases of this workflow.")
@click.option("--assigned", metavar="USER", help="Cases assigned to this person.")
@click.option("--flag", help="Cases that show this flag.")
@click.option("--overdue", is_flag=True, help="Cases whose last day in law has passed.")
@click.option("--due-within", type=click.IntRange(min=0), metavar="N", help="The target is at most N office days away.")
@click.option("--text", help="Cases whose number, title or parties hold this text.")
@click.option("--open", "open_only", is_flag=True, help="Cases that are not decided.")
@click.option("--after", metavar="CASE", help="Begin after this case.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many.")
@with_json
@click.pass_obj
def docket(door: Door, /, as_json: bool, **filters: Any) -> None:
    """List cases."""
    door.answer(door.app.docket(**filters), as_json, docket_picture.table)


@click.command()
@day_option("--as-of", help="The day on which to look.  [default: today]")
@with_json
@click.pass_obj
def board(door: Door, as_of: date | None, as_json: bool) -> None:
    """What a supervisor watches: what is late, at risk, held, or stuck, and who has it."""
    door.answer(door.app.board(as_of), as_json, board_picture.sheet)
