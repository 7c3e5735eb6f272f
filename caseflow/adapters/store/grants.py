"""Who may do what with the tables on PostgreSQL, for the roles of roles.sql: given by the owner after each migration."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, text

APP, RECORDS, READER = "caseflow_app", "caseflow_records", "caseflow_reader"
WRITTEN_ONCE = ("entry", "document", "account_change", "disposal", "checkpoint", "checkpoint_head", "pack_version", "kept_calendar")
"""Tables whose rows are added, and never changed or removed by the program."""
KEPT = ("case_file", "letter", "letter_copy", "letter_attempt")
"""Tables whose rows go on, and are never removed."""
DISPOSED = ("entry", "document", *KEPT)
"""Tables of which a disposal removes the rows of a case, behind its stub."""
SECRET = ("account", "session", "guess", "api_token", "api_answer", "visit", "feed", "meta")
"""Tables that hold digests of passwords or tokens, secrets, or answers to programs."""
VERSION = "alembic_version"
_NEEDED = text(
    "SELECT count(*) = 3 AND (SELECT tableowner FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'entry') = current_user "
    "FROM pg_roles WHERE rolname IN ('caseflow_app', 'caseflow_records', 'caseflow_reader')"
)


def roles() -> str:
    """The script that makes the roles and the database, to be run by an administrator."""
    return Path(__file__).with_name("roles.sql").read_text(encoding="utf-8")


def give(connection: Connection) -> None:
    """Grants, where the roles exist and the tables are the connected user's own."""
    if not connection.execute(_NEEDED).scalar():
        return
    connection.exec_driver_sql("LOCK TABLE alembic_version IN EXCLUSIVE MODE")  # one at a time: the server can't grant the same twice at once
    for statement in _statements():
        connection.exec_driver_sql(statement)


def _statements() -> list[str]:
    both = f"{APP}, {RECORDS}"
    return [
        f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, {both}, {READER}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {both}",
        f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {both}",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {READER}",
        f"REVOKE UPDATE, DELETE ON {', '.join(WRITTEN_ONCE)} FROM {both}",
        f"REVOKE DELETE ON {', '.join(KEPT)} FROM {both}",
        f"GRANT DELETE ON {', '.join(DISPOSED)} TO {RECORDS}",
        f"REVOKE INSERT, UPDATE, DELETE ON {VERSION} FROM {both}",
        f"REVOKE SELECT ON {', '.join(SECRET)} FROM {READER}",  # noqa: S608 - names of this file
    ]
