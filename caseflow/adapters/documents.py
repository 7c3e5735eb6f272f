"""Contents of documents in a folder, each under its own SHA-256: kept once, proven when read, never under a name that somebody gave."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, EFBIG, ENOSPC
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from caseflow.errors import DocumentLost, StoreFault
from caseflow.services.ports.documents import Held

CHUNK = 1 << 16
_DIGEST = re.compile(r"[0-9a-f]{64}\Z")


class Folder:
    """Implements ports.Vault. Nothing in the folder is ever written over: a content is whole under its name, or not there."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def batch(self) -> Iterator[FolderBatch]:
        """Files that are kept together or not at all."""
        made = FolderBatch(self._path)
        try:
            yield made
        finally:
            made.drop()

    def open(self, sha256: str) -> BinaryIO:
        """The content, read through once to prove it, from its beginning."""
        try:
            file: BinaryIO = _place(self._path, sha256).open("rb")
        except FileNotFoundError:
            raise DocumentLost("The content of this document is missing from the folder of documents. Restore it from a backup.") from None
        except OSError as error:
            raise StoreFault(f"The folder of documents can't be read ({error.strerror}). Check the disk and who owns it.") from None
        try:
            if _digest(file) != sha256:
                raise DocumentLost("The content of this document is not what was handed in; it is not given out. Restore it from a backup.")
            file.seek(0)
        except BaseException:
            file.close()
            raise
        return file

    def remove(self, sha256: str) -> None:
        """Lets a content go; the disk knows when this returns."""
        place = _place(self._path, sha256)
        try:
            place.unlink(missing_ok=True)
            if not place.parent.is_dir():
                return
            handle = os.open(place.parent, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise StoreFault(f"The folder of documents can't be written ({error.strerror}); run the disposal again when it can.") from None

    def fault(self, sha256: str) -> str | None:
        """What is wrong with a content."""
        try:
            with _place(self._path, sha256).open("rb") as file:
                return None if _digest(file) == sha256 else "altered"
        except FileNotFoundError:
            return "missing"
        except OSError as error:
            return f"unreadable ({error.strerror})"


class FolderBatch:
    """Implements ports.Batch: every file lies under a made-up name until it is kept."""

    def __init__(self, path: Path) -> None:
        self._path, self._taken = path, list[Held]()
        self._parts: list[Path] = []

    def take(self, source: BinaryIO, most: int) -> Held | None:
        """Reads a stream into a file of its own."""
        with _told():
            folder = self._path / "arriving"
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, part = tempfile.mkstemp(dir=folder)
            self._parts.append(Path(part))
            file: BinaryIO = os.fdopen(handle, "w+b")
            made, size = sha256(), 0
            held = Held("", 0, file)
            self._taken.append(held)
            while data := source.read(CHUNK):
                size += len(data)
                if size > most:
                    return None
                made.update(data)
                file.write(data)
            file.flush()
            os.fsync(handle)
            os.fchmod(handle, 0o400)
        self._taken[-1] = Held(made.hexdigest(), size, file)
        return self._taken[-1]

    def keep(self) -> None:
        """Puts every file in its place, and the places on the disk. Once more, where it was done for a transaction that was not."""
        with _told():
            for held, part in zip(self._taken, self._parts, strict=True):
                place = _place(self._path, held.sha256)
                place.parent.mkdir(mode=0o700, exist_ok=True)
                # What lies there under this name is replaced: the same content, or one that was damaged.
                if part.exists():
                    part.replace(place)
                elif not place.exists():  # a disposal may have removed it since the first time
                    _write_anew(held.file, part)
                    part.replace(place)
                for folder in (place.parent, self._path):
                    handle = os.open(folder, os.O_RDONLY)
                    try:
                        os.fsync(handle)
                    finally:
                        os.close(handle)

    def drop(self) -> None:
        """Closes the files; what was not kept is gone. What can't be removed stays in `arriving`, where nobody looks: it undoes nothing."""
        for held in self._taken:
            with suppress(OSError):
                held.file.close()
        for part in self._parts:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def _write_anew(source: BinaryIO, part: Path) -> None:
    """The content of a file that is open, though it has no name any more, under a name."""
    source.seek(0)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400)
    with os.fdopen(handle, "wb") as file:
        shutil.copyfileobj(source, file)
        file.flush()
        os.fsync(handle)


def _place(path: Path, name: str) -> Path:
    if not _DIGEST.match(name):
        raise DocumentLost("The record names a content that can't be; run 'caseflow verify'.")
    return path / name[:2] / name[2:]


def _digest(file: BinaryIO) -> str:
    made = sha256()
    while data := file.read(CHUNK):
        made.update(data)
    return made.hexdigest()


@contextmanager
def _told() -> Iterator[None]:
    """What a fault of the disk means to a person."""
    try:
        yield
    except OSError as error:
        if error.errno in (ENOSPC, EDQUOT, EFBIG):
            raise StoreFault("The disk for documents is full; nothing was recorded. Make room and send it again.") from None
        text = f"The folder of documents can't be written ({error.strerror}); nothing was recorded. Check who owns it, and send it again."
        raise StoreFault(text) from None
