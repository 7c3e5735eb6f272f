"""export, backup, restore, resume: the record leaves the house, so that others can check it or it can come back."""

from __future__ import annotations

import click

from caseflow.cli import pictures
from caseflow.cli.context import Context, as_json
from caseflow.cli.dockets import export_docket
from caseflow.errors import BadInput


@click.command()
@click.argument("case", required=False)
@click.argument("folder", metavar="DIR", required=False)
@click.option("--docket", "docket", metavar="FILE.jsonl", help="The whole docket as one file, for 'import' and 'pack rehearse'.")
@click.option("--state", metavar="STATE", help="With --docket: only cases in this state.")
@click.option("--workflow", metavar="WORKFLOW", help="With --docket: only cases of this workflow.")
@click.option("--open", "open_only", is_flag=True, help="With --docket: only cases that have not ended.")
@click.option("--withhold", "withhold", metavar="FACT=GROUND", multiple=True, help="Leave a fact out, on this ground; its hash stays. May be repeated.")
@as_json
@click.pass_obj
def export(
    context: Context,
    case: str | None,
    folder: str | None,
    docket: str | None,
    state: str | None,
    workflow: str | None,
    open_only: bool,
    withhold: tuple[str, ...],
) -> None:
    """The record of a case as a new folder: pages to read, journal, letters, proof of mailing, a signed checkpoint, and verify.py to check it all.

    With --docket: all cases, whole, as one file.
    """
    wanted = {"state": state, "workflow": workflow, "open_only": open_only}
    if docket is not None:
        export_docket(context, docket, wanted, (case, folder, *withhold))
        return
    if any(wanted.values()):
        raise BadInput("--state, --workflow and --open narrow a docket; name its file with --docket.")
    if case is None or folder is None:
        raise BadInput("Name a case and a new folder, as in 'export WD-2026-00001-1 record', or a file for all cases, as in 'export --docket docket.jsonl'.")
    grounds: dict[str, str] = {}
    for one in withhold:
        name, sign, ground = one.partition("=")
        if not sign or not name.strip():
            raise BadInput(f"--withhold {one}: write the fact and the ground, as --withhold 'parties=s. 19.36 (3)'.")
        grounds[name.strip()] = ground
    context.show(context.app.export(case, folder, grounds), pictures.exported)


@click.command()
@click.argument("file")
@as_json
@click.pass_obj
def backup(context: Context, file: str) -> None:
    """One archive of the embedded database and what lies beside it, written while the program runs."""
    with pictures.progress() as tell:
        made = context.app.backup(file, tell)
    context.say(
        made,
        f"{made['file']}: {made['files']} {'file' if made['files'] == 1 else 'files'}, {made['bytes']:,} bytes, as of {made['made_at']}. It holds secrets; keep it where the database could lie.",
    )


@click.command()
@click.argument("file")
@as_json
@click.pass_obj
def restore(context: Context, file: str) -> None:
    """Put an archive in the place that --database names, which must be free. Nothing leaves it until 'caseflow resume'."""
    with pictures.progress() as tell:
        made = context.app.restore(file, tell)
    context.say(made, f"{made['database']} is as it was at {made['made_at']}. Nothing leaves it until you run 'caseflow resume'; 'caseflow verify' proves it.")


@click.command()
@click.option("--dry-run", "try_only", is_flag=True, help="Only say what would leave.")
@as_json
@click.pass_obj
def resume(context: Context, try_only: bool) -> None:
    """Let mail leave a restored database again: first look with --dry-run at what waits, since some of it may have gone already."""
    context.show(context.app.resume(try_only), pictures.resumed)
