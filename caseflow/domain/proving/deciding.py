"""Decides the claims of a workflow on its walk: each holds, or is broken by a shortest path.

A claim about steps is asked at every step, one about positions at every position, one about ways out on the whole space.
Each break says what the claim wants of the last step, in the words of a scenario file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.calendar import say
from caseflow.domain.clock import derive
from caseflow.domain.conditions import answer
from caseflow.domain.machine import branches
from caseflow.domain.pack.claims import ALL
from caseflow.domain.proving.key import Position, duties, open_
from caseflow.domain.proving.walk import Counted, Step, Walked
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.timers import silence_acts_on
from caseflow.domain.view import CaseView, run
from caseflow.errors import Reason


@dataclass(frozen=True, slots=True)
class Break:
    """How a claim is broken: at the position `at` by `step`, or by the position itself where there is none.

    `expect` and `refused` are what the claim wants of the last step of a scenario; `said` tells what happens instead.
    `tries` is an act that is refused there (its name and facts), for claims about refusals.
    """

    at: int
    said: str
    step: Step | None = None
    expect: Mapping[str, Any] | None = None
    refused: str | None = None
    tries: tuple[str, Mapping[str, Any], str] | None = None


class Asked:
    """One claim while it is decided. The kinds below say what they ask of steps, positions, refusals and the whole."""

    def __init__(self, name: str, claim: p.Claim, book: Rulebook) -> None:
        self.name, self.claim, self.book = name, claim, book
        self.broken: Break | None = None
        self.asked = 0
        self.named = frozenset(claim.names)

    def names(self, known: Collection[str]) -> frozenset[str]:
        """What the claim names, or all there is."""
        return frozenset(known) if ALL in self.named else self.named

    def states(self, names: Sequence[str]) -> frozenset[str]:
        """States by their own names, groups or phases; `all` are those that end a case."""
        flow = self.book.workflow
        if ALL in names:
            return frozenset(name for name, state in flow.states.items() if state.ends)
        phased = {name for name in flow.states if self.book.phase(name) in names and self.book.phase(name) not in flow.states}
        return frozenset(flow.states_of(tuple(name for name in names if name in flow.states or name in flow.groups))) | phased

    def seeds(self) -> list[tuple[str, Any]]:
        """The questions that the walk must keep apart for this claim, each with the act that it is asked of ("": everywhere)."""
        return []

    def position(self, place: int, position: Position) -> None: ...
    def step(self, step: Step, before: Position | None) -> None: ...
    def refused(self, place: int, position: Position | None, act: str, facts: Mapping[str, Any], reasons: Sequence[Reason]) -> None: ...
    def whole(self, walked: Walked) -> None: ...

    def title(self, act: str) -> str:
        """What an action is called."""
        action = self.book.workflow.actions.get(act)
        return f"'{action.title}'" if action is not None else f"'{act}'"


class AtMost(Asked):
    """Counted acts happen no more often than is allowed; `place` is its counter in the walk."""

    def counters(self) -> list[Counted]:
        limits = self.book.workflow.limits
        named = list(limits) if ALL in self.claim.names else list(self.claim.names)
        made = [Counted(frozenset(limits[name].action), limits[name].times, limits[name].unless) for name in named if name in limits]
        acts = frozenset(name for name in named if name not in limits)
        self.ids = [name for name in named if name in limits] + (["limit-reached"] if acts else [])
        return [*made, Counted(acts, 1)] if acts else made

    first = 0

    @cached_property
    def told(self) -> tuple[tuple[int, Counted, str], ...]:
        """Each of the counters with its place in the walk and the limit that refuses one act more."""
        made = self.counters()
        return tuple((place, one, name) for place, (one, name) in enumerate(zip(made, self.ids, strict=True), self.first))

    def step(self, step: Step, before: Position | None) -> None:
        if before is None:
            return
        for place, one, name in self.told:
            if step.act in one.acts:
                self.asked += 1
                if step.after.counts[place] > one.most:
                    text = f"{self.title(step.act)} is done a {_nth(one.most + 1)} time on {say(step.on.toordinal())}"
                    self.broken = Break(step.before, text, step, refused=name)


class CanReach(Asked):
    """From everywhere a way leads to a state."""

    def whole(self, walked: Walked) -> None:
        wanted = self.states(self.claim.names)
        back: list[list[int]] = [[] for _ in walked.positions]
        for place, leads in enumerate(walked.leads):
            for there in leads:
                back[there].append(place)
        able = {place for place, position in enumerate(walked.positions) if position.case.state in wanted}
        pending = list(able)
        while pending:
            for place in back[pending.pop()]:
                if place not in able:
                    able.add(place)
                    pending.append(place)
        self.asked = len(walked.positions)
        lost = next((place for place in range(len(walked.positions)) if place not in able), None)
        if lost is not None:
            state = walked.positions[lost].case.state
            names = ", ".join(sorted(wanted))
            self.broken = Break(lost, f"from '{state}' no way leads to {names} any more", expect={"state": sorted(wanted)[0]})


class NoOpenClock(Asked):
    """No clock goes on in some states."""

    def __init__(self, name: str, claim: p.Claim, book: Rulebook) -> None:
        super().__init__(name, claim, book)
        self.where = self.states(claim.names)
        self.clocks = tuple(claim.clocks) or tuple(duties(book))

    def seeds(self) -> list[tuple[str, Any]]:
        return [("", p.ClockTest(clock=name, **{"is": ("running", "tolled", "missed")})) for name in self.claim.clocks]

    def position(self, place: int, position: Position) -> None:
        if position.case.state not in self.where:
            return
        for name in self.clocks:
            self.asked += 1
            now = run(self.book, position.case, name, position.today)
            if open_(now):
                text = f"clock '{name}' is {now.status} in '{position.case.state}'"
                self.broken = Break(place, text, expect={"clocks": {name: {"status": "stopped"}}})
                return


class LetterOnEntering(Asked):
    """Whoever leads a case into some states writes a letter."""

    def __init__(self, name: str, claim: p.Claim, book: Rulebook) -> None:
        super().__init__(name, claim, book)
        self.where = self.states(claim.names)
        self.stating = frozenset(letter for letter, one in book.pack.letters.items() if any(_states(one, word) for word in claim.stating))

    def step(self, step: Step, before: Position | None) -> None:
        state = step.after.case.state
        if state not in self.where or (before is not None and before.case.state in self.where) or step.act in self.claim.excepted:
            return
        self.asked += 1
        if not step.letters or (self.claim.stating and not self.stating.intersection(step.letters)):
            what = f"a letter that states {' or '.join(self.claim.stating)}" if self.claim.stating else "a letter that tells of it"
            issued = f"issues {', '.join(step.letters)}" if step.letters else "issues no letter"
            self.broken = Break(step.before, f"{self.title(step.act)} leads into '{state}' and {issued}", step, expect={"letters-include": [what]})


class NoSilenceEarly(Asked):
    """What silence brings comes after the last day, and after the day over which it waits."""

    def step(self, step: Step, before: Position | None) -> None:
        clocks = self.book.workflow.clocks
        asked = [name for name in self.names(clocks) if clocks[name].silence == step.act]
        if not asked or step.timer is None or before is None:
            return
        self.asked += 1
        if any(self._over(before, name, step.on) for name in asked):
            return
        now = run(self.book, before.case, asked[0], step.on)
        day = f"its last day is {say(now.due)}" if now.due is not None else "it has no last day"
        text = f"{self.title(step.act)} comes on {say(step.on.toordinal())} by clock '{step.timer.clock}', but of '{asked[0]}' {day}"
        self.broken = Break(step.before, text, step, expect={"state": before.case.state, "version": before.case.version})

    def _over(self, before: Position, name: str, on: date) -> bool:
        now = run(self.book, before.case, name, on)
        return now.due is not None and now.status in ("missed", "over") and silence_acts_on(self.book, now.due) <= on.toordinal()


class HoldNeverShortens(Asked):
    """When a hold ends, the last day is no earlier than it was when the hold began."""

    def __init__(self, name: str, claim: p.Claim, book: Rulebook) -> None:
        super().__init__(name, claim, book)
        wanted = self.names(book.workflow.clocks)
        self.ends = {
            act: tuple(dict.fromkeys(move.clock for move in moves if move.kind == "resume" and move.clock in wanted)) for act, moves in book.moves.items()
        }

    def step(self, step: Step, before: Position | None) -> None:
        if before is None or not self.ends.get(step.act):
            return
        for name in self.ends[step.act]:
            held = [mark for mark in before.case.marks if mark.clock == name and mark.kind == "hold"]
            if not held or run(self.book, before.case, name, step.on).status != "tolled":
                continue
            self.asked += 1
            after = run(self.book, step.after.case, name, step.on)
            was = self._before(before, name, held[-1].seq)
            if was is not None and after.due is not None and after.due < was:
                text = f"before the hold the last day of '{name}' was {say(was)}, after it {say(after.due)}"
                expect = {"clocks": {name: {"due": date.fromordinal(was).isoformat()}}}
                self.broken = Break(step.before, text, step, expect=expect)

    def _before(self, before: Position, name: str, seq: int) -> int | None:
        """The last day that the clock showed before the entry that began the hold."""
        clock, case = self.book.workflow.clocks[name], before.case
        marks = [mark for mark in case.marks if mark.clock == name and mark.seq < seq]
        on = marks[-1].on if marks else case.received_on
        return derive(name, clock, marks, self.book.calendar, case.settings, on, self.book.before_roll(clock)).due


class TimerHasExit(Asked):
    """What a clock asks for when it runs out is possible then."""

    def step(self, step: Step, before: Position | None) -> None:
        if step.timer is None or before is None or step.timer.clock not in self.names(self.book.workflow.clocks):
            return
        self.asked += 1
        if step.act == "timer-refused":
            timer = step.timer
            text = f"clock '{timer.clock}' runs out in '{before.case.state}', where {self.title(timer.action)} is not possible"
            self.broken = Break(step.before, text, step, tries=(timer.action, {}, "scheduler"))


class RefusalCites(Asked):
    """Every reason that refuses names law, practice or policy."""

    def refused(self, place: int, position: Position | None, act: str, facts: Mapping[str, Any], reasons: Sequence[Reason]) -> None:
        if act not in self.names(self.book.workflow.actions):
            return
        for reason in reasons:
            self.asked += 1
            if not reason.cite and not self._stands(act, reason):
                if position is None:
                    text = f"{self.title(act)} is refused by '{reason.id}' without a citation"
                    self.broken = Break(-1, text, tries=(act, facts, ""))
                    return
                text = f"{self.title(act)} is refused in '{position.case.state}' by '{reason.id}' without a citation"
                wanted = {"actions": {act: {"because": [{"cite": "the law or the practice it rests on"}]}}}
                self.broken = Break(place, text, expect=wanted, tries=(act, facts, self.book.workflow.actions[act].by[0]))
                return

    def _stands(self, act: str, reason: Reason) -> bool:
        flow = self.book.workflow
        part: Any = self.book.conditions.get(reason.id) or flow.limits.get(reason.id)
        if reason.code in ("wrong-state", "not-permitted") or (part is None and reason.id == act):
            part = flow.actions[act]
        if reason.code in ("facts-invalid", "date-invalid"):
            return True
        return part is not None and bool(part.cite or part.note or part.policy)


class OneOutcome(Asked):
    """No two outcomes of an act hold at once, so that none depends on the order of writing."""

    def __init__(self, name: str, claim: p.Claim, book: Rulebook) -> None:
        super().__init__(name, claim, book)
        actions = book.workflow.actions
        self.several = {act for act in self.names(actions) if sum(branch.when is not None for branch in branches(actions[act])) > 1}

    def step(self, step: Step, before: Position | None) -> None:
        if step.act not in self.names(self.book.workflow.actions) or step.seen is None:
            return
        self.asked += 1
        if step.act not in self.several:
            return
        action, view = self.book.workflow.actions[step.act], step.seen.view
        hold = [branch for branch in branches(action) if branch.when is not None and answer(branch.when, view) is True]
        if len(hold) > 1:
            text = f"{self.title(step.act)} has {len(hold)} outcomes that hold at once"
            self.broken = Break(step.before, text, step, refused="one-outcome")


class Always(Asked):
    """A question holds wherever a case stands."""

    def __init__(self, name: str, claim: p.Claim, book: Rulebook) -> None:
        super().__init__(name, claim, book)
        self.where = self.states(claim.in_) if claim.in_ else frozenset(book.workflow.states)

    def seeds(self) -> list[tuple[str, Any]]:
        return [("", self.claim.always)]

    def position(self, place: int, position: Position) -> None:
        case = position.case
        if case.state not in self.where:
            return
        self.asked += 1
        if answer(self.claim.always, CaseView(self.book, case, "", {}, position.today, case.settings)) is not True:
            self.broken = Break(place, f"it does not hold in '{case.state}'", expect={"state": f"none in which this does not hold: {self.claim.text}"})


class Whenever(Asked):
    """An act is only done where a question holds."""

    def step(self, step: Step, before: Position | None) -> None:
        if step.act not in self.names(self.book.workflow.actions) or step.seen is None or before is None:
            return
        self.asked += 1
        if answer(self.claim.holds, step.seen.view) is not True:
            text = f"{self.title(step.act)} is done on {say(step.on.toordinal())} though it does not hold"
            if step.timer is not None:
                self.broken = Break(step.before, text, step, expect={"state": before.case.state, "version": before.case.version})
            else:
                self.broken = Break(step.before, text, step, refused="guard-failed")

    def seeds(self) -> list[tuple[str, Any]]:
        return [(act, self.claim.holds) for act in sorted(self.names(self.book.workflow.actions))]


KINDS: Mapping[str, Callable[[str, p.Claim, Rulebook], Asked]] = {
    "at-most-once": AtMost,
    "can-reach": CanReach,
    "no-open-clock-in": NoOpenClock,
    "letter-on-entering": LetterOnEntering,
    "no-silence-early": NoSilenceEarly,
    "hold-never-shortens": HoldNeverShortens,
    "timer-has-exit": TimerHasExit,
    "refusal-cites": RefusalCites,
    "one-outcome": OneOutcome,
    "always": Always,
    "whenever": Whenever,
}


class Claims:
    """Every claim of a workflow, its own and those asked of each; told of what the walk sees."""

    def __init__(self, book: Rulebook) -> None:
        written = {**p.asked_everywhere(), **book.workflow.claims}
        self.asked = [KINDS[claim.kind](name, claim, book) for name, claim in written.items()]
        self.counted: list[Counted] = []
        for one in self.asked:
            if isinstance(one, AtMost):
                one.first = len(self.counted)
                self.counted += one.counters()
        self.seeds = [seed for one in self.asked for seed in one.seeds()]

    def position(self, place: int, position: Position) -> None:
        """Asks the claims about positions."""
        for one in self.asked:
            if one.broken is None:
                one.position(place, position)

    def step(self, step: Step, before: Position | None) -> None:
        """Asks the claims about steps."""
        for one in self.asked:
            if one.broken is None:
                one.step(step, before)

    def refused(self, place: int, position: Position | None, act: str, facts: Mapping[str, Any], reasons: Sequence[Reason]) -> None:
        """Asks the claims about refusals."""
        for one in self.asked:
            if one.broken is None:
                one.refused(place, position, act, facts, reasons)

    def whole(self, walked: Walked) -> None:
        """Asks the claims about the whole space."""
        for one in self.asked:
            one.whole(walked)


def _states(letter: p.Letter, word: str) -> bool:
    return any(word.casefold() in item.casefold() for item in letter.states)


def _nth(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")
