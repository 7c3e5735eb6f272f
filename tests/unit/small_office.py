"""The small pack run as a service: an app over a copy of it with other texts, and what filing and acting need."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from caseflow.bootstrap import App
from tests.unit.pack_texts import sound

REQUEST: Mapping[str, Any] = {
    "requester": {"name": "Pat Reed", "capacity": "owner", "email": "pat@example.org"},
    "services": ["tree-permit"],
    "waterbodies": [{"name": "the oak at Mill Lane 4"}],
    "facts": {"girth_cm": 120},
}


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """The pack as files: packs below `workflows`, letters below `templates/letters`."""
    for path, text in (files or sound()).items():
        home = folder / "templates" / "letters" / "oakville" if path.startswith("templates/") else folder / "workflows" / "oakville"
        file = home / path.removeprefix("templates/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder / "workflows"


class Desk:
    """One database and one pack; every call says on which day it is made."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        self.folder, self.packs = folder, written(folder, files)

    def app(self, day: str) -> App:
        """The app on a day, at ten in the morning."""
        return App(database=f"sqlite:///{self.folder / 'case.db'}", packs=str(self.packs), at=f"{day}T10:00", maildrop=str(self.folder / "mail"))

    def file(self, day: str, **more: Any) -> dict[str, Any]:
        """Files the sample request with members of its own."""
        return self.app(day).file({**REQUEST, **more})

    def act(self, day: str, case: str, action: str, role: str = "staff", **facts: Any) -> dict[str, Any]:
        """One act by a role."""
        return self.app(day).act(case, action, facts, None, f"ann:{role}", None, None, False)
