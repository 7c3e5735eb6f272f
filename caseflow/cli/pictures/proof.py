"""How the claims of workflows fare, drawn for a terminal: the verdict first, then each claim, broken ones with their path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group
from rich.text import Text

from caseflow.cli.pictures.words import plural, text


def proofs(made: Mapping[str, Any]) -> Group:
    """Every workflow that was walked."""
    return Group(*(line for one in made["proofs"] for line in _proof(one)))


def _proof(one: Mapping[str, Any]) -> Iterator[Text]:
    broken = one["broken"]
    head = f"{one['workflow']}: {plural(broken, 'claim')} of {len(one['claims'])} broken" if broken else f"{one['workflow']}: {len(one['claims'])} claims hold"
    yield text(head, "bold red" if broken else "bold green")
    kept = " (kept from an earlier walk)" if one.get("kept") else ""
    yield text(f"  {one['states']:,} states, {one['edges']:,} edges, depth {one['depth']}, {one['seconds']:.2f} s{kept}", "dim")
    if one["never_done"]:
        yield text(f"  never done on any path: {', '.join(one['never_done'])}", "yellow")
    for claim in one["claims"]:
        yield from _claim(claim)


def _claim(claim: Mapping[str, Any]) -> Iterator[Text]:
    law = claim["cite"] or claim["note"] or ""
    mark, style = ("holds ", "green") if claim["holds"] else ("BROKEN", "bold red")
    yield text(f"  {mark} {claim['id']}: {claim['text']} ({law})", style if not claim["holds"] else "")
    if claim["holds"]:
        return
    yield text(f"         {claim['said']}")
    yield text("         " + " > ".join(claim["path"]), "dim")
    yield from (text(f"         {line}") for line in claim["file"].splitlines())
