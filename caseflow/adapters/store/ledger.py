"""Checkpoints in the SQL database: each with the heads that changed since the one before, so that a day costs what it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import insert, select

from caseflow.adapters.store.apart import SqlApart
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.scanning import by_code_point, streamed
from caseflow.adapters.store.tables import keeping as t
from caseflow.domain.chain import Head
from caseflow.domain.checkpoints import Checkpoint, read_line

CHECKPOINT: Any = t.CheckpointRow.__table__  # type: ignore[attr-defined]
HEAD: Any = t.CheckpointHead.__table__  # type: ignore[attr-defined]
MANY = 1000


class SqlLedger(SqlApart):
    """Implements services.checkpointing.Ledger."""

    def all(self) -> Sequence[Checkpoint]:
        """Every checkpoint, the oldest first."""
        return [read_line(row.line) for row in self._read(select(CHECKPOINT.c.line).order_by(CHECKPOINT.c.number))]

    def last(self) -> Checkpoint | None:
        """The newest one."""
        query = select(CHECKPOINT.c.line).order_by(CHECKPOINT.c.number.desc()).limit(1)
        return next((read_line(row.line) for row in self._read(query)), None)

    def heads(self, number: int) -> Iterator[Head]:
        """The heads as of a checkpoint: of each case the last that was kept by then."""
        last: Head | None = None
        with explained(self._where), self._transaction("BEGIN") as connection:
            case = by_code_point(connection, HEAD.c.case)
            query = select(HEAD.c.case, HEAD.c.version, HEAD.c.head).where(HEAD.c.checkpoint <= number).order_by(case, HEAD.c.checkpoint)
            for row in streamed(connection, query):
                if last is not None and last.case != row.case:
                    yield last
                last = Head(*row)
        if last is not None:
            yield last

    def keep(self, checkpoint: Checkpoint, changed: Iterable[Head]) -> None:
        """A new one, all of it or nothing."""
        rows = iter(changed)
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            connection.execute(insert(CHECKPOINT).values(number=checkpoint.number, made_at=checkpoint.made_at, line=checkpoint.line))
            while some := list(islice(rows, MANY)):
                values = [{"case": one.case, "checkpoint": checkpoint.number, "version": one.version, "head": one.head} for one in some]
                connection.execute(insert(HEAD), values)
