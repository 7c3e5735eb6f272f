"""Accounts, sessions, wrong guesses, who looked at what; and the two orders in which the docket is read.

Revision 0002.
"""

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the tables; nothing of the record is touched."""
    op.create_table(
        "account",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("disabled_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint("length(id) >= 2", name="ck_account_id"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "session",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("agent", sa.String(), nullable=False),
        sa.CheckConstraint("length(digest) = 64", name="ck_session_digest"),
        sa.ForeignKeyConstraint(["account"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index("ix_session_account", "session", ["account"])
    op.create_table(
        "guess",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_at", UtcDateTime(), nullable=False),
        sa.Column("rests_until", UtcDateTime(), nullable=True),
        sa.CheckConstraint("count >= 1", name="ck_guess_count"),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "reading",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_reading_case", "reading", ["case", "id"])
    op.create_index("ix_reading_account", "reading", ["account", "id"])
    op.drop_index("ix_case_target", "case_file")
    dated = sa.text("next_target IS NOT NULL")
    op.create_index("ix_case_target", "case_file", ["next_target", "number"], sqlite_where=dated, postgresql_where=dated)
    op.create_index("ix_case_open", "case_file", ["number"], sqlite_where=sa.text("ends IS 0"), postgresql_where=sa.text("ends IS false"))


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
