"""Read a case: as it stands, its timeline by effective or recorded time, and what was known on a day. Why a date is so: explaining.py."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from caseflow.domain.arrivals import TITLES as ARRIVAL_TITLES
from caseflow.domain.case import Case, Entry
from caseflow.domain.changes import due_days
from caseflow.domain.holding import TITLES as HOLD_TITLES
from caseflow.domain.imported import TITLES as IMPORT_TITLES
from caseflow.domain.moving import ruled_by
from caseflow.domain.pack import RULE_MOVES
from caseflow.domain.posting import TITLES
from caseflow.domain.replay import fold, standing
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, NotKnown, TryAgain
from caseflow.services.again import again
from caseflow.services.office import Office
from caseflow.services.showing import case_json, entry_json
from caseflow.services.sight import EVERYTHING, Sight, no_case

if TYPE_CHECKING:
    from caseflow.services.ports.work import Work

CORE_TITLES = {
    "void": "Void an entry",
    "amend": "Amend the date of an entry",
    "withdrawn-by-correction": "Withdrawn, since a correction changed what it followed from",
    "silence-waits": "The last day has passed; silence waits for the next open day",
    "calendar-adopted": "The case was put under a changed calendar",
    "pack-moved": "The case was put under another version of the rules",
    "warn-deadline": "A deadline is near",
    "timer-refused": "A clock ran out, but its action was not possible",
    **TITLES,
    **ARRIVAL_TITLES,
    **IMPORT_TITLES,
    **HOLD_TITLES,
}


@again
def show(office: Office, number: str, moment: datetime | None = None, role: str = "staff", seen: Sight = EVERYTHING) -> dict[str, Any]:
    """A case as CONTRACT section 2 shows it; of its request only the cases that are seen. Raises NotFound, also where it is not seen."""
    moment = moment or office.now()
    with office.store.read() as work:
        case = work.case(number)
        if not seen.covers(case.workflow, case.assigned_to, case.flags):
            raise no_case(number)
        book = office.packs.of(case)
        siblings = [one for one in work.siblings(case) if seen.covers(one.workflow, one.assigned_to, one.flags)]
        return case_json(book, case, book.calendar.local_day(moment), siblings, work.letters(case.number), role, _entries(book, work, case))


def recorded(office: Office, number: str, moment: datetime | None = None, role: str = "staff") -> dict[str, Any]:
    """The same for a case in which something was just recorded: where it can't be read now, nobody is told that nothing was changed. Raises NotKnown."""
    try:
        return show(office, number, moment, role)
    except TryAgain as fault:
        raise NotKnown(f"{number}: it was recorded, and the database went away before the case could be shown. Look at it before you do it again.") from fault


def _entries(book: Rulebook, work: Work, case: Case) -> Sequence[Entry]:
    """The journal, where the workflow has rules whose checklist names who judged."""
    return work.entries(case.number) if book.rules else ()


def timeline(office: Office, number: str, by: str = "effective", known_on: date | None = None) -> list[dict[str, Any]]:
    """The entries of a case with what closed them and the last day of each clock after them."""
    if by not in ("effective", "recorded"):
        raise BadInput(f"A timeline is sorted by effective or recorded, not by '{by}'.")
    with office.store.read() as work:
        case = work.case(number)
        entries = work.entries(case.number)
    book = office.packs.of(case)
    if known_on is not None:
        entries = known_by(book, entries, known_on)
        book = office.packs.of(ruled_by(case, entries[-1])) if entries else book
    return timeline_of(book, entries, by)


def known_by(book: Rulebook, entries: Sequence[Entry], day: date) -> tuple[Entry, ...]:
    """The part of a journal that was recorded by a day."""
    return tuple(entry for entry in entries if book.calendar.local_day(entry.recorded_at) <= day)


def timeline_of(book: Rulebook, entries: Sequence[Entry], by: str = "effective") -> list[dict[str, Any]]:
    """The timeline of a journal, its dates by the rules of its last entry."""
    if not entries:
        return []
    stands = standing(entries)
    steps = fold(book, entries).steps
    shown = []
    for entry in entries:
        title = book.workflow.actions[entry.action].title if entry.action in book.workflow.actions else CORE_TITLES.get(entry.action, entry.action)
        closes = entry.facts.get("entry") if entry.action in ("void", "withdrawn-by-correction", *RULE_MOVES) else None
        step = steps.get(entry.seq)
        shown.append(
            {
                **entry_json(entry, title),
                "effective_on": stands.days[entry.seq].isoformat(),
                "recorded_on": book.calendar.local_day(entry.recorded_at).isoformat(),
                "amended": stands.days[entry.seq] != entry.effective_on,
                "voids": closes,
                "voided_by": stands.closed.get(entry.seq),
                "due_after": due_days(book, step) if step is not None else {},
            }
        )
    if by == "effective":
        shown.sort(key=lambda item: (item["effective_on"], item["seq"]))
    return shown
