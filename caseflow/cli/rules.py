"""calendar, pack, workflow, scenario, clock, rules, fees, forms, demo: what the rules say, and what they would do."""

from __future__ import annotations

import json
import sys

import click

from caseflow.cli import pictures
from caseflow.cli.context import FAULTS, Context, as_json, as_user
from caseflow.cli.dockets import rehearse
from caseflow.cli.door import error_json
from caseflow.cli.proving import pack_prove
from caseflow.cli.versions import diff, migrate, versions
from caseflow.errors import BadInput, PackFaults


@click.group()
def calendar() -> None:
    """The days that count."""


@calendar.command("show")
@click.argument("name", required=False)
@click.option("--year", type=click.IntRange(1950, 2150))
@as_json
@click.pass_obj
def calendar_show(context: Context, name: str | None, year: int | None) -> None:
    """The days of a year with their sources."""
    context.show(context.app.calendar(name, year or context.app.now().year), pictures.calendar)


@click.group()
def pack() -> None:
    """Check and read packs."""


@pack.command("check")
@click.argument("folder", metavar="DIR")
@click.option("--no-scenarios", is_flag=True, help="Only read the pack: run no scenario and walk no workflow.")
@as_json
@click.pass_obj
def pack_check(context: Context, folder: str, no_scenarios: bool) -> None:
    """Every fault of a pack with file, line and column; renders its letters, decides its claims and runs its scenarios."""
    try:
        with pictures.progress() as tell:
            made = context.app.pack_check(folder, tell, not no_scenarios)
    except PackFaults as found:
        context.say({"faults": error_json(found)["because"]}, str(found))
        click.echo(f"{len(found.faults)} {'fault' if len(found.faults) == 1 else 'faults'} in {folder}", err=True)
        raise SystemExit(FAULTS) from None
    context.show(made, pictures.checked)
    if made["failed"] or made["broken"]:
        raise SystemExit(FAULTS)


pack.add_command(rehearse)


@pack.command("show")
@click.argument("name", required=False)
@click.option("--merged", is_flag=True, help="The workflow after inheritance, each part with the file and line that wrote it.")
@as_json
@click.pass_obj
def pack_show(context: Context, name: str | None, merged: bool) -> None:
    """A pack or a workflow in summary, with the law and how sure it is."""
    if not merged:
        context.show(context.app.pack_show(name), pictures.pack)
        return
    if name is None:
        raise BadInput("Name the workflow to be shown whole, such as: caseflow pack show WORKFLOW --merged")
    made = context.app.pack_merged(name)
    context.say({"workflow": name, "merged": made}, made.rstrip("\n"))


@pack.command("schema")
@click.argument("kind", type=click.Choice(["pack", "calendar", "facts", "letters", "fees", "workflow", "ruleset", "fact", "letter", "fee"]))
@click.pass_obj
def pack_schema(context: Context, kind: str) -> None:
    """JSON Schema of a kind of pack file, for editors."""
    click.echo(json.dumps(context.app.pack_schema(kind), indent=2))


pack.add_command(diff)
pack.add_command(versions)
pack.add_command(migrate)


pack.add_command(pack_prove)


@click.command()
@click.argument("facts", metavar="FACTS.yaml", required=False)
@click.option("--on", metavar="DATE", help="The day received, which picks the versions; default today.")
@click.option("--reading", "readings", multiple=True, metavar="SETTING=READING", help="Take another reading of a setting; may be repeated.")
@click.option("--file", "request", metavar="REQUEST.yaml", help="File this request with the facts, on the track named or the best-fitting one.")
@click.option("--track", metavar="WORKFLOW", help="The track to file on, whether or not it fits.")
@click.option("--lines", is_flag=True, help="Read JSON Lines from standard input, write JSON Lines; a bad line gets an error.")
@as_user
@as_json
@click.pass_obj
def screen(
    context: Context, facts: str | None, on: str | None, readings: tuple[str, ...], request: str | None, track: str | None, lines: bool, actor: str | None
) -> None:
    """Which track fits: fits, fits-if (a person judges so) or does-not-fit, with what decides and the nearest miss."""
    if lines:
        if facts or request or track or readings:
            raise BadInput("--lines reads facts from standard input and files nothing; leave the other words out")
        return _screen_lines(context, on)
    if facts is None:
        raise BadInput("screen needs a file of facts, such as caseflow screen FACTS.yaml; - reads standard input")
    given = context.app.read_yaml(facts)
    if request is not None:
        return context.show(context.app.screen_and_file(given, context.app.read_yaml(request), track, on, actor), pictures.filed)
    if track is not None:
        raise BadInput("--track names the track to file on; name the request too, with --file REQUEST.yaml")
    return context.show(context.app.screen(given, on, dict(_reading(text) for text in readings)), pictures.screened)


def _screen_lines(context: Context, on: str | None) -> None:
    out = sys.stdout.buffer
    with pictures.progress() as tell:
        for number, answer in enumerate(context.app.screen_lines(sys.stdin.buffer, on, tell), 1):
            out.write(answer + b"\n")
            if number % 64 == 0:
                out.flush()
    out.flush()


@click.group()
def workflow() -> None:
    """Read workflows."""


@workflow.command("draw")
@click.argument("name")
@click.pass_obj
def workflow_draw(context: Context, name: str) -> None:
    """An SVG diagram, drawn from the machine."""
    click.echo(context.app.diagram(name))


@click.group()
def scenario() -> None:
    """Rehearse scenarios."""


@scenario.command("run")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--coverage", is_flag=True, help="Say what no scenario exercised; exit 1 if anything.")
@as_json
@click.pass_obj
def scenario_run(context: Context, files: tuple[str, ...], coverage: bool) -> None:
    """Run scenario files on a virtual clock and a store in memory."""
    with pictures.progress() as tell:
        made = context.app.rehearse(files, tell)
    shown = made if coverage or not context.json else made["results"]
    context.show(shown, lambda found: pictures.rehearsed(found, coverage))
    if any(not one["passed"] for one in made["results"]) or (coverage and made["missing"]):
        raise SystemExit(FAULTS)


@click.group()
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


@click.group()
def rules() -> None:
    """Rule sets: what they find on facts."""


@rules.command("evaluate")
@click.argument("ruleset", metavar="RULESET")
@click.argument("facts", metavar="FACTS.yaml")
@click.option("--on", metavar="DATE", help="The day received, which picks the version; default today.")
@click.option("--reading", "readings", multiple=True, metavar="SETTING=READING", help="Take another reading of a setting; may be repeated.")
@as_json
@click.pass_obj
def rules_evaluate(context: Context, ruleset: str, facts: str, on: str | None, readings: tuple[str, ...]) -> None:
    """Each rule with what was found and what is allowed. Exit 0 whether the whole passes or not."""
    chosen = dict(_reading(text) for text in readings)
    context.show(context.app.rules_evaluate(ruleset, context.app.read_yaml(facts), on, chosen), pictures.findings)


@rules.command("list")
@click.argument("ruleset", required=False)
@click.option("--on", metavar="DATE", help="The day received, which picks the version; default today.")
@as_json
@click.pass_obj
def rules_list(context: Context, ruleset: str | None, on: str | None) -> None:
    """The rule sets with their versions, or the rules of one."""
    context.show(context.app.rules_list(ruleset, on), pictures.rulesets)


def _reading(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise click.BadParameter(f"'{text}' is no SETTING=READING")
    return name.strip(), value.strip()


@click.group()
def fees() -> None:
    """Fees."""


@fees.command("quote")
@click.argument("request", metavar="REQUEST.yaml")
@as_json
@click.pass_obj
def fees_quote(context: Context, request: str) -> None:
    """The fee with a line and a citation each."""
    context.show(context.app.quote(context.app.read_yaml(request)), pictures.fees)


@click.group()
def forms() -> None:
    """Request forms."""


@forms.command("show")
@click.argument("service")
@click.pass_obj
def forms_show(context: Context, service: str) -> None:
    """The request form of a service, printable."""
    click.echo(context.app.form(service))


@click.command()
@click.option("--folder", default="demo", metavar="DIR")
@as_json
@click.pass_obj
def demo(context: Context, folder: str) -> None:
    """Rehearse a sample docket from October to June."""
    with pictures.progress() as tell:
        made = context.app.demo(folder, tell)
    context.show(made, pictures.demo)
