"""init, sweep, dispatch, scheduler, verify, letters: what keeps a record going and proves it."""

from __future__ import annotations

import click

from caseflow.cli import pictures
from caseflow.cli.context import FAULTS, Context, as_json, as_user


@click.command()
@click.option("--live", is_flag=True, help="Mark it as a real record, for good.")
@as_json
@click.pass_obj
def init(context: Context, live: bool) -> None:
    """Create or migrate the database; safe to repeat."""
    context.show(context.app.init(live), pictures.begun)


@click.command()
@click.option("--until", metavar="MOMENT")
@as_json
@click.pass_obj
def sweep(context: Context, until: str | None) -> None:
    """Fire every timer that is due, in order."""
    with pictures.progress() as tell:
        swept = context.app.sweep(until, tell)
    context.show(swept, pictures.swept)


@click.command()
@click.option("--now", "at_once", is_flag=True, help="Do not wait for the time that mail is held back.")
@as_json
@click.pass_obj
def dispatch(context: Context, at_once: bool) -> None:
    """Send what the outbox holds."""
    with pictures.progress() as tell:
        done = context.app.dispatch(at_once, tell)
    context.show(done, pictures.dispatched)


@click.command()
@click.pass_obj
def scheduler(context: Context) -> None:
    """Run the scheduler alone, until it is stopped."""
    context.app.run_scheduler()


@click.command()
@click.argument("case", required=False)
@as_json
@click.pass_obj
def verify(context: Context, case: str | None) -> None:
    """Recompute the hash chain and replay every case."""
    with pictures.progress() as tell:
        made = context.app.verify(case, tell)
    context.show(made, pictures.verified)
    if made["faults"]:
        raise SystemExit(FAULTS)


@click.group()
def letters() -> None:
    """The register of letters."""


@letters.command("list")
@click.argument("case", required=False)
@click.option("--status")
@as_json
@click.pass_obj
def letters_list(context: Context, case: str | None, status: str | None) -> None:
    """Letters, oldest first."""
    context.show(context.app.letters(case, status), pictures.letters)


@letters.command("show")
@click.argument("number")
@click.option("--form", type=click.Choice(["text", "html", "markdown"]), default="text")
@click.option("--pdf", metavar="FILE", help="Write it to a file as an accessible PDF.")
@as_json
@click.pass_obj
def letters_show(context: Context, number: str, form: str, pdf: str | None) -> None:
    """One letter."""
    if pdf is not None:
        written = context.app.letter_pdf(number, pdf)
        context.say(written, f"{pdf}: {written['bytes']} bytes, SHA-256 {written['sha256']}")
        return
    made = context.app.letter(number)
    context.say(made, made[form])


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
    context.say(made, made["text"])


@letters.command("gallery")
@click.argument("folder", metavar="DIR")
@click.option("--pack", metavar="P", help="A pack by its name or folder; the first one where none is given.")
@click.option("--every", is_flag=True, help="Draw the pages of each sample, not of the longest alone.")
@as_json
@click.pass_obj
def letters_gallery(context: Context, folder: str, pack: str | None, every: bool) -> None:
    """Every letter of a pack with every sample, on one page to read through."""
    with pictures.progress() as tell:
        made = context.app.gallery(folder, pack, every, tell)
    shown = f"{made['letters']} letters in {made['workflows']} workflows: {made['texts']} texts, {made['drawn']} drawn on {made['pages']} pages"
    context.say(made, f"{shown}.\nOpen {made['index']}")


@letters.command("approve")
@click.argument("number")
@as_user
@as_json
@click.pass_obj
def letters_approve(context: Context, number: str, actor: str | None) -> None:
    """Approve a letter that waits for a person."""
    context.show(context.app.approve(number, actor), lambda letter: pictures.letters([letter]))
