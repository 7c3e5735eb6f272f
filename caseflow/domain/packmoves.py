"""Moving open cases from one version of a pack to another: how far a move has come, and by which entry it moved a case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from caseflow.domain.case import Entry
from caseflow.domain.pack import RESERVED_ACTIONS
from caseflow.domain.replay import standing

ACTION = "pack-moved"
MOVE = "move"
"""The fact of an entry that says by which move it was made."""
_NOTES = frozenset(RESERVED_ACTIONS) - {"void", "amend"}


@dataclass(frozen=True, slots=True)
class PackMove:
    """Open cases that somebody moves from one version of a pack (`before`, a content hash) to another, or (`undoes`) back.

    `cursor` is the last case looked at; `seen` and `moved` count them, `blocked` names those that stay, each with why.
    `ended_at` is empty while it is under way.
    """

    id: int
    pack: str
    before: str
    after: str
    at: datetime
    by: str
    role: str
    because: str
    undoes: int | None = None
    cursor: str = ""
    seen: int = 0
    moved: int = 0
    blocked: tuple[tuple[str, str], ...] = ()
    ended_at: datetime | None = None


def last_standing(moves: Sequence[PackMove], pack: str | None = None) -> PackMove | None:
    """The last move that is not undone and undoes none."""
    undone = {one.undoes for one in moves}
    return next((one for one in reversed(moves) if one.undoes is None and one.id not in undone and pack in (None, one.pack)), None)


def moved_by(entries: Sequence[Entry], move: int) -> Entry | None:
    """The entry by which a move put a case under its rules, where it stands and is the last that did so."""
    closed = standing(entries).closed
    last = next((entry for entry in reversed(entries) if entry.action == ACTION and "entry" not in entry.facts and entry.seq not in closed), None)
    return last if last is not None and last.facts.get(MOVE) == move else None


def acted_since(entries: Sequence[Entry], since: Entry) -> bool:
    """Whether a person has taken an action of the workflow, or corrected one, after an entry. What is noted of letters is none."""
    return any(entry.seq > since.seq and entry.actor.kind == "person" and entry.action not in _NOTES for entry in entries)
