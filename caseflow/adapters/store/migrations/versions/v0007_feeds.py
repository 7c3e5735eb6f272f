"""Secret links to a calendar of deadlines, and what each has told, so that a moved date updates the same event.

Revision 0007.
"""

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the tables; nothing of the record is touched."""
    op.create_table(
        "feed",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.Column("read_at", UtcDateTime(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.CheckConstraint("length(digest) = 64", name="ck_feed_digest"),
        sa.CheckConstraint("scope IN ('mine', 'team')", name="ck_feed_scope"),
        sa.CheckConstraint("revision >= 0", name="ck_feed_revision"),
        sa.ForeignKeyConstraint(["account"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index("ix_feed_account", "feed", ["account"])
    op.create_table(
        "feed_event",
        sa.Column("feed", sa.String(), nullable=False),
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("clock", sa.String(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("summary", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.Column("gone", sa.Boolean(), nullable=False),
        sa.CheckConstraint("sequence >= 0", name="ck_feed_event_sequence"),
        sa.ForeignKeyConstraint(["feed"], ["feed.id"]),
        sa.PrimaryKeyConstraint("feed", "uid"),
    )


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
