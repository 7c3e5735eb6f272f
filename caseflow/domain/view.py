"""What a condition sees of a case: the act's own facts and day, and the case as it stood before the act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.case import Case, FeeLine, Mark
from caseflow.domain.clock import Run, derive
from caseflow.domain.conditions import Value, answer
from caseflow.domain.facts import empty
from caseflow.domain.fees import ZERO, Had, electronic_lines, had, kept, moved, owed_by_act, total
from caseflow.domain.machine import branches, choose
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.rules import judged


class CaseView:
    """Implements conditions.View. Clocks are derived when asked, once."""

    __slots__ = ("_choosing", "_runs", "action", "book", "case", "day", "facts", "name", "own", "settings")

    def __init__(self, book: Rulebook, case: Case | None, name: str, facts: Mapping[str, Any], day: date, settings: Mapping[str, Any]) -> None:
        self.book = book
        self.case = case
        self.name = name
        self.action = book.workflow.actions.get(name)
        self.own = book.reads.get(name, frozenset())
        self.facts = facts
        self.day = day
        self.settings = settings
        self._runs: dict[str, Run] = {}
        self._choosing = False

    def fact(self, name: str) -> Any:
        """This act's value of its own facts; of every other fact the case's; else what the workflow fixes."""
        if name in self.book.fixed:
            return self.book.defaults[name]
        if name == "missing_items" and name not in self.facts:
            return list(self.items_missing())
        if name == "reached_by":
            return self.reached_by()
        value = self.facts.get(name)
        if value is None and name not in self.own and self.case is not None:
            value = self.case.facts.get(name)
        return self.book.defaults.get(name) if value is None else value

    def given(self, name: str) -> bool:
        """Whether something was said: a default, an empty text or an empty list is nothing."""
        if name == "missing_items":
            return bool(self.items_missing())
        if name == "reached_by":
            return self.reached_by() is not None
        value = self.facts.get(name)
        if value is None and name not in self.own and self.case is not None:
            value = self.case.facts.get(name)
        return not empty(value)

    def reached_by(self) -> str | None:
        """How letters reach the requester: email or post."""
        parties = self.case.parties if self.case is not None else ()
        found = next((party for party in parties if party.role == "requester"), None)
        return None if found is None else found.channel if found.email else "post"

    def condition(self, name: str) -> p.Condition | p.Rule:
        return self.book.conditions[name]

    def filed_on(self) -> date | None:
        return self.case.received_on if self.case is not None else self.day

    def last(self, action: str) -> tuple[date, int] | None:
        done = self.case.done.get(action) if self.case is not None else None
        return (done.on, done.seq) if done is not None else None

    def clock(self, name: str) -> Run:
        if name not in self._runs:
            self._runs[name] = run(self.book, self.case, name, self.day, self.settings)
        return self._runs[name]

    def flag(self, name: str) -> bool:
        return self.case is not None and name in self.case.flags

    def sent_on(self, letter: str) -> date | None:
        made = self.case.letters if self.case is not None else ()
        return next((item.served_on or item.sent_on for item in reversed(made) if item.id == letter and item.sent_on is not None), None)

    def items_missing(self) -> Sequence[str]:
        """Items of the filing that are not in, this act's receipts taken as in."""
        if self.case is None:
            return self.facts.get("missing_items") or ()
        received: Sequence[str] = ()
        if self.action is not None and self.action.items in ("receives", "satisfies"):
            received = self.facts.get("items") or ()
        filing = self.book.workflow.items
        return [name for name, item in self.case.items.items() if item.status in ("missing", "asked") and name not in received and (name in filing)]

    def standards_open(self) -> Sequence[str]:
        """Standards of the workflow that apply and that this act does not find met, with a because."""
        findings = self.fact("findings")
        found = findings if isinstance(findings, Mapping) else {}
        return [name for name in self.book.workflow.standards if self._applies(name) and not _met(found.get(name))]

    def judged(self, name: str) -> Value:
        """What was judged of a rule that the facts leave open."""
        return judged(self, self.book.of_judgment, name)

    def _applies(self, name: str) -> bool:
        """Whether a standard applies, so far as is known: what may apply must be found."""
        rule = self.book.standards[name]
        return rule.applies is None or answer(rule.applies, self) is not False

    def owed_now(self) -> tuple[FeeLine, ...]:
        """What this act owes, as far as its outcome is known."""
        if self.case is None or self.action is None:
            return tuple(FeeLine(*line) for line in self.facts.get("fee_lines") or ())
        refs = [*self.action.fees]
        if self.action.outcomes and not self._choosing:
            self._choosing = True
            place = choose(self.action, self)
            self._choosing = False
            if place is not None:
                refs += branches(self.action)[place].fees
        seq, fees = self.case.version + 1, self.book.pack.fees
        lines = owed_by_act(fees, refs, seq, self.fee_owed, self.settings, self.owed_before()) if refs else ()
        if self.pays_electronically():
            lines += electronic_lines(fees, self.book.workflow.fees, seq, self.settings)
        return lines

    def owed_before(self) -> dict[str, Had]:
        """What the whole request owes before this act, by fee."""
        found = had(self.case.fees) if self.case is not None else {}
        for name, (amount, units) in (self._elsewhere().get("fees") or {}).items():
            before = found.get(name, Had(ZERO, 0))
            found[name] = Had(before.amount + Decimal(amount), before.units + int(units))
        return found

    def paid_before(self) -> Decimal:
        """What was paid for the whole request before this act, and is neither returned nor given back."""
        elsewhere = self._elsewhere()
        paid = Decimal(str(elsewhere.get("paid", 0))) - Decimal(str(elsewhere.get("refunded", 0)))
        return paid + (kept(self.case.payments) - moved(self.case.payments, "refunded") if self.case is not None else ZERO)

    def goes_on(self, fee: str) -> Sequence[str]:
        """The other cases of the request that the fee was paid for too and that are not over."""
        return (self._elsewhere().get("open") or {}).get(fee) or ()

    def _elsewhere(self) -> Mapping[str, Any]:
        return self.facts.get("elsewhere") or {}

    def fee_owed(self, ref: p.FeeRef) -> bool:
        """Whether a fee's condition holds for this act."""
        return ref.when is None or answer(ref.when, self) is True

    def tendered(self) -> tuple[Decimal, str] | None:
        """The money that comes with this act: amount and method."""
        payment = self.facts.get("payment")
        if isinstance(payment, Mapping) and payment.get("amount") is not None:
            return Decimal(str(payment["amount"])), str(payment.get("method") or "other")
        if self.action is not None and self.action.money == "received" and self.facts.get("amount") is not None:
            return Decimal(str(self.facts["amount"])), str(self.facts.get("method") or "other")
        return None

    def pays_electronically(self) -> bool:
        """Whether this act brings an electronic payment."""
        paid = self.tendered()
        return paid is not None and paid[1] == "electronic"

    def fees_covered(self) -> Value:
        """What this act owes is covered by what comes with it and by what was paid before and not used up."""
        paid = self.tendered()
        if paid is not None and paid[1] == "waived":
            return True
        now = paid[0] if paid is not None else ZERO
        owed = total(self.owed_now())
        elsewhere = self._elsewhere()
        before_owed = Decimal(str(elsewhere.get("owed", 0)))
        before_paid = Decimal(str(elsewhere.get("paid", 0)))
        if self.case is not None:
            before_owed += total(self.case.fees)
            before_paid += kept(self.case.payments)
        if self.case is None or (owed == ZERO) or not self._owes_itself():
            return now + before_paid >= owed + before_owed
        return now + max(ZERO, before_paid - before_owed) >= owed

    def _owes_itself(self) -> bool:
        """Whether the act owes a fee of its own, besides what its payment costs."""
        return any(self.book.pack.fees[line.id].per != "electronic-payment" for line in self.owed_now())


def _met(finding: Any) -> bool:
    """A finding that says met, and why."""
    return isinstance(finding, Mapping) and finding.get("met") is True and bool(str(finding.get("because") or "").strip())


def marks_of(case: Case | None, clock: str) -> tuple[Mark, ...]:
    """The marks of one clock, in order."""
    return tuple(mark for mark in case.marks if mark.clock == clock) if case is not None else ()


def run(book: Rulebook, case: Case | None, name: str, day: date, settings: Mapping[str, Any] | None = None, explain: bool = False) -> Run:
    """A clock of a case on a day."""
    chosen = settings if settings is not None else case.settings if case is not None else {}
    if case is None or explain:
        return _silenced(book, case, name, day, _derived(book, marks_of(case, name), name, day, chosen, explain))
    known, marks = _kept(book, case, chosen)
    if (name, day) not in known:
        known[(name, day)] = _derived(book, marks.get(name, ()), name, day, chosen, False)
    return _silenced(book, case, name, day, known[(name, day)])


def _silenced(book: Rulebook, case: Case | None, name: str, day: date, made: Run) -> Run:
    """A clock that silence has answered is at an end: it stays missed, and grows no later from day to day."""
    if case is None or made.due is None or made.status not in ("missed", "over") or made.ended_on is not None:
        return made
    silence = book.workflow.clocks[name].silence
    done = case.done.get(silence) if silence is not None else None
    on = done.on.toordinal() if done is not None else None
    if done is None or on is None or not made.due < on <= day.toordinal():
        return made
    return replace(made, missed_by=min(made.missed_by or on - made.due, on - made.due), ended_on=on, ended_seq=done.seq)


# One decision asks the same clocks several times: for its timers, its lists and its letters. What was derived last is
# kept for as long as the marks, the rulebook and the settings are the very same objects.
_last: tuple[tuple[Mark, ...], Rulebook, Mapping[str, Any], tuple[dict[tuple[str, date], Run], dict[str, tuple[Mark, ...]]]] | None = None


def _kept(book: Rulebook, case: Case, settings: Mapping[str, Any]) -> tuple[dict[tuple[str, date], Run], dict[str, tuple[Mark, ...]]]:
    """What was derived of these very marks, and the marks by their clocks."""
    global _last
    kept = _last
    if kept is None or kept[0] is not case.marks or kept[1] is not book or kept[2] is not settings:
        kept = _last = (case.marks, book, settings, ({}, {name: marks_of(case, name) for name in {mark.clock for mark in case.marks}}))
    return kept[3]


def _derived(book: Rulebook, marks: tuple[Mark, ...], name: str, day: date, settings: Mapping[str, Any], explain: bool) -> Run:
    clock = book.workflow.clocks[name]
    if not marks:
        return Run(name, "not-started")
    if book.runs is None or explain:
        return derive(name, clock, marks, book.calendar, settings, day, book.before_roll(clock), explain)
    known = book.runs.get((name, day, marks))
    if known is None:
        known = book.runs[(name, day, marks)] = derive(name, clock, marks, book.calendar, settings, day, book.before_roll(clock))
    return known
