"""A bundle as one archive, and an archive that somebody brings back, unpacked with care and checked.

The same files give the same bytes. What is brought is never run: its verify.py is a file to be compared, and the check is this program's own.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from caseflow.adapters.bundle import verify
from caseflow.errors import BadInput

MOST_FILES, MOST_BYTES = 20_000, 500_000_000
"""No record of a case is larger; an archive that says so would fill the disk."""
BROKEN = "This is no archive of a record, or its end is missing. Bring the .zip as it was handed out."


def zipped(files: Mapping[str, bytes], top: str, made_at: str) -> bytes:
    """The files below one folder, in order of their names, all dated at the moment of the record."""
    at = datetime.fromisoformat(made_at)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            one = zipfile.ZipInfo(f"{top}/{name}", (at.year, at.month, at.day, at.hour, at.minute, at.second - at.second % 2))
            one.create_system, one.external_attr, one.compress_type = 3, 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(one, data)
    return held.getvalue()


def checked(file: BinaryIO) -> dict[str, Any]:
    """What an archive says of itself and what does not hold: {case, entries, made_at, head, key, withheld, faults}. Raises BadInput."""
    with tempfile.TemporaryDirectory(prefix="record-") as place:
        folder = _unpacked(file, Path(place))
        try:
            faults, checkpoint, withheld = verify.check(folder)
            told = {name: checkpoint[name] for name in ("case", "entries", "made_at", "head", "key")}
            if not isinstance(told["case"], str) or not isinstance(told["entries"], int):
                raise TypeError
        except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
            raise BadInput("The archive holds no whole record: a file that every record has is missing or can't be read.") from None
    return {**told, "withheld": withheld, "faults": faults}


def _unpacked(file: BinaryIO, place: Path) -> Path:
    """The folder of the record within the archive. Raises BadInput."""
    try:
        with zipfile.ZipFile(file) as archive:
            held = archive.infolist()
            names = [one.filename for one in held if not one.is_dir()]
            if len(held) > MOST_FILES or sum(one.file_size for one in held) > MOST_BYTES:
                raise BadInput("The archive is larger than any record of a case; it was not opened.")
            if len(set(names)) != len(names) or not all(_inside(name) for name in names):
                raise BadInput("The archive names a file twice or a place outside of itself; it was not opened.")
            for one in held:
                archive.extract(one, place)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, OSError):
        raise BadInput(BROKEN) from None
    found = [path.parent for path in (place / "checkpoint.json", *place.glob("*/checkpoint.json")) if path.is_file()]
    if len(found) != 1:
        raise BadInput(BROKEN)
    return found[0]


def _inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name and "\0" not in name
