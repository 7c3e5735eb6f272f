"""What would happen: an act tried without doing it, a letter previewed with real data, a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from caseflow.domain import casework, replay
from caseflow.domain.case import Act, Actor, Case, Entry, LetterOwed
from caseflow.domain.changes import apply
from caseflow.domain.facts import nearest, readable
from caseflow.domain.fees import amount_of
from caseflow.domain.letterview import letters_owed
from caseflow.domain.machine import choose
from caseflow.domain.mailing import UNSHOWN
from caseflow.domain.pack import Fee, Pack, letters_named
from caseflow.domain.rulebook import Rulebook, settings_of
from caseflow.domain.view import CaseView, run
from caseflow.errors import BadInput, LetterFault, NotFound, Reason, Refused
from caseflow.services import acting, showing
from caseflow.services.moving import differing, in_flight
from caseflow.services.office import Office

if TYPE_CHECKING:
    from caseflow.services.ports.work import Work


def dry_run(office: Office, number: str, asked: Act, moment: datetime) -> dict[str, Any]:
    """The answer of an act, with the case before and after, and nothing saved."""
    with office.store.read() as work:
        case, entries = caught_up(office, work, work.case(number), moment)
        book = office.packs.of(case)
        before = _side(book, case, asked, moment)
        try:
            trial = acting.attempt(office, Tried(work, case, entries), number, asked, moment)
            written = office.write(book, trial.outcome, moment)
        except Refused as refused:
            reasons = [showing.reason_json(reason) for reason in refused.reasons]
            return {"allowed": False, "because": reasons, "before": before, "after": None, "letters": [], "fees": None, "if_answered_on": []}
        except LetterFault as fault:
            reason = Reason("letter-incomplete", fault.letter, str(fault), instead="State what is missing with the action.")
            return {
                "allowed": False,
                "because": [showing.reason_json(reason)],
                "before": before,
                "after": None,
                "letters": [],
                "fees": None,
                "if_answered_on": [],
            }
        siblings = work.siblings(case)
    return {
        "allowed": True,
        "because": [],
        "before": before,
        "after": _side(book, trial.outcome.case, asked, moment),
        "letters": [
            {"id": one.owed.letter, "title": book.pack.letters[one.owed.letter].title, "subject": one.subject, "markdown": one.markdown} for one in written
        ],
        "fees": showing.fees_json([trial.outcome.case, *siblings]),
        "withdrawn": list(trial.outcome.withdrawn),
        "if_answered_on": acting.answered_on(trial),
    }


def dry_correction(office: Office, number: str, seq: int, on: date | None, because: str, actor: Actor, moment: datetime) -> dict[str, Any]:
    """What voiding an entry (`on` is None), or moving it to another day, would change; nothing is saved.

    The answer is that of `dry_run`, with `withdrawn` and `in_the_way` as [{seq, title, on}], `canceled` (letters that then
    never go), `wrong` (letters that went and would say what no longer holds) and `anew` (letters that wait and would be written
    anew) as [{number, title}].
    """
    with office.store.read() as work:
        case, entries = caught_up(office, work, work.case(number), moment)
        leaving, register = in_flight(work, number), work.letters(number)
    book = office.packs.of(case)
    asked = Act("amend" if on is not None else "void", actor)
    made: dict[str, Any] = {"allowed": False, "because": [], "before": _side(book, case, asked, moment), "after": None}
    made |= {"withdrawn": [], "in_the_way": [], "canceled": [], "wrong": [], "anew": []}

    def named(numbers: Sequence[int]) -> list[dict[str, Any]]:
        return [{"seq": one.seq, "title": _title(book, one), "on": one.effective_on.isoformat()} for one in entries if one.seq in numbers]

    def letters(numbers: Sequence[str]) -> list[dict[str, Any]]:
        return [{"number": one.number, "title": book.pack.letters[one.id].title} for one in case.letters if one.number in numbers]

    try:
        acting.refuse_reader(book, actor)
        correction = replace(asked, on=on, because=readable(because) or "A trial.")
        outcome = replay.correct(book, case, entries, seq, correction, moment, office.key, leaving)
    except Refused as refused:
        made["because"] = [showing.reason_json(reason_) for reason_ in refused.reasons]
        made["in_the_way"] = named([number for reason_ in refused.reasons for number in reason_.entries if number != seq])
        return made
    after, _ = _led_on(book, outcome.case, (*entries, *outcome.entries), moment)
    anew = differing(office, book, register, outcome, entries, (*entries, *outcome.entries), moment)
    return made | {
        "allowed": True,
        "after": _side(book, after, asked, moment),
        "withdrawn": named(outcome.withdrawn),
        "canceled": letters(outcome.canceled_letters),
        "wrong": letters(outcome.entries[0].facts.get("correct_letters") or ()),
        "anew": letters([letter.number for letter in anew]),
    }


def _title(book: Rulebook, entry: Entry) -> str:
    action = book.workflow.actions.get(entry.action)
    return action.title if action is not None else entry.action.replace("-", " ")


class Tried:
    """Lends a transaction a case, and its journal, as they would stand once what is due has fired."""

    def __init__(self, work: Work, case: Case, entries: tuple[Entry, ...]) -> None:
        self._work, self._case, self._entries = work, case, entries

    def case(self, _number: str) -> Case:
        return self._case

    def entries(self, _number: str) -> tuple[Entry, ...]:
        return self._entries

    def __getattr__(self, name: str) -> Any:
        return getattr(self._work, name)


def caught_up(office: Office, work: Work, case: Case, moment: datetime) -> tuple[Case, tuple[Entry, ...]]:
    """The case and its journal as they would stand once everything that is due has fired; nothing is saved."""
    return _led_on(office.packs.of(case), case, work.entries(case.number), moment)


def _led_on(book: Rulebook, case: Case, entries: tuple[Entry, ...], moment: datetime) -> tuple[Case, tuple[Entry, ...]]:
    """The case and its journal once every timer that is due has fired."""
    while acting.is_due(case, moment):
        outcome = replay.fire(book, case, case.timers[0], moment, "0" * 32, partial(tuple, entries))
        if outcome is None:
            break
        entries = (*entries, *outcome.entries)
        case = outcome.case
    return case, entries


def _side(book: Rulebook, case: Case, asked: Act, moment: datetime) -> dict[str, Any]:
    day = max(asked.on or book.calendar.local_day(moment), case.last_on)
    return {
        "state": case.state,
        "state_title": book.workflow.states[case.state].title,
        "turn": book.workflow.states[case.state].turn,
        "disposition": case.disposition if book.workflow.states[case.state].ends else None,
        "flags": list(case.flags),
        "clocks": showing.clocks_json(book, case, day),
        "limits": showing.limits_json(book, case),
    }


def preview(office: Office, number: str, letter: str, action: str | None, facts: Mapping[str, Any], moment: datetime) -> dict[str, Any]:
    """A letter with the data of a case, as it would be if an action were taken (whether or not it is legal now)."""
    with office.store.read() as work:
        case = work.case(number)
    book = office.packs.of(case)
    if letter not in book.pack.letters:
        raise NotFound(f"There is no letter '{letter}'{nearest(letter, book.pack.letters)}.")
    acts = [name for name, one in book.workflow.actions.items() if any(ref.letter == letter for ref in letters_named(one))]
    if action is not None and (action not in book.workflow.actions or action == "file"):
        raise NotFound(f"There is no action '{action}' in {book.workflow.workflow}{nearest(action, book.workflow.actions)}.")
    name = action or next(iter(acts), None)
    if name is None:
        raise BadInput(f"No action of {book.workflow.workflow} owes the letter '{letter}'; name one with --if.")
    made = sample_letters(book, case, name, facts, moment, [letter])
    written = office.letters.write(made[0], book.pack, moment)
    words = office.letters.for_copy(written.markdown, UNSHOWN)
    return {
        "letter": letter,
        "if": name,
        "subject": written.subject,
        "markdown": written.markdown,
        "text": office.letters.text(words),
        "html": office.letters.html(words, written.subject),
    }


def sample_letters(book: Rulebook, case: Case, action: str, facts: Mapping[str, Any], moment: datetime, letters: Sequence[str]) -> Any:
    """The letters of an act as if it had happened, legal or not: what a preview and a pack check render."""
    fitted, misfits = casework.fit_facts(book, action, facts)
    missing = [reason for reason in misfits if "not stated" not in reason.text]
    if missing:
        raise Refused(missing, f"'{action}' can't be previewed")
    on = max(book.calendar.local_day(moment), case.last_on)
    flow = book.workflow.actions[action]
    view = CaseView(book, case, action, fitted, on, case.settings)
    place = choose(flow, view) or 0
    branch = flow.outcomes[place] if flow.outcomes else None
    to = (branch.to if branch is not None else None) or flow.to or "same"
    target = case.state if to == "same" else (case.came_from or case.state) if to == "previous" else to
    fitted["letters"] = [[letter, f"{case.number}-L{len(case.letters) + n + 1}"] for n, letter in enumerate(letters)]
    actor = Actor("person", "preview", "staff")
    entry = casework.make_entry(case, Act(action, actor, fitted, on), flow.cite, target, fitted, moment, "0" * 32)
    after = apply(book, case, entry, view, place, target)
    return letters_owed(book, after, entry, by_law=False)


def sample_notice(book: Rulebook, case: Case, change: str, letter: str, moment: datetime) -> LetterOwed:
    """The letter of a change of rules, as if it gave each clock of the case one day more."""
    clocks = [(name, run(book, case, name, case.last_on)) for name in dict.fromkeys(mark.clock for mark in case.marks)]
    moved = []
    for name, now in clocks:
        if now.due is not None and now.target is not None:
            days = {"due_was": now.due, "due": now.due + 1, "target_was": now.target, "target": now.target + 1}
            shown = {word: date.fromordinal(day).isoformat() for word, day in days.items()}
            moved.append({"clock": name, "title": book.workflow.clocks[name].title, **shown, "told": True})
    facts = {"moved": moved, "about": [f"{case.number}-L{len(case.letters)}"], "letters": [[letter, f"{case.number}-L{len(case.letters) + 1}"]]}
    asked = Act(change, Actor("person", "preview", "supervisor"), facts, book.calendar.local_day(moment), "The calendar has changed.")
    entry = casework.make_entry(case, asked, None, case.state, facts, moment, "0" * 32)
    return letters_owed(book, case, entry, by_law=False)[0]


def sample_acts(text: Mapping[str, Any], workflow: str) -> dict[str, Any]:
    """The example facts of a workflow's acts: those of every workflow (`acts`), and over them its own (`acts-for`)."""
    made = dict(text.get("acts") or {})
    for part in text.get("acts-for") or ():
        if isinstance(part, Mapping) and workflow in (part.get("for") or ()):
            made.update(part.get("acts") or {})
    return made


def request_form(book: Rulebook) -> str:
    """The request form of a service, printable Markdown made from its items and exclusions."""
    flow = book.workflow
    lines = [f"# Request form: {flow.title}", "", f"{flow.law}. Send it with everything below; keep a copy.", ""]
    groups: dict[str, list[str]] = {}
    for name, item in flow.items.items():
        parts = f" ({', '.join(item.parts)})" if item.parts else ""
        needed = "" if item.required is True else " - only where the agency asks for it" if not isinstance(item.required, bool) else " - optional"
        groups.setdefault(item.group or "Items", []).append(f"- [ ] **{name}** {item.title}{parts}{needed} ({item.cite or item.note})")
    for group, rows in groups.items():
        lines += [f"## {group}", "", *rows, ""]
    if flow.exclusions:
        lines += ["## Exclusions: answer each with yes or no", ""]
        lines += [f"- [ ] yes [ ] no **{name}** {item.title} ({item.cite})" for name, item in flow.exclusions.items()]
        lines.append("")
    lines += ["## Fee", ""]
    for ref in flow.fees:
        fee = book.pack.fees[ref.fee]
        lines.append(f"- {fee.title}: {fee_text(book.pack, fee)} ({fee.cite or fee.note})")
    lines += ["", "Name, signature, date: ______________________________", ""]
    return "\n".join(lines)


def fee_text(pack: Pack, fee: Fee) -> str:
    """What a fee comes to under the pack's readings, in words."""
    amount, _ = amount_of(fee, settings_of(pack, {}))
    if amount is None:
        return f"{fee.times} times the {' or '.join(pack.fees[part].title for part in fee.of)} fee"
    return f"${amount:.2f} per {fee.per.replace('-', ' ')}"
