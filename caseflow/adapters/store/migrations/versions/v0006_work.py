"""What lists of work ask of a case: its tasks as words, its county, parked timers; and the filters that people save.

Revision 0006. The new columns are filled from the body of each case, which holds the same.
"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from caseflow.adapters.store.types import UtcDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

PAGE = 500
INDEXES = (
    ("ix_case_work", ("assigned_to", "next_target", "number"), "ends IS {no} OR asks <> ''"),
    ("ix_case_county", ("county", "next_target", "number"), "ends IS {no}"),
    ("ix_case_undated", ("next_target", "number", "turn", "asks"), "next_target IS NULL AND (ends IS {no} OR asks <> '')"),
    ("ix_case_asks", ("asks", "number"), "asks <> ''"),
)


def upgrade() -> None:
    """Adds two columns, five indexes and a table."""
    op.add_column("case_file", sa.Column("asks", sa.String(), nullable=False, server_default=""))
    op.add_column("case_file", sa.Column("county", sa.String(), nullable=True))
    _fill()
    for name, columns, where in INDEXES:
        lite, server = sa.text(where.format(no="0")), sa.text(where.format(no="false"))
        op.create_index(name, "case_file", list(columns), sqlite_where=lite, postgresql_where=server)
    parked = sa.text("status = 'parked'")
    op.create_index("ix_timer_parked", "timer", ["case"], sqlite_where=parked, postgresql_where=parked)
    op.create_table(
        "saved_view",
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("account", "name"),
        sa.CheckConstraint("length(name) >= 1", name="ck_view_name"),
    )


def _fill() -> None:
    """The new columns of the cases that exist, by key."""
    cases = sa.table("case_file", sa.column("number"), sa.column("body"), sa.column("asks"), sa.column("county"))
    change = sa.update(cases).where(cases.c.number == sa.bindparam("of")).values(asks=sa.bindparam("to_asks"), county=sa.bindparam("to_county"))
    bind, last = op.get_bind(), ""
    while True:
        rows = bind.execute(sa.select(cases.c.number, cases.c.body).where(cases.c.number > last).order_by(cases.c.number).limit(PAGE)).all()
        if not rows:
            return
        bind.execute(change, [_words(row.number, json.loads(row.body)) for row in rows])
        last = rows[-1].number


def _words(number: str, case: dict[str, Any]) -> dict[str, Any]:
    """A task is kept as a list: its id first, its role fourth."""
    tasks = case["tasks"]
    kinds = {task[0].partition(":")[0] for task in tasks if ":" in task[0]}
    asks = {task[3] for task in tasks} | kinds | ({"!"} if kinds & {"letter-blocked", "letter-failed", "refused"} else set())
    return {"of": number, "to_asks": " ".join(sorted(asks)), "to_county": case["place"].get("county")}


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
