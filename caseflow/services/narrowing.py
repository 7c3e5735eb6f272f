"""What each member of a filter of cases means, in one place: the store in memory and a board of a past day ask here.

The SQL store says the same in SQL (adapters/store/overview.py); the contract of the stores holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from caseflow.services.ports.docket import DocketFilter
    from caseflow.services.ports.lines import CaseLine


UNDONE = ("owed", "draft", "approved", "queued", "blocked")
"""A letter of these statuses has not left yet."""
COLUMNS = ("assigned_to", "workflow", "next_target", "stands_since", "decided_on")
"""What cases can be counted by."""


def fits(line: CaseLine, wanted: DocketFilter, aliases: Sequence[str] = (), letters: bool = False, parked: bool = False) -> bool:
    """Whether a case is among those wanted. `letters`: one of its letters has not left; `parked`: one of its timers could not fire. `recorded_before` is for the caller."""
    return all(_answers(line, wanted, aliases, letters, parked))


def _answers(line: CaseLine, wanted: DocketFilter, aliases: Sequence[str], letters: bool, parked: bool) -> Iterator[bool]:
    row = line.row
    yield wanted.state is None or line.state == wanted.state
    yield wanted.workflow is None or line.workflow == wanted.workflow
    yield wanted.assigned is None or line.assigned_to == wanted.assigned
    yield not (wanted.unassigned and line.assigned_to is not None)
    yield wanted.flag is None or wanted.flag in line.flags
    yield wanted.text is None or any(wanted.text.casefold() in text.casefold() for text in (line.title, line.number, *aliases))
    yield wanted.numbers is None or line.number in wanted.numbers
    yield wanted.seen.covers(line.workflow, line.assigned_to, line.flags)
    yield not (wanted.open_only and row.ends)
    yield wanted.phase is None or row.phase == wanted.phase
    yield row.phase not in wanted.phases_not
    yield wanted.turn is None or row.turn == wanted.turn
    yield wanted.overdue_on is None or (row.next_due is not None and row.next_due < wanted.overdue_on)
    yield wanted.not_overdue_on is None or (row.next_due is not None and row.next_due >= wanted.not_overdue_on)
    yield _between(row.next_target, None, wanted.due_by)
    yield _between(row.next_target, wanted.target_from, wanted.target_to)
    yield _between(row.silent_on, None, wanted.silent_by)
    yield not wanted.silent or (row.silent_on is not None and row.silent_on == row.next_due)
    yield not wanted.stands or row.stands_since is not None
    yield _between(row.stands_since, wanted.stands_from, wanted.stands_to)
    yield not wanted.letters_waiting or letters
    yield wanted.quiet_before is None or parked or line.next_at is None or line.last_on < wanted.quiet_before
    yield _between(row.decided_on, wanted.decided_from, wanted.decided_to)
    yield wanted.on_time is None or row.on_time is wanted.on_time
    yield wanted.held is None or row.held is wanted.held
    yield not wanted.live or not row.ends or bool(line.asks)
    yield wanted.county is None or line.county == wanted.county
    yield wanted.dated is None or (row.next_target is not None) is wanted.dated
    yield row.turn not in wanted.not_turns
    yield not wanted.asking or any(word in line.asks for word in wanted.asking)
    yield wanted.not_assigned is None or line.assigned_to != wanted.not_assigned


def _between(value: Any, first: Any, last: Any) -> bool:
    """Whether a day lies in a span; one that is not known lies in none."""
    if first is None and last is None:
        return True
    return value is not None and (first is None or value >= first) and (last is None or value <= last)


def value_of(line: CaseLine, by: str | None) -> Any:
    """The value that a case is counted under."""
    return None if by is None else getattr(line if by in ("assigned_to", "workflow") else line.row, by)


def added(one: Mapping[Any, tuple[int, ...]], other: Mapping[Any, tuple[int, ...]]) -> dict[Any, tuple[int, ...]]:
    """Two counts as one."""
    found = dict(one)
    for key, numbers in other.items():
        found[key] = tuple(map(sum, zip(found[key], numbers, strict=True))) if key in found else numbers
    return found
