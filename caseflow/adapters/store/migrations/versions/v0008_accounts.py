"""Who did what to accounts, where a session began, and who somebody is at the agency's own sign-in.

Revision 0008.
"""

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds a table that is only added to, and two columns that stay empty for what is there."""
    op.add_column("session", sa.Column("address", sa.String(), nullable=True))
    op.add_column("account", sa.Column("subject", sa.String(), nullable=True))
    op.create_index("ix_account_subject", "account", ["subject"], unique=True)
    op.create_table(
        "account_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.CheckConstraint("what IN ('added', 'role', 'password', 'closed', 'reopened', 'sign-in')", name="ck_account_change_what"),
        sa.ForeignKeyConstraint(["account"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_account_change_account", "account_change", ["account", "id"])
    if op.get_bind().dialect.name == "sqlite":
        for when in ("UPDATE", "DELETE"):
            because = "what was done to an account is never changed or removed"
            op.execute(f"CREATE TRIGGER account_change_{when.lower()} BEFORE {when} ON account_change BEGIN SELECT RAISE(ABORT, '{because}'); END")
    else:
        op.execute(
            "CREATE TRIGGER account_change_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON account_change FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
