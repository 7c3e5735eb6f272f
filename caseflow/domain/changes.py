"""What an entry changes in a case: state, flags, facts, limits, items, money, tasks, and the marks of its clocks.

Judging is done before (casework.judge); here a legal entry is applied. Acting and replaying use the same functions,
so that replaying the entries gives the stored case, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.arrivals import TITLES as ARRIVALS
from caseflow.domain.arrivals import after_arrival
from caseflow.domain.calendar import say
from caseflow.domain.case import (
    Case,
    Done,
    Entry,
    ItemState,
    LegalHold,
    LetterMade,
    Mark,
    Party,
    Payment,
    Place,
    RefundDue,
    Task,
    unopened,
)
from caseflow.domain.conditions import answer, day_of
from caseflow.domain.fees import ONCE, share_of
from caseflow.domain.findings import joined
from caseflow.domain.imported import IMPORTED, after_import
from caseflow.domain.machine import NEW
from caseflow.domain.posting import approvals
from caseflow.domain.rulebook import FILED_FACTS, SUPERVISOR, Rulebook
from caseflow.domain.view import CaseView, run

CORE_FACTS = frozenset(
    ["clock", "kind", "due", "round", "skipped", "late_hours", "letters", "elsewhere", "correct_letters", "entry", "fee_lines", "refusals", "refused", "on"]
)
"""Facts that the core itself puts into entries; they never become facts of the case."""
DEADLINE = "deadline:"
"""How the id of a task begins that names the last day of a clock."""


HOLD_PLACED, HOLD_LIFTED = "legal-hold-placed", "legal-hold-lifted"
HELD = "legal-hold"
"""The flag of a case that a legal hold keeps from disposal."""
NOBODY = "nobody"
"""The name that takes a case from whoever has it. Nobody signs in by it."""


def opened(book: Rulebook, number: str, request: str, facts: Mapping[str, Any]) -> Case:
    """The case before its filing entry: nothing has happened yet."""
    received_at, received = datetime.fromisoformat(facts["received_at"]), date.fromisoformat(facts["received_on"])
    versions = book.pack.hash, book.calendar.version
    return unopened(number, request, book.workflow.workflow, versions, received_at, received, NEW).revised(
        pack=book.pack.text.pack,
        settings=_settings(book, facts["settings"]),
        parties=tuple(_party(item) for item in facts.get("parties") or ()),
        place=Place(**(facts.get("place") or {})),
        title=facts.get("title") or "",
        aliases=tuple(facts.get("aliases") or ()),
    )


def _settings(book: Rulebook, frozen: Mapping[str, Any]) -> dict[str, Any]:
    """The readings that were chosen at the filing; what the pack asks only since then takes its default."""
    if frozen.keys() >= book.pack.text.settings.keys():
        return dict(frozen)
    return {**book.settings, **frozen}


def _party(item: Mapping[str, Any]) -> Party:
    return Party(**{**item, "address": tuple(item.get("address") or ())})


def apply(book: Rulebook, before: Case, entry: Entry, view: CaseView | None, branch: int, to: str) -> Case:
    """The case after an entry. `view` is None for entries of the core's own."""
    if entry.action in (HOLD_PLACED, HOLD_LIFTED):
        return _held(before, entry)
    case = before.revised(version=entry.seq, head=entry.hash, last_on=max(before.last_on, entry.effective_on))
    case = correction_tasks(case, entry)
    if entry.actor.kind == "scheduler" and "kind" in entry.facts:
        case = case.revised(fired=(*case.fired, fired_id(entry)))
    if view is None:
        return _core(book, case, entry)
    action = book.workflow.actions[entry.action]
    outcome = action.outcomes[branch] if action.outcomes else p.ONLY
    case = case.revised(
        state=to,
        closed_on=_closed_on(book, before, entry, to),
        came_from=before.state if to != before.state and before.state != NEW else before.came_from,
        dispositions=_dispositions(case, outcome.disposition or action.disposition),
        flags=_flags(book, case, entry, action, outcome),
        facts=_facts(case, entry),
        done=_done(case, entry),
        spent=_spent(book, case, entry, view),
        items=_items(book, case, entry, action, view),
        marks=(*case.marks, *marks_of_entry(book, entry, view)),
        tasks=_tasks(book, case, entry, action, outcome, view, to),
        letters=(*case.letters, *_letters(entry)),
        fees=(*case.fees, *(line._replace(seq=entry.seq) for line in view.owed_now())),
        payments=(*case.payments, *_payments(entry, action, view)),
    )
    if entry.action in book.refunds:
        case = _with_refunds(book, case, entry, view)
    if action.assigns or action.aliases or action.parties:
        case = _named(case, entry, action)
    case = _dated_anew(book, case)
    return approvals(book, case, entry) if entry.facts.get("letters") else case


def _closed_on(book: Rulebook, before: Case, entry: Entry, to: str) -> date | None:
    if not book.workflow.states[to].ends:
        return None
    return before.closed_on if to == before.state else entry.effective_on


def fired_id(entry: Entry) -> str:
    """The id of the timer that an entry of the scheduler records."""
    facts = entry.facts
    return f"{facts['clock']}:{facts['kind']}:{facts['due']}:{facts.get('round', 0)}"


def _held(before: Case, entry: Entry) -> Case:
    """A legal hold placed or lifted: it moves no date, so that `last_on` stays what it was."""
    if entry.action == HOLD_PLACED:
        placed = LegalHold(entry.seq, entry.effective_on, entry.actor.id, entry.because or "", entry.facts.get("matter"))
        holds = (*before.legal_holds, placed)
    else:
        holds = tuple(hold for hold in before.legal_holds if hold.seq != entry.facts["hold"])
    flags = (*(flag for flag in before.flags if flag != HELD), *((HELD,) if holds else ()))
    return before.revised(version=entry.seq, head=entry.hash, legal_holds=holds, flags=flags)


def _core(book: Rulebook, case: Case, entry: Entry) -> Case:
    facts = entry.facts
    if entry.action in ARRIVALS:
        return after_arrival(book, case, entry)
    if entry.action == IMPORTED:
        return after_import(book, case, entry)
    if entry.action == "silence-waits":
        flag = book.pack.calendar.silence.flag
        until = date.fromordinal(book.calendar.next_open(date.fromisoformat(facts["due"]).toordinal()))
        text = f"{_title(book, facts)}: the last day was {_when(facts)}; silence takes effect after {say(until.toordinal())}."
        task = Task(f"silence:{facts['clock']}", text, (), "supervisor", entry.effective_on, entry.seq)
        flags = (*case.flags, flag) if flag and flag not in case.flags else case.flags
        return case.revised(flags=flags, tasks=(*_without(case.tasks, task.id), task))
    if entry.action == "warn-deadline":
        missed = facts["kind"] == "alert"
        task = Task(
            f"{DEADLINE}{facts['clock']}",
            _last_day(_title(book, facts), missed, date.fromisoformat(facts["due"]).toordinal()),
            (),
            "staff",
            entry.effective_on,
            entry.seq,
        )
        return case.revised(tasks=(*_without(case.tasks, task.id), task))
    if entry.action == "timer-refused":
        text = f"{_title(book, facts)} ran out on {_when(facts)}, but '{facts['refused']}' was not possible. Decide what follows."
        task = Task(f"refused:{facts['clock']}:{facts['due']}", text, (), "supervisor", entry.effective_on, entry.seq)
        return case.revised(tasks=(*case.tasks, task))
    return case


def _last_day(title: str, missed: bool, due: int) -> str:
    return f"{title}: the last day {'was' if missed else 'is'} {say(due)}."


def _dated_anew(book: Rulebook, case: Case) -> Case:
    """The tasks about a last day with the day that the clock has now; none while the clock has no last day."""
    if not any(task.id.startswith(DEADLINE) for task in case.tasks):
        return case
    tasks = []
    for task in case.tasks:
        if task.id.startswith(DEADLINE):
            name = task.id.removeprefix(DEADLINE)
            due = run(book, case, name, case.last_on).due
            if due is None:
                continue
            title = book.workflow.clocks[name].title
            if task.text not in (_last_day(title, True, due), _last_day(title, False, due)):
                task = task._replace(text=_last_day(title, False, due))
        tasks.append(task)
    return case.revised(tasks=tuple(tasks))


def _title(book: Rulebook, facts: Mapping[str, Any]) -> str:
    return book.workflow.clocks[facts["clock"]].title


def _when(facts: Mapping[str, Any]) -> str:
    return say(date.fromisoformat(facts["due"]).toordinal())


def _without(tasks: Iterable[Task], name: str) -> tuple[Task, ...]:
    return tuple(task for task in tasks if task.id != name)


def rules_moved(book: Rulebook, case: Case, entry: Entry) -> Case:
    """The case after it went under other rules: what must be written to whoever was told other dates."""
    case = correction_tasks(case, entry)
    if not entry.facts.get("letters"):
        return case
    return approvals(book, case.revised(letters=(*case.letters, *_letters(entry))), entry)


def correction_tasks(case: Case, entry: Entry) -> Case:
    numbers = entry.facts.get("correct_letters") or ()
    made = tuple(
        Task(
            f"correct-letter:{number}",
            f"Letter {number} was sent with dates that entry {entry.seq} has changed. Write the recipient.",
            ("note-correction",),
            "staff",
            entry.effective_on,
            entry.seq,
            True,
        )
        for number in numbers
    )
    return case.revised(tasks=(*case.tasks, *made)) if made else case


def _dispositions(case: Case, given: str | None) -> tuple[str, ...]:
    return case.dispositions if given is None or given == "previous" else (*case.dispositions, given)


def _flags(book: Rulebook, case: Case, entry: Entry, action: p.Action, outcome: p.Branch) -> tuple[str, ...]:
    raises, lowers = (*action.raises, *outcome.raises), {*action.lowers, *outcome.lowers}
    waiting = book.pack.calendar.silence.flag
    if waiting in case.flags and _ends_waiting(book, case, entry):
        lowers.add(waiting)
    kept = [flag for flag in case.flags if flag not in lowers]
    return tuple(dict.fromkeys([*kept, *raises]))


def _ends_waiting(book: Rulebook, case: Case, entry: Entry) -> bool:
    """The flag of a waiting silence falls with the act that ends its clock, or with the outcome."""
    ended = {move.clock for move in book.moves.get(entry.action, ()) if move.kind in ("met", "stop")}
    waiting = {fired.split(":")[0] for fired in case.fired if ":silence-waits:" in fired}
    if entry.facts.get("kind") == "silence":
        ended.add(entry.facts["clock"])
    return bool(ended & waiting)


def _facts(case: Case, entry: Entry) -> dict[str, Any]:
    if entry.action == "file":
        kept = {name: value for name, value in entry.facts.items() if name in FILED_FACTS or name in entry.facts["stated"]}
        return {name: value for name, value in kept.items() if value is not None}
    stated = {name: value for name, value in entry.facts.items() if name not in CORE_FACTS}
    if "judgments" in stated:
        stated["judgments"] = joined(case.facts.get("judgments"), stated["judgments"])
    return {**case.facts, **stated} if stated else case.facts


def _done(case: Case, entry: Entry) -> dict[str, Done]:
    had = case.done.get(entry.action)
    return {**case.done, entry.action: Done(entry.seq, entry.effective_on, had.times + 1 if had else 1)}


def _spent(book: Rulebook, case: Case, entry: Entry, view: CaseView) -> dict[str, tuple[int, ...]]:
    spent = case.spent
    for name in book.limits.get(entry.action, ()):
        limit = book.workflow.limits[name]
        if limit.unless is None or answer(limit.unless, view) is not True:
            spent = {**spent, name: (*spent.get(name, ()), entry.seq)}
    return spent


def spend(book: Rulebook, case: Case, entry: Entry) -> Case:
    """A voided act whose letter had gone: it changes nothing any more, but what it used up stays used."""
    spent = case.spent
    for name in book.limits.get(entry.action, ()):
        spent = {**spent, name: (*spent.get(name, ()), entry.seq)}
    return case.revised(spent=spent)


# --- items, tasks, letters, money ---------------------------------------------------------------------------------


def _items(book: Rulebook, case: Case, entry: Entry, action: p.Action, view: CaseView) -> dict[str, ItemState]:
    if entry.action == "file":
        return _filed_items(book, entry, view)
    if action.money == "received" and view.fees_covered() is True:
        paid = {name for name, item in book.workflow.items.items() if item.given_by == "payment"}
        return {name: item._replace(status="received") if name in paid and item.status == "missing" else item for name, item in case.items.items()}
    if action.items is None or action.items == "lists":
        return case.items
    named = [str(name) for name in entry.facts.get("items") or ()]
    items = dict(case.items)
    if action.items == "satisfies":
        named += [name for name, item in items.items() if item.status == "asked" and name not in named]
    status = {"asks": "asked", "receives": "received", "satisfies": "received", "finds-missing": "missing"}[action.items]
    for name in named:
        had = items.get(name)
        asked = entry.seq if action.items == "asks" else had.asked if had is not None else None
        items[name] = ItemState(status, asked, had.note if had is not None else None, entry.actor.id)
    for name, reason in (entry.facts.get("not_asked") or {}).items():
        had = items.get(str(name), ItemState("missing"))
        items[str(name)] = had._replace(note=str(reason))
    return items


def _filed_items(book: Rulebook, entry: Entry, view: CaseView) -> dict[str, ItemState]:
    missing = set(entry.facts.get("missing_items") or ())
    return {
        name: ItemState("missing" if name in missing else "present")
        for name, item in book.workflow.items.items()
        if name in missing or item.required is True or (not isinstance(item.required, bool) and answer(item.required, view) is True)
    }


def _tasks(book: Rulebook, case: Case, entry: Entry, action: p.Action, outcome: p.Branch, view: CaseView, to: str) -> tuple[Task, ...]:
    ends = book.workflow.states[to].ends and not (case.state in book.workflow.states and book.workflow.states[case.state].ends)
    settled = {move.clock for move in book.moves.get(entry.action, ()) if move.kind in ("met", "stop", "displace")}
    settled |= {name for name, clock in book.timed.items() if clock.silence == entry.action and view.clock(name).status in ("missed", "over")}
    kept = [
        task
        for task in case.tasks
        if entry.action not in task.actions
        and (task.lasting or not ends)
        and not (task.id.partition(":")[0] in (DEADLINE[:-1], "silence") and task.id.partition(":")[2] in settled)
    ]
    for ref in (*action.task, *outcome.task):
        if ref.when is None or answer(ref.when, view) is True:
            name = ref.id or entry.action
            kept = [task for task in kept if task.id != name]
            kept.append(Task(name, ref.text, ref.action, ref.for_ or "staff", entry.effective_on, entry.seq))
    return tuple(kept)


def _letters(entry: Entry) -> tuple[LetterMade, ...]:
    return tuple(LetterMade(letter, entry.seq, number, "owed", entry.effective_on) for letter, number in entry.facts.get("letters") or ())


def _payments(entry: Entry, action: p.Action, view: CaseView) -> tuple[Payment, ...]:
    facts = entry.facts
    paid = view.tendered()
    if paid is not None and paid[0] > Decimal(0):
        return (Payment("received", f"{paid[0]:.2f}", paid[1], _paid_on(entry), entry.seq, facts.get("reference")),)
    if action.money in ("returned", "refunded") and facts.get("amount") is not None:
        method = str(facts.get("method") or "other")
        return (Payment(action.money, f"{Decimal(str(facts['amount'])):.2f}", method, _paid_on(entry), entry.seq, facts.get("reference")),)
    return ()


def _paid_on(entry: Entry) -> date:
    stated = entry.facts.get("paid_on")
    return date.fromisoformat(stated) if isinstance(stated, str) else entry.effective_on


def _with_refunds(book: Rulebook, case: Case, entry: Entry, view: CaseView) -> Case:
    """What the act means for the fees that were paid: money to give back opens a task, else the reason is kept."""
    made = tuple(due for name, refund in book.refunds[entry.action] if (due := _refund(book, case, name, refund, entry, view)) is not None)
    approve = {name: action for name, action in book.workflow.actions.items() if action.money == "refunded"}
    role = next((action.by[0] for action in approve.values()), SUPERVISOR)
    tasks = tuple(
        Task(
            f"refund:{due.id}",
            f"A refund of {due.amount} is owed. {due.title}: {due.because}" + (f" ({due.cite})" if due.cite else ""),
            tuple(approve),
            role,
            entry.effective_on,
            entry.seq,
            True,
        )
        for due in made
        if due.owed
    )
    return case.revised(refunds=(*case.refunds, *made), tasks=(*case.tasks, *tasks))


def _refund(book: Rulebook, case: Case, name: str, refund: p.Refund, entry: Entry, view: CaseView) -> RefundDue | None:
    if any(due.id == name and due.owed for due in case.refunds):
        return None
    owed = view.owed_before()
    share = share_of(book.pack.fees, refund.of, owed)
    if not any(fee in owed for fee in refund.of):
        return None

    title = refund.title or ", ".join(book.pack.fees[fee].title for fee in refund.of)

    def none(because: str) -> RefundDue:
        return RefundDue(name, False, "0.00", title, because, refund.cite, entry.seq)

    action = book.workflow.actions[entry.action]
    if entry.action in refund.never_on:
        return none(refund.else_ or f"'{action.title}' gives nothing back.")
    held = answer(refund.when, view) if refund.when is not None else True
    if held is not True:
        asked = book.conditions[refund.when.name].text if isinstance(refund.when, p.Named) else "the condition of the refund does not hold"
        return none(refund.else_ or f"{'Not stated' if held is None else 'Not so'}: {asked}")
    others = sorted({number for fee in refund.of if book.pack.fees[fee].per in ONCE for number in view.goes_on(fee)})
    if others:
        return none(f"The fee was paid for the whole request, and {', '.join(others)} {'goes' if len(others) == 1 else 'go'} on.")
    amount = min(share, view.paid_before())
    if amount <= 0:
        return none("Nothing was paid that could be given back.")
    asked = book.conditions[refund.when.name].text if isinstance(refund.when, p.Named) else f"'{action.title}' on {say(entry.effective_on.toordinal())}."
    return RefundDue(name, True, f"{amount:.2f}", title, asked, refund.cite, entry.seq)


def _named(case: Case, entry: Entry, action: p.Action) -> Case:
    if action.assigns and entry.facts.get(action.assigns):
        name = str(entry.facts[action.assigns])
        case = case.revised(assigned_to=name if name != NOBODY else None)
    if action.aliases and entry.facts.get(action.aliases):
        case = case.revised(aliases=tuple(dict.fromkeys([*case.aliases, str(entry.facts[action.aliases])])))
    if action.parties and entry.facts.get(action.parties):
        made = [_interested(item) for item in entry.facts[action.parties]]
        case = case.revised(parties=tuple(dict.fromkeys([*case.parties, *made])))
    return case


def _interested(item: Any) -> Party:
    if isinstance(item, Mapping):
        email = item.get("email")
        channel: Any = item.get("channel") or ("email" if email else "post")
        lines = item.get("address") or ()
        address = tuple(line.strip() for line in re.split(r"[\n;]", lines) if line.strip()) if isinstance(lines, str) else tuple(lines)
        return Party(str(item.get("role") or "interested-person"), str(item.get("name", "")), None, email, address, channel, item.get("language"))
    return Party("interested-person", str(item))


# --- clocks -------------------------------------------------------------------------------------------------------


def marks_of_entry(book: Rulebook, entry: Entry, view: CaseView) -> tuple[Mark, ...]:
    """The moments of every clock that this entry is, asked as of this entry."""
    made = []
    for move in book.moves.get(entry.action, ()):
        moment = move.moment
        if moment.when is not None and answer(moment.when, view) is not True:
            continue
        day: date | None = entry.effective_on
        letter = None
        source = moment.to if isinstance(moment, p.Extension) and moment.to is not None else moment.counted_from
        if source is not None:
            day = day_of(source, view)
            letter = source.sent if isinstance(source, p.SentDay) else None
        if day is not None or letter is not None:
            made.append(Mark(move.clock, move.kind, entry.effective_on, entry.seq, day, move.at, letter))
    return tuple(made)


def due_days(book: Rulebook, case: Case) -> dict[str, str | None]:
    """The last day of every clock that has begun, as ISO text."""
    begun = dict.fromkeys(mark.clock for mark in case.marks)
    found = {}
    for name in begun:
        due = run(book, case, name, case.last_on).due
        found[name] = date.fromordinal(due).isoformat() if due is not None else None
    return found
