"""case show, timeline and why: one case for a person, its record, and its dates with their reasons."""

from __future__ import annotations

from datetime import date

import click

from caseflow.cli.door import Door, draw, print_json
from caseflow.cli.options import day_option, with_json
from caseflow.cli.pictures import case as pictures
from caseflow.cli.pictures.timeline import story
from caseflow.cli.pictures.why import ledgers


@click.group()
def case() -> None:
    """A case: what now and by when, its record, and why its dates are what they are."""


@case.command()
@click.argument("number", metavar="CASE")
@with_json
@click.pass_obj
def show(door: Door, number: str, as_json: bool) -> None:
    """What now, by when, what is possible, and what is not and why."""
    door.answer(door.app.show(number), as_json, pictures.overview)


@case.command()
@click.argument("number", metavar="CASE")
@click.option(
    "--by", type=click.Choice(["effective", "recorded"]), default="effective", show_default=True, help="The order."
)
@day_option("--known-on", help="Only what was typed by the end of that day.")
@with_json
@click.pass_obj
def timeline(door: Door, number: str, by: str, known_on: date | None, as_json: bool) -> None:
    """The entries of a case; what was voided stays visible."""
    entries = door.app.timeline(number, by, known_on)
    if as_json:
        print_json(entries)
    else:
        draw(story(door.app.show(number), entries, by, known_on))


@case.command()
@click.argument("number", metavar="CASE")
@click.argument("clock", required=False)
@with_json
@click.pass_obj
def why(door: Door, number: str, clock: str | None, as_json: bool) -> None:
    """How each date came about, line by line, with a citation for each."""
    door.answer(door.app.why(number, clock), as_json, ledgers)
