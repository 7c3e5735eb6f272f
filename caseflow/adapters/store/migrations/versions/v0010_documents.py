"""Documents of cases, whose rows nobody changes or removes; and visits to status pages.

Revision 0010.
"""

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the tables; nothing of the record is touched."""
    op.create_table(
        "document",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=True),
        sa.Column("item", sa.String(), nullable=False),
        sa.CheckConstraint("length(sha256) = 64", name="ck_document_sha256"),
        sa.CheckConstraint("size > 0", name="ck_document_size"),
        sa.UniqueConstraint("case", "sha256", "item", name="uq_document_once"),
        sa.ForeignKeyConstraint(["case"], ["case_file.number"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "visit",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint("length(digest) = 64", name="ck_visit_digest"),
        sa.ForeignKeyConstraint(["case"], ["case_file.number"]),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_index("ix_visit_expires", "visit", ["expires_at"])
    if op.get_bind().dialect.name == "sqlite":
        known = "EXISTS (SELECT 1 FROM document WHERE id = NEW.id)"  # INSERT OR REPLACE asks no trigger of DELETE
        for name, when in (
            ("update", "BEFORE UPDATE ON document"),
            ("delete", "BEFORE DELETE ON document"),
            ("replace", f"BEFORE INSERT ON document WHEN {known}"),
        ):
            op.execute(f"CREATE TRIGGER document_no_{name} {when} BEGIN SELECT RAISE(ABORT, 'documents are append-only'); END")
    else:
        op.execute("CREATE TRIGGER document_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON document FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()")


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
