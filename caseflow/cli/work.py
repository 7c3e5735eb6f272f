"""init, sweep, dispatch, scheduler, letters: what keeps a record going."""

from __future__ import annotations

from typing import Any

import click

from caseflow.cli import pictures
from caseflow.cli.context import Context, as_json, as_user


@click.command()
@click.option("--live", is_flag=True, help="Mark it as a real record, for good.")
@click.option("--roles", "only_roles", is_flag=True, help="Only print the script that makes the roles and the database on PostgreSQL, for psql.")
@as_json
@click.pass_obj
def init(context: Context, live: bool, only_roles: bool) -> None:
    """Create or migrate the database; safe to repeat."""
    if only_roles:
        script = context.app.roles()
        context.say({"sql": script}, script.rstrip())
        return
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
@click.option("--print-batch", "folder", metavar="DIR", help="Print what goes by post: one PDF with separator sheets, and the mailing record.")
@click.option("--again", metavar="BATCH", help="With --print-batch: the files of a batch once more.")
@click.option("--posted", metavar="BATCH", help="Mark a print batch as posted.")
@click.option("--on", metavar="DATE", help="With --posted: the day on which it was posted; today where none is given.")
@as_user
@as_json
@click.pass_obj
def dispatch(context: Context, at_once: bool, folder: str | None, again: str | None, posted: str | None, on: str | None, actor: str | None) -> None:
    """Send what the outbox holds."""
    if folder is not None and posted is not None:
        raise click.UsageError("print a batch, or mark one as posted; not both at once")
    if (again and folder is None) or (on and posted is None):
        raise click.UsageError("--again goes with --print-batch DIR, and --on with --posted BATCH")
    if folder is not None:
        context.show(context.app.print_batch(folder, again, at_once), pictures.printed)
    elif posted is not None:
        context.show(context.app.posted(posted, on, actor), pictures.mailed)
    else:
        with pictures.progress() as tell:
            done = context.app.dispatch(at_once, tell)
        context.show(done, pictures.dispatched)


@click.command()
@click.pass_obj
def scheduler(context: Context) -> None:
    """Run the scheduler alone, until it is stopped."""
    context.app.run_scheduler()


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
    context.show(context.app.approve(number, actor), _one)


@letters.command("edit")
@click.argument("number")
@click.option("--place", required=True, metavar="NAME", help="A place that the template marks.")
@click.option("--text", required=True, metavar="TEXT", help="Plain paragraphs; an empty text takes them out.")
@as_user
@as_json
@click.pass_obj
def letters_edit(context: Context, number: str, place: str, text: str, actor: str | None) -> None:
    """Write into a marked place of a letter that has not left; it then waits for approval."""
    context.show(context.app.edit_letter(number, place, text, actor), _one)


@letters.command("retry")
@click.argument("number")
@click.option("--facts", metavar="FILE.yaml", help="What was missing, where the case does not state it by now.")
@as_user
@as_json
@click.pass_obj
def letters_retry(context: Context, number: str, facts: str | None, actor: str | None) -> None:
    """Write a blocked letter."""
    context.show(context.app.retry_letter(number, context.facts(facts), actor), _one)


@letters.command("correct")
@click.argument("number")
@click.option("--because", required=True, metavar="TEXT", help="What was wrong; the new letter says it.")
@as_user
@as_json
@click.pass_obj
def letters_correct(context: Context, number: str, because: str, actor: str | None) -> None:
    """Write a new letter that names and corrects another."""
    context.show(context.app.correct_letter(number, because, actor), _one)


@letters.command("resend")
@click.argument("number")
@click.option("--copy", metavar="COPY", help="Which copy: its id, number, role or name.")
@click.option("--channel", required=True, type=click.Choice(["email", "post"]))
@click.option("--address", multiple=True, metavar="LINE", help="An e-mail address, or a line of a postal one; that on record where none is given.")
@as_user
@as_json
@click.pass_obj
def letters_resend(context: Context, number: str, copy: str | None, channel: str, address: tuple[str, ...], actor: str | None) -> None:
    """Send a copy that could not be delivered by another way."""
    context.show(context.app.resend_letter(number, copy, channel, address, actor), _one)


def _evidence(event: str, words: str) -> click.Command:
    """A command that records what became of a copy."""

    @letters.command(event, help=words)
    @click.argument("number")
    @click.option("--copy", metavar="COPY", help="Which copy: its id, number, role or name.")
    @click.option("--because", metavar="TEXT", help="What the evidence says.")
    @click.option("--on", metavar="DATE", help="The day of the evidence; today where none is given.")
    @as_user
    @as_json
    @click.pass_obj
    def command(context: Context, number: str, copy: str | None, because: str | None, on: str | None, actor: str | None) -> None:
        context.show(context.app.letter_event(number, event, copy, because, on, actor), _one)

    return command


_evidence("delivered", "Record that a copy arrived.")
_evidence("bounced", "Record that a copy could not be delivered; opens a task to send it by another way.")
_evidence("returned", "Record that a copy came back; opens a task to send it by another way.")


def _one(letter: Any) -> Any:
    return pictures.letters([letter])
