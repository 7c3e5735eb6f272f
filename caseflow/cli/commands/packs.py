"""pack, fees and forms: what the rules say, whether they hold together, what a service costs and asks for."""

from __future__ import annotations

import click

from caseflow.cli.door import FAULTS, Door, error_json, print_json, say, visible
from caseflow.cli.options import with_json
from caseflow.cli.pictures import packs as pictures
from caseflow.errors import PackFaults

KINDS = ("pack", "calendar", "facts", "letters", "fees", "workflow", "ruleset")


@click.group()
def pack() -> None:
    """Check a pack, show it, print the schema of its files."""


@pack.command()
@click.argument("folder", metavar="DIR")
@with_json
@click.pass_obj
def check(door: Door, folder: str, as_json: bool) -> None:
    """Every fault of a pack at once, each with file:line:column. Exit code 1 if there is one."""
    try:
        summary = door.app.pack_check(folder)
    except PackFaults as found:
        door.exit_code = FAULTS
        if as_json:
            print_json({"faults": error_json(found)["because"]})
        else:
            click.echo(visible(str(found)))
            say(f"{len(found.faults)} {'fault' if len(found.faults) == 1 else 'faults'} in {folder}.")
        return
    door.answer({"faults": [], **summary}, as_json, pictures.checked)


@pack.command()
@click.argument("name", required=False, metavar="[WORKFLOW]")
@with_json
@click.pass_obj
def show(door: Door, name: str | None, as_json: bool) -> None:
    """A summary of the packs, or one workflow of them."""
    door.answer(door.app.pack_show(name), as_json, pictures.summary)


@pack.command()
@click.argument("kind", type=click.Choice(KINDS))
@click.pass_obj
def schema(door: Door, kind: str) -> None:
    """The JSON Schema of one kind of pack file, for editors."""
    print_json(door.app.pack_schema(kind))


@click.group()
def fees() -> None:
    """Quote the fee of a request."""


@fees.command()
@click.argument("request_file", metavar="REQUEST.yaml")
@with_json
@click.pass_obj
def quote(door: Door, request_file: str, as_json: bool) -> None:
    """The fee of a request, with a line and a citation for each part."""
    request = door.read(request_file)
    door.answer(door.app.quote(request), as_json, pictures.quote)


@click.group()
def forms() -> None:
    """The request form of a service."""


@forms.command("show")
@click.argument("service")
@with_json
@click.pass_obj
def show_form(door: Door, service: str, as_json: bool) -> None:
    """The request form of a service, printable, made from what a filing must contain."""
    door.answer(door.app.form(service), as_json, pictures.form)
