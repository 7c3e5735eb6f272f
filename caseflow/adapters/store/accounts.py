"""Accounts, sessions, wrong guesses and who looked at what, on the SQL database. Each call is one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update

from caseflow.adapters.store import statements as s
from caseflow.adapters.store.apart import SqlApart
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.prepared import Prepared
from caseflow.adapters.store.tables import people as t
from caseflow.services.again import again
from caseflow.services.ports.doings import Doer, Period
from caseflow.services.ports.people import Account, AccountChange, Reading, Session

ACCOUNT: Any = t.AccountRow.__table__  # type: ignore[attr-defined]
CHANGE: Any = t.AccountChangeRow.__table__  # type: ignore[attr-defined]
SESSION: Any = t.SessionRow.__table__  # type: ignore[attr-defined]
GUESS: Any = t.GuessRow.__table__  # type: ignore[attr-defined]
READING: Any = t.ReadingRow.__table__  # type: ignore[attr-defined]

# Asked for every page, or for most of them: built once.
EVERYBODY = Prepared(select(ACCOUNT).order_by(ACCOUNT.c.id))
WHO = Prepared(
    select(SESSION, *(column.label(f"a_{column.name}") for column in ACCOUNT.c))
    .join(ACCOUNT, ACCOUNT.c.id == SESSION.c.account)
    .where(SESSION.c.digest == bindparam("wanted"))
)

KEPT = timedelta(days=30)


class SqlAccounts(SqlApart):
    """Implements ports.Accounts."""

    def account(self, name: str) -> Account | None:
        """The account of a name."""
        return next((_account(row) for row in self._read(select(ACCOUNT).where(ACCOUNT.c.id == name))), None)

    def accounts(self) -> Sequence[Account]:
        """Every account, by name."""
        return [_account(row) for row in self._known(EVERYBODY)]

    def account_of(self, subject: str) -> Account | None:
        """The account of somebody at the agency's own sign-in."""
        return next((_account(row) for row in self._read(select(ACCOUNT).where(ACCOUNT.c.subject == subject))), None)

    def add(self, account: Account, change: AccountChange) -> None:
        """A new account, with who added it."""
        self._write(insert(ACCOUNT).values(_plain(account)), insert(CHANGE).values(_plain(change)))

    def keep(self, account: Account, change: AccountChange, end_sessions: bool = False) -> None:
        """An account as it now is, with who changed it."""
        ended = update(SESSION).where(SESSION.c.account == account.id, SESSION.c.ended_at.is_(None)).values(ended_at=change.at)
        statements = [update(ACCOUNT).where(ACCOUNT.c.id == account.id).values(_plain(account)), insert(CHANGE).values(_plain(change))]
        self._write(*statements, *([ended] if end_sessions else []))

    def account_changes(self, limit: int = 100, account: str | None = None) -> Sequence[AccountChange]:
        """Who did what to accounts, the newest first."""
        query = select(CHANGE).order_by(CHANGE.c.id.desc()).limit(limit)
        if account is not None:
            query = query.where(CHANGE.c.account == account)
        return [AccountChange(row.at, row.account, row.by, row.what, row.detail) for row in self._read(query)]

    def count_open(self, roles: Sequence[str]) -> int:
        """How many open accounts have one of these roles."""
        return int(self._read(select(func.count()).select_from(ACCOUNT).where(ACCOUNT.c.role.in_(list(roles)), ACCOUNT.c.disabled_at.is_(None)))[0][0])

    def open_session(self, session: Session) -> None:
        """A new session; those that ended long ago are forgotten."""
        self._write(delete(SESSION).where(SESSION.c.expires_at < session.created_at - KEPT), insert(SESSION).values(_plain(session)))

    def session(self, digest: str) -> tuple[Session, Account] | None:
        """The session of a token's digest, with its account."""
        return next(((_session(row), _account(row, "a_")) for row in self._known(WHO, wanted=digest)), None)

    def sessions(self, account: str) -> Sequence[Session]:
        """The sessions of an account, newest first."""
        query = select(SESSION).where(SESSION.c.account == account).order_by(SESSION.c.created_at.desc(), SESSION.c.id)
        return [_session(row) for row in self._read(query)]

    def seen(self, session: str, at: datetime) -> None:
        """The session was used."""
        self._write(update(SESSION).where(SESSION.c.id == session).values(seen_at=at))

    def end_session(self, session: str, at: datetime) -> None:
        """The session is over."""
        self._write(update(SESSION).where(SESSION.c.id == session, SESSION.c.ended_at.is_(None)).values(ended_at=at))

    def resting_until(self, keys: Sequence[str], now: datetime) -> datetime | None:
        """Until when one of these rests."""
        rows = self._read(select(GUESS.c.rests_until).where(GUESS.c.key.in_(list(keys)), GUESS.c.rests_until > now))
        return max((row.rests_until for row in rows), default=None)

    @again
    def guessed_wrong(self, keys: Mapping[str, int], now: datetime, rest: timedelta) -> None:
        """One more wrong guess for each key; a count begins anew when its last guess is older than the rest."""
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            connection.execute(delete(GUESS).where(GUESS.c.last_at < now - rest))
            for key, most in sorted(keys.items()):  # in order, so that no two wait for each other
                connection.execute(s.count_guess(connection, GUESS), {"of_key": key, "at": now, "most": most, "until": now + rest})

    def forget_guesses(self, key: str) -> None:
        """The right password was given."""
        if self._read(select(GUESS.c.key).where(GUESS.c.key == key)):
            self._write(delete(GUESS).where(GUESS.c.key == key))

    @again
    def note_readings(self, readings: Sequence[Reading]) -> None:
        """Keeps who looked at what."""
        if readings:
            with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
                connection.execute(insert(READING), [_plain(one) for one in readings])

    def readers(self, period: Period, by: str = "person") -> Sequence[Doer]:
        """Who looked at cases in a period, those who looked most often first; by `case`, which cases they were."""
        r, times = READING.c, func.count()
        name, other = (r.account, r.case) if by == "person" else (r.case, r.account)
        query = _in(select(name, times, func.count(other.distinct()), func.max(r.at, type_=r.at.type)), period)
        return [Doer(by, *row) for row in self._read(query.group_by(name).order_by(times.desc(), name))]

    def readings_in(self, period: Period, before: int | None = None, limit: int = 100) -> Sequence[tuple[int, Reading]]:
        """Who looked at what in a period, the newest first."""
        query = _in(select(READING), period).order_by(READING.c.id.desc()).limit(limit)
        if before is not None:
            query = query.where(READING.c.id < before)
        return [(row.id, Reading(row.at, row.account, row.case, row.what)) for row in self._read(query)]

    def readings(self, case: str | None = None, account: str | None = None, before: int | None = None, limit: int = 100) -> Sequence[tuple[int, Reading]]:
        """Who looked at what, the newest first."""
        query = select(READING).order_by(READING.c.id.desc()).limit(limit)
        for column, value in ((READING.c.case, case), (READING.c.account, account)):
            if value is not None:
                query = query.where(column == value)
        if before is not None:
            query = query.where(READING.c.id < before)
        return [(row.id, Reading(row.at, row.account, row.case, row.what)) for row in self._read(query)]


def _in(query: Any, period: Period) -> Any:
    """Readings of a period, as far as their cases are seen."""
    r = READING.c
    query = query.where(r.at >= period.since, r.at < period.until)
    for column, value in ((r.account, period.actor), (r.case, period.case)):
        if value is not None:
            query = query.where(column == value)
    if period.seen.parts is not None:
        query = query.where(r.case.in_(select(s.CASE.c.number).where(s.seen(period.seen))))
    return query


def _plain(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


def _account(row: Any, before: str = "") -> Account:
    return Account(*[getattr(row, before + name) for name in Account.__slots__])


def _session(row: Any) -> Session:
    return Session(*[getattr(row, name) for name in Session.__slots__])
