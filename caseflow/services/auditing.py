"""Who did what and when it became known: the audit of a case, and of the office over a period.

What the site showed after each entry is found by replaying the record as far as it had been typed by then, so that a
late or voided entry is seen in its effect. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from caseflow.domain.calendar import Calendar
from caseflow.domain.case import Case, Entry
from caseflow.domain.moving import ruled_by
from caseflow.domain.pack import RULE_MOVES
from caseflow.domain.replay import fold, replay_faults
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import run
from caseflow.errors import BadInput
from caseflow.services.office import Office, case_row, parse_day
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.ports.doings import Doer, Doing, Period
from caseflow.services.reading import CORE_TITLES, timeline_of
from caseflow.services.sight import EVERYTHING, Sight

if TYPE_CHECKING:
    from caseflow.services.ports.people import Accounts, Reading

CORRECTIONS = ("void", "amend", "withdrawn-by-correction", *RULE_MOVES)
MOST_REPLAYED = 20_000
"""So many entries are replayed for one audit; what was shown after the corrections beyond is left unsaid."""
READERS_DAYS, OFFICE_DAYS, LONGEST_PERIOD = 30, 7, 366
LONGEST_NUMBER = 15
"""Digits of a number in the key of a page; a database counts no further than nineteen."""
MACHINES = {"scheduler": "Scheduler", "import": "Import"}


def shown(book: Rulebook, case: Case) -> dict[str, Any]:
    """What the site shows of a case's last day: `kind` running (with `due`), held, displaced, ended or none; `kept`: days left while held."""
    row = case_row(book, case)
    if row.ends:
        return {"kind": "ended", "due": None, "kept": None}
    if row.next_due is not None:
        return {"kind": "running", "due": row.next_due.isoformat(), "kept": None}
    if row.stands_since is None:
        return {"kind": "none", "due": None, "kept": None}
    runs = [run(book, case, name, case.last_on) for name in dict.fromkeys(mark.clock for mark in case.marks)]
    stands = [now for now in runs if now.since == row.stands_since.toordinal() and now.status in ("tolled", "displaced")]
    held = next((now for now in stands if now.status == "tolled"), None)
    return {"kind": "held" if held is not None else "displaced", "due": None, "kept": held.left if held is not None else None}


def shown_after(book: Rulebook, entries: Sequence[Entry], rules: Callable[[Entry], Rulebook] | None = None) -> dict[int, dict[str, Any] | None]:
    """What the site showed once each entry was recorded. None where that would take too long to find out.

    As long as entries come in order and correct nothing, one replay answers for all of them; from the first that does not,
    the record up to each is replayed anew. `rules` are those that an entry carries, where they have changed on the way.
    """
    if not entries:
        return {}
    ordered, known = _in_order(entries), rules or (lambda _: book)
    found: dict[int, dict[str, Any] | None] = {}
    first = known(entries[ordered - 1])
    steps = fold(first, entries[:ordered]).steps
    last: dict[str, Any] | None = None
    for entry in entries[:ordered]:
        last = shown(first, steps[entry.seq]) if entry.seq in steps else last
        found[entry.seq] = last
    spent = 0
    for at in range(ordered, len(entries)):
        spent += at + 1
        within = spent <= MOST_REPLAYED or at == len(entries) - 1
        then = known(entries[at])
        found[entries[at].seq] = shown(then, fold(then, entries[: at + 1]).case) if within else None
    return found


def _in_order(entries: Sequence[Entry]) -> int:
    """How many entries come first that follow one another in days and correct nothing."""
    for at, entry in enumerate(entries):
        if entry.action in CORRECTIONS or (at and entry.effective_on < entries[at - 1].effective_on):
            return at
    return len(entries)


class Auditing:
    """Audits of an office. `accounts` knows names and who looked at what."""

    def __init__(self, office: Office, accounts: Accounts) -> None:
        self._office, self._accounts = office, accounts

    # --- a case ---

    def case(self, number: str, by: str = "recorded", known_on: str | None = None) -> dict[str, Any]:
        """The audit of a case, or of what was known of it on a day. Raises NotFound, BadInput."""
        if by not in ("effective", "recorded"):
            raise BadInput(f"An audit is sorted by effective or recorded, not by '{by}'.")
        with self._office.store.read() as work:
            case = work.case(number)
            every = work.entries(case.number)
        book = self._office.packs.of(case)
        today = book.calendar.local_day(self._office.now())
        day = min(parse_day(known_on, "The day"), today) if known_on else today
        entries = [entry for entry in every if book.calendar.local_day(entry.recorded_at) <= day]
        faults = replay_faults(book, case, every)

        def rules(entry: Entry) -> Rulebook:
            return self._office.packs.of(ruled_by(case, entry))

        then = rules(entries[-1]) if entries else book
        after = shown_after(then, entries, rules)
        return {
            "case": case.number,
            "title": case.title,
            "workflow_title": book.workflow.title,
            "by": by,
            "known_on": day.isoformat(),
            "today": today.isoformat(),
            "past": day < today,
            "later": len(every) - len(entries),
            "head": case.head,
            "count": len(every),
            "faults": [{"seq": fault.seq, "text": fault.text} for fault in faults],
            "entries": self._entries(then, entries, by, after),
            "strip": _strip(then, entries, after, day) if entries else [],
            "closed": _closed(book.calendar, entries, day),
            "readers": self._readers(case.number, today),
        }

    def _entries(self, book: Rulebook, entries: Sequence[Entry], by: str, after: Mapping[int, dict[str, Any] | None]) -> list[dict[str, Any]]:
        names = self._names()
        before: dict[str, Any] | None = None
        same: dict[int, bool] = {}
        for entry in entries:
            same[entry.seq] = before is not None and after[entry.seq] == before
            before = after[entry.seq]
        found, states = [], book.workflow.states
        for one in timeline_of(book, entries, by):
            local = entries[one["seq"] - 1].recorded_at.astimezone(book.calendar.zone)
            late = (local.date() - date.fromisoformat(one["effective_on"])).days
            found.append(
                {
                    **one,
                    "moved": [states[name].title if name in states else name for name in (one["from"], one["to"])]
                    if one["from"] not in (None, one["to"])
                    else [],
                    "local": local.isoformat(),
                    "late": max(late, 0),
                    "by": _name(one["actor"]["kind"], one["actor"]["id"], names),
                    "shown": after[one["seq"]],
                    "same": same[one["seq"]],
                }
            )
        return found

    def _readers(self, number: str, today: date) -> list[dict[str, Any]]:
        calendar, names = self._office.calendar, self._names()
        period = Period(calendar.moment(today.toordinal() - READERS_DAYS), calendar.moment(today.toordinal() + 1), case=number)
        return [_doer(one, names, calendar) for one in self._accounts.readers(period)]

    def _names(self) -> dict[str, str]:
        return {account.id: account.name for account in self._accounts.accounts()}

    # --- the office ---

    def office(self, asked: Mapping[str, str], before: str | None = None, limit: int = 50, seen: Sight = EVERYTHING) -> dict[str, Any]:
        """Who did what in a period, as far as the cases are seen.

        `asked`: from and to (days, the last seven by default), who (an account or `scheduler`), case, what (acts or reads),
        by (person or case). `next` is the key of the next page, or null. Raises BadInput.
        """
        calendar = self._office.calendar
        first, last = self._span(asked, calendar)
        what, by = asked.get("what") or "acts", asked.get("by") or "person"
        if what not in ("acts", "reads") or by not in ("person", "case"):
            raise BadInput("An audit tells acts or reads, summed by person or by case.")
        period = Period(calendar.moment(first.toordinal()), calendar.moment(last.toordinal() + 1), asked.get("who") or None, asked.get("case") or None, seen)
        names = self._names()
        made = {"from": first.isoformat(), "to": last.isoformat(), "what": what, "by": by, "people": self._summary(period, by, names, calendar)}
        rows, following = (self._acts if what == "acts" else self._reads)(period, before, limit, names, calendar)
        return {**made, "rows": rows, "next": following}

    def _span(self, asked: Mapping[str, str], calendar: Calendar) -> tuple[date, date]:
        today = calendar.local_day(self._office.now())
        last = min(parse_day(asked["to"], "The last day"), today) if asked.get("to") else today
        first = parse_day(asked["from"], "The first day") if asked.get("from") else last - timedelta(days=min(OFFICE_DAYS, last.toordinal()) - 1)
        if first > last:
            raise BadInput(f"The period ends on {last}, before it begins on {first}.")
        if (last - first).days >= LONGEST_PERIOD:
            raise BadInput(f"A period is {LONGEST_PERIOD} days at most; from {first} to {last} is longer. Ask for a part of it.")
        return first, last

    def _summary(self, period: Period, by: str, names: Mapping[str, str], calendar: Calendar) -> list[dict[str, Any]]:
        """Entries and looks side by side, by person or by case; the most entries first."""
        acts, reads = self._office.store.doers(period, by), self._accounts.readers(period, by)
        found: dict[str, dict[str, Any]] = {}
        for kind, doers in (("acts", acts), ("reads", reads)):
            for one in doers:
                row = found.setdefault(
                    one.id, {"id": one.id, "name": _name(one.kind, one.id, names) if by == "person" else one.id, "acts": 0, "reads": 0, "last": ""}
                )
                row[kind], row["last"] = row[kind] + one.times, max(row["last"], one.last_at.astimezone(calendar.zone).isoformat())
        rows = sorted(found.values(), key=lambda row: (-row["acts"], -row["reads"], row["id"]))[:MOST_SUMMED]
        if by == "case":
            titles = {line.number: line.title for line in self._office.store.docket(DocketFilter(numbers=tuple(row["id"] for row in rows)))}
            rows = [{**row, "name": titles.get(row["id"], row["id"])} for row in rows]
        return rows

    def _acts(self, period: Period, before: str | None, limit: int, names: Mapping[str, str], calendar: Calendar) -> tuple[list[dict[str, Any]], str | None]:
        found = self._office.store.doings(period, _act_key(before), limit + 1)
        rows = [self._act(one, names, calendar) for one in found[:limit]]
        last = found[limit - 1] if len(found) > limit else None
        return rows, f"{last.recorded_at.isoformat()}|{last.case}|{last.seq}" if last is not None else None

    def _act(self, one: Doing, names: Mapping[str, str], calendar: Calendar) -> dict[str, Any]:
        flow = next((flow for pack in self._office.packs.all() for flow in pack.workflows if flow.workflow == one.workflow), None)
        action = flow.actions.get(one.action) if flow is not None else None
        local = one.recorded_at.astimezone(calendar.zone)
        return {
            "at": local.isoformat(),
            "effective_on": one.effective_on.isoformat(),
            "late": max((local.date() - one.effective_on).days, 0),
            "case": one.case,
            "case_title": one.title,
            "seq": one.seq,
            "by": _name(one.actor.kind, one.actor.id, names),
            "role": one.actor.role if one.actor.kind == "person" else None,
            "what": action.title if action is not None else CORE_TITLES.get(one.action, one.action.replace("-", " ")),
            "because": one.because,
        }

    def _reads(self, period: Period, before: str | None, limit: int, names: Mapping[str, str], calendar: Calendar) -> tuple[list[dict[str, Any]], str | None]:
        if before is not None and not (before.isdecimal() and len(before) <= LONGEST_NUMBER):
            raise BadInput("That page of the list is not known; begin at its first page.")
        found = self._accounts.readings_in(period, int(before) if before is not None else None, limit + 1)
        titles = {line.number: line.title for line in self._office.store.docket(DocketFilter(numbers=tuple({one.case for _, one in found})))}
        rows = [_read(one, names, titles, calendar) for _, one in found[:limit]]
        return rows, str(found[limit - 1][0]) if len(found) > limit else None


MOST_SUMMED = 200
"""So many people or cases are summed up on a page."""


def _act_key(before: str | None) -> tuple[Any, str, int] | None:
    if before is None:
        return None
    moment, _, rest = before.partition("|")
    case, _, seq = rest.rpartition("|")
    try:
        at = datetime.fromisoformat(moment)
        if at.tzinfo is None or not case or len(seq) > LONGEST_NUMBER:
            raise ValueError
        return at, case, int(seq)
    except ValueError:
        raise BadInput("That page of the list is not known; begin at its first page.") from None


def _read(one: Reading, names: Mapping[str, str], titles: Mapping[str, str], calendar: Calendar) -> dict[str, Any]:
    at = one.at.astimezone(calendar.zone).isoformat()
    return {"at": at, "case": one.case, "case_title": titles.get(one.case, one.case), "by": _name("person", one.account, names), "what": one.what}


def _doer(one: Doer, names: Mapping[str, str], calendar: Calendar) -> dict[str, Any]:
    return {"id": one.id, "name": _name("person", one.id, names), "times": one.times, "last": one.last_at.astimezone(calendar.zone).isoformat()}


def _name(kind: str, name: str, names: Mapping[str, str]) -> str:
    return names.get(name, name) if kind == "person" else MACHINES.get(kind, name)


def _strip(book: Rulebook, entries: Sequence[Entry], after: Mapping[int, dict[str, Any] | None], day: date) -> list[dict[str, Any]]:
    """What the site showed, day by day: pieces from a day to a day (each at its end), of the last entry recorded by then."""
    found: list[dict[str, Any]] = []
    closed = {entry.facts["entry"] for entry in entries if entry.action == "void"}
    for on, entry in _last_of_days(book, entries):
        told = after[entry.seq]
        if found and found[-1]["shown"] == told and not found[-1]["voided"] and entry.seq not in closed:
            continue
        if found:
            found[-1]["to"] = (on - timedelta(days=1)).isoformat()
        found.append({"from": on.isoformat(), "to": day.isoformat(), "shown": told, "seq": entry.seq, "voided": entry.seq in closed})
    return found


def _last_of_days(book: Rulebook, entries: Iterable[Entry]) -> Iterator[tuple[date, Entry]]:
    days: dict[date, Entry] = {}
    for entry in entries:
        days[book.calendar.local_day(entry.recorded_at)] = entry
    yield from sorted(days.items())


def _closed(calendar: Calendar, entries: Sequence[Entry], day: date) -> list[str]:
    """The days on which the office is closed, as far as the drawing reaches."""
    if not entries:
        return []
    first = min(min(entry.effective_on, calendar.local_day(entry.recorded_at)) for entry in entries)
    span = range(min((day - first).days + 3, 200))
    return [one.isoformat() for one in (first + timedelta(days=at) for at in span) if not calendar.is_open(one)]
