"""When the record of a case may go, by the schedules of its pack; and what is left of it, a stub that proves what was there.

Days are derived by the calendar each time they are asked for and are stored nowhere but in the act of disposal itself. What keeps
a case back whatever its schedule says is told here too. Who asks, and what is removed where, is for services and stores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.calendar import say
from caseflow.domain.case import NO_HASH, Actor, Case, Entry
from caseflow.domain.clock import days_after, days_before, least_days, length_text
from caseflow.domain.journal import entry_hash, sealed
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import run
from caseflow.errors import Disposed, Reason, RecordFault

DISPOSED = "disposed"
"""The action of the last entry of a record, which stands for all before it."""


@dataclass(frozen=True, slots=True)
class Term:
    """What a schedule says of an ended case. It is kept through `kept_through` and may go from the day after, `due_on`."""

    schedule: str
    title: str
    cite: str | None
    note: str | None
    policy: bool
    event: str
    counted_from: date
    length: str
    kept_through: date
    then: str

    @property
    def due_on(self) -> date:
        """The first day on which the record may go."""
        return days_before(self.kept_through, -1)


def schedule_of(pack: p.Pack, case: Case) -> tuple[str, p.Schedule] | None:
    """The first schedule that covers a case."""
    for name, schedule in pack.text.retention.schedules.items():
        if (not schedule.workflows or case.workflow in schedule.workflows) and (not schedule.dispositions or case.disposition in schedule.dispositions):
            return name, schedule
    return None


def term_of(book: Rulebook, pack: p.Pack, case: Case) -> Term | None:
    """How long an ended case is kept; None where it is open or no schedule covers it. `pack` holds the schedules that are in force:
    a schedule is policy of today, while `book`, whose clocks are asked, is the case's own."""
    found = schedule_of(pack, case)
    if found is None or case.closed_on is None or not book.workflow.states[case.state].ends:
        return None
    name, schedule = found
    event, day = _counted_from(book, case, schedule.counts_from, case.closed_on)
    settings = _defaults(pack)
    through = days_after(book.calendar, schedule.keep, settings, day)
    length = length_text(schedule.keep, settings)
    return Term(name, schedule.title, schedule.cite, schedule.note, schedule.policy, event, day, length, through, schedule.then)


def _counted_from(book: Rulebook, case: Case, counts: p.CountsFrom, ended: date) -> tuple[str, date]:
    """The event, in words, and its day. A clock that never ran, or was over before the case ended, leaves the day of the end."""
    if counts.event == "last-entry":
        return "the last entry", max(case.last_on, ended)
    latest, title = ended, "the end of the case"
    for name in counts.clocks:
        clock = book.workflow.clocks.get(name)
        if clock is None:
            continue
        now = run(book, case, name, max(case.last_on, ended))
        over = now.ended_on if now.ended_on is not None else now.due
        if over is not None and date.fromordinal(over) > latest:
            latest, title = date.fromordinal(over), f"the end of “{clock.title}”"
    return title, latest


def latest_end(packs: Iterable[p.Pack], until: date) -> date:
    """The last day on which a case can have ended whose record may go by `until`: what ended later need not be looked at."""
    shortest = [least_days(one.keep, _defaults(pack)) for pack in packs for one in pack.text.retention.schedules.values()]
    return days_before(until, min(shortest, default=0))


def _defaults(pack: p.Pack) -> dict[str, Any]:
    return {key: setting.default for key, setting in pack.text.settings.items()}


def kept_back(case: Case, family: Iterable[Case], waiting: Iterable[str], open_states: Mapping[str, bool]) -> tuple[Reason, ...]:
    """What keeps a record although its time is over: a legal hold, the rest of its request, work or letters that are not done.

    `waiting`: numbers of its letters that have not left; `open_states`: whether each case of the request is open.
    """
    found = [
        Reason(
            "guard-failed",
            "legal-hold",
            f"a legal hold of {say(hold.on.toordinal())} is in place{f' for {hold.matter}' if hold.matter else ''}: {hold.because}",
            entries=(hold.seq,),
            instead="Lift it first, with a reason.",
        )
        for hold in case.legal_holds
    ]
    others = [one.number for one in family if one.number != case.number and open_states[one.number]]
    if others:
        text = f"{', '.join(others)} of the same request {'is' if len(others) == 1 else 'are'} open, and counts what was paid here"
        found.append(Reason("guard-failed", "request-open", text))
    letters = list(waiting)
    if letters:
        found.append(Reason("guard-failed", "letters-waiting", f"{', '.join(letters)} {'has' if len(letters) == 1 else 'have'} not left yet"))
    if case.tasks:
        found.append(Reason("guard-failed", "task-open", f"a task is open: {case.tasks[0].text}", entries=(case.tasks[0].seq,)))
    return tuple(found)


# --- the stub -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stub:
    """What is left of a record: the entry of its disposal, which follows the last entry that was there.

    `place` counts disposals from 1; the entry names the hash of the disposal before it, so that none can be left out unnoticed.
    """

    place: int
    entry: Entry

    @property
    def number(self) -> str:
        """The number that the case had, and that nobody is given again."""
        return self.entry.case

    @property
    def facts(self) -> Mapping[str, Any]:
        """What is told of the case."""
        return self.entry.facts


def stub_of(
    book: Rulebook, case: Case, first: str, term: Term, place: int, before: str, because: str, actor: Actor, moment: datetime, key: str, schedules: str
) -> Stub:
    """The act of disposal. `first`: the hash of the first entry; `before`: that of the disposal before; `schedules`: the version of the pack
    whose schedule it was."""
    facts = {
        "request": case.request,
        "workflow": case.workflow,
        "received_on": case.received_on.isoformat(),
        "ended_on": case.closed_on.isoformat() if case.closed_on is not None else None,
        "schedule": term.schedule,
        "title": term.title,
        "policy": term.policy,
        "counted_from": term.counted_from.isoformat(),
        "kept_through": term.kept_through.isoformat(),
        "then": term.then,
        "schedules_of": schedules,
        "flags": list(case.flags),
        "entries": case.version,
        "first": first,
        "head": case.head,
        "place": place,
        "before": before,
    }
    entry = Entry(
        case=case.number,
        seq=case.version + 1,
        recorded_at=moment,
        effective_on=book.calendar.local_day(moment),
        actor=actor,
        action=DISPOSED,
        from_state=case.state,
        to_state=DISPOSED,
        facts=facts,
        because=because,
        cites=(term.cite,) if term.cite else (),
        pack_version=case.pack_version,
        calendar_version=case.calendar_version,
        key=key,
        prev_hash=case.head,
        hash="",
    )
    return Stub(place, sealed(entry))


def told(stub: Stub) -> dict[str, Any]:
    """A stub as plain data."""
    entry, facts = stub.entry, stub.facts
    kept = ("request", "workflow", "received_on", "ended_on", "schedule", "title", "policy", "counted_from", "kept_through", "then", "entries", "first", "head")
    return {
        "case": stub.number,
        "disposed_on": entry.effective_on.isoformat(),
        "disposed_by": entry.actor.id,
        "because": entry.because,
        "cites": list(entry.cites),
        **{name: facts.get(name) for name in kept},
        "place": stub.place,
        "before": facts.get("before"),
        "hash": entry.hash,
    }


def gone(stub: Stub) -> Disposed:
    """The answer to whoever asks for a case of which only the stub is left."""
    facts, entry = stub.facts, stub.entry
    law = f"; {'; '.join(entry.cites)}" if entry.cites else ""
    where = "after its transfer to the archive, " if facts.get("then") == "archive" else ""
    text = f"The record of {stub.number} was disposed of on {entry.effective_on.isoformat()}, {where}under the schedule '{facts.get('schedule')}'"
    return Disposed(f"{text} ({facts.get('title')}{law}).", told(stub))


def stub_faults(stubs: Iterable[Stub], left: Mapping[str, Sequence[str]]) -> Iterator[RecordFault]:
    """Where the disposals do not add up. `left`: tables that still hold something of a case that is gone."""
    place, before = 0, NO_HASH
    for stub in stubs:
        entry, facts = stub.entry, stub.facts
        place += 1
        if stub.place != place:
            yield RecordFault(stub.number, entry.seq, f"the disposal number {place} is missing; {stub.place} stands in its place")
            place = stub.place
        elif facts.get("before") != before:
            yield RecordFault(stub.number, entry.seq, "the link to the disposal before does not fit")
        before = entry.hash
        if not _sound(entry):
            yield RecordFault(stub.number, entry.seq, "the stub was changed after the disposal")
        elif (facts.get("place"), facts.get("entries"), facts.get("head")) != (stub.place, entry.seq - 1, entry.prev_hash):
            yield RecordFault(stub.number, entry.seq, "the stub contradicts itself")
        if left.get(stub.number):
            yield RecordFault(stub.number, entry.seq, f"the case was disposed of, but {', '.join(left[stub.number])} still holds something of it")


def _sound(entry: Entry) -> bool:
    try:
        return entry.action == DISPOSED and entry_hash(entry) == entry.hash
    except (TypeError, ValueError):
        return False
