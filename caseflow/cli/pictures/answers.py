"""Short answers: what was begun, filed, swept, sent or rehearsed, in a sentence or two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType

from caseflow.cli.pictures.ledger import ledgers
from caseflow.cli.pictures.page import verdict
from caseflow.cli.pictures.record import line
from caseflow.cli.pictures.sheet import sheet
from caseflow.cli.pictures.words import bullets, plural, section, text

Answer = Mapping[str, Any]


def begun(answer: Answer) -> RenderableType:
    """The database is there."""
    kind = "a real record; --at is refused here" if answer.get("live") else "not a real record; --at may set the moment"
    return text(f"The database {answer.get('database', '')} is ready: {kind}.")


def filed(answer: Answer) -> RenderableType:
    """The request, its fee, and each case with its date."""
    cases = answer["cases"]
    parts: list[RenderableType] = [text(f"Request {answer['request']} is filed: {plural(len(cases), 'case')}, fee {answer['fee']}.", "bold")]
    for case in cases:
        parts += [section(f"{case['case']}  {case['title']}", text(case["say"]["staff"]), verdict(case))]
    parts += [text(f"Note: {note}", "yellow") for note in answer.get("warnings") or ()]
    return Group(*parts)


def swept(answer: Answer) -> RenderableType:
    """What fired, what was no longer legal, what failed."""
    parked = f" {plural(answer['parked'], 'timer')} could not fire; the board lists each as stuck." if answer["parked"] else ""
    refused = f" {plural(answer['refused'], 'timer')} came too late to be legal; each is noted." if answer["refused"] else ""
    return text(f"{plural(answer['fired'], 'timer')} fired.{refused}{parked}")


def dispatched(answer: Answer) -> RenderableType:
    """What left and what did not."""
    if answer.get("resting"):
        return text(f"Nothing leaves: the database was restored at {answer['resting']}. Run 'caseflow resume' to let mail leave again.", "yellow")
    failed = f" {plural(answer['failed'], 'letter')} could not leave." if answer.get("failed") else ""
    waiting = f" {plural(answer['waiting'], 'copy', 'copies')} will be tried again." if answer.get("waiting") else ""
    unknown = f" The answer of {plural(answer['unknown'], 'copy', 'copies')} was lost; each goes again with the same bytes." if answer.get("unknown") else ""
    refused = f" {plural(answer['refused'], 'copy', 'copies')} can't be delivered; each has a task." if answer.get("refused") else ""
    return text(f"{plural(answer['sent'], 'letter')} handed over.{failed}{waiting}{unknown}{refused}")


def printed(answer: Answer) -> RenderableType:
    """A print batch and its files."""
    if not answer["batch"]:
        return text("No copy waits for the post.")
    return text(f"Batch {answer['batch']}: {plural(answer['copies'], 'copy', 'copies')}.\n" + "\n".join(answer["files"]))


def mailed(answer: Answer) -> RenderableType:
    """The copies of a batch that are marked as posted."""
    return text(f"{plural(len(answer['posted']), 'copy', 'copies')} of batch {answer['batch']} marked as posted.")


def rehearsed_docket(answer: Answer) -> Group:
    """The sample docket: its size, its board, one case with its record and its why, and where to look."""
    size = ", ".join(f"{answer[name]} {name}" for name in ("requests", "cases", "entries", "letters"))
    files = (text(f"{name}: {path}") for name, path in answer["files"].items())
    return Group(
        text(f"{size} in {answer['seconds']:.1f} s", "bold"),
        sheet(answer["board"]),
        section(f"The record of {answer['case']}", line(answer["timeline"])),
        section("Why this date?", ledgers(answer["why"])),
        section("Where to look", bullets(files)),
    )


def resumed(answer: Answer) -> RenderableType:
    """What leaves a restored database, or would."""
    copies = answer["copies"]
    said = "Nothing rested: mail leaves as it should." if answer["resting"] is None else "Mail leaves again." if answer["resumed"] else "Nothing leaves yet."
    parts: list[RenderableType] = [text(f"{said} {plural(len(copies), 'copy', 'copies')} wait{'s' if len(copies) == 1 else ''}.", "bold")]
    parts += [text(f"{copy['copy']} by {copy['channel']} to the {copy['role']}") for copy in copies[:20]]
    parts += [text(f"and {len(copies) - 20} more; --json lists all")] if len(copies) > 20 else []
    return Group(*parts)


def exported(answer: Answer) -> RenderableType:
    """A record bundle: where it is, what was withheld, and by which key it is signed."""
    parts = [
        text(
            f"The record of {answer['case']} is in {answer['folder']}: {plural(answer['entries'], 'entry', 'entries')}, {plural(answer['letters'], 'letter')}.",
            "bold",
        )
    ]
    parts += [text(f"Withheld: {name} ({ground}).") for name, ground in answer["withheld"].items()]
    parts += [text(f"Withheld whole: letter {number}, which names it.") for number in answer["letters_withheld"]]
    if answer["documents"] and answer["withheld"]:
        said = f"{plural(answer['documents'], 'document')} came along as handed in; read what they say before you hand them on, or withhold 'documents'."
        parts.append(text(said, "yellow"))
    parts += [text(f"Signed with the key {answer['key']}."), text(f"To check it: python3 {answer['folder']}/verify.py")]
    return Group(*parts)
