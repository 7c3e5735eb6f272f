"""Changed calendars, kept whole, and their adoptions.

Revision 0012.
"""

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the tables; nothing of the record is touched."""
    op.create_table(
        "kept_calendar",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.CheckConstraint("length(digest) = 64", name="ck_calendar_digest"),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "calendar_adoption",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=True),
        sa.Column("replaces", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("because", sa.Text(), nullable=False),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.Column("cursor", sa.String(), nullable=False),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("moved", sa.Integer(), nullable=False),
        sa.Column("blocked", sa.Text(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["undoes"], ["calendar_adoption.id"]),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
