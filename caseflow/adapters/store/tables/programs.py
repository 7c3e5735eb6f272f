"""What programs and applicants come with: tokens, answers that are kept, feeds and visits."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, LargeBinary, String, Text
from sqlmodel import Field

from caseflow.adapters.store.tables.checks import Row, one_of
from caseflow.adapters.store.types import UtcDateTime


class ApiToken(Row, table=True):
    """What a program signs in with: of the token only a digest. Rows stay, so that the log of reads keeps its meaning."""

    __tablename__: ClassVar[Any] = "api_token"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("length(digest) = 64", name="ck_token_digest"),
        one_of("scope", ("read", "act"), "ck_token_scope"),
        Index("ix_token_account", "account"),
    )
    id: str = Field(primary_key=True)
    digest: str = Field(sa_column=Column(String, nullable=False, unique=True))
    account: str = Field(sa_column=Column(String, ForeignKey("account.id"), nullable=False))
    role: str
    scope: str
    title: str
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    expires_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    used_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))


class ApiAnswer(Row, table=True):
    """What a program was answered under a key of its own. Without a status, the first call is still at work."""

    __tablename__: ClassVar[Any] = "api_answer"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("length(key) = 64 AND length(request) = 64", name="ck_answer_key"),
        CheckConstraint("(status IS NULL) = (body IS NULL)", name="ck_answer_whole"),
        Index("ix_answer_at", "at"),
    )
    key: str = Field(primary_key=True)
    request: str
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    status: int | None = None
    headers: str | None = None
    body: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))


class FeedRow(Row, table=True):
    """A secret link to a calendar: of its token only a digest. `revision` rises with every change of what it has told."""

    __tablename__: ClassVar[Any] = "feed"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("length(digest) = 64", name="ck_feed_digest"),
        one_of("scope", ("mine", "team"), "ck_feed_scope"),
        CheckConstraint("revision >= 0", name="ck_feed_revision"),
        Index("ix_feed_account", "account"),
    )
    id: str = Field(primary_key=True)
    digest: str = Field(sa_column=Column(String, nullable=False, unique=True))
    account: str = Field(sa_column=Column(String, ForeignKey("account.id"), nullable=False))
    scope: str
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    read_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    revision: int


class FeedEventRow(Row, table=True):
    """An event that a link has told, as it was told last; `gone` where it was called off."""

    __tablename__: ClassVar[Any] = "feed_event"
    __table_args__: ClassVar[Any] = (CheckConstraint("sequence >= 0", name="ck_feed_event_sequence"),)
    feed: str = Field(sa_column=Column(String, ForeignKey("feed.id"), primary_key=True))
    uid: str = Field(primary_key=True)
    case: str
    clock: str
    day: date
    summary: str
    text: str = Field(sa_column=Column(Text, nullable=False))
    sequence: int
    changed_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    gone: bool


class VisitRow(Row, table=True):
    """Somebody of a request who reads its status page. Of the token only the digest is kept."""

    __tablename__: ClassVar[Any] = "visit"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(digest) = 64", name="ck_visit_digest"), Index("ix_visit_expires", "expires_at"))
    digest: str = Field(primary_key=True)
    case: str = Field(sa_column=Column(String, ForeignKey("case_file.number"), nullable=False))
    role: str
    name: str
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    expires_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
