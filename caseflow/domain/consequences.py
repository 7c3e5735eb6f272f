"""What a change of rules does to one case: every part of it that is another afterwards, each in a row that people can read.

It compares two cases and decides nothing. The parts that people ask for come first; nothing that differs is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from caseflow.domain.case import Case, Timer
from caseflow.domain.moving import moved_dates
from caseflow.domain.rulebook import Rulebook

UNSAID = frozenset(("pack_version", "calendar_version", "version", "head", "last_on"))
"""What every entry that moves a case changes, and nothing else of it."""
PARTS = ("state", "date", "timer", "limit", "disposition", "flag", "task", "letter", "fee", "refund", "setting", "item", "fact", "assigned", "inner")
_INNER = ("marks", "fired", "refired", "done", "came_from", "closed_on", "payments", "parties", "place", "title", "aliases", "received_at", "received_on")


@dataclass(frozen=True, slots=True)
class Consequence:
    """One part of a case that is another. `was` and `now` are what stood and stands there (days ISO); None where there is nothing.

    `part` is one of PARTS, `member` the member of the case that holds it; `more` has the target's days of a date.
    """

    part: str
    member: str
    id: str
    title: str
    was: str | None
    now: str | None
    more: tuple[tuple[str, str | None], ...] = ()


def changed_members(before: Case, after: Case) -> tuple[str, ...]:
    """The members of a case that are another, without those that every entry changes."""
    names = (one.name for one in fields(Case))
    return tuple(name for name in names if name not in UNSAID and getattr(before, name) != getattr(after, name))


def consequences(old: Rulebook, before: Case, new: Rulebook, after: Case) -> tuple[Consequence, ...]:
    """Every part of a case that other rules change, in the order of PARTS."""
    found = [*_dates(old, before, new, after), *(row for name in changed_members(before, after) for row in _rows(name, old, before, new, after))]
    return tuple(sorted(found, key=lambda one: PARTS.index(one.part)))


def _dates(old: Rulebook, before: Case, new: Rulebook, after: Case) -> Iterator[Consequence]:
    for one in moved_dates(old, before, new, after):
        targets = (("target_was", one["target_was"]), ("target", one["target"]))
        yield Consequence("date", "marks", one["clock"], one["title"], one["due_was"], one["due"], targets)


def _rows(name: str, old: Rulebook, before: Case, new: Rulebook, after: Case) -> Iterator[Consequence]:
    was, now = getattr(before, name), getattr(after, name)
    match name:
        case "state":
            yield Consequence("state", name, now, _state(new, now), _state(old, was), _state(new, now))
        case "timers":
            yield from _timers(old, new, was, now)
        case "tasks":
            yield from _listed("task", name, was, now, lambda one: one.id, lambda one: one.text, lambda one: f"for {one.role}")
        case "letters":
            yield from _listed("letter", name, was, now, lambda one: one.number, lambda one: _letter(one.id, old, new), lambda one: one.status)
        case "fees":
            yield from _listed("fee", name, was, now, lambda one: f"{one.id} {one.seq}", lambda one: one.title, lambda one: one.amount)
        case "refunds":
            yield from _listed("refund", name, was, now, lambda one: f"{one.id} {one.seq}", lambda one: one.title, lambda one: one.amount)
        case "spent":
            yield from _limits(old, new, was, now)
        case "flags" | "dispositions":
            yield from _named(name.removesuffix("s"), name, was, now, {**getattr(old.workflow, name), **getattr(new.workflow, name)})
        case "settings":
            titles = {key: one.question for book in (old, new) for key, one in book.pack.text.settings.items()}
            yield from _mapped("setting", name, was, now, titles)
        case "items":
            titles = {key: one.title for book in (old, new) for key, one in {**book.workflow.items, **book.workflow.petition_items}.items()}
            yield from _mapped("item", name, was, now, titles)
        case "facts":
            titles = {key: one.title or key for book in (old, new) for key, one in book.facts.items()}
            yield from _mapped("fact", name, was, now, titles)
        case "assigned_to":
            yield Consequence("assigned", name, "", "whose work it is", was, now)
        case _:
            yield from _inner(name, was, now)


def _inner(name: str, was: Any, now: Any) -> Iterator[Consequence]:
    """What people see as dates, timers and states, as the case keeps it."""
    title = name.replace("_", " ")
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        yield from _mapped("inner", name, was, now, {})
    elif isinstance(was, tuple) and isinstance(now, tuple) and name not in ("place",):
        gone, come = [one for one in was if one not in now], [one for one in now if one not in was]
        yield Consequence("inner", name, "", title, f"{len(gone)} gone" if gone else None, f"{len(come)} new" if come else "in another order")
    else:
        yield Consequence("inner", name, "", title, _text(was), _text(now))


def _limits(old: Rulebook, new: Rulebook, was: Mapping[str, Sequence[int]], now: Mapping[str, Sequence[int]]) -> Iterator[Consequence]:
    for name in dict.fromkeys((*was, *now)):
        if was.get(name) != now.get(name):
            limit = new.workflow.limits.get(name) or old.workflow.limits.get(name)
            title = limit.title if limit is not None else name
            yield Consequence("limit", "spent", name, title, _used(old, name, was), _used(new, name, now))


def _used(book: Rulebook, name: str, spent: Mapping[str, Sequence[int]]) -> str | None:
    limit = book.workflow.limits.get(name)
    return f"{len(spent.get(name, ()))} of {limit.times}" if limit is not None else None


def _listed(part: str, member: str, was: Sequence[Any], now: Sequence[Any], key: Any, title: Any, said: Any) -> Iterator[Consequence]:
    """Things with ids of their own: come, gone, and changed."""
    before, after = {key(one): one for one in was}, {key(one): one for one in now}
    found = False
    for name in dict.fromkeys((*before, *after)):
        one, other = before.get(name), after.get(name)
        if one != other:
            found = True
            yield Consequence(part, member, str(name), title(other or one), said(one) if one is not None else None, said(other) if other is not None else None)
    if not found:
        yield Consequence(part, member, "", member, None, "in another order")


def _named(part: str, member: str, was: Sequence[str], now: Sequence[str], titles: Mapping[str, str]) -> Iterator[Consequence]:
    gone, come = [one for one in was if one not in now], [one for one in now if one not in was]
    for one in (*gone, *come):
        yield Consequence(part, member, one, titles.get(one, one), "yes" if one in was else None, "yes" if one in now else None)
    if not gone and not come:
        yield Consequence(part, member, "", member, ", ".join(was), ", ".join(now))


def _mapped(part: str, member: str, was: Mapping[str, Any], now: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[Consequence]:
    for name in dict.fromkeys((*was, *now)):
        if was.get(name) != now.get(name) or (name in was) != (name in now):
            yield Consequence(part, member, name, titles.get(name, name), _text(was.get(name)), _text(now.get(name)))


def _state(book: Rulebook, state: str) -> str:
    return book.workflow.states[state].title if state in book.workflow.states else state


def _timers(old: Rulebook, new: Rulebook, was: Sequence[Timer], now: Sequence[Timer]) -> Iterator[Consequence]:
    """The same timer of a clock with another moment is one row; moments are local."""
    before, after = {(one.clock, one.kind): one for one in was}, {(one.clock, one.kind): one for one in now}
    for key in dict.fromkeys((*before, *after)):
        one, other = before.get(key), after.get(key)
        known = other or one
        if one != other and known is not None:
            yield Consequence("timer", "timers", known.id, _timer(known, old, new), _at(one, old), _at(other, new))


def _at(timer: Timer | None, book: Rulebook) -> str | None:
    return timer.at.astimezone(book.calendar.zone).isoformat() if timer is not None else None


def _timer(timer: Timer, old: Rulebook, new: Rulebook) -> str:
    clock = new.workflow.clocks.get(timer.clock) or old.workflow.clocks.get(timer.clock)
    days = timer.kind.removeprefix("warn-")
    kind = f"warning {days} office {'day' if days == '1' else 'days'} before" if days != timer.kind else timer.kind.replace("-", " ")
    return f"{clock.title if clock is not None else timer.clock}, {kind}"


def _letter(name: str, old: Rulebook, new: Rulebook) -> str:
    letter = new.pack.letters.get(name) or old.pack.letters.get(name)
    return letter.title if letter is not None else name


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if hasattr(value, "status"):
        return str(value.status)
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) and all(isinstance(one, (str, int)) for one in value) else str(value)
