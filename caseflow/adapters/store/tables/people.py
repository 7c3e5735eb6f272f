"""Accounts with their sessions and guesses, and what was read."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, String
from sqlmodel import Field

from caseflow.adapters.store.tables.checks import Row, one_of
from caseflow.adapters.store.types import UtcDateTime


class AccountRow(Row, table=True):
    """Somebody who may sign in. Rows are never removed: a name on the record keeps its meaning."""

    __tablename__: ClassVar[Any] = "account"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("length(id) >= 2", name="ck_account_id"),
        Index("ix_account_subject", "subject", unique=True),
    )
    id: str = Field(primary_key=True)
    name: str
    role: str
    secret: str
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    disabled_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    subject: str | None = None


class AccountChangeRow(Row, table=True):
    """Who did what to an account. Triggers refuse to change or remove a row."""

    __tablename__: ClassVar[Any] = "account_change"
    __table_args__: ClassVar[Any] = (
        one_of("what", ("added", "role", "password", "closed", "reopened", "sign-in"), "ck_account_change_what"),
        Index("ix_account_change_account", "account", "id"),
    )
    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    account: str = Field(sa_column=Column(String, ForeignKey("account.id"), nullable=False))
    by: str
    what: str
    detail: str


class SessionRow(Row, table=True):
    """A sign-in: of its token only a digest."""

    __tablename__: ClassVar[Any] = "session"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(digest) = 64", name="ck_session_digest"), Index("ix_session_account", "account"))
    id: str = Field(primary_key=True)
    digest: str = Field(sa_column=Column(String, nullable=False, unique=True))
    account: str = Field(sa_column=Column(String, ForeignKey("account.id"), nullable=False))
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    seen_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    expires_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    agent: str
    address: str | None = None


class GuessRow(Row, table=True):
    """Wrong guesses of a name or from an address, both as digests."""

    __tablename__: ClassVar[Any] = "guess"
    __table_args__: ClassVar[Any] = (CheckConstraint("count >= 1", name="ck_guess_count"),)
    key: str = Field(primary_key=True)
    count: int
    last_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    rests_until: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))


class ReadingRow(Row, table=True):
    """Who looked at a case."""

    __tablename__: ClassVar[Any] = "reading"
    __table_args__: ClassVar[Any] = (
        Index("ix_reading_case", "case", "id"),
        Index("ix_reading_account", "account", "id"),
        Index("ix_reading_at", "at", "account", "case"),
    )
    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    account: str
    case: str
    what: str
