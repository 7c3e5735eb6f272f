"""What became of a copy after it left, as a person learns it: delivered, bounced, returned, posted; and another way for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal

from caseflow.domain.addresses import read_email, read_line
from caseflow.domain.case import Actor
from caseflow.domain.facts import Misfit, reason_of
from caseflow.domain.mailing import FAILED, SENT, Copy, current, recipient_key
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, Reason, Refused
from caseflow.services.acting import refuse_reader
from caseflow.services.again import again
from caseflow.services.dispatching import note, stand
from caseflow.services.office import Office

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter

Event = Literal["delivered", "bounced", "returned"]


@again
def record(
    office: Office, number: str, event: Event, which: str | None, because: str | None, on: date | None, actor: Actor, moment: datetime | None = None
) -> str:
    """Records evidence about a copy: that it arrived, or came back and why. The answer is the copy. Raises Refused, BadInput."""
    moment = moment or office.now()
    because = reason_of(because, "" if event == "delivered" else f"record the copy as {event}")
    with office.store.begin() as work:
        letter = work.letter(number)
        book = office.packs.of(work.case(letter.case))
        refuse_reader(book, actor)
        copy = _copy(letter, which, (*SENT, "answer-unknown", *(FAILED if event == "delivered" else ())))
        day = _day(on, book.calendar.local_day(moment), letter)
        reason = " ".join(because.split())
        reason += "" if reason.endswith((".", "!", "?")) or not reason else "."
        left = copy.sent_on or (book.calendar.local_day(copy.begun_at) if copy.begun_at is not None else day)
        changed = replace(copy, status=event, next_at=None, sent_on=left if event == "delivered" or copy.sent_on else None)
        if not work.copy_changed(changed):
            raise Refused([Reason("wrong-state", "queued", "the copy is being handed over at this moment")], f"{copy.id} can't be marked")
        note(office, work, book, f"letter-{event}", changed, moment, actor, reason=reason, on=day.isoformat())
        stand(office, work, number, moment, (), actor)
        return copy.id


def opens(book: Rulebook, copy: Copy) -> bool:
    """Whether it is still to be proven that a copy arrived, and the pack says that opening it on the status page proves it."""
    return copy.status == "handed-over" and copy.channel in book.pack.text.opened_proves.channels


@again
def opened(office: Office, number: str, role: str, name: str, moment: datetime | None = None) -> bool:
    """Records that an addressee opened their own copy, as proof of its delivery, where the pack says that it is one.

    The answer says whether anything was recorded: what was proven before stays as it is. It moves no clock. Raises NotFound.
    """
    moment = moment or office.now()
    with office.store.begin() as work:
        letter = work.letter(number)
        book = office.packs.of(work.case(letter.case))
        copy = next((one for one in reversed(letter.copies) if (one.role, one.name) == (role, name) and one.sent_on is not None), None)
        if copy is None or not opens(book, copy):
            return False
        changed = replace(copy, status="delivered", next_at=None)
        if not work.copy_changed(changed):
            return False
        actor, on = Actor("person", role, "requester"), book.calendar.local_day(moment)
        note(office, work, book, "letter-delivered", changed, moment, actor, reason="Opened on the status page.", on=on.isoformat())
        stand(office, work, number, moment, (), actor)
        return True


@again
def resend(office: Office, number: str, which: str | None, channel: str, address: Sequence[str], actor: Actor, moment: datetime | None = None) -> str:
    """Sends a copy that could not be delivered by another channel or to another address. The answer is the new copy."""
    moment = moment or office.now()
    if channel not in ("email", "post"):
        raise BadInput(f"There is no channel '{channel}'; write email or post.")
    with office.store.begin() as work:
        letter = work.letter(number)
        case = work.case(letter.case)
        book = office.packs.of(case)
        refuse_reader(book, actor)
        old = _copy(letter, which, (*FAILED, "answer-unknown"))
        known = next((party for party in case.parties if party.role == old.role and party.name == old.name), None)
        at = _address(channel, address or (() if known is None else known.address if channel == "post" else (known.email or "",)), old)
        new = Copy(
            id=f"{number}-{len(letter.copies) + 1}",
            letter=number,
            case=letter.case,
            seq=letter.seq,
            template=letter.letter,
            kind=old.kind,
            role=old.role,
            name=old.name,
            recipient=recipient_key(old.role, old.name, at),
            channel=channel,
            address=at,
            language=old.language,
            status="owed",
            next_at=moment,
            replaces=old.id,
        )
        same = next((copy for copy in letter.copies if (copy.recipient, copy.channel) == (new.recipient, new.channel)), None)
        if same is not None:
            text = f"the copy {same.id} went to {old.name} there by {channel} already"
            raise Refused([Reason("wrong-state", same.status, text, instead="Name another address or channel.")], f"{old.id} can't go again")
        if old.status == "answer-unknown" and not work.copy_changed(replace(old, status="superseded", next_at=None)):
            raise Refused([Reason("wrong-state", "queued", "the copy is being handed over at this moment")], f"{old.id} can't go again")
        work.copy_added(new)
        note(office, work, book, "letter-resent", new, moment, actor, replaces=old.id, address=at)
        stand(office, work, number, moment, (), actor)
        return new.id


@again
def posted(office: Office, batch: str, on: date | None, actor: Actor, moment: datetime | None = None) -> list[str]:
    """Marks the copies of a print batch as posted on a day: the proof of their sending. Marking them twice is harmless.

    The answer names the copies marked. One that was canceled since it was printed is left out and must not be posted.
    """
    moment = moment or office.now()
    marked: list[str] = []
    with office.store.begin() as work:
        copies = work.copies(batch=batch)
        if not copies:
            raise BadInput(f"There is no print batch '{batch}'; dispatch --print-batch makes one.")
        for number in dict.fromkeys(copy.letter for copy in copies):
            letter = work.letter(number)
            book = office.packs.of(work.case(letter.case))
            refuse_reader(book, actor)
            day = _day(on, book.calendar.local_day(moment), letter)
            went = []
            for copy in letter.copies:
                if copy.batch == batch and copy.status == "queued":
                    proof = f"posted on {day.isoformat()}, batch {batch} sha256:{copy.content}"
                    sent = replace(copy, status="handed-over", sent_on=day, proof=proof, next_at=None)
                    if work.copy_changed(sent):
                        went.append(sent)
            if went:
                stand(office, work, number, moment, went, actor)
                marked += [copy.id for copy in went]
    return marked


# --- which copy, which day ----------------------------------------------------------------------------------------


def _copy(letter: RegisteredLetter, which: str | None, statuses: Sequence[str]) -> Copy:
    """The copy that is meant: by its id, number, role or name; the only one to an addressee where none is named."""
    what = f"{letter.number} can't be marked"
    if which is not None:
        wanted = which.casefold()
        found = [copy for copy in letter.copies if wanted in (copy.id.casefold(), copy.id.rpartition("-")[2], copy.role, copy.name.casefold())]
        if not found:
            raise BadInput(f"The letter {letter.number} has no copy '{which}'; its copies: {_listed(letter.copies)}.")
        found = [copy for copy in found if copy.status in statuses] or found
    else:
        found = [copy for copy in current(letter.copies) if copy.status in statuses] or current(letter.copies)
    if len(found) != 1:
        raise BadInput(f"The letter {letter.number} has {len(found)} copies that may be meant; name one with --copy: {_listed(found or letter.copies)}.")
    if found[0].status not in statuses:
        text = f"the copy {found[0].id} is {found[0].status}; it would have to be {' or '.join(dict.fromkeys(statuses))}"
        raise Refused([Reason("wrong-state", found[0].status, text)], what)
    return found[0]


def _listed(copies: Sequence[Copy]) -> str:
    return ", ".join(f"{copy.id} ({copy.role}, {copy.name}, by {copy.channel}: {copy.status})" for copy in copies)


def _day(on: date | None, today: date, letter: RegisteredLetter) -> date:
    day = on or today
    if day > today:
        raise Refused([Reason("date-invalid", "date-invalid", f"{day} lies after today, {today}")], f"{letter.number} can't be marked")
    if day < letter.owed_on:
        text = f"{day} lies before the letter was owed on {letter.owed_on}"
        raise Refused([Reason("date-invalid", "date-invalid", text)], f"{letter.number} can't be marked")
    return day


def _address(channel: str, given: Sequence[str], old: Copy) -> str:
    try:
        if channel == "email":
            (one,) = [line for line in given if line] or [""]
            return read_email(one)
        lines = [read_line(line) for line in given if line.strip()]
    except Misfit as misfit:
        raise BadInput(f"{misfit}.") from None
    except ValueError:
        raise BadInput("An e-mail goes to one address; write --address once.") from None
    if not lines:
        raise BadInput(f"No postal address of {old.name} is on record; state it with --address, one for each line.")
    return "\n".join(lines)
