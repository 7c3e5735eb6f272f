"""The register of letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType

from caseflow.cli.pictures.words import day, moment, plural, ruled, text


def register(letters: Sequence[Mapping[str, Any]]) -> RenderableType:
    """A row a letter: where it stands and when it leaves or left."""
    if not letters:
        return text("No letter fits.")
    table = ruled("Number", "Letter", "Status", "When", whole=("Number", "Status", "When"))
    for letter in letters:
        what = text(letter["title"])
        if letter.get("recipients"):
            what.append_text(text(f"\nto {', '.join(map(_recipient, letter['recipients']))}", "dim"))
        if letter.get("missing"):
            what.append_text(text(f"\nmissing: {', '.join(letter['missing'])}", "bold red"))
        table.add_row(text(letter["number"]), what, text(letter["status"]), text(_when(letter)))
    return Group(table, text(plural(len(letters), "letter") + "."))


def _recipient(person: Mapping[str, Any]) -> str:
    return f"{person.get('name') or person['role']} ({person['channel']})"


def _when(letter: Mapping[str, Any]) -> str:
    owed = f"owed {day(letter['owed_on'])}"
    if letter["sent_on"]:
        return f"{owed}\nsent {day(letter['sent_on'])}"
    if letter.get("leaves_at") and letter["status"] in ("owed", "approved", "queued"):
        date, _, hour = moment(letter["leaves_at"]).rpartition(", ")
        return f"{owed}\nleaves {date},\n{hour}"
    return owed
