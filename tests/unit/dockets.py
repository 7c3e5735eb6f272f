"""Small dockets: the tree office in memory on a day, cases of an older system as lines, and files of such lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from caseflow.adapters.store.memory import MemoryStore
from caseflow.bootstrap import App
from tests.unit.pack_texts import HOME

PACKS = str(HOME / "workflows")
FILED = "2027-01-04T09:00"
"""A Monday; ten business days later is Monday, January 18."""


class Office:
    """A database in memory; every call says on which day it is made."""

    def __init__(self, packs: str = PACKS) -> None:
        self.store, self.packs = MemoryStore(), packs

    def on(self, day: str) -> App:
        """The app on a day, at ten in the morning."""
        return App(store=self.store, packs=self.packs, at=f"{day}T10:00")

    def file(self, day: str, number: str = "", **more: Any) -> str:
        """Files a request; the answer is its case."""
        made = self.on(day).file({**request(number or "A", f"{day}T09:00"), **more})
        return str(made["cases"][0]["case"])

    def act(self, day: str, case: str, action: str, **facts: Any) -> dict[str, Any]:
        """One act of staff."""
        return self.on(day).act(case, action, facts, None, "ann:staff", None, None, False)

    def take_in(self, path: Path, day: str = "2027-01-12", **more: Any) -> dict[str, Any]:
        """Imports a file."""
        return self.on(day).take_in(str(path), "mo:staff", more.get("try_only", False))

    def docket(self, path: Path, day: str, **wanted: Any) -> bytes:
        """What an export of the docket writes."""
        path.unlink(missing_ok=True)
        self.on(day).export_docket(str(path), wanted)
        return path.read_bytes()


def request(number: str, filed: str = FILED) -> dict[str, Any]:
    """The request of a case, by its number in the older system."""
    return {
        "aliases": [number],
        "filed": filed,
        "requester": {"name": f"Pat Reed {number}", "capacity": "owner", "email": "pat@example.org"},
        "services": ["tree-permit"],
        "waterbodies": [{"name": f"the oak {number}"}],
        "facts": {"girth_cm": 120},
    }


def older(number: str, *acts: Mapping[str, Any], filed: str = FILED, **more: Any) -> dict[str, Any]:
    """A case of an older system: `acts` are {on, do, ...}."""
    return {"request": {**request(number, filed), **more}, "history": list(acts)}


def act(on: str, do: str, **more: Any) -> dict[str, Any]:
    """An act of a history; what is no part of it is a fact."""
    parts = {name: more.pop(name) for name in ("by", "as", "because", "sent", "served") if name in more}
    return {"on": on, "do": do, **parts, **({"facts": more} if more else {})}


def file_of(path: Path, *lines: Any) -> Path:
    """A file of lines: maps as JSON, bytes as they are."""
    path.write_bytes(b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines))
    return path
