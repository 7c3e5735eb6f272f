"""What `pack show` says of a pack and a workflow: the law of each part and how sure it is."""

from __future__ import annotations

import pytest
from rich.console import Console

from caseflow.adapters.packs.loader import load_pack
from caseflow.cli import pictures
from caseflow.domain.pack import Pack
from caseflow.errors import NotFound
from caseflow.services.summing import pack_summary
from tests.unit.pack_texts import FLOW, spoiled


def pack() -> Pack:
    files = spoiled(FLOW, "text: The tree has a girth of at least 40 cm.\n", "text: The tree is thick.\n    confidence: inferred\n")
    files = spoiled(FLOW, "dispositions:", "items: {T-1: {title: Map, cite: by-law 9, confidence: recalled}}\ndispositions:", files)
    return load_pack(files)


def drawn(name: str) -> str:
    console = Console(width=160, no_color=True)
    with console.capture() as caught:
        console.print(pictures.pack(pack_summary([pack()], name)))
    return caught.get()


def test_each_part_of_a_workflow_says_how_sure_its_law_is() -> None:
    made = pack_summary([pack()], "tree-permit")

    assert made["conditions"]["thick-enough"]["confidence"] == "inferred"
    assert made["items"]["T-1"] == {"title": "Map", "cite": "by-law 9", "note": None, "reading": None, "confidence": "recalled"}
    assert made["actions"]["hear"]["confidence"] is None
    assert "T-1: Map (by-law 9 [recalled])" in drawn("tree-permit")
    assert "The tree is thick. (Oakville by-law 7 [inferred])" in drawn("tree-permit")


def test_an_unknown_name_is_answered_with_the_nearest_known_one() -> None:
    with pytest.raises(NotFound, match="did you mean 'tree-permit'"):
        pack_summary([pack()], "tree-permits")
    assert pack_summary([pack()], "oakville")["workflows"][0]["id"] == "tree-permit"
