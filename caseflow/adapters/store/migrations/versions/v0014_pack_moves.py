"""Moves of cases between versions of a pack.

Revision 0014.
"""

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the table; nothing of the record is touched."""
    op.create_table(
        "pack_move",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("before", sa.String(), nullable=False),
        sa.Column("after", sa.String(), nullable=False),
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
        sa.ForeignKeyConstraint(["before"], ["pack_version.hash"]),
        sa.ForeignKeyConstraint(["after"], ["pack_version.hash"]),
        sa.ForeignKeyConstraint(["undoes"], ["pack_move.id"]),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
