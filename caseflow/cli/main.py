"""The command line: words in, services called, pictures or JSON out. Every deliberate error ends here as one sentence."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from caseflow.bootstrap import App

DONE, FAULTS, REFUSED, STORE = 0, 1, 2, 3


class Context:
    """What every command shares. The app is joined when a command first needs it."""

    def __init__(self, **given: Any) -> None:
        self._given = given
        self.json = False

    @property
    def app(self) -> App:
        """The joined services."""
        from caseflow.bootstrap import App

        if not hasattr(self, "_app"):
            self._app = App(**self._given)
        return self._app

    def show(self, data: Any, picture: Callable[[Any], Any]) -> None:
        """JSON to standard output, or a picture of the same data."""
        if self.json:
            click.echo(json.dumps(data, ensure_ascii=False, default=str))
        else:
            from caseflow.cli.pictures import console

            console().print(picture(data))

    def facts(self, path: str | None) -> dict[str, Any]:
        """A facts file as a map."""
        return self.app.read_yaml(path) if path is not None else {}


def as_json(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --json."""

    def note(context: click.Context, _option: Any, value: bool) -> bool:
        if value:
            context.find_root().obj.json = True
        return value

    return click.option("--json", is_flag=True, expose_value=False, callback=note, help="Print JSON.")(command)


def _config() -> dict[str, str]:
    """Settings of caseflow.toml in the present folder."""
    if not os.path.exists("caseflow.toml"):
        return {}
    import tomllib

    with open("caseflow.toml", "rb") as file:
        try:
            return {key: str(value) for key, value in tomllib.load(file).items() if not isinstance(value, dict)}
        except tomllib.TOMLDecodeError as error:
            raise click.UsageError(f"caseflow.toml can't be read: {error}.") from None


@click.group(context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "CASEFLOW"})
@click.option("--database", metavar="URL", help="SQLite file or address; default sqlite:///caseflow.db.")
@click.option("--packs", metavar="DIR", help="Folder of packs; default the packs that come with the program.")
@click.option("--at", metavar="MOMENT", help="The moment 'now', for rehearsals: 2027-01-15 or 2027-01-15T10:00.")
@click.option("--maildrop", metavar="DIR", help="Folder that letters are written to; default maildrop.")
@click.pass_context
def cli(context: click.Context, /, **given: str | None) -> None:
    """Keep the legal clock of a public agency: cases, periods, letters and a record that can be verified."""
    chosen = {**{key: value for key, value in _config().items() if key in given}, **{key: value for key, value in given.items() if value is not None}}
    context.obj = Context(**chosen)


@cli.command()
@click.option("--live", is_flag=True, help="Mark it as a real record, for good.")
@as_json
@click.pass_obj
def init(context: Context, live: bool) -> None:
    """Create or migrate the database; safe to repeat."""
    context.show(context.app.init(live), lambda made: f"The database {made['database']} is ready{' and holds a real record' if made['live'] else ''}.")


@cli.command("file")
@click.argument("request", metavar="REQUEST.yaml")
@click.option("--as", "actor", metavar="USER[:ROLE]")
@as_json
@click.pass_obj
def file_request(context: Context, request: str, actor: str | None) -> None:
    """File a request; opens a case for each service and waterbody."""
    from caseflow.cli import pictures

    context.show(context.app.file(context.app.read_yaml(request), actor), pictures.filed)


@cli.command()
@click.argument("case")
@click.argument("action")
@click.option("--facts", metavar="FILE.yaml", help="The facts of the act; - reads standard input.")
@click.option("--on", metavar="DATE", help="The effective date (of a document: the day it arrived).")
@click.option("--as", "actor", metavar="USER[:ROLE]", help="Who acts; the role is staff where none is given.")
@click.option("--seen-version", type=int, metavar="N", help="The version you decided on; refused if it has moved on.")
@click.option("--command-id", metavar="ID", help="Makes a repeated command harmless.")
@click.option("--dry-run", is_flag=True, help="Show what would happen; do nothing.")
@as_json
@click.pass_obj
def act(
    context: Context,
    case: str,
    action: str,
    facts: str | None,
    on: str | None,
    actor: str | None,
    seen_version: int | None,
    command_id: str | None,
    dry_run: bool,
) -> None:
    """Take one action on a case."""
    from caseflow.cli import pictures

    done = context.app.act(case, action, context.facts(facts), on, actor, seen_version, command_id, dry_run)
    context.show(done, pictures.dry_run if dry_run else pictures.case)
    if dry_run and not done["allowed"]:
        raise SystemExit(REFUSED)


@cli.command()
@click.argument("case")
@click.argument("seq", type=int)
@click.option("--because", required=True, metavar="TEXT")
@click.option("--as", "actor", metavar="USER[:ROLE]")
@as_json
@click.pass_obj
def void(context: Context, case: str, seq: int, because: str, actor: str | None) -> None:
    """Void an entry; it stays visible with the reason."""
    from caseflow.cli import pictures

    context.show(context.app.void(case, seq, because, actor), pictures.case)


@cli.command()
@click.argument("case")
@click.argument("seq", type=int)
@click.option("--on", required=True, metavar="DATE")
@click.option("--because", required=True, metavar="TEXT")
@click.option("--as", "actor", metavar="USER[:ROLE]")
@as_json
@click.pass_obj
def amend(context: Context, case: str, seq: int, on: str, because: str, actor: str | None) -> None:
    """Correct the effective date of an entry."""
    from caseflow.cli import pictures

    context.show(context.app.amend(case, seq, on, because, actor), pictures.case)


@cli.group("case")
def case_group() -> None:
    """Read one case."""


@case_group.command("show")
@click.argument("case")
@as_json
@click.pass_obj
def case_show(context: Context, case: str) -> None:
    """The case as it stands."""
    from caseflow.cli import pictures

    context.show(context.app.show(case), pictures.case)


@case_group.command("timeline")
@click.argument("case")
@click.option("--by", type=click.Choice(["effective", "recorded"]), default="effective")
@click.option("--known-on", metavar="DATE", help="Only what was recorded by that day.")
@as_json
@click.pass_obj
def case_timeline(context: Context, case: str, by: str, known_on: str | None) -> None:
    """Its entries."""
    from caseflow.cli import pictures

    context.show(context.app.timeline(case, by, known_on), pictures.timeline)


@case_group.command("why")
@click.argument("case")
@click.argument("clock", required=False)
@as_json
@click.pass_obj
def case_why(context: Context, case: str, clock: str | None) -> None:
    """How its dates come about, line by line."""
    from caseflow.cli import pictures

    context.show(context.app.why(case, clock), pictures.why)


@cli.command()
@click.option("--state")
@click.option("--workflow")
@click.option("--assigned", metavar="USER")
@click.option("--flag")
@click.option("--text", help="Part of a title or number.")
@click.option("--overdue", is_flag=True)
@click.option("--due-within", type=int, metavar="N", help="Office days to the target.")
@click.option("--after", metavar="CASE", help="Go on after this case.")
@click.option("--limit", type=click.IntRange(1, 10000))
@as_json
@click.pass_obj
def docket(context: Context, /, **wanted: Any) -> None:
    """List cases."""
    from caseflow.cli import pictures

    context.show(context.app.docket(**wanted), pictures.docket)


@cli.command()
@click.option("--as-of", metavar="DATE")
@as_json
@click.pass_obj
def board(context: Context, as_of: str | None) -> None:
    """What a supervisor watches."""
    from caseflow.cli import pictures

    context.show(context.app.board(as_of), pictures.board)


@cli.command()
@click.option("--until", metavar="MOMENT")
@as_json
@click.pass_obj
def sweep(context: Context, until: str | None) -> None:
    """Fire every timer that is due, in order."""
    from caseflow.cli.pictures import progress

    with progress() as tell:
        swept = context.app.sweep(until, tell)
    context.show(swept, lambda made: f"{made['fired']} fired, {made['refused']} refused, {made['parked']} parked.")


@cli.group()
def letters() -> None:
    """The register of letters."""


@letters.command("list")
@click.argument("case", required=False)
@click.option("--status")
@as_json
@click.pass_obj
def letters_list(context: Context, case: str | None, status: str | None) -> None:
    """Letters, oldest first."""
    from caseflow.cli import pictures

    context.show(context.app.letters(case, status), pictures.letters)


@letters.command("show")
@click.argument("number")
@click.option("--form", type=click.Choice(["text", "html", "markdown"]), default="text")
@as_json
@click.pass_obj
def letters_show(context: Context, number: str, form: str) -> None:
    """One letter."""
    made = context.app.letter(number)
    click.echo(json.dumps(made, ensure_ascii=False) if context.json else made[form])


@letters.command("preview")
@click.argument("case")
@click.argument("letter")
@click.option("--if", "action", metavar="ACTION")
@click.option("--facts", metavar="FILE.yaml")
@as_json
@click.pass_obj
def letters_preview(context: Context, case: str, letter: str, action: str | None, facts: str | None) -> None:
    """A letter with the data of a case, before anything is done."""
    made = context.app.preview(case, letter, action, context.facts(facts))
    click.echo(json.dumps(made, ensure_ascii=False) if context.json else made["text"])


@letters.command("approve")
@click.argument("number")
@click.option("--as", "actor", metavar="USER[:ROLE]")
@as_json
@click.pass_obj
def letters_approve(context: Context, number: str, actor: str | None) -> None:
    """Approve a letter that waits for a person."""
    context.show(context.app.approve(number, actor), lambda made: f"{made['number']} is {made['status']}.")


@cli.command()
@click.option("--now", "at_once", is_flag=True, help="Do not wait for the time that mail is held back.")
@as_json
@click.pass_obj
def dispatch(context: Context, at_once: bool) -> None:
    """Send what the outbox holds."""
    from caseflow.cli.pictures import progress

    with progress() as tell:
        done = context.app.dispatch(at_once, tell)
    context.show(done, lambda made: f"{made['sent']} letters handed over, {made['failed']} failed.")


@cli.group()
def calendar() -> None:
    """The days that count."""


@calendar.command("show")
@click.argument("name", required=False)
@click.option("--year", type=click.IntRange(1950, 2150))
@as_json
@click.pass_obj
def calendar_show(context: Context, name: str | None, year: int | None) -> None:
    """The days of a year with their sources."""
    from caseflow.cli import pictures

    context.show(context.app.calendar(name, year or context.app.now().year), pictures.calendar)


@cli.command()
@click.argument("case", required=False)
@as_json
@click.pass_obj
def verify(context: Context, case: str | None) -> None:
    """Recompute the hash chain and replay every case."""
    from caseflow.cli.pictures import progress, verified

    with progress() as tell:
        made = context.app.verify(case, tell)
    context.show(made, verified)
    if made["faults"]:
        raise SystemExit(FAULTS)


@cli.command()
@click.pass_obj
def scheduler(context: Context) -> None:
    """Run the scheduler alone, until it is stopped."""
    context.app.run_scheduler()


@cli.group()
def pack() -> None:
    """Check and read packs."""


@pack.command("check")
@click.argument("folder", metavar="DIR")
@click.option("--no-scenarios", is_flag=True)
@as_json
@click.pass_obj
def pack_check(context: Context, folder: str, no_scenarios: bool) -> None:
    """Every fault of a pack with file, line and column; renders its letters and runs its scenarios."""
    from caseflow.cli.pictures import checked, progress
    from caseflow.errors import PackFaults

    try:
        with progress() as tell:
            made = context.app.pack_check(folder, tell, not no_scenarios)
    except PackFaults as faults:
        if context.json:
            rows = [{"file": one.file, "line": one.line, "column": one.column, "text": one.text} for one in faults.faults]
            click.echo(json.dumps({"faults": rows}, ensure_ascii=False))
        for fault in faults.faults:
            click.echo(str(fault), err=True)
        click.echo(f"{len(faults.faults)} faults", err=True)
        raise SystemExit(FAULTS) from None
    context.show(made, checked)
    if made["failed"]:
        raise SystemExit(FAULTS)


@pack.command("show")
@click.argument("name", required=False)
@as_json
@click.pass_obj
def pack_show(context: Context, name: str | None) -> None:
    """A pack or a workflow in summary."""
    from caseflow.cli import pictures

    context.show(context.app.pack_show(name), pictures.pack)


@pack.command("schema")
@click.argument("kind", type=click.Choice(["pack", "calendar", "workflow", "ruleset", "fact", "letter", "fee"]))
@click.pass_obj
def pack_schema(context: Context, kind: str) -> None:
    """JSON Schema of a kind of pack file, for editors."""
    click.echo(json.dumps(context.app.pack_schema(kind), indent=2))


@cli.group()
def workflow() -> None:
    """Read workflows."""


@workflow.command("draw")
@click.argument("name")
@click.pass_obj
def workflow_draw(context: Context, name: str) -> None:
    """An SVG diagram, drawn from the machine."""
    click.echo(context.app.diagram(name))


@cli.group()
def scenario() -> None:
    """Rehearse scenarios."""


@scenario.command("run")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--coverage", is_flag=True, help="Say what no scenario exercised; exit 1 if anything.")
@as_json
@click.pass_obj
def scenario_run(context: Context, files: tuple[str, ...], coverage: bool) -> None:
    """Run scenario files on a virtual clock and a store in memory."""
    from caseflow.cli.pictures import progress, rehearsed

    with progress() as tell:
        made = context.app.rehearse(files, tell)
    if context.json:
        click.echo(json.dumps(made if coverage else made["results"], ensure_ascii=False, default=str))
    else:
        from caseflow.cli.pictures import console

        console().print(rehearsed(made, coverage))
    if any(not one["passed"] for one in made["results"]) or (coverage and made["missing"]):
        raise SystemExit(FAULTS)


@cli.group()
def clock() -> None:
    """Count periods."""


@clock.command("compute")
@click.pass_obj
def clock_compute(context: Context) -> None:
    """JSON Lines in, JSON Lines out."""
    out = sys.stdout.buffer
    for number, answer in enumerate(context.app.clock_compute(sys.stdin.buffer), 1):
        out.write(answer + b"\n")
        if number % 512 == 0:
            out.flush()
    out.flush()


@cli.group()
def fees() -> None:
    """Fees."""


@fees.command("quote")
@click.argument("request", metavar="REQUEST.yaml")
@as_json
@click.pass_obj
def fees_quote(context: Context, request: str) -> None:
    """The fee with a line and a citation each."""
    from caseflow.cli import pictures

    context.show(context.app.quote(context.app.read_yaml(request)), pictures.fees)


@cli.group()
def forms() -> None:
    """Request forms."""


@forms.command("show")
@click.argument("service")
@click.pass_obj
def forms_show(context: Context, service: str) -> None:
    """The request form of a service, printable."""
    click.echo(context.app.form(service))


@cli.command()
@click.option("--folder", default="demo", metavar="DIR")
@as_json
@click.pass_obj
def demo(context: Context, folder: str) -> None:
    """Rehearse a sample docket from October to June."""
    from caseflow.cli.pictures import demo as picture
    from caseflow.cli.pictures import progress

    with progress() as tell:
        made = context.app.demo(folder, tell)
    context.show(made, picture)


def run() -> None:
    """The program. Errors become one sentence and an exit code here and nowhere else."""
    from caseflow.errors import CaseflowError, Refused, StoreFault

    try:
        cli.main(standalone_mode=False)
    except click.ClickException as error:
        click.echo(f"caseflow: {error.format_message()}", err=True)
        sys.exit(REFUSED)
    except (click.Abort, KeyboardInterrupt):
        click.echo("caseflow: stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(DONE)
    except Refused as refused:
        _say(refused, [(f"{reason.code}: {reason.text}", reason) for reason in refused.reasons])
        sys.exit(REFUSED)
    except StoreFault as fault:
        _say(fault, [])
        sys.exit(STORE)
    except CaseflowError as fault:
        _say(fault, [])
        sys.exit(REFUSED)
    except Exception as error:
        if os.environ.get("CASEFLOW_DEBUG"):
            raise
        click.echo(f"caseflow: internal error ({type(error).__name__}); nothing was changed. Please report it; CASEFLOW_DEBUG=1 shows where.", err=True)
        sys.exit(STORE)


def _say(error: Exception, reasons: list[tuple[str, Any]]) -> None:
    click.echo(f"caseflow: {error}", err=True)
    if "--json" in sys.argv:
        because = [
            {"code": one.code, "condition": one.id, "text": one.text, "cite": one.cite, "entries": list(one.entries), "role": one.role, "instead": one.instead}
            for _, one in reasons
        ]
        kind = because[0]["code"] if because else type(error).__name__
        click.echo(json.dumps({"error": kind, "text": str(error), "because": because}, ensure_ascii=False))
