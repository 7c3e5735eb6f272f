"""A file that a person names is a file: opening a pipe that nobody reads or writes would wait for ever, and a device is not to be written over.

What is read is for whoever reads it; what is written is there whole or not at all.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from caseflow.errors import BadInput

HANDED = ("/dev/", "/proc/")
"""Where a shell puts a pipe that it has opened already, as in <(command)."""
KINDS = ((stat.S_ISREG, "a file"), (stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
OUTPUTS = (1, 2)
"""Where words are printed to."""


def refuse_pipe(path: str | Path) -> None:
    """Refuses a named pipe; what else is wrong with a path is said where it is opened. Raises BadInput."""
    found = _found(path)
    if found is not None and stat.S_ISFIFO(found.st_mode) and not str(path).startswith(HANDED):
        raise BadInput(f"{path} is not a file but a pipe; save what is to be read as a file, and name that.")


def refuse_no_folder(path: str | Path) -> None:
    """Refuses what is there and is no folder. Raises BadInput."""
    found = _found(path)
    if found is not None and not stat.S_ISDIR(found.st_mode):
        raise BadInput(f"{path} is not a folder but {_kind(found)}; name a folder to write into.")


def write_whole(path: str | Path, data: bytes) -> None:
    """Writes a file, in place of a file of that name, or into a pipe that a shell has opened for a reader, as in >(command). Raises BadInput."""
    found = _found(path)
    if found is not None and _is_handed(path, found):
        return _write(path, os.O_WRONLY | os.O_NONBLOCK, data)  # which does not wait for a reader
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise BadInput(f"{path} is not a file but {_kind(found)}, which can't be written whole; name a file, and hand that on from there.")
    if found is not None and not os.access(path, os.W_OK):
        raise BadInput(f"The file {path} may not be written; name another.")
    try:
        whole = Path(os.path.realpath(path))  # where a link leads to, so that the link stays one
    except (OSError, ValueError) as error:
        raise _unwritten(path, error) from None
    made = whole.with_name(f".{secrets.token_hex(8)}")
    try:
        # What stands in place of a file that others may not read is at no moment theirs to read.
        _write(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, data, path, stat.S_IMODE(found.st_mode) if found is not None else None)
        made.replace(whole)
    except OSError as error:
        raise _unwritten(path, error) from None
    finally:
        with suppress(OSError):
            made.unlink()
    return None


def _write(path: str | Path, flags: int, data: bytes, named: str | Path = "", mode: int | None = None) -> None:
    """Writes bytes, on the disk at the end where it is a file. `mode`: the rights of a new file; None for those that the system gives."""
    try:
        with os.fdopen(os.open(path, flags, 0o666 if mode is None else 0o600), "wb") as file:
            os.set_blocking(file.fileno(), True)
            file.write(data)
            file.flush()
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            if flags & os.O_CREAT:
                os.fsync(file.fileno())
    except (OSError, ValueError) as error:
        raise _unwritten(named or path, error) from None


def _unwritten(path: str | Path, error: Exception) -> BadInput:
    return BadInput(f"The file {path} can't be written ({getattr(error, 'strerror', None) or error}); name another.")


def _found(path: str | Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def _kind(found: os.stat_result) -> str:
    return next((kind for is_one, kind in KINDS if is_one(found.st_mode)), "a device")


def _is_handed(path: str | Path, found: os.stat_result) -> bool:
    """Whether a shell has opened this pipe; not where words are printed to, since they would get into the file."""
    if not stat.S_ISFIFO(found.st_mode) or not str(path).startswith(HANDED):
        return False
    for number in OUTPUTS:
        with suppress(OSError):
            if os.path.samestat(found, os.fstat(number)):
                return False
    return True
