"""file(), act() and fire(): a case, an action and a day in, an Outcome out. Nothing is saved or sent here.

An act is judged on the case as it stood before it; every reason against it is reported together. An act that is
typed late, and every correction, is judged by replay.py, which uses the same two steps: judge and apply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.case import NO_HASH, SCHEDULER, Act, Actor, Case, Entry, LetterOwed, Outcome, Timer
from caseflow.domain.changes import apply, opened
from caseflow.domain.conditions import answer, holds, leaves
from caseflow.domain.facts import MAX_LIST, Misfit, empty, fit, nearest
from caseflow.domain.findings import finding_faults, judgment_faults, lacking, signed
from caseflow.domain.journal import sealed
from caseflow.domain.letterview import letters_owed
from caseflow.domain.machine import NEW, Attempt
from caseflow.domain.posting import EVENTS, letter_event, service_day
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.timers import occurrences, owed
from caseflow.domain.view import CaseView
from caseflow.errors import Reason, Refused

MANY = 16
"""Up to so many names are listed in a refusal; of more, the first ones and their count."""
MAX_ALIAS = 80
"""Characters of another docket number."""

__all__ = [
    "Judgment",
    "Rulebook",
    "act",
    "core_entry",
    "enter",
    "file",
    "fire",
    "fit_facts",
    "judge",
    "letter_noted",
    "make_entry",
    "mark_sent",
    "settle",
    "with_blocked",
]


@dataclass(frozen=True, slots=True)
class Judgment:
    """Whether an act may happen. With no reasons against it, `to` and `branch` say what it leads to."""

    view: CaseView
    reasons: tuple[Reason, ...]
    to: str
    branch: int


def file(book: Rulebook, number: str, request: str, facts: Mapping[str, Any], actor: Actor, moment: datetime, key: str, because: str | None = None) -> Outcome:
    """Opens a case from the facts of its filing (filing.py gathers them). Raises Refused."""
    on = date.fromisoformat(facts["received_on"])
    settings = facts["settings"]
    seen = judge(book, None, "file", facts, actor.role, on, on, settings)
    if seen.reasons:
        raise Refused(seen.reasons, "The request can't be filed")
    before = opened(book, number, request, facts)
    return enter(book, None, before, seen, Act("file", actor, facts, on, because), moment, key)


def act(book: Rulebook, case: Case, asked: Act, moment: datetime, key: str) -> Outcome:
    """One action on the day of `asked.on`, which must not lie before the record's last day. Raises Refused."""
    today = book.calendar.local_day(moment)
    on = asked.on or today
    facts, misfits = fit_facts(book, asked.action, asked.facts)
    facts = signed(facts, asked.actor, on)
    if asked.elsewhere is not None:
        facts["elsewhere"] = dict(asked.elsewhere)
    seen = judge(book, case, asked.action, facts, asked.actor.role, on, today, case.settings, misfits)
    if seen.reasons:
        raise Refused(seen.reasons, f"'{asked.action}' is refused on {case.number}")
    return enter(book, case, case, seen, Act(asked.action, asked.actor, facts, on, asked.because), moment, key)


def fire(book: Rulebook, case: Case, timer: Timer, moment: datetime, key: str) -> Outcome | None:
    """What a due timer does: its action, the refusal of it, or nothing (None) where its reason has gone."""
    if timer not in case.timers:
        return None
    on = book.calendar.local_day(timer.at)
    facts: dict[str, Any] = {"clock": timer.clock, "kind": timer.kind, "due": timer.due.isoformat(), "round": timer.round}
    if timer.kind == "remind":
        *passed, on = occurrences(book, case, timer, book.calendar.local_day(moment))
        if passed:
            facts["skipped"] = [day.isoformat() for day in passed]
    late = (moment - timer.at).total_seconds()
    if late > 3600:
        facts["late_hours"] = int(late // 3600)
    asked = Act(timer.action, SCHEDULER, facts, on)
    if timer.action in p.RESERVED_ACTIONS:
        return core_entry(book, case, asked, moment, key, timer)
    seen = judge(book, case, timer.action, facts, "scheduler", on, on, case.settings)
    if seen.reasons:
        facts = {**facts, "refused": timer.action, "refusals": [reason.text for reason in seen.reasons]}
        return core_entry(book, case, Act("timer-refused", SCHEDULER, facts, on), moment, key, timer)
    return enter(book, case, case, seen, asked, moment, key, timer)


# --- judging ------------------------------------------------------------------------------------------------------


def judge(
    book: Rulebook,
    case: Case | None,
    name: str,
    facts: Mapping[str, Any],
    role: str,
    on: date,
    today: date,
    settings: Mapping[str, Any],
    misfits: Sequence[Reason] = (),
) -> Judgment:
    """Whether an action may happen in the case as it stands, with every reason against it.

    `on` is its effective day, `today` the day of recording. Facts must have been fitted; `misfits` are what
    failed there.
    """
    action = book.workflow.actions.get(name)
    view = CaseView(book, case, name, facts, on, settings)
    if action is None:
        text = f"There is no action '{name}' in {book.workflow.workflow}{nearest(name, book.workflow.actions)}"
        return Judgment(view, (Reason("unknown-action", name, text),), "", 0)
    reasons = list(misfits)
    if case is not None:
        reasons += _dates(case, on, today)
    reasons += _roles(book, action, name, role)
    state = case.state if case is not None else NEW
    legal_here = state in book.machine.sources[name]
    if not legal_here:
        reasons.append(_wrong_state(book, action, name, state))
    reasons += _limits(book, case, name, view)
    reasons += _too_much_back(action, view)
    if reasons:
        reasons += [_unmet(book, need, view) for need in action.needs if answer(need, view) is not True]
        return Judgment(view, tuple(reasons), "", 0)
    attempt = Attempt(state, case.came_from if case is not None else None, action, action.needs, view)
    if book.machine.fire(name, attempt) and attempt.branch is not None:
        return Judgment(view, (), attempt.state, attempt.branch)
    reasons = [_unmet(book, need, view) for need in attempt.unmet]
    if not reasons:
        reasons = [Reason("guard-failed", name, "None of the outcomes of this action applies", action.cite)]
    return Judgment(view, tuple(reasons), "", 0)


def fit_facts(book: Rulebook, name: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], list[Reason]]:
    """The act's facts as the record keeps them, and what does not fit: unknown, not taken here, wrong, or missing."""
    action = book.workflow.actions.get(name)
    if action is None:
        return dict(given), []
    if len(given) > MAX_LIST:
        # Each unknown name is compared with every known one: without a bound a single call would keep the processor for minutes.
        return {}, [_misfit("facts", f"{len(given):,} facts are stated at once; at most {MAX_LIST} are read")]
    own = book.own[name]
    made: dict[str, Any] = {}
    reasons: list[Reason] = []
    for fact, value in given.items():
        if fact not in book.facts and fact not in own:
            reasons.append(_misfit(str(fact), f"there is no fact '{fact}'{nearest(str(fact), [*own, *book.facts]) if len(reasons) < MANY else ''}"))
        elif fact not in own:
            reasons.append(_misfit(fact, f"'{name}' takes no fact '{fact}'; it takes {_some(sorted(own))}"))
        elif value is not None:
            try:
                made[fact] = fit(fact, book.facts.get(fact, p.TEXT), value)
            except Misfit as misfit:
                reasons.append(_misfit(fact, str(misfit)))
    refused = {reason.id for reason in reasons}
    for fact in action.takes:
        if empty(made.get(fact)) and fact not in refused:
            title = book.facts[fact].title if fact in book.facts else None
            words = f"'{fact}' is not stated" + (f" ({title})" if title else "")
            reasons.append(_misfit(fact, f"{words}; '{name}' needs it"))
    reasons += _unknown_items(book, action, made)
    if action.aliases and len(str(made.get(action.aliases) or "")) > MAX_ALIAS:
        reasons.append(_misfit(action.aliases, f"'{action.aliases}' is longer than {MAX_ALIAS} characters; write the number alone"))
    if book.rules:
        reasons += [_misfit("judgments", text) for text in judgment_faults(book.rules, made.get("judgments"))]
    if book.workflow.standards:
        reasons += [_misfit("findings", text) for text in finding_faults(book.rules, made.get("findings"))]
    return made, reasons


def _some(names: Sequence[str]) -> str:
    """The names, or the first of many and how many more."""
    shown = names if len(names) <= MANY else names[:MANY]
    return (", ".join(shown) or "none") + (f" and {len(names) - len(shown)} more" if len(names) > len(shown) else "")


def _misfit(fact: str, text: str) -> Reason:
    return Reason("facts-invalid", fact, text)


def _unknown_items(book: Rulebook, action: p.Action, facts: Mapping[str, Any]) -> list[Reason]:
    if action.items is None:
        return []
    known = {**book.workflow.items, **book.workflow.petition_items}
    named = [*(facts.get("items") or ()), *(facts.get("not_asked") or ())]
    return [_misfit("items", f"there is no item '{name}'{nearest(str(name), known)}") for name in named if name not in known]


def _dates(case: Case, on: date, today: date) -> list[Reason]:
    if on > today:
        return [Reason("date-invalid", "date-invalid", f"{on} lies after today, {today}; an act can't be effective in the future")]
    if on < case.received_on:
        return [Reason("date-invalid", "date-invalid", f"{on} lies before the request was received on {case.received_on}")]
    return []


def _roles(book: Rulebook, action: p.Action, name: str, role: str) -> list[Reason]:
    if role not in book.pack.text.roles:
        known = ", ".join(book.pack.text.roles)
        return [Reason("not-permitted", name, f"there is no role '{role}'; the roles: {known}", role=role)]
    if book.role_may(role, action.by):
        return []
    who = " or ".join(action.by)
    return [Reason("not-permitted", name, f"'{action.title}' is for {who}, not for {role}", action.cite, role=action.by[0])]


def _wrong_state(book: Rulebook, action: p.Action, name: str, state: str) -> Reason:
    title = book.workflow.states[state].title if state in book.workflow.states else "not filed"
    where = ", ".join(book.workflow.states[source].title for source in book.machine.sources[name] if source in book.workflow.states)
    text = f"'{action.title}' is not possible while the case is {title}; it is possible from: {where or 'filing only'}"
    return Reason("wrong-state", state, text, action.cite)


def _limits(book: Rulebook, case: Case | None, name: str, view: CaseView) -> list[Reason]:
    reasons = []
    for limit_id in book.limits.get(name, ()):
        limit = book.workflow.limits[limit_id]
        spent = case.spent.get(limit_id, ()) if case is not None else ()
        if len(spent) >= limit.times and not (limit.unless is not None and answer(limit.unless, view) is True):
            reasons.append(Reason("limit-reached", limit_id, limit.text, limit.cite, tuple(spent), None, limit.instead))
    return reasons


def _too_much_back(action: p.Action, view: CaseView) -> list[Reason]:
    """Nobody is given back more than was paid and is still held."""
    amount = view.facts.get("amount")
    if action.money != "refunded" or view.case is None or amount is None or Decimal(str(amount)) <= view.paid_before():
        return []
    held = max(Decimal(0), view.paid_before())
    return [_misfit("amount", f"'amount' is {amount}, but only {held:.2f} was paid for the request and not given back")]


def _unmet(book: Rulebook, need: Any, view: CaseView) -> Reason:
    """The refusal of one need: the innermost named condition that says it, and what is missing or not so."""
    name = need.name if isinstance(need, p.Named) else "condition"
    condition = book.conditions.get(name)
    value = holds(name, view) if condition is not None else answer(need, view)
    text = condition.text if condition is not None else "A condition does not hold"
    open_leaves = [leaf for leaf in leaves(need, view) if leaf.outcome != "pass"]
    if value is None:
        unknown = ", ".join(dict.fromkeys(leaf.field for leaf in open_leaves if leaf.outcome == "unknown"))
        text = f"Not stated ({unknown}), but needed: {text}"
    else:
        text = f"Not so: {text}"
    if any(leaf.field == "standards" for leaf in open_leaves):
        text += " " + "; ".join(lacking(book.rules, list(view.standards_open()), view.fact("findings"))) + "."
    last = [done.seq for leaf in open_leaves if view.case is not None and (done := view.case.done.get(leaf.field))]
    return Reason("guard-failed", name, text, condition.cite if condition else None, tuple(last), None, condition.instead if condition else None)


# --- entering -----------------------------------------------------------------------------------------------------


def enter(
    book: Rulebook,
    stored: Case | None,
    before: Case,
    seen: Judgment,
    asked: Act,
    moment: datetime,
    key: str,
    fired: Timer | None = None,
) -> Outcome:
    """Makes the entry of a legal act and everything that follows from it. `stored` is the case that the store has."""
    assert asked.on is not None
    action = book.workflow.actions[asked.action]
    owed_letters = letters_of(action, seen)
    facts = dict(asked.facts)
    if owed_letters:
        count = len(before.letters)
        facts["letters"] = [[letter, f"{before.number}-L{count + n + 1}"] for n, letter in enumerate(owed_letters)]
    entry = sealed(make_entry(before, asked, action.cite, seen.to, facts, moment, key))
    after = apply(book, before, entry, seen.view, seen.branch, seen.to)
    return settle(book, stored, after, (entry,), fired)


def letters_of(action: p.Action, seen: Judgment) -> list[str]:
    """The letters that an act owes, in the order written, each once."""
    branch = action.outcomes[seen.branch] if action.outcomes else None
    refs = [*action.letters, *(branch.letters if branch is not None else ())]
    return list(dict.fromkeys(ref.letter for ref in refs if ref.when is None or answer(ref.when, seen.view) is True))


def make_entry(before: Case, asked: Act, cite: str | None, to: str, facts: dict[str, Any], moment: datetime, key: str) -> Entry:
    """A journal entry without its hash."""
    assert asked.on is not None
    return Entry(
        case=before.number,
        seq=before.version + 1,
        recorded_at=moment,
        effective_on=asked.on,
        actor=asked.actor,
        action=asked.action,
        from_state=None if asked.action == "file" else before.state,
        to_state=to,
        facts=facts,
        because=asked.because,
        cites=(cite,) if cite else (),
        pack_version=before.pack_version,
        calendar_version=before.calendar_version,
        key=key,
        prev_hash=before.head if before.version else NO_HASH,
        hash="",
    )


def core_entry(book: Rulebook, case: Case, asked: Act, moment: datetime, key: str, fired: Timer | None = None, cite: str | None = None) -> Outcome:
    """An entry of the core's own that changes no state: a warning, a wait, a refusal of a timer, a letter sent."""
    entry = sealed(make_entry(case, asked, cite, case.state, dict(asked.facts), moment, key))
    after = letter_event(case, entry) if asked.action in EVENTS else apply(book, case, entry, None, 0, case.state)
    return settle(book, case, after, (entry,), fired)


def mark_sent(book: Rulebook, case: Case, number: str, sent: date, proof: Mapping[str, Any], moment: datetime, key: str, actor: Actor = SCHEDULER) -> Outcome:
    """Journals that a letter was handed over; clocks that run from the sending are derived from that day. `proof` has
    one of the copies' channels under `handed_over`."""
    facts = {"letter": number, "sent_on": sent.isoformat(), **proof}
    served = service_day(book, case, sent, [copy["channel"] for copy in proof.get("handed_over") or () if copy.get("kind") != "copy"])
    if served is not None:
        facts["served_on"] = served.isoformat()
    return core_entry(book, case, Act("letter-sent", actor, facts, max(sent, case.last_on)), moment, key)


def letter_noted(
    book: Rulebook, case: Case, action: str, facts: Mapping[str, Any], moment: datetime, key: str, actor: Actor = SCHEDULER, because: str | None = None
) -> Outcome:
    """Journals what became of a letter (posting.TITLES). `facts` name it under `letter`."""
    on = max(book.calendar.local_day(moment), case.last_on)
    return core_entry(book, case, Act(action, actor, facts, on, because), moment, key)


def with_blocked(book: Rulebook, outcome: Outcome, missing: Mapping[str, Sequence[str]], moment: datetime, keys: Callable[[], str]) -> Outcome:
    """The outcome, and an entry with a supervisor's task for each letter of it that could not be written."""
    for number, names in missing.items():
        noted = letter_noted(book, outcome.case, "letter-blocked", {"letter": number, "missing": list(names)}, moment, keys())
        outcome = replace(outcome, case=noted.case, entries=(*outcome.entries, *noted.entries))
    return outcome


def settle(book: Rulebook, stored: Case | None, after: Case, entries: tuple[Entry, ...], fired: Timer | None = None, **more: Any) -> Outcome:
    """Derives what is owed anew and says what changed against the stored case."""
    timers = owed(book, after)
    after = after.revised(timers=timers)
    had = set(stored.timers) if stored is not None else set()
    spent = {(name, n + 1, seq) for name, seqs in after.spent.items() for n, seq in enumerate(seqs)}
    used = {(name, n + 1, seq) for name, seqs in stored.spent.items() for n, seq in enumerate(seqs)} if stored is not None else set()
    return Outcome(
        before=stored,
        case=after,
        entries=entries,
        letters=more.pop("letters", None) or _letters(book, after, entries, fired),
        fired=fired,
        timers_set=tuple(timer for timer in timers if timer not in had),
        timers_canceled=tuple(timer for timer in (stored.timers if stored is not None else ()) if timer not in timers and timer != fired),
        limits=tuple(sorted(spent - used)),
        released=tuple(sorted(used - spent)),
        **more,
    )


def _letters(book: Rulebook, after: Case, entries: Sequence[Entry], fired: Timer | None) -> tuple[LetterOwed, ...]:
    return tuple(
        letter
        for entry in entries
        if entry.facts.get("letters") and entry.action not in EVENTS
        for letter in letters_owed(book, after, entry, by_law=fired is not None and fired.kind == "silence")
    )
