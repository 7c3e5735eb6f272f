"""Send what is owed: hand each copy over, keep the proof, and journal it. A letter's words never change here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from caseflow.domain import casework
from caseflow.errors import CaseflowError, StoreFault
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.ports import RegisteredLetter


@dataclass(slots=True)
class Dispatched:
    """How a dispatch ended."""

    sent: int = 0
    failed: int = 0
    waiting: int = 0


def dispatch(office: Office, moment: datetime | None = None, progress: Progress = quiet, at_once: bool = False) -> Dispatched:
    """Hands over every letter that may leave by now; `at_once` ignores the waiting time. Repeating it is harmless."""
    moment = moment or office.now()
    with office.store.read() as work:
        ready = work.letters(status=("owed", "approved", "queued"), until=None if at_once else moment)
    total = Dispatched()
    for place, letter in enumerate(ready):
        try:
            _send(office, letter, moment)
            total.sent += 1
        except StoreFault:
            raise
        except CaseflowError:
            total.failed += 1
        progress(place + 1, len(ready), "letters")
    return total


def _send(office: Office, letter: RegisteredLetter, moment: datetime) -> None:
    """Hands every copy over first: the mail drop keeps one of each, however often it is handed the same copy."""
    text = office.letters.text(letter.markdown)
    html = office.letters.html(letter.markdown, letter.subject or letter.title)
    proofs: list[dict[str, Any]] = []
    for recipient in letter.recipients:
        proof = office.mail.hand_over(letter, recipient, text, html, moment)
        proofs.append({"role": str(recipient["role"]), "channel": str(recipient["channel"]), "proof": proof})
    with office.store.begin() as work:
        if work.letter(letter.number).status not in ("owed", "approved", "queued"):
            return
        case = work.case(letter.case)
        book = office.packs.of(case)
        on = book.calendar.local_day(moment)
        facts = {"content": sha256(letter.markdown.encode()).hexdigest(), "handed_over": proofs}
        outcome = casework.mark_sent(book, case, letter.number, max(on, case.last_on), facts, moment, office.key())
        work.letter_status(letter.number, "handed-over", on, "; ".join(proof["proof"] for proof in proofs))
        office.save(work, book, outcome, moment)
