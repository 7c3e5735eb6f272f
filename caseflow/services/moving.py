"""Puts one case under another rulebook: the one way in which the rules of a case change, for calendars and for packs.

Which cases move, and when, is for whoever calls. What each of them may and does is decided in domain/replay.py. What a change
of the record says to letters that have not left is here, too, for moves and for the corrections of services/acting.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from caseflow.domain import casework, replay
from caseflow.domain.case import NO_HASH, Act, Case, Entry, LetterOwed, Outcome
from caseflow.domain.letterview import letter_anew, snapshot
from caseflow.domain.moving import clocks_read, misprinted
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, LetterFault
from caseflow.services.office import Office

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter
    from caseflow.services.ports.work import Work

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
    leaving = _leaving(letters.values())

    def misprints(number: str, _: Case, after: Case) -> tuple[str, ...]:
        return () if number not in letters else _says_other(office, letters[number], new, after, moment)

    entries = work.entries(case.number)
    outcome = replay.move(office.packs.of(case), new, case, entries, asked, moment, office.key, misprints, leaving)
    every = (*entries, *outcome.entries)
    steps = replay.fold(new, every).steps
    wrong = outcome.entries[0].facts.get("correct_letters") or ()
    waiting = _waiting(letters.values(), leaving, outcome)
    unsent = [
        _anew(office, new, letter, every, steps, moment) for letter in waiting if letter.seq in steps and misprints(letter.number, case, steps[letter.seq])
    ]
    return Move(outcome, [letters[number] for number in wrong if number in letters], unsent)


def keep(office: Office, work: Work, made: Move, new: Rulebook, asked: Act, moment: datetime) -> Case:
    """Saves a move, with the letters that it owes. Raises LetterFault; then nothing is changed."""
    return _written(office, work, office.save(work, new, made.outcome, moment), new, made.unsent, asked, moment)


def _written(office: Office, work: Work, case: Case, book: Rulebook, letters: Sequence[RegisteredLetter], asked: Act, moment: datetime) -> Case:
    """Keeps letters that were written anew, or could not be, each with an entry of its own."""
    for letter in letters:
        work.letter_words(letter)
        blocked = letter.status == "blocked"
        facts: dict[str, Any] = {"letter": letter.number}
        facts |= {"missing": list(letter.missing)} if blocked else {"content": letter.content_hash, "stated": {}}
        if letter.status == "draft" and not any(task.id == f"letter-approval:{letter.number}" for task in case.tasks):
            facts["approval"] = book.pack.letters[letter.letter].approval or "staff"
        action = "letter-blocked" if blocked else "letter-written"
        case = office.save(work, book, casework.letter_noted(book, case, action, facts, moment, office.key(), asked.actor, asked.because), moment)
    return case


# --- corrections --------------------------------------------------------------------------------------------------


def in_flight(work: Work, number: str) -> frozenset[str]:
    """The letters of a case whose words can't change any more although they have not left."""
    return _leaving([letter for letter in work.letters(number) if letter.corrected_by is None])


def set_right(office: Office, work: Work, case: Case, book: Rulebook, outcome: Outcome, asked: Act, moment: datetime) -> Case:
    """The case once its letters that have not left say what a change made of the record: those whose words differ are written anew.

    The change is a correction, an act that was typed late, or what the law did on a day before others of the record.

    One that lacks what it has to say then is blocked, and a supervisor's task: it does not leave with words that are wrong.
    `outcome` is that change, which is saved already, `case` the case since then."""
    letters = work.letters(case.number)
    if not _open(letters, outcome):
        return case
    every = work.entries(case.number)
    before = [entry for entry in every if entry.seq < outcome.entries[0].seq]
    wrong = differing(office, book, letters, outcome, before, every, moment)
    has = replay.fold(book, every).steps if wrong else {}
    return _written(office, work, case, book, [_anew_or_blocked(office, book, letter, every, has, moment) for letter in wrong], asked, moment)


def _anew_or_blocked(
    office: Office, book: Rulebook, letter: RegisteredLetter, entries: Sequence[Entry], steps: Mapping[int, Case], moment: datetime
) -> RegisteredLetter:
    try:
        return _anew(office, book, letter, entries, steps, moment)
    except (LetterFault, BadInput) as fault:  # something is missing, or the place is gone that somebody wrote into
        missing = getattr(fault, "missing", ()) or (str(fault),)
        return replace(letter, markdown="", content_hash=NO_HASH, status="blocked", missing=missing)


def differing(
    office: Office,
    book: Rulebook,
    letters: Sequence[RegisteredLetter],
    outcome: Outcome,
    before: Sequence[Entry],
    after: Sequence[Entry],
    moment: datetime,
) -> list[RegisteredLetter]:
    """Those letters of a case that have not left and say other words by its entries after a correction than by those before it."""
    waiting = _open(letters, outcome)
    if not waiting:
        return []
    had, has = replay.fold(book, before).steps, replay.fold(book, after).steps
    kept = [letter for letter in waiting if letter.seq in had and letter.seq in has]
    return [letter for letter in kept if _words(office, book, letter, before, had, moment) != _words(office, book, letter, after, has, moment)]


def _open(letters: Sequence[RegisteredLetter], outcome: Outcome) -> list[RegisteredLetter]:
    standing = [letter for letter in letters if letter.corrected_by is None]
    return _waiting(standing, _leaving(standing), outcome)


def _words(office: Office, book: Rulebook, letter: RegisteredLetter, entries: Sequence[Entry], steps: Mapping[int, Case], moment: datetime) -> tuple[str, ...]:
    """What a letter says by these entries; nothing where something is missing that it has to say."""
    try:
        made = office.letters.write(_owed(book, letter, entries, steps), book.pack, moment)
    except LetterFault:
        return ()
    return made.subject, made.markdown


# --- what both share ----------------------------------------------------------------------------------------------


def _waiting(letters: Iterable[RegisteredLetter], leaving: Collection[str], outcome: Outcome) -> list[RegisteredLetter]:
    """The letters whose words can still change after a change of the record."""
    return [letter for letter in letters if letter.status in UNSENT and letter.number not in (*leaving, *outcome.canceled_letters)]


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


def _leaving(letters: Iterable[RegisteredLetter]) -> frozenset[str]:
    """Those whose words can't change any more: a copy is printed, claimed or tried already. One that corrects another is corrected in turn."""
    return frozenset(
        letter.number
        for letter in letters
        if letter.sent_on is None
        and (letter.corrects is not None or any(copy.claim is not None or copy.attempts or copy.batch is not None for copy in letter.copies))
    )


def _owed(book: Rulebook, letter: RegisteredLetter, entries: Sequence[Entry], steps: Mapping[int, Case]) -> LetterOwed:
    """A letter as these entries owe it, with what a person stated so that it could be written."""
    entry = replace(entries[letter.seq - 1], effective_on=replay.standing(entries).days[letter.seq])
    stated: dict[str, Any] = {}
    for one in entries:
        if one.action == "letter-written" and one.facts["letter"] == letter.number:
            stated |= one.facts["stated"]
    return letter_anew(book, steps[letter.seq], entry, letter.letter, letter.number, stated)


def _anew(office: Office, book: Rulebook, letter: RegisteredLetter, entries: Sequence[Entry], steps: Mapping[int, Case], moment: datetime) -> RegisteredLetter:
    """A letter that has not left, with the days that the case has now and what a person wrote into it; who signed signs again."""
    owed = _owed(book, letter, entries, steps)
    made = office.letters.write(owed, book.pack, moment)
    markdown = with_edits(office, letter, made.markdown)
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


def with_edits(office: Office, letter: RegisteredLetter, markdown: str) -> str:
    """The words of a letter that was written anew, with what a person wrote into the one before."""
    for edit in letter.edits:
        markdown = office.letters.with_place(markdown, str(edit["place"]), str(edit["text"]))
    return markdown
