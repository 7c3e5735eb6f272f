"""What a person may do with the words of a letter before and after it goes: approve, write into a marked place, write a
blocked one, correct one by another. The words of a letter that has gone never change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from caseflow.domain import casework
from caseflow.domain.case import Actor, Case, Entry
from caseflow.domain.facts import Misfit, fit, nearest, reason_of
from caseflow.domain.letterview import correction, letter_anew, snapshot
from caseflow.domain.mailing import WAITING
from caseflow.domain.replay import fold, standing
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, Reason, Refused
from caseflow.services.acting import refuse_reader
from caseflow.services.again import again
from caseflow.services.moving import with_edits
from caseflow.services.office import Office

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter
    from caseflow.services.ports.work import Work


@again
def approve(office: Office, number: str, actor: Actor, moment: datetime | None = None) -> None:
    """Approves a letter that waits for a person. Raises Refused."""
    moment = moment or office.now()
    with office.store.begin() as work:
        letter, case, book = _read(office, work, number, None)  # who may sign is asked below
        what = f"{number} can't be approved"
        if letter.status != "draft":
            raise Refused([Reason("wrong-state", letter.status, f"the letter is {letter.status}; only a draft is approved")], what)
        role = _signer(book, letter)
        if not book.role_may(actor.role, (role,)):
            raise Refused([Reason("not-permitted", "approval", f"a {role} approves this letter", role=role)], what)
        work.letter_status(number, "approved")
        facts = {"letter": number, "content": letter.content_hash}
        office.save(work, book, casework.letter_noted(book, case, "letter-approved", facts, moment, office.key(), actor), moment)


@again
def edit(office: Office, number: str, place: str, text: str, actor: Actor, moment: datetime | None = None) -> None:
    """Writes into a marked place of a letter that has not begun to leave; it is a draft then, and waits for approval.

    What stood there, what stands there now, who and when are kept. Raises Refused or BadInput.
    """
    moment = moment or office.now()
    with office.store.begin() as work:
        letter, case, book = _read(office, work, number, actor)
        if letter.status not in ("draft", "owed", "approved") or any(copy.attempts or copy.claim or copy.batch for copy in letter.copies):
            text_ = f"the letter is {letter.status} and has begun to leave" if letter.status in WAITING else f"the letter is {letter.status}"
            raise Refused([Reason("wrong-state", letter.status, text_, instead="Write another letter: letters correct.")], f"{number} can't be written into")
        markdown = office.letters.with_place(letter.markdown, place, text)
        was = office.letters.places(letter.markdown)[place]
        if markdown == letter.markdown:
            return
        content = sha256(markdown.encode()).hexdigest()
        kept = {"place": place, "text": text.strip(), "was": was, "by": actor.id, "at": moment.isoformat()}
        work.letter_words(replace(letter, markdown=markdown, content_hash=content, status="draft", edits=(*letter.edits, kept)))
        facts = {"letter": number, "place": place, "text": text.strip(), "was": was, "content": content, "role": _signer(book, letter)}
        office.save(work, book, casework.letter_noted(book, case, "letter-edited", facts, moment, office.key(), actor), moment)


@again
def retry(office: Office, number: str, given: Mapping[str, Any], actor: Actor, moment: datetime | None = None) -> None:
    """Writes a blocked letter, with what the case knows by now and the facts given. Raises LetterFault, Refused, BadInput."""
    moment = moment or office.now()
    with office.store.begin() as work:
        letter, case, book = _read(office, work, number, actor)
        if letter.status != "blocked":
            text = f"the letter is {letter.status}; only a blocked one is written again"
            raise Refused([Reason("wrong-state", letter.status, text)], f"{number} can't be written")
        stated = _stated(book, given)
        entry, after = _owed_by(book, work, case, letter)
        if entry is None or after is None:
            text = f"entry {letter.seq}, which owed it, no longer stands"
            raise Refused([Reason("wrong-state", "canceled", text, entries=(letter.seq,))], f"{number} can't be written")
        known = replace(after, facts={**after.facts, **case.facts}, parties=case.parties)
        owed = letter_anew(book, known, entry, letter.letter, number, stated)
        made = office.letters.write(owed, book.pack, moment)
        markdown = with_edits(office, letter, made.markdown)
        content = sha256(markdown.encode()).hexdigest()
        written = replace(
            letter,
            subject=made.subject,
            markdown=markdown,
            view=snapshot(owed.view),
            template_hash=made.template_hash,
            content_hash=content,
            status="draft" if letter.edits else made.status,
            missing=(),
            leaves_at=made.leaves_at,
        )
        work.letter_words(written)
        facts: dict[str, Any] = {"letter": number, "content": content, "stated": stated}
        if letter.edits and not any(task.id == f"letter-approval:{number}" for task in case.tasks):
            facts["approval"] = _signer(book, letter)
        office.save(work, book, casework.letter_noted(book, case, "letter-written", facts, moment, office.key(), actor), moment)


@again
def correct(office: Office, number: str, because: str, actor: Actor, moment: datetime | None = None) -> str:
    """Writes a new letter that names and corrects another, from the record as it now stands; the answer is its number.

    One that has gone stays as it is; one that has not is superseded and never goes. Raises Refused or LetterFault.
    """
    moment = moment or office.now()
    because = reason_of(because, "correct the letter")
    with office.store.begin() as work:
        letter, case, book = _read(office, work, number, actor)
        _refuse_correction(letter)
        entry, after = _owed_by(book, work, case, letter)
        new = f"{case.number}-L{len(case.letters) + 1}"
        facts = {"letter": number, "letters": [[letter.letter, new]], "corrects": number, "approval": book.pack.letters[letter.letter].approval}
        outcome = casework.letter_noted(book, case, "letter-corrected", facts, moment, office.key(), actor, because)
        names = {"number": number, "title": letter.title, "date": (letter.sent_on or letter.owed_on).isoformat(), "because": because}
        stands = replace(after, parties=case.parties) if after is not None else outcome.case
        owed = correction(book, stands, entry, letter.letter, new, names, outcome.entries[-1])
        office.save(work, book, replace(outcome, letters=(owed,)), moment)
        if letter.status in WAITING:
            work.letter_status(number, "superseded")
        return new


def _refuse_correction(letter: RegisteredLetter) -> None:
    what = f"{letter.number} can't be corrected"
    if letter.corrected_by is not None:
        text = f"letter {letter.corrected_by} corrects it already"
        raise Refused([Reason("wrong-state", "superseded", text, instead=f"Correct {letter.corrected_by}.")], what)
    if letter.status in ("canceled", "superseded"):
        raise Refused([Reason("wrong-state", letter.status, f"the letter is {letter.status} and never goes")], what)
    if any(copy.claim for copy in letter.copies):
        raise Refused([Reason("wrong-state", "queued", "it is being handed over at this moment", instead="Try again in a minute.")], what)


# --- what the others share ----------------------------------------------------------------------------------------


def _read(office: Office, work: Work, number: str, actor: Actor | None) -> tuple[RegisteredLetter, Case, Rulebook]:
    letter = work.letter(number)
    case = work.case(letter.case)
    book = office.packs.of(case)
    if actor is not None:
        refuse_reader(book, actor)
    return letter, case, book


def _signer(book: Rulebook, letter: RegisteredLetter) -> str:
    """Who signs a letter: whom the pack names, else staff."""
    return book.pack.letters[letter.letter].approval or "staff"


def _owed_by(book: Rulebook, work: Work, case: Case, letter: RegisteredLetter) -> tuple[Entry | None, Case | None]:
    """The entry that owed a letter, as it now stands, and the case after it; nothing where it no longer stands."""
    entries = work.entries(case.number)
    seq = letter.seq
    by = {new: entry for entry in entries if entry.action == "letter-corrected" for _, new in entry.facts["letters"]}
    number = letter.number
    while number in by:  # a correction stands on the entry that owed the first letter
        number = by[number].facts["letter"]
        seq = next(made.seq for made in case.letters if made.number == number)
    after = fold(book, entries).steps.get(seq)
    if after is None:
        return None, None
    entry = next(entry for entry in entries if entry.seq == seq)
    day: date = standing(entries).days[seq]
    return replace(entry, effective_on=day), after


def _stated(book: Rulebook, given: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in given.items():
        if name not in book.facts:
            raise BadInput(f"There is no fact '{name}'{nearest(str(name), book.facts)}.")
        try:
            made[name] = fit(name, book.facts[name], value)
        except Misfit as misfit:
            raise BadInput(f"{misfit}.") from None
    return made
