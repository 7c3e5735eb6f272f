"""What a walk of a workflow must remember of a case: everything that some question, clock or claim may still ask.

Two cases that agree in all of it can do the same acts with the same effects from then on, so that one of them stands
for both. What nobody asks (a note, a name, an amount beyond what is owed) is left out, or the walk would never end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.binding import facts_asked, group_of
from caseflow.domain.machine import branches
from caseflow.domain.rulebook import Rulebook

Stand = tuple[str, str | None]
"""A state, and the state before it."""
TIMED = ("overdue", "silence", "remind")
"""The words of a clock that make the scheduler act on a case. Warnings and alerts only tell people."""


class Cone:
    """The part of a workflow that decides what can happen. `seeds` are further questions, those of the claims,
    each with the act that it is asked of, or with none where it is asked everywhere."""

    def __init__(self, book: Rulebook, settings: Mapping[str, Any], seeds: Iterable[tuple[str, Any]] = ()) -> None:
        self.book = book
        self.settings = settings
        self.flow = book.workflow
        self._leaves: dict[str, Any] = {}
        self._read: dict[str, set[str]] = {}
        self._days: dict[str, Any] = {}
        self.acts: dict[str, None] = {}
        self.clocks: dict[str, None] = {}
        self.local: dict[str, dict[str, Any]] = {name: {} for name in self.flow.actions}
        """Questions and days that an act answers by its own facts."""
        self.rules: dict[str, p.AllOf] = {}
        self.sharp: set[str] = set()
        """Questions whose "not stated" differs from their no: those under `none` or `applies`."""
        self._asked: set[tuple[str, int, bool]] = set()
        self._grow(tuple(seeds))
        self.flags = tuple(dict.fromkeys(leaf.flag for leaf in self.leaves if isinstance(leaf, p.FlagTest)))
        self.returns = frozenset(state for act in self._returning() for state in self.flow.states_of(act.from_))
        self.stands, self.edges = self._space()
        self.stored = frozenset(fact for leaf in self.leaves for fact in facts_asked(leaf)) | {day.fact for day in self.days if isinstance(day, p.FactDay)}

    @property
    def leaves(self) -> Collection[Any]:
        """Questions that are asked of the case itself, and not only of the act that asks them."""
        return self._leaves.values()

    @property
    def days(self) -> Collection[Any]:
        """Days of the case that are compared or counted from."""
        return self._days.values()

    def _returning(self) -> Iterator[p.Action]:
        for action in self.flow.actions.values():
            if any((branch.to or action.to) == "previous" for branch in branches(action)):
                yield action

    def _grow(self, seeds: Sequence[tuple[str, Any]]) -> None:
        for act, test in seeds:
            self._ask(act, test)
        size = -1
        while size != (size := len(self.acts) + len(self.clocks) + len(self.leaves) + len(self.days)):
            for name, clock in self.flow.clocks.items():
                # A policy or a reminder that only tells people needs no days of its own.
                binds = (clock.overdue or clock.silence) and not clock.policy
                if binds or any(getattr(clock, word) in self.acts for word in TIMED):
                    self.clocks[name] = None
            for name, action in self.flow.actions.items():
                if name in self.acts or self._matters(name, action):
                    self.acts[name] = None
                    self._act(name, action)

    def _matters(self, name: str, action: p.Action) -> bool:
        """Whether an act can change anything that is remembered."""
        if name == "file" or any((branch.to or action.to or "same") != "same" for branch in branches(action)):
            return True
        if any(move.clock in self.clocks for move in self.book.moves.get(name, ())) or name in self.book.limits:
            return True
        flags = {*action.raises, *action.lowers, *(flag for branch in branches(action) for flag in (*branch.raises, *branch.lowers))}
        for leaf in self.leaves:
            if isinstance(leaf, p.FlagTest) and leaf.flag in flags:
                return True
            if isinstance(leaf, p.DoneTest) and name in (leaf.done, leaf.since):
                return True
            if isinstance(leaf, p.ItemsTest) and action.items in ("asks", "receives", "satisfies", "finds-missing"):
                return True
            if isinstance(leaf, p.FeesTest) and (action.money is not None or action.fees or any(branch.fees for branch in branches(action))):
                return True
            if set(facts_asked(leaf)) & self.book.own[name]:
                return True
        return any(isinstance(day, p.LastDay) and day.last == name or isinstance(day, p.FactDay) and day.fact in self.book.own[name] for day in self.days)

    def _act(self, name: str, action: p.Action) -> None:
        tests = [*action.needs, *(branch.when for branch in branches(action)), *self._letters(action)]
        tests += [self.flow.limits[limit].unless for limit in self.book.limits.get(name, ())]
        for move in self.book.moves.get(name, ()):
            tests.append(move.moment.when)
            if move.clock in self.clocks:
                self._day(name, move.moment.counted_from)
                if isinstance(move.moment, p.Extension):
                    self._day(name, move.moment.to)
        rules = tuple(need for need in action.needs if isinstance(need, p.Named) and isinstance(self.book.conditions[need.name], p.Rule))
        if rules:
            # Of the rules that an act needs only the whole matters: one finding of fact settles them all.
            asked = p.AllOf(all=rules)
            self._leaves[repr(asked)] = asked
            self._read.setdefault(repr(asked), set()).add(name)
            self.rules[name] = asked
        for test in tests:
            self._ask(name, test)

    def blunt(self, leaf: Any) -> bool:
        """Whether nothing turns on the difference between a no and what is not stated."""
        return repr(leaf) not in self.sharp

    def _letters(self, action: p.Action) -> Iterator[Any]:
        """What decides whether an act issues a letter at all."""
        if all(ref.when is not None for ref in p.letters_named(action)):
            yield from (ref.when for ref in p.letters_named(action))

    def _ask(self, act: str, test: Any, sharp: bool = False) -> None:
        if test is None or (act, id(test), sharp) in self._asked:
            return
        self._asked.add((act, id(test), sharp))
        if isinstance(test, p.Named):
            condition = self.book.conditions[test.name]
            if isinstance(condition, p.Rule) or self.settled(test) is not None:
                return
            if condition.applies is not None and not self._brought(act, condition.test):
                self._ask(act, condition.applies, True)
            self._ask(act, condition.test, sharp)
            return
        if self.settled(test) is not None:
            return
        group = group_of(test)
        if group is not None:
            for member in group[1]:
                if not (group[0] == "all" and self._implied(member, group[1])):
                    self._ask(act, member, sharp or group[0] == "none")
            return
        if sharp:
            self.sharp.add(repr(test))
        self._leaf(act, test)

    def _brought(self, act: str, leaf: Any) -> bool:
        """Whether an act itself brings what is asked, the items or the money: then it can bring all of it, or not."""
        if isinstance(leaf, p.ItemsTest):
            return leaf.items == "all" and bool(act) and self.flow.actions[act].items in ("receives", "satisfies")
        return isinstance(leaf, p.FeesTest) and (act == "file" or bool(self.book.reads.get(act, frozenset()) & {"payment", "amount"}))

    def _implied(self, test: Any, others: Sequence[Any]) -> bool:
        """Whether a fact is given because an act that must state it has been done, as is asked beside it."""
        if not (isinstance(test, p.FactTest) and test.op == "given" and test.value is True):
            return False
        return any(isinstance(other, p.DoneTest) and test.fact in self.flow.actions[other.done].takes for other in others)

    def settled(self, test: Any) -> bool | None:
        """The answer of a question that the readings chosen decide alone."""
        if isinstance(test, p.SettingTest):
            got = self.settings.get(test.setting)
            return got in test.is_ if isinstance(test.is_, (list, tuple)) else got == test.is_
        if isinstance(test, p.Named):
            condition = self.book.conditions[test.name]
            if isinstance(condition, p.Rule) or condition.applies is not None:
                return None
            return self.settled(condition.test)
        group = group_of(test)
        if group is None:
            return None
        word, members = group
        answers = [self.settled(member) for member in members]
        decisive = word != "all"
        found = decisive if decisive in answers else None if None in answers else not decisive
        return found if found is None or word != "none" else not found

    def _leaf(self, act: str, leaf: Any) -> None:
        self._read.setdefault(repr(leaf), set()).add(act)
        if isinstance(leaf, p.SettingTest):
            return
        if isinstance(leaf, p.DayTest):
            self._day(act, leaf.day)
            self._day(act, leaf.value)
            self.local.setdefault(act, {})[repr(leaf)] = leaf
            if not any(
                isinstance(day, p.ThisAct) or (isinstance(day, p.FactDay) and day.fact in self.book.reads.get(act, ())) for day in (leaf.day, leaf.value)
            ):
                self._leaves[repr(leaf)] = leaf
            return
        if isinstance(leaf, p.ClockTest):
            self.clocks[leaf.clock] = None
        own = self.book.reads.get(act, frozenset())
        if self._brought(act, leaf):
            return
        facts = ("findings",) if isinstance(leaf, p.StandardsTest) else tuple(facts_asked(leaf))
        if facts and set(facts) <= own:
            self.local[act][repr(leaf)] = leaf
        elif not facts or not set(facts) <= self.book.fixed:
            self._leaves[repr(leaf)] = leaf
            if set(facts) & own:
                self.local[act][repr(leaf)] = leaf

    def _day(self, act: str, day: Any) -> None:
        if day is None or isinstance(day, (p.ThisAct, p.Filing)):
            return
        if isinstance(day, p.ClockDay):
            self.clocks[day.clock] = None
        if isinstance(day, p.FactDay) and day.fact in self.book.reads.get(act, frozenset()):
            self.local[act][repr(day)] = day
            return
        self._read.setdefault(repr(day), set()).add(act)
        self._days[repr(day)] = day

    # --- what is still asked ---

    def alive(self, thing: Any) -> frozenset[Stand]:
        """The stands from which a question or a day may still be asked before something answers it anew."""
        readers = self._read.get(repr(thing), {""})
        if "" in readers:
            return frozenset(self.stands)
        if isinstance(thing, p.AllOf):
            setters = [name for name, action in self.flow.actions.items() if action.establishes is not None and not action.needs]
            there = frozenset(source for act, source, _ in self.edges if act in readers)
            if any(there <= {source for act, source, _ in self.edges if act == setter} for setter in setters):
                return there  # what may be found anew at that very moment need not be remembered before
        return self.before(readers, self._killers(thing))

    def before(self, acts: Collection[str], killers: Collection[str] = ()) -> frozenset[Stand]:
        """The stands from which one of some acts may still come, without one of some others before it."""
        found = {source for act, source, _ in self.edges if act in acts}
        edges = [(source, to) for act, source, to in self.edges if act not in killers]
        size = -1
        while size != (size := len(found)):
            found |= {source for source, to in edges if to in found}
        return frozenset(found)

    def _space(self) -> tuple[dict[Stand, None], list[tuple[str, Stand, Stand]]]:
        """Every state with the state before it, and every step between them."""
        acts: dict[str, list[tuple[str, str]]] = {}
        opening: list[str] = []
        for name, action in self.flow.actions.items():
            for branch in branches(action):
                to = branch.to or action.to or "same"
                if name == "file":
                    opening.append(to)
                for source in self.book.machine.sources[name] if name != "file" else ():
                    acts.setdefault(source, []).append((name, to))
        stands: dict[Stand, None] = dict.fromkeys((state, None) for state in opening)
        edges: list[tuple[str, Stand, Stand]] = []
        pending = list(stands)
        while pending:
            here = pending.pop()
            state, came = here
            for name, to in acts.get(state, ()):
                target = state if to == "same" else came if to == "previous" else to
                if target is None:
                    continue
                there = (target, state if target != state else came)
                edges.append((name, here, there))
                if there not in stands:
                    stands[there] = None
                    pending.append(there)
        return stands, edges

    def turns(self, day: Any) -> tuple[int, ...]:
        """What is added to a day to get the days on which an answer about it changes: it comes (0), it has passed (1)."""
        found: set[int] = set()
        for leaves in self.local.values():
            for leaf in leaves.values():
                if isinstance(leaf, p.DayTest) and day in (leaf.day, leaf.value):
                    other = leaf.value if leaf.day == day else leaf.day
                    forward = ("on-or-after", "before") if leaf.value == day else ("on-or-before", "after")
                    found |= {0, 1} if not isinstance(other, p.ThisAct) or leaf.op == "on" else {0} if leaf.op in forward else {1}
        return tuple(sorted(found)) or (0,)

    def _killers(self, thing: Any) -> frozenset[str]:
        """The acts after which nothing of a thing is left: they always state the fact, or are what it counts since."""
        if isinstance(thing, p.DoneTest) and thing.since:
            return frozenset((thing.since,))
        if isinstance(thing, (p.FactTest, p.FactDay)):
            facts = set(facts_asked(thing)) if isinstance(thing, p.FactTest) else {thing.fact}
            return frozenset(name for name, action in self.flow.actions.items() if facts <= set(action.takes))
        if isinstance(thing, p.FlagTest):
            return frozenset(name for name, action in self.flow.actions.items() if thing.flag in (*action.raises, *action.lowers))
        return frozenset()
