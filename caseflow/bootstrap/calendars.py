"""Changed calendars as the doors ask for them: a file in, plain data out."""

from __future__ import annotations

from typing import Any

from caseflow.bootstrap.joining import actor_of, text_of_file
from caseflow.domain.case import Actor
from caseflow.services.office import Progress, quiet


class CalendarDesk:
    """Preview, adoption and undoing. `app` is the program joined."""

    def __init__(self, app: Any) -> None:
        self._app = app

    @property
    def service(self) -> Any:
        """What it stands on."""
        from caseflow.services.calendars import Calendars  # seldom needed, and much is imported with it

        return Calendars(self._app.office)

    def preview(self, file: str, progress: Progress = quiet) -> dict[str, Any]:
        """Every open case that a changed calendar would move; nothing is changed."""
        self._app.open(writes=False)
        text = text_of_file(file)
        made: dict[str, Any] = self.service.preview(self.service.changed(text, file), progress)
        return made

    def adopt(self, file: str, because: str, actor: str | None, progress: Progress = quiet) -> dict[str, Any]:
        """Adopts a changed calendar, or goes on with the adoption of the same file."""
        self._app.open()
        made = self.service.adopt(text_of_file(file), file, because, actor_of(actor or "staff:staff"))
        return self._finished(made.id, progress)

    def undo(self, because: str, actor: str | None, progress: Progress = quiet) -> dict[str, Any]:
        """Undoes the last adoption that stands, or goes on with its undoing."""
        self._app.open()
        return self._finished(self.service.undo(because, actor_of(actor or "staff:staff")).id, progress)

    def adopt_kept(self, version: str, because: str, person: Any) -> int:
        """Begins, for somebody signed in, the adoption of a calendar that was handed in; the answer is its number."""
        name = f"version {version.rpartition('@')[0]}"
        return int(self.service.adopt(self.service.text(version), name, because, Actor("person", person.id, person.role)).id)

    def take_back(self, number: int, because: str, person: Any) -> int:
        """Begins, for somebody signed in, the undoing of an adoption; the answer is its number."""
        return int(self.service.undo(because, Actor("person", person.id, person.role), number).id)

    def _finished(self, number: int, progress: Progress) -> dict[str, Any]:
        self._app.for_long_work()
        made: dict[str, Any] = self.service.shown(self.service.finish(number, progress))
        return made

    def all(self) -> list[dict[str, Any]]:
        """Every adoption and undoing, the last first."""
        self._app.open(writes=False)
        found: list[dict[str, Any]] = self.service.all()
        return found
