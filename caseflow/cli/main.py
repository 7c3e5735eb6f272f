"""The command line's frame: global options, and the commands by subject, each loaded only when it is called."""

from __future__ import annotations

import gc
import sys
from importlib import import_module

import click

from caseflow.cli.context import Context, settings
from caseflow.cli.door import leave

MADE_BY_A_SHORT_ONE = 400_000
"""More objects than loading the program and one action make (175,000): nearly all of them stay, and looking them through for what
may go takes a tenth of such a command."""
COMMANDS: dict[str, dict[str, tuple[str, str]]] = {
    "Cases": {
        "file": ("cases:file_request", "File a request; opens a case for each service and waterbody"),
        "act": ("cases:act", "Take one action on a case, or try it with --dry-run"),
        "void": ("cases:void", "Void an entry; it stays visible with the reason"),
        "amend": ("cases:amend", "Correct the effective date of an entry"),
        "case": ("cases:case_group", "Read one case: show, timeline, why"),
        "docket": ("cases:docket", "List cases"),
        "board": ("cases:board", "What a supervisor watches"),
    },
    "Record": {
        "serve": ("serve:serve", "The staff site, with a scheduler inside"),
        "people": ("serve:people", "Who may sign in: add, list, password, close, token"),
        "init": ("work:init", "Create or migrate the database; safe to repeat"),
        "sweep": ("work:sweep", "Fire every timer that is due, in order"),
        "scheduler": ("work:scheduler", "Sweep and dispatch until stopped"),
        "letters": ("work:letters", "The register of letters: list, show, preview, approve, edit, correct, bounced"),
        "dispatch": ("work:dispatch", "Send what the outbox holds"),
        "export": ("archive:export", "The record of a case as a folder that a stranger can check, or the docket as a file"),
        "import": ("dockets:take_in", "Take in files of an older system, or a docket, whole or not at all"),
        "backup": ("archive:backup", "One archive of the database, while it runs"),
        "restore": ("archive:restore", "Put an archive back; it sends nothing until told"),
        "move": ("move:move", "Carry an embedded database over to PostgreSQL"),
        "resume": ("archive:resume", "Let mail leave a restored database again"),
        "legal-hold": ("retention:legal_hold", "Keep cases from disposal: place, lift, list"),
        "dispose": ("retention:dispose", "Dispose of records whose time is over; look first with --dry-run"),
        "doctor": ("integrity:doctor", "What is wrong with this installation, and what to do"),
        "checkpoint": ("integrity:checkpoint", "Sign how far every chain goes; keep it elsewhere: make, list, show"),
        "verify": ("integrity:verify", "Recompute the hash chain and replay every case"),
    },
    "Rules": {
        "pack": ("rules:pack", "Check, read and compare packs; move cases between versions"),
        "workflow": ("rules:workflow", "Draw a workflow"),
        "scenario": ("rules:scenario", "Rehearse scenarios on a virtual clock"),
        "calendar": ("calendars:calendar", "The days that count: show, preview and adopt a changed calendar, undo"),
        "clock": ("rules:clock", "Count periods: JSON Lines in, JSON Lines out"),
        "screen": ("rules:screen", "Which track fits the facts, and the nearest miss; file on it"),
        "rules": ("rules:rules", "What the rule sets find on facts: evaluate, list"),
        "fees": ("rules:fees", "Quote a fee with a line and a citation each"),
        "forms": ("rules:forms", "The request form of a service, printable"),
        "demo": ("rules:demo", "Rehearse a sample docket from October to June"),
    },
}


class Commands(click.Group):
    """A group that knows its commands by name and loads the module of the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help page."""
        return [name for section in COMMANDS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        where = next((section[cmd_name][0] for section in COMMANDS.values() if cmd_name in section), None)
        if where is None:
            return None
        module, _, attribute = where.partition(":")
        command: click.Command = getattr(import_module(f"caseflow.cli.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help page, section by section; loads no command."""
        for title, section in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name, text) for name, (_, text) in section.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "CASEFLOW"})
@click.option("--database", metavar="URL", help="SQLite file or address; default sqlite:///caseflow.db.")
@click.option("--packs", metavar="DIR", help="Folder of packs; default the packs that come with the program.")
@click.option("--at", metavar="MOMENT", help="The moment 'now', for rehearsals: 2027-01-15 or 2027-01-15T10:00.")
@click.option("--maildrop", metavar="DIR", help="Folder that letters are written to; default maildrop.")
@click.option("--signing-key", metavar="FILE", help="The key that signs exports; default beside the database, made at first use.")
@click.option("--smtp-host", metavar="HOST", help="Mail server; without one e-mail goes into the mail drop.")
@click.option("--smtp-port", metavar="PORT", help="Default 587; 465 with tls, 25 with none.")
@click.option("--smtp-tls", metavar="HOW", help="starttls (default), tls or none.")
@click.option("--smtp-from", metavar="ADDRESS", help="From which address letters come.")
@click.option("--smtp-timeout", metavar="SECONDS", help="How long the mail server may take for an answer; default 30.")
@click.option("--oidc-issuer", metavar="ADDRESS", help="The agency's own sign-in (OpenID Connect); its secret is CASEFLOW_OIDC_SECRET.")
@click.option("--oidc-client", metavar="NAME", help="The name under which this program is known there.")
@click.option("--oidc-roles", metavar="CLAIM: VALUE=ROLE, ...", help="Which role a claim gives; without it accounts keep theirs.")
@click.option("--oidc-create", metavar="yes|no", help="Whether whoever comes from there gets an account; default no.")
@click.option("--oidc-name-claim", metavar="CLAIM", help="Which claim is the name of the account; default preferred_username.")
@click.option("--oidc-scopes", metavar="WORDS", help="What is asked for there; default 'openid profile'.")
@click.option("--local-accounts", metavar="yes|no", help="Whether people may sign in with a password kept here; default yes.")
@click.option("--post", metavar="HOW", help="Copies by post: drop (default) or print, which leaves them to dispatch --print-batch.")
@click.option("--clock-limit", metavar="DAYS", help="Days after the last sweep beyond which a scheduler asks before it fires; default 30.")
@click.option("--documents", metavar="DIR", help="Folder of uploaded documents; default 'documents' beside the database.")
@click.option("--document-limit", metavar="MB", help="How large a document may be; default 25.")
@click.option("--checkpoints", metavar="DIR", help="Folder outside of the record that the daily checkpoint is written to; by default none.")
@click.version_option(package_name="caseflow-agency", prog_name="caseflow")
@click.pass_context
def cli(context: click.Context, /, **given: str | None) -> None:
    """Keep the legal clock of a public agency: cases, periods, letters and a record that can be verified.

    Settings also come from CASEFLOW_* variables and caseflow.toml. Exit codes: 0 done; 1 a check found faults; 2
    refused or bad input; 3 the store failed.
    """
    context.obj = Context(**settings(given))
    context.call_on_close(context.obj.leave)


def _looked_through(*_: object) -> None:
    """Called with the first look for what may go: what comes now is long work, which is looked through more often."""
    gc.callbacks.remove(_looked_through)
    gc.set_threshold(20_000, 20, 20)


def run() -> None:
    """The program."""
    gc.set_threshold(MADE_BY_A_SHORT_ONE)
    gc.callbacks.append(_looked_through)
    code = leave(lambda: cli.main(standalone_mode=False), "--json" in sys.argv)
    gc.freeze()  # everything goes with the process; looking through it before, as Python does at its end, takes a fifth of a short command
    sys.exit(code)
