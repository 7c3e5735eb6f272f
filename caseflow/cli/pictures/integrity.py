"""Whether the record holds, and what was signed of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding

from caseflow.cli.pictures.words import bullets, plural, text

Answer = Mapping[str, Any]


def verified(answer: Answer) -> RenderableType:
    """The record holds, or where it breaks; and how quickly that was found."""
    size = f"{plural(answer['cases'], 'case')}, {plural(answer['entries'], 'entry', 'entries')}"
    size += f", {plural(answer['stubs'], 'stub')} of records disposed of" if answer.get("stubs") else ""
    replay = answer.get("replay")
    told = [text(_rate("Every hash", answer["chain"]))] if answer.get("chain") else []
    told += [text(_rate("Every replay", replay))] if replay else []
    told += [text(_since(answer["checkpoint"]))] if answer.get("checkpoint") else []
    if not answer["faults"]:
        how = "every hash and every replay agree" if replay or not told else "every hash agrees; nothing was replayed"
        return Group(text(f"The record holds: {size}; {how}.", "green"), *told)
    lines = (text(f"{fault['case']} entry {fault['seq']}: {fault['text']}") for fault in answer["faults"])
    return Group(
        text(f"The record does not hold: {plural(len(answer['faults']), 'fault')} in {size}.", "bold red"),
        bullets(lines),
        *told,
    )


def _since(found: Answer) -> str:
    """How the record stands against a checkpoint, and by whose key that was signed."""
    how = "its own list of cases" if found["listed"] else "the list of cases that the database keeps"
    said = f"{found['unchanged']} of its {plural(found['cases'], 'case')} are as they were" if not found["faults"] else plural(found["faults"], "fault")
    return f"Checkpoint {found['number']} of {found['made_at']}, by {how}: {said}. Signed with the key {found['key']}."


def checkpoints(answer: Sequence[Answer]) -> RenderableType:
    """The checkpoints that the database keeps."""
    if not answer:
        return text("There is no checkpoint; 'caseflow checkpoint make' signs one.")
    lines = []
    for one in answer:
        size = f"{plural(one['cases'], 'case')}, {plural(one['entries'], 'entry', 'entries')}"
        lines.append(text(f"{one['number']}  {one['made_at']}  {size}  {one['fault'] or 'signed'}", "bold red" if one["fault"] else ""))
    return Group(*lines)


def _rate(what: str, found: Answer) -> str:
    return f"{what}: {found['entries']:,} entr{'y' if found['entries'] == 1 else 'ies'} in {found['seconds']:.1f} s ({found['entries_per_second']:,} a second)."


MARKS = {"wrong": ("WRONG", "bold red"), "look": ("look", "yellow"), "well": ("well", "green")}


def examined(answer: Answer) -> RenderableType:
    """The verdict, then what is wrong with what to do, then what there is to know, then what is well."""
    wrong, look, well = answer["wrong"], answer["look"], answer["well"]
    rest = f"{plural(look, 'thing')} to look at, {well} well" if look else f"{well} well"
    verdict = (
        text(f"{plural(wrong, 'thing')} {'is' if wrong == 1 else 'are'} wrong; {rest}.", "bold red") if wrong else text(f"Nothing is wrong; {rest}.", "green")
    )
    lines: list[RenderableType] = [verdict]
    for state, (mark, style) in MARKS.items():
        for one in (one for one in answer["findings"] if one["state"] == state):
            lines.append(text(f"{mark:5} {one['check']}: {one['text']}", style))
            lines += [Padding(text(one["do"]), (0, 0, 0, 6))] if one["do"] else []
    return Group(*lines)
