"""letters and dispatch: the register, one letter, a preview, and the way out."""

from __future__ import annotations

import click

from caseflow.cli.door import Door, print_json, progress
from caseflow.cli.options import with_json
from caseflow.cli.pictures import answers
from caseflow.cli.pictures.letters import preview as preview_picture
from caseflow.cli.pictures.letters import register

FORMS = ("text", "markdown", "html")


@click.group()
def letters() -> None:
    """The register of letters; show and preview them."""


@letters.command("list")
@click.argument("case", required=False)
@click.option("--status", multiple=True, help="Letters that stand so; may be given several times.")
@with_json
@click.pass_obj
def list_letters(door: Door, case: str | None, status: tuple[str, ...], as_json: bool) -> None:
    """The letters of a case, or of all cases."""
    door.answer(door.app.letters(case, status), as_json, register)


@letters.command()
@click.argument("number", metavar="LETTER")
@click.option("--form", type=click.Choice(FORMS), default="text", show_default=True)
@with_json
@click.pass_obj
def show(door: Door, number: str, form: str, as_json: bool) -> None:
    """The words of a letter, as they were written in its case's transaction."""
    letter = door.app.letter(number)
    if as_json:
        print_json(letter)
    else:
        click.echo(letter[form])


@letters.command()
@click.argument("case")
@click.argument("letter")
@click.option("--action", help="The action that would owe it, where there are several.")
@click.option("--facts", "facts_file", metavar="F.yaml", help="What that action takes.")
@with_json
@click.pass_obj
def preview(door: Door, case: str, letter: str, action: str | None, facts_file: str | None, as_json: bool) -> None:
    """A letter with the case's real data. Nothing is saved or sent."""
    facts = door.read(facts_file)
    door.answer(door.app.preview(case, letter, action, facts), as_json, preview_picture)


@click.command()
@with_json
@click.pass_obj
def dispatch(door: Door, as_json: bool) -> None:
    """Hand over every letter that may leave by now, and keep the proof."""
    with progress() as told:
        sent = door.app.dispatch(told)
    door.answer(sent, as_json, answers.dispatched)
