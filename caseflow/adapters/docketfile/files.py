"""Reads and writes the file: a line at a time, so that its length costs no memory. What is written is there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from caseflow.adapters.docketfile.lines import said, written
from caseflow.adapters.docketfile.text import LONGEST
from caseflow.errors import BadInput
from caseflow.services.carrying import CalendarFile, Carried, End, Flaw, Header, Line, PackFiles


def write_docket(path: Path, values: Iterable[Header | PackFiles | CalendarFile | Carried]) -> dict[str, Any]:
    """Writes a docket for its owner alone: it holds addresses and the salts of facts. Raises BadInput."""
    if path.exists():
        raise BadInput(f"The file {path} exists; name a new one, so that no older export is lost.")
    cases = packs = entries = letters = documents = 0
    digest = sha256()
    try:
        handle, name = tempfile.mkstemp(prefix=".docket-", dir=path.parent)
    except OSError as error:
        raise BadInput(f"The file {path} can't be written ({error.strerror}); name another.") from None
    try:
        with os.fdopen(handle, "wb") as file:
            for value in values:
                line = written(value)
                file.write(line)
                if isinstance(value, Header):
                    continue
                digest.update(line)
                if isinstance(value, PackFiles):
                    packs += 1
                if not isinstance(value, Carried):
                    continue
                cases, entries = cases + 1, entries + len(value.entries)
                letters, documents = letters + len(value.brought.letters), documents + len(value.brought.documents)
            file.write(written(End(cases, digest.hexdigest())))
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        os.link(name, path)  # unlike a move, it never puts this in another file's place
    except FileExistsError:
        raise BadInput(f"The file {path} exists; name a new one, so that no older export is lost.") from None
    except OSError as error:
        raise BadInput(f"The docket can't be written to {path} ({error.strerror or error}); nothing was kept.") from None
    finally:
        with suppress(OSError):
            os.unlink(name)
    counts = {"cases": cases, "entries": entries, "letters": letters, "documents": documents, "packs": packs}
    return {"file": str(path), "bytes": size, **counts, "sha256": digest.hexdigest()}


class DocketFile:
    """A file of lines that is read as often as it is asked. Raises BadInput where it can't be."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            if path.exists() and not path.is_file():
                raise BadInput(f"{path} is no file that can be read twice; save what is to be imported as a file.")
            self.size = path.stat().st_size
            with path.open("rb"):
                pass
        except OSError as error:
            raise BadInput(f"The file {path} can't be read ({error.strerror}).") from None
        self.at = 0
        """How many bytes have been read, for whoever tells of it."""

    def lines(self) -> Iterator[Line]:
        """Every line with what it says. In a docket the end must fit what was read."""
        digest, number, inside = sha256(), 0, False
        with self.path.open("rb") as file:
            for raw in _raw(file):
                number += 1
                line = said(raw.removesuffix(b"\n"), number, inside)
                if number == 1:
                    inside = isinstance(line.value, Header)
                elif isinstance(line.value, End):
                    line = _fitting(line, digest.hexdigest())
                digest.update(raw if number > 1 else b"")
                self.at = file.tell()
                yield line


def _fitting(line: Line, digest: str) -> Line:
    assert isinstance(line.value, End)
    if line.value.sha256 == digest:
        return line
    return Line(
        line.number, line.digest, Flaw("the lines above are not those that were exported: a line was added, removed or moved", "Export the docket again.")
    )


def _raw(file: BinaryIO) -> Iterator[bytes]:
    """Lines with their ends; of one that is too long, no more than shows that it is."""
    while line := file.readline(LONGEST + 2):
        if len(line) > LONGEST + 1:
            while (rest := file.readline(LONGEST)) and not rest.endswith(b"\n"):
                pass
        yield line
