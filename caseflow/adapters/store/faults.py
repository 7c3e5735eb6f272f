"""What a database error means to a person: one sentence, and nothing half done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from caseflow.errors import StoreFault

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
    ("append-only", "The record can't be changed or removed; nothing was changed."),
)


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Turns a database error into a StoreFault."""
    try:
        yield
    except IntegrityError as error:
        text = str(error.orig).lower()
        known = next((said for part, said in _MEANINGS if part in text), None)
        said = known or "The database refused a second entry of what may exist only once; nothing was changed. Read the case again."
        raise StoreFault(said.format(where=where)) from error
    except DBAPIError as error:
        text = str(error.orig).lower()
        known = next((said for part, said in _MEANINGS if part in text), None)
        said = known or f"The database {{where}} failed ({str(error.orig)[:120]}); nothing was changed."
        raise StoreFault(said.format(where=where)) from error
    except SQLAlchemyError as error:
        raise StoreFault(f"The database {where} could not be used ({str(error)[:120]}).") from error
