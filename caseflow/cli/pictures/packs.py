"""A pack that holds together, its summary, a fee with its lines, and a request form to print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from caseflow.cli.pictures.words import bullets, cited, plural, ruled, section, text


def checked(pack: Mapping[str, Any]) -> RenderableType:
    """One line: nothing was found."""
    workflows = pack.get("workflows") or ()
    counts = f": {plural(len(workflows), 'workflow')}" if isinstance(workflows, Sequence) and workflows else ""
    return text(f"No fault in {pack.get('pack', 'the pack')} {pack.get('version', '')}{counts}.", "green")


def summary(pack: Any) -> RenderableType:
    """Names and values, indented; the merged text of a workflow as it is."""
    if isinstance(pack, Mapping) and isinstance(pack.get("text"), str):
        return text(pack["text"])
    return Group(*_listed(pack, 0))


def _listed(value: Any, depth: int) -> Iterator[Text]:
    pad = "  " * depth
    for name, inner in value.items() if isinstance(value, Mapping) else ((None, inner) for inner in value):
        head = f"{pad}{name}:" if name is not None else f"{pad}-"
        if isinstance(inner, Mapping) or (
            isinstance(inner, list) and any(isinstance(one, Mapping | list) for one in inner)
        ):
            yield text(head, "bold")
            yield from _listed(inner, depth + 1)
        else:
            shown = ", ".join(map(str, inner)) if isinstance(inner, list) else inner
            yield text(f"{head} ", "bold").append_text(text(shown))


def quote(fee: Mapping[str, Any]) -> RenderableType:
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
    return table


def form(service: Mapping[str, Any]) -> RenderableType:
    """A form with a box for each thing that a filing must contain."""
    if isinstance(service.get("text"), str):
        return text(service["text"])
    parts: list[RenderableType] = [text(service["title"], "bold"), text(service.get("law") or "", "dim")]
    parts.append(section("What the request must contain", bullets((_item(item) for item in service["items"]), "[ ]")))
    if service.get("exclusions"):
        questions = (cited(one["title"], one.get("cite")) for one in service["exclusions"])
        parts.append(section("Yes or no", bullets(questions, "[ ] yes [ ] no")))
    return Group(*parts)


def _item(item: Mapping[str, Any]) -> Text:
    line = cited(f"{item['id']} {item['title']}", item.get("cite"))
    for part in item.get("parts") or ():
        line.append_text(text(f"\n    {part}: ____________________"))
    return line
