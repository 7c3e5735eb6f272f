"""Runs of processes in the SQL database. On a server its clock decides, which all machines share; on SQLite the one of the machine."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Connection, Interval, bindparam, delete, func, or_, select, text, update

from caseflow.adapters.store import statements as s
from caseflow.adapters.store.apart import SqlApart
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.prepared import Prepared
from caseflow.adapters.store.tables import running as t
from caseflow.adapters.store.upsert import insert
from caseflow.services.again import again
from caseflow.services.clockjump import SIGN
from caseflow.services.runs import Days, lapsed

RUN: Any = t.RunRow.__table__  # type: ignore[attr-defined]
C = RUN.c
BEAT: Any = t.Heartbeat.__table__  # type: ignore[attr-defined]
read_beats = Prepared(select(BEAT))


class SqlRuns(SqlApart):
    """Implements services.runs.Runs."""

    @again
    def begin(self, name: str, token: str, holder: str, seconds: float, days: Days | None = None) -> bool:
        """Takes a run that is free, has lapsed, or is new."""
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            on_server = _on_server(connection)
            made = insert(connection, RUN).values(name=name, token=token, holder=holder, until=_until(on_server), done="")
            free = or_(C.token == "", C.until <= _now(on_server))
            taken = {"token": made.excluded.token, "holder": made.excluded.holder, "until": made.excluded.until}
            put = made.on_conflict_do_update(index_elements=["name"], set_=taken, where=free if days is None else free & ~C.done.between(*days))
            return connection.execute(put.returning(C.name), _moments(on_server, seconds)).first() is not None

    @again
    def renew(self, name: str, token: str, seconds: float) -> bool:
        """Holds it for so long from now."""
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            return renewed(connection, name, token, seconds)

    @again
    def end(self, name: str, token: str, day: str = "") -> bool:
        """Gives it back."""
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            on_server = _on_server(connection)
            mine = (C.name == name, C.token == token, C.until > _now(on_server))
            back = update(RUN).where(*mine).values(token="", **({"done": day} if day else {}))
            return connection.execute(delete(RUN).where(*mine) if name.startswith("sweep ") else back, _moments(on_server)).rowcount == 1

    def done(self, name: str) -> str:
        """For which day it was done last."""
        rows = self._read(select(C.done).where(C.name == name))
        return rows[0][0] if rows else ""

    def crowd(self) -> int:
        """How many sweeps at work share one lock: on SQLite all of them."""
        with explained(self._where), self._transaction("BEGIN") as connection:
            return 1 if _on_server(connection) else max(1, at_work(connection))

    def forget(self, before: datetime) -> int:
        """Removes what dead processes have left."""
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            on_server = _on_server(connection)
            gone = select(C.name).where(C.name.startswith("sweep "), C.until <= _now(on_server))
            if on_server:
                gone = gone.with_for_update(skip_locked=True)
            connection.execute(delete(BEAT).where(BEAT.c.name.startswith(SIGN), BEAT.c.at < before))
            return connection.execute(delete(RUN).where(C.name.in_(gone)), _moments(on_server)).rowcount


BY_ITSELF = text("SELECT set_config(:what, :limit, true), EXISTS (SELECT 1 FROM run WHERE name = :name AND token = :token AND until > clock_timestamp())")


def begun(connection: Connection, name: str, token: str, seconds: float) -> None:
    """At the beginning of a transaction of a run: from version 17 on a server ends it by itself when its time is over, whatever its process
    does; older ones only where it sleeps between two statements. Raises Lapsed where the time is over already."""
    if not _on_server(connection):
        return
    whole = (connection.dialect.server_version_info or (0,)) >= (17,)
    what = "transaction_timeout" if whole else "idle_in_transaction_session_timeout"
    given = {"what": what, "limit": str(max(1, round(seconds * 1000))), "name": name, "token": token}
    if not connection.execute(BY_ITSELF, given).one()[1]:
        raise lapsed(name)


def finished(connection: Connection, name: str, token: str, seconds: float) -> None:
    """At the end of a transaction of a run. Raises Lapsed, and nothing of it is kept, where its time is over."""
    if not renewed(connection, name, token, seconds):
        raise lapsed(name)


def renewed(connection: Connection, name: str, token: str, seconds: float) -> bool:
    """Whether a run is still its holder's; then it holds for so long from now."""
    on_server = _on_server(connection)
    return connection.execute(_renewal(on_server), {"run": name, "by": token, **_moments(on_server, seconds)}).rowcount == 1


def beat(connection: Connection, name: str, at: datetime, note: str) -> None:
    """Writes a heartbeat."""
    connection.execute(s.put(connection, BEAT, {"name": name, "at": at, "note": note}))


def at_work(connection: Connection) -> int:
    """How many sweeps hold a token that has not expired."""
    on_server = _on_server(connection)
    return connection.execute(_working(on_server), _moments(on_server)).scalar() or 0


# The first two are asked with each batch of a sweep: building a statement takes longer than the database takes over it.


@cache
def _renewal(on_server: bool) -> Any:
    return update(RUN).where(C.name == bindparam("run"), C.token == bindparam("by"), C.until > _now(on_server)).values(until=_until(on_server))


@cache
def _working(on_server: bool) -> Any:
    return select(func.count()).where(C.name.startswith("sweep "), C.until > _now(on_server))


def _now(on_server: bool) -> Any:
    return func.clock_timestamp() if on_server else bindparam("now", type_=C.until.type)


def _until(on_server: bool) -> Any:
    return func.clock_timestamp() + bindparam("span", type_=Interval) if on_server else bindparam("to", type_=C.until.type)


def _moments(on_server: bool, seconds: float = 0.0) -> dict[str, Any]:
    """What a statement with `_now`, or with `_until` so many seconds from now, is asked with."""
    if on_server:
        return {"span": timedelta(seconds=seconds)}
    now = datetime.now(UTC)
    return {"now": now, "to": now + timedelta(seconds=seconds)}


def _on_server(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"
