"""legal-hold and dispose: what keeps a record, and what ends it when its time is over."""

from __future__ import annotations

from typing import Any

import click

from caseflow.cli import pictures
from caseflow.cli.context import Context, as_json

AS = click.option("--as", "actor", metavar="USER:ROLE", required=True, help="Who does it; the pack says which roles may.")


@click.group("legal-hold")
def legal_hold() -> None:
    """Keep cases from disposal: place, lift, list."""


@legal_hold.command("place")
@click.argument("cases", metavar="[CASE]...", nargs=-1)
@click.option("--request", metavar="REQUEST", help="Every case of a request.")
@click.option("--workflow", help="Every case of a workflow.")
@click.option("--state", help="Every case in a state.")
@click.option("--county", help="Every case of a county.")
@click.option("--search", "text", metavar="TEXT", help="Every case whose title or number has this text.")
@click.option("--matter", metavar="NAME", help="What the hold is called, such as the number of a lawsuit.")
@click.option("--because", required=True, metavar="TEXT")
@AS
@as_json
@click.pass_obj
def hold_place(context: Context, /, cases: tuple[str, ...], request: str | None, matter: str | None, because: str, actor: str, **wanted: Any) -> None:
    """Place a hold on cases: on all that are meant or on none. The narrowing options go together."""
    with pictures.progress() as tell:
        made = context.app.retention.hold(cases, request, wanted, because, matter, actor, tell)
    context.show(made, pictures.held)


@legal_hold.command("lift")
@click.argument("cases", metavar="[CASE]...", nargs=-1)
@click.option("--matter", metavar="NAME", help="The hold of this matter; without a case, of every case that it holds.")
@click.option("--entry", "seq", type=click.IntRange(1), metavar="SEQ", help="The hold that this entry placed, where there are several.")
@click.option("--because", required=True, metavar="TEXT")
@AS
@as_json
@click.pass_obj
def hold_lift(context: Context, cases: tuple[str, ...], matter: str | None, seq: int | None, because: str, actor: str) -> None:
    """Lift a hold; another one still keeps the case."""
    context.show(context.app.retention.lift(cases, seq, because, matter, actor), pictures.held)


@legal_hold.command("list")
@click.option("--matter", metavar="NAME")
@as_json
@click.pass_obj
def hold_list(context: Context, matter: str | None) -> None:
    """Every hold in place, with its reason."""
    context.show(context.app.retention.holds(matter), pictures.holds)


@click.command()
@click.option("--dry-run", "try_only", is_flag=True, help="Only say what would go, and why; do nothing.")
@click.option("--schedule", metavar="ID", help="Only what this schedule of the pack says.")
@click.option("--until", metavar="DATE", help="What is due by this day; with --dry-run it may lie ahead. Default today.")
@click.option("--archive", metavar="DIR", help="Where the record is put first, when its schedule hands it to the archive.")
@click.option("--as", "actor", metavar="USER:ROLE", help="Who disposes; needed unless --dry-run.")
@click.option("--because", metavar="TEXT", help="Why; needed unless --dry-run.")
@as_json
@click.pass_obj
def dispose(context: Context, try_only: bool, schedule: str | None, until: str | None, archive: str | None, actor: str | None, because: str | None) -> None:
    """Dispose of records whose time is over. What a legal hold keeps stays. Look first with --dry-run: nothing brings a record back."""
    if try_only:
        context.show(context.app.retention.due(schedule, until), pictures.disposable)
        return
    if actor is None:
        raise click.UsageError("Say who disposes, as --as USER:ROLE, and why, as --because TEXT; or look first with --dry-run.")
    with pictures.progress() as tell:
        made = context.app.retention.dispose(schedule, until, actor, because, archive, tell)
    context.show(made, pictures.disposed)
