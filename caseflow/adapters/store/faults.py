"""What a database error means to a person: one sentence, and nothing half done."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from caseflow.errors import KeyRefused, StoreFault

_MEANINGS = (
    ("database is locked", "The database {where} is locked by another process; nothing was changed. Try again in a moment."),
    ("disk is full", "The disk of {where} is full; nothing was changed. Make room and do it again."),
    ("disk i/o error", "The disk of {where} could not be read or written; nothing was changed. Check the disk and its space."),
    ("unable to open", "The database {where} can't be opened. Check that its folder exists and may be written."),
    ("not a directory", "The database {where} can't be opened. Check that its folder exists and may be written."),
    ("readonly", "The database {where} may only be read; nothing was changed. Check who owns the file."),
    ("read-only", "The database {where} may only be read; nothing was changed. Check who owns the file."),
    ("not a database", "{where} is not a caseflow database. Name another file with --database."),
    ("malformed", "The database {where} is damaged. Restore a backup."),
    ("no such table", "The database {where} is not set up. Run 'caseflow init' first."),
    ("check constraint", "The database refused a value that can't be; nothing was changed. Run 'caseflow verify'."),
    ("foreign key", "The database refused a line that belongs to nothing it holds; nothing was changed. Run 'caseflow verify'."),
    ("append-only", "The record can't be changed or removed; nothing was changed."),
)


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Turns a database error into a StoreFault."""
    try:
        yield
    except (IntegrityError, sqlite3.IntegrityError) as error:
        otherwise = "The database refused a second entry of what may exist only once; nothing was changed. Read the case again."
        raise KeyRefused(_meaning(error, otherwise).format(where=where)) from error
    except (DBAPIError, sqlite3.Error) as error:
        otherwise = "The database {where} failed ({text}); nothing was changed. Check the database and do it again."
        raise StoreFault(_meaning(error, otherwise).format(where=where, text=_text(error)[:120])) from error
    except SQLAlchemyError as error:
        raise StoreFault(f"The database {where} could not be used ({str(error)[:120]}).") from error


def _text(error: Exception) -> str:
    return str(getattr(error, "orig", error))


def _meaning(error: Exception, otherwise: str) -> str:
    text = _text(error).lower()
    return next((said for part, said in _MEANINGS if part in text), otherwise)
