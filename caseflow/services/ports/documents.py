"""Documents of cases, and the port of where their content lies."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Protocol


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a case: `sha256` names its content, `kind` is its type as it is served, `name` what its sender called it.

    `seq` is the entry by which it came, `by` and `role` who entered it, `sender` who handed it in from outside (a name),
    `item` the item that it is for, empty where none was named.
    """

    id: str
    case: str
    seq: int
    sha256: str
    name: str
    kind: str
    size: int
    at: datetime
    by: str
    role: str
    sender: str | None
    item: str


@dataclass(frozen=True, slots=True)
class Held:
    """What was read of a stream, not yet kept: its SHA-256, its length, and a file to look into."""

    sha256: str
    size: int
    file: BinaryIO


class Batch(Protocol):
    """Several files that are kept together or not at all."""

    def take(self, source: BinaryIO, most: int) -> Held | None:
        """Read a stream to its end; None where it is longer than so many bytes. Raises StoreFault where the disk is full."""

    def keep(self) -> None:
        """Keep what was taken, on the disk when this returns. What is there already is kept once. Raises StoreFault."""


class Vault(Protocol):
    """Where the content of documents lies, named by its SHA-256 and by nothing else."""

    def batch(self) -> AbstractContextManager[Batch]:
        """What is not kept when it ends leaves nothing behind."""

    def remove(self, sha256: str) -> None:
        """The content is gone, from the disk too; nothing where it is not there. Raises StoreFault."""

    def open(self, sha256: str) -> BinaryIO:
        """The content, proven to be what was kept. Raises DocumentLost."""

    def fault(self, sha256: str) -> str | None:
        """What is wrong with the content: missing, altered, unreadable; nothing where all is well."""
