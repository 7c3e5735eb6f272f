"""What a rule set finds on some facts: each rule with what was compared, and the whole. Nothing unknown counts as passed.

A rule passes, fails, is unknown (a fact is missing) or open to judgment (only a person can say). Under `all` one fail
decides, under `any` one pass; otherwise one unknown makes the whole unknown, and it is judgment where everything still
open is of judgment. A recorded judgment settles only what is still of judgment: it never overrules what is computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.binding import Allotted, Listed, bind, bound_parts, facts_asked, group_of, leaves_of
from caseflow.domain.clock import Run
from caseflow.domain.conditions import Leaf, Value, View, answer, describe
from caseflow.domain.facts import empty
from caseflow.errors import Reason, Refused

PASS, FAIL, UNKNOWN, JUDGMENT = "pass", "fail", "unknown", "judgment"
ASIDE, COMPUTED = "not-applicable", "computed"
UNDETERMINED = "undetermined"
SETTLES: Mapping[str, bool] = {PASS: True, FAIL: False}
RAISES: Mapping[str, bool] = {"raised": True, "not-raised": False}
"""What a judgment may say of a rule, and of a requirement-trigger."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found on one rule.

    `outcome` is pass, fail, unknown, judgment, not-applicable or computed. `value` is what is computed: the combinations
    of an allotment, or {raised, then, by} of a requirement-trigger. `counted` says whether it decides the whole, `open`
    whether it leaves it undetermined. `judgment` is what a person recorded; `idle` that it settled nothing.
    """

    rule: str
    part: str
    title: str
    text: str
    cite: str | None
    kind: str
    mode: str
    confidence: str | None
    outcome: str
    leaves: tuple[Leaf, ...] = ()
    value: Any = None
    reading: str | None = None
    note: str | None = None
    instead: str | None = None
    within: str | None = None
    considers: tuple[tuple[str, Any], ...] = ()
    found: bool = True
    counted: bool = False
    failed: bool = False
    open: bool = False
    judgment: Mapping[str, Any] | None = None
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know about a whole evaluation: an id and a sentence."""

    id: str
    text: str
    cite: str | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A rule set on some facts. `result` is pass, fail or undetermined.

    `version` is the text that was asked, `law` the version in force on the day received where the pack knows it.
    """

    ruleset: str
    version: str
    title: str
    received: date
    in_force: bool
    result: str
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...] = ()
    law: str | None = None

    def finding(self, rule: str) -> Finding | None:
        """The finding on one rule."""
        return next((one for one in self.findings if one.rule == rule), None)

    def deciding(self) -> tuple[Finding, ...]:
        """The findings that keep the whole from passing: those that fail, then those that are open."""
        counted = [one for one in self.findings if one.counted]
        return (*(one for one in counted if one.failed), *(one for one in counted if one.open))


class RuleBook:
    """One version of a rule set ready to be asked, with the rules that it borrows. Shared by every evaluation."""

    def __init__(self, pack: p.Pack, ruleset: p.RuleSet, received: date) -> None:
        self.ruleset = ruleset
        self.facts = pack.facts
        self.settings = {name: setting.default for name, setting in pack.text.settings.items()}
        self.rules = bind(pack, (ruleset.ruleset,), received)
        self.parts = bound_parts(pack, ruleset, received)
        self.defaults = {name: value for name, fact in pack.facts.items() if (value := fact.fixed if fact.fixed is not None else fact.default) is not None}
        self.judged_facts = frozenset(name for name, fact in pack.facts.items() if fact.established == "judgment")
        self.places = {rule: (name, part) for name, part in ruleset.parts.items() for rule in part.rules}
        self.asks_whole = {rule for rule in self.places if any(isinstance(leaf, p.WholeTest) for leaf in leaves_of(self.rules[rule].test))}


def rule_book(pack: p.Pack, name: str, received: date) -> RuleBook | None:
    """The version of a rule set for the day received, ready to be asked; None where there is no such set."""
    ruleset = pack.ruleset(name, received)
    if ruleset is None:
        return None
    versions = tuple(sorted((one.ruleset, one.version) for one in _chosen(pack, received)))
    return _rule_book(pack.hash, name, versions, _Kept(pack, received))


def _chosen(pack: p.Pack, received: date) -> Iterator[p.RuleSet]:
    for name in {one.ruleset for one in pack.rulesets}:
        found = pack.ruleset(name, received)
        if found is not None:
            yield found


class _Kept:
    """Lets a rule book be kept by the pack's hash and its versions alone."""

    def __init__(self, pack: p.Pack, received: date) -> None:
        self.pack, self.received = pack, received

    def __hash__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept)


@lru_cache(maxsize=64)
def _rule_book(_hash: str, name: str, _versions: tuple[tuple[str, str], ...], kept: _Kept) -> RuleBook:
    ruleset = kept.pack.ruleset(name, kept.received)
    assert ruleset is not None
    return RuleBook(kept.pack, ruleset, kept.received)


# --- outcomes -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Asking:
    """Rules asked of one view: what is judged, which facts are of judgment, and how the whole came out."""

    view: View
    judgments: Mapping[str, Any]
    of_judgment: frozenset[str]
    whole: Value = None
    known: dict[str, tuple[str, tuple[Leaf, ...]]] = field(default_factory=dict)

    def rule(self, name: str, settles: Value = None) -> tuple[str, tuple[Leaf, ...]]:
        """The outcome of a rule with its leaves. `settles` is what a judgment on a rule that names it says of it."""
        if settles is None and name in self.known:
            return self.known[name]
        condition = self.view.condition(name)
        own = self.settled(name, condition)
        found = self._rule(name, condition, settles if own is None else own)
        if settles is None:
            self.known[name] = found
        return found

    def settled(self, name: str, condition: p.Condition | p.Rule) -> Value:
        """What a person has judged of a rule, or of the one whose test it borrows; nothing where nobody has."""
        if not self.judgments:
            return None
        names = [name.rpartition("/")[2]]
        if isinstance(condition, p.Rule) and condition.same_as is not None:
            names.append(condition.same_as.rule)
        said = next((one for key in names if isinstance(one := self.judgments.get(key), Mapping)), {})
        outcome = str(said.get("outcome"))
        return SETTLES.get(outcome, RAISES.get(outcome))

    def _rule(self, name: str, condition: p.Condition | p.Rule, settles: Value) -> tuple[str, tuple[Leaf, ...]]:
        leaves: list[Leaf] = []
        if condition.applies is not None:
            # Who judges a rule has judged that it applies.
            applies, open_ = self.weigh(condition.applies, settles if settles is None else True, leaves)
            if applies == FAIL:
                return ASIDE, ()
            if applies != PASS:
                return applies, tuple(_as(leaves[place], decides=True) for place in open_)
        if condition.test is None:
            outcome = JUDGMENT if settles is None else _said(settles)
            return outcome, (Leaf(name, "is", "judged", None, None if settles is None else outcome, outcome, decides=True),)
        tested: list[Leaf] = []
        outcome, deciding = self.weigh(condition.test, settles, tested)
        for place in deciding:
            tested[place] = _as(tested[place], decides=True)
        return outcome, tuple(tested)

    def weigh(self, test: Any, settles: Value, leaves: list[Leaf], barred: bool = False) -> tuple[str, tuple[int, ...]]:
        """Pass, fail, unknown or judgment, and the places of the comparisons it rests on; each one made is added to `leaves`.

        `barred` says that the test must not hold, since it stands under `none`.
        """
        group = group_of(test)
        if group is not None:
            word, members = group
            if word == "none":
                settles, barred = None if settles is None else not settles, not barred
            return _joined(word, [self.weigh(member, settles, leaves, barred) for member in members])
        begin = len(leaves)
        if isinstance(test, p.Named):
            outcome, inside = self.rule(test.name, settles)
            leaves += [_as(leaf, False, leaf.rule or test.name, leaf.barred is not barred) for leaf in inside]
            return (PASS if outcome == ASIDE else outcome), tuple(begin + place for place, leaf in enumerate(inside) if leaf.decides)
        if isinstance(test, p.WholeTest):
            outcome = UNKNOWN if self.whole is None else _said(self.whole)
            leaves.append(Leaf("whole", "is", test.whole, None, None if self.whole is None else "failed" if self.whole else "not failed", outcome))
            return outcome, (begin,)
        value = answer(test, self.view)
        if value is None and self._of_judgment(test):
            outcome = JUDGMENT if settles is None else _said(settles)
        else:
            outcome = UNKNOWN if value is None else _said(value)
        leaf = describe(test, self.view, outcome)
        leaves.append(_as(leaf, False, None, True) if barred else leaf)
        return outcome, (begin,)

    def _of_judgment(self, test: Any) -> bool:
        asked = (test.fact,) if isinstance(test, Listed) else tuple(facts_asked(test))
        missing = [name for name in asked if empty(self.view.fact(name))]
        return bool(missing) and self.of_judgment.issuperset(missing)


def _as(leaf: Leaf, decides: bool, rule: str | None = None, barred: bool | None = None) -> Leaf:
    """The leaf with other marks."""
    within = leaf.rule if rule is None else rule
    return Leaf(leaf.field, leaf.op, leaf.value, leaf.unit, leaf.got, leaf.outcome, leaf.allowed, within, decides, leaf.barred if barred is None else barred)


def _said(value: bool) -> str:
    return PASS if value else FAIL


def _joined(word: str, members: Sequence[tuple[str, tuple[int, ...]]]) -> tuple[str, tuple[int, ...]]:
    """The outcome of a group, resting on the members that decide it; on those that are open where none does."""
    outcomes = [outcome for outcome, _ in members]
    decides = FAIL if word == "all" else PASS
    if decides in outcomes:
        resting: tuple[str, ...] = (decides,)
        outcome = PASS if word == "any" else FAIL
    elif UNKNOWN in outcomes or JUDGMENT in outcomes:
        resting = (UNKNOWN, JUDGMENT)
        outcome = UNKNOWN if UNKNOWN in outcomes else JUDGMENT
    else:
        resting = (PASS, FAIL)
        outcome = FAIL if word == "any" else PASS
    return outcome, tuple(place for one, places in members if one in resting for place in places)


# --- evaluation ---------------------------------------------------------------------------------------------------


class FactsView:
    """Facts alone, as a view: there is no case, so nothing was done, no clock runs and no flag is up."""

    def __init__(self, book: RuleBook, facts: Mapping[str, Any], settings: Mapping[str, Any], day: date) -> None:
        self.book, self.facts, self.settings, self.day = book, facts, settings, day

    def fact(self, name: str) -> Any:
        """What is stated; else what the pack takes where nothing is."""
        value = self.facts.get(name)
        return self.book.defaults.get(name) if value is None else value

    def given(self, name: str) -> bool:
        return not empty(self.facts.get(name))

    def condition(self, name: str) -> p.Condition | p.Rule:
        return self.book.rules[name]

    def filed_on(self) -> date | None:
        return self.day

    def last(self, action: str) -> tuple[date, int] | None:
        return None

    def clock(self, name: str) -> Run:
        return Run(name, "not-started")

    def flag(self, name: str) -> bool:
        return False

    def sent_on(self, letter: str) -> date | None:
        return None

    def items_missing(self) -> Sequence[str]:
        return ()

    def fees_covered(self) -> Value:
        return None

    def standards_open(self) -> Sequence[str]:
        return ()

    def judged(self, name: str) -> Value:
        return None


def evaluate(book: RuleBook, facts: Mapping[str, Any], judgments: Mapping[str, Any], settings: Mapping[str, Any], on: date) -> Evaluation:
    """The rule set on facts, as fitted to their types, received on a day. Raises Refused where its text may no longer be used."""
    ruleset = book.ruleset
    in_force = ruleset.in_force.covers(on)
    notes = [] if in_force else [_out_of_force(ruleset, {**book.settings, **settings}, on)]
    asking = Asking(FactsView(book, facts, {**book.settings, **settings}, on), judgments, book.judged_facts)
    for place, applies in book.parts.items():
        if applies is not None and asking.weigh(applies, None, [])[0] == FAIL:
            asking.known.update(dict.fromkeys(ruleset.parts[place].rules, (ASIDE, ())))
    cover = _cover(book, asking)
    found = {name: _finding(book, asking, name) for name in book.places if name not in book.asks_whole}
    counted = [one for one in (cover, *found.values()) if one is not None and one.counted]
    result = FAIL if any(one.failed for one in counted) else UNDETERMINED if any(one.open for one in counted) else PASS
    asking.whole = {FAIL: True, PASS: False}.get(result)
    found.update((name, _finding(book, asking, name)) for name in book.asks_whole)
    if not any(one.outcome != ASIDE for one in counted):
        notes.append(Note("nothing-applies", "No rule of this set applies to these facts."))
    ordered = [found[name] for name in book.places]
    return Evaluation(
        ruleset=ruleset.ruleset,
        version=ruleset.version,
        title=ruleset.title or ruleset.ruleset,
        received=on,
        in_force=in_force,
        result=result,
        findings=tuple([cover, *ordered] if cover is not None else ordered),
        notes=tuple(notes),
        law=law_on(ruleset, on),
    )


def law_on(ruleset: p.RuleSet, on: date) -> str | None:
    """The version that was the law on a day: this one, the one that took its place, or None where the pack names none."""
    force, after = ruleset.in_force, ruleset.after_end
    if force.covers(on):
        return ruleset.version
    ended = force.until is not None and on > force.until
    return after.replaced_by if ended and after is not None else None


def _out_of_force(ruleset: p.RuleSet, settings: Mapping[str, Any], on: date) -> Note:
    """What is said of a text asked for before or after its time. Raises Refused where the agency refuses it."""
    force, after = ruleset.in_force, ruleset.after_end
    if force.from_ is not None and on < force.from_:
        return Note("not-yet-in-force", f"{ruleset.version} applies to what is received from {force.from_} on.")
    if after is None:
        return Note("no-longer-in-force", f"{ruleset.version} applied to what was received until {force.until}.")
    if after.setting is not None and settings.get(after.setting) == "refuse":
        instead = f"Choose the reading 'advise' of the setting '{after.setting}', or ask for a day until {force.until}."
        raise Refused([Reason("guard-failed", after.note, after.text, after.cite, instead=instead)], f"{ruleset.ruleset} is not used for {on}")
    return Note(after.note, after.text, after.cite)


def _cover(book: RuleBook, asking: Asking) -> Finding | None:
    """Whether the activity is one that the set is about."""
    ruleset = book.ruleset
    if ruleset.covers is None:
        return None
    active = [part for part in ruleset.parts.values() if part.activity]
    outcome, _ = _joined("any", [asking.weigh(book.parts[name], None, []) for name, part in ruleset.parts.items() if part.activity])
    got = asking.view.fact(ruleset.covers)
    covered = list(dict.fromkeys(_values(ruleset.covers, active)))
    titles = "; ".join(part.title for part in active)
    return Finding(
        rule=ruleset.ruleset,
        part="",
        title="What this set covers",
        text=f"The activity is one that this set covers: {titles}.",
        cite=ruleset.cite,
        kind="eligibility",
        mode="compute",
        confidence=ruleset.confidence,
        outcome=outcome,
        leaves=(Leaf(ruleset.covers, "in", covered, None, got, outcome, decides=True),),
        note=ruleset.note,
        counted=True,
        failed=outcome == FAIL,
        open=outcome in (UNKNOWN, JUDGMENT),
    )


def _values(fact: str, parts: Iterable[p.Part]) -> Iterator[str]:
    """The values of the covering fact that some part asks for."""
    for part in parts:
        for leaf in leaves_of(part.applies):
            if isinstance(leaf, p.FactTest) and leaf.fact == fact and leaf.op in ("is", "in"):
                yield from leaf.value if isinstance(leaf.value, (list, tuple)) else [str(leaf.value)]


def _finding(book: RuleBook, asking: Asking, name: str) -> Finding:
    rule = book.rules[name]
    place, part = book.places[name]
    outcome, leaves = (ASIDE, ()) if rule.kind == "procedure" else asking.rule(name)
    value, counted, failed, open_ = None, False, False, False
    if rule.kind in p.COUNTED:
        counted = rule.within is None
        outcome, value, open_ = _computed(rule.test, outcome, leaves, asking)
        failed = outcome == FAIL
    elif rule.kind == "requirement-trigger" and outcome != ASIDE:
        raised = SETTLES.get(outcome)
        value = {"raised": raised, "then": rule.then, "by": list(_by(rule.test, asking)) if raised else []}
        counted, failed, open_ = rule.blocks, raised is True, raised is None
        outcome = JUDGMENT if rule.test is None and outcome == JUDGMENT else COMPUTED
    said = asking.judgments.get(name)
    return Finding(
        rule=name,
        part=place,
        title=part.title,
        text=rule.text,
        cite=rule.cite,
        kind=rule.kind,
        mode=rule.mode,
        confidence=rule.confidence,
        outcome=outcome,
        leaves=leaves,
        value=value,
        reading=rule.reading,
        note=rule.note,
        instead=rule.instead,
        within=rule.within,
        considers=tuple((one, asking.view.fact(one)) for one in rule.considers),
        found=rule.found,
        counted=counted,
        failed=failed,
        open=open_,
        judgment=said,
        idle=said is not None and _idle(asking, name, rule),
    )


def _computed(test: Any, outcome: str, leaves: Sequence[Leaf], asking: Asking) -> tuple[str, Any, bool]:
    """Outcome, value and whether it is open. Where only what is asked of an allotment is missing, or nothing is, it is computed."""
    still = [leaf for leaf in leaves if leaf.outcome in (UNKNOWN, JUDGMENT)]
    given = [leaf for leaf in leaves if leaf.op == "gives"]
    open_ = outcome in (UNKNOWN, JUDGMENT)
    if not given or any(leaf.value is None for leaf in given):
        return outcome, None, open_
    value = [list(row) for row in dict.fromkeys(_gives(test, asking))]
    bare = outcome == PASS and not any(leaf.allowed["asked"] for leaf in given)
    if bare or (open_ and all(leaf.op == "gives" for leaf in still)):
        return COMPUTED, value, open_
    return outcome, value, open_


def _gives(test: Any, asking: Asking) -> Iterator[tuple[int, ...]]:
    """The combinations of the allotments of a test, without those of a branch that fails for another reason."""
    if isinstance(test, Allotted):
        for row in describe(test, asking.view, PASS).value or ():
            yield tuple(row)
        return
    group = group_of(test)
    if group is None or group[0] == "none":
        return
    others = [member for member in group[1] if not any(isinstance(leaf, Allotted) for leaf in leaves_of(member))]
    if group[0] == "all" and FAIL in [asking.weigh(member, None, [])[0] for member in others]:
        return
    for member in group[1]:
        yield from _gives(member, asking)


def _by(test: Any, asking: Asking) -> Iterator[str]:
    """The named steps of a trigger that hold."""
    for leaf in leaves_of(test):
        if isinstance(leaf, p.Named) and asking.rule(leaf.name)[0] == PASS:
            yield leaf.name.rpartition("/")[2]


def _idle(asking: Asking, name: str, rule: p.Rule) -> bool:
    """Whether a judgment settles nothing: what is computed decides without it."""
    without = replace(asking, judgments={key: one for key, one in asking.judgments.items() if key != name}, known={})
    return rule.kind == "procedure" or without.rule(name)[0] not in (UNKNOWN, JUDGMENT)


def judged(view: View, of_judgment: frozenset[str], name: str) -> Value:
    """Whether a rule that is not known holds by what was judged and recorded under `judgments` in the case."""
    judgments = view.fact("judgments")
    if not isinstance(judgments, Mapping) or not judgments:
        return None
    outcome, _ = Asking(view, judgments, of_judgment).rule(name)
    return {PASS: True, ASIDE: True, FAIL: False}.get(outcome)
