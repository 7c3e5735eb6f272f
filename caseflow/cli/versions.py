"""pack diff, versions, migrate: how two versions of the rules differ, and moving open cases from one to the other."""

from __future__ import annotations

import click

from caseflow.cli import pictures
from caseflow.cli.context import Context, as_json


@click.command("diff")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@as_json
@click.pass_obj
def diff(context: Context, before: str, after: str) -> None:
    """How version B differs from A, in words: dates and refusals first. A and B are folders, or versions that the database keeps."""
    context.show(context.app.pack_diff(before, after), pictures.differences)


@click.command("versions")
@as_json
@click.pass_obj
def versions(context: Context) -> None:
    """The versions that the database keeps, and how many open cases run by each."""
    context.show({"versions": context.app.pack_versions()}, pictures.versions)
