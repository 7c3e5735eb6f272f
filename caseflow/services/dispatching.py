"""Send what is owed: claim a letter's copies, hand each over, keep the proof, and journal it. Words never change here.

An attempt is noted before it is made, under the key of its copy; a copy whose answer is lost is `answer-unknown` and
goes again only with the same bytes and Message-ID. A claim carries the token of its run and expires, so that a dead or
frozen dispatcher holds nothing up and a late one changes nothing.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from caseflow.domain import casework, replay
from caseflow.domain.case import SCHEDULER, Actor, Case
from caseflow.domain.mailing import LEASE, OWN_ROLES, SENT, Attempt, Copy, access_code, again_at, letter_state, sent_day
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import AnswerUnknown, CaseflowError, NotTaken, StoreFault, WayDown
from caseflow.services.again import again
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.ports.mail import Parcel
from caseflow.services.ruled import ruled

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter
    from caseflow.services.ports.work import Work

PATIENCE = 3
"""How often in a row a way out may be unreachable before a run leaves what else goes by it to the next."""


@dataclass(slots=True)
class Dispatched:
    """How a dispatch ended. `sent` counts letters whose addressees have all been sent theirs by it, `failed` those that
    were tried and are not sent. Of the copies: `copies` were handed over, `waiting` are tried again later, the answer of
    `unknown` was lost, and for those `refused` a person must choose another way. `resting`: nothing leaves, since the
    database was restored at that moment and nobody has said since that mail may leave it."""

    sent: int = 0
    failed: int = 0
    copies: int = 0
    waiting: int = 0
    unknown: int = 0
    refused: int = 0
    resting: str | None = None


@dataclass(slots=True)
class _Run:
    """One run of the dispatcher. `secret` makes the access codes; `down` counts, by channel, how often in a row its way out
    could not be reached. A claim runs from the present moment, however long the run has been going by then."""

    office: Office
    moment: datetime
    token: str
    secret: str = ""
    total: Dispatched = field(default_factory=Dispatched)
    down: Counter[str] = field(default_factory=Counter)
    begun: float = field(default_factory=time.monotonic)

    def until(self) -> datetime:
        """To when a claim made now holds."""
        return self.moment + timedelta(seconds=time.monotonic() - self.begun) + LEASE

    def ways(self) -> list[str]:
        """The channels that are still worth trying."""
        return [channel for channel in self.office.mail.channels if self.down[channel] < PATIENCE]


@dataclass(frozen=True, slots=True)
class _Ended:
    """How an attempt ended: the copy as it leaves it, the outcome (accepted, later, refused, unknown) and its words."""

    copy: Copy
    outcome: str
    text: str


def dispatch(
    office: Office,
    moment: datetime | None = None,
    progress: Progress = quiet,
    at_once: bool = False,
    token: Callable[[], str] = lambda: secrets.token_hex(8),
) -> Dispatched:
    """Hands over every copy that may leave by now; `at_once` ignores the time that mail is held back. Repeating it is harmless."""
    run = _Run(office, moment or office.now(), token())
    if not _begun(run):
        return run.total
    wanted = _wanted(run, at_once)
    escalate(office, run.moment, progress)
    while (claimed := _claimed(run, at_once)) is not None:
        _send(run, *claimed)
        done = run.total
        progress(done.copies + done.waiting + done.unknown + done.refused, wanted, "copies")
    return run.total


@again
def _begun(run: _Run) -> bool:
    """Takes up what a run that died has left. False where the database rests."""
    total = replace(run.total)  # what is counted within a transaction counts when it is done
    with run.office.store.begin() as work:
        total.resting = work.resting()
        if total.resting is None:
            run.secret = work.secret("access-code")
            for copy in work.lapsed(run.moment):
                _lapse(run, work, copy, total)
    run.total = total
    return total.resting is None


@again
def _wanted(run: _Run, at_once: bool) -> int:
    with run.office.store.read() as work:
        return work.how_many_wait(run.moment, run.ways(), at_once)


@again
def _claimed(run: _Run, at_once: bool) -> tuple[Rulebook, RegisteredLetter, Sequence[Copy]] | None:
    """The next letter, with the copies of it that are now ours to send."""
    with run.office.store.begin() as work:
        held = work.claim(run.moment, run.token, run.until(), run.ways(), at_once)
        if not held:
            return None
        letter = work.letter(held[0].letter)
        return run.office.packs.of(work.case(letter.case)), letter, held


def _send(run: _Run, book: Rulebook, letter: RegisteredLetter, held: Sequence[Copy]) -> None:
    """Each copy of a letter in turn; where the letter stands is said with the last."""
    went: list[Copy] = []
    on = book.calendar.local_day(run.moment)
    for place, copy in enumerate(held):
        begun, parcel, fault = _prepared(run, book, letter, copy)
        if not _noted(run, begun):
            continue
        ended = _ended(run, begun, fault) if parcel is None else _handed_over(run, parcel, begun, on)
        if _closed(run, book, ended, went, place == len(held) - 1) and ended.outcome == "accepted":
            went.append(ended.copy)


@again
def _closed(run: _Run, book: Rulebook, ended: _Ended, before: Sequence[Copy], is_last: bool) -> bool:
    """Notes how an attempt ended. The copy has left by now, so that only this is done again, never the attempt. False where the claim was lost."""
    total = replace(run.total)
    with run.office.store.begin() as work:
        if not work.copy_changed(replace(ended.copy, claim=None, claimed_until=None), run.token):
            return False
        _settle(run, work, book, ended, total)
        if is_last:
            went = [*before, ended.copy] if ended.outcome == "accepted" else before
            sent = stand(run.office, work, ended.copy.letter, run.moment, went)
            total.sent += sent
            total.failed += not sent and not went
    run.total = total
    return True


def _prepared(run: _Run, book: Rulebook, letter: RegisteredLetter, copy: Copy) -> tuple[Copy, Parcel | None, CaseflowError | None]:
    """The copy as its attempt begins, with the bytes that will leave, or why they can't be made."""
    begun = replace(
        copy,
        attempts=copy.attempts + 1,
        begun_at=copy.begun_at or run.moment,
        claimed_until=run.until(),
        message_id=copy.message_id or run.office.mail.message_id(letter, copy),
    )
    try:
        parcel = parcel_of(run.office, book, letter, begun, run.secret)
        content = run.office.mail.digest(parcel)
    except CaseflowError as fault:
        return begun, None, fault
    if copy.status == "answer-unknown" and content != copy.content:
        text = "An earlier attempt may have been taken, and the same bytes can't be made again, so it is not sent again. Ask the recipient, or send it another way."
        return begun, None, NotTaken(text)
    return replace(begun, content=content), parcel, None


def parcel_of(office: Office, book: Rulebook, letter: RegisteredLetter, copy: Copy, secret: str) -> Parcel:
    """A copy as it leaves, the same each time it is made. Only copies to the people of the request carry their code."""
    code = access_code(secret, copy) if copy.kind == "to" and copy.role in OWN_ROLES else None
    words = office.letters.for_copy(letter.markdown, code)
    pdf = office.letters.pdf(replace(letter, markdown=words), window_of(copy), code or "") if office.with_pdf else None
    title = letter.subject or letter.title
    language, sender = book.pack.text.language, str(book.agency.get("name") or "")
    text, html = office.letters.text(words), office.letters.html(words, title, language)
    return Parcel(letter, copy, words, text, html, pdf, copy.begun_at or office.now(), sender, code or "")


def window_of(copy: Copy) -> tuple[str, ...]:
    """The lines that stand in the window of the envelope: the recipient's own, also of who gets a copy."""
    return (copy.name, *(line for line in copy.address.splitlines() if copy.channel == "post"))


@again
def _noted(run: _Run, begun: Copy) -> bool:
    """Notes the attempt before it is made. False where the claim was lost in the meantime."""
    with run.office.store.begin() as work:
        status = begun.status if begun.status == "answer-unknown" else "queued"
        if not work.copy_changed(replace(begun, status=status), run.token):
            return False
        work.attempt(Attempt(begun.id, begun.attempts, run.token, run.moment, None, "begun", ""))
    return True


def _handed_over(run: _Run, parcel: Parcel, copy: Copy, on: date) -> _Ended:
    try:
        handed = run.office.mail.hand_over(replace(parcel, copy=copy))
    except StoreFault:
        raise
    except CaseflowError as fault:
        run.down[copy.channel] = run.down[copy.channel] + 1 if isinstance(fault, WayDown) else 0
        return _ended(run, copy, fault)
    run.down[copy.channel] = 0
    return _Ended(replace(copy, status="handed-over", next_at=None, sent_on=on, proof=handed.proof, content=handed.content), "accepted", handed.proof)


def _ended(run: _Run, copy: Copy, fault: CaseflowError | None) -> _Ended:
    """What a fault means for the copy: it waits, its answer is lost, or a person must choose another way."""
    text = str(fault)
    again = None if isinstance(fault, NotTaken) else again_at(copy.attempts, run.moment)
    if isinstance(fault, AnswerUnknown):
        return _Ended(replace(copy, status="answer-unknown" if again else "bounced", next_at=again), "unknown", text)
    if again is not None:
        return _Ended(replace(copy, next_at=again), "later", text)
    given_up = "" if isinstance(fault, NotTaken) else f"Given up after {copy.attempts} attempts. "
    return _Ended(replace(copy, status="bounced", next_at=None), "refused", given_up + text)


def _settle(run: _Run, work: Work, book: Rulebook, ended: _Ended, total: Dispatched) -> None:
    """Ends the attempt, and journals what a person must know of it."""
    copy = ended.copy
    work.attempt(Attempt(copy.id, copy.attempts, run.token, run.moment, run.moment, ended.outcome, ended.text))
    total.copies += ended.outcome == "accepted"
    total.waiting += ended.outcome == "later"
    total.unknown += ended.outcome == "unknown"
    total.refused += ended.copy.status == "bounced"
    if ended.outcome == "unknown":
        note(run.office, work, book, "letter-unanswered", copy, run.moment, attempt=copy.attempts, message_id=copy.message_id, content=copy.content)
    if copy.status == "bounced":
        note(run.office, work, book, "letter-bounced", copy, run.moment, reason=ended.text)


def _lapse(run: _Run, work: Work, copy: Copy, total: Dispatched) -> None:
    """A claim that ran out: an attempt that was begun may have reached the other side; one that was not changes nothing."""
    letter = work.letter(copy.letter)
    book = run.office.packs.of(work.case(letter.case))
    free = replace(copy, claim=None, claimed_until=None)
    begun = any(one.copy == copy.id and one.number == copy.attempts and one.outcome == "begun" for one in work.attempts(copy.letter))
    if not begun:
        work.copy_changed(free, copy.claim)
        return
    ended = _ended(run, replace(free, next_at=run.moment), AnswerUnknown("The run that sent it ended before it could note the answer."))
    now = replace(ended.copy, next_at=run.moment) if ended.copy.status == "answer-unknown" else ended.copy
    if work.copy_changed(now, copy.claim):
        _settle(run, work, book, replace(ended, copy=now), total)
        stand(run.office, work, copy.letter, run.moment, ())


# --- where a letter stands ----------------------------------------------------------------------------------------


def stand(office: Office, work: Work, number: str, moment: datetime, went: Sequence[Copy], actor: Actor = SCHEDULER) -> bool:
    """Moves a letter where its copies say, and journals its sending once the last addressee's copy is proven to have gone.

    `went`: copies handed over just now. The answer says whether the letter was sent by this.
    """
    letter = work.letter(number)
    case, book = ruled(office, work, work.case(letter.case))
    state, day = letter_state(letter.status, letter.copies), sent_day(letter.copies)
    voided = any(made.number == number and made.status == "canceled" for made in case.letters)
    if day is not None and letter.sent_on is None:
        proofs = [_proof(copy) for copy in letter.copies if copy.status in SENT]
        facts = {"content": sha256(letter.markdown.encode()).hexdigest(), "handed_over": proofs}
        outcome = casework.mark_sent(book, case, number, day, facts, moment, office.key(), actor)
        if voided:  # its entry was voided while it was being handed over
            outcome = replay.sent_all_the_same(book, case, work.entries(case.number), outcome)
        work.letter_status(number, state, day, "; ".join(proof["proof"] for proof in proofs), copies=False)
        office.save(work, book, outcome, moment)
        return True
    if voided and letter.sent_on is None:
        work.letter_status(number, "canceled")
        return False
    for copy in went if letter.sent_on is not None else ():
        note(office, work, book, "letter-copied", copy, moment, actor, handed_over=[_proof(copy)])
    if state != letter.status:
        work.letter_status(number, state, copies=False)
    return False


def _proof(copy: Copy) -> dict[str, Any]:
    return {"copy": copy.id, "kind": copy.kind, "role": copy.role, "channel": copy.channel, "attempts": copy.attempts, "proof": copy.proof}


def note(office: Office, work: Work, book: Rulebook, action: str, copy: Copy, moment: datetime, actor: Actor = SCHEDULER, **facts: Any) -> None:
    """Journals what became of a copy."""
    case = work.case(copy.case)
    named = {"letter": copy.letter, "copy": copy.id, "role": copy.role, "name": copy.name, "channel": copy.channel, **facts}
    office.save(work, book, casework.letter_noted(book, case, action, named, moment, office.key(), actor), moment)


def escalate(office: Office, moment: datetime, progress: Progress = quiet) -> int:
    """A letter that has waited too long for approval (the pack's `escalates-after`) becomes a supervisor's task, once."""
    found = 0
    waiting = _waiting(office, moment)
    for place, letter in enumerate(waiting):
        progress(place, len(waiting), "drafts")
        found += _escalated(office, letter, moment)
    return found


@again
def _waiting(office: Office, moment: datetime) -> list[RegisteredLetter]:
    """The drafts that have waited too long, asked without a lock: at most times there are none."""
    with office.store.read() as work:
        return [letter for letter in work.letters(status=("draft",)) if _waits(office, work.case(letter.case), letter, moment)]


def _waits(office: Office, case: Case, letter: RegisteredLetter, moment: datetime) -> bool:
    """Whether a draft has waited too long, and nobody was told."""
    book = office.packs.of(case)
    told = any(task.id == f"letter-waits:{letter.number}" for task in case.tasks)
    return not told and book.calendar.local_day(moment) >= book.escalates_on(letter.owed_on)


@again
def _escalated(office: Office, letter: RegisteredLetter, moment: datetime) -> bool:
    with office.store.begin() as work:
        case = work.case(letter.case)
        if not _waits(office, case, letter, moment):  # somebody was quicker
            return False
        facts = {"letter": letter.number, "since": letter.owed_on.isoformat()}
        noted = casework.letter_noted(office.packs.of(case), case, "letter-waits", facts, moment, office.key())
        office.save(work, office.packs.of(case), noted, moment)
    return True
