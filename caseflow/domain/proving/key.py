"""When two positions of a walk are one: they agree in everything that can still be asked of a case.

Of a clock its status counts, of a day whether it is past, today, tomorrow or later, and of several later days which comes
first. A question counts only where some act can still ask it before something answers it anew.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from caseflow.domain import pack as p
from caseflow.domain.case import Case, Timer
from caseflow.domain.clock import Run
from caseflow.domain.conditions import answer, day_of
from caseflow.domain.proving.cone import Cone, Stand
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import CaseView


class Position(NamedTuple):
    """A case as it stands, the day, the timers that it owes, and how often what a claim counts has happened."""

    case: Case
    today: date
    timers: tuple[Timer, ...]
    counts: tuple[int, ...] = ()


class At(NamedTuple):
    """What is still asked in a stand: flags, questions (and whether "not stated" is a no to them), acts counted since,
    days with what is added to each, clocks, and the clocks that may yet begin anew."""

    flags: tuple[str, ...]
    leaves: tuple[tuple[Any, bool], ...]
    sinces: tuple[str, ...]
    days: tuple[tuple[Any, tuple[int, ...]], ...]
    clocks: tuple[str, ...]
    again: frozenset[str]


class Key:
    """Makes the key of a position, and knows the days on which something in it changes."""

    def __init__(self, cone: Cone, counted: Sequence[frozenset[str]] = ()) -> None:
        self.cone, self.book = cone, cone.book
        flow = cone.flow
        self.flag = self.book.pack.calendar.silence.flag
        self.latest = {name: clock.take == "latest" for name, clock in flow.clocks.items()}
        self.bends = {name for name, clock in flow.clocks.items() if clock.holds or clock.displaced or clock.extended}
        self.duties = [name for name in duties(cone.book) if name not in cone.clocks]
        self.counted = [cone.before(acts) for acts in counted]
        self.limits = {name: cone.before(limit.action) for name, limit in flow.limits.items()}
        starts = {name: cone.before(_moved(self.book, name, "start"), _moved(self.book, name, "cancel")) for name in cone.clocks}
        alive = {repr(thing): cone.alive(thing) for thing in (*cone.leaves, *cone.days)}
        self.at = {stand: self._at(stand, alive, starts) for stand in cone.stands}

    def _at(self, stand: Stand, alive: Mapping[str, frozenset[Stand]], starts: Mapping[str, frozenset[Stand]]) -> At:
        def here(things: Collection[Any]) -> list[Any]:
            return [thing for thing in things if stand in alive[repr(thing)]]

        leaves, days = here(self.cone.leaves), here(self.cone.days)
        asked = {name for thing in (*leaves, *days) for name in _clocks_in(thing)}
        return At(
            flags=tuple(leaf.flag for leaf in leaves if isinstance(leaf, p.FlagTest)),
            leaves=tuple((leaf, self.cone.blunt(leaf)) for leaf in leaves if not isinstance(leaf, p.FlagTest)),
            sinces=tuple(dict.fromkeys(leaf.since for leaf in leaves if isinstance(leaf, p.DoneTest) and leaf.since)),
            # The day of an act is never ahead: only what it is compared with counts, and that is asked above.
            days=tuple((day, self.cone.turns(day)) for day in days if not isinstance(day, p.LastDay)),
            clocks=tuple(name for name in self.cone.clocks if name in self.book.timed or name in asked),
            again=frozenset(name for name in self.cone.clocks if stand in starts[name]),
        )

    def of(self, position: Position) -> Hashable:
        """The key of a position."""
        case, today, timers, counts = position
        stand = (case.state, case.came_from)
        at = self.at[stand]
        now = today.toordinal()
        view = CaseView(self.book, case, "", {}, today, case.settings)
        return (
            case.state,
            case.came_from if case.state in self.cone.returns else None,
            tuple(flag in case.flags for flag in at.flags),
            self.flag in case.flags,
            tuple(answer(leaf, view) or (False if blunt else answer(leaf, view)) for leaf, blunt in at.leaves),
            tuple(name in case.done for name in at.sinces),
            tuple(count if stand in where else 0 for count, where in zip(counts, self.counted, strict=True)),
            tuple(min(len(case.spent.get(name, ())), limit.times) if stand in self.limits[name] else 0 for name, limit in self.cone.flow.limits.items()),
            tuple(self._stands(view.clock(name), now, name in at.again) for name in at.clocks),
            tuple((timer.clock, timer.kind) for timer in timers),
            _ranked(self._turns(at, view, timers), now),
            tuple(open_(view.clock(name)) for name in self.duties),
        )

    def _turns(self, at: At, view: CaseView, timers: Sequence[Timer]) -> list[int | None]:
        """The days at whose beginning something changes: a timer falls due, a last day comes or has passed, a day that is asked comes."""
        found: list[int | None] = [self.book.calendar.local_day(timer.at).toordinal() for timer in timers]
        running = set()
        for name in at.clocks:
            run = view.clock(name)
            goes = run.due is not None and run.ended_on is None and run.displaced_on is None
            if goes:
                running.add(name)
            found.append(run.due + 1 if goes and run.due is not None else None)
            if name in self.bends:
                found.append(run.due if goes else None)
        for one, steps in at.days:
            skipped = isinstance(one, p.ClockDay) and one.day != "start" and one.clock in running
            day = None if skipped else day_of(one, view)
            found += [None if day is None else day.toordinal() + step for step in steps]
        return found

    def _stands(self, run: Run, now: int, again: bool) -> Hashable:
        if run.status == "not-started":
            return "off"
        if run.ended_on is not None:
            return "ended" if again and not self.latest[run.clock] else "off"
        if run.status == "tolled":
            return "held", run.left == 0, run.since == now
        return (run.status, run.awaited) if run.status != "over" else "missed"

    def days_ahead(self, position: Position) -> list[date]:
        """The coming days on which something in a position may change, in order."""
        case, today, timers, _ = position
        now = today.toordinal()
        at = self.at[(case.state, case.came_from)]
        view = CaseView(self.book, case, "", {}, today, case.settings)
        found = set(self._turns(at, view, timers))
        for name in at.clocks:
            run = view.clock(name)
            if run.status == "tolled" and run.since == now:
                found.add(now + SOME_DAYS)
        return [date.fromordinal(day) for day in sorted(day for day in found if day is not None and day > now)]


def _moved(book: Rulebook, clock: str, kind: str) -> frozenset[str]:
    """The acts that move a clock in a way; of those that end a count only the ones that always do."""
    return frozenset(
        act
        for act, moves in book.moves.items()
        if any(move.clock == clock and move.kind == kind and (kind == "start" or move.moment.when is None) for move in moves)
    )


SOME_DAYS = 30
"""How long a hold lasts that nothing else ends: long enough to be seen."""


def duties(book: Rulebook) -> list[str]:
    """The clocks that bind the agency by law: neither a policy of its own nor a mere reminder."""
    agency = book.calendar.agency
    return [name for name, clock in book.workflow.clocks.items() if clock.actor in (None, agency) and not clock.policy and not clock.remind]


def open_(run: Run) -> bool:
    """Whether a clock goes on: it runs, is held, or has been missed and nothing has ended it."""
    return run.ended_on is None and run.status in ("running", "tolled", "missed", "over")


def _clocks_in(thing: Any) -> set[str]:
    """The clocks that a question or a day names."""
    if isinstance(thing, p.DayTest):
        return {day.clock for day in (thing.day, thing.value) if isinstance(day, p.ClockDay)}
    return {thing.clock} if isinstance(thing, (p.ClockTest, p.ClockDay)) else set()


def _ranked(days: Sequence[int | None], now: int) -> tuple[int | None, ...]:
    """Days ahead by their order; those that have come as one."""
    order = {day: place for place, day in enumerate(sorted({day for day in days if day is not None and day > now}), 1)}
    return tuple(None if day is None else order.get(day, 0) for day in days)
