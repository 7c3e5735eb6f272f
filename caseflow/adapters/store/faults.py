"""What a database error means to a person: one sentence, and nothing half done.

SQLite is understood by its words, PostgreSQL by its codes, whose words depend on the language of the server.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, PendingRollbackError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoneFree

from caseflow.errors import KeyRefused, StoreFault, TryAgain

_ONCE = "The database refused a second entry of what may exist only once; nothing was changed. Read the case again."
_LOCKED = "The database {where} is locked by another process; nothing was changed. Try again in a moment."
_FULL = "The disk of {where} is full; nothing was changed. Make room and do it again."
_READ_ONLY = "The database {where} may only be read; nothing was changed. Check who owns the file."
_UNSET = "The database {where} is not set up. Run 'caseflow init' first."
_CHECK = "The database refused a value that can't be; nothing was changed. Run 'caseflow verify'."
_FOREIGN = "The database refused a line that belongs to nothing it holds; nothing was changed. Run 'caseflow verify'."
_AWAY = "The database {where} can't be reached; nothing was changed. Check that its server runs, and try again in a moment."
_CROWDED = "The database {where} takes no more connections at present; nothing was changed. Try again in a moment."
_CROSSED = "The database {where} could not do this beside what others did at the same moment; nothing was changed. Try again in a moment."
_MEANINGS = (
    ("database is locked", _LOCKED),
    ("disk is full", _FULL),
    ("disk i/o error", "The disk of {where} could not be read or written; nothing was changed. Check the disk and its space."),
    ("unable to open", "The database {where} can't be opened. Check that its folder exists and may be written."),
    ("not a directory", "The database {where} can't be opened. Check that its folder exists and may be written."),
    ("readonly", _READ_ONLY),
    ("read-only", _READ_ONLY),
    ("not a database", "{where} is not a caseflow database. Name another file with --database."),
    ("malformed", "The database {where} is damaged. Restore a backup."),
    ("no such table", _UNSET),
    ("check constraint", _CHECK),
    ("foreign key", _FOREIGN),
    ("was moved to", "{text}; nothing was changed. Name the other one with --database, or CASEFLOW_DATABASE."),
    ("append-only", "The record can't be changed or removed; nothing was changed."),
)
_CODES = {
    "23503": _FOREIGN,
    "23505": _ONCE,
    "23514": _CHECK,
    "25006": "The database {where} may only be read; nothing was changed. Check that its server is the first one and no copy of it.",
    "28000": "The database {where} does not let this user in. Check the user in the address, and pg_hba.conf on the server.",
    "28P01": "The database {where} refuses the password. Check it, in the address or in PGPASSWORD.",
    "3D000": "There is no database {where}; its administrator makes it (docs/operators.md, PostgreSQL).",
    "42501": "The user of the database {where} may not do this; nothing was changed. Set it up with the owner's address (caseflow init --roles).",
    "42P01": _UNSET,
    "53100": _FULL,
    "55P03": _LOCKED,
    "57014": "The database {where} took too long over this; nothing was changed. Ask for less, or try again when it is less busy.",
}
_AGAIN = {"40001": _CROSSED, "40P01": _CROSSED, "53300": _CROWDED}
_LOST = ("08", "57P")
"""Classes of codes: no connection; the server stops, has crashed, or starts."""


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Turns a database error into a StoreFault."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        raise _fault(error, where) from error
    except NoneFree as error:
        raise TryAgain(_CROWDED.format(where=where)) from error
    except PendingRollbackError as error:  # the connection was lost before, within the same view
        fault = TryAgain(_AWAY.format(where=where))
        fault.spent = True
        raise fault from error
    except SQLAlchemyError as error:
        raise StoreFault(f"The database {where} could not be used ({str(error)[:120]}).") from error


def is_lost(error: DBAPIError) -> bool:
    """Whether it was the connection that failed."""
    code = code_of(error)
    return error.connection_invalidated or (code.startswith(_LOST) if code else _is_unreached(error))


def is_unset(error: DBAPIError) -> bool:
    """Whether the database lacks a table, so that it was never set up."""
    return code_of(error) == "42P01" or "no such table" in str(error.orig)


def code_of(error: Exception) -> str:
    """The code that PostgreSQL gave the error; empty where there is none."""
    return str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")


def _is_unreached(error: DBAPIError) -> bool:
    """No code at all: PostgreSQL did not answer. Being refused at the door comes as words too; those stand in _door."""
    return type(error.orig).__module__.startswith("psycopg") and type(error.orig).__name__ in ("OperationalError", "ConnectionTimeout")


def _fault(error: Exception, where: str) -> StoreFault:
    code = code_of(error) or _door(error)
    if code in _AGAIN:
        return TryAgain(_AGAIN[code].format(where=where))
    if code not in _CODES and isinstance(error, DBAPIError) and is_lost(error):
        return TryAgain(_AWAY.format(where=where))
    otherwise = "The database {where} failed ({text}); nothing was changed. Check the database and do it again."
    refused = isinstance(error, (IntegrityError, sqlite3.IntegrityError))
    meaning = _CODES.get(code) or _meaning(error, _ONCE if refused else otherwise)
    made = KeyRefused if refused else StoreFault
    return made(meaning.format(where=where, text=_text(error)[:120]))


def _door(error: Exception) -> str:
    """psycopg does not keep the code of a refusal to connect, but the server's words begin the same in every language: FATAL."""
    text = _text(error)
    known = (
        ("password authentication failed", "28P01"),
        ("no pg_hba.conf entry", "28000"),
        ("too many clients", "53300"),
        ("remaining connection slots", "53300"),
    )
    found = next((code for words, code in known if words in text), "")
    return found or ("3D000" if 'database "' in text and "does not exist" in text else "28000" if 'role "' in text and "does not exist" in text else "")


def _text(error: Exception) -> str:
    return str(getattr(error, "orig", error))


def _meaning(error: Exception, otherwise: str) -> str:
    text = _text(error).lower()
    return next((said for part, said in _MEANINGS if part in text), otherwise)
