"""By which rules the next entry of a case is made: those of its last entry, or an adopted calendar that changes nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from caseflow.domain import replay
from caseflow.domain.case import Case
from caseflow.domain.rulebook import Rulebook
from caseflow.services.office import Office

if TYPE_CHECKING:
    from caseflow.services.ports.work import Work


def ruled(office: Office, work: Work, case: Case) -> tuple[Case, Rulebook]:
    """The case and the rules of its next entry.

    A calendar that was adopted moved the open cases whose dates it changed. Another open case takes it with its next
    entry, as long as it still changes nothing of what stands; a case that is over keeps its own."""
    book = office.packs.of(case)
    adoptions = work.adoptions()
    if not adoptions or book.workflow.states[case.state].ends:
        return case, book
    now = office.packs.current(book.pack, adoptions).calendar_version
    if now == case.calendar_version:
        return case, book
    new = office.packs.of(case.revised(calendar_version=now))
    under = replay.unmoved(book, new, case, work.entries(case.number))
    return (under, new) if under is not None else (case, book)
