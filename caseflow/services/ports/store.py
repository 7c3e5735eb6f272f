"""The port of the database. What happens in one of its transactions is in work.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Protocol

from caseflow.services.sight import EVERYTHING, Sight

if TYPE_CHECKING:
    from caseflow.domain.moving import Adoption
    from caseflow.domain.packmoves import PackMove
    from caseflow.services.ports.disposals import Disposals
    from caseflow.services.ports.docket import DocketFilter, Urgency
    from caseflow.services.ports.doings import Doer, Doing, Period
    from caseflow.services.ports.lines import CaseLine, Standing
    from caseflow.services.ports.search import Search
    from caseflow.services.ports.views import Views
    from caseflow.services.ports.work import Work
    from caseflow.services.runs import Runs


@dataclass(frozen=True, slots=True)
class KeptPack:
    """A pack version that the database keeps whole: its content hash, the pack's name and its label for people; how many cases
    run by it, and how many of those are open."""

    version: str
    pack: str
    label: str
    cases: int = 0
    open: int = 0


class Store(Protocol):
    """The database. `one_writer`: whether everybody who writes waits for one lock, as in an embedded one."""

    one_writer: bool

    @property
    def search(self) -> Search:
        """The index of words."""

    def begin(self) -> AbstractContextManager[Work]:
        """A writing transaction. Raises StoreFault when locked, full or out of reach."""

    def read(self) -> AbstractContextManager[Work]:
        """A reading transaction."""

    def together(self) -> AbstractContextManager[None]:
        """What one thread reads within is read as of one moment, and quicker than by one transaction for each question."""

    def apart(self) -> AbstractContextManager[None]:
        """Within `together`: what is read here is read as it is now, with what this thread has just written."""

    def upgrade(self, live: bool | None = None) -> None:
        """Create or migrate the database; safe to repeat. `live=True` marks a real record for good."""

    def exists(self) -> bool:
        """Whether there is a database set up for this version of the program."""

    def is_live(self) -> bool:
        """Whether the database holds a real record."""

    def next_due(self) -> datetime | None:
        """The moment of the earliest open timer."""

    def docket(self, wanted: DocketFilter, after: str | None = None, limit: int | None = None) -> Iterator[CaseLine]:
        """Cases by number, after a key."""

    def soonest(self, wanted: DocketFilter, after: tuple[date | None, str] | None, limit: int) -> Sequence[CaseLine]:
        """Cases by target, the soonest first, then those without a date by number; `after` is the last one seen."""

    def standings(self, wanted: DocketFilter, after: tuple[date | None, str] | None, limit: int) -> Sequence[Standing]:
        """The same as `soonest`, named and not read."""

    def by_day(self, wanted: DocketFilter, day: str, after: tuple[date | None, str] | None, limit: int) -> Sequence[CaseLine]:
        """Cases by another day of theirs (stands_since, silent_on), the earliest first, then those without it by number."""

    def dated(self, wanted: DocketFilter, first: date, last: date, timers: tuple[datetime, datetime], limit: int) -> tuple[Sequence[str], date | None]:
        """Cases that may have a date from `first` to `last`, the soonest first: their nearest last day or target lies there,
        or an open timer between the two moments. With more than `limit`, the day through which none is missing."""

    def numbers(self, after: str | None = None) -> Iterator[str]:
        """The number of every case, in order."""

    def count(self, wanted: DocketFilter, each: Sequence[DocketFilter], by: str | None = None) -> Mapping[Any, tuple[int, ...]]:
        """How many of the wanted cases fit each further filter, by the values of a column (assigned_to, next_target,
        stands_since, decided_on); by None they are counted whole, under the key None."""

    def changed_since(self, moment: datetime, limit: int | None = None, seen: Sight = EVERYTHING) -> Sequence[str]:
        """Cases that are seen, on record before a moment, of which something was recorded at or after it, by number."""

    def doings(self, period: Period, before: tuple[datetime, str, int] | None = None, limit: int = 100) -> Sequence[Doing]:
        """Entries recorded in a period, the newest first; `before` is the key (moment, case, number) of the last one seen."""

    def doers(self, period: Period, by: str = "person") -> Sequence[Doer]:
        """Who recorded entries in a period, those of the most entries first; by `case`, of which cases they were."""

    def seen(self, number: str, sight: Sight) -> str | None:
        """The number of the case (or of the case of that alias), where it is seen."""

    def case_of(self, letter: str) -> str | None:
        """The case of a letter."""

    def how_many(self, wanted: DocketFilter, most: int) -> int:
        """How many cases there are, or `most` where there are more."""

    def group_counts(self, wanted: DocketFilter, by: Urgency, most: int) -> Mapping[str, int]:
        """How many of these live cases are in each group; of more than `most` only so many are counted."""

    def parked(self, numbers: Sequence[str]) -> Mapping[str, str]:
        """Of these cases those with a timer that could not fire, with what stood against it."""

    @property
    def views(self) -> Views:
        """The filters that people have saved."""

    def pack_files(self, version: str) -> Mapping[str, str] | None:
        """The files of a pack that the database keeps."""

    def calendar_text(self, digest: str) -> str | None:
        """The text of a calendar that the database keeps, by its SHA-256."""

    def adoptions(self) -> Sequence[Adoption]:
        """Every adoption of a changed calendar, the first one first."""

    def pack_moves(self) -> Sequence[PackMove]:
        """Every move of cases between versions of a pack, the first one first."""

    def pack_versions(self) -> Sequence[KeptPack]:
        """The pack versions that the database keeps, with how many cases run by each."""

    def cases_under(self, version: str, after: str = "", limit: int = 500, is_open: bool = True) -> Sequence[str]:
        """The numbers of cases that run by a pack version, in order, after a number; without `is_open` also those that have ended."""

    def calendars(self) -> Sequence[str]:
        """The SHA-256 of every changed calendar that the database keeps, in order."""

    def heartbeats(self) -> Sequence[tuple[str, datetime, str]]:
        """Who beat when."""

    @property
    def runs(self) -> Runs:
        """Runs of processes, under tokens that expire."""

    @property
    def disposals(self) -> Disposals:
        """Records that were disposed of."""
