"""Runs of processes, each under a token that expires.

Revision 0016.
"""

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the table; nothing of the record is touched."""
    op.create_table(
        "run",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("until", UtcDateTime(), nullable=False),
        sa.Column("done", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
