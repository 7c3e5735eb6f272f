"""The groups of live cases by urgency (services/ports/docket.py: group_of), as SQL.

Statuses and bounds are written so that a group is read from an index in its order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, and_, case, literal_column, not_, or_, select

from caseflow.adapters.store import statements as s
from caseflow.services.ports.lines import JAMMED

if TYPE_CHECKING:
    from caseflow.services.ports.docket import DocketFilter, Urgency

PARKED = s.TIMER.c.status == literal_column("'parked'")
Test = ColumnElement[bool]

_c = s.CASE.c
parked = _c.number.in_(select(s.TIMER.c.case).where(PARKED))
# The word of a case that is jammed stands first, so that an index finds it as a range.
_jammed = and_(_c.asks >= JAMMED, _c.asks < chr(ord(JAMMED) + 1))


def asking(words: Sequence[str]) -> Test:
    """Whether the tasks of a case ask for one of these words."""
    return or_(*((literal_column("' '") + _c.asks + literal_column("' '")).contains(f" {word} ", autoescape=True) for word in words), literal_column("1 = 0"))


def dated_only(wanted: DocketFilter) -> bool | None:
    """Whether what is wanted has a target in each case (True) or in none (False)."""
    group = wanted.group[0] if wanted.group is not None else None
    if wanted.due_by or wanted.target_from or wanted.target_to or wanted.overdue_on or group in ("late", "soon", "near", "later"):
        return True
    return False if group == "waiting" else wanted.dated


def conditions(wanted: DocketFilter, dated: bool | None) -> Iterator[Test]:
    """What work lists add to a filter. `dated`: whether the query reads only cases with a target, or only those without."""
    if wanted.live:
        yield or_(_c.ends.is_(False), _c.asks != literal_column("''"))
    if wanted.county is not None:
        yield _c.county == wanted.county
    if dated is not None:
        yield _c.next_target.is_not(None) if dated else _c.next_target.is_(None)
    if wanted.not_turns:
        yield _c.turn.not_in(list(wanted.not_turns))
    if wanted.asking:
        yield _c.asks != literal_column("''")
        yield asking(wanted.asking)
    if wanted.not_assigned is not None:
        yield or_(_c.assigned_to.is_(None), _c.assigned_to != wanted.not_assigned)
    if wanted.group is not None:
        name, by = wanted.group
        yield from _in_group(name, by, dated, wanted.assigned is not None)


def group_case(by: Urgency) -> Any:
    """The group of each case, as one expression."""
    target = _c.next_target
    return case(
        (and_(target < by.today, _c.next_due < by.today), "late"),
        (target <= by.soon, "soon"),
        (or_(_jammed, parked), "stuck"),
        (target <= by.near, "near"),
        (or_(asking(by.asks), and_(target.is_(None), _c.ends.is_(False), _c.turn.in_(list(by.turns)))), "arrived"),
        (target.is_not(None), "later"),
        else_="waiting",
    )


def _in_group(name: str, by: Urgency, dated: bool | None, few: bool) -> Iterator[Test]:
    """The tests of one group, with bounds on the target first. `few`: the list is narrow, so that its own index is the best."""
    target, undated = _c.next_target, _c.next_target.is_(None)
    if name == "late":
        yield from (target < by.today, _c.next_due < by.today)
    elif name == "soon":
        yield from (target <= by.soon, or_(target >= by.today, _c.next_due >= by.today))
    elif name == "stuck":
        if dated is not False:
            yield target > by.soon if dated else or_(target > by.soon, undated)
        jammed = select(_c.number).where(_jammed, _c.asks != literal_column("''")).correlate(None)
        yield or_(_jammed, parked) if few else _c.number.in_(jammed.union_all(select(s.TIMER.c.case).where(PARKED)))
    elif name == "near":
        yield from (target > by.soon, target <= by.near, not_(or_(_jammed, parked)))
    else:
        yield not_(or_(_jammed, parked))
        theirs = and_(undated, _c.ends.is_(False), _c.turn.in_(list(by.turns)))
        if name == "arrived":
            if dated is not False:
                yield target > by.near if dated else or_(target > by.near, undated)
            yield asking(by.asks) if dated else or_(asking(by.asks), theirs)
        elif name == "later":
            yield from (target > by.near, not_(asking(by.asks)))
        else:
            yield from (literal_column("1 = 0") if dated else undated, not_(asking(by.asks)), or_(_c.ends.is_(True), _c.turn.not_in(list(by.turns))))
