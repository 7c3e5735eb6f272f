"""What the doctor asks of the SQL database; each question is one small query, and nothing is written but a note."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, func, insert, literal_column, select, text

from caseflow.adapters.store import statements as s
from caseflow.adapters.store.apart import SqlApart
from caseflow.domain.mailing import TO_SEND

GUARDS = {
    "sqlite": "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname, relname, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE NOT tgisinternal AND tgenabled = 'O'",
}
REFUSES = "append-only"
"""What a trigger says that keeps the record from changes."""


class SqlHealth(SqlApart):
    """Implements services.doctor.Health."""

    def parked(self) -> tuple[int, str | None]:
        """How many timers could not fire, and the first case of one."""
        return self._counted(s.TIMER.c.case, s.TIMER.c.status == literal_column("'parked'"))

    def late_timers(self, before: datetime) -> tuple[int, str | None]:
        """How many timers were due before a moment and are still open."""
        return self._counted(s.TIMER.c.case, s.TIMER.c.status == literal_column("'open'"), s.TIMER.c.at < before)

    def blocked(self) -> tuple[int, str | None]:
        """How many letters can't be written, and the first."""
        return self._counted(s.LETTER.c.number, s.LETTER.c.status == "blocked")

    def waiting(self, before: datetime, channels: Sequence[str]) -> tuple[int, str | None]:
        """How many copies might have left by themselves before a moment and have not."""
        c = s.COPY.c
        return self._counted(c.id, c.status.in_(TO_SEND), c.batch.is_(None), c.claim.is_(None), c.channel.in_(list(channels)), c.next_at < before)

    def lapsed(self, moment: datetime) -> tuple[int, str | None]:
        """How many copies are claimed by a run that is dead or frozen."""
        return self._counted(s.COPY.c.id, s.COPY.c.claim.is_not(None), s.COPY.c.claimed_until < moment)

    def without_timer(self) -> tuple[int, str | None]:
        """How many open cases nothing will wake."""
        return self._counted(s.CASE.c.number, s.CASE.c.ends.is_(False), s.CASE.c.next_at.is_(None))

    def _counted(self, name: Any, *where: Any) -> tuple[int, str | None]:
        row = self._read(select(func.count(), func.min(name)).where(*where))[0]
        return int(row[0]), row[1]

    def documents(self, most: int) -> Sequence[tuple[str, str, str]]:
        """The newest documents: number, case, SHA-256."""
        c = s.DOCUMENT.c
        return [(row.id, row.case, row.sha256) for row in self._read(select(c.id, c.case, c.sha256).order_by(c.at.desc(), c.id).limit(most))]

    def pack_versions(self) -> Sequence[str]:
        """The pack versions that cases run by."""
        return [row[0] for row in self._read(select(s.CASE.c.pack_version).distinct().order_by(s.CASE.c.pack_version))]

    def latest(self) -> tuple[str, int, datetime] | None:
        """The entry that says that it was recorded last."""
        c = s.ENTRY.c
        rows = self._read(select(c.case, c.seq, c.recorded_at).order_by(c.recorded_at.desc()).limit(1))
        return (rows[0].case, rows[0].seq, rows[0].recorded_at) if rows else None

    def sample(self, most: int) -> Sequence[str]:
        """Cases from all over the record."""
        count = self._read(select(func.count()).select_from(s.CASE))[0][0]
        step = max(count // most, 1)
        query = select(s.CASE.c.number).order_by(s.CASE.c.number).limit(1)
        return [row[0] for place in range(0, count, step) for row in self._read(query.offset(place))][:most]

    def noted(self, what: str) -> str | None:
        """What was noted under a name."""
        rows = self._read(select(s.META.c.value).where(s.META.c.key == what))
        return rows[0][0] if rows else None

    def note(self, what: str, value: str) -> None:
        """Notes something in place of what was noted."""
        self._write(delete(s.META).where(s.META.c.key == what), insert(s.META).values(key=what, value=value))

    def unguarded(self) -> Sequence[str]:
        """What keeps the record from changes and is missing or was altered: triggers, of a server the tables that have none.

        What there must be is read from an empty database of this version.
        """
        from caseflow.adapters.store.sql import SqlStore

        with tempfile.TemporaryDirectory(prefix="caseflow-doctor-") as folder:
            fresh = SqlStore(f"sqlite:///{Path(folder) / 'fresh.db'}")
            fresh.upgrade()
            with fresh.engine.connect() as connection:
                wanted = _guards(connection)
            fresh.engine.dispose()
        with self._transaction("BEGIN") as connection:
            found, lite = _guards(connection), connection.dialect.name == "sqlite"
        if lite:
            return sorted(name for name, guard in wanted.items() if found.get(name) != guard)
        tables = {table for table, _ in found.values()}
        return sorted({table for table, made in wanted.values() if REFUSES in made} - tables)


def _guards(connection: Connection) -> Mapping[str, tuple[str, str]]:
    """The triggers that act, by name, each with its table and text."""
    return {row[0]: (row[1], row[2]) for row in connection.execute(text(GUARDS[connection.dialect.name]))}
