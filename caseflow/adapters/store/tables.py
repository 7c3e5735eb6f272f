"""The tables, as SQLModel classes. They validate nothing: values are checked in the domain, constraints stand behind."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, LargeBinary, String, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

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
BOARD_COLUMNS = (
    *("assigned_to", "next_due", "next_target", "stands_since", "silent_on", "next_at", "last_on"),
    *("phase", "turn", "workflow", "held", "ends", "number"),
)
"""What the figures of the board are counted from: an index that holds all of it, so that no case is read to count it."""
LIST_COLUMNS = ("workflow", "phase", "turn", "assigned_to", "asks", "flags", "ends")
"""What lists are narrowed by, held by their indexes: a case that does not fit is passed over without being read, however few fit."""
_LIVE, _LIVE_PG = "ends IS 0 OR asks <> ''", "ends IS false OR asks <> ''"
TIMER_STATUSES = ("open", "fired", "canceled", "refused", "parked")


def _one_of(column: str, values: Iterable[str], name: str) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=name)


class Meta(SQLModel, table=True):
    """What the database says of itself: whether it holds a real record."""

    __tablename__: ClassVar[Any] = "meta"
    __table_args__: ClassVar[Any] = (CheckConstraint("key <> 'live' OR value = 'yes'", name="ck_meta_live"),)
    key: str = Field(primary_key=True)
    value: str


class Counter(SQLModel, table=True):
    """The last request number given, by prefix and year."""

    __tablename__: ClassVar[Any] = "counter"
    __table_args__: ClassVar[Any] = (CheckConstraint("last >= 1", name="ck_counter_last"),)
    prefix: str = Field(primary_key=True)
    year: int = Field(primary_key=True)
    last: int


class PackVersion(SQLModel, table=True):
    """A pack kept whole by content hash, so that a case runs even when the files are gone."""

    __tablename__: ClassVar[Any] = "pack_version"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(hash) = 64", name="ck_pack_hash"),)
    hash: str = Field(primary_key=True)
    pack: str
    label: str
    files: str = Field(sa_column=Column(Text, nullable=False))


class CaseFile(SQLModel, table=True):
    """A case: what lists need in columns, the whole of it in `body`."""

    __tablename__: ClassVar[Any] = "case_file"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("version >= 1", name="ck_case_version"),
        CheckConstraint("length(head) = 64", name="ck_case_head"),
        CheckConstraint("length(turn) >= 1", name="ck_case_turn"),
        Index("ix_case_request", "request"),
        Index("ix_case_state", "state", "number"),
        Index("ix_case_assigned", "assigned_to", "number"),
        Index(
            "ix_case_target",
            *("next_target", "number", *LIST_COLUMNS),
            sqlite_where=text("next_target IS NOT NULL"),
            postgresql_where=text("next_target IS NOT NULL"),
        ),
        Index("ix_case_open", "number", sqlite_where=text("ends IS 0"), postgresql_where=text("ends IS false")),
        Index(
            "ix_case_work",
            *("assigned_to", "next_target", "number", "workflow", "turn", "asks", "ends"),
            sqlite_where=text(_LIVE),
            postgresql_where=text(_LIVE_PG),
        ),
        Index("ix_case_county", "county", "next_target", "number", sqlite_where=text("ends IS 0"), postgresql_where=text("ends IS false")),
        Index(
            "ix_case_undated",
            *("next_target", "number", *LIST_COLUMNS, "stands_since"),
            sqlite_where=text(f"next_target IS NULL AND ({_LIVE})"),
            postgresql_where=text(f"next_target IS NULL AND ({_LIVE_PG})"),
        ),
        Index("ix_case_asks", "asks", "number", sqlite_where=text("asks <> ''"), postgresql_where=text("asks <> ''")),
        Index("ix_case_board", *BOARD_COLUMNS, sqlite_where=text("ends IS 0"), postgresql_where=text("ends IS false")),
        Index(
            "ix_case_decided",
            *("decided_on", "on_time", "held", "workflow", "assigned_to", "number"),
            sqlite_where=text("decided_on IS NOT NULL"),
            postgresql_where=text("decided_on IS NOT NULL"),
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


class CaseAlias(SQLModel, table=True):
    """Another docket number of a case."""

    __tablename__: ClassVar[Any] = "case_alias"
    alias: str = Field(primary_key=True)
    case: str = Field(sa_column=Column(String, ForeignKey("case_file.number"), primary_key=True))


class JournalEntry(SQLModel, table=True):
    """A line of the journal. Triggers refuse to change or remove one."""

    __tablename__: ClassVar[Any] = "entry"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("seq >= 1", name="ck_entry_seq"),
        CheckConstraint("length(hash) = 64 AND length(prev_hash) = 64", name="ck_entry_hash"),
        _one_of("actor_kind", ("person", "scheduler", "import"), "ck_entry_actor"),
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


class LimitUse(SQLModel, table=True):
    """A limit used: a second row of the same ordinal is impossible."""

    __tablename__: ClassVar[Any] = "limit_use"
    __table_args__: ClassVar[Any] = (CheckConstraint("ordinal >= 1", name="ck_limit_ordinal"), CheckConstraint("seq >= 1", name="ck_limit_seq"))
    case: str = Field(sa_column=Column(String, ForeignKey("case_file.number"), primary_key=True))
    limit_id: str = Field(primary_key=True)
    ordinal: int = Field(primary_key=True)
    seq: int


class TimerRow(SQLModel, table=True):
    """A moment at which the scheduler must act. A second firing of the same end of a clock is impossible."""

    __tablename__: ClassVar[Any] = "timer"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("case", "clock", "kind", "due", "round", name="uq_timer_once"),
        _one_of("status", TIMER_STATUSES, "ck_timer_status"),
        CheckConstraint("round >= 0", name="ck_timer_round"),
        Index("ix_timer_open", "at", "id", sqlite_where=text("status = 'open'"), postgresql_where=text("status = 'open'")),
        Index("ix_timer_parked", "case", sqlite_where=text("status = 'parked'"), postgresql_where=text("status = 'parked'")),
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


class LetterRow(SQLModel, table=True):
    """The register of letters. Its words never change; a second letter of the same entry and kind is impossible."""

    __tablename__: ClassVar[Any] = "letter"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("case", "seq", "letter", name="uq_letter_once"),
        _one_of("status", LETTER_STATUSES, "ck_letter_status"),
        CheckConstraint("seq >= 1", name="ck_letter_seq"),
        Index("ix_letter_undone", "case", "status", sqlite_where=text(UNDONE), postgresql_where=text(UNDONE)),
        Index(
            "ix_letter_waiting",
            "leaves_at",
            sqlite_where=text("status IN ('owed', 'approved', 'queued')"),
            postgresql_where=text("status IN ('owed', 'approved', 'queued')"),
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


class LetterCopy(SQLModel, table=True):
    """A copy of a letter: the unit of dispatch. A second one of the same entry, kind, recipient and channel is impossible."""

    __tablename__: ClassVar[Any] = "letter_copy"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("case", "seq", "template", "recipient", "channel", name="uq_copy_once"),
        _one_of("status", LETTER_STATUSES, "ck_copy_status"),
        _one_of("kind", ("to", "copy"), "ck_copy_kind"),
        _one_of("channel", CHANNELS, "ck_copy_channel"),
        CheckConstraint("attempts >= 0", name="ck_copy_attempts"),
        CheckConstraint("(claim IS NULL) = (claimed_until IS NULL)", name="ck_copy_claim"),
        Index("ix_copy_letter", "letter"),
        Index("ix_copy_batch", "batch", sqlite_where=text("batch IS NOT NULL"), postgresql_where=text("batch IS NOT NULL")),
        Index("ix_copy_waiting", "next_at", "id", sqlite_where=text(TO_SEND), postgresql_where=text(TO_SEND)),
        Index("ix_copy_claimed", "claimed_until", sqlite_where=text("claim IS NOT NULL"), postgresql_where=text("claim IS NOT NULL")),
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


class LetterAttempt(SQLModel, table=True):
    """A try to hand a copy over, noted before it is made. One that has ended never changes."""

    __tablename__: ClassVar[Any] = "letter_attempt"
    __table_args__: ClassVar[Any] = (
        _one_of("outcome", ("begun", "accepted", "later", "refused", "unknown"), "ck_attempt_outcome"),
        CheckConstraint("number >= 1", name="ck_attempt_number"),
    )
    copy_id: str = Field(sa_column=Column("copy", String, ForeignKey("letter_copy.id"), primary_key=True))
    number: int = Field(primary_key=True)
    token: str
    begun_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    outcome: str
    text: str = Field(sa_column=Column(Text, nullable=False))


class Command(SQLModel, table=True):
    """A command that was done, so that repeating it is harmless."""

    __tablename__: ClassVar[Any] = "command"
    id: str = Field(primary_key=True)
    case: str
    version: int


class KeptCalendar(SQLModel, table=True):
    """A changed calendar kept whole by the SHA-256 of its text, so that a case counts by it for good."""

    __tablename__: ClassVar[Any] = "kept_calendar"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(digest) = 64", name="ck_calendar_digest"),)
    digest: str = Field(primary_key=True)
    text: str = Field(sa_column=Column(Text, nullable=False))


class AdoptionRow(SQLModel, table=True):
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


class PackMoveRow(SQLModel, table=True):
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


class Heartbeat(SQLModel, table=True):
    """When each scheduler was last seen."""

    __tablename__: ClassVar[Any] = "heartbeat"
    name: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    note: str


class RunRow(SQLModel, table=True):
    """Work that a process does under a token that expires, and for which day (2027-01-15) it was done last."""

    __tablename__: ClassVar[Any] = "run"
    name: str = Field(primary_key=True)
    token: str
    holder: str
    until: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    done: str


class AccountRow(SQLModel, table=True):
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


class AccountChangeRow(SQLModel, table=True):
    """Who did what to an account. Triggers refuse to change or remove a row."""

    __tablename__: ClassVar[Any] = "account_change"
    __table_args__: ClassVar[Any] = (
        _one_of("what", ("added", "role", "password", "closed", "reopened", "sign-in"), "ck_account_change_what"),
        Index("ix_account_change_account", "account", "id"),
    )
    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    account: str = Field(sa_column=Column(String, ForeignKey("account.id"), nullable=False))
    by: str
    what: str
    detail: str


class SessionRow(SQLModel, table=True):
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


class GuessRow(SQLModel, table=True):
    """Wrong guesses of a name or from an address, both as digests."""

    __tablename__: ClassVar[Any] = "guess"
    __table_args__: ClassVar[Any] = (CheckConstraint("count >= 1", name="ck_guess_count"),)
    key: str = Field(primary_key=True)
    count: int
    last_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    rests_until: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))


class ApiToken(SQLModel, table=True):
    """What a program signs in with: of the token only a digest. Rows stay, so that the log of reads keeps its meaning."""

    __tablename__: ClassVar[Any] = "api_token"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("length(digest) = 64", name="ck_token_digest"),
        _one_of("scope", ("read", "act"), "ck_token_scope"),
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


class ApiAnswer(SQLModel, table=True):
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


class ReadingRow(SQLModel, table=True):
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


class SavedViewRow(SQLModel, table=True):
    """A filter that a person keeps under a name."""

    __tablename__: ClassVar[Any] = "saved_view"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(name) >= 1", name="ck_view_name"),)
    account: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    address: str
    made_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class FeedRow(SQLModel, table=True):
    """A secret link to a calendar: of its token only a digest. `revision` rises with every change of what it has told."""

    __tablename__: ClassVar[Any] = "feed"
    __table_args__: ClassVar[Any] = (
        CheckConstraint("length(digest) = 64", name="ck_feed_digest"),
        _one_of("scope", ("mine", "team"), "ck_feed_scope"),
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


class FeedEventRow(SQLModel, table=True):
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


class SearchDue(SQLModel, table=True):
    """A case whose words have changed; triggers on cases and letters write it."""

    __tablename__: ClassVar[Any] = "search_due"
    case: str = Field(primary_key=True)


class SearchRow(SQLModel, table=True):
    """Which row of SQLite's index holds the words of a case. The index itself (search_text) is no table of this kind."""

    __tablename__: ClassVar[Any] = "search_row"
    id: int | None = Field(default=None, primary_key=True)
    case: str = Field(sa_column=Column(String, nullable=False, unique=True))


class DocumentRow(SQLModel, table=True):
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


class VisitRow(SQLModel, table=True):
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


class DisposalRow(SQLModel, table=True):
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


class DisposedContent(SQLModel, table=True):
    """The content of a document whose row is gone, until its file is gone too."""

    __tablename__: ClassVar[Any] = "disposed_content"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(sha256) = 64", name="ck_disposed_content"),)
    sha256: str = Field(primary_key=True)


class CheckpointRow(SQLModel, table=True):
    """A signed checkpoint, as the line that is kept elsewhere too. Triggers refuse to change or remove one."""

    __tablename__: ClassVar[Any] = "checkpoint"
    __table_args__: ClassVar[Any] = (CheckConstraint("number >= 1", name="ck_checkpoint_number"),)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    made_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    line: str = Field(sa_column=Column(Text, nullable=False))


class CheckpointHead(SQLModel, table=True):
    """The head of a case, where it is another than at the checkpoint before. Triggers refuse to change or remove one."""

    __tablename__: ClassVar[Any] = "checkpoint_head"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(head) = 64", name="ck_checkpoint_head"),)
    case: str = Field(primary_key=True)
    checkpoint: int = Field(sa_column=Column(Integer, ForeignKey("checkpoint.number"), primary_key=True, autoincrement=False))
    version: int
    head: str
