"""A case for a person: what now and by when, then the evidence, then what is possible and what is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from caseflow.cli.pictures.clockbar import clock_bar, kinds, legend
from caseflow.cli.pictures.words import bullets, cited, day, last_day, moment, plural, ruled, section, status, text, turn

Case = Mapping[str, Any]


def overview(case: Case) -> RenderableType:
    """The whole page of a case, the verdict first."""
    return Group(*head(case), *_sections(case))


def head(case: Case) -> Iterator[RenderableType]:
    """Number, place, state and turn; then the one sentence that answers why somebody looks."""
    yield text(f"{case['case']}  {case['title']}", "bold")
    ending = f": {case['disposition']}" if case.get("disposition") else ""
    parts = [
        case.get("workflow_title") or case["workflow"],
        f"{case.get('state_title') or case['state']}{ending}",
        turn(case["turn"]),
    ]
    yield text("; ".join(parts), "dim")
    yield Text()
    yield text(case["say"]["staff"], "bold")
    yield verdict(case)
    if case.get("flags"):
        yield text("Flags: " + ", ".join(case["flags"]), "bold red")


def verdict(case: Case) -> Text:
    """Target and last day in law of the clock that decides; both, even where they are equal."""
    clock = deciding(case)
    if clock is None:
        return text("No period of the agency is running.")
    name = clock["title"]
    if clock["status"] == "tolled":
        kept = f"; {_counted(clock)} kept" if clock.get("left") is not None else ""
        return text(f"{name}: no last day while held{kept}.", "yellow")
    if clock["status"] == "displaced":
        return text(f"{name}: no last day; as soon as possible, since {day(clock['displaced_on'])}.", "magenta")
    if clock["status"] == "missed":
        late = f", {plural(clock['missed_by'], 'day')} late" if clock.get("missed_by") else ""
        return text(f"{name}: the last day in law was {day(clock['due'])}{late}.", "bold red")
    left = f" ({_counted(clock)} left)" if clock.get("left") is not None else ""
    return text(f"{name}: target {day(clock['target'])}; last day in law {day(clock['due'])}{left}.")


def _counted(clock: Mapping[str, Any]) -> str:
    return plural(clock["left"], "business day" if "business_days" in (clock.get("length") or {}) else "day")


def deciding(case: Case) -> Mapping[str, Any] | None:
    """The clock of the agency that matters now: a missed one, else the earliest last day, else one without a date."""
    open_clocks = [
        clock
        for clock in case["clocks"]
        if clock["actor"] not in ("requester", "public")
        and not clock.get("policy")
        and clock["status"] in ("running", "tolled", "displaced", "missed")
        and not clock.get("ended_on")
    ]
    return min(open_clocks, key=lambda clock: (clock["status"] != "missed", clock["due"] or "9999"), default=None)


def _sections(case: Case) -> Iterator[RenderableType]:
    begun = [clock for clock in case["clocks"] if clock["status"] != "not-started"]
    if begun:
        yield section("Clocks", clock_table(begun))
        yield from bars(begun, case.get("as_of"))
    if case.get("intake"):
        yield section("From the filing to the decision", *_intake(case["intake"]))
    if case.get("tasks"):
        yield section("To do", bullets(_tasks(case)))
    yield from actions(case.get("actions") or ())
    if case.get("limits"):
        yield section("Limits", bullets(_limits(case)))
    yield from _items(case)
    yield from _checklist(case)
    if case.get("letters"):
        yield section("Letters", letters(case["letters"]))
    if case.get("timers"):
        yield section("What happens by itself", bullets(_timers(case)))
    if case.get("fees"):
        yield section("Fees", *_fees(case["fees"]))


def _checklist(case: Case) -> Iterator[RenderableType]:
    """What a person judges of the rules: the open items first, each with its law; then who judged the others, when and why."""
    if case.get("rules"):
        yield section("Rules", bullets(text(_ruleset(one), "" if one["in_force"] else "yellow") for one in case["rules"]))
    items = sorted(case.get("checklist") or (), key=lambda one: one["outcome"] not in ("judgment", "unknown"))
    if items:
        yield section("Checklist", bullets(cited(_judged(one), one["cite"]) for one in items))


def _ruleset(one: Mapping[str, Any]) -> str:
    law = f"; the law of its day is {one['law']}" if one.get("law") not in (None, one["version"]) else ""
    return f"{one['ruleset']} {one['version']}" + ("" if one["in_force"] else f", not in force ({', '.join(one['notes'])}){law}")


def _judged(one: Mapping[str, Any]) -> str:
    by = ", ".join(part for part in (one["who"], day(one["when"]) if one["when"] else None) if part)
    why = f": {one['why']}" if one["why"] else ""
    return f"{one['rule']} {one['outcome'].replace('judgment', 'to be judged')}{f' (by {by}{why})' if by else ''} - {one['text']}"


def _intake(intake: Mapping[str, Any]) -> Iterator[RenderableType]:
    for way in intake["paths"]:
        steps = ", ".join(f"{leg['title']} {leg['length']}" for leg in way["clocks"])
        yield text(f"At the latest {day(way['due'])} ({way['title']}, {way['days']} days: {steps}).")
    if intake["file_by"]:
        yield text(f"For work from {day(intake['work_begins'])}: file by {day(intake['file_by'])}.")
    for warning in intake["warnings"]:
        yield text(f"Note: {warning}", "yellow")


def clock_table(clocks: list[Mapping[str, Any]]) -> Table:
    """Clocks with both of their dates, each with its weekday."""
    table = ruled("Clock", "Status", "Target", "Last day in law", whole=("Status", "Target", "Last day in law"))
    for clock in clocks:
        name = text(clock["title"])
        length = (clock.get("length") or {}).get("text")
        if length:
            name.append_text(text(f"\n{length}, {clock['actor']}", "dim"))
        table.add_row(name, status(clock), day(clock["target"]) or last_day(clock), last_day(clock))
    return table


def bars(clocks: list[Mapping[str, Any]], today: str | None) -> Iterator[RenderableType]:
    """The clocks as bars, with what the signs mean."""
    drawn = [(clock, bar) for clock in clocks if (bar := clock_bar(clock, today, 44)) is not None]
    if not drawn:
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold", max_width=24)
    table.add_column(no_wrap=True)
    for clock, bar in drawn:
        table.add_row(text(clock["title"]), bar)
    yield section("Day by day", table, legend([kinds(clock, today) for clock, _ in drawn]))


def _tasks(case: Case) -> Iterator[Text]:
    for task in case["tasks"]:
        since = f", since {day(task['since'])}" if task.get("since") else ""
        act = f" -> {task['action']}" if task.get("action") else ""
        yield text(f"{task['text']} [for {task['for']}{since}]{act}")


def actions(found: Any) -> Iterator[RenderableType]:
    """What is possible, and, as text with its reasons, what is not."""
    ordered = sorted(found, key=lambda action: (action.get("order") is None, action.get("order") or 0))
    possible = [action for action in ordered if action["allowed"]]
    if possible:
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for action in possible:
            table.add_row(text(action["id"], "bold cyan"), text(action["title"]))
        yield section("Possible now", table)
    lines = [_refusal(action) for action in ordered if not action["allowed"] and _worth_saying(action)]
    if lines:
        yield section("Not possible, and why", bullets(lines, "x"))


def _worth_saying(action: Mapping[str, Any]) -> bool:
    """An action that belongs to another state needs no explanation; one that a spent limit or a condition bars does."""
    codes = {reason.get("code") for reason in action["because"]}
    return "limit-reached" in codes or not codes & {"wrong-state", "not-permitted"}


def _refusal(action: Mapping[str, Any]) -> Text:
    line = text(action["id"], "bold")
    for reason in action["because"]:
        if reason.get("code") != "wrong-state":
            line.append("\n").append_text(because(reason))
    return line


def because(reason: Mapping[str, Any]) -> Text:
    """A reason of a refusal: its words, its citation, the entries that matter, and what to do instead."""
    line = cited(reason["text"], reason.get("cite"))
    if reason.get("entries"):
        line.append_text(text(f" [entry {', '.join(map(str, reason['entries']))}]", "dim"))
    if reason.get("instead"):
        line.append_text(text(f" {reason['instead']}"))
    return line


def _limits(case: Case) -> Iterator[Text]:
    for limit in case["limits"]:
        entries = f" [entry {', '.join(map(str, limit['entries']))}]" if limit.get("entries") else ""
        yield cited(f"{limit['title'] or limit['id']}: {limit['used']} of {limit['allowed']} used{entries}", limit.get("cite"))


def _items(case: Case) -> Iterator[RenderableType]:
    open_items = [item for item in case.get("items") or () if item["status"] in ("missing", "asked")]
    if open_items:
        yield section("Not in yet", bullets(text(f"{item['id']} {item['title']} ({item['status']})") for item in open_items))


def letters(found: Any) -> Table:
    """Letters with where each stands."""
    table = ruled("Letter", "Title", "Status", "Owed", "Sent", whole=("Letter", "Owed", "Sent"))
    for letter in found:
        table.add_row(
            text(letter["number"]),
            text(letter["title"]),
            text(letter["status"]),
            day(letter["owed_on"]),
            day(letter["sent_on"]) or "not yet",
        )
    return table


def _timers(case: Case) -> Iterator[Text]:
    for timer in sorted(case["timers"], key=lambda timer: str(timer["at"])):
        yield text(f"{moment(timer['at'])}: {timer['title']}: {timer['effect']}")


def _fees(fees: Mapping[str, Any]) -> Iterator[RenderableType]:
    for line in fees["lines"]:
        yield cited(f"{line['id']} {line.get('title') or ''}: {line['amount']}", line.get("cite"))
    yield text(f"Paid {fees['paid']}; due {fees['due']}; refunded {fees['refunded']}.")
