"""The file of a case as its page shows it: read in one transaction, replayed once, and remembered while nothing in it is another.

A file depends on the case and the other cases of its request (each named by the hash of its last entry, which says all of it), on
what the register says of its letters, on the day, and on the role that asks. Whether the case is seen is asked each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from caseflow.domain.case import Case
from caseflow.services.documents import document_json
from caseflow.services.drawing import drawn
from caseflow.services.office import Office
from caseflow.services.reading import timeline_of
from caseflow.services.showing import case_json
from caseflow.services.sight import Sight, no_case


@dataclass(frozen=True, slots=True, eq=False)
class CaseFile:
    """What there is to show; nobody changes it. `case` as CONTRACT section 2 says, `record` its entries in the order of recording,
    `drawing` as services/drawing.py says, `documents` the newest first, `payments` of the whole request by day."""

    case: dict[str, Any]
    record: list[dict[str, Any]]
    drawing: dict[str, Any]
    documents: list[dict[str, Any]]
    payments: list[dict[str, Any]]


def case_file(office: Office, number: str, moment: datetime, role: str, seen: Sight) -> CaseFile:
    """The file of a case; of its request only the cases that are seen. Raises NotFound, also where it is not seen."""
    with office.store.read() as work:
        case = work.case(number)
        if not seen.covers(case.workflow, case.assigned_to, case.flags):
            raise no_case(number)
        book, family, letters = office.packs.of(case), work.siblings(case), work.letters(case.number)
        today, siblings = book.calendar.local_day(moment), [one for one in family if seen.covers(one.workflow, one.assigned_to, one.flags)]
        stamp = (case.head, today, [(one.number, one.head) for one in family], len(siblings), [one.number for one in siblings], list(letters))
        known: CaseFile | None = office.files.known((case.number, role), stamp)
        if known is not None:
            return known
        entries, documents = work.entries(case.number), work.documents(case.number)
    shown = case_json(book, case, today, siblings, letters, role, entries if book.rules else ())
    record = timeline_of(book, entries, "recorded")
    made = CaseFile(
        case=shown,
        record=record,
        drawing=drawn(book, case, today, shown["clocks"], shown["letters"], record),
        documents=[document_json(book, case, one) for one in reversed(documents)],
        payments=payments_json(case, family),
    )
    return office.files.keep((case.number, role), made, stamp)


def payments_json(case: Case, others: Sequence[Case]) -> list[dict[str, Any]]:
    """What was paid, returned and refunded in the request, by day: {kind, amount, method, on, reference, own, seq}; `own`: on this very case."""
    found = [
        {
            "kind": one.kind,
            "amount": one.amount,
            "method": one.method,
            "on": one.on.isoformat(),
            "reference": one.reference,
            "own": holder.number == case.number,
            "seq": one.seq,
        }
        for holder in (case, *others)
        for one in holder.payments
    ]
    return sorted(found, key=lambda one: (one["on"], not one["own"], one["seq"]))
