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
    table = ruled("Number", "Letter", "Status", "Owed", "Sent or leaves", whole=("Number", "Owed"))
    for letter in letters:
        what = text(letter["title"])
        for recipient in letter.get("recipients") or ():
            what.append_text(text(f"\nto {recipient.get('name') or recipient['role']}, {recipient['channel']}", "dim"))
        if letter.get("missing"):
            what.append_text(text(f"\nmissing: {', '.join(letter['missing'])}", "bold red"))
        leaves = f"leaves {moment(letter['leaves_at'])}" if letter.get("leaves_at") else "not yet"
        table.add_row(
            text(letter["number"]),
            what,
            text(letter["status"]),
            day(letter["owed_on"]),
            day(letter["sent_on"]) or leaves,
        )
    return Group(table, text(plural(len(letters), "letter") + "."))
