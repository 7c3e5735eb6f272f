"""A workflow ready to run: its facts merged, its machine compiled, its clocks indexed by the acts that move them.

Built once per workflow version and shared by every case. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from caseflow.domain import pack as p
from caseflow.domain.binding import bind, facts_asked, group_of, leaves_of
from caseflow.domain.calendar import Calendar
from caseflow.domain.machine import StateMachine

SUPERVISOR = "supervisor"
FILED_FACTS = (
    "requester_capacity",
    "in_form",
    "payment",
    "missing_items",
    "exclusions_claimed",
    "exclusions_unanswered",
    "waterbody",
    "county",
    "channel",
    "third_party",
    "expedite_asked_on",
)
"""Facts that filing itself states, in every workflow."""

JUDGMENTS = p.Fact.model_construct(type="record", title="What people judged of the rules", hint="{RULE: {outcome: pass, why: ...}}", policy=True)
"""The fact under which judgments are recorded, in every workflow that has rule sets."""

PAYMENT_FACTS = ("amount", "method", "paid_on", "reference", "payment")

# Within one entry, ends come before starts: an act that meets one period and begins the next does both.
_ORDER = ("met", "stop", "cancel", "displace", "fit", "resume", "hold", "start", "expect", "extend")


class ClockMove(NamedTuple):
    """What an action does to a clock: the kind of mark, which of the clock's words says so, and when."""

    clock: str
    kind: str
    at: int
    moment: p.Moment


class Rulebook:
    """One workflow of one pack version with its calendar, and its rule sets as the day received picks them."""

    def __init__(self, pack: p.Pack, workflow: p.Workflow, received: date | None = None) -> None:
        self.pack = pack
        self.workflow = workflow
        self.runs: dict[tuple[str, date, tuple[Any, ...]], Any] | None = None
        """What clocks showed by their marks and the day, where many cases share them under the same readings: only in a walk of all cases."""
        self.calendar = calendar_of(pack)
        self.facts = facts_of(pack, workflow)
        self.defaults = {
            name: fact.fixed if fact.fixed is not None else fact.default
            for name, fact in self.facts.items()
            if fact.fixed is not None or fact.default is not None
        }
        self.of_judgment = frozenset(name for name, fact in self.facts.items() if fact.established == "judgment")
        self.fixed = {name for name, fact in self.facts.items() if fact.fixed is not None}
        self.rules = rules = bind(pack, dict.fromkeys((*workflow.rules, *workflow.screens)), received)
        self.asked = frozenset(name for rule in rules.values() for name in _asked(rule) if name in self.facts and name not in self.fixed)
        if rules:
            self.facts.setdefault("judgments", JUDGMENTS)
        self.conditions: dict[str, p.Condition | p.Rule] = {**rules, **workflow.conditions}
        self.standards = {name: rules[name] for name in workflow.standards if name in rules}
        self.machine = StateMachine(workflow)
        self.agency = agency_of(pack)
        self.own = {name: frozenset(self._own_facts(action)) for name, action in workflow.actions.items()}
        self.reads = {name: self.own[name] - self.restated(action) for name, action in workflow.actions.items()}
        self.moves = moves_of(workflow)
        self.limits: dict[str, tuple[str, ...]] = {}
        for name, limit in workflow.limits.items():
            for action in limit.action:
                self.limits[action] = (*self.limits.get(action, ()), name)
        self.timed = {
            name: clock for name, clock in workflow.clocks.items() if clock.overdue or clock.silence or clock.remind or clock.warn_before or clock.alert
        }
        self.waiting = {name: frozenset(workflow.states_of(clock.waits_in)) for name, clock in workflow.clocks.items()}
        self.leaving = {name: self._leaving(states) for name, states in self.waiting.items() if states}
        self.used_facts = {name: frozenset(self._facts_of(action)) for name, action in workflow.actions.items()}
        self.refunds = refunds_of(pack, workflow)
        self.paying = frozenset(name for name, action in workflow.actions.items() if self._pays(name, action))

    def restated(self, action: p.Action) -> frozenset[str]:
        """The facts that an act may state anew; where it is silent they are read from the case."""
        found = {*action.may_restate, *((*self.asked, "judgments") if action.establishes is not None else ())}
        return frozenset(found.difference(action.takes, action.may_take))

    def _own_facts(self, action: p.Action) -> Iterable[str]:
        yield from action.takes
        yield from action.may_take
        yield from self.restated(action)
        if action.money is not None:
            yield from PAYMENT_FACTS

    def _pays(self, name: str, action: p.Action) -> bool:
        """Whether an act turns on the money of the whole request."""
        owes = bool(action.fees) or any(branch.fees for branch in action.outcomes)
        return owes or action.money is not None or "amount" in self.used_facts[name] or name in self.refunds

    def _leaving(self, states: frozenset[str]) -> frozenset[str]:
        """The acts that lead out of some states."""
        return frozenset(act for act, source, to in self.machine.edges() if source in states and to not in states)

    @property
    def settings(self) -> dict[str, Any]:
        """The readings that the pack chooses."""
        return {name: _plain(setting.default) for name, setting in self.pack.text.settings.items()}

    def phase(self, state: str) -> str:
        """The state that reports count this one under."""
        return self.workflow.states[state].phase or state

    def role_may(self, role: str, by: Iterable[str]) -> bool:
        """Whether a role may do what is done `by` others."""
        also = self.pack.text.roles[role].also if role in self.pack.text.roles else ()
        return role in by or any(other in by for other in also)

    def escalates_on(self, since: date) -> date:
        """The day on which work that has waited since a day goes to a supervisor."""
        days = self.pack.text.escalates_after
        number = days.number if isinstance(days.number, int) else 5
        return date.fromordinal(self.calendar.business_day(since.toordinal(), number))

    def before_roll(self, clock: p.Clock) -> bool:
        """Whether a clock's target looks at the day before the roll."""
        return (clock.target or self.workflow.target) == "before-roll"

    def _facts_of(self, action: p.Action) -> set[str]:
        tests: list[Any] = [*action.needs, *(branch.when for branch in action.outcomes if branch.when is not None)]
        return {name for test in tests for name in self.facts_in(test)}

    def facts_in(self, test: Any) -> set[str]:
        """Every fact that a test may read, through the conditions it names."""
        found: set[str] = set()
        pending: list[Any] = [test]
        seen: set[str] = set()
        while pending:
            item = pending.pop()
            if isinstance(item, p.Named):
                if item.name not in seen and item.name in self.conditions:
                    seen.add(item.name)
                    condition = self.conditions[item.name]
                    pending += [test for test in (condition.test, condition.applies) if test is not None]
                    found |= {"judgments"} if isinstance(condition, p.Rule) else set()
            elif isinstance(item, p.StandardsTest):
                found.add("findings")
                pending += [rule.applies for rule in self.standards.values() if rule.applies is not None]
            elif isinstance(item, p.ItemsTest):
                found |= {"items", "missing_items"}
            elif isinstance(item, p.FeesTest):
                found |= set(PAYMENT_FACTS)
            else:
                group = group_of(item)
                pending += group[1] if group is not None else ()
                found |= set(facts_asked(item))
        return found


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _asked(rule: p.Rule) -> Iterable[str]:
    """The facts that a rule asks or weighs."""
    yield from rule.considers
    for test in (rule.applies, rule.test):
        for leaf in leaves_of(test):
            yield from facts_asked(leaf)


def facts_of(pack: p.Pack, workflow: p.Workflow) -> dict[str, p.Fact]:
    """The pack's facts with what a workflow says of them; its own hide the pack's."""
    merged = dict(pack.facts)
    for name, own in workflow.facts.items():
        base = pack.facts.get(name)
        if base is not None and "type" not in own.model_fields_set:
            own = base.model_copy(update={key: getattr(own, key) for key in own.model_fields_set})
        merged[name] = own
    return merged


def fees_of(workflow: p.Workflow) -> set[str]:
    """Every fee that a workflow may owe, by filing or by an act."""
    acts = [ref.fee for action in workflow.actions.values() for ref in (*action.fees, *(fee for branch in action.outcomes for fee in branch.fees))]
    return {*acts, *(ref.fee for ref in workflow.fees)}


def refunds_of(pack: p.Pack, workflow: p.Workflow) -> dict[str, tuple[tuple[str, p.Refund], ...]]:
    """The refunds that each action may mean, for the fees that the workflow owes."""
    found: dict[str, tuple[tuple[str, p.Refund], ...]] = {}
    owes = fees_of(workflow)
    for name, refund in pack.refunds.items():
        for act in (*refund.on, *refund.never_on) if owes & set(refund.of) else ():
            if act in workflow.actions:
                found[act] = (*found.get(act, ()), (name, refund))
    return found


def moves_of(workflow: p.Workflow) -> dict[str, tuple[ClockMove, ...]]:
    """What each action does to each clock; ends before starts."""
    found: dict[str, list[ClockMove]] = {}

    def note(name: str, kind: str, at: int, moment: p.Moment) -> None:
        for action in (*moment.after, *moment.before):
            found.setdefault(action, []).append(ClockMove(name, kind, at, moment))

    for name, clock in workflow.clocks.items():
        for kind, moments in (("met", clock.met), ("stop", clock.stopped), ("cancel", clock.canceled)):
            for at, moment in enumerate(moments):
                note(name, kind, at, moment)
        for kind, moments in (("displace", clock.displaced), ("fit", clock.fits_again)):
            for at, moment in enumerate(moments):
                note(name, kind, at, moment)
        for at, hold in enumerate(clock.holds):
            for moment in hold.until:
                note(name, "resume", at, moment)
            for moment in hold.from_:
                note(name, "hold", at, moment)
        for at, extension in enumerate(clock.extended):
            note(name, "extend", at, extension)
        for at, start in enumerate(clock.starts):
            note(name, "start", at, start)
            for promise in start.expected_after:
                note(name, "expect", at, promise)
    return {action: tuple(sorted(moves, key=lambda move: _ORDER.index(move.kind))) for action, moves in found.items()}


class _Held:
    """Lets a calendar be cached by its pack's hash and its version alone."""

    def __init__(self, text: p.CalendarText) -> None:
        self.text = text

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held)


@lru_cache(maxsize=64)
def _calendar(_hash: str, version: str, held: _Held) -> Calendar:
    return Calendar(held.text, version)


def agency_of(pack: p.Pack) -> dict[str, Any]:
    """Who writes the letters, as they may state it."""
    agency = pack.text.agency
    return {name: list(said) if isinstance(said, tuple) else said for name, said in agency} if agency is not None else {"name": pack.text.title}


def calendar_of(pack: p.Pack) -> Calendar:
    """The calendar of a pack, its tables built once."""
    return _calendar(pack.hash, pack.calendar_version, _Held(pack.calendar))


def settings_of(pack: p.Pack, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The pack's defaults with an agency's own choices over them."""
    return {**{name: _plain(setting.default) for name, setting in pack.text.settings.items()}, **chosen}
