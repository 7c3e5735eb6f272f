"""Backups of the embedded database: one archive, written while the program runs, and refused where a byte of it is wrong.

An archive holds the database as it stood at one moment, the files kept beside it, and the SHA-256 of each. It can hold what
is secret: it is written for its owner alone. A restored database rests: nothing leaves it until somebody says so.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import file_digest
from pathlib import Path, PurePosixPath
from typing import Any

from caseflow.domain.journal import moment_text
from caseflow.errors import BadInput
from caseflow.services.office import Progress, quiet

FORMAT = 1
DATABASE, MANIFEST = "caseflow.db", "manifest.json"
PAGES = 2_000
"""Pages of the database that are copied between two words of progress."""


def write_archive(path: Path, database: Path, folders: Mapping[str, Path], moment: datetime, progress: Progress = quiet) -> dict[str, Any]:
    """Writes an archive of a database and folders {name: where}, whole or not at all. Raises BadInput."""
    if path.exists():
        raise BadInput(f"The file {path} exists; name a new one, so that no older backup is lost.")
    try:
        with tempfile.TemporaryDirectory(prefix=".backup-", dir=path.parent) as folder:
            os.chmod(folder, 0o700)
            copied = Path(folder) / DATABASE
            _copy(database, copied, progress)
            files = {DATABASE: copied, **{f"{name}/{one.relative_to(top).as_posix()}": one for name, top in folders.items() for one in _files(top)}}
            manifest = {"format": FORMAT, "made_at": moment_text(moment), "files": {name: _digest(one) for name, one in sorted(files.items())}}
            made = Path(folder) / "archive"
            with zipfile.ZipFile(made, "x", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(MANIFEST, json.dumps(manifest, sort_keys=True, indent=1))
                for place, (name, one) in enumerate(files.items(), 1):
                    archive.write(one, name)
                    progress(place, len(files), "files")
            made.chmod(0o600)
            os.replace(made, path)
    except OSError as error:
        raise BadInput(f"The backup {path} can't be written ({error.strerror or error}); nothing was kept.") from None
    return {"file": str(path), "bytes": path.stat().st_size, "files": len(files), "made_at": manifest["made_at"]}


def read_archive(path: Path, database: Path, folders: Mapping[str, Path], progress: Progress = quiet) -> dict[str, Any]:
    """Puts an archive's database and folders in their places, which must be free; checks every byte first. Raises BadInput."""
    for place in (database, *folders.values()):
        if place.exists() and not (place.is_dir() and not any(place.iterdir())):
            raise BadInput(f"{place} exists; restore into a new place, so that nothing is overwritten.")
    with _opened(path) as archive:
        manifest = _manifest(path, archive)
        try:
            database.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".restore-", dir=database.parent) as folder:
                _unpacked(path, archive, manifest, Path(folder), progress)
                _refuse_broken(path, Path(folder) / DATABASE)
                for name, place in folders.items():
                    if (Path(folder) / name).is_dir():
                        place.parent.mkdir(parents=True, exist_ok=True)
                        with suppress(FileNotFoundError):
                            place.rmdir()
                        shutil.move(Path(folder) / name, place)
                (Path(folder) / DATABASE).chmod(0o600)
                os.replace(Path(folder) / DATABASE, database)
        except OSError as error:
            raise BadInput(f"The backup can't be restored to {database} ({error.strerror or error}); nothing was put there.") from None
    return {"file": str(path), "database": str(database), "files": len(manifest["files"]), "made_at": manifest["made_at"]}


def _copy(database: Path, to: Path, progress: Progress) -> None:
    """Copies the database as it stands at one moment; who writes meanwhile neither waits nor is waited for."""
    source = sqlite3.connect(f"file:{database}?mode=ro", uri=True, isolation_level=None)
    target = sqlite3.connect(to)
    try:
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()  # from here on this connection sees one moment
        source.backup(target, pages=PAGES, progress=lambda _status, left, total: progress(total - left, total, "pages"))
    except sqlite3.Error as error:
        raise BadInput(f"The database {database} can't be copied ({error}); nothing was kept.") from None
    finally:
        target.close()
        source.close()


def _files(top: Path) -> Iterator[Path]:
    return (one for one in sorted(top.rglob("*")) if one.is_file() and not one.is_symlink()) if top.is_dir() else iter(())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        if path.exists() and not path.is_file():
            raise BadInput(f"{path} is no file; name the file that 'caseflow backup' wrote.")
        archive = zipfile.ZipFile(path)
    except OSError as error:
        raise BadInput(f"The backup {path} can't be read ({error.strerror}); name the file that 'caseflow backup' wrote.") from None
    except (zipfile.BadZipFile, ValueError):
        raise BadInput(f"{path} is no backup of caseflow, or its end is missing; nothing was restored.") from None
    with archive:
        yield archive


def _manifest(path: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        found = json.loads(archive.read(MANIFEST))
        if found["format"] != FORMAT or DATABASE not in found["files"] or not isinstance(found["made_at"], str):
            raise ValueError
        names = {name: str(digest) for name, digest in found["files"].items()}
    except (KeyError, ValueError, TypeError, AttributeError, zipfile.BadZipFile, OSError):
        raise BadInput(f"The backup {path} says in no readable way what it holds; nothing was restored.") from None
    held = archive.namelist()
    if sorted(held) != sorted([MANIFEST, *names]):
        raise BadInput(f"The backup {path} holds other files than it says; nothing was restored.")
    for name in names:
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts or "\\" in name:
            raise BadInput(f"The backup {path} names a place outside of it, {name!r}; nothing was restored.")
    return {**found, "files": names}


def _unpacked(path: Path, archive: zipfile.ZipFile, manifest: Mapping[str, Any], folder: Path, progress: Progress) -> None:
    for place, (name, digest) in enumerate(manifest["files"].items(), 1):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with archive.open(name) as packed, target.open("wb") as file:
                shutil.copyfileobj(packed, file)
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError):
            raise BadInput(f"The backup {path} is broken at {name}; nothing was restored.") from None
        if _digest(target) != digest:
            raise BadInput(f"The backup {path} is broken: {name} is not what was kept; nothing was restored.")
        progress(place, len(manifest["files"]), "files")


def _refuse_broken(path: Path, database: Path) -> None:
    try:
        connection = sqlite3.connect(database)
        try:
            (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        said = str(error)
    if said != "ok":
        raise BadInput(f"The database in the backup {path} is broken ({said}); nothing was restored.")
