"""Checked packs kept between commands, so that a one-shot command starts fast.

Only a folder that belongs to the user and to nobody else is read or written, for what lies there is unpickled.
Anything odd about it means that the pack is loaded and checked anew; the cache is never needed.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

import pydantic

from caseflow.domain.pack import Pack

KEPT = 16
"""How many packs stay; the oldest make room."""


def recall(version: str, checked: bool = True) -> Pack | None:
    """The pack of that content hash, or None where it is not kept or the keeping can't be trusted.

    With `checked` only one that passed the checks of this very program."""
    home = folder()
    if home is None:
        return None
    try:
        descriptor = os.open(home / _name(version, checked), os.O_RDONLY | os.O_NOFOLLOW)
        with os.fdopen(descriptor, "rb") as file:
            pack = pickle.load(file) if private(os.fstat(descriptor), stat.S_ISREG) else None  # noqa: S301 - the user's own file
    except Exception:
        # A torn or foreign file can raise anything at all while it is read; each means "not kept".
        return None
    return pack if isinstance(pack, Pack) and pack.hash == version else None


def keep(pack: Pack, checked: bool = True) -> None:
    """Keeps a pack; does nothing where that is not possible."""
    home = folder()
    if home is None:
        return
    with contextlib.suppress(OSError):
        descriptor, name = tempfile.mkstemp(dir=home)
        try:
            with os.fdopen(descriptor, "wb") as file:
                pickle.dump(pack, file, protocol=5)
            Path(name).replace(home / _name(pack.hash, checked))
        finally:
            Path(name).unlink(missing_ok=True)
        for old in sorted(home.glob("*.pack"), key=lambda path: path.stat().st_mtime, reverse=True)[KEPT:]:
            old.unlink()


def folder() -> Path | None:
    """The folder of what is kept, where it belongs to the user and to nobody else."""
    if not hasattr(os, "getuid"):
        return None
    try:
        home = os.environ.get("XDG_CACHE_HOME")
        made = (Path(home) if home else Path.home() / ".cache") / "caseflow"
        made.mkdir(mode=0o700, parents=True, exist_ok=True)
        return made if private(made.lstat(), stat.S_ISDIR) else None
    except (OSError, RuntimeError):
        return None


def private(known: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Whether a file or folder is of that kind, the user's own, and closed to everybody else."""
    return kind(known.st_mode) and known.st_uid == os.getuid() and not known.st_mode & 0o077


def _name(version: str, checked: bool) -> str:
    return f"{version}-{program()}{'' if checked else '-unchecked'}.pack"


@cache
def program() -> str:
    """What else decides whether a pack is clean and how it is kept: the checks, the models, the interpreter."""
    digest = sha256(f"{sys.version} {pydantic.VERSION}".encode())
    package = Path(__file__).resolve().parents[2]
    for path in sorted(
        [*package.glob("domain/**/*.py"), *package.glob("adapters/packs/**/*.py"), package / "services" / "filing.py", package / "services" / "proving.py"]
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
