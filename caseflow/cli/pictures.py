"""Pictures of the JSON that services answer with: tables, a timeline, a derivation. Pure functions of that data.

Color is never the only sign: every status has a word and a mark of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from rich.console import Console, Group
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

MARKS = {
    "running": (">", "cyan"),
    "tolled": ("=", "magenta"),
    "displaced": ("~", "magenta"),
    "met": ("+", "green"),
    "stopped": ("x", "dim"),
    "missed": ("!", "bold red"),
    "over": ("x", "dim"),
    "not-started": (".", "dim"),
}
WORDS = {
    "running": "running",
    "tolled": "on hold",
    "displaced": "displaced",
    "met": "met",
    "stopped": "stopped",
    "missed": "MISSED",
    "over": "over",
    "not-started": "not started",
}


def console() -> Console:
    """Standard output; at least 100 columns where it is no terminal."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 110, soft_wrap=False)


@contextmanager
def progress() -> Iterator[Callable[[int, int | None, str], None]]:
    """A bar on standard error for long work, silent where that is no terminal."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=None)

        def tell(done: int, total: int | None, what: str) -> None:
            bar.update(task, completed=done, total=total, description=what)

        yield tell


def day(text: str | None) -> str:
    """Mon, Jan 4, 2027."""
    if text is None:
        return ""
    value = date.fromisoformat(text[:10])
    return f"{value:%a, %b} {value.day}, {value.year}"


def status(word: str) -> Text:
    """A status with its mark."""
    mark, style = MARKS.get(word, (" ", ""))
    return Text(f"{mark} {WORDS.get(word, word)}", style=style)


def _table(*heads: str, title: str | None = None) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for head in heads:
        table.add_column(head, overflow="fold")
    return table


def verdict(data: dict[str, Any]) -> str:
    """One sentence: what now, by when."""
    running = [clock for clock in data["clocks"] if clock["due"] and clock["status"] in ("running", "missed") and clock["actor"] == data["clocks"][0]["actor"] and not clock["policy"]]
    say = data["say"]["staff"]
    if running and data["disposition"] is None:
        clock = min(running, key=lambda one: one["due"])
        if clock["status"] == "missed":
            return f"{say} The last day was {day(clock['due'])}; it was missed by {clock['missed_by']} days."
        return f"{say} Target {day(clock['target'])}; last day in law {day(clock['due'])}."
    if any(clock["status"] == "tolled" for clock in data["clocks"]):
        return f"{say} No date while held."
    return say


def case(data: dict[str, Any]) -> Group:
    """A case: the verdict first, then its clocks, what is possible and what is not, tasks and letters."""
    head = Text.assemble((f"{data['case']}  ", "bold"), data["title"], "  ", (f"[{data['state_title']}]", "bold cyan"))
    parts: list[Any] = [head, Text(verdict(data)), Text(f"{data['workflow_title']}; turn: {data['turn']}; version {data['version']}" + (f"; {data['disposition']}" if data["disposition"] else ""), style="dim")]
    if data["flags"]:
        parts.append(Text("Flags: " + ", ".join(data["flags"]), style="bold red"))
    clocks = _table("Clock", "Status", "Used", "Left", "Target", "Last day", title="\nClocks")
    for clock in data["clocks"]:
        if clock["status"] != "not-started":
            clocks.add_row(clock["title"], status(clock["status"]), _number(clock["used"]), _number(clock["left"]), day(clock["target"]), day(clock["due"]) or "no date")
    if clocks.row_count:
        parts.append(clocks)
    parts += _actions(data["actions"])
    if data["tasks"]:
        tasks = _table("Task", "For", "Since", title="\nTasks")
        for task in data["tasks"]:
            tasks.add_row(task["text"], task["for"], day(task["since"]))
        parts.append(tasks)
    if data["letters"]:
        parts += [Text("\nLetters", style="bold"), letters(data["letters"])]
    money = data["fees"]
    parts.append(Text(f"\nFees {money['total']}, paid {money['paid']}, due {money['due']}"))
    return Group(*parts)


def _number(value: Any) -> str:
    return "" if value is None else str(value)


def _actions(actions: list[dict[str, Any]]) -> list[Any]:
    ordered = sorted(actions, key=lambda one: (one["order"] is None, one["order"] or 0))
    possible = _table("Action", "What it does", title="\nPossible now")
    closed = _table("Action", "Why not", title="\nNot possible")
    for action in ordered:
        if action["allowed"]:
            possible.add_row(action["id"], action["title"])
        elif any(reason["code"] != "wrong-state" for reason in action["because"]):
            reasons = [reason for reason in action["because"] if reason["code"] != "wrong-state"]
            closed.add_row(action["id"], "; ".join(_reason(reason) for reason in reasons))
    return [table for table in (possible, closed) if table.row_count]


def _reason(reason: dict[str, Any]) -> str:
    return reason["text"] + (f" ({reason['cite']})" if reason["cite"] else "")


def filed(data: dict[str, Any]) -> Group:
    """A filed request."""
    table = _table("Case", "Service", "State", "Last day")
    for one in data["cases"]:
        due = next((clock["due"] for clock in one["clocks"] if clock["due"]), None)
        table.add_row(one["case"], one["workflow_title"], one["state_title"], day(due) or "not started")
    notes = [Text(f"Note: {text}", style="yellow") for text in data["warnings"]]
    return Group(Text(f"Request {data['request']} is on record. Fee {data['fee']}.", style="bold"), table, *notes)


def timeline(data: list[dict[str, Any]]) -> Group:
    """Entries from top to bottom: when it counts, who did what, what was typed late, voided or moved."""
    parts: list[Any] = []
    for entry in data:
        style = "strike dim" if entry["voided_by"] else ""
        late = (date.fromisoformat(entry["recorded_on"]) - date.fromisoformat(entry["effective_on"])).days
        line = Text.assemble((f"{day(entry['effective_on']):<18}", "bold"), f"{entry['seq']:>3}  ", (entry["title"], style), (f"  {entry['actor']['id']}", "dim"))
        if entry["from"] != entry["to"]:
            line.append(f"  {entry['from'] or 'new'} -> {entry['to']}", "cyan")
        parts.append(line)
        notes = []
        if late > 0:
            notes.append(f"typed {late} day{'s' if late != 1 else ''} after")
        if entry["amended"]:
            notes.append("date amended")
        if entry["voided_by"]:
            notes.append(f"closed by entry {entry['voided_by']}")
        if entry["because"]:
            notes.append(f"because: {entry['because']}")
        dues = ", ".join(f"{clock} {day(due) if due else 'no date'}" for clock, due in entry["due_after"].items())
        if dues:
            notes.append(f"after it: {dues}")
        if notes:
            parts.append(Padding(Text("; ".join(notes), style="dim"), (0, 0, 0, 23)))
    return Group(*parts)


def why(data: list[dict[str, Any]]) -> Group:
    """The derivation of each clock as a ledger."""
    parts: list[Any] = []
    for clock in data:
        heading = Text.assemble((f"{clock['title']}: ", "bold"), status(clock["status"]), f"  {day(clock['due']) or 'no date'}")
        table = _table("Days", "Line", "Law")
        for step in clock["why"]:
            days = f"{step['days']:+d}" if step["days"] else ""
            reading = f" [{step['reading']}]" if step["reading"] else ""
            table.add_row(days, step["text"], Text((step["cite"] or "") + reading))
        parts += [heading, Padding(table, (0, 0, 0, 2))]
        for shadow in clock["shadows"]:
            other = day(shadow["due"]) or "no date"
            parts.append(Padding(Text(f"If {shadow['setting']} were {shadow['reading']}: {other} ({shadow['cite'] or 'policy'})", style="dim"), (0, 0, 0, 2)))
        parts.append(Text(""))
    return Group(*parts)


def dry_run(data: dict[str, Any]) -> Group:
    """Now and then, before anything is done."""
    if not data["allowed"]:
        return Group(Text("It would be refused:", style="bold red"), *[Text(f"  {_reason(reason)}" + (f" {reason['instead']}" if reason["instead"] else "")) for reason in data["because"]])
    before, after = data["before"], data["after"]
    table = _table("", "Now", "Then")
    table.add_row("State", before["state"], after["state"])
    for old, new in zip(before["clocks"], after["clocks"], strict=True):
        if (old["status"], old["due"]) != (new["status"], new["due"]):
            table.add_row(old["title"], f"{WORDS[old['status']]} {day(old['due'])}", f"{WORDS[new['status']]} {day(new['due'])}")
    for old, new in zip(before["limits"], after["limits"], strict=True):
        if old["used"] != new["used"]:
            table.add_row(old["title"], f"{old['used']} of {old['allowed']} used", f"{new['used']} of {new['allowed']} used")
    parts: list[Any] = [Text("It would be done.", style="bold green"), table]
    parts += [Text(f"Letter: {letter['subject']}") for letter in data["letters"]]
    parts += [Text(f"If answered on {day(one['answered_on'])}: last day {day(one['due'])}") for one in data["if_answered_on"]]
    return Group(*parts)


def docket(data: list[dict[str, Any]]) -> Any:
    """The docket."""
    if not data:
        return "No case fits."
    table = _table("Target", "Case", "Title", "State", "Assigned", "Flags")
    for row in data:
        table.add_row(day(row["next"]["target"]) or "no date", row["case"], row["title"], row["state"], row["assigned_to"] or "", ", ".join(row["flags"]))
    return Group(table, Text(f"\n{len(data)} cases", style="dim"))


def board(data: dict[str, Any]) -> Group:
    """The supervisor's board."""
    table = _table("Group", "Count", "Cases", title=f"Board, {day(data['as_of'])}")
    for group in data["groups"]:
        shown = ", ".join(group["cases"][:6]) + (f" and {len(group['cases']) - 6} more" if len(group["cases"]) > 6 else "")
        mark = "! " if group["id"] == "overdue" and group["count"] else "  "
        table.add_row(Text(mark + group["id"], style="bold red" if mark == "! " else ""), str(group["count"]), shown)
    people = _table("Person", "Open", "Overdue", title="\nWorkload")
    for row in data["workload"]:
        people.add_row(row["user"] or "nobody yet", str(row["open"]), str(row["overdue"]))
    months = _table("Month", "Decided", "On time", "", "Held", title="\nOn time")
    for row in data["on_time"]:
        share = row["on_time"] / row["decided"] if row["decided"] else 0
        months.add_row(row["month"], str(row["decided"]), str(row["on_time"]), f"{'#' * round(20 * share):<20} {share:4.0%}", str(row["held"]))
    return Group(table, people, months)


def letters(data: list[dict[str, Any]]) -> Table:
    """Letters with where each stands."""
    table = _table("Owed", "Number", "Letter", "Status", "Sent")
    for row in data:
        table.add_row(day(row["owed_on"]), row["number"], row["title"], row["status"], day(row["sent_on"]))
    return table


def calendar(data: dict[str, Any]) -> Table:
    """The days of a year."""
    table = _table("Day", "Name", "List", "Source", title=f"{data['calendar']} {data['year']}")
    for row in data["days"]:
        table.add_row(day(row["date"]), row["name"], row["list"], row["cite"] or "")
    return table


def verified(data: dict[str, Any]) -> Group:
    """What verifying found."""
    head = f"{data['cases']} cases, {data['entries']} entries, {len(data['faults'])} faults."
    return Group(Text(head, style="bold green" if not data["faults"] else "bold red"), *[Text(f"  {one['case']} entry {one['seq']}: {one['text']}") for one in data["faults"]])


def checked(data: dict[str, Any]) -> Group:
    """A checked pack."""
    head = f"{data['pack']} {data['version'][:12]}: {len(data['workflows'])} workflows, no faults; {data['scenarios']} scenarios, {len(data['failed'])} failed."
    return Group(Text(head, style="bold green" if not data["failed"] else "bold red"), *[_failed(one) for one in data["failed"]])


def _failed(one: dict[str, Any]) -> Text:
    rows = [f"FAILED {one['scenario']} ({one['file']})"]
    rows += [f"    step {fault['step']}: expected {fault['expected']}; got {fault['got']}"[:600] for fault in one["faults"]]
    return Text("\n".join(rows))


def rehearsed(data: dict[str, Any], coverage: bool) -> Group:
    """One line for each scenario, and what none exercised."""
    parts: list[Any] = [Text(f"passed {one['scenario']}", style="green") if one["passed"] else _failed(one) for one in data["results"]]
    failed = sum(not one["passed"] for one in data["results"])
    parts.append(Text(f"{len(data['results']) - failed} passed, {failed} failed", style="bold"))
    if coverage:
        parts.append(Text(f"{len(data['coverage'])} things exercised, {len(data['missing'])} not", style="bold"))
        parts += [Text(f"  not exercised: {name}") for name in data["missing"]]
    return Group(*parts)


def fees(data: dict[str, Any]) -> Group:
    """A fee as a sum."""
    table = _table("Fee", "Amount", "How", "Law")
    for line in data["lines"]:
        table.add_row(f"{line['id']} {line['title']}", line["amount"], line["text"], line["cite"] or "")
    table.add_row("Total", Text(data["total"], style="bold"))
    return Group(table, *[Text(f"Note: {text}", style="yellow") for text in data["warnings"]])


def pack(data: dict[str, Any]) -> Group:
    """A pack or workflow in summary."""
    if "workflow" in data:
        table = _table("Action", "From", "To", "Law", title=f"{data['title']} ({data['law']})")
        for name, one in data["actions"].items():
            table.add_row(name, ", ".join(one["from"]), one["to"] or "by outcome", one["cite"] or "practice")
        clocks = _table("Clock", "Law", "Reading", title="\nClocks")
        for name, one in data["clocks"].items():
            clocks.add_row(name, one["cite"] or "policy", one["reading"] or "")
        return Group(table, clocks)
    table = _table("Workflow", "Title", "Law", title=f"{data['title']} ({data['label']}, {data['version'][:12]})")
    for one in data["workflows"]:
        table.add_row(one["id"], one["title"], one["law"])
    settings = _table("Setting", "Chosen", "Question", title="\nSettings")
    for name, one in data["settings"].items():
        settings.add_row(name, str(one["default"]), one["question"])
    return Group(table, settings)


def demo(data: dict[str, Any]) -> Group:
    """The sample docket in short."""
    files = Text("\n".join(f"  {name}: {path}" for name, path in data["files"].items()))
    head = Text(f"{data['requests']} requests, {data['cases']} cases, {data['entries']} entries, {data['letters']} letters in {data['seconds']:.1f} s", style="bold")
    parts: list[Any] = [head, Text(""), board(data["board"]), Text(f"\nTimeline of {data['case']}", style="bold"), timeline(data["timeline"]), Text("\nWhy this date?", style="bold"), why(data["why"]), files]
    return Group(*parts)
