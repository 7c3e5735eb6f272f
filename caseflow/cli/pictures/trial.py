"""What an act would change, and what a correction withdrew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType

from caseflow.cli.pictures.page import because, overview
from caseflow.cli.pictures.words import bullets, day, last_day, ruled, section, text, word

Answer = Mapping[str, Any]


def consequences(trial: Answer) -> RenderableType:
    """Now and then, side by side; or why it is refused."""
    if not trial["allowed"]:
        lines = (because(reason) for reason in trial["because"])
        return Group(text("Not possible; nothing was changed.", "bold"), bullets(lines))
    table = ruled("", "Now", "Then")
    for name, now, then in _changes(trial["before"], trial["after"]):
        if now != then:
            table.add_row(text(name), text(now), text(then, "bold"))
    if not table.row_count:
        table.add_row("State", text(trial["before"]["state"]), "the same")
    return Group(text("Possible. Nothing was changed yet.", "bold"), table, *_owed(trial))


def _changes(before: Answer, after: Answer) -> Iterator[tuple[str, str, str]]:
    yield "State", str(before["state"]), str(after["state"])
    for (name, now), then in zip(_dates(before).items(), _dates(after).values(), strict=False):
        yield name, now, then
    for name, now, then in _limits(before, after):
        yield name, now, then


def _dates(side: Answer) -> dict[str, str]:
    return {clock.get("title") or clock["id"]: f"{word(clock['status'])}, {last_day(clock)}" for clock in side.get("clocks") or ()}


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
    answers = dict.fromkeys(_answered(one) for one in trial.get("if_answered_on") or ())
    if answers:
        yield section("If the answer comes on", bullets(text(line) for line in answers))


def _answered(one: Answer) -> str:
    return f"{day(one['answered_on'])}: last day in law {day(one['due'])}, target {day(one['target'])}"


def corrected(case: Answer) -> RenderableType:
    """The case after a correction, and the entries that no longer follow."""
    withdrawn = case.get("withdrawn") or ()
    lost = f"Withdrawn, since they no longer follow: entry {', '.join(map(str, withdrawn))}." if withdrawn else "Nothing else was withdrawn."
    return Group(text(lost, "bold"), "", overview(case))
