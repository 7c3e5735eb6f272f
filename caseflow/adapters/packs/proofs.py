"""Proofs kept between commands beside the checked packs, by what they were made of: pack, samples, readings, program.

A walk takes seconds, and its result can't change while none of these does. What is kept is plain JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from caseflow.adapters.packs import cache

KEPT = 64
"""How many proofs stay; the oldest make room."""


def name_of(version: str, workflow: str, samples: Mapping[str, str], settings: Mapping[str, Any]) -> str:
    """What a proof is kept under."""
    made_of = json.dumps([version, workflow, sorted(samples.items()), sorted(settings.items())], default=str)
    return f"{sha256(made_of.encode()).hexdigest()[:40]}-{cache.program()}.proof"


def recall(name: str) -> dict[str, Any] | None:
    """The proof of that name, or None where it is not kept or can't be trusted."""
    folder = cache.folder()
    if folder is None:
        return None
    try:
        descriptor = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW)
        with os.fdopen(descriptor, encoding="utf-8") as file:
            made = json.load(file) if cache.private(os.fstat(descriptor), stat.S_ISREG) else None
    except (OSError, ValueError):
        return None
    return made if isinstance(made, dict) else None


def keep(name: str, made: Mapping[str, Any]) -> None:
    """Keeps a proof; does nothing where that is not possible."""
    folder = cache.folder()
    if folder is None:
        return
    with contextlib.suppress(OSError):
        descriptor, path = tempfile.mkstemp(dir=folder)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(made, file, ensure_ascii=False)
            Path(path).replace(folder / name)
        finally:
            Path(path).unlink(missing_ok=True)
        for old in sorted(folder.glob("*.proof"), key=lambda one: one.stat().st_mtime, reverse=True)[KEPT:]:
            old.unlink()
