"""Who did what in a period, as lists show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from caseflow.services.sight import EVERYTHING, Sight

if TYPE_CHECKING:
    from caseflow.domain.case import Actor


@dataclass(frozen=True, slots=True)
class Period:
    """From a moment until before another, narrowed to an actor and to a case where given, and to cases that are seen."""

    since: datetime
    until: datetime
    actor: str | None = None
    case: str | None = None
    seen: Sight = EVERYTHING


@dataclass(frozen=True, slots=True)
class Doing:
    """An entry as a list of who did what shows it."""

    recorded_at: datetime
    effective_on: date
    case: str
    seq: int
    actor: Actor
    action: str
    because: str | None
    workflow: str
    title: str


@dataclass(frozen=True, slots=True)
class Doer:
    """Somebody who recorded entries in a period, or looked at cases: how often, in how many cases, and when last. Summed by
    case: which case, how often, and by how many people."""

    kind: str
    id: str
    times: int
    cases: int
    last_at: datetime
