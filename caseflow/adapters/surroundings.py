"""The machine around the record, as the doctor sees it: room on the disk, and who may read the files that hold secrets."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path


class Surroundings:
    """Implements services.doctor.Place. `secrets`: files that only their owner should read, by what they are; `folder`: where the record lies, None where that is on a server."""

    def __init__(self, folder: Path | None, secrets: Mapping[str, Path]) -> None:
        self._folder, self._secrets = folder, secrets

    def room(self) -> tuple[int, int] | None:
        """Free bytes where the record lies, and bytes in all; None where the record lies elsewhere."""
        if self._folder is None:
            return None
        try:
            found = shutil.disk_usage(self._folder)
        except OSError:
            return None
        return found.free, found.total

    def readable(self) -> Sequence[tuple[str, str]]:
        """What others than its owner may read or write: what it is, and its path."""
        return [(name, str(path)) for name, path in self._secrets.items() if path.exists() and os.stat(path).st_mode & 0o077]
