"""What an act would change, and what a correction withdrew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from caseflow.cli.pictures.page import overview
from caseflow.cli.pictures.words import bullets, cited, day, ruled, section, text

Answer = Mapping[str, Any]


def consequences(trial: Answer) -> RenderableType:
    """Now and then, side by side; or why it is refused."""
    if not trial["allowed"]:
        lines = (cited(reason["text"], reason.get("cite")) for reason in trial["because"])
        return Group(text("Not possible; nothing was changed.", "bold"), bullets(lines))
    table = ruled("", "Now", "Then")
    for name, now, then in _changes(trial["before"], trial["after"]):
        table.add_row(text(name), text(now), text(then, "bold" if now != then else ""))
    return Group(text("Possible. Nothing was changed yet.", "bold"), table, *_owed(trial))


def _changes(before: Answer, after: Answer) -> Iterator[tuple[str, str, str]]:
    yield "state", str(before["state"]), str(after["state"])
    for (name, now), then in zip(_dates(before).items(), _dates(after).values(), strict=False):
        yield name, now, then
    for name, now, then in _limits(before, after):
        yield name, now, then


def _dates(side: Answer) -> dict[str, str]:
    return {clock.get("title") or clock["id"]: f"{clock['status']}, {day(clock['due']) or 'no last day'}" for clock in side.get("clocks") or ()}


def _limits(before: Answer, after: Answer) -> Iterator[tuple[str, str, str]]:
    later = {limit["id"]: limit for limit in after.get("limits") or ()}
    for limit in before.get("limits") or ():
        then = later.get(limit["id"], limit)
        yield (
            limit.get("title") or limit["id"],
            f"{limit['used']} of {limit['allowed']}",
            f"{then['used']} of {then['allowed']}",
        )


def _owed(trial: Answer) -> Iterator[RenderableType]:
    letters = [text(letter if isinstance(letter, str) else letter.get("title") or letter["id"]) for letter in trial.get("letters") or ()]
    if letters:
        yield section("Letters", bullets(letters))
    answers = list(trial.get("if_answered_on") or ())
    if answers:
        yield section("If the answer comes", bullets(_answered(one) for one in answers))


def _answered(one: Answer) -> Text:
    return text(f"{day(one['answered_on'])}: target {day(one['target'])}, last day in law {day(one['due'])}")


def corrected(case: Answer) -> RenderableType:
    """The case after a correction, and the entries that no longer follow."""
    withdrawn = case.get("withdrawn") or ()
    lost = f"Withdrawn, since they no longer follow: entry {', '.join(map(str, withdrawn))}." if withdrawn else "Nothing else was withdrawn."
    return Group(text(lost, "bold"), "", overview(case))
