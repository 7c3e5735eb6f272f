"""Puts one case under another rulebook: the one way in which the rules of a case change, for calendars and for packs.

Which cases move, and when, is for whoever calls. What each of them may and does is decided in domain/replay.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from caseflow.domain import casework, replay
from caseflow.domain.case import Act, Case, Entry, LetterOwed, Outcome
from caseflow.domain.letterview import letter_anew, snapshot
from caseflow.domain.moving import clocks_read, misprinted
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import LetterFault
from caseflow.services.office import Office
from caseflow.services.ports import RegisteredLetter, Work

UNSENT = ("draft", "owed", "approved")


@dataclass(frozen=True, slots=True)
class Move:
    """A case that would go under another rulebook. `sent`: letters that have left and state other dates; `unsent`: those
    that have not left, as they are written anew."""

    outcome: Outcome
    sent: Sequence[RegisteredLetter]
    unsent: Sequence[RegisteredLetter]


def tried(office: Office, work: Work, case: Case, new: Rulebook, asked: Act, moment: datetime) -> Move:
    """What it would be to put a case under `new`, nothing saved. `asked.action` is calendar-adopted or pack-moved.

    Raises Refused, with every entry of a person that stands against it, or LetterFault."""
    letters = {letter.number: letter for letter in work.letters(case.number) if letter.corrected_by is None}
    leaving = {number for number, letter in letters.items() if letter.sent_on is None and _leaving(letter)}

    def misprints(number: str, _: Case, after: Case) -> tuple[str, ...]:
        return () if number not in letters else _says_other(office, letters[number], new, after, moment)

    entries = work.entries(case.number)
    outcome = replay.move(office.packs.of(case), new, case, entries, asked, moment, office.key, misprints, leaving)
    every = (*entries, *outcome.entries)
    steps = replay.fold(new, every).steps
    wrong = outcome.entries[0].facts.get("correct_letters") or ()
    waiting = [letter for number, letter in letters.items() if letter.status in UNSENT and number not in (*leaving, *outcome.canceled_letters)]
    unsent = [
        _anew(office, new, letter, every, steps, moment) for letter in waiting if letter.seq in steps and misprints(letter.number, case, steps[letter.seq])
    ]
    return Move(outcome, [letters[number] for number in wrong if number in letters], unsent)


def keep(office: Office, work: Work, made: Move, new: Rulebook, asked: Act, moment: datetime) -> Case:
    """Saves a move, with the letters that it owes. Raises LetterFault; then nothing is changed."""
    case = office.save(work, new, made.outcome, moment)
    for letter in made.unsent:
        work.letter_words(letter)
        facts: dict[str, Any] = {"letter": letter.number, "content": letter.content_hash, "stated": {}}
        if letter.status == "draft":
            facts["approval"] = new.pack.letters[letter.letter].approval or "staff"
        case = office.save(work, new, casework.letter_noted(new, case, "letter-written", facts, moment, office.key(), asked.actor, asked.because), moment)
    return case


def moved(office: Office, work: Work, case: Case, new: Rulebook, asked: Act, moment: datetime) -> Outcome:
    """What it would be to put a case under `new`, nothing saved. Raises Refused or LetterFault."""
    return tried(office, work, case, new, asked, moment).outcome


def move(office: Office, work: Work, case: Case, new: Rulebook, asked: Act, moment: datetime) -> Outcome:
    """Puts a case under `new` and saves it, with the letters that it owes. Raises Refused or LetterFault; then nothing is changed."""
    made = tried(office, work, case, new, asked, moment)
    return replace(made.outcome, case=keep(office, work, made, new, asked, moment))


def _says_other(office: Office, letter: RegisteredLetter, book: Rulebook, after: Case, moment: datetime) -> tuple[str, ...]:
    """The clocks by whose days a letter's words would differ now: written twice by its own template, with what they were and are."""
    told = misprinted(letter.view, book, after)
    if not told:
        return ()
    view, pack = letter.view, office.packs.pack(letter.pack_version)
    clocks = clocks_read(view, book, after)
    if letter.corrects is not None or letter.letter not in pack.letters or view["clocks"].keys() != clocks.keys():
        return told
    owed = LetterOwed(letter.case, letter.seq, letter.letter, letter.number, letter.owed_on, view, (), (), None, False)
    try:
        had, has = (office.letters.write(replace(owed, view={**view, "clocks": days}), pack, moment) for days in (view["clocks"], clocks))
    except LetterFault:
        return told  # other days lead it to words that it had not to find
    return told if (had.subject, had.markdown) != (has.subject, has.markdown) else ()


def _leaving(letter: RegisteredLetter) -> bool:
    """Whether its words can't change any more: a copy is printed, claimed or tried already. One that corrects another is corrected in turn."""
    return letter.corrects is not None or any(copy.claim is not None or copy.attempts or copy.batch is not None for copy in letter.copies)


def _anew(office: Office, book: Rulebook, letter: RegisteredLetter, entries: Sequence[Entry], steps: Mapping[int, Case], moment: datetime) -> RegisteredLetter:
    """A letter that has not left, with the days that the case has now and what a person wrote into it; who signed signs again."""
    entry = replace(entries[letter.seq - 1], effective_on=replay.standing(entries).days[letter.seq])
    owed = letter_anew(book, steps[letter.seq], entry, letter.letter, letter.number, {})
    made = office.letters.write(owed, book.pack, moment)
    markdown = made.markdown
    for edit in letter.edits:
        markdown = office.letters.with_place(markdown, str(edit["place"]), str(edit["text"]))
    signs = letter.status == "approved" or made.status == "draft" or bool(letter.edits)
    return replace(
        letter,
        subject=made.subject,
        markdown=markdown,
        view=snapshot(owed.view),
        template_hash=made.template_hash,
        content_hash=sha256(markdown.encode()).hexdigest(),
        status="draft" if signs else made.status,
        missing=(),
        leaves_at=made.leaves_at,
    )
