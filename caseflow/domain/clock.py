"""The clock ledger: dated moments in, a last day and its derivation out. Every date of the product is made here.

`count` is the arithmetic of CONTRACT section 3 on bare days. `derive` reads a clock's marks (starts, holds,
extensions, displacements, ends) in order of effective day and entry, and calls it. Nothing here knows an action.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

from caseflow.domain.calendar import FIRST, LAST, Calendar, add_months, say
from caseflow.domain.case import Mark
from caseflow.domain.pack import Clock, Length, SettingRef


class Step(NamedTuple):
    """One line of a derivation. `days` of all lines but target sum to the days from start to due."""

    kind: str
    from_: int | None
    to: int | None
    days: int
    text: str
    cite: str | None = None
    reading: str | None = None


class HoldDays(NamedTuple):
    """A hold as counted: the day it began, the day it ended (None while open), why and by which entry."""

    from_: int
    to: int | None
    cause: str | None = None
    seq: int | None = None
    cite: str | None = None


class Extra(NamedTuple):
    """An extension: made on `on`; adds a number of units, or moves the last day to at least `to`."""

    on: int
    adds: int = 0
    to: int | None = None
    cite: str | None = None


class Count(NamedTuple):
    """What counting gives, in ordinals. `due` is None while a hold is open; `held` are the holds that counted."""

    unrolled: int
    due: int | None
    target: int | None
    open_since: int | None
    held: tuple[HoldDays, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Terms:
    """How a period is counted: its number and unit, whose last day it is, and the law behind it."""

    number: int
    unit: str
    actor: str
    rolls: bool = True
    before_roll: bool = False
    cite: str | None = None
    reading: str | None = None


def count(
    calendar: Calendar,
    terms: Terms,
    start: int,
    holds: Sequence[HoldDays] = (),
    extras: Sequence[Extra] = (),
    settings: Mapping[str, Any] | None = None,
    why: list[Step] | None = None,
) -> Count:
    """Counts a period from the day of its event (CONTRACT section 3, rules 1 to 6).

    Holds and extensions must be in order of their days. One that begins after the then current last day changes
    nothing; overlapping holds count once; the last day is never before the latest end of a hold; then it rolls once.
    """
    table = calendar.rolls(terms.actor, settings or {}) if terms.rolls else None
    number = terms.number
    unrolled = _nth(calendar, terms.unit, start, number)
    if why is not None:
        why.append(Step("event", start, start, 0, f"{say(start)}: the day of the event is not counted.", terms.cite))
        text = f"{number} {_unit(terms.unit, number)} after it: {say(unrolled)}."
        why.append(Step("count", start, unrolled, unrolled - start, text, terms.cite, terms.reading))
    if not holds and not extras:
        due = _roll(calendar, terms.actor, table, unrolled, settings or {}, why)
        return Count(unrolled, due, _target(calendar, terms, unrolled, due, why), None, (), number)
    return _with_holds(calendar, terms, start, unrolled, holds, extras, table, settings or {}, why)


def _with_holds(
    calendar: Calendar,
    terms: Terms,
    start: int,
    unrolled: int,
    holds: Sequence[HoldDays],
    extras: Sequence[Extra],
    table: bytearray | None,
    settings: Mapping[str, Any],
    why: list[Step] | None,
) -> Count:
    number, left_out, latest = terms.number, 0, 0
    edge = start  # the last held day so far: what lies before it is not left out twice
    counted: list[HoldDays] = []
    open_since: int | None = None
    events: list[HoldDays | Extra] = sorted([*holds, *extras], key=lambda event: event[0])
    for event in events:
        at = event[0]
        due = _rolled(table, unrolled)
        if open_since is None and at > due:
            if why is not None:
                word = "hold" if isinstance(event, HoldDays) else "extension"
                why.append(Step("hold", at, at, 0, f"The {word} of {say(at)} began after the last day and changes nothing.", event.cite))
            continue
        if isinstance(event, Extra):
            moved = unrolled
            if event.adds:
                number += event.adds
                moved = _again(calendar, terms.unit, start, number, left_out, moved)
            elif event.to is not None:
                moved = max(unrolled, event.to)
            moved = max(moved, latest)
            if why is not None:
                why.append(Step("hold", unrolled, moved, moved - unrolled, f"Extended on {say(at)} to {say(moved)}.", event.cite))
            unrolled = moved
            continue
        counted.append(event)
        if event.to is None:
            open_since = at if open_since is None else min(open_since, at)
            continue
        first = max(at, edge)
        if event.to <= first:
            latest = max(latest, event.to)
            if latest > unrolled:  # a hold that ends on its own day, between the last counted day and the rolled one
                if why is not None:
                    why.append(Step("hold", unrolled, latest, latest - unrolled, f"On hold on {say(latest)}: not before its end.", event.cite))
                unrolled = latest
            continue
        edge = event.to
        latest = max(latest, event.to)
        business = terms.unit == "business-days"
        held = calendar.business_days(first, event.to) if business else event.to - first
        left_out += held  # also beyond the last day: an extension may yet reach past the hold
        moved = unrolled
        if first < unrolled:
            moved = calendar.business_day(unrolled, held) if business else unrolled + held
        moved = max(moved, latest)
        if why is not None:
            days = event.to - at
            text = f"On hold after {say(at)} through {say(event.to)} ({days} {_unit('days', days)}): {say(moved)}."
            why.append(Step("hold", unrolled, moved, moved - unrolled, text, event.cite))
        unrolled = moved
    if open_since is not None:
        if why is not None:
            why.append(Step("hold", open_since, None, 0, f"On hold since {say(open_since)}; no last day until the hold ends."))
        return Count(unrolled, None, None, open_since, tuple(counted), number)
    due = _roll(calendar, terms.actor, table, unrolled, settings, why)
    return Count(unrolled, due, _target(calendar, terms, unrolled, due, why), None, tuple(counted), number)


def _nth(calendar: Calendar, unit: str, start: int, number: int) -> int:
    if unit == "days":
        return start + number
    if unit == "business-days":
        return calendar.business_day(start, number)
    if unit == "weeks":
        return start + 7 * number
    return add_months(start, number if unit == "months" else 12 * number)


def _again(calendar: Calendar, unit: str, start: int, number: int, left_out: int, unrolled: int) -> int:
    if unit == "business-days":
        return max(unrolled, calendar.business_day(start, number + left_out))
    return max(unrolled, _nth(calendar, unit, start, number) + left_out)


def _rolled(table: bytearray | None, day: int) -> int:
    if table is not None:
        while table[day - FIRST]:
            day += 1
    return day


def _roll(calendar: Calendar, actor: str, table: bytearray | None, day: int, settings: Mapping[str, Any], why: list[Step] | None) -> int:
    if table is None:
        return day
    if not FIRST <= day <= LAST:
        calendar.target(day)
    while table[day - FIRST]:
        if why is not None:
            name, cite, reading = calendar.why_off(day, actor, settings)
            text = f"{say(day)} is {_article(name)}: the last day moves to {say(day + 1)}."
            why.append(Step("roll", day, day + 1, 1, text, cite, reading))
        day += 1
    return day


def _target(calendar: Calendar, terms: Terms, unrolled: int, due: int, why: list[Step] | None) -> int:
    anchor = unrolled if terms.before_roll else due
    target = calendar.target(anchor)
    if why is not None and target != due:
        text = f"The last day on which the office is open is {say(target)}."
        why.append(Step("target", due, target, target - due, text))
    return target


def _article(name: str) -> str:
    return name if name[:1].islower() or "(" in name else f"a {name}"


def _unit(unit: str, number: int) -> str:
    words = unit.replace("-", " ")
    return words[:-1] if number == 1 else words


# --- clocks -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Run:
    """A clock as of a day, in ordinals. `held` are its holds, `why` its derivation (empty unless asked for)."""

    clock: str
    status: str
    since: int | None = None
    start: int | None = None
    start_seq: int | None = None
    length: tuple[int, str] | None = None
    unrolled: int | None = None
    due: int | None = None
    target: int | None = None
    used: int | None = None
    left: int | None = None
    missed_by: int | None = None
    held: tuple[HoldDays, ...] = ()
    displaced_on: int | None = None
    fits_on: int | None = None
    ended_on: int | None = None
    ended_seq: int | None = None
    awaited: bool = False
    why: tuple[Step, ...] = field(default=())


def adds_up(made: Run) -> bool:
    """Whether the lines of a derivation lead from the start to the last day. A day that they don't lead to may not be shown."""
    if made.due is None:
        return True
    return bool(made.why) and made.start is not None and made.start + sum(step.days for step in made.why if step.kind != "target") == made.due


def derive(
    name: str,
    clock: Clock,
    marks: Iterable[Mark],
    calendar: Calendar,
    settings: Mapping[str, Any],
    as_of: date,
    before_roll: bool = False,
    explain: bool = False,
) -> Run:
    """What a clock shows on a day, from its marks in order of (effective day, entry)."""
    today = as_of.toordinal()
    marks = tuple(marks)
    cut = max((i for i, mark in enumerate(marks) if mark.kind == "cancel"), default=-1)
    starts = [(i, mark) for i, mark in enumerate(marks) if i > cut and mark.kind == "start" and mark.day is not None]
    if not starts:
        return Run(name, "not-started")
    chosen, first = _choose(clock, starts, calendar, settings)
    after = marks[first + 1 :]
    begin = starts[0][1] if clock.take == "longest" else chosen
    spec = clock.starts[chosen.at]
    assert chosen.day is not None
    day = chosen.day.toordinal()
    length = spec.length or clock.length
    awaited = _awaited(after)
    if length is None:
        return Run(name, "running", since=day, start=day, start_seq=begin.seq, awaited=awaited)
    number = value_of(length.number, settings)
    terms = Terms(
        number,
        length.unit,
        clock.actor or calendar.agency,
        rolls=clock.rolls if clock.rolls is not None else not (clock.policy or clock.remind),
        before_roll=before_roll,
        cite=spec.cite or clock.cite,
        reading=spec.reading or clock.reading or _reading(length.number),
    )
    why: list[Step] | None = [] if explain else None
    if spec.before:
        return _backward(name, clock, calendar, terms, chosen, after, today, why)
    end = next((mark for mark in after if mark.kind in ("met", "stop")), None)
    upto = after if end is None else after[: after.index(end)]
    holds, extras = _holds_and_extras(clock, upto, settings, today)
    counted = count(calendar, terms, day, holds, extras, settings, why)
    run = _status(name, clock, calendar, terms, day, counted, upto, end, today, why, awaited, chosen.seq)
    first_day = begin.day.toordinal() if begin.day is not None else day
    if begin is chosen:
        return run
    text = f"{say(first_day)}: the first start. That of {say(day)} gives the later last day, and counts."
    before = (Step("count", first_day, day, day - first_day, text, spec.cite or clock.cite),) if explain and day != first_day else ()
    return replace(run, start=first_day, start_seq=begin.seq, why=(*before, *run.why))


def value_of(number: int | SettingRef, settings: Mapping[str, Any]) -> int:
    """A number of the pack, or the value of the setting that stands for it."""
    return int(settings[number.setting]) if isinstance(number, SettingRef) else number


def _reading(number: int | SettingRef) -> str | None:
    return number.setting if isinstance(number, SettingRef) else None


def _choose(clock: Clock, starts: list[tuple[int, Mark]], calendar: Calendar, settings: Mapping[str, Any]) -> tuple[Mark, int]:
    """The start that counts, and the place of the first mark that can end it."""
    if clock.take == "first":
        return starts[0][1], starts[0][0]
    if clock.take == "latest":
        return starts[-1][1], starts[-1][0]
    best, best_end = starts[0][1], -1
    for _, mark in starts:
        length = clock.starts[mark.at].length or clock.length
        assert length is not None
        assert mark.day is not None
        end = _nth(calendar, length.unit, mark.day.toordinal(), value_of(length.number, settings))
        if end > best_end:
            best, best_end = mark, end
    return best, starts[0][0]


def _awaited(after: Sequence[Mark]) -> bool:
    """Whether a later start has been promised and has not come yet."""
    promised = {mark.at for mark in after if mark.kind == "expect"}
    return any(not any(mark.kind == "start" and mark.at == at for mark in after[_last_expect(after, at) :]) for at in promised)


def _last_expect(after: Sequence[Mark], at: int) -> int:
    return max(i for i, mark in enumerate(after) if mark.kind == "expect" and mark.at == at)


def _holds_and_extras(clock: Clock, marks: Sequence[Mark], settings: Mapping[str, Any], today: int) -> tuple[list[HoldDays], list[Extra]]:
    holds: list[HoldDays] = []
    extras: list[Extra] = []
    open_at: dict[int, int] = {}
    for mark in marks:
        if mark.kind == "hold" and mark.day is not None:
            if mark.at not in open_at:
                spec = clock.holds[mark.at]
                open_at[mark.at] = len(holds)
                holds.append(HoldDays(mark.day.toordinal(), None, spec.cause, mark.seq, spec.cite))
        elif mark.kind == "resume" and mark.at in open_at and mark.day is not None:
            place = open_at.pop(mark.at)
            hold = holds[place]
            holds[place] = hold._replace(to=max(hold.from_, mark.day.toordinal()))
        elif mark.kind == "extend":
            extension = clock.extended[mark.at]
            if extension.adds is not None:
                extras.append(Extra(mark.on.toordinal(), value_of(extension.adds.number, settings), None, extension.cite))
            elif mark.day is not None:
                extras.append(Extra(mark.on.toordinal(), 0, mark.day.toordinal(), extension.cite))
    holds = [hold for hold in holds if hold.to is not None or hold.from_ <= today]
    return sorted(holds, key=lambda hold: hold.from_), extras


def _status(
    name: str,
    clock: Clock,
    calendar: Calendar,
    terms: Terms,
    start: int,
    counted: Count,
    upto: Sequence[Mark],
    end: Mark | None,
    today: int,
    why: list[Step] | None,
    awaited: bool,
    seq: int,
) -> Run:
    displaced = next((mark for mark in upto if mark.kind == "displace" and mark.day is not None), None)
    fits = next((mark.day.toordinal() for mark in reversed(upto) if mark.kind == "fit" and mark.day is not None), None)
    away = displaced.day.toordinal() if displaced is not None and displaced.day is not None else None
    unrolled, due, target, open_since, held, total = counted
    timely = away is not None and (due is None or away <= due)
    ended = end.day.toordinal() if end is not None and end.day is not None else None
    closing = end.on.toordinal() if end is not None and ended is None else ended
    shown_due: int | None = due
    shown_unrolled: int | None = unrolled
    shown_target: int | None = target
    missed_by: int | None = None
    since: int | None
    if timely:
        if why is not None and away is not None:
            cite = next((moment.cite for moment in clock.displaced if moment.cite), clock.cite)
            text = f"Notice given on {say(away)}: the last day is displaced; what is owed comes as soon as possible."
            why.append(Step("displace", away, None, 0, text, cite))
        shown_due = shown_unrolled = shown_target = None
        status, since = ("displaced", away) if closing is None else (_ended(end), closing)
    elif closing is not None:
        if open_since is not None or due is None or closing <= due or awaited:
            status = _ended(end)
        else:
            status = _late(clock, calendar)
            missed_by = (away if away is not None and away < closing else closing) - due
        since = closing
        if open_since is not None:
            shown_due = shown_unrolled = shown_target = None
    elif open_since is not None and open_since <= today:
        status, since = "tolled", open_since
        shown_due = shown_unrolled = shown_target = None
    elif awaited:
        status, since = "running", start
        shown_due = shown_unrolled = shown_target = None
    elif due is not None and today > due:
        status, since = _late(clock, calendar), due + 1
        missed_by = (away if away is not None and away < today else today) - due
    else:
        status, since = "running", max(start, max((hold.to or 0 for hold in held), default=0))
    stop = min(day for day in (today, closing, open_since, away if timely else None) if day is not None)
    used = max(0, _used(calendar, terms, start, stop, held)) if terms.unit in ("days", "business-days", "weeks") else None
    whole = total * 7 if terms.unit == "weeks" else total
    return Run(
        clock=name,
        status=status,
        since=since,
        start=start,
        start_seq=seq,
        length=(total, terms.unit),
        unrolled=shown_unrolled,
        due=shown_due,
        target=shown_target,
        used=used,
        left=None if used is None or timely else max(0, whole - used),
        missed_by=missed_by,
        held=held,
        displaced_on=away,
        fits_on=fits,
        ended_on=closing,
        ended_seq=end.seq if end is not None else None,
        awaited=awaited,
        why=tuple(why or ()),
    )


def _ended(end: Mark | None) -> str:
    return "met" if end is not None and end.kind == "met" else "stopped"


def _late(clock: Clock, calendar: Calendar) -> str:
    """Missed binds the agency; the windows of others are simply over."""
    return "missed" if clock.actor is None or clock.actor == calendar.agency else "over"


def _used(calendar: Calendar, terms: Terms, start: int, stop: int, held: Sequence[HoldDays]) -> int:
    """Counted days after the start through `stop`, held days left out."""
    if stop <= start:
        return 0
    between = calendar.business_days if terms.unit == "business-days" else lambda first, last: last - first
    used, edge = between(start, stop), start
    for hold in held:
        first, last = max(hold.from_, edge), min(hold.to if hold.to is not None else stop, stop)
        if last > first:
            used -= between(first, last)
            edge = last
    return used


def _backward(
    name: str,
    clock: Clock,
    calendar: Calendar,
    terms: Terms,
    chosen: Mark,
    after: Sequence[Mark],
    today: int,
    why: list[Step] | None,
) -> Run:
    """A period counted backwards from a day; it moves to the earlier open day and never later (rule 8)."""
    assert chosen.day is not None
    event = chosen.day.toordinal()
    unrolled = event - terms.number if terms.unit == "days" else _nth(calendar, terms.unit, event, -terms.number)
    due = calendar.target(unrolled) if calendar.text.backward == "earlier-open-day" else unrolled
    if why is not None:
        why.append(Step("event", event, event, 0, f"{say(event)}: counted backwards from this day.", terms.cite))
        text = f"{terms.number} {_unit(terms.unit, terms.number)} before it: {say(unrolled)}."
        why.append(Step("count", event, unrolled, unrolled - event, text, terms.cite))
        if due != unrolled:
            text = f"The office is closed on {say(unrolled)}: the last day is the open day before, {say(due)}."
            why.append(Step("roll", unrolled, due, due - unrolled, text, terms.cite))
    end = next((mark for mark in after if mark.kind in ("met", "stop")), None)
    closing = None if end is None else (end.day or end.on).toordinal()
    if closing is not None and closing <= due:
        status, since, missed = _ended(end), closing, None
    elif closing is not None or today > due:
        status, since = _late(clock, calendar), due + 1
        missed = (closing if closing is not None else today) - due
    else:
        status, since, missed = "running", chosen.on.toordinal(), None
    return Run(
        clock=name,
        status=status,
        since=since,
        start=event,
        start_seq=chosen.seq,
        length=(terms.number, terms.unit),
        unrolled=unrolled,
        due=due,
        target=due,
        missed_by=missed,
        ended_on=closing,
        ended_seq=end.seq if end is not None else None,
        why=tuple(why or ()),
    )


def days_after(calendar: Calendar, length: Length, settings: Mapping[str, Any], day: date) -> date:
    """The day that lies a length after a day, counted as every clock counts, without a roll."""
    return date.fromordinal(_nth(calendar, length.unit, day.toordinal(), value_of(length.number, settings)))


def days_before(day: date, days: int) -> date:
    """The calendar day so many days before a day, or, with days below 0, after it."""
    return date.fromordinal(day.toordinal() - days)


def least_days(length: Length, settings: Mapping[str, Any]) -> int:
    """Calendar days that a length has at least, whatever day it begins on."""
    return {"weeks": 7, "months": 28, "years": 365}.get(length.unit, 1) * value_of(length.number, settings)


def length_text(length: Length, settings: Mapping[str, Any]) -> str:
    """A length as people read it: 30 days, 45 business days."""
    number = value_of(length.number, settings)
    return f"{number} {_unit(length.unit, number)}"
