"""A docket that went out or came in: how much, what rests, what a person must look at, and every fault by its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from caseflow.cli.pictures.words import bullets, day, plural, section, text

SHOWN = 50
"""Faults and outcomes that are listed; --json lists more."""
PAST = {"warn": "warning", "overdue": "missed day", "remind": "reminder", "alert": "alert", "silence": "outcome by silence"}


def docket_exported(answer: Mapping[str, Any]) -> RenderableType:
    """What is in the file."""
    size = f"{plural(answer['cases'], 'case')}, {plural(answer['entries'], 'entry', 'entries')}, {plural(answer['letters'], 'letter')}, {plural(answer['packs'], 'pack')}"
    parts: list[RenderableType] = [text(f"The docket is in {answer['file']}: {size}.", "bold")]
    if answer["documents"]:
        parts.append(
            text(f"{plural(answer['documents'], 'document')} {_is(answer['documents'])} named by hash; what is in them lies in the folder of documents.")
        )
    return Group(*parts, text("It holds addresses and the salts of facts; keep it where the database could lie."))


def taken_in(answer: Mapping[str, Any]) -> RenderableType:
    """What came in, or why nothing did."""
    faults = answer["faults"]
    if faults:
        count = len(faults) + answer["more_faults"]
        head = text(f"Nothing was imported: {plural(count, 'fault')} in {plural(answer['lines'], 'line')}.", "bold red")
        return Group(head, bullets(_fault(one) for one in faults[:SHOWN]), *_more(count))
    if answer["known"] and not answer["cases"]:
        return text(f"Nothing new: {plural(answer['known'], 'case')} {_is(answer['known'])} here already.", "bold green")
    done = "came in" if answer["written"] else "would come in"
    size = f"{plural(answer['cases'], 'case')} {done} with {plural(answer['entries'], 'entry', 'entries')} and {plural(answer['letters'], 'letter')}"
    known = f"; {plural(answer['known'], 'case')} {_is(answer['known'])} here already" if answer["known"] else ""
    return Group(text(f"{size}{known}.", "bold green"), *_notes(answer))


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _fault(one: Mapping[str, Any]) -> Text:
    case = f" ({one['case']})" if one["case"] else ""
    said = one["text"] if one["text"].endswith(("?", ".", "!")) else f"{one['text']}."
    return text(f"line {one['line']}{case}: {said} {one['instead']}".rstrip())


def _more(count: int) -> list[RenderableType]:
    return [text(f"and {count - SHOWN} more")] if count > SHOWN else []


def _notes(answer: Mapping[str, Any]) -> Iterator[RenderableType]:
    past = ", ".join(plural(count, PAST.get(kind, kind), "" if kind != "silence" else "outcomes by silence") for kind, count in sorted(answer["past"].items()))
    if past:
        yield text(f"Before the import fell due, and does not happen: {past}.")
    if answer["waiting"]:
        rests = "; nothing leaves this database until 'caseflow resume'" if answer["written"] else ""
        yield text(f"{plural(answer['waiting'], 'copy', 'copies')} of letters {'waits' if answer['waiting'] == 1 else 'wait'} to be sent{rests}.", "yellow")
    if answer["documents"]:
        yield text(f"{plural(answer['documents'], 'document')} {_is(answer['documents'])} named; copy the folder of documents too.", "yellow")
    silence = answer["silence"]
    if silence:
        lines = (
            text(f"line {one['line']} ({one['case']}): {one['title']} ended on {day(one['due'])}; silence then means: {one['outcome']}")
            for one in silence[:SHOWN]
        )
        yield section(f"Silence had decided {plural(len(silence), 'case')}, and nothing is told of an act in time", bullets(lines), *_more(len(silence)))
        yield text(
            "Each has a task for a supervisor. Better: tell the act, or the outcome, in its line, and import then."
            if not answer["written"]
            else "Each has a task for a supervisor."
        )
