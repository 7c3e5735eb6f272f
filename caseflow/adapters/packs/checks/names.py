"""Every name in every place of a workflow: what it names must exist, and every act must say where it leads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from caseflow.adapters.packs.checks import walk
from caseflow.adapters.packs.checks.conditions import uncited
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.facts import nearest
from caseflow.domain.rulebook import FILED_FACTS, PAYMENT_FACTS, facts_of
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

IN_RULES_ONLY = (p.AllotmentTest, p.WholeTest, p.RuleRef)
"""Leaves that only a rule set has."""
GIVEN_BY = ("in_form", "requester_capacity", "boundary", "services", "payment", "third_party", "exclusions")


def check(loaded: Loaded) -> list[Fault]:
    """Faults of names in every workflow, abstract ones too."""
    return [fault for flow, node in (*loaded.flows, *loaded.bases) for fault in _Names(loaded.pack, flow, node).faults()]


class _Names:
    def __init__(self, pack: p.Pack, flow: p.Workflow, node: Node) -> None:
        self.pack, self.flow, self.node = pack, flow, node
        paid = PAYMENT_FACTS if any(action.money for action in flow.actions.values()) else ()
        self.book_facts = [*pack.facts, *flow.facts, *FILED_FACTS, *paid]
        self.rules = _rules_of(pack, flow.rules)
        self.found: list[Fault] = []

    def need(self, name: str, known: Iterable[str], what: str, path: walk.Path) -> None:
        known = list(known)
        if name not in known:
            self.found.append(Fault(*self.node.find(path), f"no {what} '{name}'{nearest(name, known)}"))

    def say(self, path: walk.Path, text: str, key: bool = False) -> None:
        self.found.append(Fault(*self.node.find(path, key), text))

    def faults(self) -> list[Fault]:
        self._states()
        if self.flow.unread is not None:
            self.need(self.flow.unread, self.flow.flags, "flag", ("unread",))
        for name, action in self.flow.actions.items():
            self._action(name, action)
        for name, clock in self.flow.clocks.items():
            self._clock(name, clock)
        for leaf in walk.all_leaves(self.flow):
            self._leaf(leaf)
        for day in walk.days(self.flow):
            self._day(day)
        for length in walk.lengths(self.flow):
            self._length(length)
        self._rest()
        return self.found

    def _states(self) -> None:
        for name, state in self.flow.states.items():
            phase = state.phase or name
            if phase not in self.pack.text.phases:
                path = ("states", name, "phase") if state.phase else ("states", name)
                self.say(path, f"state '{name}' has no phase; write one of {', '.join(self.pack.text.phases)}", not state.phase)
            if state.turn not in (*self.pack.calendar.actors, "nobody"):
                self.need(state.turn, [*self.pack.calendar.actors, "nobody"], "actor", ("states", name, "turn"))
        for name, members in self.flow.groups.items():
            for place, member in enumerate(members):
                self.need(member, [*self.flow.states, *self.flow.groups], "state or group", ("groups", name, place))

    def _action(self, name: str, action: p.Action) -> None:
        path: walk.Path = ("actions", name)
        if name in p.RESERVED_ACTIONS:
            self.say(path, f"'{name}' belongs to the core; choose another id", True)
        states = [*self.flow.states, *self.flow.groups]
        for place, state in enumerate(action.from_):
            self.need(state, states, "state or group", (*path, "from", place))
        if name == "file":
            if action.from_:
                self.say((*path, "from"), "filing opens the case and has no 'from'; leave it out")
        elif not action.from_:
            self.say(path, f"action '{name}' has no 'from'; name the states it is possible in", True)
        for place, role in enumerate(action.by):
            self.need(role, self.pack.text.roles, "role", (*path, "by", place))
        for word in ("takes", "may-take", "may-restate"):
            for place, fact in enumerate(getattr(action, word.replace("-", "_"))):
                self.need(fact, self.book_facts, "fact", (*path, word, place))
        for word in ("assigns", "aliases", "parties"):
            fact = getattr(action, word)
            if fact is not None and fact not in (*action.takes, *action.may_take):
                self.say((*path, word), f"'{name}' does not take the fact '{fact}'; put it under 'takes'")
        if action.establishes is not None and not (self.flow.rules or self.flow.screens or self.flow.abstract):
            self.say((*path, "establishes"), f"'{name}' establishes what rules ask, but the workflow names no rule sets; write 'rules'")
        if action.items is not None and "items" not in (*action.takes, *action.may_take):
            self.say((*path, "items"), f"'{name}' names items but does not take the fact 'items'; put it under 'takes' or 'may-take'")
        self._effects(action, path, name)
        for place, branch in enumerate(action.outcomes):
            here = (*path, "outcomes", place)
            self._effects(branch, here, name)
            if (branch.when is None) == (not branch.otherwise):
                self.say(here, "an outcome has either 'when' or 'otherwise: true'")
            if branch.otherwise and place < len(action.outcomes) - 1:
                self.say(here, "'otherwise' must be the last outcome; those after it are never reached")
        if action.outcomes and not action.outcomes[-1].otherwise:
            self.say((*path, "outcomes"), f"the outcomes of '{name}' do not say what happens else; end them with 'otherwise: true'")
        if action.to is None and not (action.outcomes and all(branch.to for branch in action.outcomes)):
            self.say(path, f"action '{name}' does not say where it leads; write 'to: same' if the state stays", True)

    def _effects(self, part: p.Action | p.Branch, path: walk.Path, name: str) -> None:
        to = part.to
        if to is not None and to not in ("same", "previous"):
            self.need(to, self.flow.states, "state", (*path, "to"))
        if to == "same" and name == "file":
            self.say((*path, "to"), "filing must lead to a state")
        if part.disposition is not None and part.disposition != "previous":
            self.need(part.disposition, self.flow.dispositions, "disposition", (*path, "disposition"))
        for word in ("raises", "lowers"):
            for place, flag in enumerate(getattr(part, word)):
                self.need(flag, self.flow.flags, "flag", (*path, word, place))
        for place, ref in enumerate(part.letters):
            self.need(ref.letter, self.pack.letters, "letter", (*path, "letters", place))
        for place, fee in enumerate(part.fees):
            self.need(fee.fee, self.pack.fees, "fee", (*path, "fees", place))
        for place, task in enumerate(part.task):
            for inner, act in enumerate(task.action):
                self.need(act, self.flow.actions, "action", (*path, "task", place, "action", inner))
            if task.for_ is not None:
                self.need(task.for_, self.pack.text.roles, "role", (*path, "task", place, "for"))

    def _clock(self, name: str, clock: p.Clock) -> None:
        path: walk.Path = ("clocks", name)
        if clock.actor is not None:
            self.need(clock.actor, self.pack.calendar.actors, "actor", (*path, "actor"))
        for word in ("overdue", "silence", "remind"):
            action = getattr(clock, word)
            if action is not None:
                self.need(action, self.flow.actions, "action", (*path, word))
        for place, state in enumerate(clock.waits_in):
            self.need(state, [*self.flow.states, *self.flow.groups], "state or group", (*path, "waits-in", place))
        if isinstance(clock.warn_before, p.SettingRef):
            self.need(clock.warn_before.setting, self.pack.text.settings, "setting", (*path, "warn-before", "setting"))
        for _word, moment, here in walk.moments(clock, path):
            # The path passes over words that are not in the file: an act stands alone, or under after, by or before.
            for place, act in enumerate(moment.after or moment.before):
                self.need(act, self.flow.actions, "action", (*here, "after", "by", "before", place))
            if bool(moment.after) == bool(moment.before):
                self.say(here, "a moment names the act that makes it: write 'after: ACTION', or 'before: ACTION' to count backwards")
            if isinstance(moment, p.Extension) and (moment.adds is None) == (moment.to is None):
                self.say(here, "an extension either adds a period or goes to a day: write 'adds' or 'to'")
        if not clock.starts:
            written = "starts" in self.node.value["clocks"].value[name].value
            self.say((*path, "starts") if written else path, f"clock '{name}' never starts; write 'starts'", True)
        if clock.length is None and any(start.length is None for start in clock.starts):
            self.say(path, f"clock '{name}' has no length; write one, such as 'length: {{days: 30}}'", True)

    def _leaf(self, leaf: walk.Found) -> None:
        part, path = leaf
        if isinstance(part, p.Named):
            self.need(part.name, [*self.flow.conditions, *self.rules], "condition", path)
        elif isinstance(part, p.FactTest):
            self.need(part.fact, self.book_facts, "fact", (*path, "fact"))
            if isinstance(part.value, Mapping) and set(part.value) == {"setting"}:
                self.need(str(part.value["setting"]), self.pack.text.settings, "setting", (*path, part.op, "setting"))
            elif isinstance(part.value, Mapping) and set(part.value) == {"fact"}:
                self.need(str(part.value["fact"]), self.book_facts, "fact", (*path, part.op, "fact"))
            elif isinstance(part.value, Mapping):
                self.say((*path, part.op), "a list belongs to a rule set; write the rule there and name it here")
            if part.where:
                self.say((*path, "where"), "'where' asks the columns of a list, and lists belong to rule sets; write the rule there and name it here")
        elif isinstance(part, p.SeasonTest):
            for place, fact in enumerate(part.days):
                self.need(fact, self.book_facts, "fact", (*path, "days", place))
        elif isinstance(part, IN_RULES_ONLY):
            word = next(iter(type(part).model_fields))
            self.say((*path, word), f"'{word}' belongs to a rule set; write the rule there and name it here")
        elif isinstance(part, p.StandardsTest) and not self.flow.standards:
            self.say((*path, "standards"), "the workflow names no standards; write 'standards' with the rules that a decision must find")
        elif isinstance(part, p.DoneTest):
            self.need(part.done, self.flow.actions, "action", (*path, "done"))
            if part.since is not None:
                self.need(part.since, self.flow.actions, "action", (*path, "since"))
        elif isinstance(part, p.ClockTest):
            self.need(part.clock, self.flow.clocks, "clock", (*path, "clock"))
            for place, status in enumerate(part.is_):
                self.need(status, p.STATUSES, "status of a clock", (*path, "is", place))
        elif isinstance(part, p.FlagTest):
            self.need(part.flag, self.flow.flags, "flag", (*path, "flag"))
        elif isinstance(part, p.SettingTest):
            self.found += [Fault(*self.node.find((*path, word)), text) for word, text in reading_faults(part, self.pack)]
        elif isinstance(part, p.ItemsTest) and part.items != "all":
            self.need(part.items, self.flow.items, "item", (*path, "items"))

    def _day(self, day: walk.Found) -> None:
        part, path = day
        if isinstance(part, p.FactDay):
            self.need(part.fact, self.book_facts, "fact", (*path, "fact"))
            own = self.flow.facts.get(part.fact)
            fact = own if own is not None and "type" in own.model_fields_set else self.pack.facts.get(part.fact)
            if fact is not None and fact.type not in ("day", "moment"):
                self.say((*path, "fact"), f"fact '{part.fact}' is no day; a count needs a fact of type day")
        elif isinstance(part, p.LastDay):
            self.need(part.last, self.flow.actions, "action", (*path, "last"))
        elif isinstance(part, p.ClockDay):
            self.need(part.clock, self.flow.clocks, "clock", (*path, "clock"))
        elif isinstance(part, p.SentDay) and part.sent != "this-act":
            self.need(part.sent, self.pack.letters, "letter", (*path, "sent"))

    def _length(self, length: walk.Found) -> None:
        number = length.part.number
        if isinstance(number, p.SettingRef):
            setting = self.pack.text.settings.get(number.setting)
            self.need(number.setting, self.pack.text.settings, "setting", (*length.path, length.part.unit, "setting"))
            if setting is not None and setting.number is None:
                self.say((*length.path, length.part.unit), f"setting '{number.setting}' holds no number; write 'number:' in it")
        elif number <= 0:
            self.say((*length.path, length.part.unit), f"a period of {number} {length.part.unit} can't run; write a number above 0")

    def _intake(self, intake: p.Intake) -> None:
        path: walk.Path = ("intake",)
        if intake.work_begins is not None:
            self.need(intake.work_begins, self.book_facts, "fact", (*path, "work-begins"))
            fact = facts_of(self.pack, self.flow).get(intake.work_begins)
            if fact is not None and fact.type != "day":
                self.say((*path, "work-begins"), f"fact '{intake.work_begins}' is of type {fact.type}; the start of work is a day: write 'type: day'")
        elif intake.lead is not None:
            self.say((*path, "lead"), "a lead is counted back from the start of work; name its fact under 'work-begins'", True)
        if intake.lead is not None and uncited(intake.lead):
            self.say((*path, "lead"), "the lead has no cite; name the law, or write 'note' (or 'policy: true') to say why there is none", True)
        for place, way in enumerate(intake.longest_path):
            for inner, step in enumerate(way.clocks):
                self._step(step, (*path, "longest-path", place, "clocks", inner))

    def _step(self, step: p.PathStep, path: walk.Path) -> None:
        self.need(step.clock, self.flow.clocks, "clock", (*path, "clock"))
        clock = self.flow.clocks.get(step.clock)
        if clock is None:
            return
        starts = {act: start for start in clock.starts for act in start.after}
        if step.after is not None:
            self.need(step.after, starts, f"start of clock '{step.clock}' by", (*path, "after"))
        if step.when is not None:
            asked = [start.when.name for start in clock.starts if isinstance(start.when, p.Named)]
            self.need(step.when, asked, f"condition at a start of clock '{step.clock}'", (*path, "when"))
        begins = starts.get(step.after) if step.after is not None else next(iter(clock.starts), None)
        if begins is not None and begins.length is None and clock.length is None:
            self.say(path, f"clock '{step.clock}' has no length at this start; name a start that has one under 'after'")

    def _rest(self) -> None:
        for name, limit in self.flow.limits.items():
            for place, act in enumerate(limit.action):
                self.need(act, self.flow.actions, "action", ("limits", name, "action", place))
            if limit.times < 1:
                self.say(("limits", name, "times"), "a limit allows at least 1; take the action away if it is never allowed")
        for place, ref in enumerate(self.flow.fees):
            self.need(ref.fee, self.pack.fees, "fee", ("fees", place))
        for kind, items in (("items", self.flow.items), ("petition-items", self.flow.petition_items)):
            for name, item in items.items():
                if item.given_by is not None:
                    self.need(item.given_by, GIVEN_BY, "member of a request", (kind, name, "given-by"))
        for word in ("rules", "screens"):
            for place, name in enumerate(getattr(self.flow, word)):
                self.need(name, [one.ruleset for one in self.pack.rulesets], "rule set", (word, place))
        known = self.rules | _rules_of(self.pack, self.flow.screens)
        for place, name in enumerate(self.flow.standards):
            self.need(name, sorted(known), "rule", ("standards", place))
        self._standards()
        if self.flow.intake is not None:
            self._intake(self.flow.intake)
        if self.flow.filed_on is not None:
            self.need(self.flow.filed_on, self.flow.clocks, "clock", ("filed-on",))
        if self.flow.calendar != self.pack.calendar.calendar:
            self.need(self.flow.calendar, [self.pack.calendar.calendar], "calendar", ("calendar",))
        if "file" not in self.flow.actions:
            self.say(("actions",), "the workflow has no action 'file'; filing opens every case", True)

    def _standards(self) -> None:
        """An act that needs the standards found takes the fact `findings`."""
        if not self.flow.standards:
            return
        asking = {name for name, one in self.flow.conditions.items() for part, _ in walk.leaves(one.test, ()) if isinstance(part, p.StandardsTest)}
        for name, action in self.flow.actions.items():
            parts = [part for need in action.needs for part, _ in walk.leaves(need, ())]
            asked = any(isinstance(part, p.StandardsTest) or (isinstance(part, p.Named) and part.name in asking) for part in parts)
            if asked and "findings" not in (*action.takes, *action.may_take):
                self.say(("actions", name), f"'{name}' needs the standards found but does not take the fact 'findings'; put it under 'takes'", True)


def _rules_of(pack: p.Pack, names: Iterable[str]) -> set[str]:
    """Every rule of those rule sets, of all their versions."""
    wanted = set(names)
    return {name for one in pack.rulesets if one.ruleset in wanted for name in one.rules()}


def reading_faults(test: p.SettingTest, pack: p.Pack) -> Iterable[tuple[str, str]]:
    """What is wrong with asking a setting, each with the word that says it."""
    setting = pack.text.settings.get(test.setting)
    if setting is None:
        yield "setting", f"no setting '{test.setting}'{nearest(test.setting, pack.text.settings)}"
        return
    for one in test.is_ if isinstance(test.is_, (list, tuple)) else [test.is_]:
        if setting.readings is not None and one not in tuple(setting.readings):
            yield "is", f"setting '{test.setting}' has no reading '{one}'; its readings: {', '.join(setting.readings)}"
        if setting.when_true is not None and not isinstance(one, bool):
            yield "is", f"setting '{test.setting}' is answered by true or false, not '{one}'"
