"""Legality in time: the journal folded anew, and every correction judged by it (CONTRACT section 6).

Entries that stand are replayed in order of (effective day, number), each judged on what stood before it. A late act
is inserted at its day, a void leaves one out, an amendment moves one. A scheduler's entry that no longer follows is
closed by an entry of its own; a person's entry that would no longer be legal refuses the whole change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Any

from caseflow.domain import casework
from caseflow.domain.case import SCHEDULER, Act, Actor, Case, Entry, LetterMade, Outcome, Timer
from caseflow.domain.casework import fit_facts, judge, letters_of, settle
from caseflow.domain.changes import HOLD_LIFTED, HOLD_PLACED, apply, correction_tasks, due_days, fired_id, opened, rules_moved, spend
from caseflow.domain.findings import signed
from caseflow.domain.imported import IMPORTED
from caseflow.domain.journal import chain_faults, sealed
from caseflow.domain.letterview import letters_owed
from caseflow.domain.moving import goes_on, moved_dates
from caseflow.domain.pack import RESERVED_ACTIONS, RULE_MOVES
from caseflow.domain.posting import EVENTS, gone, letter_event
from caseflow.domain.rulebook import SUPERVISOR, Rulebook
from caseflow.domain.timers import owed
from caseflow.errors import Reason, RecordFault, Refused

_META = frozenset(("void", "amend", "withdrawn-by-correction", *RULE_MOVES))
Key = Callable[[], str]
"""Makes the salt key of an entry."""
Misprints = Callable[[str, Case, Case], Collection[str]]
"""The clocks of which a letter that was sent on the first case states other dates than the second has: for `move`, what it printed."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Which entries stand, and on which day: voided and withdrawn ones with the entry that closed them."""

    days: dict[int, date]
    closed: dict[int, int]
    withdrawn: frozenset[int]
    sent: dict[str, int]


@dataclass(frozen=True, slots=True)
class Folded:
    """A replay: the case, the case after each standing entry, what no longer follows, and what is no longer legal."""

    case: Case
    steps: dict[int, Case]
    lapsed: tuple[int, ...]
    illegal: tuple[tuple[Entry, tuple[Reason, ...]], ...]


def standing(entries: Sequence[Entry]) -> Standing:
    """What the entries say of one another."""
    days = {entry.seq: entry.effective_on for entry in entries}
    closed: dict[int, int] = {}
    withdrawn = set()
    sent: dict[str, int] = {}
    for entry in entries:
        if entry.action == "amend":
            days[entry.facts["entry"]] = date.fromisoformat(entry.facts["on"])
        elif entry.action in ("void", "withdrawn-by-correction"):
            closed[entry.facts["entry"]] = entry.seq
            if entry.action == "withdrawn-by-correction":
                withdrawn.add(entry.facts["entry"])
        elif entry.action == "letter-sent":
            sent[entry.facts["letter"]] = entry.seq
        elif entry.action in RULE_MOVES and "entry" in entry.facts:
            closed[entry.facts["entry"]] = entry.seq
            for seq in _withdrawn_by(entries, entry.facts["entry"], sent):
                closed.pop(seq, None)
                withdrawn.discard(seq)
    return Standing(days, closed, frozenset(withdrawn), sent)


def _withdrawn_by(entries: Sequence[Entry], move: int, sent: Collection[str]) -> Iterator[int]:
    """The entries that a move to other rules withdrew, which stand again where it is taken back: those that follow it at once.

    Not one whose letter was called off before it went: it is owed anew when its clock runs out again."""
    for entry in entries[move:]:
        if entry.action != "withdrawn-by-correction":
            return
        target = entries[entry.facts["entry"] - 1]
        if all(number in sent for _, number in target.facts.get("letters") or ()):
            yield target.seq


def fold(book: Rulebook, entries: Sequence[Entry], settings: dict[str, Any] | None = None, drop: frozenset[int] = frozenset()) -> Folded:
    """Replays the entries. `drop` leaves out entries on trial; `settings` replays under other readings."""
    view = standing(entries)
    first = entries[0]
    case = opened(book, first.case, _request_of(first), first.facts)
    if settings is not None:
        case = replace(case, settings={**case.settings, **settings})
    refired = _refired(entries, view)
    never = _never_left(entries, view, drop)
    steps: dict[int, Case] = {}
    lapsed: list[int] = []
    illegal: list[tuple[Entry, tuple[Reason, ...]]] = []
    order = sorted(
        (entry for entry in entries if entry.action not in _META or entry.action in RULE_MOVES or entry.facts.get("correct_letters")),
        key=lambda entry: (view.days[entry.seq], entry.seq),
    )
    for entry in order:
        if entry.action in RULE_MOVES:
            if entry.seq not in view.closed:
                case = steps[entry.seq] = _moved(book, case, entry)
            continue
        if entry.action in _META:
            case = replace(correction_tasks(case, entry), last_on=max(case.last_on, entry.effective_on))
            continue
        entry_on = replace(entry, effective_on=view.days[entry.seq]) if view.days[entry.seq] != entry.effective_on else entry
        if entry.action in EVENTS and entry.facts["letter"] in never:
            continue
        if entry.seq in view.closed or entry.seq in drop:
            if any(number in view.sent for _, number in entry.facts.get("letters") or ()) and entry.seq not in view.withdrawn:
                case = spend(book, case, entry_on)
            continue
        case = replace(case, refired=_before(refired, entry.seq))
        after, reasons = _step(book, case, entry_on, lenient=settings is not None)
        if after is None:
            if entry.actor.kind == "scheduler":
                lapsed.append(entry.seq)
            else:
                illegal.append((entry, reasons))
            continue
        case = steps[entry.seq] = after
    return Folded(_finished(book, case, entries, view, refired, drop), steps, tuple(lapsed), tuple(illegal))


def _moved(book: Rulebook, case: Case, entry: Entry) -> Case:
    after = rules_moved(book, case, entry)
    return after if after is case else replace(after, last_on=max(case.last_on, entry.effective_on))


def _never_left(entries: Sequence[Entry], view: Standing, drop: frozenset[int]) -> frozenset[str]:
    """Letters of entries that no longer stand which never went out: what was noted of them is of no effect."""
    owed = (entry for entry in entries if entry.seq in view.closed or entry.seq in drop)
    return frozenset(number for entry in owed for _, number in entry.facts.get("letters") or () if number not in view.sent)


def _request_of(first: Entry) -> str:
    return str(first.facts["request"])


def _refired(entries: Sequence[Entry], view: Standing) -> list[tuple[int, str]]:
    return [(entry.seq, fired_id(entry).rpartition(":")[0]) for entry in entries if entry.seq in view.withdrawn and "kind" in entry.facts]


def _before(refired: list[tuple[int, str]], seq: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, name in refired:
        if number < seq:
            found[name] = found.get(name, 0) + 1
    return found


def _step(book: Rulebook, case: Case, entry: Entry, lenient: bool) -> tuple[Case | None, tuple[Reason, ...]]:
    """One entry applied, or why it can't be."""
    if entry.action in EVENTS:
        return letter_event(case, entry), ()
    scheduled = entry.actor.kind == "scheduler"
    if scheduled and not lenient and not _still_owed(book, case, entry):
        return None, ()
    if entry.action in RESERVED_ACTIONS:
        if entry.action == "timer-refused" and not lenient:
            seen = judge(book, case, entry.facts["refused"], entry.facts, "scheduler", entry.effective_on, entry.effective_on, case.settings)
            if not seen.reasons:
                return None, ()
        return apply(book, case, entry, None, 0, case.state), ()
    before = None if entry.action == "file" else case
    seen = judge(book, before, entry.action, entry.facts, entry.actor.role, entry.effective_on, date.max, case.settings)
    if seen.reasons:
        return (case if lenient else None), seen.reasons
    return apply(book, case, entry, seen.view, seen.branch, seen.to), ()


def _still_owed(book: Rulebook, case: Case, entry: Entry) -> bool:
    facts = entry.facts
    return any(
        timer.clock == facts["clock"] and timer.kind == facts["kind"] and timer.due.isoformat() == facts["due"] and timer.round == facts.get("round", 0)
        for timer in owed(book, case)
    )


def _finished(book: Rulebook, case: Case, entries: Sequence[Entry], view: Standing, refired: list[tuple[int, str]], drop: frozenset[int]) -> Case:
    """The case at the end: its journal's head, and every letter ever owed with what became of it."""
    last = entries[-1]
    made = {letter.number: letter for letter in case.letters}
    letters = []
    for entry in entries:
        for name, number in entry.facts.get("letters") or ():
            closed = entry.seq in view.closed or entry.seq in drop
            letter = made.get(number) or LetterMade(name, entry.seq, number, "owed", view.days[entry.seq])
            if number in view.sent:
                letter = gone(letter, next(e for e in entries if e.seq == view.sent[number]))
            elif closed:
                letter = letter._replace(status="canceled")
            letters.append(letter)
    case = replace(case, letters=tuple(letters), version=last.seq, head=last.hash, refired=_before(refired, last.seq + 1))
    return replace(case, timers=owed(book, case))


# --- timers that come due among what was typed already --------------------------------------------------------------


def fire(book: Rulebook, case: Case, timer: Timer, moment: datetime, key: str, entries: Callable[[], Sequence[Entry]]) -> Outcome | None:
    """What a due timer does (casework.fire), in its place: judged on its own day where later days are recorded already."""
    outcome = casework.fire(book, case, timer, moment, key)
    if outcome is None or outcome.entries[0].effective_on >= case.last_on:
        return outcome
    known = entries()
    earlier = _upto(book, known, outcome.entries[0].effective_on)
    stood = replace(earlier, version=case.version, head=case.head, letters=case.letters, timers=case.timers)
    placed = casework.fire(book, stood, timer, moment, key)
    assert placed is not None
    folded = fold(book, [*known, *placed.entries])
    return settle(book, case, folded.case, placed.entries, timer, letters=placed.letters)


def sent_all_the_same(book: Rulebook, case: Case, entries: Sequence[Entry], sent: Outcome) -> Outcome:
    """A letter that went although its entry was voided while it was being handed over: what its act used up stays used."""
    folded = fold(book, [*entries, *sent.entries])
    return settle(book, case, folded.case, sent.entries)


# --- corrections --------------------------------------------------------------------------------------------------


def insert(book: Rulebook, case: Case, entries: Sequence[Entry], asked: Act, moment: datetime, key: Key, leaving: Collection[str] = ()) -> Outcome:
    """An act typed after later ones: judged on its own day, everything later replayed. `leaving` as in `correct`. Raises Refused."""
    facts, misfits = fit_facts(book, asked.action, asked.facts)
    if asked.elsewhere is not None:
        facts["elsewhere"] = dict(asked.elsewhere)
    assert asked.on is not None
    facts = signed(facts, asked.actor, asked.on)
    today = book.calendar.local_day(moment)
    earlier = _upto(book, entries, asked.on)
    seen = judge(book, earlier, asked.action, facts, asked.actor.role, asked.on, today, case.settings, misfits)
    if seen.reasons:
        raise Refused(seen.reasons, f"'{asked.action}' on {asked.on} is refused on {case.number}")
    letters = letters_of(book.workflow.actions[asked.action], seen)
    if letters:
        facts["letters"] = [[name, f"{case.number}-L{len(case.letters) + n + 1}"] for n, name in enumerate(letters)]
    action = book.workflow.actions[asked.action]
    entry = _new(case, entries, asked.action, asked.actor, asked.on, moment, key(), facts, asked.because, earlier.state, seen.to)
    entry = replace(entry, cites=(action.cite,) if action.cite else ())
    return _change(book, case, entries, entry, asked.actor, moment, key, leaving, own_letters=True)


def correct(book: Rulebook, case: Case, entries: Sequence[Entry], seq: int, asked: Act, moment: datetime, key: Key, leaving: Collection[str] = ()) -> Outcome:
    """Leaves an entry out (`asked` is a void), or corrects its effective day to that of `asked` (an amendment); it stays visible.

    `leaving`: letters that are just being handed over. Raises Refused."""
    target, today = _correctable(case, entries, seq, asked.action), book.calendar.local_day(moment)
    facts: dict[str, Any] = {"entry": target.seq}
    if asked.action == "void":
        _refuse_void(case, target, asked.actor)
    else:
        assert asked.on is not None
        _refuse_day(case, target, asked.on, today)
        facts["on"] = asked.on.isoformat()
    entry = _new(case, entries, asked.action, asked.actor, today, moment, key(), facts, asked.because)
    return _change(book, case, entries, entry, asked.actor, moment, key, leaving)


def _refuse_void(case: Case, target: Entry, actor: Actor) -> None:
    if target.action == IMPORTED and actor.role != SUPERVISOR:
        text = "with it falls what keeps quiet for the past: outcomes that the law produced then will follow"
        reason = Reason("not-permitted", "not-permitted", text, entries=(target.seq,), role=SUPERVISOR)
        raise Refused([reason], f"Entry {target.seq} of {case.number} can't be voided")


def _refuse_day(case: Case, target: Entry, on: date, today: date) -> None:
    text = ""
    if on > today:
        text = f"{on} lies after today, {today}; an entry can't be effective in the future"
    elif target.action != "file" and on < case.received_on:
        text = f"{on} lies before the request was received on {case.received_on}"
    if text:
        raise Refused([Reason("date-invalid", "date-invalid", text)], f"Entry {target.seq} can't be amended")


def _upto(book: Rulebook, entries: Sequence[Entry], on: date) -> Case:
    """The case as it stood at the end of a day."""
    days = standing(entries).days
    later = frozenset(entry.seq for entry in entries if days[entry.seq] > on and entry.action not in _META)
    known = [entry for entry in entries if entry.seq not in later or entry.action == "file"]
    folded = fold(book, known)
    steps = sorted((seq for seq in folded.steps if days[seq] <= on or entries[seq - 1].action == "file"), key=lambda seq: (days[seq], seq))
    return replace(folded.steps[steps[-1]], version=entries[-1].seq)


def _new(
    case: Case,
    entries: Sequence[Entry],
    action: str,
    actor: Actor,
    on: date,
    moment: datetime,
    key: str,
    facts: dict[str, Any],
    because: str | None,
    from_state: str | None = None,
    to_state: str | None = None,
) -> Entry:
    last = entries[-1]
    return Entry(
        case=case.number,
        seq=last.seq + 1,
        recorded_at=moment,
        effective_on=on,
        actor=actor,
        action=action,
        from_state=from_state or case.state,
        to_state=to_state or case.state,
        facts=facts,
        because=because,
        cites=(),
        pack_version=case.pack_version,
        calendar_version=case.calendar_version,
        key=key,
        prev_hash=last.hash,
        hash="",
    )


def _correctable(case: Case, entries: Sequence[Entry], seq: int, word: str) -> Entry:
    target = next((entry for entry in entries if entry.seq == seq), None)
    what = f"Entry {seq} of {case.number} can't be {'voided' if word == 'void' else 'amended'}"

    def refuse(code: str, text: str, instead: str | None = None) -> Refused:
        return Refused([Reason(code, code, text, entries=(seq,), instead=instead)], what)

    if target is None:
        raise refuse("guard-failed", f"there is no entry {seq}; the last is {entries[-1].seq}")
    closed = standing(entries).closed.get(seq)
    if closed is not None:
        raise refuse("guard-failed", f"entry {closed} has closed it already")
    if target.action in _META or target.action in EVENTS or target.action in (HOLD_PLACED, HOLD_LIFTED):
        raise refuse("guard-failed", f"'{target.action}' is the record of something that happened", "Record what is right as a new act.")
    if target.actor.kind == "scheduler":
        text = "the scheduler made it, since its clock ran out; it would only happen again"
        raise refuse("guard-failed", text, "Record or amend the act that was done in time (act --on); this entry then withdraws itself.")
    if target.action == IMPORTED and word == "amend":
        raise refuse("guard-failed", "it says when the file came in, which was then", "Amend the act whose day is wrong.")
    if target.action == "file" and word == "void":
        raise refuse("guard-failed", "the filing opens the record", "Record a withdrawal, or amend its date.")
    return target


def _change(
    book: Rulebook,
    case: Case,
    entries: Sequence[Entry],
    entry: Entry,
    actor: Actor,
    moment: datetime,
    key: Key,
    leaving: Collection[str],
    own_letters: bool = False,
) -> Outcome:
    old = fold(book, entries)
    trial = [*entries, sealed(entry)]
    folded, withdrawn = _withdraw(book, trial)
    if folded.illegal:
        raise Refused([_later(bad, reasons) for bad, reasons in folded.illegal], f"The correction of {case.number} is refused")
    _refuse_silent(entries, withdrawn, actor)
    still = {letter.number for letter in old.case.letters if letter.number in leaving and letter.seq in folded.steps}
    wrong = _letters_now_wrong(old, folded, withdrawn, standing(entries), lambda _, before, after: _differ(book, before, after), still)
    if wrong:
        entry = replace(entry, facts={**entry.facts, "correct_letters": wrong})
    made = [sealed(entry)]
    made += _withdrawals(case, [*entries, *made], withdrawn, book.calendar.local_day(moment), moment, key)
    final = fold(book, [*entries, *made])
    outcome = settle(book, case, final.case, tuple(made))
    _leads_on(book, outcome.case, [*entries, *made], moment)
    if own_letters and entry.seq in final.steps:
        outcome = replace(outcome, letters=letters_owed(book, final.steps[entry.seq], made[0], by_law=False))
    return replace(outcome, withdrawn=tuple(withdrawn), canceled_letters=_canceled(case, final.case))


def _differ(book: Rulebook, before: Case, after: Case) -> list[str]:
    """The clocks whose last days differ."""
    was, now = due_days(book, before), due_days(book, after)
    return [name for name in {**was, **now} if was.get(name) != now.get(name)]


def _refuse_silent(entries: Sequence[Entry], withdrawn: Sequence[int], actor: Actor) -> None:
    silent = [seq for seq in withdrawn if _by_silence(entries, seq)]
    if silent and actor.role != SUPERVISOR:
        text = f"Entry {silent[0]} is an outcome by silence; only a supervisor may undo it"
        raise Refused([Reason("not-permitted", "not-permitted", text, entries=tuple(silent), role=SUPERVISOR)], "Refused")


def _withdrawals(under: Case, entries: Sequence[Entry], withdrawn: Sequence[int], on: date, moment: datetime, key: Key) -> list[Entry]:
    """The entries that close what no longer follows from the last of `entries`."""
    because = f"Entry {entries[-1].seq} changed what it followed from."
    made: list[Entry] = []
    for seq in withdrawn:
        made.append(sealed(_new(under, [*entries, *made], "withdrawn-by-correction", SCHEDULER, on, moment, key(), {"entry": seq}, because)))
    return made


def _canceled(before: Case, after: Case) -> tuple[str, ...]:
    """The letters that a change canceled."""
    was = {letter.number for letter in before.letters if letter.status == "canceled"}
    return tuple(sorted({letter.number for letter in after.letters if letter.status == "canceled"} - was))


def unmoved(old: Rulebook, new: Rulebook, case: Case, entries: Sequence[Entry]) -> Case | None:
    """The case under another rulebook, where that changes nothing of it: no day, no status, no timer. Else None."""
    folded = fold(new, entries)
    under = case.revised(pack_version=new.pack.hash, calendar_version=new.calendar.version)
    if folded.lapsed or folded.illegal or folded.case != under or moved_dates(old, case, new, under):
        return None
    return under


def move(
    old: Rulebook,
    new: Rulebook,
    case: Case,
    entries: Sequence[Entry],
    asked: Act,
    moment: datetime,
    key: Key,
    misprints: Misprints,
    leaving: Collection[str] = (),
) -> Outcome:
    """Puts a case under another rulebook, by an entry that carries its versions: `calendar-adopted` or `pack-moved`.

    The whole record is replayed under the new rules. What the scheduler did and no longer follows is withdrawn; timers
    and used limits are carried. A letter that was handed over and states another date, of a period that is not over,
    opens a task to correct it and owes the letter that the new pack names for such an entry. With `entry` in the facts
    of `asked`, the number of the earlier move that it takes back, that one is closed. `leaving`: letters that are just
    being handed over. Raises Refused with each entry of a person that would no longer be legal: the case stays as it is.
    """
    under = case.revised(pack_version=new.pack.hash, calendar_version=new.calendar.version)
    on = new.calendar.local_day(moment)
    before = fold(old, entries)
    facts = {**asked.facts}
    entry = _new(under, entries, asked.action, asked.actor, on, moment, key(), facts, asked.because)
    folded, withdrawn = _withdraw(new, [*entries, sealed(entry)])
    if folded.illegal:
        raise Refused([_later(bad, reasons) for bad, reasons in folded.illegal], f"{case.number} can't go under the other rules")
    _refuse_silent(entries, withdrawn, asked.actor)
    told: set[str] = set()

    def telling(number: str, then: Case, now: Case) -> Collection[str]:
        clocks = [name for name in misprints(number, then, now) if goes_on(new, folded.case, name)]
        told.update(clocks)
        return clocks

    wrong = _letters_now_wrong(before, folded, withdrawn, standing(entries), telling, leaving)
    facts["moved"] = [{**one, "told": one["clock"] in told} for one in moved_dates(old, before.case, new, folded.case)]
    if wrong:
        facts["correct_letters"] = wrong
    letter = new.pack.text.letter_on(asked.action)
    if wrong and letter is not None:
        facts |= {"letters": [[letter, f"{case.number}-L{len(case.letters) + 1}"]], "about": wrong}
    made = [sealed(replace(entry, facts=facts, to_state=folded.case.state))]
    made += _withdrawals(under, [*entries, *made], withdrawn, on, moment, key)
    final = fold(new, [*entries, *made])
    outcome = settle(new, case, final.case, tuple(made))
    _leads_on(new, outcome.case, [*entries, *made], moment)
    return replace(outcome, withdrawn=tuple(withdrawn), canceled_letters=_canceled(case, final.case))


def _leads_on(book: Rulebook, case: Case, entries: list[Entry], moment: datetime) -> None:
    """What the change makes due already is tried in its place. Raises Refused where a later act of a person would no longer be legal."""
    while case.timers and case.timers[0].at <= moment:
        outcome = fire(book, case, case.timers[0], moment, "0" * 32, partial(tuple, entries))
        if outcome is None:
            return
        entries = [*entries, *outcome.entries]
        bad = fold(book, entries).illegal if outcome.entries[0].effective_on < case.last_on else ()
        if bad:
            raise Refused([_later(entry, reasons) for entry, reasons in bad], f"The correction of {case.number} is refused")
        case = outcome.case


def _withdraw(book: Rulebook, trial: Sequence[Entry]) -> tuple[Folded, list[int]]:
    """Leaves out scheduler's entries that no longer follow, until all that is left does."""
    withdrawn: list[int] = []
    while True:
        folded = fold(book, trial, drop=frozenset(withdrawn))
        if not folded.lapsed:
            return folded, sorted(withdrawn)
        withdrawn += folded.lapsed


def _by_silence(entries: Sequence[Entry], seq: int) -> bool:
    entry = next(entry for entry in entries if entry.seq == seq)
    return entry.facts.get("kind") == "silence"


def _later(bad: Entry, reasons: tuple[Reason, ...]) -> Reason:
    first = reasons[0]
    text = f"Entry {bad.seq} ({bad.action}, {bad.effective_on}) would no longer be legal: {first.text}"
    return Reason(first.code, first.id, text, first.cite, (bad.seq,), first.role, f"Void or amend entry {bad.seq} first.")


def _letters_now_wrong(old: Folded, new: Folded, withdrawn: Sequence[int], view: Standing, misprints: Misprints, leaving: Collection[str] = ()) -> list[str]:
    """Letters that have gone out and whose dates, or whose reason, the change has altered."""
    wrong = []
    for letter in old.case.letters:
        if (letter.number not in view.sent and letter.number not in leaving) or letter.seq in view.closed:
            continue
        before, after = old.steps.get(letter.seq), new.steps.get(letter.seq)
        if after is None or before is None or letter.seq in withdrawn or misprints(letter.number, before, after):
            wrong.append(letter.number)
    return wrong


# --- verifying ----------------------------------------------------------------------------------------------------


def replay_faults(book: Rulebook, case: Case, entries: Sequence[Entry]) -> list[RecordFault]:
    """Where the record of a case does not add up: its chain, or a replay that differs from what is stored."""
    faults = chain_faults(case.number, entries, case.head)
    if faults or not entries:
        return faults or [RecordFault(case.number, 0, "the case has no entries")]
    folded = fold(book, entries)
    faults += [RecordFault(case.number, bad.seq, f"'{bad.action}' was not legal: {reasons[0].text}") for bad, reasons in folded.illegal]
    faults += [RecordFault(case.number, seq, "the scheduler's entry does not follow from its clock") for seq in folded.lapsed]
    if not faults and folded.case != case:
        names = [name for name in vars(case) if getattr(case, name) != getattr(folded.case, name)]
        faults.append(RecordFault(case.number, case.version, f"the stored case differs from its entries in {', '.join(names)}"))
    return faults
