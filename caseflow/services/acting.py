"""Act on a case: one action, a void or an amendment, all of it in one transaction or none of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from caseflow.domain import casework, replay
from caseflow.domain.arrivals import from_outside
from caseflow.domain.case import Act, Actor, Case, Entry, Mark, Outcome
from caseflow.domain.facts import reason_of
from caseflow.domain.fees import had, kept, moved, total
from caseflow.domain.pack import RULE_MOVES
from caseflow.domain.posting import EVENTS
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import run
from caseflow.errors import Reason, Refused, StaleCase
from caseflow.services.again import again
from caseflow.services.moving import in_flight, set_right
from caseflow.services.office import Office
from caseflow.services.ruled import ruled

if TYPE_CHECKING:
    from caseflow.services.ports.work import Work


@dataclass(frozen=True, slots=True)
class Trial:
    """What an act would do: the outcome, or why it is refused (raised by the caller's wish)."""

    book: Rulebook
    before: Case
    outcome: Outcome


@again
def act(office: Office, number: str, asked: Act, moment: datetime | None = None) -> Case:
    """One action. A repeated command id gives the first answer. Raises Refused, StaleCase, NotFound, LetterFault."""
    moment = moment or office.now()
    with office.store.begin() as work:
        if asked.command_id is not None and (done := work.command(asked.command_id)) is not None:
            return work.case(done[0])
        if not is_due(work.case(number), moment):
            return _done(office, work, attempt(office, work, number, asked, moment), asked, moment)
    catch_up(office, number, moment)
    with office.store.begin() as work:
        return _done(office, work, attempt(office, work, number, asked, moment), asked, moment)


def _done(office: Office, work: Work, trial: Trial, asked: Act, moment: datetime) -> Case:
    """Saves an act. One that was typed late may have changed what letters that wait have to say."""
    case = office.save(work, trial.book, trial.outcome, moment, asked.command_id)
    late = trial.outcome.entries[0].effective_on < trial.before.last_on
    return set_right(office, work, case, trial.book, trial.outcome, asked, moment) if late else case


def is_due(case: Case, moment: datetime) -> bool:
    """Whether a timer of the case has come due, so that its law acts before anyone else may."""
    return bool(case.timers) and case.timers[0].at <= moment


def attempt(office: Office, work: Work, number: str, asked: Act, moment: datetime) -> Trial:
    """The outcome of an act, nothing saved. Raises Refused or StaleCase."""
    case, book = ruled(office, work, work.case(number))
    refuse_stale(book, work, case, asked)
    if asked.because is not None:
        asked = replace(asked, because=reason_of(asked.because))
    asked = _with_money_elsewhere(book, work, case, asked)
    on = asked.on or book.calendar.local_day(moment)
    if on < case.last_on and on >= case.received_on and asked.action in book.workflow.actions:
        late = replace(asked, on=on)
        outcome = replay.insert(book, case, work.entries(case.number), late, moment, office.key, in_flight(work, case.number))
    else:
        outcome = casework.act(book, case, asked, moment, office.key())
    return Trial(book, case, outcome)


def void(office: Office, number: str, seq: int, because: str, actor: Actor, moment: datetime | None = None) -> tuple[Case, Outcome]:
    """Leaves an entry out; letters that have not left say what is so then. Raises Refused."""
    return _correct(office, number, seq, Act("void", actor, because=because), moment)


def amend(office: Office, number: str, seq: int, on: date, because: str, actor: Actor, moment: datetime | None = None) -> tuple[Case, Outcome]:
    """Corrects the effective day of an entry; letters that have not left say what is so then. Raises Refused."""
    return _correct(office, number, seq, Act("amend", actor, on=on, because=because), moment)


@again
def _correct(office: Office, number: str, seq: int, asked: Act, moment: datetime | None) -> tuple[Case, Outcome]:
    moment = moment or office.now()
    catch_up(office, number, moment)
    with office.store.begin() as work:
        case, book = ruled(office, work, work.case(number))
        refuse_reader(book, asked.actor)
        asked = replace(asked, because=reason_of(asked.because or "", "leave the entry out" if asked.action == "void" else "correct the entry"))
        outcome = replay.correct(book, case, work.entries(case.number), seq, asked, moment, office.key, in_flight(work, number))
        done = office.save(work, book, outcome, moment)
        return set_right(office, work, done, book, outcome, asked, moment), outcome


def refuse_reader(book: Rulebook, actor: Actor) -> None:
    """Refuses a correction by a role that may take no action at all, such as one that only reads."""
    if not any(book.role_may(actor.role, action.by) for action in book.workflow.actions.values()):
        raise Refused([Reason("not-permitted", "not-permitted", f"who is {actor.role} only reads; nothing is changed in that role", role="staff")], "Refused")


@again
def catch_up(office: Office, number: str, moment: datetime) -> int:
    """Fires what is due in one case, so that nobody acts on a state that the law has already ended."""
    with office.store.read() as work:
        if not is_due(work.case(number), moment):
            return 0
    with office.store.begin() as work:
        case, book = ruled(office, work, work.case(number))
        return fire_due(office, work, case, book, moment)[1]


def fire_due(office: Office, work: Work, case: Case, book: Rulebook, moment: datetime) -> tuple[Case, int]:
    """Fires what is due in a case, within a transaction: the case then, and how often."""
    fired, journal = 0, partial(work.entries, case.number)
    while is_due(case, moment):
        outcome = replay.fire(book, case, case.timers[0], moment, office.key(), journal)
        if outcome is None:
            break
        case = fired_in_place(office, work, book, case, outcome, moment)
        fired += 1
    return case, fired


def fired_in_place(office: Office, work: Work, book: Rulebook, before: Case, outcome: Outcome, moment: datetime) -> Case:
    """Saves what a timer did. Where later days are recorded already, letters of those days may have to say something else."""
    case = office.save(work, book, outcome, moment)
    first = outcome.entries[0]
    return set_right(office, work, case, book, outcome, Act(first.action, first.actor), moment) if first.effective_on < before.last_on else case


# --- stale forms --------------------------------------------------------------------------------------------------


def refuse_stale(book: Rulebook, work: Work, case: Case, asked: Act) -> None:
    """Refuses an act on what its author no longer sees: an entry since then changed what the act stands on."""
    if asked.seen_version is None or asked.seen_version == case.version:
        return
    since = [entry for entry in work.entries(case.number) if entry.seq > asked.seen_version]
    changed = [entry for entry in since if _matters(book, asked.action, entry)]
    if asked.seen_version > case.version or changed:
        what = "; ".join(f"{entry.actor.id} did '{entry.action}' on {entry.effective_on} (entry {entry.seq})" for entry in changed)
        text = f"The case has changed since version {asked.seen_version}: {what or f'it is at version {case.version}'}"
        entries = tuple(entry.seq for entry in changed)
        raise StaleCase([Reason("stale", "stale", text, entries=entries, instead="Read the case again and decide anew.")], "Not done")


def _matters(book: Rulebook, action: str, entry: Entry) -> bool:
    if entry.action in EVENTS or entry.action == "warn-deadline":
        return False
    if from_outside(entry):
        return True  # what has just arrived may be the answer that the act stands on the lack of
    if entry.from_state != entry.to_state or entry.action in ("void", "amend", "withdrawn-by-correction", *RULE_MOVES, "silence-waits"):
        return True
    moves = bool(book.moves.get(entry.action)) or entry.action in book.limits
    return moves or bool(set(entry.facts) & book.used_facts.get(action, frozenset()))


def _with_money_elsewhere(book: Rulebook, work: Work, case: Case, asked: Act) -> Act:
    """Payments belong to the request: what its other cases owe and have paid counts where this act asks for money."""
    others: Sequence[Case] = work.siblings(case) if asked.action in book.paying else ()
    if not others:
        return asked
    owed, paid = money_of(others)
    refunded = sum((moved(other.payments, "refunded") for other in others), Decimal(0))
    lines = had([line for other in others for line in other.fees])
    elsewhere = {
        "owed": f"{owed:.2f}",
        "paid": f"{paid:.2f}",
        "refunded": f"{refunded:.2f}",
        "fees": {name: [f"{line.amount:.2f}", line.units] for name, line in lines.items()},
        "open": _going_on(book, others),
    }
    return replace(asked, elsewhere=elsewhere)


def _going_on(book: Rulebook, others: Sequence[Case]) -> dict[str, list[str]]:
    """The cases of a request that are not over, by the fees that they were filed for."""
    found: dict[str, list[str]] = {}
    for other in others:
        flow = book.pack.workflow(other.workflow, other.received_on)
        if flow is not None and other.closed_on is None:
            for ref in flow.fees:
                found.setdefault(ref.fee, []).append(other.number)
    return found


def money_of(cases: Sequence[Case]) -> tuple[Decimal, Decimal]:
    """What cases owe together, and what was received for them."""
    return sum((total(case.fees) for case in cases), Decimal(0)), sum((kept(case.payments) for case in cases), Decimal(0))


def answered_on(trial: Trial) -> list[dict[str, Any]]:
    """Where an act begins a hold: the last day of each held clock, had the answer come after so many days."""
    book, after = trial.book, trial.outcome.case
    entry = trial.outcome.entries[0]
    found = []
    begun = dict.fromkeys((move.clock, move.at) for move in book.moves.get(entry.action, ()) if move.kind == "hold")
    for clock, at in begun:
        if run(book, after, clock, entry.effective_on).status != "tolled":
            continue
        hold = book.workflow.clocks[clock].holds[at]
        enders = [name for until in hold.until for name in until.after if until.when is None]
        for days in (7, 14, 30):
            on = entry.effective_on + timedelta(days=days)
            found += if_answered(book, after, clock, enders, on)
    return found


def if_answered(book: Rulebook, after: Case, clock: str, enders: Sequence[str], on: date) -> list[dict[str, Any]]:
    """The last day of a held clock, had one of the acts that end its hold come on that day; nothing where none does."""
    places = [move.at for ender in enders for move in book.moves.get(ender, ()) if move.clock == clock and move.kind == "resume"]
    if not places:
        return []
    marks = (*after.marks, Mark(clock, "resume", on, after.version + 1, on, places[0]))
    now = run(book, replace(after, marks=marks), clock, on)
    if now.due is None or now.target is None:
        return []
    due, target = date.fromordinal(now.due), date.fromordinal(now.target)
    return [{"answered_on": on.isoformat(), "clock": clock, "due": due.isoformat(), "target": target.isoformat(), "left": now.left}]
