"""What the page of a case shows beside the case: its people with their addresses, its payments; and corrections tried first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from caseflow.domain.case import Actor
from caseflow.errors import BadInput
from caseflow.services.asking import field_of
from caseflow.services.casefile import CaseFile, case_file, payments_json
from caseflow.services.listing import people_action, read_people
from caseflow.services.office import Office
from caseflow.services.people import Person
from caseflow.services.trying import dry_correction


@dataclass(frozen=True)
class Dossier:
    """Questions about one case. Whether a person sees it is asked before (services/sight.py)."""

    office: Office
    now: Callable[[], datetime]

    def people(self, number: str) -> list[dict[str, Any]]:
        """Everyone of the case: {role, name, capacity, channel, email, address, language, statement}. Raises NotFound."""
        with self.office.store.read() as work:
            case = work.case(number)
        return [{**asdict(party), "address": list(party.address)} for party in case.parties]

    def payments(self, number: str) -> list[dict[str, Any]]:
        """The payments of the request (services/casefile.py)."""
        with self.office.store.read() as work:
            case = work.case(number)
            return payments_json(case, work.siblings(case))

    def file(self, number: str, person: Person) -> CaseFile:
        """All that the page of a case shows somebody (services/casefile.py). Raises NotFound, also where the case is not seen."""
        return case_file(self.office, number, self.now(), person.role, person.sees)

    def list_act(self, number: str) -> dict[str, str] | None:
        """The act that takes a list of people in and nothing else: {id, title, fact}; nothing where the workflow has none."""
        with self.office.store.read() as work:
            book = self.office.packs.of(work.case(number))
        try:
            name, fact = people_action(book, None)
        except BadInput:
            return None
        return {"id": name, "title": book.workflow.actions[name].title, "fact": fact}

    def read_list(self, text: str) -> list[dict[str, str]]:
        """The people of a pasted list, as `case people` reads them from a file. Raises BadInput with every fault by its row."""
        return read_people(text, "The list")

    def letter_fields(self, number: str) -> list[dict[str, Any]]:
        """What a blocked letter lacks, as fields of a form; what is no fact of the pack is left out. Raises NotFound."""
        with self.office.store.read() as work:
            letter = work.letter(number)
            book = self.office.packs.of(work.case(letter.case))
        names = dict.fromkeys(part for name in letter.missing for part in (name, name.rpartition(".")[2]) if part in book.facts)
        return [field_of(book, book.workflow.actions["file"], name, True) for name in names]

    def correction(self, number: str, seq: int, on: date | None, because: str, person: Person) -> dict[str, Any]:
        """What voiding an entry, or moving it to a day, would change (services/trying.py)."""
        return dry_correction(self.office, number, seq, on, because, Actor("person", person.id, person.role), self.now())
