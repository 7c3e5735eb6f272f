"""The register of letters for those who see only some cases: pages of it by key, and a letter as PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from caseflow.errors import Reason, Refused
from caseflow.services.office import Office
from caseflow.services.sight import Sight

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter
    from caseflow.services.ports.programs import Programs


@dataclass(frozen=True)
class Register:
    """Questions about letters. Whether a person sees one letter is asked before (services/sight.py)."""

    office: Office
    programs: Programs
    line: Callable[[RegisteredLetter], dict[str, Any]]

    def page(self, seen: Sight, case: str | None, status: str | None, after: str | None, limit: int) -> dict[str, Any]:
        """A page of the letters whose cases are seen, by number: {letters, next}; `next` is the key of the page after it, or null."""
        numbers = self.programs.letters(seen, case, status, after, limit + 1)
        with self.office.store.read() as work:
            found = [work.letter(number) for number in numbers[:limit]]
        return {"letters": [self.line(letter) for letter in found], "next": numbers[limit - 1] if len(numbers) > limit else None}

    def version(self, case: str) -> int:
        """The revision of a case."""
        with self.office.store.read() as work:
            return work.case(case).version

    def pdf(self, number: str) -> bytes:
        """A letter as PDF. Raises Refused where it is blocked, LetterFault where it can't be made."""
        with self.office.store.read() as work:
            letter = work.letter(number)
        if letter.status == "blocked":
            text = f"the letter is blocked, since it lacks {', '.join(letter.missing) or 'something'}"
            raise Refused([Reason("wrong-state", "blocked", text, instead="State what is missing and retry it.")], f"There is no PDF of {number}")
        return self.office.letters.pdf(letter)
