"""The small pack with claims of its own, breaks planted in it, and what a walk of it finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from caseflow.adapters.packs.loader import load_pack
from caseflow.bootstrap import App
from caseflow.bootstrap.proofs import Proofs
from caseflow.domain.pack import Pack
from tests.unit.pack_texts import FLOW, LETTERS, sound
from tests.unit.small_office import written

CLAIMS = """claims:
  asked-once: {text: The owner is asked once., cite: Oakville by-law 7, at-most-once: ask}
  rights: {text: Each answer states the rights., cite: Oakville by-law 8, letter-on-entering: closed, stating: rights of appeal}
  heard: {text: Who was asked is heard before the answer., cite: Oakville by-law 8, whenever: decide, holds: {any: [{done: hear}, {none: [{done: ask}]}]}}
  not-hurried: {text: A hurry ends with the answer., note: Practice., always: {none: [{flag: hurried}]}, in: closed}
"""
CHANGES = (
    (FLOW, "limits:\n", CLAIMS + "limits:\n"),
    (FLOW, "dispositions:", "flags: {hurried: The owner is in a hurry}\ndispositions:"),
    (FLOW, "takes: [answer], letters: answer,", "takes: [answer], lowers: hurried, letters: answer,"),
    (FLOW, "from: open, to: closed, disposition: granted-by-silence,", "from: open, to: closed, lowers: hurried, disposition: granted-by-silence,"),
    (FLOW, "  hear: {", "  hurry: {title: Note the hurry, from: open, to: same, raises: hurried, note: Practice.}\n  hear: {"),
    (LETTERS, "states: [the answer]", "states: [the answer, rights of appeal]"),
    (LETTERS, "states: [that silence grants]", "states: [that silence grants, rights of appeal]"),
)
"""What makes the small pack one with claims that hold."""


class Plant(NamedTuple):
    """A break: what is put for what, and which claims must be found broken; the first is the one meant."""

    title: str
    changes: Sequence[tuple[str, str, str]]
    breaks: Sequence[str]


def changed(changes: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    """The files of the pack with claims, and changes made to them."""
    files = sound()
    for file, old, new in (*CHANGES, *changes):
        assert old in files[file], f"{old!r} is not in {file}"
        files[file] = files[file].replace(old, new, 1)
    return files


class Trial:
    """A pack on disk that is read without being checked, so that a break reaches the walk."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        self.folder = folder
        self.app = App(packs=str(written(folder, files)))
        self.app.library.load = self._load  # type: ignore[method-assign]

    def _load(self, files: Mapping[str, str]) -> Pack:
        return self.app.library._taken(load_pack(files, checked=False), files)

    def proof(self) -> dict[str, Any]:
        """The one workflow, walked anew, its broken claims written down."""
        made = Proofs(self.app.library, self.app.now).made(None, {}, True, lambda *_: None, str(self.folder / "breaks"))
        [one] = made["proofs"]
        return {**one, "written": made["written"]}

    def played(self, path: str) -> dict[str, Any]:
        """How a written scenario goes."""
        [one] = self.app.rehearse([path])["results"]
        return dict(one)
