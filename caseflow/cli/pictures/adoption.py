"""A changed calendar drawn: the days that differ, each case before and after, and what became of adoptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from caseflow.cli.pictures.words import bullets, cited, day, moment, plural, ruled, section, text

Answer = Mapping[str, Any]


def previewed(answer: Answer) -> RenderableType:
    """First how many cases move; then the days, and each case."""
    parts: list[RenderableType] = [text(_verdict(answer), "bold"), section("Days that change", bullets(_days(answer)))]
    for case in answer["cases"]:
        parts.append(section(f"{case['case']}  {case['title']}", *_case(case)))
    return Group(*parts)


def _verdict(answer: Answer) -> str:
    blocked = f" {plural(answer['blocked'], 'case')} can't be moved." if answer["blocked"] else ""
    moved = plural(answer["moved"], "open case")
    return f"Version {answer['version']} of {answer['calendar']} moves {moved} of {answer['open']}.{blocked} Nothing was changed."


def _days(answer: Answer) -> Iterator[Text]:
    for kind in ("added", "removed"):
        named: dict[tuple[str, str | None], list[Answer]] = {}
        for one in answer["days"][kind]:
            named.setdefault((one["name"], one["source"]), []).append(one)
        for (name, source), days in named.items():
            lists = ", ".join(dict.fromkeys(one["list_title"].lower() for one in days))
            yield cited(f"{kind}: {name} ({lists}): {'; '.join(dict.fromkeys(day(one['date']) for one in days))}", source)
    for also in answer["also"]:
        yield text(f"also changed: {also}")
    if not any(answer["days"].values()) and not answer["also"]:
        yield text(f"none from {answer['years'][0]} to {answer['years'][1]}")


def _case(case: Answer) -> Iterator[RenderableType]:
    if case["blocked"]:
        yield text("can't be moved: " + " ".join(case["blocked"]), "yellow")
        return
    if not case["clocks"]:
        yield text("No last day and no target moves; a warning or another timer comes at another time.")
    for one in case["clocks"]:
        last = f"last day {_from_to(one['due_was'], one['due'])}"
        target = f"; target {_from_to(one['target_was'], one['target'])}" if one["target_was"] != one["target"] else ""
        yield text(f"{one['title']}: {last}{target}.")
    for letter in case["letters"]:
        sent = f"sent {day(letter['sent_on'])}" if letter["sent_on"] else "not sent yet"
        yield text(f"Letter {letter['number']}, {letter['title']} ({sent}): {letter['then']}.")
    for owed in case["owes"]:
        yield text(f"Owes the letter {owed['number']} ({owed['letter']}).")
    if case["withdrawn"]:
        yield text(f"Withdrawn: entry {', '.join(map(str, case['withdrawn']))}.")


def _from_to(was: str | None, now: str | None) -> str:
    old, new = day(was) or "none", day(now) or "none"
    return f"stays {old}" if was == now else f"{old} -> {new}"


def adopted(answer: Answer) -> RenderableType:
    """What an adoption did."""
    what = f"The adoption of {answer['calendar']} is undone" if answer["undoes"] else f"The calendar {answer['calendar']} is adopted"
    head = text(f"{what}: {plural(answer['moved'], 'case')} of {answer['looked']} open ones moved, by an entry each.", "bold")
    blocked = [text(f"{one['case']}: {one['because']}", "yellow") for one in answer["blocked"]]
    return Group(head, *([section("Not moved", bullets(blocked))] if blocked else []))


def adoptions(answer: Sequence[Answer]) -> RenderableType:
    """One row each."""
    if not answer:
        return text("No changed calendar was adopted.")
    table = ruled("Number", "When", "What", "Moved", "By", "Because", right=("Number", "Moved"))
    for one in answer:
        what = f"undoes {one['undoes']}" if one["undoes"] else f"adopts {one['calendar']}"
        stands = "" if one["ended"] else ", not finished"
        stands += f", undone by {one['undone_by']}" if one["undone_by"] else ""
        table.add_row(str(one["id"]), moment(one["at"]), text(what + stands), str(one["moved"]), text(one["by"]), text(one["because"]))
    return table
