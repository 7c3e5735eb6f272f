"""What becomes of a letter after it is owed, in its case: the entries of the core's own about letters, and their tasks.

A letter's words and copies are kept in the register; the case knows that it went, and what a person must still do.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from caseflow.domain import pack as p
from caseflow.domain.case import Case, Entry, LetterMade, Task
from caseflow.domain.clock import days_after
from caseflow.domain.rulebook import SUPERVISOR, Rulebook

TITLES = {
    "letter-sent": "A letter was handed over",
    "letter-copied": "A further copy of a letter was handed over",
    "letter-unanswered": "A copy of a letter was sent, but the answer was lost",
    "letter-bounced": "A copy of a letter could not be delivered",
    "letter-returned": "A copy of a letter came back",
    "letter-delivered": "A copy of a letter was delivered",
    "letter-resent": "A copy of a letter goes out by another way",
    "letter-approved": "A letter was approved",
    "letter-edited": "A remark was written into a letter",
    "letter-blocked": "A letter could not be written",
    "letter-written": "A letter was written",
    "letter-waits": "A letter waits too long",
    "letter-corrected": "A letter is corrected by a new one",
}
"""Entries about letters, with their titles. None changes a state or a clock but the sending (`letter-sent`)."""
EVENTS = frozenset(TITLES)


def letter_event(before: Case, entry: Entry) -> Case:
    """The case after an entry about a letter."""
    case = letter_sent(before, entry) if entry.action == "letter-sent" else before
    tasks = (*settled(_told(before, entry), entry), *opened(entry))
    letters = case.letters
    if entry.action == "letter-corrected":
        letters = (*letters, *(LetterMade(name, entry.seq, number, "owed", entry.effective_on) for name, number in entry.facts["letters"]))
    return case.revised(tasks=tasks, letters=letters, version=entry.seq, head=entry.hash, last_on=max(before.last_on, entry.effective_on))


def _told(before: Case, entry: Entry) -> tuple[Task, ...]:
    """The tasks left when a letter of changed dates has gone: those to correct what it tells of were opened by the entry that owed it."""
    seq = next((made.seq for made in before.letters if made.number == entry.facts["letter"]), 0) if entry.action == "letter-sent" else 0
    return tuple(task for task in before.tasks if task.seq != seq or not task.id.startswith("correct-letter:"))


def letter_sent(before: Case, entry: Entry) -> Case:
    """A letter was handed over: clocks that count from its sending are counted from that day, or the day of service."""
    number, sent = entry.facts["letter"], date.fromisoformat(entry.facts["sent_on"])
    made = next((item for item in before.letters if item.number == number), None)
    letters = tuple(gone(item, entry) if item.number == number else item for item in before.letters)
    marks = before.marks
    if made is not None:
        day = served_on(entry) or sent
        marks = tuple(mark._replace(day=day) if mark.seq == made.seq and mark.letter in (made.id, "this-act") else mark for mark in before.marks)
    return before.revised(letters=letters, marks=marks)


def gone(letter: LetterMade, entry: Entry) -> LetterMade:
    """A letter as the entry of its sending leaves it."""
    return letter._replace(status="handed-over", sent_on=date.fromisoformat(entry.facts["sent_on"]), served_on=served_on(entry))


def served_on(entry: Entry) -> date | None:
    """The day on which a letter counts as served, where the pack gives it days on its way."""
    day = entry.facts.get("served_on")
    return date.fromisoformat(day) if day is not None else None


def service_day(book: Rulebook, case: Case, sent: date, channels: Iterable[str]) -> date | None:
    """The day of service by the pack: the latest over the channels used. None where the pack gives no days."""
    found = []
    for channel in channels:
        length = book.pack.text.served_after.of(channel)
        if length is not None:
            found.append(days_after(book.calendar, length, case.settings, sent))
    return max((day for day in found if day > sent), default=None)


# --- tasks --------------------------------------------------------------------------------------------------------


def approvals(book: Rulebook, case: Case, entry: Entry) -> Case:
    """A letter that somebody must sign first is a task for whoever signs."""
    made = []
    for letter, number in entry.facts.get("letters") or ():
        declared = book.pack.letters.get(letter)
        if declared is not None and declared.approval is not None:
            text = f"Letter {number} ({declared.title}) waits for approval by {declared.approval}."
            made.append(Task(f"letter-approval:{number}", text, (), declared.approval, entry.effective_on, entry.seq, True))
    return case.revised(tasks=(*case.tasks, *made)) if made else case


def opened(entry: Entry) -> tuple[Task, ...]:
    """The tasks that an entry about a letter opens."""
    facts, action = entry.facts, entry.action
    number = facts["letter"]
    made: list[tuple[str, str, str]] = []
    if action in ("letter-bounced", "letter-returned"):
        came = "could not be delivered" if action == "letter-bounced" else "came back"
        other = "post" if facts["channel"] == "email" else "another address"
        text = f"The copy {facts['copy']} of letter {number} to {facts['name']} by {facts['channel']} {came}: {facts['reason']} Send it by {other} (letters resend)."
        made.append((f"letter-failed:{facts['copy']}", text, "staff"))
    elif action == "letter-blocked":
        text = f"Letter {number} is owed by law and can't be written; it needs {', '.join(facts['missing'])}. State it and write the letter (letters retry)."
        made.append((f"letter-blocked:{number}", text, SUPERVISOR))
    elif action == "letter-waits":
        made.append(
            (f"letter-waits:{number}", f"Letter {number} has waited for approval since {facts['since']}. Approve it or say what is missing.", SUPERVISOR)
        )
    elif action == "letter-edited":
        made.append((f"letter-approval:{number}", f"Letter {number} was written into and waits for approval by {facts['role']}.", facts["role"]))
    elif action == "letter-written" and facts.get("approval"):
        text = f"Letter {number} was written anew and waits for approval by {facts['approval']}."
        made.append((f"letter-approval:{number}", text, facts["approval"]))
    elif action == "letter-corrected" and facts.get("approval"):
        new = facts["letters"][0][1]
        made.append((f"letter-approval:{new}", f"Letter {new}, which corrects {number}, waits for approval by {facts['approval']}.", facts["approval"]))
    return tuple(Task(name, text, (), role, entry.effective_on, entry.seq, True) for name, text, role in made)


def settled(tasks: Iterable[Task], entry: Entry) -> tuple[Task, ...]:
    """The tasks that are left after an entry about a letter."""
    facts, number = entry.facts, entry.facts["letter"]
    done = {
        "letter-sent": {f"letter-waits:{number}", f"letter-approval:{number}", f"correct-letter:{facts.get('corrects')}"},
        "letter-approved": {f"letter-approval:{number}", f"letter-waits:{number}"},
        "letter-edited": {f"letter-approval:{number}"},
        "letter-written": {f"letter-blocked:{number}"},
        "letter-resent": {f"letter-failed:{facts.get('replaces')}"},
        "letter-delivered": {f"letter-failed:{facts.get('copy')}"},
        "letter-bounced": {f"letter-failed:{facts.get('copy')}"},
        "letter-returned": {f"letter-failed:{facts.get('copy')}"},
        "letter-waits": {f"letter-waits:{number}"},
        "letter-corrected": {f"correct-letter:{number}", *(f"letter-{kind}:{number}" for kind in ("blocked", "approval", "waits"))},
    }.get(entry.action, set())
    return tuple(task for task in tasks if task.id not in done)


assert set(p.RESERVED_ACTIONS) >= EVENTS, "every entry about a letter is the core's own"
