"""Stubs of records that were disposed of; and the one narrow door by which the rows of a case may go.

Revision 0013. No row changes. Every rule that the record is append-only stays; the rows of a case may be removed only once its stub
stands, and a stub stands only for a case that has ended, is as it was read, and is under no legal hold.
"""

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

KEPT = {
    "entry": ('OLD."case"', "entry_no_delete", "the journal is append-only"),
    "letter": ('OLD."case"', "letter_no_delete", "the letter register is append-only"),
    "letter_copy": ('OLD."case"', "copy_no_delete", "the copies of letters are append-only"),
    "letter_attempt": ('(SELECT c."case" FROM letter_copy c WHERE c.id = OLD.copy)', "attempt_no_delete", "attempts are append-only"),
    "document": ('OLD."case"', "document_no_delete", "documents are append-only"),
    "case_file": ("OLD.number", "case_no_delete", "cases are append-only"),
}
"""Tables whose rows stay: the case of a row, and the trigger of SQLite that keeps it."""
STATEMENTS = {
    "entry_append_only": ("entry", "UPDATE OR DELETE OR TRUNCATE", "UPDATE OR TRUNCATE"),
    "letter_stays": ("letter", "DELETE OR TRUNCATE", "TRUNCATE"),
    "copy_stays": ("letter_copy", "DELETE OR TRUNCATE", "TRUNCATE"),
    "attempt_stays": ("letter_attempt", "DELETE OR TRUNCATE", "TRUNCATE"),
    "document_stays": ("document", "UPDATE OR DELETE OR TRUNCATE", "UPDATE OR TRUNCATE"),
}
"""The triggers of PostgreSQL that refused removal, with what they go on refusing."""
WHOLE = (
    'EXISTS (SELECT 1 FROM case_file c WHERE c.number = NEW."case" AND c.request = NEW.request AND c.head = NEW.prev_hash AND c.version = NEW.seq - 1'
    " AND c.ends AND (' ' || c.flags || ' ') NOT LIKE '% legal-hold %')"
)


def upgrade() -> None:
    """Creates the tables, and puts the rules of removal in place of those that refused all."""
    op.create_table(
        "disposal",
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("case", sa.String(), nullable=False),
        sa.Column("request", sa.String(), nullable=False),
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
        sa.CheckConstraint("place >= 1", name="ck_disposal_place"),
        sa.CheckConstraint("length(hash) = 64 AND length(prev_hash) = 64", name="ck_disposal_hash"),
        sa.CheckConstraint("action = 'disposed'", name="ck_disposal_action"),
        sa.UniqueConstraint("case", name="uq_disposal_once"),
        sa.PrimaryKeyConstraint("place"),
    )
    op.create_index("ix_disposal_request", "disposal", ["request"])
    op.create_table(
        "disposed_content",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.CheckConstraint("length(sha256) = 64", name="ck_disposed_content"),
        sa.PrimaryKeyConstraint("sha256"),
    )
    if op.get_bind().dialect.name == "sqlite":
        _sqlite()
    else:
        _postgresql()


def _sqlite() -> None:
    for table, (case, name, because) in KEPT.items():
        op.execute(f"DROP TRIGGER IF EXISTS {name}")
        _refuse(name, f'BEFORE DELETE ON {table} WHEN NOT EXISTS (SELECT 1 FROM disposal d WHERE d."case" = {case})', because)
    _refuse("disposal_no_update", "BEFORE UPDATE ON disposal", "disposals are append-only")
    _refuse("disposal_no_delete", "BEFORE DELETE ON disposal", "disposals are append-only")
    # INSERT OR REPLACE asks no trigger of DELETE.
    known = 'EXISTS (SELECT 1 FROM disposal WHERE place = NEW.place OR "case" = NEW."case")'
    _refuse("disposal_no_replace", f"BEFORE INSERT ON disposal WHEN {known}", "disposals are append-only")
    _refuse("disposal_of_whole", f"BEFORE INSERT ON disposal WHEN NOT {WHOLE}", "only an ended case that no legal hold keeps is disposed of; append-only")
    again = 'EXISTS (SELECT 1 FROM disposal WHERE "case" = NEW.number)'
    _refuse("case_no_second", f"BEFORE INSERT ON case_file WHEN {again}", "the number of a case that was disposed of is not given again; append-only")


def _refuse(name: str, when: str, because: str) -> None:
    op.execute(f"CREATE TRIGGER {name} {when} BEGIN SELECT RAISE(ABORT, '{because}'); END")


def _postgresql() -> None:
    for name, (table, _, still) in STATEMENTS.items():
        op.execute(f"DROP TRIGGER {name} ON {table}")
        op.execute(f"CREATE TRIGGER {name} BEFORE {still} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()")
    for table, (case, name, because) in KEPT.items():
        body = f"IF EXISTS (SELECT 1 FROM disposal d WHERE d.\"case\" = {case}) THEN RETURN OLD; END IF; RAISE EXCEPTION '{because}';"
        _function(f"keep_{table}", f"BEGIN {body} END")
        op.execute(f"CREATE TRIGGER {name} BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION keep_{table}()")
    op.execute("CREATE TRIGGER disposal_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON disposal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()")
    told = "only an ended case that no legal hold keeps is disposed of; append-only"
    _function("dispose_of_whole", f"BEGIN IF NOT {WHOLE} THEN RAISE EXCEPTION '{told}'; END IF; RETURN NEW; END")
    op.execute("CREATE TRIGGER disposal_of_whole BEFORE INSERT ON disposal FOR EACH ROW EXECUTE FUNCTION dispose_of_whole()")
    again = 'EXISTS (SELECT 1 FROM disposal WHERE "case" = NEW.number)'
    told = "the number of a case that was disposed of is not given again; append-only"
    _function("refuse_second_case", f"BEGIN IF {again} THEN RAISE EXCEPTION '{told}'; END IF; RETURN NEW; END")
    op.execute("CREATE TRIGGER case_no_second BEFORE INSERT ON case_file FOR EACH ROW EXECUTE FUNCTION refuse_second_case()")


def _function(name: str, body: str) -> None:
    op.execute(sa.text(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$"))


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
