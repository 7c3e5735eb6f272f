"""The record itself: cases with their entries, timers and limits, what is counted, and the rules that are kept."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, String, Text, UniqueConstraint
from sqlmodel import Field

from caseflow.adapters.store.tables.checks import Row, one_of, part
from caseflow.adapters.store.types import UtcDateTime

BOARD_COLUMNS = (
    *("assigned_to", "next_due", "next_target", "stands_since", "silent_on", "next_at", "last_on"),
    *("phase", "turn", "workflow", "held", "ends", "number"),
)
"""What the figures of the board are counted from: an index that holds all of it, so that no case is read to count it."""
LIST_COLUMNS = ("workflow", "phase", "turn", "assigned_to", "asks", "flags", "ends")
"""What lists are narrowed by, held by their indexes: a case that does not fit is passed over without being read, however few fit."""
_LIVE, _LIVE_PG = "ends IS 0 OR asks <> ''", "ends IS false OR asks <> ''"
TIMER_STATUSES = ("open", "fired", "canceled", "refused", "parked")


class Meta(Row, table=True):
    """What the database says of itself: whether it holds a real record."""

    __tablename__: ClassVar[Any] = "meta"
    __table_args__: ClassVar[Any] = (CheckConstraint("key <> 'live' OR value = 'yes'", name="ck_meta_live"),)
    key: str = Field(primary_key=True)
    value: str


class Counter(Row, table=True):
    """The last request number given, by prefix and year."""

    __tablename__: ClassVar[Any] = "counter"
    __table_args__: ClassVar[Any] = (CheckConstraint("last >= 1", name="ck_counter_last"),)
    prefix: str = Field(primary_key=True)
    year: int = Field(primary_key=True)
    last: int


class PackVersion(Row, table=True):
    """A pack kept whole by content hash, so that a case runs even when the files are gone."""

    __tablename__: ClassVar[Any] = "pack_version"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(hash) = 64", name="ck_pack_hash"),)
    hash: str = Field(primary_key=True)
    pack: str
    label: str
    files: str = Field(sa_column=Column(Text, nullable=False))


class KeptCalendar(Row, table=True):
    """A changed calendar kept whole by the SHA-256 of its text, so that a case counts by it for good."""

    __tablename__: ClassVar[Any] = "kept_calendar"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(digest) = 64", name="ck_calendar_digest"),)
    digest: str = Field(primary_key=True)
    text: str = Field(sa_column=Column(Text, nullable=False))


class AdoptionRow(Row, table=True):
    """The adoption of a changed calendar, or its undoing (`undoes`), and how far it has come."""

    __tablename__: ClassVar[Any] = "calendar_adoption"
    id: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    pack: str
    version: str | None = None
    replaces: str = Field(sa_column=Column(Text, nullable=False))
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    by: str
    role: str
    because: str = Field(sa_column=Column(Text, nullable=False))
    undoes: int | None = Field(default=None, sa_column=Column(Integer, ForeignKey("calendar_adoption.id"), nullable=True))
    cursor: str
    seen: int
    moved: int
    blocked: str = Field(sa_column=Column(Text, nullable=False))
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))


class CaseFile(Row, table=True):
    """A case: what lists need in columns, the whole of it in `body`."""

    __tablename__: ClassVar[Any] = "case_file"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("version >= 1", name="ck_case_version"),
        CheckConstraint("length(head) = 64", name="ck_case_head"),
        CheckConstraint("length(turn) >= 1", name="ck_case_turn"),
        Index("ix_case_request", "request"),
        Index("ix_case_state", "state", "number"),
        Index("ix_case_assigned", "assigned_to", "number"),
        part(
            "ix_case_target",
            *("next_target", "number", *LIST_COLUMNS),
            where="next_target IS NOT NULL",
        ),
        part("ix_case_open", "number", where="ends IS 0", on_server="ends IS false"),
        part(
            "ix_case_work",
            *("assigned_to", "next_target", "number", "workflow", "turn", "asks", "ends"),
            where=_LIVE,
            on_server=_LIVE_PG,
        ),
        part("ix_case_county", "county", "next_target", "number", where="ends IS 0", on_server="ends IS false"),
        part(
            "ix_case_undated",
            *("next_target", "number", *LIST_COLUMNS, "stands_since"),
            where=f"next_target IS NULL AND ({_LIVE})",
            on_server=f"next_target IS NULL AND ({_LIVE_PG})",
        ),
        part("ix_case_asks", "asks", "number", where="asks <> ''"),
        part("ix_case_board", *BOARD_COLUMNS, where="ends IS 0", on_server="ends IS false"),
        part(
            "ix_case_decided",
            *("decided_on", "on_time", "held", "workflow", "assigned_to", "number"),
            where="decided_on IS NOT NULL",
        ),
    )
    number: str = Field(primary_key=True)
    request: str
    workflow: str
    pack_version: str = Field(sa_column=Column(String, ForeignKey("pack_version.hash"), nullable=False))
    state: str
    phase: str
    turn: str
    ends: bool
    assigned_to: str | None = None
    title: str
    flags: str
    tasks: int
    received_on: date
    last_on: date
    next_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    next_clock: str | None = None
    next_due: date | None = None
    next_target: date | None = None
    decided_on: date | None = None
    on_time: bool | None = None
    held: bool
    stands_since: date | None = None
    silent_on: date | None = None
    asks: str = Field(sa_column=Column(String, nullable=False, server_default=""))
    county: str | None = None
    version: int
    head: str
    body: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class CaseAlias(Row, table=True):
    """Another docket number of a case."""

    __tablename__: ClassVar[Any] = "case_alias"
    alias: str = Field(primary_key=True)
    case: str = Field(sa_column=Column(String, ForeignKey("case_file.number"), primary_key=True))


class JournalEntry(Row, table=True):
    """A line of the journal. Triggers refuse to change or remove one."""

    __tablename__: ClassVar[Any] = "entry"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("seq >= 1", name="ck_entry_seq"),
        CheckConstraint("length(hash) = 64 AND length(prev_hash) = 64", name="ck_entry_hash"),
        one_of("actor_kind", ("person", "scheduler", "import"), "ck_entry_actor"),
        Index("ix_entry_recorded", "recorded_at", "case", "seq", "actor_id", "actor_kind"),
    )
    case: str = Field(sa_column=Column(String, ForeignKey("case_file.number"), primary_key=True))
    seq: int = Field(primary_key=True)
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


class LimitUse(Row, table=True):
    """A limit used: a second row of the same ordinal is impossible."""

    __tablename__: ClassVar[Any] = "limit_use"
    __table_args__: ClassVar[Any] = (CheckConstraint("ordinal >= 1", name="ck_limit_ordinal"), CheckConstraint("seq >= 1", name="ck_limit_seq"))
    case: str = Field(sa_column=Column(String, ForeignKey("case_file.number"), primary_key=True))
    limit_id: str = Field(primary_key=True)
    ordinal: int = Field(primary_key=True)
    seq: int


class TimerRow(Row, table=True):
    """A moment at which the scheduler must act. A second firing of the same end of a clock is impossible."""

    __tablename__: ClassVar[Any] = "timer"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("case", "clock", "kind", "due", "round", name="uq_timer_once"),
        one_of("status", TIMER_STATUSES, "ck_timer_status"),
        CheckConstraint("round >= 0", name="ck_timer_round"),
        part("ix_timer_open", "at", "id", where="status = 'open'"),
        part("ix_timer_parked", "case", where="status = 'parked'"),
    )
    id: int | None = Field(default=None, primary_key=True)
    case: str = Field(sa_column=Column(String, ForeignKey("case_file.number"), nullable=False))
    clock: str
    kind: str
    action: str
    due: date
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    round: int
    status: str
    note: str


class Command(Row, table=True):
    """A command that was done, so that repeating it is harmless."""

    __tablename__: ClassVar[Any] = "command"
    id: str = Field(primary_key=True)
    case: str
    version: int
