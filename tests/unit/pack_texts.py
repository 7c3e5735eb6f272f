"""A small sound pack as texts, and a way to spoil it: `¶` in the spoiled text marks where the fault must be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from caseflow.adapters.packs.library import pack_files
from caseflow.adapters.packs.loader import load
from caseflow.errors import Fault, PackFaults

HOME = Path(__file__).resolve().parents[1] / "packs"
MARK = "¶"
FLOW, PACK, CALENDAR = "tree-permit.yaml", "pack.yaml", "calendar.yaml"
FACTS, LETTERS, FEES = "facts.yaml", "letters.yaml", "fees.yaml"


def sound() -> dict[str, str]:
    """The files of the small pack, which has no fault."""
    return pack_files(HOME / "workflows" / "oakville", HOME / "templates" / "letters")


def spoiled(file: str, old: str, new: str, files: Mapping[str, str] | None = None) -> dict[str, str]:
    """The pack with one text put for another, once; the mark is still in it."""
    made = dict(files or sound())
    text = made.get(file, "")
    assert text.count(old) >= 1 or not text, f"{old!r} is not in {file}"
    made[file] = text.replace(old, new, 1) if text else new
    return made


def marked(files: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, int, int]]:
    """The files without the mark, and the place of the mark."""
    [(file, text)] = [(file, text) for file, text in files.items() if MARK in text]
    at = text.index(MARK)
    place = (file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
    return {**files, file: text.replace(MARK, "")}, place


def faults_of(files: Mapping[str, str]) -> list[Fault]:
    """Every fault of a pack; none where it loads."""
    try:
        load(files)
    except PackFaults as found:
        return list(found.faults)
    return []


class Slip(NamedTuple):
    """A way to spoil the pack: what is put for what in which file, and what the loader must say."""

    title: str
    changes: Sequence[tuple[str, str, str]]
    said: str


def slipped(slip: Slip) -> dict[str, str]:
    """The pack with a slip in it."""
    files = sound()
    for file, old, new in slip.changes:
        files = spoiled(file, old, new, files)
    return files
