"""Versions: of one workflow or rule set at most one is in force on a day, and each begins before it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded


def check(loaded: Loaded) -> list[Fault]:
    """Overlaps, and ends before beginnings."""
    flows = [("workflow", flow.workflow, flow.in_force, node) for flow, node in (*loaded.flows, *loaded.bases)]
    sets = [("rule set", rules.ruleset, rules.in_force, node) for rules, node in loaded.sets]
    return [*_ordered([*flows, *sets]), *_overlaps(flows), *_overlaps(sets)]


Version = tuple[str, str, p.InForce, Node]


def _ordered(versions: Sequence[Version]) -> Iterator[Fault]:
    for _, _, force, node in versions:
        if force.from_ is not None and force.until is not None and force.until < force.from_:
            yield Fault(*node.find(("in-force", "until")), "the end lies before the beginning; exchange them")


def _overlaps(versions: Sequence[Version]) -> Iterator[Fault]:
    ordered = sorted(versions, key=lambda one: (one[1], one[2].from_ or date.min, one[3].file))
    for (_, name, earlier, there), (kind, other, later, node) in zip(ordered, ordered[1:], strict=False):
        if name == other and (earlier.until is None or later.from_ is None or earlier.until >= later.from_):
            day = later.from_ or "the first day"
            text = f"two versions of {kind} '{name}' are in force on {day} (the other is in {there.file}); end the earlier one the day before"
            yield Fault(*node.find(("in-force", "from")), text)
