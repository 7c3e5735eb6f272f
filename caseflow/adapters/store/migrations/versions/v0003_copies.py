"""A row for each copy of a letter and for each attempt at it; letters know what they correct and what was written into them.

The copies of letters that exist are made from the recipients kept beside them, each where its letter stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime
from caseflow.domain.mailing import recipient_key

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

STATUSES = "'draft', 'owed', 'blocked', 'approved', 'queued', 'handed-over', 'delivered', 'bounced', 'returned', 'answer-unknown', 'superseded', 'canceled'"
WAITING = "status IN ('owed', 'approved', 'queued', 'answer-unknown') AND batch IS NULL AND claim IS NULL"
FIXED = 'id, letter, "case", seq, template, kind, role, name, recipient, channel, address'


def upgrade() -> None:
    """Adds the tables and carries the recipients over."""
    for column in ("corrects", "corrected_by"):
        op.add_column("letter", sa.Column(column, sa.String(), nullable=True))
    op.add_column("letter", sa.Column("edits", sa.Text(), nullable=True))
    op.create_table(
        "letter_copy",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("letter", sa.String(), nullable=False),
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("template", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("begun_at", UtcDateTime(), nullable=True),
        sa.Column("next_at", UtcDateTime(), nullable=True),
        sa.Column("claim", sa.String(), nullable=True),
        sa.Column("claimed_until", UtcDateTime(), nullable=True),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("batch", sa.String(), nullable=True),
        sa.Column("sent_on", sa.Date(), nullable=True),
        sa.Column("proof", sa.Text(), nullable=False),
        sa.Column("replaces", sa.String(), nullable=True),
        sa.CheckConstraint(f"status IN ({STATUSES})", name="ck_copy_status"),
        sa.CheckConstraint("kind IN ('to', 'copy')", name="ck_copy_kind"),
        sa.CheckConstraint("channel IN ('email', 'post', 'portal')", name="ck_copy_channel"),
        sa.CheckConstraint("attempts >= 0", name="ck_copy_attempts"),
        sa.CheckConstraint("(claim IS NULL) = (claimed_until IS NULL)", name="ck_copy_claim"),
        sa.ForeignKeyConstraint(["letter"], ["letter.number"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("case", "seq", "template", "recipient", "channel", name="uq_copy_once"),
    )
    op.create_index("ix_copy_letter", "letter_copy", ["letter"])
    op.create_index("ix_copy_batch", "letter_copy", ["batch"], sqlite_where=sa.text("batch IS NOT NULL"), postgresql_where=sa.text("batch IS NOT NULL"))
    op.create_index("ix_copy_waiting", "letter_copy", ["next_at", "id"], sqlite_where=sa.text(WAITING), postgresql_where=sa.text(WAITING))
    claimed = sa.text("claim IS NOT NULL")
    op.create_index("ix_copy_claimed", "letter_copy", ["claimed_until"], sqlite_where=claimed, postgresql_where=claimed)
    op.create_table(
        "letter_attempt",
        sa.Column("copy", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("begun_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.CheckConstraint("outcome IN ('begun', 'accepted', 'later', 'refused', 'unknown')", name="ck_attempt_outcome"),
        sa.CheckConstraint("number >= 1", name="ck_attempt_number"),
        sa.ForeignKeyConstraint(["copy"], ["letter_copy.id"]),
        sa.PrimaryKeyConstraint("copy", "number"),
    )
    _carry_over()
    if op.get_bind().dialect.name == "sqlite":
        _guard_sqlite()
    else:
        _guard_postgresql()


def _carry_over() -> None:
    """A thousand letters at a time, so that a large register needs little memory."""
    bind = op.get_bind()
    copies = sa.Table("letter_copy", sa.MetaData(), autoload_with=bind)
    # Moments as the column type of this register reads them, on both databases.
    letters = sa.table(
        "letter",
        *(sa.column(name) for name in ("number", "case", "seq", "letter", "status", "recipients", "proof")),
        sa.column("leaves_at", UtcDateTime()),
        sa.column("sent_on", sa.Date()),
    )
    insert = copies.insert()
    for name in ("begun_at", "next_at", "claimed_until"):
        copies.c[name].type = UtcDateTime()
    last = ""
    while rows := bind.execute(sa.select(letters).where(letters.c.number > last).order_by(letters.c.number).limit(1000)).all():
        made = [copy for row in rows for copy in _copies(row)]
        if made:
            bind.execute(insert, made)
        last = rows[-1].number


def _copies(row: Any) -> Iterator[dict[str, Any]]:
    """The copies of a letter, each key once. One that had gone keeps its day and its proof."""
    seen: set[tuple[str, str]] = set()
    proofs = dict(enumerate(str(row.proof).split("; ")))
    people = json.loads(row.recipients)
    for place, person in enumerate(people):
        channel = str(person["channel"])
        key = recipient_key(str(person["role"]), str(person["name"]), str(person["address"]))
        if (key, channel) in seen:
            continue
        seen.add((key, channel))
        gone = row.sent_on is not None
        leaves: datetime | None = row.leaves_at
        yield {
            "id": f"{row.number}-{len(seen)}",
            "letter": row.number,
            "case": row.case,
            "seq": row.seq,
            "template": row.letter,
            "kind": person["kind"],
            "role": person["role"],
            "name": person["name"],
            "recipient": key,
            "channel": channel,
            "address": person["address"],
            "language": None,
            "status": row.status,
            "attempts": int(gone),
            "begun_at": None,
            "next_at": leaves,
            "claim": None,
            "claimed_until": None,
            "message_id": "",
            "content": "",
            "batch": None,
            "sent_on": row.sent_on,
            "proof": proofs.get(place, "") if gone else "",
            "replaces": None,
        }


def _guard_sqlite() -> None:
    """To whom a copy goes never changes, no copy and no attempt goes away, and an attempt that has ended stays so."""
    _refuse("copy_no_delete", "BEFORE DELETE ON letter_copy", "the copies of letters are append-only")
    _refuse("copy_no_readdress", f"BEFORE UPDATE OF {FIXED} ON letter_copy", "the recipient of a copy is append-only")
    _refuse("attempt_no_delete", "BEFORE DELETE ON letter_attempt", "attempts are append-only")
    _refuse("attempt_no_rewrite", "BEFORE UPDATE ON letter_attempt WHEN OLD.outcome <> 'begun'", "attempts are append-only")


def _refuse(name: str, when: str, because: str) -> None:
    op.execute(f"CREATE TRIGGER {name} {when} BEGIN SELECT RAISE(ABORT, '{because}'); END")


def _guard_postgresql() -> None:
    for name, when in (
        ("copy_stays", "BEFORE DELETE OR TRUNCATE ON letter_copy FOR EACH STATEMENT"),
        ("copy_recipient", f"BEFORE UPDATE OF {FIXED} ON letter_copy FOR EACH ROW"),
        ("attempt_stays", "BEFORE DELETE OR TRUNCATE ON letter_attempt FOR EACH STATEMENT"),
        ("attempt_ended", "BEFORE UPDATE ON letter_attempt FOR EACH ROW WHEN (OLD.outcome <> 'begun')"),
    ):
        op.execute(f"CREATE TRIGGER {name} {when} EXECUTE FUNCTION refuse_change()")


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("the register of copies can't be undone; restore a backup")
