"""What is counted of the SQL database for those who watch the program: each count on an index of its own, all as of one moment."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import distinct, func, literal_column, select, text

from caseflow.adapters.store import statements as s
from caseflow.adapters.store.apart import SqlApart, Transaction
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.runs import at_work
from caseflow.adapters.store.tables.papers import TO_SEND, UNDONE
from caseflow.services.again import again
from caseflow.services.measuring import Counts, Waiting

MOST = 100_000
"""Of more copies that wait only so many are counted."""


_since = func.coalesce(s.COPY.c.begun_at, s.COPY.c.next_at, type_=s.COPY.c.next_at.type).label("since")
# In the order of the index of what waits, or the whole table would be read.
_waiting = select(s.COPY.c.status, _since).where(text(TO_SEND)).order_by(s.COPY.c.next_at, s.COPY.c.id).limit(literal_column(str(MOST))).subquery()
OUTBOX = select(_waiting.c.status, func.count(), func.min(_waiting.c.since)).group_by(_waiting.c.status)
CLAIMED = select(func.count(), func.min(_since)).where(s.COPY.c.claim.is_not(None))
LETTERS = select(s.LETTER.c.status, func.count()).where(text(UNDONE)).group_by(s.LETTER.c.status)
PARKED = select(func.count(), func.count(distinct(s.TIMER.c.case))).where(s.TIMER.c.status == literal_column("'parked'"))
OPEN = select(func.count()).select_from(s.CASE).where(s.CASE.c.ends.is_(False))


class SqlGauges(SqlApart):
    """Implements services.measuring.Gauges."""

    def __init__(self, transaction: Transaction, where: str, pool: Callable[[], tuple[int, int]]) -> None:
        super().__init__(transaction, where)
        self._pool = pool

    @again
    def counts(self) -> Counts:
        """All of it, as of one moment."""
        with explained(self._where), self._transaction("BEGIN") as connection:
            timers, cases = connection.execute(PARKED).one()
            claimed = Waiting(*connection.execute(CLAIMED).one())
            return Counts(
                outbox={
                    **{status: Waiting(count, since) for status, count, since in connection.execute(OUTBOX)},
                    **({"claimed": claimed} if claimed.count else {}),
                },
                letters={row[0]: row[1] for row in connection.execute(LETTERS)},
                parked_timers=timers,
                parked_cases=cases,
                open_cases=connection.execute(OPEN).scalar() or 0,
                sweeps=at_work(connection),
            )

    def pool(self) -> tuple[int, int]:
        """Connections of this process: in use, and at rest."""
        return self._pool()
