"""Letters with their copies and attempts, and uploaded documents."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlmodel import Field

from caseflow.adapters.store.tables.checks import Row, one_of, part
from caseflow.adapters.store.types import UtcDateTime
from caseflow.domain.mailing import CHANNELS

LETTER_STATUSES = (
    "draft",
    "owed",
    "blocked",
    "approved",
    "queued",
    "handed-over",
    "delivered",
    "bounced",
    "returned",
    "answer-unknown",
    "superseded",
    "canceled",
)
UNDONE = "status IN ('owed', 'draft', 'approved', 'queued', 'blocked')"
TO_SEND = "status IN ('owed', 'approved', 'queued', 'answer-unknown') AND batch IS NULL AND claim IS NULL"


class LetterRow(Row, table=True):
    """The register of letters. Its words never change; a second letter of the same entry and kind is impossible."""

    __tablename__: ClassVar[Any] = "letter"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("case", "seq", "letter", name="uq_letter_once"),
        one_of("status", LETTER_STATUSES, "ck_letter_status"),
        CheckConstraint("seq >= 1", name="ck_letter_seq"),
        part("ix_letter_undone", "case", "status", where=UNDONE),
        part(
            "ix_letter_waiting",
            "leaves_at",
            where="status IN ('owed', 'approved', 'queued')",
        ),
    )
    number: str = Field(primary_key=True)
    case: str = Field(sa_column=Column(String, ForeignKey("case_file.number"), nullable=False))
    seq: int
    letter: str
    title: str
    subject: str
    status: str
    markdown: str = Field(sa_column=Column(Text, nullable=False))
    view: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    template_hash: str
    content_hash: str
    pack_version: str
    owed_on: date
    leaves_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    sent_on: date | None = None
    recipients: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    missing: str
    proof: str = Field(sa_column=Column(Text, nullable=False))
    corrects: str | None = None
    corrected_by: str | None = None
    edits: str | None = Field(default=None, sa_column=Column(Text, nullable=True))


class LetterCopy(Row, table=True):
    """A copy of a letter: the unit of dispatch. A second one of the same entry, kind, recipient and channel is impossible."""

    __tablename__: ClassVar[Any] = "letter_copy"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("case", "seq", "template", "recipient", "channel", name="uq_copy_once"),
        one_of("status", LETTER_STATUSES, "ck_copy_status"),
        one_of("kind", ("to", "copy"), "ck_copy_kind"),
        one_of("channel", CHANNELS, "ck_copy_channel"),
        CheckConstraint("attempts >= 0", name="ck_copy_attempts"),
        CheckConstraint("(claim IS NULL) = (claimed_until IS NULL)", name="ck_copy_claim"),
        Index("ix_copy_letter", "letter"),
        part("ix_copy_batch", "batch", where="batch IS NOT NULL"),
        part("ix_copy_waiting", "next_at", "id", where=TO_SEND),
        part("ix_copy_claimed", "claimed_until", where="claim IS NOT NULL"),
    )
    id: str = Field(primary_key=True)
    letter: str = Field(sa_column=Column(String, ForeignKey("letter.number"), nullable=False))
    case: str
    seq: int
    template: str
    kind: str
    role: str
    name: str
    recipient: str
    channel: str
    address: str
    language: str | None = None
    status: str
    attempts: int
    begun_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    next_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    claim: str | None = None
    claimed_until: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    message_id: str
    content: str
    batch: str | None = None
    sent_on: date | None = None
    proof: str = Field(sa_column=Column(Text, nullable=False))
    replaces: str | None = None


class LetterAttempt(Row, table=True):
    """A try to hand a copy over, noted before it is made. One that has ended never changes."""

    __tablename__: ClassVar[Any] = "letter_attempt"
    __table_args__: ClassVar[Any] = (
        one_of("outcome", ("begun", "accepted", "later", "refused", "unknown"), "ck_attempt_outcome"),
        CheckConstraint("number >= 1", name="ck_attempt_number"),
    )
    copy_id: str = Field(sa_column=Column("copy", String, ForeignKey("letter_copy.id"), primary_key=True))
    number: int = Field(primary_key=True)
    token: str
    begun_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    outcome: str
    text: str = Field(sa_column=Column(Text, nullable=False))


class DocumentRow(Row, table=True):
    """A document of a case. Its content lies in a folder, by the SHA-256 of it; a row never changes."""

    __tablename__: ClassVar[Any] = "document"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("case", "sha256", "item", name="uq_document_once"),
        CheckConstraint("length(sha256) = 64", name="ck_document_sha256"),
        CheckConstraint("size > 0", name="ck_document_size"),
    )
    id: str = Field(primary_key=True)
    case: str = Field(sa_column=Column(String, ForeignKey("case_file.number"), nullable=False))
    seq: int
    sha256: str
    name: str
    kind: str
    size: int
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    by: str
    role: str
    sender: str | None = None
    item: str
