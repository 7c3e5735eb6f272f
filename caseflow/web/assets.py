"""Files of the site: read once into memory, found by name alone, so that no path leads anywhere else."""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from fastapi import Request, Response

TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
FOREVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """A file: its bytes, the same packed where that is worth it, its type and its version."""

    plain: bytes
    packed: bytes | None
    type: str
    version: str


class Assets:
    """The files below some folders, each folder under a name of its own (the site's own under none)."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._known = {
            f"{name}{path.relative_to(folder).as_posix()}": _read(path)
            for name, folder in folders.items()
            for path in sorted(folder.rglob("*"))
            if path.suffix in TYPES
        }

    def address(self, name: str) -> str:
        """Where a file is, with its version: a browser keeps it until it changes. Raises KeyError."""
        return f"/static/{name}?v={self._known[name].version}"

    def answer(self, name: str, request: Request) -> Response | None:
        """The file, or None."""
        found = self._known.get(name)
        if found is None:
            return None
        headers = {"Cache-Control": FOREVER if request.query_params.get("v") == found.version else "public, max-age=3600", "Vary": "Accept-Encoding"}
        if found.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(found.packed, media_type=found.type, headers={**headers, "Content-Encoding": "gzip"})
        return Response(found.plain, media_type=found.type, headers=headers)


def vendored() -> Path:
    """What others made and the site uses unchanged: beside the package in a checkout, inside it when installed."""
    package = Path(__file__).resolve().parents[1]
    found = package / "_data" / "assets"
    return found if found.is_dir() else package.parent / "assets"


@lru_cache
def _read(path: Path) -> Asset:
    plain = path.read_bytes()
    packed = gzip.compress(plain, mtime=0) if path.suffix != ".woff2" else None
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Asset(plain, packed, kind, sha256(plain).hexdigest()[:12])
