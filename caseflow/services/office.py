"""What every service is handed: the store, the rules, the writer of letters, the way out, and the present moment."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, tzinfo
from typing import TYPE_CHECKING, Any

from caseflow.domain import casework
from caseflow.domain.calendar import FIRST_YEAR, LAST_YEAR, Calendar
from caseflow.domain.case import Case, Outcome
from caseflow.domain.rulebook import Rulebook, calendar_of
from caseflow.domain.view import run
from caseflow.errors import BadInput, LetterFault
from caseflow.services.ports import Now
from caseflow.services.ports.lines import CaseRow
from caseflow.services.remembering import Remembered

if TYPE_CHECKING:
    from caseflow.services.ports.letters import Letters, Written
    from caseflow.services.ports.mail import Mail
    from caseflow.services.ports.packs import Packs
    from caseflow.services.ports.store import Store
    from caseflow.services.ports.work import Work

Progress = Callable[[int, int | None, str], None]
"""Tells a person how far long work is: done, total where it is known, of what."""


ROWS, FILES = 4096, 128


def quiet(done: int, total: int | None, what: str) -> None:
    """Tells nobody."""


@dataclass(frozen=True)
class Office:
    """The joined parts. `key` makes the salt key of an entry; a rehearsal may hand in its own. `with_pdf`: whether the
    PDF of a letter goes with it. `rows` of lists and `files` of cases are remembered while nothing of them changes."""

    store: Store
    packs: Packs
    letters: Letters
    mail: Mail
    now: Now
    key: Callable[[], str] = field(default=lambda: secrets.token_hex(16))
    with_pdf: bool = False
    rows: Remembered = field(default_factory=lambda: Remembered(ROWS), compare=False)
    files: Remembered = field(default_factory=lambda: Remembered(FILES), compare=False)

    @property
    def calendar(self) -> Calendar:
        """The calendar by which the office counts its own days now: that of the first pack, or one adopted in its place."""
        return calendar_of(self.packs.counting(self.packs.all()[0]))

    def write(self, book: Rulebook, outcome: Outcome, moment: datetime) -> list[Written]:
        """The letters of an outcome, written from frozen data. Raises LetterFault, naming what is missing in all of them."""
        written: list[Written] = []
        faults: list[LetterFault] = []
        for owed in outcome.letters:
            try:
                written.append(self.letters.write(owed, book.pack, moment))
            except LetterFault as fault:
                faults.append(fault)
        if len(faults) > 1:
            missing = dict.fromkeys(name for fault in faults for name in fault.missing)
            raise LetterFault(" ".join(map(str, faults)), faults[0].letter, tuple(missing), faults[0].at)
        if faults:
            raise faults[0]
        return written

    def save(self, work: Work, book: Rulebook, outcome: Outcome, moment: datetime, command_id: str | None = None) -> Case:
        """Writes the letters, then everything into the one transaction."""
        written = self.write(book, outcome, moment)
        blocked = {one.owed.number: one.missing for one in written if one.status == "blocked"}
        if blocked:
            outcome = casework.with_blocked(book, outcome, blocked, moment, self.key)
        work.save(outcome, case_row(book, outcome.case), written, command_id)
        return outcome.case


def case_row(book: Rulebook, case: Case) -> CaseRow:
    """What lists sort and filter by: the phase, whose turn, the nearest deadline of the agency, and how it ended."""
    state = book.workflow.states[case.state]
    nearest: tuple[int, str, int] | None = None
    on_time, held = True, False
    stands: int | None = None
    for name in dict.fromkeys(mark.clock for mark in case.marks):
        clock = book.workflow.clocks[name]
        if clock.policy or clock.alert or (clock.actor is not None and clock.actor != book.calendar.agency):
            continue
        now = run(book, case, name, case.last_on)
        on_time, held = on_time and now.missed_by is None, held or bool(now.held) or now.displaced_on is not None
        if not state.ends and now.ended_on is None and now.due is not None and now.target is not None:
            nearest = min(nearest or (now.due, name, now.target), (now.due, name, now.target))
        if now.status in ("tolled", "displaced") and now.since is not None:
            stands = min(stands or now.since, now.since)
    return CaseRow(
        phase=book.phase(case.state),
        turn=state.turn,
        ends=state.ends,
        next_clock=nearest[1] if nearest else None,
        next_due=date.fromordinal(nearest[0]) if nearest else None,
        next_target=date.fromordinal(nearest[2]) if nearest else None,
        decided_on=case.closed_on,
        on_time=on_time if state.ends else None,
        held=held,
        stands_since=date.fromordinal(stands) if stands is not None and nearest is None and not state.ends else None,
        silent_on=min((timer.due for timer in case.timers if timer.kind == "silence"), default=None) if not state.ends else None,
    )


def local_moment(zone: tzinfo, value: date | datetime) -> datetime:
    """A moment of the agency's local time; a bare date means ten in the morning."""
    if isinstance(value, datetime):
        return value if value.tzinfo is not None else value.replace(tzinfo=zone)
    return datetime.combine(value, time(10), zone)


def parse_day(text: Any, what: str) -> date:
    """A day such as 2027-01-15. Raises BadInput."""
    if isinstance(text, date) and not isinstance(text, datetime):
        return text
    try:
        if len(str(text)) != 10:
            raise ValueError
        return date.fromisoformat(str(text))
    except ValueError:
        raise BadInput(f"{what} '{text}' is not a day; write it as 2027-01-15") from None


def parse_moment(text: Any, what: str, bounded: bool = True) -> date | datetime:
    """A day or a moment such as 2027-01-15T10:00; with `bounded` within the years of the calendar. Raises BadInput."""
    try:
        words = str(text).replace(" ", "T")
        made = text if isinstance(text, date) else date.fromisoformat(words) if len(words) == 10 else datetime.fromisoformat(words)
    except ValueError:
        raise BadInput(f"{what} '{text}' is not a day or moment; write it as 2027-01-15 or 2027-01-15T10:00") from None
    if bounded and not FIRST_YEAR <= made.year <= LAST_YEAR:
        raise BadInput(f"{what} '{text}' is beyond the calendar, which covers {FIRST_YEAR} to {LAST_YEAR}")
    return made
