"""Schedules, legal holds and disposal as the doors ask for them: plain values in, plain values out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caseflow.bootstrap.joining import actor_of
from caseflow.errors import BadInput
from caseflow.services.office import Progress, parse_day, quiet
from caseflow.services.sight import EVERYTHING, Sight

if TYPE_CHECKING:
    from caseflow.domain.case import Case


class Retaining:
    """What App offers about how long records are kept."""

    def __init__(self, app: Any) -> None:
        self._app = app

    @cached_property
    def disposal(self) -> Any:
        """What is due, and the disposal itself."""
        from caseflow.adapters.documents import Folder
        from caseflow.services.disposal import Disposal

        return Disposal(self._app.office, Folder(self._app._documents_folder()))

    # --- legal holds ---

    def hold(
        self,
        cases: Sequence[str],
        request: str | None,
        wanted: dict[str, Any],
        because: str,
        matter: str | None,
        actor: str,
        progress: Progress = quiet,
        seen: Sight = EVERYTHING,
    ) -> dict[str, Any]:
        """Places a legal hold on cases, on a request, or on every case of a list: {cases, holds}."""
        from caseflow.services import legalholds
        from caseflow.services.ports.docket import DocketFilter

        self._app.open()
        narrowed = DocketFilter(**wanted, seen=seen) if any(value is not None for value in wanted.values()) else None
        numbers = legalholds.numbers_of(self._app.office, cases, request, narrowed)
        held = legalholds.place(self._app.office, numbers, because, matter, actor_of(actor), self._app.now(), progress, seen)
        return self._held(held)

    def lift(self, cases: Sequence[str], seq: int | None, because: str, matter: str | None, actor: str, seen: Sight = EVERYTHING) -> dict[str, Any]:
        """Lifts a hold of cases, or of every case of a matter: {cases, holds}; `holds` are those still in place on them."""
        from caseflow.services import legalholds

        self._app.open()
        if not cases and matter is None:
            raise BadInput("No case is meant; name one, or a matter (--matter) to lift its hold from every case.")
        numbers = tuple(cases) or legalholds.of_matter(self._app.office, matter or "")
        return self._held(legalholds.lift(self._app.office, numbers, because, matter, seq, actor_of(actor), self._app.now(), seen))

    def holds(self, matter: str | None = None, seen: Sight = EVERYTHING) -> list[dict[str, Any]]:
        """Every hold in place."""
        from caseflow.services import legalholds

        self._app.open(writes=False)
        return legalholds.listed(self._app.office, matter, seen)

    @staticmethod
    def _held(cases: Sequence[Case]) -> dict[str, Any]:
        from caseflow.services.legalholds import holds_json

        return {"cases": [case.number for case in cases], "holds": [line for case in cases for line in holds_json(case)]}

    # --- disposal ---

    def due(self, schedule: str | None, until: str | None, seen: Sight = EVERYTHING, most: int | None = None) -> dict[str, Any]:
        """What may go by a day, and what is kept back."""
        self._app.open(writes=False)
        day = parse_day(until, "--until") if until is not None else None
        made: dict[str, Any] = self.disposal.due(day, schedule, seen, self._app.now(), most)
        return made

    def dispose(
        self, schedule: str | None, until: str | None, actor: str, because: str | None, archive: str | None, progress: Progress = quiet
    ) -> dict[str, Any]:
        """Disposes of what is due. `archive`: the folder in which a record that goes to the archive is put first."""
        self._app.open()
        self._app.for_long_work()
        day = parse_day(until, "--until") if until is not None else None
        transfer = (lambda number: self._transfer(Path(archive), number)) if archive is not None else None
        made: dict[str, Any] = self.disposal.dispose(actor_of(actor), because, schedule, day, self._app.now(), transfer, progress)
        return made

    def _transfer(self, folder: Path, number: str) -> str:
        """Writes the record of a case below a folder, and answers its head. One that is there from a run that died is taken as it is, if it is
        of this very record."""
        place = folder / number
        if not (place / "checkpoint.json").exists():
            folder.mkdir(parents=True, exist_ok=True)
            return str(self._app.export(number, str(place), {})["head"])
        try:
            return str(json.loads((place / "checkpoint.json").read_text(encoding="utf-8"))["head"])
        except (OSError, ValueError, KeyError):
            raise BadInput(f"The folder {place} does not hold a whole record; move it away and dispose again.") from None

    def page(self, until: str | None, person: Any, most: int) -> dict[str, Any]:
        """What the page of retention shows: {until, due, holds, stubs, gone, schedules, may_hold}; without a day it looks to the end of next year."""
        from caseflow.services.disposal import schedules_json
        from caseflow.services.legalholds import may_hold

        packs, today = self._app.library.all(), self._app.today()
        found = self.due(None, until or f"{today.year + 1}-12-31", person.sees, most) if schedules_json(packs) else {"until": until or today.isoformat()}
        lines = sorted((*found.get("due", ()), *found.get("kept_back", ())), key=lambda line: (line["due_on"], line["case"]))
        return {
            "until": found["until"],
            "due": [{**line, "now": line["due_on"] <= today.isoformat() and not line["kept_back"]} for line in lines],
            "holds": self.holds(None, person.sees),
            "stubs": self.disposal.stubs(most, person.sees),
            "gone": self.disposal.count(),
            "schedules": schedules_json(packs),
            "may_hold": may_hold(packs, person.role),
        }

    def stub(self, number: str) -> dict[str, Any] | None:
        """What is left of a record."""
        found: dict[str, Any] | None = self.disposal.stub(number)
        return found
