"""Signed checkpoints over all cases, which nobody changes or removes.

Revision 0015.
"""

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

KEYS = {"checkpoint": "number = NEW.number", "checkpoint_head": '"case" = NEW."case" AND checkpoint = NEW.checkpoint'}


def upgrade() -> None:
    """Creates the tables; nothing of the record is touched."""
    op.create_table(
        "checkpoint",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.CheckConstraint("number >= 1", name="ck_checkpoint_number"),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_table(
        "checkpoint_head",
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("checkpoint", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("head", sa.String(), nullable=False),
        sa.CheckConstraint("length(head) = 64", name="ck_checkpoint_head"),
        sa.ForeignKeyConstraint(["checkpoint"], ["checkpoint.number"]),
        sa.PrimaryKeyConstraint("case", "checkpoint"),
    )
    for table, key in KEYS.items():
        if op.get_bind().dialect.name == "sqlite":
            known = f"EXISTS (SELECT 1 FROM {table} WHERE {key})"  # INSERT OR REPLACE asks no trigger of DELETE
            for name, when in (
                ("update", f"BEFORE UPDATE ON {table}"),
                ("delete", f"BEFORE DELETE ON {table}"),
                ("replace", f"BEFORE INSERT ON {table} WHEN {known}"),
            ):
                op.execute(f"CREATE TRIGGER {table}_no_{name} {when} BEGIN SELECT RAISE(ABORT, 'checkpoints are append-only'); END")
        else:
            op.execute(f"CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()")


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
