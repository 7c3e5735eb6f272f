"""What a rule set finds, part by part and the failing rules first: what was found beside what is allowed. And the rule sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table

from caseflow.cli.pictures.words import cited, day, plural, ruled, section, text

OUTCOMES = {
    "fail": ("✗", "fails", "bold red"),
    "unknown": ("?", "not known", "yellow"),
    "judgment": ("◇", "to be judged", "magenta"),
    "computed": ("=", "computed", "cyan"),
    "pass": ("✓", "passes", "green"),
    "not-applicable": ("·", "does not apply", "dim"),
}
STEPS = {**OUTCOMES, "fail": ("·", "does not hold", "dim"), "pass": ("!", "holds", "bold")}
"""The outcomes of what raises a requirement, which is neither good nor bad in itself."""
RESULTS = {"pass": ("PASSES", "bold green"), "fail": ("FAILS", "bold red"), "undetermined": ("UNDETERMINED", "bold yellow")}
OPS = {
    "is": "",
    "is-not": "not ",
    "in": "one of ",
    "not-in": "none of ",
    "at-least": "at least ",
    "at-most": "at most ",
    "more-than": "more than ",
    "less-than": "less than ",
    "includes": "including ",
    "includes-any": "including one of ",
    "within": "only ",
    "outside": "not from ",
    "gives": "",
}
_ORDER = tuple(OUTCOMES)
_COUNT = {
    "fail": "not met",
    "unknown": "not known",
    "judgment": "to be judged",
    "computed": "only computed",
    "pass": "met",
}
_MANY = 6


def findings(made: Mapping[str, Any]) -> Group:
    """An evaluation: the whole, then each part that applies, the one that fails first."""
    word, style = RESULTS[made["result"]]
    head = text(f"{made['title']}: ", "bold").append_text(text(word, style))
    force = "in force" if made["in_force"] else "NOT in force"
    law = f"; the law of that day is {made['law']}" if made["law"] not in (None, made["version"]) else ""
    under = text(f"{made['ruleset']} {made['version']}, {force} on {day(made['received'])}{law}", "dim")
    told = [cited(f"Note: {one['text']}", one["cite"]) for one in made["explanations"].values()]
    for line in told:
        line.stylize("yellow")
    shown = [one for one in made["findings"] if one["outcome"] != "not-applicable" and (one["rule"] != made["ruleset"] or one["decides"])]
    aside = sum(one["outcome"] == "not-applicable" for one in made["findings"])
    parts: dict[str, list[Mapping[str, Any]]] = {}
    for one in shown:
        parts.setdefault(one["part"], []).append(one)
    sections = [_part(title, rules) for title, rules in sorted(parts.items(), key=lambda part: min(_rank(one) for one in part[1]))]
    rest = [Padding(text(f"{plural(aside, 'rule does', 'rules do')} not apply to these facts.", "dim"), (1, 0, 0, 0))] if aside else []
    return Group(head, under, *told, _count(shown), *sections, *rest)


def _count(shown: Iterable[Mapping[str, Any]]) -> RenderableType:
    counted = [one["outcome"] for one in shown if one["counted"]]
    said = [f"{counted.count(outcome)} {_COUNT[outcome]}" for outcome in _ORDER if outcome in counted]
    return text(f"Of the rules that decide, {', '.join(said)}." if said else "No rule here decides.")


def _rank(one: Mapping[str, Any]) -> int:
    """Where a finding stands: what decides against the whole before all else, then in the order of the outcomes."""
    return 0 if one["decides"] == "fails" else 1 + _ORDER.index(one["outcome"])


def _part(title: str, rules: list[Mapping[str, Any]]) -> Group:
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    triggers = {one["rule"] for one in rules if one["kind"] == "requirement-trigger"}
    for one in _ordered(rules):
        sign, word, style = (STEPS if one.get("within") in triggers else OUTCOMES)[one["outcome"]]
        inset = "  " if one.get("within") else ""
        lines = [cited(one["text"], one["cite"]), *_why(one, one["rule"] in triggers or one.get("within") in triggers)]
        table.add_row(text(f"{inset}{sign} {word}", style), text(one["rule"], "bold"), Group(*lines))
    return section(title, table)


def _ordered(rules: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The failing ones first, each followed by the rules within it."""
    inside: dict[str, list[Mapping[str, Any]]] = {}
    for one in rules:
        if one.get("within"):
            inside.setdefault(one["within"], []).append(one)
    for one in sorted((one for one in rules if not one.get("within")), key=_rank):
        yield one
        yield from inside.pop(one["rule"], ())
    yield from (one for left in inside.values() for one in left)


def _why(one: Mapping[str, Any], raises: bool) -> Iterator[RenderableType]:
    """What was found and what is allowed (or what raises a requirement), the reading taken, and who judged."""
    if one["outcome"] == "computed" and isinstance(one.get("value"), Mapping):
        raised = {True: "raised", False: "not raised", None: "not known yet whether raised"}[one["value"]["raised"]]
        by = f", by {', '.join(one['value']['by'])}" if one["value"]["by"] else ""
        yield text(f"{raised}{by}: {one['value']['then']}", "bold" if one["value"]["raised"] else "")
    lines = list(_leaves(one, raises)) if one["outcome"] != "computed" or one["kind"] != "requirement-trigger" or one["value"]["raised"] is not False else []
    yield from lines[:_MANY]
    if len(lines) > _MANY:
        yield text(f"and {len(lines) - _MANY} more")
    if one.get("considers"):
        yield text("Weighed: " + "; ".join(f"{part['title'] or part['field']}{_got(part)}" for part in one["considers"]))
    judged = one.get("judgment")
    if judged:
        by = ", ".join(judged[key] for key in ("who", "when") if key in judged)
        idle = " It settles nothing: what is computed decides." if one.get("judgment_idle") else ""
        why = f": {judged['why'].rstrip('.')}" if "why" in judged else ""
        yield text(f"Judged {judged['outcome']}{f' by {by}' if by else ''}{why}.{idle}", "italic")
    if one.get("reading"):
        yield text(f"Reading: {one['reading']}", "dim")
    if one.get("text_found") is False:
        yield text("The text of this rule was not found.", "dim")
    if one.get("instead") and one["decides"]:
        yield text(one["instead"])


def _leaves(one: Mapping[str, Any], raises: bool) -> Iterator[RenderableType]:
    """The comparisons that the outcome rests on, each once; of what is met, only what an allotment gives."""
    told: list[Mapping[str, Any]] = []
    for leaf in one["leaves"]:
        fits = leaf["op"] == "gives" or (leaf.get("decides") and one["outcome"] != "pass" and leaf["field"] != "whole")
        bare = {key: leaf[key] for key in ("field", "op", "value")}
        if fits and bare not in told:
            told.append(bare)
            yield _leaf(leaf, raises)


def _got(part: Mapping[str, Any]) -> str:
    return f" ({_value(part['got'])})" if part["got"] is not None else ""


def _leaf(leaf: Mapping[str, Any], raises: bool) -> RenderableType:
    barred = leaf.get("barred")
    name, unit = leaf.get("title") or leaf["field"].replace("_", " "), f" {leaf['unit']}" if leaf["unit"] and leaf["unit"] != "count" else ""
    if leaf["op"] == "gives":
        return text(_gives(leaf, name, unit))
    if leaf["op"] == "is" and leaf["value"] == "judged":
        return text("A person must judge it." if leaf["got"] is None else f"Judged: {leaf['got']}")
    if leaf["got"] is None:
        open_ = "to be judged" if leaf["outcome"] == "judgment" else "not stated"
        return text(
            f"{name}: {open_}; {'barred' if barred else 'asked' if raises else 'needed'}: {OPS.get(leaf['op'], leaf['op'] + ' ')}{_value(leaf['value'])}{unit}"
        )
    got = " to ".join(leaf["got"]) if leaf["op"] == "outside" and None not in leaf["got"] else _value(leaf["got"])
    line = text(
        f"{name}: {got}{unit}; {'barred' if barred else 'asked' if raises else 'allowed'}: {OPS.get(leaf['op'], leaf['op'] + ' ')}{_value(leaf['value'])}{unit}"
    )
    free = leaf.get("allowed") if leaf["op"] == "outside" else None
    if free:
        line.append(f"; free until {day(free['before'])} and from {day(free['after'])} on")
    return line


def _gives(leaf: Mapping[str, Any], name: str, unit: str) -> str:
    if leaf["got"] is None:
        return f"{name}: not stated"
    if leaf["value"] is None:
        return f"{name}: {leaf['got']}{unit} is too large to be computed; check it"
    counts = leaf["allowed"]["counts"]
    rows = ["; ".join(f"{number} {count}" for number, count in zip(row, counts, strict=True)) for row in leaf["value"]]
    asked = [f"{number} {count}" for number, count in zip(leaf["allowed"]["asked"], counts, strict=False) if number is not None]
    said = f"; asked: {', '.join(asked)}" if asked else ""
    return f"{name}: {leaf['got']}{unit}; allowed: {' or '.join(f'({row})' for row in rows) or 'none'}{said}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        shown = ", ".join("?" if item is None else _value(item) for item in value[:_MANY])
        return shown + (f" and {len(value) - _MANY} more" if len(value) > _MANY else "")
    return str(value)


def rulesets(made: Mapping[str, Any]) -> Group:
    """The versions of every rule set, or the rules of one."""
    if "rules" in made:
        return _rules(made)
    table = ruled("Rule set", "Version", "Title", "Received", "Rules", right=("Rules",), whole=("Rule set", "Version"))
    for one in made["rulesets"]:
        style = "bold" if one["in_force"] else "dim"
        table.add_row(text(one["ruleset"], style), text(one["version"]), cited(one["title"], one["cite"]), text(_when(one)), text(one["count"]))
    if not made["rulesets"]:
        return Group(text("No pack has a rule set."))
    return Group(table)


def _when(one: Mapping[str, Any]) -> str:
    words = [f"from {one['from']}" if one["from"] else "", f"until {one['until']}" if one["until"] else ""]
    return " ".join(part for part in words if part) or "at any time"


def _rules(made: Mapping[str, Any]) -> Group:
    head = text(f"{made['title']} ({made['version']}, received {_when(made)})", "bold")
    table = ruled("Rule", "What it says", "Kind", "Mode", "Confidence", whole=("Rule",))
    part = None
    for one in made["rules"]:
        if one["part"] != part:
            part = one["part"]
            table.add_row("", text(part, "bold italic"), "", "", "")
        words = cited(one["text"], one["cite"])
        if one["reading"]:
            words.append_text(text(f"\nReading: {one['reading']}", "dim"))
        table.add_row(text(one["rule"], "bold"), words, text(one["kind"]), text(one["mode"]), text(one["confidence"] or ("" if one["found"] else "not found")))
    return Group(head, "", table)
