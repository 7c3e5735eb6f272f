"""Documents as entries of the record: that they came, from whom, when, and that somebody has read them.

A document moves no clock and settles no item: the act that takes it in does, on the day that it states. What came from
outside is a task for staff until such an act, or until somebody says that it was read.
"""

from __future__ import annotations

from datetime import date

from caseflow.domain.calendar import say
from caseflow.domain.case import Case, Entry, Task
from caseflow.domain.rulebook import Rulebook

RECEIVED, READ = "documents-received", "documents-read"
TITLES = {RECEIVED: "Documents were handed in", READ: "What was handed in has been read"}
"""Entries about documents, with their titles."""
TASK = "documents"
TAKES_IN = ("receives", "satisfies")
"""What an action does to items when it takes in what came."""


def from_outside(entry: Entry) -> bool:
    """Whether an entry says that somebody outside the agency handed something in."""
    return entry.action == RECEIVED and entry.facts.get("sender") is not None


def after_arrival(book: Rulebook, case: Case, entry: Entry) -> Case:
    """The case after an entry about documents: its tasks change, and the flag that its workflow keeps for what is unread."""
    if entry.action == READ:
        flag = book.workflow.unread
        kept = tuple(task for task in case.tasks if task.id.partition(":")[0] != TASK)
        return case.revised(tasks=kept, flags=tuple(one for one in case.flags if one != flag))
    if not from_outside(entry):
        return case
    task = Task(f"{TASK}:{entry.seq}", _text(entry), taking_in(book), "staff", entry.effective_on, entry.seq, True)
    flag = book.workflow.unread
    flags = (*case.flags, flag) if flag is not None and flag not in case.flags else case.flags
    return case.revised(tasks=(*case.tasks, task), flags=flags)


def taking_in(book: Rulebook) -> tuple[str, ...]:
    """The actions that take in what came: those that lower the workflow's flag for it, or else those that receive items."""
    flag, actions = book.workflow.unread, book.workflow.actions
    if flag is None:
        return tuple(name for name, action in actions.items() if action.items in TAKES_IN)
    return tuple(name for name, action in actions.items() if flag in (*action.lowers, *(one for branch in action.outcomes for one in branch.lowers)))


def _text(entry: Entry) -> str:
    facts, many = entry.facts, len(entry.facts["documents"])
    sender, day = facts["sender"], say(date.fromisoformat(facts["counts_on"]).toordinal())
    if many == 1:
        return f"A document has arrived from {sender} and counts as received on {day}. Read it and record what it brings."
    return f"{many} documents have arrived from {sender} and count as received on {day}. Read them and record what they bring."
