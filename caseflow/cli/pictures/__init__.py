"""Answers drawn for people in a terminal: pure functions from plain data to something that rich prints.

These are the pictures that the command line shows, each under a name here. A module is loaded when the first of its pictures is drawn, so that
a command loads its own alone, and none where it names a picture but prints JSON.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

PICTURES: dict[str, tuple[str, ...]] = {
    "adoption": ("adopted", "adoptions", "previewed"),
    "answers": ("begun", "dispatched", "exported", "filed", "mailed", "printed", "demo=rehearsed_docket", "resumed", "swept"),
    "consequences": ("moved", "moves", "previews"),
    "dockets": ("docket_exported", "taken_in"),
    "ruled": ("findings", "rulesets"),
    "integrity": ("checkpoints", "examined", "verified"),
    "ledger": ("why=ledgers",),
    "branches": ("otherwise",),
    "page": ("case=overview",),
    "proof": ("proofs",),
    "record": ("timeline=line",),
    "register": ("letters=register",),
    "rehearsal": ("rehearsed=results",),
    "retention": ("disposable", "disposed", "held", "holds", "stub"),
    "rows": ("docket=table",),
    "rules": ("checked", "fees=quote", "pack=summary"),
    "screen": ("console", "progress"),
    "sheet": ("board=sheet",),
    "tracks": ("screened",),
    "trial": ("dry_run=consequences", "corrected"),
    "editions": ("differences", "versions"),
    "year": ("calendar=days",),
}
"""The pictures of each module; `case=overview` is one that has another name here. None is called as a module is."""

_MODULES = {name.partition("=")[0]: (module, name.rpartition("=")[2]) for module, names in PICTURES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"there is no picture '{name}'")
    return partial(_drawn, *_MODULES[name])


def _drawn(module: str, function: str, *shown: Any) -> Any:
    return getattr(import_module(f"{__name__}.{module}"), function)(*shown)
