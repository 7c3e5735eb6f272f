"""A small disk that is full when it is wanted: a file system of its own in memory, filled with ballast but for some room.

It is mounted where only this process and its children see it, and is gone with them. Where nothing may be mounted, `small` says so.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NEW_USER, NEW_MOUNTS, PRIVATE = 0x10000000, 0x00020000, 1 << 18 | 1 << 14
BALLAST = "ballast"
BLOCK = 4096
_apart: list[int] = []


def small(folder: Path, size: int) -> bool:
    """Puts a disk of so many bytes at a folder, for this process and its children; whether that could be done."""
    system = ctypes.CDLL(None, use_errno=True)
    if not _apart:
        _apart.append(os.getpid())
        if system.unshare(NEW_MOUNTS) and system.unshare(NEW_USER | NEW_MOUNTS):
            return False
        system.mount(None, b"/", None, PRIVATE, None)
    folder.mkdir(exist_ok=True)
    return not system.mount(b"none", os.fsencode(folder), b"tmpfs", 0, f"size={size},mode=755".encode())


def gone(folder: Path) -> None:
    """Takes it away, whoever still has a file open there."""
    ctypes.CDLL(None).umount2(os.fsencode(folder), 2)


@contextmanager
def filled(folder: Path, room: int) -> Iterator[None]:
    """The disk at a folder, with so many bytes of room in whole blocks and no more."""
    ballast = folder / BALLAST
    free = os.statvfs(folder)
    with ballast.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(BLOCK, (free.f_bavail - room // BLOCK) * BLOCK))
    try:
        yield
    finally:
        ballast.unlink()
