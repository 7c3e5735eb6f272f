"""A pack that holds together, its summary, and a fee with its lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group
from rich.text import Text

from caseflow.cli.pictures.rehearsal import scenario
from caseflow.cli.pictures.words import bullets, cited, plural, ruled, section, text


def checked(pack: Mapping[str, Any]) -> Group:
    """A pack that loads, and its scenarios that do not end as they say."""
    head = f"{pack['pack']} {pack['version'][:12]}: no fault; {plural(len(pack['workflows']), 'workflow')}"
    tried = f", {plural(pack['scenarios'], 'scenario')}, {len(pack['failed'])} failed." if pack["scenarios"] else "."
    proved = f"{plural(pack['claims'], 'claim')} decided on {plural(pack['states'], 'state')}, {len(pack['broken'])} broken."
    lines = [line for one in pack["failed"] for line in scenario(one)]
    lines += [text(f"{one['workflow']}: {one['id']} is broken: {one['said']} ({' > '.join(one['path'])})") for one in pack["broken"]]
    bad = pack["failed"] or pack["broken"]
    if not pack["claims"]:
        return Group(text(head + tried, "bold red" if bad else "bold green"), *lines)
    return Group(text(head + tried, "bold red" if pack["failed"] else "bold green"), text(proved, "bold red" if pack["broken"] else "bold green"), *lines)


def summary(pack: Mapping[str, Any]) -> Group:
    """A pack, or one of its workflows: who may do what from where, and on what law."""
    return _workflow(pack) if "workflow" in pack else _pack(pack)


def _law(one: Mapping[str, Any], otherwise: str = "") -> Text:
    """The citation, how sure it is where that is said, and the reading."""
    law = text(one["cite"] or one.get("note") or otherwise)
    if one["confidence"]:
        law.append_text(text(f" [{one['confidence']}]", "" if one["confidence"] == "verified" else "yellow"))
    return law.append_text(text(f"\n{one['reading']}", "dim")) if one["reading"] else law


def _said(name: str, words: str, one: Mapping[str, Any]) -> Text:
    return text(f"{name}: {words} (").append_text(_law(one, "policy")).append(")")


def _workflow(flow: Mapping[str, Any]) -> Group:
    actions = ruled("Action", "From -> to", "Law", whole=("Action",))
    for name, one in flow["actions"].items():
        way = f"{', '.join(one['from']) or '(new)'} -> {one['to'] or 'by outcome'}"
        actions.add_row(text(name, "bold"), text(way), _law(one, "practice"))
    clocks = ruled("Clock", "Title", "Law and reading", whole=("Clock",))
    for name, one in flow["clocks"].items():
        clocks.add_row(text(name, "bold"), text(one["title"]), _law(one, "policy"))
    head = text(f"{flow['title']} ({flow['law']})", "bold")
    parts = [section("Clocks", clocks)]
    for title, kind, words in (
        ("Limits", "limits", "text"),
        ("Conditions", "conditions", "text"),
        ("Items", "items", "title"),
        ("Exclusions", "exclusions", "title"),
    ):
        if flow[kind]:
            parts.append(section(title, bullets(_said(name, one[words], one) for name, one in flow[kind].items())))
    return Group(head, "", actions, *parts)


def _pack(pack: Mapping[str, Any]) -> Group:
    head = text(f"{pack['title']}, {pack['label']} ({pack['version'][:12]})", "bold")
    flows = ruled("Workflow", "Title", "Law", whole=("Workflow",))
    for one in pack["workflows"]:
        flows.add_row(text(one["id"], "bold"), text(one["title"]), text(one["law"]))
    settings = (cited(f"{name} = {one['default']}: {one['question']}", one["cite"]) for name, one in pack["settings"].items())
    fees = ruled("Fee", "Title", "Amount", right=("Amount",))
    for name, one in pack["fees"].items():
        fees.add_row(text(name), cited(one["title"], one["cite"]), text(one["amount"]))
    letters = text(", ".join(pack["letters"]))
    return Group(head, "", flows, section("Fees", fees), section("Letters", letters), section("Settings", bullets(settings)))


def quote(fee: Mapping[str, Any]) -> Group:
    """What is owed, line by line, and the sum."""
    table = ruled("Fee", "Why", "Amount", right=("Amount",))
    for line in fee["lines"]:
        why = text(line.get("title") or line.get("text") or "")
        if line.get("title") and line.get("text"):
            why.append_text(text(f"\n{line['text']}"))
        if line.get("cite"):
            why.append_text(text(f"\n{line['cite']}", "dim"))
        table.add_row(text(line["id"]), why, text(line["amount"]))
    table.add_section()
    table.add_row("", text("Total", "bold"), text(fee["total"], "bold"))
    return Group(table, *(text(f"Note: {note}", "yellow") for note in fee.get("warnings") or ()))
