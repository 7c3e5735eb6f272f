"""Puts one case under another rulebook: the one way in which the rules of a case change, for calendars and for packs.

Which cases move, and when, is for whoever calls. What each of them may and does is decided in domain/replay.py.
"""

from __future__ import annotations

from datetime import datetime

from caseflow.domain import replay
from caseflow.domain.case import Act, Case, Outcome
from caseflow.domain.moving import misprinted
from caseflow.domain.rulebook import Rulebook
from caseflow.services.office import Office
from caseflow.services.ports import Work


def moved(office: Office, work: Work, case: Case, new: Rulebook, asked: Act, moment: datetime) -> Outcome:
    """What it would be to put a case under `new`, nothing saved. `asked.action` is calendar-adopted or pack-moved.

    Raises Refused, with every entry of a person that stands against it."""
    views = {letter.number: letter.view for letter in work.letters(case.number) if letter.corrected_by is None}

    def misprints(number: str, _: Case, after: Case) -> bool:
        return number in views and misprinted(views[number], new, after)

    return replay.move(office.packs.of(case), new, case, work.entries(case.number), asked, moment, office.key, misprints)


def move(office: Office, work: Work, case: Case, new: Rulebook, asked: Act, moment: datetime) -> Outcome:
    """Puts a case under `new` and saves it, with the letters that it owes. Raises Refused or LetterFault; then nothing is changed."""
    outcome = moved(office, work, case, new, asked, moment)
    office.save(work, new, outcome, moment)
    return outcome
