"""serve and people: the site with its scheduler, and who may sign in."""

from __future__ import annotations

import sys
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
@click.option("--seconds", type=click.FloatRange(1), metavar="N", help="Stop after so long; ends with 1 where the health page did not answer.")
@as_json
@click.pass_obj
def serve(context: Context, /, **given: Any) -> None:
    """Serve the staff site, with a scheduler in the same process."""
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
