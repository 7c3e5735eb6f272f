"""Words of cases to search in. The database itself notes which case has changed; a service puts its words into the index.

Revision 0004. SQLite keeps the words in FTS5, PostgreSQL in a text vector.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

CHANGES = (
    ("insert", "AFTER INSERT ON case_file", "number"),
    ("update", "AFTER UPDATE OF version ON case_file", "number"),
    ("letter", "AFTER INSERT ON letter", '"case"'),
)


def upgrade() -> None:
    """Creates the index; every case that exists is noted as changed."""
    op.create_table("search_due", sa.Column("case", sa.String(), nullable=False), sa.PrimaryKeyConstraint("case"))
    op.create_table(
        "search_row",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("case", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("case"),
    )
    if op.get_bind().dialect.name == "sqlite":
        _sqlite()
    else:
        _postgresql()
    op.execute('INSERT INTO search_due ("case") SELECT number FROM case_file')


def _sqlite() -> None:
    op.execute("CREATE VIRTUAL TABLE search_text USING fts5(numbers, people, place, facts, letters, tokenize='porter unicode61 remove_diacritics 2')")
    for name, when, column in CHANGES:
        op.execute(f'CREATE TRIGGER search_{name} {when} BEGIN INSERT OR IGNORE INTO search_due ("case") VALUES (NEW.{column}); END')


def _postgresql() -> None:
    op.execute('CREATE TABLE search_text ("case" varchar PRIMARY KEY, words tsvector NOT NULL)')
    op.execute("CREATE INDEX ix_search_words ON search_text USING gin (words)")
    for name, when, column in CHANGES:
        body = f'BEGIN INSERT INTO search_due ("case") VALUES (NEW.{column}) ON CONFLICT DO NOTHING; RETURN NULL; END'
        op.execute(f"CREATE FUNCTION note_search_{name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$")
        op.execute(f"CREATE TRIGGER search_{name} {when} FOR EACH ROW EXECUTE FUNCTION note_search_{name}()")


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
