"""A file that came in from an older system: what its entry means for the clocks of the case.

The entry says up to which moment the past is the older system's: no timer of this case fires for it. What silence had
produced by then is never made up here; a supervisor is told, and decides. Making the entries is in history.py.
"""

from __future__ import annotations

from datetime import date, datetime

from caseflow.domain.calendar import say
from caseflow.domain.case import Case, Entry, Task, Timer
from caseflow.domain.rulebook import SUPERVISOR, Rulebook
from caseflow.domain.timers import owed

IMPORTED = "imported"
"""The entry that ends what an older system has told of a case."""
LINE = "import:"
"""How a command is called that brought a case in: this, and the SHA-256 of what its line said."""
TITLES = {IMPORTED: "The file came in from an older system"}


def after_import(book: Rulebook, case: Case, entry: Entry) -> Case:
    """The case after that entry: quiet up to its moment, with a task for each outcome by silence that the law produced before."""
    until = datetime.fromisoformat(entry.facts["until"])
    tasks = [_silent(book, timer, entry) for timer in passed(book, case, until) if timer.kind == "silence"]
    named = {task.id for task in tasks}
    return case.revised(quiet_until=until, tasks=(*(task for task in case.tasks if task.id not in named), *tasks))


def passed(book: Rulebook, case: Case, until: datetime) -> tuple[Timer, ...]:
    """The timers that the case owes and that came due by a moment."""
    return tuple(timer for timer in owed(book, case) if timer.at <= until)


def _silent(book: Rulebook, timer: Timer, entry: Entry) -> Task:
    title, outcome = book.workflow.clocks[timer.clock].title, book.workflow.actions[timer.action].title
    text = (
        f"{title}: the last day was {_day(timer.due)}, before the file came in, and nothing is told of an act in time; silence then means: {outcome}. "
        f"Record the act that was done in time, with its day. If there was none, void entry {entry.seq}: the outcome then follows, with its letter."
    )
    return Task(f"silence:{timer.clock}", text, (), SUPERVISOR, entry.effective_on, entry.seq)


def _day(day: date) -> str:
    return say(day.toordinal())
