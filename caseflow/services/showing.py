"""A case and its parts as the JSON of CONTRACT section 2: what every door shows, the same to all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from caseflow.domain import pack as p
from caseflow.domain.case import Case, Entry, Task, Timer
from caseflow.domain.casework import judge
from caseflow.domain.clock import Run, Step, adds_up, length_text
from caseflow.domain.conditions import answer
from caseflow.domain.facts import Misfit, schema
from caseflow.domain.fees import kept, moved, total
from caseflow.domain.intake import intake
from caseflow.domain.places import county_code, read_plss
from caseflow.domain.rulebook import PAYMENT_FACTS, Rulebook
from caseflow.domain.timers import silence_acts_on
from caseflow.domain.view import CaseView, run
from caseflow.errors import Reason, StoreFault
from caseflow.services.checklist import rules_json

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter


def case_json(
    book: Rulebook,
    case: Case,
    as_of: date,
    siblings: Sequence[Case] = (),
    letters: Sequence[RegisteredLetter] = (),
    role: str = "staff",
    entries: Sequence[Entry] = (),
) -> dict[str, Any]:
    """A case as it stands on a day. Its `entries` say who stated what settles an item of the checklist."""
    workflow, state = book.workflow, book.workflow.states[case.state]
    say = state.say
    filed = _filed_on(book, case, as_of)
    rules, checklist = rules_json(book, case, entries)
    return {
        "case": case.number,
        "request": case.request,
        "aliases": list(case.aliases),
        "title": case.title,
        "place": place_json(book, case),
        "parties": [{"role": party.role, "name": party.name, "channel": party.channel} for party in case.parties],
        "pack": {"id": case.pack, "version": case.pack_version},
        "calendar": case.calendar_version,
        "workflow": case.workflow,
        "workflow_title": workflow.title,
        "state": case.state,
        "state_title": state.title,
        "phase": book.phase(case.state),
        "say": {"staff": say.staff, "public": say.public} if say is not None else {"staff": state.title, "public": state.title},
        "turn": state.turn,
        "disposition": case.disposition if state.ends else None,
        "version": case.version,
        "as_of": as_of.isoformat(),
        "received_on": case.received_on.isoformat(),
        "filed_on": filed,
        "facts": dict(sorted(case.facts.items())),
        "settings": dict(sorted(case.settings.items())),
        "flags": list(case.flags),
        "legal_holds": [
            {"seq": one.seq, "placed_on": one.on.isoformat(), "by": one.by, "because": one.because, "matter": one.matter} for one in case.legal_holds
        ],
        "assigned_to": case.assigned_to,
        "clocks": clocks_json(book, case, as_of),
        "limits": limits_json(book, case),
        "items": items_json(book, case),
        "actions": actions_json(book, case, as_of, role),
        "tasks": [_task(book, task) for task in case.tasks],
        "timers": [_timer(book, timer) for timer in case.timers],
        "letters": letters_json(book, case, letters),
        "fees": fees_json([case, *siblings]),
        "intake": intake_json(book, case, as_of),
        "rules": rules,
        "checklist": checklist,
    }


def place_json(book: Rulebook, case: Case) -> dict[str, Any]:
    """Where it is, with the county's code and the parts of the land survey."""
    place = case.place
    try:
        survey = read_plss(place.plss) if place.plss else None
    except Misfit:
        survey = None  # a record from before the form was checked
    parts = (
        {"quarters": list(survey.quarters), "lot": survey.lot, "section": survey.section, "township": survey.township, "range": survey.range}
        if survey
        else None
    )
    return {**{key: getattr(place, key) for key in place.__slots__}, "county_code": county_code(place.county, book.pack.text.places), "plss_parts": parts}


def intake_json(book: Rulebook, case: Case, as_of: date) -> dict[str, Any] | None:
    """The last possible day of the decision, the day to file by, and warnings; null where the workflow states none."""
    made = intake(book, case, as_of)
    if made is None:
        return None
    return {
        "work_begins": made.work_begins.isoformat() if made.work_begins is not None else None,
        "latest_decision": {"unrolled": iso(made.latest.unrolled), "due": iso(made.latest.due), "days": made.latest.days} if made.latest is not None else None,
        "paths": [
            {
                "title": way.title,
                "days": way.days,
                "unrolled": iso(way.unrolled),
                "due": iso(way.due),
                "clocks": [
                    {"id": leg.clock, "title": leg.title, "length": leg.length, "from": iso(leg.from_), "to": iso(leg.to), "cite": leg.cite} for leg in way.legs
                ],
            }
            for way in made.ways
        ],
        "file_by": made.file_by.isoformat() if made.file_by is not None else None,
        "warnings": list(made.warnings),
    }


def _filed_on(book: Rulebook, case: Case, as_of: date) -> str | None:
    if book.workflow.filed_on is None:
        return case.received_on.isoformat()
    return iso(run(book, case, book.workflow.filed_on, as_of).start)


def iso(ordinal: int | None) -> str | None:
    """An ordinal as an ISO day."""
    return None if ordinal is None else date.fromordinal(ordinal).isoformat()


def clocks_json(book: Rulebook, case: Case, as_of: date, explain: bool = True) -> list[dict[str, Any]]:
    """Every clock of the workflow, those that have not begun too."""
    return [clock_json(book, case, name, as_of, explain) for name in book.workflow.clocks]


def clock_json(book: Rulebook, case: Case, name: str, as_of: date, explain: bool = True) -> dict[str, Any]:
    """One clock on a day."""
    clock = book.workflow.clocks[name]
    now = run(book, case, name, as_of, explain=explain)
    if explain and not adds_up(now):
        raise StoreFault(f"The lines of the clock '{clock.title}' of {case.number} do not lead to its last day, so that no day is shown; please report it.")
    return {
        "id": name,
        "title": clock.title,
        "actor": clock.actor or book.calendar.agency,
        "status": now.status,
        "since": iso(now.since),
        "start": iso(now.start),
        "length": _length(case, clock, now),
        "unrolled": iso(now.unrolled),
        "due": iso(now.due),
        "target": iso(now.target),
        "used": now.used,
        "left": now.left,
        "missed_by": now.missed_by,
        "holds": [
            {
                "from": iso(hold.from_),
                "to": iso(hold.to),
                "days": (hold.to if hold.to is not None else max(hold.from_, as_of.toordinal())) - hold.from_,
                "cause": hold.cause,
                "seq": hold.seq,
            }
            for hold in now.held
        ],
        "displaced_on": iso(now.displaced_on),
        "conditions_fit_on": iso(now.fits_on),
        "ended_on": iso(now.ended_on),
        "silence": _silence(book, clock, now),
        "statute": clock.statute,
        "cite": clock.cite,
        "policy": clock.policy,
        "why": [step_json(book, case.settings, step) for step in now.why],
    }


def step_json(book: Rulebook, settings: Mapping[str, Any], step: Step) -> dict[str, Any]:
    """One line of a derivation; `reading` is a setting or a sentence, `reading_says` what the agency chose, in words."""
    return {
        "kind": step.kind,
        "from": iso(step.from_),
        "to": iso(step.to),
        "days": step.days,
        "text": step.text,
        "cite": step.cite,
        "reading": step.reading,
        "reading_says": reading_says(book, settings, step.reading),
    }


def reading_says(book: Rulebook, settings: Mapping[str, Any], reading: str | None) -> str | None:
    """A reading in words: the question of a setting and the answer that the agency chose; other words as they stand."""
    setting = book.pack.text.settings.get(reading) if reading is not None else None
    return reading if setting is None or reading is None else f"{setting.question} {value_says(setting, settings.get(reading, setting.default))}"


def value_says(setting: p.Setting, value: Any) -> str:
    """What a value of a setting means."""
    if setting.readings is not None:
        return setting.readings[value]
    if isinstance(value, bool) and setting.when_true is not None:
        return setting.when_true if value else setting.when_false or "No."
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _length(case: Case, clock: p.Clock, now: Run) -> dict[str, Any] | None:
    if now.length is not None:
        number, unit = now.length
        return {unit.replace("-", "_"): number, "text": f"{number} {unit.replace('-', ' ')}"}
    if clock.length is None:
        return None
    return {"text": length_text(clock.length, case.settings)}


def _silence(book: Rulebook, clock: p.Clock, now: Run) -> dict[str, Any] | None:
    if clock.silence is None:
        return None
    if now.due is None or now.ended_on is not None:
        return {"outcome": clock.silence, "at": None, "saturday_until": None}
    acts_on = silence_acts_on(book, now.due)
    waits = acts_on != now.due + 1
    return {
        "outcome": clock.silence,
        "at": book.calendar.moment(acts_on).astimezone(book.calendar.zone).isoformat(),
        "saturday_until": iso(acts_on - 1) if waits else None,
    }


def limits_json(book: Rulebook, case: Case) -> list[dict[str, Any]]:
    """How much of each limit is used, and by which entries."""
    return [
        {
            "id": name,
            "title": limit.title,
            "used": len(case.spent.get(name, ())),
            "allowed": limit.times,
            "entries": list(case.spent.get(name, ())),
            "cite": limit.cite,
        }
        for name, limit in book.workflow.limits.items()
    ]


def items_json(book: Rulebook, case: Case) -> list[dict[str, Any]]:
    """What the filing must contain, and where each item stands."""
    known = {**book.workflow.items, **book.workflow.petition_items}
    return [
        {
            "id": name,
            "title": known[name].title if name in known else name,
            "status": item.status,
            "asked": item.asked,
            "note": item.note,
            "judged_by": item.judged_by,
            "cite": known[name].cite if name in known else None,
        }
        for name, item in case.items.items()
    ]


# --- actions ------------------------------------------------------------------------------------------------------


def actions_json(book: Rulebook, case: Case, as_of: date, role: str) -> list[dict[str, Any]]:
    """Every action of a person: what is possible now, and why not what is not."""
    found = []
    for name, action in book.workflow.actions.items():
        if name == "file" or action.by == ("scheduler",):
            continue
        reasons = open_reasons(book, case, name, action, as_of, role)
        found.append(
            {
                "id": name,
                "title": action.title,
                "hint": action.hint,
                "key": action.key,
                "order": action.order,
                "by": list(action.by),
                "allowed": not reasons,
                "because": [reason_json(reason) for reason in reasons],
                "facts": form(book, action),
                "letters": sorted({ref.letter for ref in (*action.letters, *(ref for one in action.outcomes for ref in one.letters))}),
            }
        )
    return found


def open_reasons(book: Rulebook, case: Case, name: str, action: p.Action, as_of: date, role: str) -> list[Reason]:
    """What stands against an action before its facts are given: needs that only its own facts can answer stay open."""
    on = max(as_of, case.last_on)
    own = book.own[name] | ({"items", "missing_items"} if action.items else set())
    seen = judge(book, case, name, {}, role, on, on, case.settings)
    failed = {reason.id for reason in seen.reasons if reason.code == "guard-failed"}
    named = [need for need in action.needs if isinstance(need, p.Named) and need.name in failed]
    open_needs = {need.name for need in named if book.facts_in(need) & own and not _answered(book, case, need, on, own)}
    return [reason for reason in seen.reasons if not (reason.code == "guard-failed" and reason.id in open_needs)]


def _answered(book: Rulebook, case: Case, need: p.Named, on: date, own: frozenset[str] | set[str]) -> bool:
    """Whether a need fails on what the case already says, whatever the act's own facts will be."""
    condition = book.conditions[need.name]
    if condition.test is None:
        return False
    parts = condition.test.all if isinstance(condition.test, p.AllOf) else (condition.test,)
    view = CaseView(book, case, "", {}, on, case.settings)
    return any(not (book.facts_in(part) & own) and answer(part, view) is False for part in parts)


def reason_json(reason: Reason) -> dict[str, Any]:
    """A reason of a refusal."""
    return {
        "code": reason.code,
        "condition": reason.id,
        "text": reason.text,
        "cite": reason.cite,
        "entries": list(reason.entries),
        "role": reason.role,
        "instead": reason.instead,
    }


def form(book: Rulebook, action: p.Action) -> dict[str, Any]:
    """JSON Schema of what an action takes."""
    names = [*action.takes, *action.may_take, *action.may_restate]
    if action.establishes is not None:
        names += [name for name in (*sorted(book.asked), "judgments") if name not in names]
    if action.money is not None:
        names += [name for name in PAYMENT_FACTS if name not in names and name in book.facts]
    return {
        "type": "object",
        "properties": {name: schema(book.facts.get(name, p.TEXT), name) for name in names},
        "required": list(action.takes),
        "additionalProperties": False,
    }


# --- tasks, timers, letters, fees ---------------------------------------------------------------------------------


def _task(book: Rulebook, task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "text": task.text,
        "action": task.actions[0] if task.actions else None,
        "for": task.role,
        "since": task.since.isoformat(),
        "escalates_on": book.escalates_on(task.since).isoformat(),
    }


def _timer(book: Rulebook, timer: Timer) -> dict[str, Any]:
    clock = book.workflow.clocks[timer.clock]
    action = book.workflow.actions.get(timer.action)
    kind = timer.kind.partition("-")[0]
    effect = {
        "overdue": action.title if action else timer.action,
        "silence": action.title if action else timer.action,
        "remind": action.title if action else timer.action,
        "warn": "opens a task",
        "alert": "opens a task",
    }.get(kind, timer.action)
    if timer.kind == "silence-waits":
        effect = "shows that silence waits for the next open day"
    return {
        "id": timer.id,
        "title": clock.title,
        "at": timer.at.astimezone(book.calendar.zone).isoformat(),
        "action": timer.action,
        "effect": effect,
        "clock": timer.clock,
        "due": timer.due.isoformat(),
    }


def letters_json(book: Rulebook, case: Case, register: Sequence[RegisteredLetter] = ()) -> list[dict[str, Any]]:
    """The letters of a case, in order of issue, with where each stands in the register."""
    kept_rows = {row.number: row for row in register}
    found = []
    for letter in case.letters:
        row = kept_rows.get(letter.number)
        found.append(
            {
                "number": letter.number,
                "id": letter.id,
                "title": book.pack.letters[letter.id].title,
                "status": row.status if row is not None else letter.status,
                "recipients": [_recipient(item) for item in row.recipients] if row is not None else [],
                "owed_on": letter.owed_on.isoformat(),
                "sent_on": letter.sent_on.isoformat() if letter.sent_on is not None else None,
                "leaves_at": row.leaves_at.astimezone(book.calendar.zone).isoformat() if row is not None and row.leaves_at is not None else None,
                "seq": letter.seq,
                "missing": list(row.missing) if row is not None else [],
                "corrects": row.corrects if row is not None else None,
                "corrected_by": row.corrected_by if row is not None else None,
            }
        )
    return found


def _recipient(item: Mapping[str, Any]) -> dict[str, Any]:
    return {key: item.get(key) for key in ("role", "name", "channel", "status")}


def fees_json(cases: Sequence[Case]) -> dict[str, Any]:
    """What the request owes and has paid; the first case carries the lines of the filing."""
    lines = [line for case in sorted(cases, key=lambda case: case.number) for line in case.fees]
    payments = [payment for case in cases for payment in case.payments]
    owed, paid = total(lines), kept(payments)
    return {
        "lines": [{"id": line.id, "title": line.title, "amount": line.amount, "count": line.units, "cite": line.cite, "text": line.text} for line in lines],
        "total": f"{owed:.2f}",
        "paid": f"{paid:.2f}",
        "due": f"{max(Decimal(0), owed - paid):.2f}",
        "refunded": f"{moved(payments, 'refunded'):.2f}",
        "refunds": [{"case": case.number, **due._asdict()} for case in cases for due in case.refunds],
    }


def entry_json(entry: Entry, title: str) -> dict[str, Any]:
    """A line of the journal."""
    return {
        "seq": entry.seq,
        "recorded_at": entry.recorded_at.isoformat(),
        "effective_on": entry.effective_on.isoformat(),
        "actor": {"kind": entry.actor.kind, "id": entry.actor.id, "role": entry.actor.role},
        "action": entry.action,
        "title": title,
        "from": entry.from_state,
        "to": entry.to_state,
        "facts": dict(entry.facts),
        "because": entry.because,
        "cites": list(entry.cites),
        "pack_version": entry.pack_version,
        "calendar_version": entry.calendar_version,
        "prev_hash": entry.prev_hash,
        "hash": entry.hash,
    }


def moment_json(moment: datetime | None) -> str | None:
    """A moment with its offset."""
    return moment.isoformat() if moment is not None else None
