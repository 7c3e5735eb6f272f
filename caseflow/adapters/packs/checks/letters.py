"""Letters: each is owed by some act, has a template, and its template marks every thing the pack says it must state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from caseflow.domain import pack as p
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

MARK = re.compile(r"\{#-?\s*states:\s*(.*?)\s*-?#\}", re.S)


def check(loaded: Loaded) -> list[Fault]:
    """Faults of letters.yaml against the workflows and the templates."""
    return list(_faults(loaded))


def _faults(loaded: Loaded) -> Iterator[Fault]:
    node = loaded.source.letters
    assert node is not None
    actions = [action for flow in loaded.pack.workflows for action in flow.actions.values()]
    owed = {ref.letter for action in actions for ref in p.letters_named(action)}
    owed.update(loaded.pack.text.letters_on_change.values())
    templates = loaded.source.templates
    for name, letter in loaded.pack.letters.items():
        at = node.find(("letters", name), True)
        if name not in owed:
            yield Fault(*at, f"letter '{name}' is never owed; name it in an action or take it away")
        elif templates and name not in templates:
            yield Fault(*at, f"letter '{name}' has no template; write templates/letters/{loaded.pack.text.pack}/{name}.md")
        marks = {_plain(mark) for mark in MARK.findall(templates.get(name, ""))}
        for place, said in enumerate(letter.states if name in templates else ()):
            if _plain(said) not in marks:
                text = f"the template of '{name}' does not mark where it states '{said}'; write {{# states: {said} #}} there"
                yield Fault(*node.find(("letters", name, "states", place)), text)
    for name in templates:
        if name not in loaded.pack.letters and not name.startswith("_") and "/" not in name:
            yield Fault(f"templates/{name}.md", 0, 0, f"no letter '{name}' in letters.yaml; declare it or take the template away")


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
