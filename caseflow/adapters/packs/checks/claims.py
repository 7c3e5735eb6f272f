"""Claims: what each names must exist, it must say why it is asked, and it must be able to fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from caseflow.adapters.packs.checks.conditions import uncited
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.facts import nearest
from caseflow.domain.pack.claims import ALL
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

KNOWN = {
    "at-most-once": ("action or limit", ("actions", "limits")),
    "can-reach": ("state, group or phase", ("states", "groups")),
    "no-open-clock-in": ("state, group or phase", ("states", "groups")),
    "letter-on-entering": ("state, group or phase", ("states", "groups")),
    "in": ("state, group or phase", ("states", "groups")),
    "clocks": ("clock", ("clocks",)),
    "excepted": ("action", ("actions",)),
    "no-silence-early": ("clock", ("clocks",)),
    "hold-never-shortens": ("clock", ("clocks",)),
    "timer-has-exit": ("clock", ("clocks",)),
    "refusal-cites": ("action", ("actions",)),
    "one-outcome": ("action", ("actions",)),
    "whenever": ("action", ("actions",)),
}
"""What the names under a word are, and the words of the workflow that hold them."""


def check(loaded: Loaded) -> list[Fault]:
    """Faults of the claims of every workflow."""
    return [fault for flow, node in (*loaded.flows, *loaded.bases) for fault in _claims(loaded.pack, flow, node)]


def _claims(pack: p.Pack, flow: p.Workflow, node: Node) -> Iterator[Fault]:
    stated = {item for letter in pack.letters.values() for item in letter.states}
    for name, claim in flow.claims.items():
        path = ("claims", name)
        if uncited(claim):
            yield Fault(*node.find(path, True), f"claim '{name}' has no cite; name the law that it guards, or write 'note' to say why it is asked")
        for word, (what, homes) in KNOWN.items():
            known = [one for home in homes for one in getattr(flow, home)]
            if "phase" in what:
                known += pack.text.phases
            for place, one in enumerate(claim.said(word)):
                if one not in known and (one != ALL or word in ("clocks", "excepted", "in")):
                    yield Fault(*node.find((*path, word, place)), f"no {what} '{one}'{nearest(one, known)}")
        for place, words in enumerate(claim.stating):
            if not any(words.casefold() in item.casefold() for item in stated):
                yield Fault(*node.find((*path, "stating", place)), f"no letter states '{words}'{nearest(words, stated)}; write it under 'states' of one")
