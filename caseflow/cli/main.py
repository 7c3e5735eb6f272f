"""The command line's frame: global options, the list of commands (each loaded only when it is called), one exit."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from caseflow.cli.app import Opener, Settings
from caseflow.cli.door import DONE, FAILED, INTERRUPTED, REFUSED, Door, print_json, report, say
from caseflow.cli.settings import choose
from caseflow.errors import CaseflowError

COMMANDS: dict[str, dict[str, tuple[str, str]]] = {
    "Cases": {
        "file": ("filing:file", "File a request; it opens a case for each service and waterbody"),
        "act": ("acting:act", "Do one action on a case, or try it with --dry-run"),
        "void": ("acting:void", "Leave an entry out; it stays visible"),
        "amend": ("acting:amend", "Correct the effective date of an entry"),
        "case": ("case:case", "A case: show, timeline, and why its dates are what they are"),
        "docket": ("lists:docket", "List cases"),
        "board": ("lists:board", "What a supervisor watches"),
    },
    "Time": {
        "sweep": ("time:sweep", "Fire every timer that is due"),
        "scheduler": ("time:scheduler", "Sweep and dispatch until told to stop"),
        "calendar": ("time:calendar", "The days that do not count, with their sources"),
        "clock": ("time:clock", "Count days: JSON Lines in, JSON Lines out"),
    },
    "Letters": {
        "letters": ("letters:letters", "The register of letters; show and preview them"),
        "dispatch": ("letters:dispatch", "Send what the outbox holds"),
    },
    "Rules": {
        "pack": ("packs:pack", "Check a pack, show it, print the schema of its files"),
        "scenario": ("rehearsing:scenario", "Rehearse scenarios on a virtual clock"),
        "fees": ("packs:fees", "Quote the fee of a request, with a citation for each line"),
        "forms": ("packs:forms", "The request form of a service"),
        "demo": ("rehearsing:demo", "A sample docket, rehearsed from October to June"),
    },
    "Record": {
        "init": ("filing:init", "Create or migrate the database"),
        "verify": ("filing:verify", "Recompute the hash chain and replay the record"),
    },
}


class Commands(click.Group):
    """A group that knows its commands by name and loads the module of the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help page."""
        return [name for section in COMMANDS.values() for name in section]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name."""
        where = next((section[name][0] for section in COMMANDS.values() if name in section), None)
        if where is None:
            return None
        module, _, attribute = where.partition(":")
        command: click.Command = getattr(import_module(f"caseflow.cli.commands.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help page, section by section; loads no command."""
        for title, section in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name, text) for name, (_, text) in section.items()], col_max=14)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--database", metavar="URL", help="SQLite file or postgresql+psycopg://...  [default: caseflow.db]")
@click.option("--packs", metavar="DIR", help="Folder of rule packs  [default: those that came with caseflow]")
@click.option("--at", metavar="MOMENT", help="The moment that counts as now: 2027-01-15 or 2027-01-15T10:00")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda *given: _version(*given),
    help="Print it.",
)
@click.pass_context
def root(ctx: click.Context, database: str | None, packs: str | None, at: str | None) -> None:
    """Keeps the legal clock of a public agency.

    Settings also come from CASEFLOW_DATABASE, CASEFLOW_PACKS, CASEFLOW_AT, CASEFLOW_MAIL, CASEFLOW_USER and from
    caseflow.toml. Exit codes: 0 done; 1 a check found faults; 2 refused or bad input; 3 the store failed.
    """
    chosen = choose(database=database, packs=packs, at=at)
    default = Settings()
    ctx.obj = Door(
        opener=ctx.obj,
        settings=Settings(
            database=chosen["database"] or default.database,
            packs=chosen["packs"],
            at=_moment(chosen["at"]),
            mail=chosen["mail"] or default.mail,
        ),
        user=chosen["user"],
    )
    ctx.meta["door"] = ctx.obj


def _moment(text: str | None) -> Any:
    if text is None:
        return None
    from caseflow.services.office import parse_moment

    return parse_moment(text, "--at")


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"caseflow {version('caseflow-agency')}")
        ctx.exit()


# --- the one exit -------------------------------------------------------------------------------------------------


def run(opener: Opener, words: Sequence[str]) -> int:
    """Runs one command; the answer is the exit code. Nothing that goes wrong leaves here as a traceback."""
    as_json = "--json" in words
    try:
        code = _run(opener, words)
        sys.stdout.flush()
    except CaseflowError as fault:
        return report(fault, as_json)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as fault:
        return _usage(fault, as_json)
    except (KeyboardInterrupt, click.Abort):
        say("Interrupted; what was finished before stays.")
        return INTERRUPTED
    except OSError as fault:
        return _cut_off(fault)
    except Exception as fault:
        return _unexpected(fault, as_json)
    return code


def _run(opener: Opener, words: Sequence[str]) -> int:
    with root.make_context("caseflow", list(words), obj=opener) as ctx:
        root.invoke(ctx)
        door = ctx.meta.get("door")
        return door.exit_code if isinstance(door, Door) else DONE


def _usage(fault: click.ClickException, as_json: bool) -> int:
    if isinstance(fault, click.exceptions.NoArgsIsHelpError):
        fault.show()
        return REFUSED
    text = fault.format_message()
    if as_json:
        print_json({"error": "bad-input", "text": text, "because": []})
    path = fault.ctx.command_path if isinstance(fault, click.UsageError) and fault.ctx is not None else "caseflow"
    say(f"{text}\nSee '{path} --help'.")
    return REFUSED


def _cut_off(fault: OSError) -> int:
    """Ends where a file or the output fails. Who closed the pipe has seen enough: no word about that."""
    # Python would try the same output once more at its end, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(fault, BrokenPipeError):
        return DONE
    say(f"{fault.filename or 'The output'} can't be read or written: {fault.strerror or fault}.")
    return FAILED


def _unexpected(fault: Exception, as_json: bool) -> int:
    if os.environ.get("CASEFLOW_DEBUG") == "1":
        traceback.print_exception(fault)
    text = f"Internal error, nothing more was done: {type(fault).__name__}: {fault}"
    if as_json:
        print_json({"error": "internal", "text": text, "because": []})
    say(f"{text}\nPlease report it, with what CASEFLOW_DEBUG=1 prints.")
    return FAILED
