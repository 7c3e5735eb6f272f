"""What a supervisor watches: figures, the list behind each of them, and both as the record had them at the end of a past day.

A figure and its list are one filter (`slices`), so they can't differ. Figures of today are counted by the database. On
a past day, cases of which nothing was recorded since stand as they are; the others are replayed from the entries that
were on record then, so that a correction made later changes nothing. Pages are drawn elsewhere.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any

from caseflow.domain.calendar import Calendar
from caseflow.domain.case import LetterMade, Timer
from caseflow.domain.moving import ruled_by
from caseflow.domain.replay import fold
from caseflow.errors import BadInput
from caseflow.services.docket import displaced_phases, office_days_on, place, row_json
from caseflow.services.narrowing import UNDONE, added, fits, value_of
from caseflow.services.office import Office, case_row, parse_day
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.ports.lines import CaseLine, line_of
from caseflow.services.sight import EVERYTHING, Sight

if TYPE_CHECKING:
    from caseflow.services.ports.people import Accounts
    from caseflow.services.ports.work import Work

AT_RISK, SILENCE_WITHIN, STUCK_AFTER, WEEK, AHEAD = 5, 14, 30, 7, 42
"""Office days to a target at risk; days to an outcome by silence; days without an entry; days of a week and of six."""
MONTHS = 12
HELD_BINS = ((0, 7), (8, 14), (15, 30), (31, 60), (61, 90), (91, None))
"""Days that a case has been held, as the board groups them."""
MOST_REPLAYED = 5_000
"""So many cases a page replays for a past day; the command line has no such bound."""
DAYS_KEPT, SHORT, AT_ONCE = 6, 5, 200
KINDS: Mapping[str, DocketFilter] = {
    "in-time": DocketFilter(on_time=True, held=False),
    "held": DocketFilter(on_time=True, held=True),
    "late": DocketFilter(on_time=False),
}
"""How decided cases ended: in time without a hold, in time with held days, late."""


@dataclass(frozen=True, slots=True)
class Then:
    """A case as the record had it on a past day, with its letters that had not left and its nearest outcome by silence."""

    line: CaseLine
    letters: tuple[LetterMade, ...]
    silence: Timer | None


@dataclass(frozen=True)
class Watch:
    """The docket on one day, as far as somebody sees it. `then` are the cases that have changed since that day ended, at
    `cut`; today has none. What is seen follows from how the cases stand today."""

    office: Office
    calendar: Calendar
    day: date
    cut: datetime | None = None
    seen: Sight = EVERYTHING
    then: Mapping[str, Then] = field(default_factory=dict)

    def count(self, wanted: DocketFilter, each: Sequence[DocketFilter], by: str | None = None) -> Mapping[Any, tuple[int, ...]]:
        """How many of the wanted cases fit each further filter."""
        found = self.office.store.count(self._unchanged(wanted), each, by)
        for one in self._changed(wanted):
            found = added(found, {value_of(one.line, by): tuple(int(fits(one.line, other, letters=bool(one.letters))) for other in each)})
        return found

    def total(self, wanted: DocketFilter) -> int:
        """How many cases are wanted."""
        return self.count(wanted, (DocketFilter(),))[None][0]

    def soonest(self, wanted: DocketFilter, after: tuple[date | None, str] | None, limit: int, by: str = "next_target") -> list[CaseLine]:
        """Cases by a day of theirs, the soonest first, then those without it by number."""
        store, unchanged = self.office.store, self._unchanged(wanted)
        found = store.soonest(unchanged, after, limit) if by == "next_target" else store.by_day(unchanged, by, after, limit)

        def key(line: CaseLine) -> tuple[date, str]:
            return getattr(line.row, by) or date.max, line.number

        last = (after[0] or date.max, after[1]) if after is not None else None
        changed = sorted((one.line for one in self._changed(wanted) if last is None or key(one.line) > last), key=key)
        return list(heapq.merge(found, changed, key=key))[:limit]

    def numbers(self, wanted: DocketFilter) -> list[str]:
        """The numbers of the wanted cases, in order."""
        return sorted((*(line.number for line in self.office.store.docket(self._unchanged(wanted))), *(one.line.number for one in self._changed(wanted))))

    def silence(self, number: str, work: Work) -> Timer | None:
        """The nearest timer of a case that ends in an outcome by silence."""
        then = self.then.get(number)
        return then.silence if then is not None else silent(work.case(number).timers)

    def _unchanged(self, wanted: DocketFilter) -> DocketFilter:
        return replace(wanted, recorded_before=self.cut, seen=self.seen)

    def _changed(self, wanted: DocketFilter) -> Iterator[Then]:
        return (one for one in self.then.values() if fits(one.line, wanted, letters=bool(one.letters)))


def silent(timers: Iterable[Timer]) -> Timer | None:
    """The nearest outcome by silence among timers."""
    return min((timer for timer in timers if timer.kind == "silence"), key=lambda timer: timer.due, default=None)


def slices(office: Office, calendar: Calendar, day: date) -> dict[str, DocketFilter]:
    """What each figure counts, by id; the phases in which a case waits for the site are those of the packs."""
    packs = office.packs.all()
    away = displaced_phases(packs)
    risk = office_days_on(calendar, day, AT_RISK)
    return {
        "overdue": DocketFilter(open_only=True, overdue_on=day),
        "at-risk": DocketFilter(open_only=True, not_overdue_on=day, due_by=risk),
        "silence": DocketFilter(open_only=True, silent_by=day + timedelta(days=SILENCE_WITHIN)),
        "on-hold": DocketFilter(open_only=True, stands=True, phases_not=tuple(away)),
        **{phase: DocketFilter(open_only=True, phase=phase) for phase in away},
        "letters-waiting": DocketFilter(letters_waiting=True),
        "stuck": DocketFilter(open_only=True, quiet_before=day - timedelta(days=STUCK_AFTER)),
        "open": DocketFilter(open_only=True),
        "week": DocketFilter(open_only=True, due_by=day + timedelta(days=WEEK)),
        "standing": DocketFilter(open_only=True, stands=True),
        "targets": DocketFilter(open_only=True, target_from=day, target_to=day + timedelta(days=AHEAD - 1)),
        "decided": DocketFilter(decided_from=_months_back(day, MONTHS - 1), decided_to=day),
    }


GROUPS_BESIDE = ("week", "standing", "targets", "decided")
"""Slices that are lists of the page and no groups of the command."""


def board(office: Office, as_of: date | None = None, seen: Sight = EVERYTHING) -> dict[str, Any]:
    """The board as the command shows it: groups of cases, workload by person, and the share decided in time by month."""
    watch = Overseeing(office).watch(as_of, None, seen)
    groups = {name: watch.numbers(wanted) for name, wanted in slices(office, watch.calendar, watch.day).items() if name not in GROUPS_BESIDE}
    each = (DocketFilter(), DocketFilter(overdue_on=watch.day))
    workload = watch.count(DocketFilter(open_only=True), each, "assigned_to")
    return {
        "as_of": watch.day.isoformat(),
        "groups": [{"id": name, "count": len(cases), "cases": cases} for name, cases in groups.items()],
        "workload": [{"user": user, "open": open_, "overdue": late} for user, (open_, late) in sorted(workload.items(), key=lambda one: one[0] or "")],
        "on_time": [
            {"month": month, "decided": sum(numbers), "on_time": numbers[0] + numbers[1], "held": numbers[1] + numbers[3]}
            for month, numbers in _months(watch, DocketFilter(decided_from=date.min)).items()
        ],
    }


def _months(watch: Watch, wanted: DocketFilter) -> dict[str, tuple[int, ...]]:
    """By month of decision: in time and never held, in time and held, late and never held, late and held."""
    each = (*(KINDS[kind] for kind in ("in-time", "held")), DocketFilter(on_time=False, held=False), DocketFilter(on_time=False, held=True))
    found: dict[str, tuple[int, ...]] = {}
    for day, numbers in watch.count(wanted, each, "decided_on").items():
        found = added(found, {day.isoformat()[:7]: numbers})
    return dict(sorted(found.items()))


def _months_back(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, 1)


class Overseeing:
    """Watches the docket of an office for its supervisors. Past days that were asked for are kept, a few at a time."""

    def __init__(self, office: Office, accounts: Accounts | None = None) -> None:
        self._office, self._accounts = office, accounts
        self._past: dict[date, dict[str, Then]] = {}
        self._lock = Lock()

    def watch(self, as_of: date | None = None, most: int | None = MOST_REPLAYED, seen: Sight = EVERYTHING) -> Watch:
        """The docket of a day, today where none is given. Raises BadInput: a day to come, or one since which more than `most` cases have changed."""
        calendar = self._office.calendar
        today = calendar.local_day(self._office.now())
        day = as_of or today
        if day > today:
            raise BadInput(f"{day} lies after today, {today}; a board shows today or a day that has passed.")
        if day == today:
            return Watch(self._office, calendar, day, None, seen)
        cut = calendar.moment(day.toordinal() + 1, 0)
        return Watch(self._office, calendar, day, cut, seen, self._then(day, cut, most, seen))

    def _then(self, day: date, cut: datetime, most: int | None, seen: Sight) -> Mapping[str, Then]:
        changed = self._office.store.changed_since(cut, most + 1 if most is not None else None, seen)
        if most is not None and len(changed) > most:
            text = f"More than {most:,} cases have changed since {day}, and each would be replayed from its entries; that takes too long for a page."
            raise BadInput(f"{text} Ask for a later day, or run 'caseflow board --as-of {day}' where the database is.")
        with self._lock:
            known = self._past.pop(day, {})
            for number in changed:
                if number not in known:
                    known[number] = self._replayed(number, cut)
            self._past[day] = known
            while len(self._past) > DAYS_KEPT:
                self._past.pop(next(iter(self._past)))
            return {number: known[number] for number in changed}

    def _replayed(self, number: str, cut: datetime) -> Then:
        with self._office.store.read() as work:
            case, entries = work.case(number), work.entries(number)
        known = [entry for entry in entries if entry.recorded_at < cut]
        book = self._office.packs.of(ruled_by(case, known[-1]))
        then = fold(book, known).case
        # The journal knows a letter as owed until it has left or was canceled.
        return Then(line_of(then, case_row(book, then)), tuple(letter for letter in then.letters if letter.status in UNDONE), silent(then.timers))

    # --- the page ---

    def sheet(self, as_of: str | None = None, seen: Sight = EVERYTHING) -> dict[str, Any]:
        """Every figure of the board, as plain data. Raises BadInput."""
        watch = self.watch(parse_day(as_of, "The day") if as_of else None, seen=seen)
        wanted = slices(self._office, watch.calendar, watch.day)
        figures = [name for name in wanted if name not in GROUPS_BESIDE]
        counted = [name for name in figures if name != "letters-waiting"]
        asked = (*counted, *(name for name in _CARRIED if name not in counted))
        carried = watch.count(DocketFilter(open_only=True), [wanted[name] for name in asked], "assigned_to")
        counts = {name: sum(numbers[at] for numbers in carried.values()) for at, name in enumerate(asked)}
        counts["letters-waiting"] = watch.total(wanted["letters-waiting"])
        standing = [name for name in figures if name == "on-hold" or name not in _FIXED]
        since = watch.count(wanted["standing"], [wanted[name] for name in standing], "stands_since")
        ages = {name: sorted((day, numbers[at]) for day, numbers in since.items() if numbers[at]) for at, name in enumerate(standing)}
        oldest = {name: _days(watch, found[0][0]) if found else None for name, found in ages.items()}
        titles = phase_titles(self._office)
        return {
            "as_of": watch.day.isoformat(),
            "past": watch.cut is not None,
            "changed": len(watch.then),
            "figures": [{"id": name, "title": titles.get(name), "count": counts[name], "oldest": oldest.get(name)} for name in figures],
            "targets": self._targets(watch, wanted["targets"]),
            "on_time": [
                {"month": month, "in-time": numbers[0], "held": numbers[1], "late": numbers[2] + numbers[3]}
                for month, numbers in _months(watch, wanted["decided"]).items()
            ],
            "silence": [self._row(watch, line) for line in watch.soonest(wanted["silence"], None, 2 * SHORT, "silent_on")],
            "workload": self._workload({user: dict(zip(asked, numbers, strict=True)) for user, numbers in carried.items()}),
            "stays": [
                {
                    "id": name,
                    "title": titles.get(name),
                    "count": counts[name],
                    "bins": _bins(watch, ages[name]),
                    "longest": [self._row(watch, line) for line in watch.soonest(wanted[name], None, SHORT, "stands_since")] if counts[name] else [],
                }
                for name in standing
            ],
        }

    def _targets(self, watch: Watch, wanted: DocketFilter) -> list[dict[str, Any]]:
        found = watch.count(wanted, (DocketFilter(), DocketFilter(silent=True)), "next_target")
        days = [watch.day + timedelta(days=at) for at in range(AHEAD)]
        return [
            {"on": day.isoformat(), "cases": found.get(day, (0, 0))[0], "silent": found.get(day, (0, 0))[1], "closed": not watch.calendar.is_open(day)}
            for day in days
        ]

    def _workload(self, carried: Mapping[str | None, Mapping[str, int]]) -> list[dict[str, Any]]:
        titles = {account.id: account.name for account in self._accounts.accounts()} if self._accounts is not None else {}
        rows = [{"user": user, "name": titles.get(user or "", user), **{name: counts[name] for name in _CARRIED}} for user, counts in carried.items()]
        return sorted(rows, key=lambda row: (row["user"] is None, row["name"] or "", row["user"] or ""))

    def _row(self, watch: Watch, line: CaseLine) -> dict[str, Any]:
        """A case of a list: the docket's row, since when it stands, and what silence would decide."""
        row = row_json(self._office, line, watch.day)
        since = line.row.stands_since
        stands = {"since": since.isoformat(), "days": _days(watch, since)} if since is not None else None
        last = {"last_on": line.last_on.isoformat(), "waits": line.next_at is not None}
        return {**row, **last, "stands": stands, "silence": self._silence(watch, line)}

    def _silence(self, watch: Watch, line: CaseLine) -> dict[str, Any] | None:
        if line.row.silent_on is None:
            return None
        with self._office.store.read() as work:
            timer = watch.silence(line.number, work)
        flow = next((flow for pack in self._office.packs.all() for flow in pack.workflows if flow.workflow == line.workflow), None)
        if timer is None or flow is None:
            return None
        at = timer.at.astimezone(watch.calendar.zone)
        clock, action = flow.clocks[timer.clock], flow.actions.get(timer.action)
        return {
            "act_by": date.fromordinal(watch.calendar.target(timer.due.toordinal())).isoformat(),
            "due": timer.due.isoformat(),
            "at": at.isoformat(),
            "waits": at.date() > timer.due + timedelta(days=1),
            "clock": clock.title,
            "then": action.title if action is not None else timer.action,
        }

    def _letters(self, watch: Watch, line: CaseLine) -> list[dict[str, Any]]:
        """The letters of a case that have not left."""
        then = watch.then.get(line.number)
        if then is not None:
            titles = next((pack.letters for pack in self._office.packs.all() if pack.workflow(line.workflow) is not None), {})
            return [
                {"number": one.number, "title": titles[one.id].title if one.id in titles else one.id, "status": one.status, "owed_on": one.owed_on.isoformat()}
                for one in then.letters
            ]
        with self._office.store.read() as work:
            found = work.letters(line.number, UNDONE)
        return [{"number": one.number, "title": one.title, "status": one.status, "owed_on": one.owed_on.isoformat()} for one in found]

    # --- the lists ---

    def cases(self, asked: Mapping[str, str], after: str | None = None, limit: int = 50, seen: Sight = EVERYTHING) -> dict[str, Any]:
        """A page of the cases that a figure counts.

        `asked`: show (the id of a figure), with (a person, or nobody), on (a target's day), silent, month and kind of
        decisions, least and most (days held), as_of. `next` is the key of the next page, or null. Raises BadInput.
        """
        watch = self.watch(parse_day(asked["as_of"], "The day") if asked.get("as_of") else None, seen=seen)
        found = slices(self._office, watch.calendar, watch.day)
        show = asked.get("show", "")
        if show not in found:
            raise BadInput(f"There is no list '{show}' on the board; open one from its figure.")
        wanted = _narrower(found[show], asked, watch.day)
        by = (
            "decided_on"
            if show == "decided"
            else "silent_on"
            if show == "silence"
            else "stands_since"
            if wanted.stands or show not in _FIXED
            else "next_target"
        )
        lines = watch.soonest(wanted, place(after), limit + 1, by)
        last = lines[limit - 1] if len(lines) > limit else None
        return {
            "as_of": watch.day.isoformat(),
            "past": watch.cut is not None,
            "changed": len(watch.then),
            "title": phase_titles(self._office).get(show),
            "total": watch.total(wanted),
            "rows": [{**self._row(watch, line), "letters": self._letters(watch, line) if wanted.letters_waiting else []} for line in lines[:limit]],
            "next": f"{getattr(last.row, by) or '-'}:{last.number}" if last is not None else None,
        }


_CARRIED = ("open", "week", "standing", "overdue")
"""What is told of each person's cases."""
_FIXED = ("overdue", "at-risk", "silence", "on-hold", "letters-waiting", "stuck", "open", *GROUPS_BESIDE)


def phase_titles(office: Office) -> dict[str, str]:
    """The phases of the packs, each with the title of its state."""
    flows = [flow for pack in office.packs.all() for flow in pack.workflows]
    return {name: flow.states[name].title for flow in flows for name in (state.phase or key for key, state in flow.states.items()) if name in flow.states}


def _narrower(wanted: DocketFilter, asked: Mapping[str, str], day: date) -> DocketFilter:
    """A figure's filter, narrowed as its address says. Raises BadInput."""
    who, kind = asked.get("with"), asked.get("kind")
    if who:
        wanted = replace(wanted, unassigned=True) if who == "nobody" else replace(wanted, assigned=who)
    if asked.get("on"):
        on = parse_day(asked["on"], "The day")
        wanted = replace(wanted, target_from=on, target_to=on)
    if asked.get("silent"):
        wanted = replace(wanted, silent=True)
    if asked.get("month"):
        first = parse_day(f"{asked['month']}-01", "The month")
        if first > day:
            raise BadInput(f"{asked['month']} lies after {day}; nothing was decided in it yet.")
        last = _months_back(first, -1) - timedelta(days=1)
        wanted = replace(wanted, decided_from=first, decided_to=last)
    if kind:
        if kind not in KINDS:
            raise BadInput(f"Decided cases are {', '.join(KINDS)}, not '{kind}'.")
        wanted = replace(wanted, on_time=KINDS[kind].on_time, held=KINDS[kind].held)
    most, least = (_number(asked.get(name)) for name in ("most", "least"))
    if most is not None:
        wanted = replace(wanted, stands_from=day - timedelta(days=most))
    if least is not None:
        wanted = replace(wanted, stands_to=day - timedelta(days=least))
    return wanted


def _number(text: str | None) -> int | None:
    if not text:
        return None
    if not text.isdecimal() or len(text) > 5:
        raise BadInput(f"'{text}' is not a number of days; write one such as 30.")
    return int(text)


def _days(watch: Watch, since: date) -> int:
    return (watch.day - since).days


def _bins(watch: Watch, ages: Sequence[tuple[date, int]]) -> list[dict[str, Any]]:
    """How many cases have stood for how long."""
    found = []
    for least, most in HELD_BINS:
        count = sum(number for day, number in ages if least <= max(0, _days(watch, day)) and (most is None or _days(watch, day) <= most))
        found.append({"least": least, "most": most, "cases": count})
    return found
