"""The first tables, and triggers that let nobody change or remove a journal entry."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

WORDS = 'number, "case", seq, letter, title, subject, markdown, view, template_hash, content_hash, owed_on, recipients'
WRITTEN = "OLD.status NOT IN ('draft', 'blocked')"


def upgrade() -> None:
    """Creates every table."""
    op.create_table(
        "command",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "counter",
        sa.Column("prefix", sa.String(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.CheckConstraint("last >= 1", name="ck_counter_last"),
        sa.PrimaryKeyConstraint("prefix", "year"),
    )
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "meta",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.CheckConstraint("key <> 'live' OR value = 'yes'", name="ck_meta_live"),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "pack_version",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("files", sa.Text(), nullable=False),
        sa.CheckConstraint("length(hash) = 64", name="ck_pack_hash"),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_table(
        "case_file",
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("request", sa.String(), nullable=False),
        sa.Column("workflow", sa.String(), nullable=False),
        sa.Column("pack_version", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("turn", sa.String(), nullable=False),
        sa.Column("ends", sa.Boolean(), nullable=False),
        sa.Column("assigned_to", sa.String(), nullable=True),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("flags", sa.String(), nullable=False),
        sa.Column("tasks", sa.Integer(), nullable=False),
        sa.Column("received_on", sa.Date(), nullable=False),
        sa.Column("last_on", sa.Date(), nullable=False),
        sa.Column("next_at", UtcDateTime(), nullable=True),
        sa.Column("next_clock", sa.String(), nullable=True),
        sa.Column("next_due", sa.Date(), nullable=True),
        sa.Column("next_target", sa.Date(), nullable=True),
        sa.Column("decided_on", sa.Date(), nullable=True),
        sa.Column("on_time", sa.Boolean(), nullable=True),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("length(head) = 64", name="ck_case_head"),
        sa.CheckConstraint("length(turn) >= 1", name="ck_case_turn"),
        sa.CheckConstraint("version >= 1", name="ck_case_version"),
        sa.ForeignKeyConstraint(["pack_version"], ["pack_version.hash"]),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("ix_case_assigned", "case_file", ["assigned_to", "number"])
    op.create_index("ix_case_request", "case_file", ["request"])
    op.create_index("ix_case_state", "case_file", ["state", "number"])
    op.create_index(
        "ix_case_target", "case_file", ["next_target"], sqlite_where=sa.text("next_target IS NOT NULL"), postgresql_where=sa.text("next_target IS NOT NULL")
    )
    op.create_table(
        "case_alias",
        sa.Column("alias", sa.String(), nullable=False),
        sa.Column("case", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["case"], ["case_file.number"]),
        sa.PrimaryKeyConstraint("alias", "case"),
    )
    op.create_table(
        "entry",
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("recorded_at", UtcDateTime(), nullable=False),
        sa.Column("effective_on", sa.Date(), nullable=False),
        sa.Column("actor_kind", sa.String(), nullable=False),
        sa.Column("actor_id", sa.String(), nullable=False),
        sa.Column("actor_role", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("from_state", sa.String(), nullable=True),
        sa.Column("to_state", sa.String(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("because", sa.Text(), nullable=True),
        sa.Column("cites", sa.String(), nullable=False),
        sa.Column("pack_version", sa.String(), nullable=False),
        sa.Column("calendar_version", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("prev_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.CheckConstraint("actor_kind IN ('person', 'scheduler', 'import')", name="ck_entry_actor"),
        sa.CheckConstraint("length(hash) = 64 AND length(prev_hash) = 64", name="ck_entry_hash"),
        sa.CheckConstraint("seq >= 1", name="ck_entry_seq"),
        sa.ForeignKeyConstraint(["case"], ["case_file.number"]),
        sa.PrimaryKeyConstraint("case", "seq"),
    )
    op.create_table(
        "letter",
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("letter", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("markdown", sa.Text(), nullable=False),
        sa.Column("view", sa.LargeBinary(), nullable=False),
        sa.Column("template_hash", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("pack_version", sa.String(), nullable=False),
        sa.Column("owed_on", sa.Date(), nullable=False),
        sa.Column("leaves_at", UtcDateTime(), nullable=True),
        sa.Column("sent_on", sa.Date(), nullable=True),
        sa.Column("recipients", sa.LargeBinary(), nullable=False),
        sa.Column("missing", sa.String(), nullable=False),
        sa.Column("proof", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "status IN ('draft', 'owed', 'blocked', 'approved', 'queued', 'handed-over', 'delivered', 'bounced', 'returned', "
            "'answer-unknown', 'superseded', 'canceled')",
            name="ck_letter_status",
        ),
        sa.CheckConstraint("seq >= 1", name="ck_letter_seq"),
        sa.ForeignKeyConstraint(["case"], ["case_file.number"]),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("case", "seq", "letter", name="uq_letter_once"),
    )
    op.create_index(
        "ix_letter_waiting",
        "letter",
        ["leaves_at"],
        sqlite_where=sa.text("status IN ('owed', 'approved', 'queued')"),
        postgresql_where=sa.text("status IN ('owed', 'approved', 'queued')"),
    )
    op.create_table(
        "limit_use",
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("limit_id", sa.String(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.CheckConstraint("ordinal >= 1", name="ck_limit_ordinal"),
        sa.CheckConstraint("seq >= 1", name="ck_limit_seq"),
        sa.ForeignKeyConstraint(["case"], ["case_file.number"]),
        sa.PrimaryKeyConstraint("case", "limit_id", "ordinal"),
    )
    op.create_table(
        "timer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("clock", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("due", sa.Date(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.CheckConstraint("status IN ('open', 'fired', 'canceled', 'refused', 'parked')", name="ck_timer_status"),
        sa.CheckConstraint("round >= 0", name="ck_timer_round"),
        sa.ForeignKeyConstraint(["case"], ["case_file.number"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("case", "clock", "kind", "due", "round", name="uq_timer_once"),
    )
    op.create_index("ix_timer_open", "timer", ["at", "id"], sqlite_where=sa.text("status = 'open'"), postgresql_where=sa.text("status = 'open'"))

    if op.get_bind().dialect.name == "sqlite":
        _guard_sqlite()
    else:
        _guard_postgresql()


def _guard_sqlite() -> None:
    """The database itself refuses to change or remove a line of the record, or what it says of itself."""
    _refuse("entry_no_update", "BEFORE UPDATE ON entry", "the journal is append-only")
    _refuse("entry_no_delete", "BEFORE DELETE ON entry", "the journal is append-only")
    # INSERT OR REPLACE removes the old line without asking a delete trigger.
    known = 'EXISTS (SELECT 1 FROM entry WHERE "case" = NEW."case" AND seq = NEW.seq)'
    _refuse("entry_no_replace", f"BEFORE INSERT ON entry WHEN {known}", "the journal is append-only")
    _refuse("live_no_update", "BEFORE UPDATE ON meta WHEN OLD.key = 'live'", "a live database stays live: append-only")
    _refuse("live_no_delete", "BEFORE DELETE ON meta WHEN OLD.key = 'live'", "a live database stays live: append-only")
    _refuse("letter_no_delete", "BEFORE DELETE ON letter", "the letter register is append-only")
    _refuse("letter_no_rewrite", f"BEFORE UPDATE OF {WORDS} ON letter WHEN {WRITTEN}", "the words of a letter are append-only")


def _refuse(name: str, when: str, because: str) -> None:
    op.execute(f"CREATE TRIGGER {name} {when} BEGIN SELECT RAISE(ABORT, '{because}'); END")


def _guard_postgresql() -> None:
    op.execute("CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the record is append-only'; END $$")
    for name, when in (
        ("entry_append_only", "BEFORE UPDATE OR DELETE OR TRUNCATE ON entry FOR EACH STATEMENT"),
        ("live_stays", "BEFORE UPDATE OR DELETE ON meta FOR EACH ROW WHEN (OLD.key = 'live')"),
        ("letter_stays", "BEFORE DELETE OR TRUNCATE ON letter FOR EACH STATEMENT"),
        ("letter_words", f"BEFORE UPDATE OF {WORDS} ON letter FOR EACH ROW WHEN ({WRITTEN})"),
    ):
        op.execute(f"CREATE TRIGGER {name} {when} EXECUTE FUNCTION refuse_change()")


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("the first migration can't be undone; restore a backup")
