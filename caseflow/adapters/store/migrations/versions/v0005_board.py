"""What the board counts from: since when a case stands and by when silence decides, and indexes over both and over the record.

Revision 0005. The two days of the cases that exist are read from what is kept of them; the next entry writes them anew.
"""

import json
from datetime import date
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

UNDONE = "status IN ('owed', 'draft', 'approved', 'queued', 'blocked')"
OPEN: dict[str, Any] = {"sqlite_where": sa.text("ends IS 0"), "postgresql_where": sa.text("ends IS false")}
DECIDED: dict[str, Any] = {"sqlite_where": sa.text("decided_on IS NOT NULL"), "postgresql_where": sa.text("decided_on IS NOT NULL")}
BATCH = 500


def upgrade() -> None:
    """Adds the columns and indexes."""
    op.add_column("case_file", sa.Column("stands_since", sa.Date(), nullable=True))
    op.add_column("case_file", sa.Column("silent_on", sa.Date(), nullable=True))
    _fill()
    columns = [
        "assigned_to",
        "next_due",
        "next_target",
        "stands_since",
        "silent_on",
        "next_at",
        "last_on",
        "phase",
        "turn",
        "workflow",
        "held",
        "ends",
        "number",
    ]
    op.create_index("ix_case_board", "case_file", columns, **OPEN)
    op.create_index("ix_case_decided", "case_file", ["decided_on", "on_time", "held", "workflow", "assigned_to", "number"], **DECIDED)
    op.create_index("ix_letter_undone", "letter", ["case", "status"], sqlite_where=sa.text(UNDONE), postgresql_where=sa.text(UNDONE))
    op.create_index("ix_entry_recorded", "entry", ["recorded_at", "case", "seq", "actor_id", "actor_kind"])
    op.create_index("ix_reading_at", "reading", ["at", "account", "case"])


def _fill() -> None:
    """Reads the days of open cases from their bodies, a batch at a time."""
    link = op.get_bind()
    table = sa.table(
        "case_file",
        *(sa.column(name) for name in ("number", "ends", "next_due", "held", "body")),
        sa.column("stands_since", sa.Date()),
        sa.column("silent_on", sa.Date()),
    )
    last = ""
    while True:
        query = sa.select(table.c.number, table.c.next_due, table.c.held, table.c.body).where(table.c.number > last, table.c.ends.is_(sa.false()))
        rows = link.execute(query.order_by(table.c.number).limit(BATCH)).all()
        for row in rows:
            found = days(json.loads(row.body), bool(row.held) and row.next_due is None)
            if any(found.values()):
                link.execute(sa.update(table).where(table.c.number == row.number).values(found))
        if len(rows) < BATCH:
            return
        last = rows[-1].number


def days(body: dict[str, Any], stands: bool) -> dict[str, date | None]:
    """The day of the last hold or displacement of a case that stands, and the last day of its nearest outcome by silence."""
    since = max((mark[4] for mark in body["marks"] if mark[1] in ("hold", "displace") and mark[4]), default=None) if stands else None
    silent = min((timer[3] for timer in body["timers"] if timer[1] == "silence"), default=None)
    return {"stands_since": _day(since), "silent_on": _day(silent)}


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text[:10]) if text else None


def downgrade() -> None:
    """A record is never taken back."""
    raise RuntimeError("this migration can't be undone; restore a backup")
