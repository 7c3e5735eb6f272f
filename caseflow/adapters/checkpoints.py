"""Checkpoints outside of the database: a file with every head, and a text to send or print."""

from __future__ import annotations

import os
import tempfile
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from caseflow.adapters.plainfile import refuse_pipe
from caseflow.domain.chain import Head
from caseflow.domain.checkpoints import Checkpoint, head_line
from caseflow.errors import BadInput

LONGEST = 65536
"""In so much of the beginning of a file its line must stand."""


def name_of(checkpoint: Checkpoint) -> str:
    """The name of a daily file."""
    return f"checkpoint-{checkpoint.number:06d}-{checkpoint.made_at.date().isoformat()}.txt"


def write(path: Path, checkpoint: Checkpoint, heads: Iterable[Head]) -> None:
    """Writes the line, and under it a line for each case; whole or not at all. Raises BadInput."""
    if path.exists():
        raise BadInput(f"The file {path} exists; name a new one, so that no older checkpoint is lost.")
    try:
        handle, made = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    except OSError as error:
        raise BadInput(f"The file {path} can't be written ({error.strerror}); name another.") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{checkpoint.line}\n")
            file.writelines(map(head_line, heads))
            file.flush()
            os.fsync(file.fileno())
        Path(made).chmod(0o644)
        Path(made).rename(path)
    except OSError as error:
        raise BadInput(f"The file {path} can't be written ({error.strerror}); nothing was kept there.") from None
    finally:
        with suppress(OSError):
            os.unlink(made)


@contextmanager
def opened(path: Path) -> Iterator[tuple[str, IO[str]]]:
    """The beginning of a file, in which the line of the checkpoint stands, and all of its lines. Raises BadInput."""
    try:
        refuse_pipe(path)
        with path.open(encoding="utf-8") as file:
            begins = file.read(LONGEST)
            file.seek(0)
            yield begins, file
    except UnicodeDecodeError:
        raise BadInput(f"The file {path} is not UTF-8 text; name the file that a checkpoint was written to.") from None
    except OSError as error:
        raise BadInput(f"The file {path} can't be read ({error.strerror}); name the file that a checkpoint was written to.") from None


def mail_text(checkpoint: Checkpoint) -> str:
    """A text to send or print: it may be wrapped and quoted on its way, and is read again from what comes back."""
    said = (
        f"Checkpoint {checkpoint.number} of the record, made {checkpoint.made_at.isoformat()}: "
        f"{checkpoint.cases:,} cases with {checkpoint.entries:,} entries. Keep this text where those who keep the record can't change it. "
        "To see whether the record is still what it was, save it as a file and run: caseflow verify --checkpoint FILE"
    )
    return f"{textwrap.fill(said, 72)}\n\n{textwrap.fill(checkpoint.line, 72, break_long_words=False)}\n"
