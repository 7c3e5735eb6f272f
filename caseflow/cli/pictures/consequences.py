"""What moving cases between versions of the rules changes, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from caseflow.cli.pictures.words import bullets, day, moment, plural, section, text

_NAMES = {"date": "last day", "timer": "timer", "assigned": "", "state": "state", "inner": ""}


def previews(made: Mapping[str, Any]) -> Group:
    """What would change, for each version that cases leave."""
    if not made["previews"]:
        return Group(text("No open case runs by another version; nothing would change."))
    return Group(*(part for one in made["previews"] for part in preview(one)))


def preview(made: Mapping[str, Any]) -> Iterator[RenderableType]:
    """What every open case of a version would see under another."""
    unchanged = f", {made['unchanged']} of them without any other change" if made["moves"] else ""
    yield text(f"Of {plural(made['open'], 'open case')} {made['moves']} would move{unchanged}, {made['blocked']} can't.", "bold")
    yield text(_way(made), "dim")
    moving = [one for one in made["states"] if one["was"] != one["is"]]
    if moving:
        yield section("States", bullets(text(f"{one['title']}: {one['was']} -> {one['is']}, {plural(one['cases'], 'case')}") for one in moving))
    for one in made["cases"]:
        if one["blocked"]:
            yield section(f"{one['case']}  {one['title']}: stays", bullets(text(why, "yellow") for why in one["blocked"]))
        elif shown(one):
            yield section(f"{one['case']}  {one['title']}", bullets(_change(change) for change in shown(one)))


def shown(one: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The changes that people are shown: the inner ones are told by the others."""
    told = [change for change in one["changes"] if change["part"] != "inner"]
    return told or list(one["changes"])


def _change(change: Mapping[str, Any]) -> Text:
    name = _NAMES.get(change["part"], change["part"])
    said = day if change["part"] == "date" else moment if change["part"] == "timer" else str
    was, now = (said(value) if value is not None else "none" for value in (change["was"], change["is"]))
    what = f"{name}{': ' if name else ''}{change['title']}"
    if change["part"] != "date" and None in (change["was"], change["is"]):
        return text(f"{'new' if change['was'] is None else 'gone'} {what} ({now if change['was'] is None else was})")
    line = text(f"{what}: {now} instead of {was}")
    if change["part"] == "date" and change["target"] != change["target_was"] and change["target"] != change["is"]:
        line.append_text(text(f", target {day(change['target']) or 'none'}", "dim"))
    return line


def moves(made: Mapping[str, Any]) -> Group:
    """What was moved."""
    if not made["moves"]:
        return Group(text("No open case runs by another version; nothing was moved."))
    return Group(*(moved(one) for one in made["moves"]))


def moved(made: Mapping[str, Any]) -> Group:
    """One move or undoing."""
    what = f"back (move {made['undoes']} undone)" if made["undoes"] is not None else f"(move {made['id']})"
    head = text(f"{plural(made['moved'], 'case')} moved {what}, {len(made['blocked'])} stay.", "bold green" if not made["blocked"] else "bold")
    return Group(head, text(_way(made), "dim"), bullets(text(f"{one['case']} stays: {one['because']}", "yellow") for one in made["blocked"]))


def _way(made: Mapping[str, Any]) -> str:
    was, now = made["from"], made["to"]
    return f"{now['pack']} {was['label']} ({was['version'][:12]}) -> {now['label']} ({now['version'][:12]})"
