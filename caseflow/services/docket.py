"""The docket as lists: who has what, by when. What a supervisor watches is in overseeing.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from caseflow.domain.calendar import Calendar
from caseflow.domain.pack import Pack
from caseflow.errors import BadInput
from caseflow.services.office import Office
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.searching import find
from caseflow.services.sight import EVERYTHING, Sight

if TYPE_CHECKING:
    from caseflow.services.ports.lines import CaseLine, Standing

MOST_FOUND, EXPORTED = 500, 500
"""A search that finds more is to be narrowed."""


def docket(
    office: Office,
    wanted: DocketFilter,
    overdue: bool = False,
    due_within: int | None = None,
    after: str | None = None,
    limit: int | None = None,
    moment: datetime | None = None,
) -> list[dict[str, Any]]:
    """Rows of cases. `due_within` counts office days to the target."""
    calendar = office.calendar
    today = calendar.local_day(moment or office.now())
    rows = []
    for line in office.store.docket(wanted, after, None if overdue or due_within is not None else limit):
        if overdue and not is_overdue(line, today):
            continue
        if due_within is not None and not within(calendar, line, today, due_within):
            continue
        rows.append(line_json(line))
        if limit is not None and len(rows) >= limit:
            break
    return rows


def line_json(line: CaseLine) -> dict[str, Any]:
    """A row of the docket."""
    due, target = line.row.next_due, line.row.next_target
    return {
        "case": line.number,
        "request": line.request,
        "title": line.title,
        "workflow": line.workflow,
        "state": line.state,
        "turn": line.row.turn,
        "assigned_to": line.assigned_to,
        "flags": list(line.flags),
        "tasks": line.tasks,
        "next": {
            "clock": line.row.next_clock,
            "target": target.isoformat() if target is not None else None,
            "due": due.isoformat() if due is not None else None,
        },
    }


def page(office: Office, asked: Mapping[str, Any], after: str | None, limit: int, moment: datetime | None = None, seen: Sight = EVERYTHING) -> dict[str, Any]:
    """A page of the docket, the soonest target first; of what a search found, the best first.

    `asked`: text, workflow, phase, turn, assigned (`nobody` for none), flag, `overdue`, `due_within` (office days to the
    target), `decided` (those that ended, too), `county`, `standing` (on hold or without a last day now), `target_from` and
    `target_to` (days), `sort` (`number`, or the soonest target). `next` is the key of the page after it, or null. Raises BadInput.
    """
    calendar = office.calendar
    today = calendar.local_day(moment or office.now())
    assigned, days = asked.get("assigned"), asked.get("due_within")
    ranked = find(office, str(asked["text"]), MOST_FOUND, seen) if asked.get("text") else None
    wanted = DocketFilter(
        workflow=asked.get("workflow"),
        state=asked.get("state"),
        phase=asked.get("phase"),
        turn=asked.get("turn"),
        flag=asked.get("flag"),
        numbers=tuple(ranked) if ranked is not None else None,
        assigned=assigned if assigned != "nobody" else None,
        unassigned=assigned == "nobody",
        open_only=not asked.get("decided"),
        overdue_on=today if asked.get("overdue") else None,
        due_by=office_days_on(calendar, today, int(days)) if days is not None else None,
        seen=seen,
        county=asked.get("county"),
        stands=bool(asked.get("standing")),
        dated=False if asked.get("standing") else None,
        target_from=asked.get("target_from"),
        target_to=asked.get("target_to"),
    )
    if ranked is not None:
        return _found(office, wanted, ranked, after, limit, today)
    at, found = place(after), []
    if asked.get("sort") == "number":
        found = list(office.store.docket(wanted, at[1] if at is not None else None, limit + 1))
        keys = [f"{line.row.next_target or '-'}:{line.number}" for line in found]
        rows = [row_json(office, line, today) for line in found[:limit]]
    else:
        named = office.store.standings(wanted, at, limit + 1)
        keys = [f"{one.target or '-'}:{one.number}" for one in named]
        rows = _rows(office, wanted, named[:limit], today)
    return {"as_of": today.isoformat(), "rows": rows, "next": keys[limit - 1] if len(keys) > limit else None, "most": False}


def _rows(office: Office, wanted: DocketFilter, named: Sequence[Standing], today: date) -> list[dict[str, Any]]:
    """Rows of cases that are named as they stand. A page of which nothing has changed since it was last shown is remembered whole."""
    day = today, tuple(pack.hash for pack in office.packs.all())
    key, stamp = ("page", named[0].number if named else None, len(named)), (*day, [(one.number, one.head) for one in named])
    known: list[dict[str, Any]] | None = office.rows.known(key, stamp)
    if known is not None:
        return known
    rows = _read(office, wanted, named, day)
    return office.rows.keep(key, rows, stamp) if len(rows) == len(named) else rows


def _read(office: Office, wanted: DocketFilter, named: Sequence[Standing], day: tuple[date, Any]) -> list[dict[str, Any]]:
    """The same row by row: those that have changed since they were last shown are read, the others remembered. `day`: today, and the packs."""
    known = {one.number: office.rows.known((one.number, one.head, *day)) for one in named}
    unknown = tuple(number for number, row in known.items() if row is None)
    # What has changed since it was named is judged anew: it may not fit any more, nor be seen.
    for line in office.store.docket(replace(wanted, numbers=unknown)) if unknown else ():
        known[line.number] = office.rows.keep((line.number, line.head, *day), row_json(office, line, day[0]))
    return [row for row in known.values() if row is not None]


def whole(office: Office, asked: Mapping[str, Any], seen: Sight, moment: datetime | None = None) -> Iterator[dict[str, Any]]:
    """Every row of the docket as `page` asks for it, read a page at a time by key. Raises BadInput before the first one."""
    after, first = None, page(office, asked, None, EXPORTED, moment, seen)

    def rows(made: dict[str, Any], after: str | None) -> Iterator[dict[str, Any]]:
        while True:
            yield from made["rows"]
            after = made["next"]
            if after is None:
                return
            made = page(office, asked, after, EXPORTED, moment, seen)

    return rows(first, after)


def _found(office: Office, wanted: DocketFilter, ranked: Sequence[str], after: str | None, limit: int, today: date) -> dict[str, Any]:
    """A page of what a search found, the best first; its key is the last number of the page before."""
    lines = {line.number: line for line in office.store.docket(wanted)} if ranked else {}
    fitting = [number for number in ranked if number in lines]
    last = (after or "").partition(":")[2]
    start = fitting.index(last) + 1 if last in fitting else 0
    shown = fitting[start : start + limit]
    more = start + limit < len(fitting)
    return {
        "as_of": today.isoformat(),
        "rows": [row_json(office, lines[number], today) for number in shown],
        "next": f"-:{shown[-1]}" if more else None,
        "most": len(ranked) >= MOST_FOUND,
    }


def row_json(office: Office, line: CaseLine, today: date) -> dict[str, Any]:
    """A row as a page shows it: the members of `line_json`, and titles in place of ids."""
    flow = next((flow for pack in office.packs.all() for flow in pack.workflows if flow.workflow == line.workflow), None)
    state = flow.states.get(line.state) if flow is not None else None
    clock = flow.clocks.get(line.row.next_clock) if flow is not None and line.row.next_clock is not None else None
    target = line.row.next_target
    return {
        **line_json(line),
        "workflow_title": flow.title if flow is not None else line.workflow,
        "state_title": state.title if state is not None else line.state,
        "say": state.say.staff if state is not None and state.say is not None else None,
        "clock_title": clock.title if clock is not None else None,
        "county": line.county,
        "silence": clock is not None and clock.silence is not None,
        "flag_titles": [(flow.flags.get(flag) if flow is not None else None) or flag.replace("-", " ") for flag in line.flags],
        "phase": line.row.phase,
        "ends": line.row.ends,
        "held": line.row.held,
        "received_on": line.received_on.isoformat(),
        "decided_on": line.row.decided_on.isoformat() if line.row.decided_on is not None else None,
        "overdue": is_overdue(line, today),
        "office_days": office.calendar.open_days_between(today, target) if target is not None else None,
    }


def choices(office: Office) -> dict[str, Any]:
    """What a docket can be narrowed to: workflows, phases, turns and flags of the packs, each with its title."""
    packs = tuple(pack.hash for pack in office.packs.all())
    made: dict[str, Any] = office.rows.get("choices", lambda: _choices(office), packs)
    return made


def _choices(office: Office) -> dict[str, Any]:
    flows = [flow for pack in office.packs.all() for flow in pack.workflows]
    states = [(name, state) for flow in flows for name, state in flow.states.items()]
    phases = {
        state.phase or name: flow.states[state.phase or name].title
        for flow in flows
        for name, state in flow.states.items()
        if (state.phase or name) in flow.states
    }
    return {
        "workflows": {flow.workflow: flow.title for flow in sorted(flows, key=lambda flow: flow.title)},
        "phases": phases,
        "counties": sorted({county for pack in office.packs.all() if pack.text.places is not None for county in pack.text.places.counties}),
        "turns": list(dict.fromkeys(state.turn for _, state in states)),
        "flags": {name: title for flow in flows for name, title in flow.flags.items()},
    }


def office_days_on(calendar: Calendar, today: date, days: int) -> date:
    """The day by which so many office days will have passed."""
    ordinal = today.toordinal()
    for _ in range(min(max(days, 0), 400)):
        ordinal = calendar.next_open(ordinal)
    return date.fromordinal(ordinal)


def place(after: str | None) -> tuple[date | None, str] | None:
    """The key of a page: the target and number of the last row before it. Raises BadInput."""
    if after is None:
        return None
    day, _, number = after.partition(":")
    try:
        return None if not number else (date.fromisoformat(day) if day != "-" else None, number)
    except ValueError:
        raise BadInput("That page of the list is not known; begin at its first page.") from None


def is_overdue(line: CaseLine, today: date) -> bool:
    """Whether a clock of the agency has run out on an open case."""
    return not line.row.ends and line.row.next_due is not None and line.row.next_due < today


def within(calendar: Calendar, line: CaseLine, today: date, days: int) -> bool:
    """Whether the target lies within so many office days, or has passed."""
    target = line.row.next_target
    return not line.row.ends and target is not None and calendar.open_days_between(today, target) <= days


def displaced_phases(packs: Sequence[Pack]) -> list[str]:
    """The phases in which a case waits because a notice has displaced its last day, as the packs say."""
    found: dict[str, None] = {}
    for flow in (flow for pack in packs for flow in pack.workflows):
        acts = [act for clock in flow.clocks.values() for moment in clock.displaced for act in moment.after]
        for state in (flow.actions[act].to or "same" for act in acts):
            if state in flow.states:
                found[flow.states[state].phase or state] = None
    return list(found)
