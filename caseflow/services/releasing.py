"""A record handed out from the site, and one that is brought back: what may be withheld, the archive, and whether a record holds.

What goes into a record is for exporting.py; packing it and checking what is brought are for adapters, which are handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo

from caseflow.domain.changes import CORE_FACTS
from caseflow.domain.journal import plain
from caseflow.domain.posting import EVENTS
from caseflow.errors import NotFound
from caseflow.services.exporting import Opens, Record, fact_text, fact_title, record
from caseflow.services.office import Office
from caseflow.services.sight import EVERYTHING, Sight

LONGEST_SHOWN = 300
"""So much of a value is shown where it is chosen; the rest is in the case."""
OWN = CORE_FACTS | {"settings", "received_at"}
"""Facts that the program itself states, as it does of a letter that went. What they repeat of a person is withheld with the person."""


class Releasing:
    """`pack` makes one archive of a record, `check` reads one that is brought, `verify` recomputes a case, `key` is the agency's."""

    def __init__(
        self,
        office: Office,
        content: Opens,
        pack: Callable[[Record], bytes],
        check: Callable[[BinaryIO], dict[str, Any]],
        verify: Callable[[str], dict[str, Any]],
        key: Callable[[], str],
    ) -> None:
        self._office, self._content, self._pack, self._check, self._verify, self._key = office, content, pack, check, verify, key

    def facts(self, number: str) -> list[dict[str, Any]]:
        """Every fact of the record that may be withheld, with each value that it had and the entries that state it. Raises NotFound."""
        with self._office.store.read() as work:
            case = work.case(number)
            entries = work.entries(case.number)
        book = self._office.packs.of(case)
        found: dict[str, dict[str, list[int]]] = {}
        for entry in entries:
            for name, value in entry.facts.items():
                if name not in OWN and entry.action not in EVENTS and value not in (None, "", [], {}):
                    found.setdefault(name, {}).setdefault(_shown(plain(value)), []).append(entry.seq)
        return [
            {
                "id": name,
                "title": fact_title(book, name),
                "values": [{"text": text, "entries": list(dict.fromkeys(seqs))} for text, seqs in values.items()],
            }
            for name, values in found.items()
        ]

    def archive(self, number: str, withhold: Mapping[str, str]) -> tuple[str, bytes]:
        """The record of a case as one archive, with its name; what is withheld as {fact: ground}. Raises NotFound, BadInput, StoreFault."""
        made = record(self._office, number, withhold, self._content)
        return f"record-{made.case.number}{'-released' if made.withheld else ''}.zip", self._pack(made)

    def standing(self, number: str) -> dict[str, Any]:
        """Whether the record of a case holds just now: {case, title, entries, head, faults}. Raises NotFound."""
        with self._office.store.read() as work:
            case = work.case(number)
        made = self._verify(case.number)
        return {"case": case.number, "title": case.title, "entries": case.version, "head": case.head, "faults": [fault["text"] for fault in made["faults"]]}

    def checked(self, file: BinaryIO, sees: Sight = EVERYTHING) -> dict[str, Any]:
        """Whether an archive holds, who signed it, and how it stands to the record kept here, where the person sees that. Raises BadInput."""
        made = self._check(file)
        return {**made, "made_at": self._local(made["made_at"]), "ours": made["key"] == self._key(), "here": self._here(made, sees)}

    def _local(self, made_at: object) -> str | None:
        """The office's own time of a moment that an archive names; none where it names none, as one that was changed may."""
        zone = next((pack.calendar.zone for pack in self._office.packs.all()), "UTC")
        try:
            return datetime.fromisoformat(str(made_at)).astimezone(ZoneInfo(zone)).isoformat()
        except (ValueError, OverflowError):
            return None

    def _here(self, made: Mapping[str, Any], sees: Sight) -> dict[str, Any] | None:
        """How many entries came since, and whether the record kept here had the same last hash at that place."""
        try:
            with self._office.store.read() as work:
                case = work.case(made["case"])
                entries = work.entries(case.number)
        except NotFound:
            return None
        if case.number != made["case"] or not sees.covers(case.workflow, case.assigned_to, case.flags):
            return None
        same = 0 < made["entries"] <= len(entries) and entries[made["entries"] - 1].hash == made["head"]
        return {"case": case.number, "title": case.title, "same": same, "since": len(entries) - made["entries"]}


def _shown(value: Any) -> str:
    text = fact_text(value)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + " …"
