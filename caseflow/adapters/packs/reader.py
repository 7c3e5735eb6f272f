"""Versions of packs to be compared: from a folder as it stands, or from those that the database keeps."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from caseflow.adapters.packs.library import PackLibrary, default_folders, pack_files
from caseflow.adapters.packs.nodes import read_plain
from caseflow.domain.difference import Version
from caseflow.errors import BadInput


class VersionReader:
    """Implements services.versions.Shelf."""

    def __init__(self, library: PackLibrary) -> None:
        self._library = library

    def folder(self, name: str) -> Version | None:
        """The pack in a folder, or in the only pack folder below it; None where there is no such folder. Raises BadInput or PackFaults."""
        path = Path(name)
        if not path.is_dir():
            return None
        if not (path / "pack.yaml").is_file():
            below = sorted(one.parent for one in path.glob("*/pack.yaml"))
            if len(below) != 1:
                found = f"holds {len(below)} packs: {', '.join(one.name for one in below)}" if below else "holds no pack.yaml"
                raise BadInput(f"The folder {name} {found}; name the folder of one pack.")
            path = below[0]
        own = path.resolve().parent.parent / "templates" / "letters"
        files = pack_files(path, own if own.is_dir() else default_folders()[1])
        pack = self._library.load(files)
        return self.kept(pack.hash)

    def kept(self, version: str) -> Version:
        """A pack version by content hash. Raises NotFound."""
        pack, files = self._library.pack(version), self._library.files(version)
        return Version(pack, files, _says(files))


def _says(files: Mapping[str, str]) -> dict[str, str]:
    """A digest of what each file of rules says, without comments and layout; the order of its words counts."""
    return {path: sha256(repr(read_plain(text, path)).encode()).hexdigest() for path, text in files.items() if path.endswith(".yaml")}
