"""A file that a person names is a file: opening a pipe that nobody writes into would wait for ever. What is read is for whoever reads it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from caseflow.errors import BadInput

HANDED = ("/dev/", "/proc/")
"""Where a shell puts a pipe that it has opened already, as in <(command)."""


def refuse_pipe(path: str | Path) -> None:
    """Refuses a named pipe; what else is wrong with a path is said where it is opened. Raises BadInput."""
    try:
        is_pipe = stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return
    if is_pipe and not str(path).startswith(HANDED):
        raise BadInput(f"{path} is not a file but a pipe; save what is to be read as a file, and name that.")
