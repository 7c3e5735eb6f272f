"""What programs sign in with and what they were answered, on the SQL database. Each call is one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update

from caseflow.adapters.store import statements as s
from caseflow.adapters.store.accounts import ACCOUNT
from caseflow.adapters.store.apart import SqlApart
from caseflow.adapters.store.faults import explained
from caseflow.adapters.store.tables import programs as t
from caseflow.services.again import again
from caseflow.services.ports.people import Account
from caseflow.services.ports.programs import Answer, Token
from caseflow.services.sight import Sight

TOKEN: Any = t.ApiToken.__table__  # type: ignore[attr-defined]
ANSWER: Any = t.ApiAnswer.__table__  # type: ignore[attr-defined]


class SqlPrograms(SqlApart):
    """Implements ports.Programs."""

    def add_token(self, token: Token) -> None:
        """A new token."""
        self._write(insert(TOKEN).values({name: getattr(token, name) for name in Token.__slots__}))

    def token(self, digest: str) -> tuple[Token, Account] | None:
        """The token of a digest, with its account."""
        query = select(TOKEN, *(column.label(f"a_{column.name}") for column in ACCOUNT.c)).join(ACCOUNT, ACCOUNT.c.id == TOKEN.c.account)
        for row in self._read(query.where(TOKEN.c.digest == digest)):
            return _token(row), Account(*(getattr(row, f"a_{name}") for name in Account.__slots__))
        return None

    def tokens(self, account: str | None = None) -> Sequence[Token]:
        """The tokens of an account or of everybody, newest first."""
        query = select(TOKEN).order_by(TOKEN.c.created_at.desc(), TOKEN.c.id)
        return [_token(row) for row in self._read(query if account is None else query.where(TOKEN.c.account == account))]

    def token_used(self, token: str, at: datetime) -> None:
        """The token was used."""
        self._write(update(TOKEN).where(TOKEN.c.id == token).values(used_at=at))

    def end_token(self, token: str, at: datetime) -> None:
        """The token opens nothing any more."""
        self._write(update(TOKEN).where(TOKEN.c.id == token, TOKEN.c.ended_at.is_(None)).values(ended_at=at))

    @again
    def claim(self, answer: Answer, forgotten: datetime, given_up: datetime) -> Answer | None:
        """Begins a call under a key: one transaction that reads and writes, so that of two at once one is the first."""
        own = ANSWER.c.key == answer.key
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            connection.execute(delete(ANSWER).where(ANSWER.c.at < forgotten))
            connection.execute(delete(ANSWER).where(own, ANSWER.c.status.is_(None), ANSWER.c.at < given_up))
            first = s.kept_once(connection, ANSWER).values(key=answer.key, request=answer.request, at=answer.at).returning(ANSWER.c.key)
            if connection.execute(first).first() is not None:
                return None
            row = connection.execute(select(ANSWER).where(own)).first()
            # What was there has gone at this very moment: whoever it was did nothing, and this call waits for its turn like any other.
            return Answer(*(getattr(row, name) for name in Answer.__slots__)) if row is not None else Answer(answer.key, answer.request, answer.at)

    def answered(self, answer: Answer) -> None:
        """Keeps what a call was answered."""
        self._write(update(ANSWER).where(ANSWER.c.key == answer.key).values({name: getattr(answer, name) for name in Answer.__slots__}))

    def letters(self, seen: Sight, case: str | None, status: str | None, after: str | None, limit: int) -> Sequence[str]:
        """The numbers of letters whose cases are seen, in order, after a key."""
        letter = s.LETTER.c
        query = select(letter.number).order_by(letter.number).limit(limit)
        if seen.parts is not None:
            query = query.join(s.CASE, s.CASE.c.number == letter.case).where(s.seen(seen))
        for column, value in ((letter.case, case), (letter.status, status)):
            query = query if value is None else query.where(column == value)
        return [row.number for row in self._read(query if after is None else query.where(letter.number > after))]

    def unclaim(self, key: str) -> None:
        """The call did nothing; its key is free again."""
        self._write(delete(ANSWER).where(ANSWER.c.key == key, ANSWER.c.status.is_(None)))


def _token(row: Any) -> Token:
    return Token(*(getattr(row, name) for name in Token.__slots__))
