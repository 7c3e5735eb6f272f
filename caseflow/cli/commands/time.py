"""sweep, scheduler, calendar and clock: what moves with time, and how days are counted."""

from __future__ import annotations

import sys
from datetime import date, datetime

import click

from caseflow.cli.door import Door, progress
from caseflow.cli.options import moment, with_json
from caseflow.cli.pictures import answers
from caseflow.cli.pictures.calendar import days


@click.command()
@click.option(
    "--until",
    metavar="MOMENT",
    callback=moment,
    help="Fire what is due by then, each at its own moment.  [default: now]",
)
@with_json
@click.pass_obj
def sweep(door: Door, until: date | datetime | None, as_json: bool) -> None:
    """Fire every timer that is due, once, in order."""
    with progress() as told:
        swept = door.app.sweep(until, told)
    door.answer(swept, as_json, answers.swept)


@click.command()
@click.pass_obj
def scheduler(door: Door) -> None:
    """Sweep and dispatch until told to stop. Any number of them may run."""
    door.app.run_scheduler()


@click.group()
def calendar() -> None:
    """The days that do not count, with their sources."""


@calendar.command()
@click.argument("name", required=False)
@click.option("--year", type=click.IntRange(1848, 2400), help="The year.  [default: this one]")
@with_json
@click.pass_obj
def show(door: Door, name: str | None, year: int | None, as_json: bool) -> None:
    """The holidays and closings of a year."""
    door.answer(door.app.calendar(name, year), as_json, days)


@click.group()
def clock() -> None:
    """Count days outside any case."""


@clock.command()
@click.pass_obj
def compute(door: Door) -> None:
    """Read {"calendar", "start", "length", "actor", "holds"} line by line; answer each with its dates and their why.

    A line that can't be read is answered with {"error"}, and the rest go on.
    """
    door.app.clock_compute(sys.stdin, sys.stdout)
