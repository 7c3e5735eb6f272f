"""What is kept of the whole: moves, disposals, checkpoints and the index of words."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, String, Text, UniqueConstraint
from sqlmodel import Field

from caseflow.adapters.store.tables.checks import Row
from caseflow.adapters.store.types import UtcDateTime


class DisposalRow(Row, table=True):
    """What is left of a record that was disposed of: the entry of its disposal. Triggers refuse to change or remove one, and one for a
    case that is open, changed or under legal hold; only with it may the rows of its case go."""

    __tablename__: ClassVar[Any] = "disposal"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("place >= 1", name="ck_disposal_place"),
        CheckConstraint("length(hash) = 64 AND length(prev_hash) = 64", name="ck_disposal_hash"),
        CheckConstraint("action = 'disposed'", name="ck_disposal_action"),
        UniqueConstraint("case", name="uq_disposal_once"),
        Index("ix_disposal_request", "request"),
    )
    place: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    case: str
    request: str
    seq: int
    recorded_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    effective_on: date
    actor_kind: str
    actor_id: str
    actor_role: str
    action: str
    from_state: str | None = None
    to_state: str
    facts: str = Field(sa_column=Column(Text, nullable=False))
    because: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    cites: str
    pack_version: str
    calendar_version: str
    key: str
    prev_hash: str
    hash: str


class DisposedContent(Row, table=True):
    """The content of a document whose row is gone, until its file is gone too."""

    __tablename__: ClassVar[Any] = "disposed_content"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(sha256) = 64", name="ck_disposed_content"),)
    sha256: str = Field(primary_key=True)


class CheckpointRow(Row, table=True):
    """A signed checkpoint, as the line that is kept elsewhere too. Triggers refuse to change or remove one."""

    __tablename__: ClassVar[Any] = "checkpoint"
    __table_args__: ClassVar[Any] = (CheckConstraint("number >= 1", name="ck_checkpoint_number"),)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    made_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    line: str = Field(sa_column=Column(Text, nullable=False))


class CheckpointHead(Row, table=True):
    """The head of a case, where it is another than at the checkpoint before. Triggers refuse to change or remove one."""

    __tablename__: ClassVar[Any] = "checkpoint_head"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(head) = 64", name="ck_checkpoint_head"),)
    case: str = Field(primary_key=True)
    checkpoint: int = Field(sa_column=Column(Integer, ForeignKey("checkpoint.number"), primary_key=True, autoincrement=False))
    version: int
    head: str


class SearchDue(Row, table=True):
    """A case whose words have changed; triggers on cases and letters write it."""

    __tablename__: ClassVar[Any] = "search_due"
    case: str = Field(primary_key=True)


class SearchRow(Row, table=True):
    """Which row of SQLite's index holds the words of a case. The index itself (search_text) is no table of this kind."""

    __tablename__: ClassVar[Any] = "search_row"
    id: int | None = Field(default=None, primary_key=True)
    case: str = Field(sa_column=Column(String, nullable=False, unique=True))


class PackMoveRow(Row, table=True):
    """Open cases that are moved from one version of a pack to another, or back (`undoes`), and how far it has come."""

    __tablename__: ClassVar[Any] = "pack_move"
    id: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    pack: str
    before: str = Field(sa_column=Column(String, ForeignKey("pack_version.hash"), nullable=False))
    after: str = Field(sa_column=Column(String, ForeignKey("pack_version.hash"), nullable=False))
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    by: str
    role: str
    because: str = Field(sa_column=Column(Text, nullable=False))
    undoes: int | None = Field(default=None, sa_column=Column(Integer, ForeignKey("pack_move.id"), nullable=True))
    cursor: str
    seen: int
    moved: int
    blocked: str = Field(sa_column=Column(Text, nullable=False))
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
