"""The walk: every position that a case can come to, acts and days chosen by an adversary, each step made by the engine.

Breadth first, so that the way to a position is a shortest one. A step is judged by `casework.judge` and applied by
`changes.apply`; its timers are those of `timers.owed`. Nothing here decides what an act does, and nothing is saved.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, NamedTuple, Protocol

from caseflow.domain import pack as p
from caseflow.domain.case import SCHEDULER, Act, Actor, Case, Entry, Timer
from caseflow.domain.casework import Judgment, judge, letters_of, make_entry
from caseflow.domain.changes import apply, opened
from caseflow.domain.conditions import answer
from caseflow.domain.proving.choices import Choices
from caseflow.domain.proving.cone import TIMED, Cone
from caseflow.domain.proving.key import Key, Position, duties
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.timers import owed
from caseflow.errors import Reason

DAYS_PASS = "(days pass)"  # noqa: S105 - what a step is called
MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
"""When the entries of a walk are recorded; nothing depends on it."""
WEEK = range(1, 7)


class Counted(NamedTuple):
    """Acts that a claim counts: those of a limit without the ones under its exception, or all of some actions."""

    acts: frozenset[str]
    most: int
    unless: Any = None


class Opening(NamedTuple):
    """A filing: the facts of its entry, and how a scenario states it."""

    facts: Mapping[str, Any]
    told: Mapping[str, Any]


class Step(NamedTuple):
    """One step: an act, a timer's act, or days that pass. `after` is where it leads, `on` the day, `entry` what it records."""

    before: int
    after: Position
    act: str
    on: date
    facts: Mapping[str, Any]
    role: str
    letters: tuple[str, ...] = ()
    timer: Timer | None = None
    seen: Judgment | None = None
    entry: Entry | None = None
    opening: Opening | None = None


class Watch(Protocol):
    """What is told of everything that the walk sees, in the order of the steps from filing."""

    def position(self, place: int, position: Position) -> None: ...
    def step(self, step: Step, before: Position | None) -> None: ...
    def refused(self, place: int, position: Position | None, act: str, facts: Mapping[str, Any], reasons: Sequence[Reason]) -> None: ...


@dataclass
class Walked:
    """A state space: its positions, the step that first led to each, where every step leads, and what was ever done."""

    positions: list[Position] = field(default_factory=list)
    first: list[Step] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    leads: list[set[int]] = field(default_factory=list)
    acts: set[str] = field(default_factory=set)
    edges: int = 0

    def path(self, place: int) -> list[Step]:
        """The steps from filing to a position."""
        steps = []
        while place >= 0:
            steps.append(self.first[place])
            place = self.first[place].before
        return steps[::-1]


class Walker:
    """Walks one workflow under the readings chosen. `seeds` are questions of claims, `counted` what they count."""

    def __init__(self, book: Rulebook, settings: Mapping[str, Any], seeds: Sequence[tuple[str, Any]] = (), counted: Sequence[Counted] = ()) -> None:
        self.counted = counted
        self.settings = settings
        cone = Cone(book, settings, seeds)
        self.book = cone.book = _untold(book, cone)
        self.cone, self.choices = cone, Choices(cone, settings)
        self.key = Key(cone, [one.acts for one in counted])
        self.roles = {name: action.by[0] for name, action in book.workflow.actions.items()}
        self._silent = self._starting_silence()
        self._told: set[tuple[str, str]] = set()

    def _starting_silence(self) -> frozenset[str]:
        """The acts that begin a clock whose silence waits over some weekdays."""
        if not self.book.pack.calendar.silence.waits_when_due_on:
            return frozenset()
        clocks = self.book.workflow.clocks
        return frozenset(act for act, moves in self.book.moves.items() if any(move.kind == "start" and clocks[move.clock].silence for move in moves))

    def walk(self, openings: Sequence[Opening], watch: Watch, tell: Callable[[int], None] = lambda _: None) -> Walked:
        """Every position that can be reached from the filings."""
        made = Walked()
        known: dict[Any, int] = {}
        keys: list[Any] = []
        pending: deque[int] = deque()

        def reach(step: Step, depth: int) -> None:
            made.edges += 1
            made.acts.add(step.act)
            key = self.key.of(step.after)
            place = known.setdefault(key, len(keys))
            watch.step(step, made.positions[step.before] if step.before >= 0 else None)
            if step.before >= 0:
                made.leads[step.before].add(place)
            if place < len(keys):
                return
            keys.append(key)
            made.positions.append(step.after)
            made.first.append(step)
            made.depth.append(depth)
            made.leads.append(set())
            pending.append(place)
            watch.position(place, step.after)
            if place % 64 == 0:
                tell(place)

        for opening in openings:
            opened_ = self._opened(opening, watch)
            if opened_ is not None:
                reach(opened_, 0)
        while pending:
            here = pending.popleft()
            for step in self._steps(here, made.positions[here], keys[here], watch):
                reach(step, made.depth[here] + 1)
        return made

    # --- steps ---

    def _opened(self, opening: Opening, watch: Watch) -> Step | None:
        facts = opening.facts
        on = date.fromisoformat(facts["received_on"])
        role = self.roles["file"]
        seen = judge(self.book, None, "file", facts, role, on, on, facts["settings"])
        if seen.reasons:
            watch.refused(-1, None, "file", {"opening": opening}, seen.reasons)
            return None
        asked = Act("file", Actor("person", role, role), facts, on)
        return self._done(-1, opened(self.book, "P-1", "P", facts), tuple(0 for _ in self.counted), seen, asked, on)._replace(opening=opening)

    def _steps(self, place: int, position: Position, key: Any, watch: Watch) -> Iterator[Step]:
        case, today, timers, _ = position
        if timers and self._falls(timers[0]) <= today:
            yield self._fired(place, position, timers[0])
            return
        for name in self.book.workflow.actions:
            if case.state in self.book.machine.sources[name]:
                if name in self.cone.acts and self.roles[name] != "scheduler":
                    yield from self._acts(place, position, name, watch)
                elif (name, case.state) not in self._told:
                    for step in self._acts(place, position, name, watch):
                        self._told.add((name, case.state))  # what changes nothing that matters is done once in each state
                        yield step
            elif (name, case.state) not in self._told and name != "file":
                self._told.add((name, case.state))
                self._judged(place, position, name, {}, today, watch)
        yield from self._later(place, position, key)

    def _later(self, place: int, position: Position, key: Any) -> Iterator[Step]:
        """Days pass until something is different."""
        case, _, timers, counts = position
        for day in self.key.days_ahead(position):
            later = Position(case, day, timers, counts)
            if (timers and self._falls(timers[0]) <= day) or self.key.of(later) != key:
                yield Step(place, later, DAYS_PASS, day, {}, "")
                return

    def _acts(self, place: int, position: Position, name: str, watch: Watch) -> Iterator[Step]:
        case, today, timers, counts = position
        if self.roles[name] == "scheduler":
            return
        made: list[Mapping[str, Any]] = []
        begun: set[frozenset[str]] = set()
        for choice in self.choices.of[name]:
            facts = choice.made(self.book, case, name, today)
            if facts in made:
                continue
            made.append(facts)
            seen = self._judged(place, position, name, facts, today, watch)
            if seen is None:
                continue
            step = self._done(place, case, counts, seen, self._asked(name, facts, today), today)
            yield step
            starts = self._begun(case, step) if name in self._silent else frozenset()
            if starts and starts not in begun:
                begun.add(starts)
                yield from self._on_another_weekday(place, position, name, choice, step)
        if (name, "needs") not in self._told:
            self._told.add((name, "needs"))
            for choice in self.choices.refused[name]:
                self._judged(place, position, name, choice.made(self.book, case, name, today), today, watch)

    def _begun(self, before: Case, step: Step) -> frozenset[str]:
        """The clocks with an outcome by silence that a step begins."""
        clocks = self.book.workflow.clocks
        new = step.after.case.marks[len(before.marks) :]
        return frozenset(mark.clock for mark in new if mark.kind == "start" and clocks[mark.clock].silence)

    def _on_another_weekday(self, place: int, position: Position, name: str, choice: Any, step: Step) -> Iterator[Step]:
        """The same act in the coming week, on a day from which silence waits where it did not, or the other way round."""
        case, today, timers, counts = position
        ahead = self.key.days_ahead(position)
        for days in WEEK:
            day = date.fromordinal(today.toordinal() + days)
            if (ahead and ahead[0] <= day) or (timers and self._falls(timers[0]) <= day):
                return
            facts = choice.made(self.book, case, name, day)
            seen = judge(self.book, case, name, facts, self.roles[name], day, day, case.settings)
            if seen.reasons:
                return
            other = self._done(place, case, counts, seen, self._asked(name, facts, day), day)
            if _waits(other) != _waits(step):
                yield other
                return

    def _asked(self, name: str, facts: Mapping[str, Any], on: date) -> Act:
        return Act(name, Actor("person", self.roles[name], self.roles[name]), facts, on)

    def _judged(self, place: int, position: Position, name: str, facts: Mapping[str, Any], on: date, watch: Watch) -> Judgment | None:
        case = position.case
        seen = judge(self.book, case, name, facts, self.roles[name], on, on, case.settings)
        if seen.reasons:
            watch.refused(place, position, name, facts, seen.reasons)
            return None
        return seen

    def _done(self, place: int, before: Case, counts: tuple[int, ...], seen: Judgment, asked: Act, today: date, timer: Timer | None = None) -> Step:
        assert asked.on is not None
        action = self.book.workflow.actions[asked.action]
        entry = make_entry(before, asked, action.cite, seen.to, dict(asked.facts), MOMENT, "")
        case = apply(self.book, before, entry, seen.view, seen.branch, seen.to)
        after = Position(case, today, owed(self.book, case), self._count(counts, asked.action, seen))
        facts = asked.facts if timer is None and asked.action != "file" else {}
        return Step(place, after, asked.action, asked.on, facts, asked.actor.role, tuple(letters_of(action, seen)), timer, seen, entry)

    def _count(self, counts: tuple[int, ...], act: str, seen: Judgment) -> tuple[int, ...]:
        return tuple(
            min(count + 1, one.most + 1) if act in one.acts and not (one.unless is not None and answer(one.unless, seen.view) is True) else count
            for count, one in zip(counts, self.counted, strict=True)
        )

    def _fired(self, place: int, position: Position, timer: Timer) -> Step:
        case, today, _, counts = position
        on = self._falls(timer)
        facts: dict[str, Any] = {"clock": timer.clock, "kind": timer.kind, "due": timer.due.isoformat(), "round": timer.round}
        name = timer.action
        if name not in p.RESERVED_ACTIONS:
            seen = judge(self.book, case, name, facts, "scheduler", on, on, case.settings)
            if not seen.reasons:
                return self._done(place, case, counts, seen, Act(name, SCHEDULER, facts, on), today, timer)
            facts = {**facts, "refused": name, "refusals": [reason.text for reason in seen.reasons]}
            name = "timer-refused"
        entry = make_entry(case, Act(name, SCHEDULER, facts, on), None, case.state, facts, MOMENT, "")
        after = apply(self.book, case, entry, None, 0, case.state)
        return Step(place, Position(after, today, owed(self.book, after), counts), name, on, {}, "scheduler", (), timer, None, entry)

    def _falls(self, timer: Timer) -> date:
        return self.book.calendar.local_day(timer.at)


def _waits(step: Step) -> bool:
    return any(timer.kind == "silence-waits" for timer in step.after.timers)


def _untold(book: Rulebook, cone: Cone) -> Rulebook:
    """The rulebook without warnings, alerts and clocks that nothing hangs on: they tell people and change no case."""
    made = copy.copy(book)
    kept = {name: clock for name, clock in book.timed.items() if name in cone.clocks and any(getattr(clock, word) for word in TIMED)}
    made.runs = {}
    asked = {*cone.clocks, *duties(book)}
    made.moves = {act: tuple(move for move in moves if move.clock in asked) for act, moves in book.moves.items()}
    made.timed = {name: clock.model_copy(update={"warn_before": (), "alert": False}) for name, clock in kept.items()}
    return made
