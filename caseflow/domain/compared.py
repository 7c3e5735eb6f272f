"""What other rules would have changed in a case: two playings of it (otherwise.py) set against each other, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from caseflow.domain.otherwise import Issued, Played
from caseflow.domain.rulebook import Rulebook

Restates = Callable[[Issued, Issued], bool]
"""Whether a letter says other words, of one that was owed on the same day but could state other last days."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What other rules would have changed in a case; empty members mean nothing.

    `dates`: {clock, title, before, after}, each a list of {due, target} in order. `outcome` and `acts`: {before, after}.
    `refused`: {entry, action, title, on, because}. `letters`: {letter, title, before, after}, each the days on which it was owed, and
    `restated`, those on which it would have stated other last days.
    """

    dates: tuple[dict[str, Any], ...] = ()
    outcome: dict[str, Any] | None = None
    acts: dict[str, Any] | None = None
    refused: tuple[dict[str, Any], ...] = ()
    letters: tuple[dict[str, Any], ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """Which of dates, outcomes, refusals and letters it has."""
        found = {"dates": self.dates, "outcomes": self.outcome or self.acts, "refusals": self.refused, "letters": self.letters}
        return tuple(name for name, one in found.items() if one)


def compared(old: Rulebook, was: Played, new: Rulebook | None, now: Played, restates: Restates) -> Difference:
    """How the second differs from the first. `restates` is asked of letters that could state other days."""
    return Difference(
        _dates(old, was, new, now),
        _outcome(old, was, new, now),
        _acts(old, was, new, now),
        _refused(new or old, was, now),
        _letters(old, was, new, now, restates),
    )


def _dates(old: Rulebook, was: Played, new: Rulebook | None, now: Played) -> tuple[dict[str, Any], ...]:
    found = []
    for clock in dict.fromkeys((*was.days, *now.days)):
        before, after = was.days.get(clock, []), now.days.get(clock, [])
        if before != after:
            title = next(book.workflow.clocks[clock].title for book in (new, old) if book is not None and clock in book.workflow.clocks)
            found.append({"clock": clock, "title": title, "before": _pairs(before), "after": _pairs(after)})
    return tuple(found)


def _pairs(days: Sequence[tuple[str | None, str | None]]) -> list[dict[str, Any]]:
    return [{"due": due, "target": target} for due, target in days]


def _outcome(old: Rulebook, was: Played, new: Rulebook | None, now: Played) -> dict[str, Any] | None:
    before, after = _ending(old, was), _ending(new, now)
    return {"before": before, "after": after} if before != after else None


def _ending(book: Rulebook | None, played: Played) -> dict[str, Any] | None:
    case = played.case
    if case is None or book is None:
        return None
    disposition = book.workflow.dispositions.get(case.disposition) if case.disposition is not None and case.closed_on is not None else None
    flags = [book.workflow.flags.get(flag, flag) for flag in case.flags]
    closed = case.closed_on.isoformat() if case.closed_on is not None else None
    return {"state": book.workflow.states[case.state].title, "disposition": disposition, "closed_on": closed, "flags": sorted(map(str, flags))}


def _acts(old: Rulebook, was: Played, new: Rulebook | None, now: Played) -> dict[str, Any] | None:
    if was.acts == now.acts:
        return None
    return {"before": _done(old, was.acts), "after": _done(new or old, now.acts)}


def _done(book: Rulebook, acts: Sequence[tuple[str, date]]) -> list[dict[str, Any]]:
    titles = book.workflow.actions
    return [{"action": name, "title": titles[name].title if name in titles else name, "on": on.isoformat()} for name, on in acts]


def _refused(book: Rulebook, was: Played, now: Played) -> tuple[dict[str, Any], ...]:
    """Acts of people that would have been refused, by the number of their entry. What the record has was legal then."""
    titles = book.workflow.actions
    return tuple(
        {
            "entry": seq,
            "action": entry.action,
            "title": titles[entry.action].title if entry.action in titles else entry.action,
            "on": entry.effective_on.isoformat(),
            "because": [{"text": one.text, "cite": one.cite} for one in reasons],
        }
        for seq, (entry, reasons) in sorted(now.refused.items())
        if seq not in was.refused
    )


def _letters(old: Rulebook, was: Played, new: Rulebook | None, now: Played, restates: Restates) -> tuple[dict[str, Any], ...]:
    found = []
    for name in dict.fromkeys(one.letter for one in (*was.letters, *now.letters)):
        before, after = ([one for one in played.letters if one.letter == name] for played in (was, now))
        stated = {one.on: one for one in before}
        both_days = [(stated[one.on], one) for one in after if one.on in stated and stated[one.on].days != one.days]
        restated = [one.on.isoformat() for had, one in both_days if restates(had, one)]
        days = [[one.on.isoformat() for one in side] for side in (before, after)]
        if restated or days[0] != days[1]:
            title = next(book.pack.letters[name].title for book in (new, old) if book is not None and name in book.pack.letters)
            found.append({"letter": name, "title": title, "before": days[0], "after": days[1], "restated": restated})
    return tuple(found)
