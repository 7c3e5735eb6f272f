"""What needs a person: open cases in groups by urgency, each with what to do and a small clock; and the filters that people save.

A list reads a page of lines for each group, then the cases and parked timers of all of them together: the number of questions
to the database does not grow with the number of rows, nor with the number of cases.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from caseflow.domain.case import Case, Task
from caseflow.domain.pack import Action
from caseflow.domain.rulebook import Rulebook, calendar_of
from caseflow.domain.view import run
from caseflow.errors import BadInput, NotFound
from caseflow.services.docket import office_days_on, place, row_json
from caseflow.services.drawing import lane_of
from caseflow.services.office import Office
from caseflow.services.people import Person
from caseflow.services.ports.docket import GROUPS, DocketFilter, Urgency
from caseflow.services.ports.views import SavedView

if TYPE_CHECKING:
    from caseflow.services.ports.lines import CaseLine

NEAR, SHOWN, PAGE, MOST_COUNTED = 10, 12, 50, 1000
"""Office days that are near; rows of a group on the first page, and on a page of its own; where counting stops."""
WORD = "word"
"""The group of what only the person's role may decide, whoever's case it is."""
NEEDY = ("late", "soon", "stuck", "near", "arrived", WORD)
"""The groups that need the person; what comes later and what waits for others do not."""
SCOPES = ("mine", "unassigned", "all")
KEPT, LONGEST_NAME, LONGEST_ADDRESS = 40, 60, 1500
FRESH = 5.0
"""Seconds for which the count in the bar is remembered, so that each page does not ask again."""


class Agenda:
    """Lists of work. `tick` is a clock for remembering counts; it never judges a date."""

    def __init__(self, office: Office, now: Callable[[], datetime], tick: Callable[[], float] = time.monotonic) -> None:
        self._office, self._now, self._tick = office, now, tick
        self._counts: dict[str, tuple[float, int]] = {}

    # --- lists ---

    def count(self, person: Person) -> int:
        """How many cases need the person, as shown beside the name of the list. At most five seconds old."""
        known = self._counts.get(person.id)
        if known is None or self._tick() - known[0] > FRESH:
            return self._remember(person, self._counted(person, self.urgency(person)))
        return known[1]

    def forget(self) -> None:
        """Somebody's work has changed; the next page counts anew."""
        self._counts.clear()

    def _remember(self, person: Person, counts: Mapping[str, int]) -> int:
        if len(self._counts) > MOST_COUNTED:
            self._counts.clear()
        total = min(sum(counts.get(name, 0) for name in NEEDY), MOST_COUNTED)
        self._counts[person.id] = (self._tick(), total)
        return total

    def urgency(self, person: Person) -> Urgency:
        """By what the cases of a person are told apart today."""
        packs = self._office.packs.all()
        calendar = self._office.calendar
        today = calendar.local_day(self._office.now())
        roles = {person.role} | {name for pack in packs if person.role in pack.text.roles for name in pack.text.roles[person.role].also}
        near = max(office_days_on(calendar, today, NEAR), today + timedelta(days=1))
        return Urgency(today, today + timedelta(days=1), near, tuple(sorted(roles)), tuple(sorted({calendar_of(pack).agency for pack in packs})))

    def page(self, person: Person, scope: str = "mine", workflow: str | None = None) -> dict[str, Any]:
        """The list of a scope: {as_of, scope, groups, counts, needs, near, word}.

        `groups` [{id, rows, more}] in the order of urgency, those with nothing left out; `counts` by group, for the person's own
        cases alone; `needs`: how many need the person; `near`: the last day that is near; `word`: whether the role decides for others.
        """
        by = self.urgency(person)
        counts = self._counted(person, by)
        needs = self._remember(person, counts)
        names = [name for name in self._names(person, scope) if scope != "mine" or workflow or counts.get(name)]
        found = {name: self._lines(person, scope, name, by, None, SHOWN + 1, workflow) for name in names}
        rows = self._rows([line for lines in found.values() for line in lines[:SHOWN]], by)
        groups = [_group(name, lines, rows, SHOWN) for name, lines in found.items() if lines]
        return {**self._frame(person, scope, by, counts, needs), "groups": groups}

    def group(self, person: Person, scope: str, name: str, after: str | None, workflow: str | None = None, size: int = PAGE) -> dict[str, Any]:
        """One group alone, page by page; `next` is the key of the next one, or null. Raises BadInput."""
        by = self.urgency(person)
        if name not in self._names(person, scope):
            raise BadInput("There is no such part of this list; open the list and choose one.")
        lines = self._lines(person, scope, name, by, place(after), size + 1, workflow)
        rows = self._rows(lines[:size], by)
        counts = self._counted(person, by)
        last = lines[size - 1] if len(lines) > size else None
        groups = [{**_group(name, lines, rows, size), "more": False}] if lines else []
        following = f"{last.row.next_target or '-'}:{last.number}" if last is not None else None
        return {**self._frame(person, scope, by, counts, self._remember(person, counts)), "groups": groups, "next": following}

    def _frame(self, person: Person, scope: str, by: Urgency, counts: Mapping[str, int], needs: int) -> dict[str, Any]:
        store, seen = self._office.store, person.sees
        return {
            "as_of": by.today.isoformat(),
            "scope": scope,
            "counts": dict(counts),
            "needs": needs,
            "near": by.near.isoformat(),
            "word": self._decides(person),
            "unassigned": store.how_many(DocketFilter(live=True, unassigned=True, seen=seen), MOST_COUNTED),
            "all": store.how_many(DocketFilter(live=True, seen=seen), MOST_COUNTED),
            "most": MOST_COUNTED,
        }

    def _names(self, person: Person, scope: str) -> tuple[str, ...]:
        if scope not in SCOPES:
            raise BadInput("There is no such list of work; open My work and choose one.")
        if scope != "mine" or not self._decides(person):
            return GROUPS
        return (*GROUPS[:5], WORD, *GROUPS[5:])

    def _decides(self, person: Person) -> bool:
        """Whether tasks for this role come to everybody in it, since others may not do them."""
        return any(person.role in pack.text.roles and bool(pack.text.roles[person.role].also) for pack in self._office.packs.all())

    def _counted(self, person: Person, by: Urgency) -> dict[str, int]:
        store = self._office.store
        mine = DocketFilter(live=True, assigned=person.id, seen=person.sees)
        counts = {**dict.fromkeys(GROUPS, 0), **store.group_counts(mine, by, MOST_COUNTED)}
        if self._decides(person):
            counts[WORD] = store.how_many(self._wanted(person, "mine", WORD, by, None), MOST_COUNTED)
        return counts

    def _wanted(self, person: Person, scope: str, name: str, by: Urgency, workflow: str | None) -> DocketFilter:
        wanted = DocketFilter(live=True, seen=person.sees, workflow=workflow)
        if name == WORD:
            return replace(wanted, asking=(person.role,), not_assigned=person.id)
        return replace(wanted, group=(name, by), assigned=person.id if scope == "mine" else None, unassigned=scope == "unassigned")

    def _lines(
        self, person: Person, scope: str, name: str, by: Urgency, after: tuple[date | None, str] | None, limit: int, workflow: str | None
    ) -> Sequence[CaseLine]:
        return self._office.store.soonest(self._wanted(person, scope, name, by, workflow), after, limit)

    # --- rows ---

    def _rows(self, lines: Sequence[CaseLine], by: Urgency) -> dict[str, dict[str, Any]]:
        numbers = list(dict.fromkeys(line.number for line in lines))
        with self._office.store.read() as work:
            cases = work.cases(numbers)
        parked = self._office.store.parked(numbers)
        return {line.number: self._row(line, cases[line.number], parked.get(line.number), by) for line in lines if line.number in cases}

    def _row(self, line: CaseLine, case: Case, parked: str | None, by: Urgency) -> dict[str, Any]:
        book = self._office.packs.of(case)
        name = line.row.next_clock or _waiting_clock(book, case, by.today)
        lane = lane_of(book, case, name, by.today) if name is not None else None
        tasks = sorted(case.tasks, key=lambda task: (task.role not in by.asks, task.since, task.id))
        held = next((piece for piece in reversed(lane["pieces"]) if piece["open"]), None) if lane is not None else None
        return {
            **row_json(self._office, line, by.today),
            "tasks": [_task(book, task, by) for task in tasks],
            "parked": parked,
            "act": _first_act(book, case, by),
            "clock": name,
            "lane": lane,
            "held_since": held["from"] if held is not None else None,
            "next_at": line.next_at.astimezone(book.calendar.zone).isoformat() if line.next_at is not None else None,
            "stands_since": line.row.stands_since.isoformat() if line.row.stands_since is not None else None,
            "since": _since(book, case).isoformat(),
        }

    # --- saved filters ---

    def views(self, person: Person) -> list[dict[str, str]]:
        """The filters that a person has saved: name and address."""
        return [{"name": view.name, "address": view.address} for view in self._office.store.views.of(person.id)]

    def keep(self, person: Person, name: str, address: str) -> None:
        """Saves a filter under a name. Raises BadInput."""
        name = " ".join(name.split())
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise BadInput(f"A filter is saved under a name of 1 to {LONGEST_NAME} letters; write one.")
        if len(address) > LONGEST_ADDRESS:
            raise BadInput("This filter is too long to be saved; take a part of it away.")
        known = {view["name"] for view in self.views(person)}
        if len(known) >= KEPT and name not in known:
            raise BadInput(f"You have saved {KEPT} filters already; delete one first.")
        self._office.store.views.keep(SavedView(person.id, name, address, self._now()))

    def drop(self, person: Person, name: str) -> None:
        """Deletes a saved filter. Raises NotFound."""
        if not self._office.store.views.drop(person.id, name):
            raise NotFound("You have no saved filter of that name; it may be deleted already.")


def _group(name: str, lines: Sequence[CaseLine], rows: Mapping[str, Any], most: int) -> dict[str, Any]:
    """A group as a page shows it."""
    return {"id": name, "rows": [rows[line.number] for line in lines[:most] if line.number in rows], "more": len(lines) > most}


def _since(book: Rulebook, case: Case) -> date:
    """Since when the case is where it is: the last act that led on. An assignment or a note begins nothing anew."""
    actions = book.workflow.actions
    return max((done.on for name, done in case.done.items() if name in actions and actions[name].to != "same"), default=case.received_on)


def _waiting_clock(book: Rulebook, case: Case, today: date) -> str | None:
    """The clock of the agency that is held or displaced, where none is running."""
    for name in dict.fromkeys(mark.clock for mark in case.marks):
        clock = book.workflow.clocks[name]
        if clock.policy or clock.alert or (clock.actor is not None and clock.actor != book.calendar.agency):
            continue
        if run(book, case, name, today).status in ("tolled", "displaced"):
            return name
    return None


def _task(book: Rulebook, task: Task, by: Urgency) -> dict[str, Any]:
    """A task as a row shows it: `kind` and `about` where it is one about a letter or a timer, `does` the title of the act that settles it."""
    kind, _, about = task.id.partition(":")
    act = next((book.workflow.actions[name] for name in task.actions if name in book.workflow.actions), None)
    return {
        "text": task.text,
        "for": task.role,
        "since": task.since.isoformat(),
        "mine": task.role in by.asks,
        "kind": kind if about else None,
        "about": about or None,
        "does": act.title if act is not None else None,
        "act": next((name for name in task.actions if name in book.workflow.actions), None),
    }


def _first_act(book: Rulebook, case: Case, by: Urgency) -> str | None:
    """The title of the first act that leads on from the state, in the order of the pack, for somebody with these roles."""
    return next((action.title for _, action in sorted(_leading(book, case, by), key=lambda one: one[0])), None)


def _leading(book: Rulebook, case: Case, by: Urgency) -> Iterator[tuple[int, Action]]:
    for at, (name, action) in enumerate(book.workflow.actions.items()):
        if case.state in book.machine.sources.get(name, ()) and action.to != "same" and set(by.asks).intersection(action.by):
            yield (action.order if action.order is not None else 50) * 1000 + at, action
