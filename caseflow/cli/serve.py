"""serve and people: the site with its scheduler, and who may sign in."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Any

import click

from caseflow.cli import pictures
from caseflow.cli.context import FAULTS, Context, as_json


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port; 0 takes a free one.")
@click.option("--demo", is_flag=True, help="Serve a sample docket, made at the first start.")
@click.option("--no-scheduler", is_flag=True, help="Leave sweeping and dispatch to another process.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A name under which people reach the site; more than one may be given.")
@click.option("--https", is_flag=True, help="The site is reached over TLS, through a proxy that ends it.")
@click.option("--proxy", metavar="ADDRESS", help="The proxy whose word about who is calling is believed.")
@click.option(
    "--log",
    type=click.Choice(("off", "text", "json")),
    default="off",
    show_default=True,
    help="A line for each request on standard error, without anything of a case.",
)
@click.option("--seconds", type=click.FloatRange(1), metavar="N", help="Stop after so long; ends with 1 where the health page did not answer.")
@as_json
@click.pass_obj
def serve(context: Context, /, **given: Any) -> None:
    """Serve the staff site, with a scheduler in the same process."""
    context.app.log_lines(given["log"])
    with pictures.progress() as tell:
        ready = context.app.serving(tell, **{name: given[name] for name in ("host", "port", "demo", "names", "https")})
    lines = [f"{person['role']:<14} {person['name']:<12} {person['password']}" for person in ready.accounts]
    lines += ["These passwords are shown once."] if lines else []
    lines.append(f"caseflow is at {ready.address} (Ctrl-C stops it)")

    def say() -> None:
        context.say({"address": ready.address, "accounts": ready.accounts}, "\n".join(lines))
        sys.stdout.flush()

    if not context.app.serve(ready, say, scheduler=not given["no_scheduler"], proxy=given["proxy"], seconds=given["seconds"]):
        click.echo("caseflow: the health page did not answer with 200", err=True)
        raise SystemExit(FAULTS)


@click.group()
def people() -> None:
    """Who may sign in."""


@people.command("add")
@click.argument("name")
@click.option("--role", required=True, help="A role of the pack that opens the site.")
@click.option("--title", default="", help="The name as people know it.")
@as_json
@click.pass_obj
def people_add(context: Context, name: str, role: str, title: str) -> None:
    """Add an account; its password is made up and shown once."""
    made = context.app.add_person(name, title, role)
    context.say(made, f"{made['name']}, {made['role']}: {made['password']}\nThe password is shown once.")


@people.command("list")
@as_json
@click.pass_obj
def people_list(context: Context) -> None:
    """Every account, closed ones too."""
    found = context.app.list_people()
    lines = [f"{one['name']:<14} {one['role']:<14} {one['title']}{' (closed)' if one['closed'] else ''}" for one in found]
    context.say(found, "\n".join(lines) or "There is no account yet; add one with 'caseflow people add NAME --role ROLE'.")


@people.command("password")
@click.argument("name")
@as_json
@click.pass_obj
def people_password(context: Context, name: str) -> None:
    """Give an account a new password and end its sessions."""
    made = context.app.new_password(name)
    context.say(made, f"{made['name']}: {made['password']}\nThe password is shown once.")


@people.command("close")
@click.argument("name")
@as_json
@click.pass_obj
def people_close(context: Context, name: str) -> None:
    """Close an account and end its sessions; its name stays on the record."""
    context.app.close_person(name)
    context.say({"name": name, "closed": True}, f"{name} is closed.")


@people.group("token")
def people_token() -> None:
    """What programs sign in with at /api/v1: make, list, end."""


@people_token.command("make")
@click.argument("name")
@click.option("--for", "title", required=True, metavar="PROGRAM", help="Which program uses it.")
@click.option("--scope", type=click.Choice(["read", "act"]), default="read", show_default=True, help="Whether it may change something.")
@click.option("--days", type=click.IntRange(1, 366), default=90, show_default=True, help="How long it opens.")
@as_json
@click.pass_obj
def token_make(context: Context, name: str, title: str, scope: str, days: int) -> None:
    """Make a token that opens what NAME may do; it is shown once."""
    context.app.open()
    made = _token(context.app.tokens.make(name, title, scope, days))
    context.say(
        made,
        f"{made['token']}\nThe token of {made['title']} for {made['account']} ({made['role']}, {scope}) ends on {made['expires_at'][:10]}. It is shown once.",
    )


@people_token.command("list")
@click.argument("name", required=False)
@as_json
@click.pass_obj
def token_list(context: Context, name: str | None) -> None:
    """The tokens of NAME, or of everybody."""
    context.app.open(writes=False)
    found = [_token(one) for one in context.app.tokens.all(name)]
    lines = [
        f"{one['id']}  {one['account']:<14} {one['role']:<14} {one['scope']:<5} "
        f"{'ends ' + one['expires_at'][:10] if one['open'] else 'ended          '}  {'used ' + one['used_at'][:10] if one['used_at'] else 'never used     '}  {one['title']}"
        for one in found
    ]
    context.say(found, "\n".join(lines) or "There is no token.")


@people_token.command("end")
@click.argument("token", metavar="ID")
@as_json
@click.pass_obj
def token_end(context: Context, token: str) -> None:
    """End a token at once; ID is its id in the list, not the token."""
    context.app.open()
    context.app.tokens.end(token)
    context.say({"id": token, "ended": True}, f"{token} opens nothing any more.")


def _token(made: dict[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in made.items()}
