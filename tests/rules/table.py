"""Writes docs/rules-of-the-permits.md: each rule item with its citation, and what was found under, on and over each number.

`make docs` writes it; a test holds it against the pack. What stands in it is evaluated and not copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any

from caseflow.domain.pack import Rule
from tests.rules.asking import Limit, cases, changes, homes, items, limits, outcome, sets
from tests.rules.asking import finding as found_on

NAME = "rules-of-the-permits.md"
_SIGNS = {"at-least": "≥", "at-most": "≤", "less-than": "<", "more-than": ">", "is": "="}
_UNITS = {
    "sq_ft": "sq ft",
    "cu_yd": "cu yd",
    "degF": "°F",
    "ft_v_per_ft_h": "ft up per ft across",
    "ft_h_per_ft_v": "ft across per ft up",
    "ratio": "",
    "count": "",
}


def number(value: Any) -> Decimal | None:
    """A number of the pack, for comparing."""
    try:
        return Decimal(str(value))
    except InvalidOperation:
        return None


@cache
def text() -> str:
    """The whole page."""
    missing = [name for name, one in items().items() if one.get("missing")]
    inside = [f"{one.within}, {rule}" for single in sets().values() for rule, one in single.rules().items() if not one.found and one.within is not None]
    numbers, tried = limits(), changes()
    lines = [
        "# The rules of the permits",
        "",
        "<!-- Written by `make docs` from the rule sets and tests/rules; not by hand. -->",
        "",
        f"**{len(items())} rule items**; {len(numbers)} limits, each tried just under it, on it and just over it, and {len(tried)} other cases.",
        "What was computed stands beside each number. Some rules are borrowed by another set under the same id; they stand here once.",
        "",
        "How sure a text is: verified (read in the text, in a stored copy or in department letters), inferred (from a predecessor or a twin),",
        f"recalled (not read) or not found. Not found are {len(missing)} items ({', '.join(sorted(missing))}) and one member ({inside[0]}); those with a",
        "reading are evaluated by it and marked, the others are left to a person.",
        "",
    ]
    for name, one in sets().items():
        mine = {rule: said for rule, said in one.rules().items() if said.within is None and homes(rule)[0] == name}
        lent = [rule for rule, said in one.rules().items() if said.within is None and homes(rule)[0] != name]
        force = f"from {one.in_force.from_}" if one.in_force.from_ else f"until {one.in_force.until}"
        lines += [f"## {one.title} (`{name}`, {one.version}, {force})", ""]
        lines += [f"Borrowed: {', '.join(f'{rule} from `{homes(rule)[0]}`' for rule in lent)}.", ""] if lent else []
        lines += ["| item | what it says | cite | kind | established | how sure | number | under | on | over | other cases |"]
        lines += ["| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
        lines += [row for rule, said in mine.items() for row in _rows(rule, said)]
        lines.append("")
    return "\n".join(lines)


def _rows(name: str, rule: Rule) -> Iterator[str]:
    mine = [one for one in limits() if one.rule == name]
    inner = sorted({one.rule for one in limits() if sets()[homes(one.rule)[0]].rules()[one.rule].within == name})
    mine += [one for one in limits() if one.rule in inner]
    first = mine[0] if mine else None
    sure = "not found" if not rule.found else str(rule.confidence)
    sure += f": {rule.reading}" if not rule.found and rule.reading else ""
    head = [name, _plain(rule.text), str(rule.cite), rule.kind, _mode(rule), _plain(sure)]
    yield _row([*head, *_number(first), _others(name)])
    for one in mine[1:]:
        yield _row(["", "", "", "", "", "", *_number(one), ""])


def _number(limit: Limit | None) -> list[str]:
    if limit is None:
        return ["", "", "", ""]
    unit = _UNITS.get(limit.unit, limit.unit)
    within = f" ({limit.leaf_of})" if limit.leaf_of not in items() else ""
    said = f"{limit.fact} {_SIGNS[limit.op]} {limit.at('on')} {unit}".rstrip() + within
    return [said, *(f"{limit.at(place)}: {limit.found(place).outcome}" for place in ("under", "on", "over"))]


def _others(name: str) -> str:
    found: dict[str, int] = {}
    for one in changes():
        if one.rule == name:
            word = outcome(found_on(name, one.facts))
            found[word] = found.get(word, 0) + 1
    if name in cases()["judged"]:
        return "open until judged"
    return ", ".join(f"{number} {word}" for word, number in sorted(found.items()))


def _mode(rule: Rule) -> str:
    return {"compute": "computed", "confirm": "confirmed", "judgment": "judged"}[rule.mode] if rule.kind != "procedure" else ""


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _plain(words: str) -> str:
    return " ".join(words.split()).replace("|", "\\|")


if __name__ == "__main__":
    (Path(__file__).resolve().parents[2] / "docs" / NAME).write_text(text(), encoding="utf-8")
